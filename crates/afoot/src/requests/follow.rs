//! Motion along a path.

use std::ops::ControlFlow;

use afoot_core::{ClipId, FrameId, FrameRate, Locomotion};
use afoot_run::Run;
use afoot_synth::{
    DrawingOptions, FollowOptions, FollowSearch, FoundWalk, GroundPath, HardPlace, Oddity,
    Repertoire, Section, find_hard_places, find_walk, follow_in_pieces,
};
use serde::{Deserialize, Serialize};

use crate::delivery::{Aim, Measured, MotionHeader, MotionRequest, Outlet, Told, piece_frames};
use crate::failure::Failure;
use crate::files::Files;
use crate::inputs::Input;
use crate::requests::moving::{Moving, OddMotion, Standing, Tally, variety};
use crate::requests::through::{Through, ThroughDetails};
use crate::workspace::Workspace;

/// Asks for motion along a path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Follow {
    /// The path.
    pub path: Input,
    /// How it lies on the ground, if it is a drawing.
    pub drawing: DrawingOptions,
    /// Use only motion with these labels, or of these types, all along it.
    #[serde(rename = "as")]
    pub labels: Vec<String>,
    /// End where the path began.
    pub closed: bool,
    /// Leave captured motion where it is: do not warp the root's path.
    pub exact_source: bool,
    /// Where in the library to start; else wherever it fits best.
    pub start: Option<Start>,
    /// How the figure is to move.
    pub moving: Moving,
    /// Whether it begins and ends in a stand.
    pub standing: Standing,
    /// How the walk is searched for.
    pub search: FollowSearch,
    /// Instead of a path: from one place of a world to another, around what stands there.
    pub through: Option<Through>,
}

/// A moment of a clip.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Start {
    /// The clip.
    pub clip: String,
    /// Its time. [s, 0 to 1000000]
    pub seconds: f64,
}

/// What following tells of itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FollowDetails {
    /// Length of the path. [m]
    pub path_m: f64,
    /// What was not asked for, longest first.
    pub oddities: Vec<OddMotion>,
    /// Places of the path that the library's motion can't do as asked, in order.
    pub hard_places: Vec<HardStretch>,
    /// Whether it begins and ends in a stand.
    pub stands: [bool; 2],
    /// What the search did.
    pub search: SearchDetails,
    /// Where labels changed along it.
    pub switches: Vec<LabelSwitch>,
    /// Of a way through a world.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub through: Option<ThroughDetails>,
}

/// A place of a path that is missed, or dwelt at for long.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HardStretch {
    /// Where, along the path. [m]
    pub along_m: f64,
    /// How much the path turns there within a metre. [degrees, left positive]
    pub turn_deg: f64,
    /// How far the walker stays from it. [m]
    pub missed_m: f64,
    /// How long a metre takes there. [s]
    pub seconds: f64,
    /// How long a metre takes as a rule. [s]
    pub usual_seconds: f64,
}

/// What a search did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SearchDetails {
    /// States whose successors were tried.
    pub expanded: u64,
    /// Squared distances summed over frames, and what was added. [m²]
    pub error_m2: f64,
}

impl FollowDetails {
    /// What a walk tells whose ways are played `longer` times as long.
    fn of(found: &FoundWalk, longer: f64) -> Self {
        let switches = found.switches.iter().map(|switch| LabelSwitch {
            asked_m: switch.asked * longer,
            at_m: switch.at * longer,
        });
        Self {
            stands: found.stands,
            search: SearchDetails {
                error_m2: found.error * longer * longer,
                ..SearchDetails::from(found)
            },
            switches: switches.collect(),
            ..Self::default()
        }
    }
}

/// A change from one section's labels to the next one's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LabelSwitch {
    /// Where it was asked for, along the path. [m]
    pub asked_m: f64,
    /// Where it happened. [m]
    pub at_m: f64,
}

