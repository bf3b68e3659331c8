//! Clips joined in a chosen order, and clips repeated (Shanbhag 2006, §4.3).

use std::ops::Range;
use std::sync::Arc;

use afoot_core::{ClipId, FrameId, cut_clip, headings, wrap_angle};
use afoot_formats::WriteOptions;
use afoot_graph::Place;
use afoot_graph::clusters::{
    Leap, Loop, Route, SequenceId, Wish as RouteWish, find_loops, find_routes, leap_between,
};
use afoot_run::Run;
use afoot_synth::finish::plant_feet;
use afoot_synth::{FinishOptions, Itinerary, Played, play_itinerary};
use serde::{Deserialize, Serialize};

use super::clusters::{LEAST_PLAY, no_way};
use crate::clustered::{ClusterRecipe, Clustered};
use crate::delivery::{MotionHeader, MotionRequest, Outlet, SourceClips, Told};
use crate::failure::Failure;
use crate::selection::Selection;
use crate::workspace::Workspace;

/// Ways that are weighed for each change of clip.
const WAYS: usize = 400;
/// A metre of error is as bad as so much of the clips lost. [s/m]
const SECONDS_PER_METRE: f64 = 20.0;
/// A blend as long as the thesis's. [s]
const BLEND: f64 = 1.0;

/// Asks for clips one after the other, each joined to the next where they are alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Join {
    /// Clips, or parts of them as `NAME[1.5s..3s]`.
    pub clips: Vec<String>,
    /// Sequences of the cluster graph instead, chosen by hand: each lies in one node with what the one
    /// before plays into, or follows it.
    pub sequences: Vec<u32>,
    /// Length of the blends, where the clips allow it. [s, > 0]
    pub blend: f64,
    /// How frames are clustered.
    pub recipe: ClusterRecipe,
}

/// Asks for a clip that is repeated. If nothing says for how long, two cycles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cycle {
    /// The clip, or the part of it that loops are looked for in.
    pub clip: String,
    /// How many cycles; parts of one too. [> 0]
    pub cycles: Option<f64>,
    /// Until so much time has passed. [s, > 0]
    pub seconds: Option<f64>,
    /// Until the root has gone so far over ground. [m, > 0]
    pub metres: Option<f64>,
    /// Which of the loops that `loops` lists, from 1 on; if not said, of the best ones
    /// that which turns as the clip does.
    pub choice: Option<usize>,
    /// Length of the blends, where the clip allows it. [s, > 0]
    pub blend: f64,
    /// How frames are clustered.
    pub recipe: ClusterRecipe,
}

impl Default for Join {
    fn default() -> Self {
        Self {
            clips: Vec::new(),
            sequences: Vec::new(),
            blend: BLEND,
            recipe: ClusterRecipe::default(),
        }
    }
}

impl Default for Cycle {
    fn default() -> Self {
        Self {
            clip: String::new(),
            cycles: None,
            seconds: None,
            metres: None,
            choice: None,
            blend: BLEND,
            recipe: ClusterRecipe::default(),
        }
    }
}

/// What joining tells of itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct JoinDetails {
    /// The changes of clip, in order.
    pub joins: Vec<JoinMade>,
}

/// A change of clip.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JoinMade {
    /// The clip that was left.
    pub from: String,
    /// The clip that was entered.
    pub to: String,
    /// How unlike the frames are. [cm]
    pub error_cm: f64,
}

impl MotionRequest for Join {
    type Details = JoinDetails;

    fn make(
        &self,
        from: &Workspace,
        outlet: &mut Outlet,
        run: &Run,
    ) -> Result<Told<JoinDetails>, Failure> {
        check_blend(self.blend)?;
        let library = from.library()?;
        let clustered = outlet.aside(|| library.clustered(&self.recipe, run))?;
        let itinerary = match (self.clips.len(), self.sequences.len()) {
            (0, 1..) => by_sequences(&clustered, &self.sequences)?,
            (2.., 0) => by_clips(&clustered, self)?,
            _ => {
                let expected = "two clips or more, or sequences of the cluster graph";
                return Err(Failure::bad_request(format!(
                    "nothing to join: expected {expected}"
                )));
            }
        };
        let played = played(&clustered, &itinerary, self.blend)?;
        push(&clustered, played, self.blend, outlet)?;
        Ok(told(&clustered, &itinerary.leaps))
    }
}

