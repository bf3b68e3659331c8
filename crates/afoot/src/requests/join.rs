//! Clips joined in a chosen order (Shanbhag 2006, §4.3.2; nodes by hand, appendix A, task 17).

use afoot_core::FrameId;
use afoot_graph::Place;
use afoot_graph::clusters::{
    Leap, Route, RouteKind, Stretch, Wish as RouteWish, direct_routes, lost, synthetic_leap,
    through_routes,
};
use afoot_library::ClusterRecipe;
use afoot_synth::Itinerary;
use serde::{Deserialize, Serialize};

use super::by_hand::{chosen_nodes, chosen_sequences};
use super::clusters::{LEAST_PLAY, no_way};
use super::joining::{BlendLength, Resequenced};
use crate::clustered::Clustered;
use crate::failure::Failure;

/// Ways through other clips that are weighed for each change of clip.
const WAYS: usize = 100;
/// A metre of error is as bad as so much of the clips lost. [s/m]
const SECONDS_PER_METRE: f64 = 20.0;

/// Asks for clips one after the other, each joined to the next where they are alike.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Join {
    /// Clips, or parts of them as `NAME[1.5s..3s]`.
    pub clips: Vec<String>,
    /// Nodes of the cluster graph instead, each with an edge to the next; `NODE:CLIP` chooses the
    /// clip whose sequence is played in it.
    pub nodes: Vec<String>,
    /// Sequences of the cluster graph instead: each follows the one before in its clip, or lies in one
    /// node with it or with what follows it. [0 to 1000000000]
    pub sequences: Vec<u32>,
    /// Length of the blends, where the clips allow it; if not said, as long as frames stay alike, up to a
    /// second. [s, > 0, at most 10]
    pub blend: Option<f64>,
    /// Where the cluster graph knows no way, blend where frames are least unlike.
    pub synthetic: bool,
    /// How frames are clustered.
    pub recipe: ClusterRecipe,
}

impl Resequenced for Join {
    fn recipe(&self) -> &ClusterRecipe {
        &self.recipe
    }

    fn named(&self) -> Vec<&str> {
        self.clips.iter().map(String::as_str).collect()
    }

    fn itinerary(&self, clustered: &Clustered) -> Result<Itinerary, Failure> {
        let blend = BlendLength::asked(self.blend, clustered);
        let mut itinerary = match (self.clips.len(), self.nodes.len(), self.sequences.len()) {
            (2.., 0, 0) => self.by_clips(clustered, blend)?,
            (0, 1.., 0) => chosen_nodes(clustered, &self.nodes)?,
            (0, 0, 1..) => chosen_sequences(clustered, &self.sequences)?,
            _ => {
                let message = "nothing to join: expected two clips or more, or nodes of the cluster graph, or sequences";
                return Err(Failure::bad_request(message.to_owned()));
            }
        };
        itinerary.halves = blend.halves(clustered, &itinerary.leaps);
        Ok(itinerary)
    }

    fn asked(&self, clustered: &Clustered) -> Result<Vec<Stretch>, Failure> {
        let part = |text: &String| {
            let part = clustered.compared.selected(text)?;
            Ok(match text.contains('[') {
                true => part,
                false => without_faulty_ends(part, clustered),
            })
        };
        self.clips.iter().map(part).collect()
    }
}

/// A whole clip but for what is faulty at its ends: poses that freeze, jumps into the first one.
fn without_faulty_ends(part: Stretch, clustered: &Clustered) -> Stretch {
    let faults = &clustered.clips().clips()[part.clip.index()].faults;
    let sound = |frame: &u32| !faults.iter().any(|fault| fault.contains(frame));
    let mut frames = part.frames.clone().filter(sound);
    match frames.next() {
        Some(first) => Stretch {
            frames: first..frames.next_back().unwrap_or(first) + 1,
            ..part
        },
        None => part,
    }
}