impl Follow {
    /// A way through a world is searched otherwise than one along a path: what only that knows is refused.
    fn check_through(&self) -> Result<(), Failure> {
        let usual = Self::default();
        let asked = [
            ("path", self.path != usual.path),
            ("drawing", self.drawing != usual.drawing),
            ("closed", self.closed),
            ("exact_source", self.exact_source),
            ("start", self.start.is_some()),
            ("facing", self.moving.facing != usual.moving.facing),
            ("speed", self.moving.speed.is_some()),
            ("style", !self.moving.style.is_empty()),
            (
                "from_stand",
                self.standing.from_stand != usual.standing.from_stand,
            ),
            (
                "to_stand",
                self.standing.to_stand != usual.standing.to_stand,
            ),
            ("search", self.search != usual.search),
        ];
        match asked.into_iter().find(|(_, is_asked)| *is_asked) {
            Some((field, _)) => Err(Failure {
                field: Some(field.into()),
                ..Failure::bad_request("does not go with a way through a world")
            }),
            None => Ok(()),
        }
    }
}

impl MotionRequest for Follow {
    type Details = FollowDetails;

    fn make(
        &self,
        from: &Workspace,
        outlet: &mut Outlet,
        run: &Run,
    ) -> Result<Told<FollowDetails>, Failure> {
        if let Some(through) = &self.through {
            self.check_through()?;
            return through.make(from, &self.labels, outlet, run);
        }
        let library = from.library()?;
        let asked = self.asked_path(from.files(), run)?;
        let graph = outlet.aside(|| library.ready_graph(run))?;
        // Ways grow with the legs: what follows a smaller path follows this one afterwards.
        let longer = outlet.longer_way(graph.skeleton());
        let path = asked.scaled(1.0 / longer);
        let path = path.map_err(|error| self.path.wrong(error))?;
        let options = self.options(&graph, run)?;
        let found = find_walk(&*graph, &path, &options)?;
        let words = words_of(&path);
        outlet.faces_ahead(self.moving.faces_ahead(&graph, &words)?);
        outlet.stands(self.standing.asked(found.stands));
        outlet.begin(MotionHeader::of_graph(&graph, found.walk.frames(&graph)))?;
        let walk = Walk {
            graph: &graph,
            path: &path,
            found: &found,
            options: &options,
        };
        let (tally, trace) = walk.play(outlet, run)?;
        let mut oddities = self.moving.oddities(&graph, &words, &tally, run)?;
        oddities.extend(stops(&trace, &words, graph.graph().rate, run));
        oddities.extend(
            self.standing
                .mid_steps(found.stands, found.could_stand, run),
        );
        let trace: Vec<_> = (trace.into_iter())
            .map(|place| place.map(|value| value * longer))
            .collect();
        Ok(Told {
            details: FollowDetails {
                path_m: asked.length(),
                oddities,
                hard_places: hard_places(&asked, &trace, &graph, run),
                ..FollowDetails::of(&found, longer)
            },
            aim: Aim {
                path: Some(path.points().to_vec()),
                ..Aim::default()
            },
            measured: Measured::default(),
        })
    }
}

/// A walk that was found for a path.
struct Walk<'a> {
    graph: &'a Repertoire,
    path: &'a GroundPath,
    found: &'a FoundWalk,
    options: &'a FollowOptions,
}

impl Walk<'_> {
    /// Pushes its motion in pieces; gives what was played, and the root's way over the ground.
    fn play(&self, outlet: &mut Outlet, run: &Run) -> Result<(Tally, Vec<[f64; 2]>), Failure> {
        let Self { graph, found, .. } = self;
        let frames = found.walk.frames(graph);
        let pieces = piece_frames(graph.graph().rate);
        let (mut done, mut tally, mut trace) = (0, Tally::default(), Vec::new());
        let end = follow_in_pieces(graph, self.path, found, self.options, pieces, |played| {
            tally.add(&played);
            let roots = played.clip.root.iter();
            trace.extend(roots.map(|root| [f64::from(root.x), f64::from(root.z)]));
            done += played.clip.len() as u64;
            let pushed = outlet.push(played);
            run.progress("playing", done.min(frames), frames);
            match pushed {
                Ok(()) => ControlFlow::Continue(()),
                Err(failure) => ControlFlow::Break(failure),
            }
        });
        match end {
            ControlFlow::Continue(()) => Ok((tally, trace)),
            ControlFlow::Break(failure) => Err(failure),
        }
    }
}