impl MotionRequest for Cycle {
    type Details = JoinDetails;

    fn make(
        &self,
        from: &Workspace,
        outlet: &mut Outlet,
        run: &Run,
    ) -> Result<Told<JoinDetails>, Failure> {
        check_blend(self.blend)?;
        let library = from.library()?;
        let clustered = outlet.aside(|| library.clustered(&self.recipe, run))?;
        let found = self.choose(&clustered)?;
        let period = clustered.seconds(found.period);
        let (cycles, until) = self.length(period)?;
        let itinerary = Itinerary::of_loop(found.leap, cycles);
        let mut played = played(&clustered, &itinerary, self.blend)?;
        if let Some(metres) = until {
            end_after(&mut played, metres)?;
        }
        push(&clustered, played, self.blend, outlet)?;
        Ok(told(&clustered, &itinerary.leaps))
    }
}

impl Cycle {
    fn choose(&self, clustered: &Clustered) -> Result<Loop, Failure> {
        let (clip, part) = selected(clustered, &self.clip)?;
        let mut loops = find_loops(&clustered.graph, &clustered.frames, clip);
        loops.retain(|found| {
            found.leap.to.frame.0 >= part.start && found.leap.from.frame.0 < part.end
        });
        if self.choice.is_none()
            && let Some(found) = straightest(clustered, clip, &loops)
        {
            return Ok(found);
        }
        let index = self.choice.unwrap_or(1);
        match index.checked_sub(1).and_then(|index| loops.get(index)) {
            Some(found) => Ok(*found),
            None if loops.is_empty() => Err(no_way(&self.clip, &self.clip, self.recipe.error_cm)),
            None => {
                let expected = format!("1 to {}", loops.len());
                Err(Failure::bad_value("loop", index, &expected))
            }
        }
    }

    /// How many cycles to play, and how far over ground at most.
    fn length(&self, period: f64) -> Result<(f64, Option<f64>), Failure> {
        let within = |what: &str, value: f64, most: f64| match value > 0.0 && value <= most {
            true => Ok(value),
            false => {
                let expected = format!("a number above 0, up to {most:.0}");
                Err(Failure::bad_value(what, value, &expected))
            }
        };
        match (self.cycles, self.seconds, self.metres) {
            (None, None, None) => Ok((2.0, None)),
            (Some(cycles), None, None) => Ok((within("cycles", cycles, LONGEST / period)?, None)),
            (None, Some(seconds), None) => {
                Ok((within("seconds", seconds, LONGEST)? / period, None))
            }
            (None, None, Some(metres)) => {
                let metres = within("metres", metres, LONGEST * FASTEST)?;
                let seconds = (metres / SLOWEST).min(LONGEST);
                Ok(((seconds / period).max(2.0), Some(metres)))
            }
            _ => Err(Failure::bad_request(
                "a loop ends after cycles, seconds or metres: give one of them".to_owned(),
            )),
        }
    }
}

/// Of the loops that are nearly as good as the best, the one that turns most as the clip does on average:
/// what a cycle turns too much adds up.
fn straightest(clustered: &Clustered, clip: ClipId, loops: &[Loop]) -> Option<Loop> {
    let headings = headings(clustered.clips.captured(clip));
    let (first, last) = (headings.first()?, headings.last()?);
    let rate = wrap_angle(last - first) / (headings.len().max(2) - 1) as f64;
    let astray = |found: &&Loop| {
        let [from, to] = [found.leap.from, found.leap.to].map(|place| place.frame.index());
        let turn = wrap_angle(headings[from] - headings[to - 1]);
        (turn - rate * f64::from(found.period)).abs()
    };
    let best = loops.first()?.leap.error;
    let good = loops
        .iter()
        .filter(|found| found.leap.error <= best * NEARLY_AS_GOOD);
    good.min_by(|x, y| astray(x).total_cmp(&astray(y))).copied()
}

/// Errors that a blend hides as well as the best loop's.
const NEARLY_AS_GOOD: f32 = 1.5;