impl Join {
    /// Each clip from where the one before leads into it to where it leads on.
    fn by_clips(&self, clustered: &Clustered, blend: BlendLength) -> Result<Itinerary, Failure> {
        let parts = self.asked(clustered)?;
        let start = Place {
            clip: parts[0].clip,
            frame: FrameId(parts[0].frames.start),
        };
        let mut leaps: Vec<Leap> = Vec::new();
        for (index, pair) in parts.windows(2).enumerate() {
            let change = Change {
                from: &pair[0],
                entered: leaps.last().map_or(start.frame.0, |leap| leap.to.frame.0),
                to: &pair[1],
                to_part: self.clips[index + 1].contains('['),
                least_play: clustered.rate().frames_in(LEAST_PLAY) as u32,
                blend,
            };
            let natural = change.best_way(clustered);
            let way = natural.or_else(|| self.synthetic.then(|| change.synthetic(clustered))?);
            let route = way.ok_or_else(|| {
                let [from, to] = [&self.clips[index], &self.clips[index + 1]];
                no_way(from, to, self.recipe.error_cm)
            })?;
            leaps.extend(route.leaps);
        }
        let entered = leaps.last().map_or(0, |leap| leap.to.frame.0);
        let last = &parts[parts.len() - 1];
        Ok(Itinerary {
            start,
            leaps,
            halves: Vec::new(),
            end: FrameId(last.frames.end.max(entered + 1)),
        })
    }
}

/// A change from one part of a clip to another's.
struct Change<'a> {
    from: &'a Stretch,
    /// The frame that the first was entered at.
    entered: u32,
    to: &'a Stretch,
    /// Whether a part of the second was asked for, which is to be played from its start on.
    to_part: bool,
    /// Frames that whatever is entered plays. [frames]
    least_play: u32,
    blend: BlendLength,
}

impl Change<'_> {
    /// The way that loses least of both parts and is least unlike.
    fn best_way(&self, clustered: &Clustered) -> Option<Route> {
        let wish = RouteWish {
            from: self.from.clip,
            near: Some(FrameId(self.from.frames.end - 1)),
            to: self.to.clip,
            into: self.to_part.then_some(FrameId(self.to.frames.start)),
            first: Some(FrameId(self.to.frames.start)),
            least_play: self.least_play,
        };
        let (graph, frames) = (&clustered.graph, clustered.frames());
        let mut ways = direct_routes(graph, frames, &wish);
        ways.extend(through_routes(graph, frames, &wish, WAYS));
        self.cheapest(clustered, ways).or_else(|| {
            // The best all enter too late: of those that do not, the best.
            let early = RouteWish {
                into: Some(FrameId(middle(self.to))),
                ..wish
            };
            self.cheapest(clustered, through_routes(graph, frames, &early, WAYS))
        })
    }

    /// Of those that fit, the cheapest.
    fn cheapest(&self, clustered: &Clustered, ways: Vec<Route>) -> Option<Route> {
        let fitting = ways.into_iter().filter(|route| self.fits(route));
        let cost = |route: &Route| self.cost(clustered, route);
        fitting.min_by(|x, y| cost(x).total_cmp(&cost(y)))
    }

    /// The least unlike frames of the second half of the first and of the first half of the second.
    fn synthetic(&self, clustered: &Clustered) -> Option<Route> {
        let soonest = (self.entered + self.least_play).max(middle(self.from));
        let from = Stretch {
            frames: soonest..self.from.frames.end,
            ..self.from.clone()
        };
        let to = Stretch {
            frames: self.to.frames.start..middle(self.to).max(self.to.frames.start + 1),
            ..self.to.clone()
        };
        let leap = synthetic_leap(clustered.frames(), &from, &to)?;
        Some(Route {
            kind: RouteKind::Direct,
            leaps: vec![leap],
        })
    }

    /// Whether what is asked for is played: half of each part at least.
    fn fits(&self, route: &Route) -> bool {
        let [exit, entry] = ends(route);
        exit >= (self.entered + self.least_play).max(middle(self.from)) && entry <= middle(self.to)
    }

    /// What is lost of both parts, the way between them with all that it does, and how unlike what is blended is: as
    /// ways are ranked where they are listed, but for the blends. [s]
    fn cost(&self, clustered: &Clustered, route: &Route) -> f64 {
        let [exit, entry] = ends(route);
        let left_out =
            self.from.frames.end.abs_diff(exit + 1) + entry.abs_diff(self.to.frames.start);
        let costs = route
            .leaps
            .iter()
            .map(|leap| self.blend.fit(clustered, leap).cost);
        let unlike = f64::from(costs.sum::<f32>()) * SECONDS_PER_METRE;
        lost(left_out, clustered.rate()) + route.cost_between(clustered.frames()) + unlike
    }
}

fn middle(part: &Stretch) -> u32 {
    part.frames.start.midpoint(part.frames.end)
}

/// The last frame before the first leap, and the first after the last.
fn ends(route: &Route) -> [u32; 2] {
    let last = route.leaps.last().expect("a way has leaps");
    [route.leaps[0].from.frame.0, last.to.frame.0]
}