impl Follow {
    fn options(&self, repertoire: &Repertoire, run: &Run) -> Result<FollowOptions, Failure> {
        let start = self.start.as_ref();
        let mut options = FollowOptions {
            start: start.map(|start| start.find(repertoire)).transpose()?,
            search: self.search,
            preference: self.moving.preference(repertoire)?,
            from_stand: self.standing.from_stand,
            to_stand: self.standing.to_stand,
            variety: variety(run),
            seed: run.seed,
            run: run.clone(),
            ..FollowOptions::default()
        };
        if self.exact_source {
            options.finish.warp = None;
        }
        Ok(options)
    }

    fn asked_path(&self, files: &dyn Files, run: &Run) -> Result<GroundPath, Failure> {
        let named = |error| self.path.wrong(error);
        let mut path = self.path.drawn_path(&self.drawing, files, run)?;
        if self.closed && !path.is_closed() {
            let mut points = path.points().to_vec();
            points.extend(points.first().copied());
            let sections = path.sections().to_vec();
            path = GroundPath::new(points).map_err(named)?;
            if !sections.is_empty() {
                path = path.with_sections(sections).map_err(named)?;
            }
        }
        if self.labels.is_empty() {
            return Ok(path);
        }
        let whole = Section {
            to: path.length(),
            labels: self.labels.clone(),
        };
        path.with_sections(vec![whole]).map_err(named)
    }
}

/// Slower than this a walker stands, and one of so many seconds is a stop. [m/s, s]
const STOPPED: f64 = 0.08;
const STOP: f64 = 0.2;
/// What stops for less of its way than this, ends aside, walks. [share]
const WALKS: f64 = 0.15;

/// What stops again and again though it is to go along a path: how fast it goes, and how often it stops, said aloud.
fn stops(trace: &[[f64; 2]], words: &[String], rate: FrameRate, run: &Run) -> Option<OddMotion> {
    let goes =
        |word: &String| Locomotion::from_name(word).is_some_and(|gait| gait != Locomotion::Stand);
    let pace = Pace::of(trace, rate)?;
    if !words.iter().all(goes) || pace.stood < WALKS * pace.seconds {
        return None;
    }
    run.warn(format!(
        "it goes at {:.1} m/s in the mean and stops {} times, for {:.1} s in all: no other motion in the library \
         leads along there as well; clips that walk and turn would help",
        pace.metres / pace.seconds,
        pace.stops,
        pace.stood
    ));
    Some(OddMotion {
        what: Oddity::Stops,
        seconds: pace.stood,
    })
}

/// How a walker gets on between the stands at its ends.
struct Pace {
    /// [m]
    metres: f64,
    /// [s]
    seconds: f64,
    stops: usize,
    /// [s]
    stood: f64,
}

impl Pace {
    fn of(trace: &[[f64; 2]], rate: FrameRate) -> Option<Self> {
        let reach = rate.frames_in(0.5 * STOP).max(1);
        let last = trace.len().checked_sub(1)?;
        let speed = |frame: usize| {
            let (from, to) = (frame.saturating_sub(reach), (frame + reach).min(last));
            let ([a, b], [c, d]) = (trace[from], trace[to]);
            (c - a).hypot(d - b) / ((to - from).max(1) as f64 * rate.frame_time())
        };
        let stands: Vec<bool> = (0..=last).map(|frame| speed(frame) < STOPPED).collect();
        let first = stands.iter().position(|stands| !stands)?;
        let end = stands.iter().rposition(|stands| !stands)? + 1;
        let way = trace[first..end].windows(2);
        let long = rate.frames_in(STOP).max(1);
        let stops = stands[first..end].chunk_by(|a, b| a == b);
        let stops: Vec<usize> = stops
            .filter(|stretch| stretch[0] && stretch.len() >= long)
            .map(<[bool]>::len)
            .collect();
        Some(Self {
            metres: way
                .map(|pair| (pair[1][0] - pair[0][0]).hypot(pair[1][1] - pair[0][1]))
                .sum(),
            seconds: (end - first) as f64 * rate.frame_time(),
            stood: stops.iter().sum::<usize>() as f64 * rate.frame_time(),
            stops: stops.len(),
        })
    }
}