/// A loop is finished as a whole, so that it has an end. [s]
const LONGEST: f64 = 600.0;
/// Nobody runs faster. [m/s]
const FASTEST: f64 = 12.0;
/// Travel slower than that is none. [m/s]
const SLOWEST: f64 = 0.1;

fn check_blend(seconds: f64) -> Result<(), Failure> {
    match seconds > 0.0 && seconds <= 10.0 {
        true => Ok(()),
        false => Err(Failure::bad_value(
            "blend",
            seconds,
            "seconds above 0, up to 10",
        )),
    }
}

/// A clip and the part of it that is meant.
fn selected(clustered: &Clustered, text: &str) -> Result<(ClipId, Range<u32>), Failure> {
    let selection = Selection::parse(text)?;
    let clip = clustered.id(&selection.name)?;
    let length = clustered.frames.frames_of(clip) as usize;
    let frames = selection.frames(length, clustered.rate())?;
    Ok((clip, frames.start as u32..frames.end as u32))
}

/// Each clip from where the one before leads into it to where it leads on.
fn by_clips(clustered: &Clustered, join: &Join) -> Result<Itinerary, Failure> {
    let parts: Result<Vec<(ClipId, Range<u32>)>, Failure> = join
        .clips
        .iter()
        .map(|clip| selected(clustered, clip))
        .collect();
    let parts = parts?;
    let (first, start) = (parts[0].0, parts[0].1.start);
    let mut leaps: Vec<Leap> = Vec::new();
    for (index, pair) in parts.windows(2).enumerate() {
        let entered = leaps.last().map_or(start, |leap| leap.to.frame.0);
        let is_part = join.clips[index + 1].contains('[');
        let way = best_way(clustered, &pair[0], &pair[1], (entered, is_part));
        let route = way.ok_or_else(|| {
            no_way(
                &join.clips[index],
                &join.clips[index + 1],
                join.recipe.error_cm,
            )
        })?;
        leaps.extend(route.leaps);
    }
    let last = parts.last().expect("at least two");
    let entered = leaps.last().expect("one for each change").to.frame.0;
    Ok(Itinerary {
        start: Place {
            clip: first,
            frame: FrameId(start),
        },
        leaps,
        end: FrameId(last.1.end.max(entered + 1)),
    })
}

/// The way that loses least of both parts and is least unlike.
fn best_way(
    clustered: &Clustered,
    from: &(ClipId, Range<u32>),
    to: &(ClipId, Range<u32>),
    (entered, is_part): (u32, bool),
) -> Option<Route> {
    let least_play = clustered.rate().frames_in(LEAST_PLAY) as u32;
    let wish = RouteWish {
        from: from.0,
        near: Some(FrameId(from.1.end - 1)),
        to: to.0,
        into: is_part.then_some(FrameId(to.1.start)),
        least_play,
    };
    let routes = find_routes(&clustered.graph, &clustered.frames, &wish, WAYS);
    let fits = |route: &Route| {
        let exit = route.leaps[0].from.frame.0;
        let entry = route.leaps.last().expect("a way has leaps").to.frame.0;
        // What is asked for is played: half of each part at least.
        let enough = |part: &Range<u32>| part.start.midpoint(part.end);
        exit >= (entered + least_play).max(enough(&from.1)) && entry <= enough(&to.1)
    };
    let cost = |route: &Route| {
        let exit = route.leaps[0].from.frame.0 + 1;
        let entry = route.leaps.last().expect("a way has leaps").to.frame.0;
        let lost = from.1.end.abs_diff(exit) + entry.abs_diff(to.1.start) + route.frames_between();
        clustered.seconds(lost) + f64::from(route.error()) * SECONDS_PER_METRE
    };
    let fitting = routes.into_iter().filter(fits);
    fitting.min_by(|x, y| cost(x).total_cmp(&cost(y)))
}