/// The places of a path that the motion misses or dwells at, said aloud too.
fn hard_places(
    path: &GroundPath,
    trace: &[[f64; 2]],
    repertoire: &Repertoire,
    run: &Run,
) -> Vec<HardStretch> {
    let found = find_hard_places(path, trace, repertoire.graph().rate);
    let found: Vec<HardStretch> = found.iter().map(HardStretch::from).collect();
    for place in &found {
        run.warn(place.words());
    }
    found
}

/// A path that turns by less within a metre is no corner. [degrees]
const STRAIGHT: f64 = 10.0;

impl HardStretch {
    fn words(&self) -> String {
        let Self {
            along_m, turn_deg, ..
        } = self;
        let turn = turn_deg.abs();
        let what = match self.missed_m > 0.3 {
            true => format!("the path is missed by {:.2} m", self.missed_m),
            false => format!(
                "a metre takes {:.1} s, not {:.1} s",
                self.seconds, self.usual_seconds
            ),
        };
        if turn < STRAIGHT {
            return format!(
                "at {along_m:.1} m, where the path is straight, {what}: turns before or after it lie too close \
                 for the library's motion; more room between them would help"
            );
        }
        format!(
            "at {along_m:.1} m, where the path turns by {turn:.0} degrees within a metre, {what}: the library has \
             no such turn; a rounder corner there, or motion that turns like that, would help"
        )
    }
}

impl From<&HardPlace> for HardStretch {
    fn from(place: &HardPlace) -> Self {
        let rounded = |value: f64| (value * 1e3).round() / 1e3;
        Self {
            along_m: rounded(place.along),
            turn_deg: rounded(place.turn.to_degrees()),
            missed_m: rounded(place.missed),
            seconds: rounded(place.seconds),
            usual_seconds: rounded(place.usual),
        }
    }
}

/// All words that are asked for somewhere along a path.
fn words_of(path: &GroundPath) -> Vec<String> {
    let sections = path.sections().iter();
    sections
        .flat_map(|section| section.labels.clone())
        .collect()
}

impl Start {
    fn find(&self, repertoire: &Repertoire) -> Result<(ClipId, FrameId), Failure> {
        let Self { clip, seconds } = self;
        let found = repertoire.clip_named(clip).ok_or_else(|| Failure {
            field: Some("start".into()),
            ..Failure::bad_request(format!(
                "{clip}@{seconds}: there is no clip {clip:?} in the graph"
            ))
        })?;
        let frame = repertoire.graph().rate.frames_in(*seconds);
        Ok((found, FrameId::from(frame)))
    }
}

impl From<&FoundWalk> for SearchDetails {
    fn from(found: &FoundWalk) -> Self {
        Self {
            expanded: found.expanded,
            error_m2: found.error,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn who_stops_again_and_again_is_told_and_who_stands_at_the_ends_is_not() {
        let rate = FrameRate::FPS_30;
        let (mut walks, mut z) = (vec![[0.0, 0.0]; 30], 0.0);
        let mut shuffles = walks.clone();
        for frame in 0..300 {
            z += 0.03;
            walks.push([0.0, z]);
            let stood = frame % 60 < 24;
            let last = shuffles[shuffles.len() - 1][1];
            shuffles.push([0.0, if stood { last } else { last + 0.02 }]);
        }
        walks.extend([[0.0, z]; 30]);
        let run = Run::quiet();
        assert_eq!(stops(&walks, &[], rate, &run), None);
        let odd = stops(&shuffles, &[], rate, &run).unwrap();
        assert_eq!(odd.what, Oddity::Stops);
        assert!((2.5..4.0).contains(&odd.seconds), "{odd:?}");
        assert_eq!(stops(&shuffles, &["sneak".into()], rate, &run), None);
        let pace = Pace::of(&shuffles, rate).unwrap();
        assert!(pace.stops == 4, "{}", pace.stops);
    }
}