/// Sequences that were chosen one by one: playing on in a clip, or leaping within a node.
fn by_sequences(clustered: &Clustered, chosen: &[u32]) -> Result<Itinerary, Failure> {
    let graph = &clustered.graph;
    let known = graph.sequences.len() as u32;
    if let Some(wrong) = chosen.iter().find(|sequence| **sequence >= known) {
        let expected = format!(
            "a sequence of the cluster graph, 0 to {}",
            known.saturating_sub(1)
        );
        return Err(Failure::bad_value("sequence", *wrong, &expected));
    }
    let sequences: Vec<SequenceId> = chosen.iter().map(|index| SequenceId(*index)).collect();
    let first = graph.sequence(sequences[0]);
    let (mut leaps, mut at) = (Vec::new(), first.frames.start);
    for pair in sequences.windows(2) {
        let [a, b] = [graph.sequence(pair[0]), graph.sequence(pair[1])];
        if a.node == b.node {
            let leap = leap_between(graph, &clustered.frames, pair[0], pair[1]);
            let leap = leap
                .filter(|leap| leap.from.frame.0 + 1 > at)
                .ok_or_else(|| {
                    Failure::no_motion(format!(
                        "no leap leads from sequence {} to {}: their clips end there",
                        pair[0].0, pair[1].0
                    ))
                })?;
            at = leap.to.frame.0;
            leaps.push(leap);
        } else if a.clip != b.clip || b.frames.start < a.frames.end {
            return Err(Failure::bad_request(format!(
                "sequence {} neither lies in one node with {} nor follows it in its clip",
                pair[1].0, pair[0].0
            )));
        }
    }
    let last = graph.sequence(*sequences.last().expect("at least one"));
    Ok(Itinerary {
        start: Place {
            clip: first.clip,
            frame: FrameId(first.frames.start),
        },
        leaps,
        end: FrameId(last.frames.end.max(at + 1)),
    })
}

/// The motion with its feet planted.
fn played(clustered: &Clustered, itinerary: &Itinerary, blend: f64) -> Result<Played, Failure> {
    let frames = (clustered.rate().frames_in(blend) as u32).max(2);
    let mut played = play_itinerary(&*clustered.clips, itinerary, frames)?;
    plant_feet(&mut played.clip, &FinishOptions::default());
    Ok(played)
}

/// Lets a motion end where its root has gone so far.
fn end_after(played: &mut Played, metres: f64) -> Result<(), Failure> {
    let root = &played.clip.root;
    let step = |pair: &[afoot_core::Vec3]| {
        let step = pair[1] - pair[0];
        f64::from(step.x).hypot(f64::from(step.z))
    };
    let mut gone = 0.0;
    let end = root.windows(2).position(|pair| {
        gone += step(pair);
        gone >= metres
    });
    let Some(end) = end else {
        let seconds = played.clip.seconds();
        let words = format!("the clip goes {gone:.1} m in {seconds:.0} s, not {metres} m");
        return Err(Failure::no_motion(words));
    };
    let frames = end as u32 + 2;
    if let Ok(cut) = cut_clip(&played.clip, 0..frames) {
        played.clip = cut;
    }
    played
        .sources
        .retain(|source| source.at < u64::from(frames));
    if let Some(last) = played.sources.last_mut() {
        last.frames.end = last
            .frames
            .end
            .min(last.frames.start + frames - last.at as u32);
    }
    played.joins = played.sources.len().saturating_sub(1) as u32;
    played.captured = played.captured.min(u64::from(frames));
    Ok(())
}

fn push(
    clustered: &Clustered,
    played: Played,
    blend: f64,
    outlet: &mut Outlet,
) -> Result<(), Failure> {
    outlet.begin(MotionHeader {
        frames: played.clip.len() as u64,
        rate: clustered.rate(),
        transition: clustered.rate().frames_in(blend) as u32,
        clips: Arc::clone(&clustered.clips) as Arc<dyn SourceClips>,
        like: WriteOptions::default(),
    })?;
    outlet.push(played)
}

fn told(clustered: &Clustered, leaps: &[Leap]) -> Told<JoinDetails> {
    let made = |leap: &Leap| JoinMade {
        from: clustered.clips.name(leap.from.clip).to_owned(),
        to: clustered.clips.name(leap.to.clip).to_owned(),
        error_cm: f64::from(leap.error) * 100.0,
    };
    Told {
        details: JoinDetails {
            joins: leaps.iter().map(made).collect(),
        },
        ..Told::default()
    }
}
