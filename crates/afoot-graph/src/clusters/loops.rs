//! Loops of a clip into itself, and which clips are cyclic (Shanbhag 2006, §4.3.3).
//!
//! A node with two sequences of one clip is a loop, from the later one back into the earlier, if the body
//! goes away from there in between and comes back: at a node's border frames fall now into one node, now
//! into the next, without any cycle. A clip's period is the first lag at which its frames are about as alike as they get. Left and right
//! steps differ in it, so that no half cycle is taken for one.

use afoot_core::{ClipId, FrameId};

use super::cluster_graph::ClusterGraph;
use super::leaps::{Leap, leap_between};
use super::library_frames::LibraryFrames;
use super::states::PlantState;
use crate::motion_graph::Place;

/// A way back to an earlier part of the same clip.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// From the later part into the earlier: one leap, or several over other clips.
    pub leaps: Vec<Leap>,
    /// Frames a cycle.
    pub period: u32,
}

impl Loop {
    /// The first frame of a cycle.
    pub fn start(&self) -> Place {
        self.leaps.last().expect("a loop has leaps").to
    }

    /// The last frame that plays before the clip is left.
    pub fn exit(&self) -> Place {
        self.leaps.first().expect("a loop has leaps").from
    }

    /// The errors of all leaps. [m]
    pub fn error(&self) -> f32 {
        self.leaps.iter().map(|leap| leap.error).sum()
    }
}

/// A clip that repeats itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cycle {
    /// Frames a cycle.
    pub period: u32,
    /// The first frame of a cycle: where a left foot first comes down alone, else the clip's first.
    pub phase: FrameId,
    /// How many cycles the clip holds.
    pub cycles: f64,
    /// How unlike frames a period apart are, root mean square. [m]
    pub error: f32,
}

/// The quickest cycle that is looked for: five a second, faster than legs go. [s]
const SHORTEST_SECONDS: f64 = 0.2;
/// The quickest loop that is one: legs that sprint take as long. [s]
const SHORTEST_LOOP: f64 = 0.4;
/// In a loop the body goes so many times farther from where it begins than its end is from there.
const GOES_AWAY: f32 = 1.5;
/// A period is at most this share of a clip, so that a third of it at least is compared.
const LONGEST_SHARE: f64 = 2.0 / 3.0;
/// Frames a period apart are at most this much as unlike as frames of any two times.
const DIP: f32 = 0.75;

/// All loops of a clip within itself, the best first; those over other clips are found by
/// [`find_loops_through`](super::find_loops_through).
pub fn find_loops(graph: &ClusterGraph, frames: &LibraryFrames, clip: ClipId) -> Vec<Loop> {
    let mut loops = Vec::new();
    for &later in &graph.of_clip[clip.index()] {
        for earlier in graph.sequences_of(graph.sequence(later).node) {
            let before = graph.sequence(earlier);
            if before.clip != clip || before.frames.end > graph.sequence(later).frames.start {
                continue;
            }
            let leap = leap_between(graph, frames, later, earlier);
            if let Some(leap) = leap.filter(|leap| comes_back(frames, leap)) {
                let period = leap.from.frame.0 + 1 - leap.to.frame.0;
                let leaps = vec![leap];
                loops.push(Loop { leaps, period });
            }
        }
    }
    loops.sort_by(|x, y| {
        let ties = (x.exit(), x.start()).cmp(&(y.exit(), y.start()));
        x.error().total_cmp(&y.error()).then(ties)
    });
    loops
}

/// Whether a clip goes away from where a leap back enters it before it comes back there.
fn comes_back(frames: &LibraryFrames, leap: &Leap) -> bool {
    let at = |frame: u32| frames.index(leap.to.clip, FrameId(frame));
    let cycle = leap.to.frame.0..leap.from.frame.0 + 1;
    let start = at(leap.to.frame.0 - 1);
    let farthest = cycle.clone().map(|frame| frames.error(start, at(frame)));
    cycle.len() >= frames.rate().frames_in(SHORTEST_LOOP)
        && farthest.fold(0.0, f32::max) > leap.error * GOES_AWAY
}

/// The cycle of a clip that repeats itself; `None` of one that does not.
pub fn find_cycle(graph: &ClusterGraph, frames: &LibraryFrames, clip: ClipId) -> Option<Cycle> {
    let rate = frames.rate();
    let longest = f64::from(frames.frames_of(clip)) * LONGEST_SHARE;
    let lags = rate.frames_in(SHORTEST_SECONDS) as u32..longest as u32;
    let errors: Vec<f32> = lags
        .clone()
        .map(|lag| mean_error(frames, clip, lag))
        .collect();
    let mean = errors.iter().sum::<f32>() / errors.len().max(1) as f32;
    let dips = errors.windows(3).enumerate().filter(|(_, around)| {
        around[1] <= around[0] && around[1] < around[2] && around[1] < mean * DIP
    });
    let dips: Vec<usize> = dips.map(|(before, _)| before + 1).collect();
    let best = dips.iter().map(|dip| errors[*dip]).reduce(f32::min)?;
    // Motion that changes may be most like itself several cycles later, so half of the way down counts.
    let first = *dips
        .iter()
        .find(|dip| errors[**dip] <= best.midpoint(mean))?;
    let period = lags.start + first as u32;
    Some(Cycle {
        period,
        phase: first_left(graph, clip),
        cycles: f64::from(frames.frames_of(clip)) / f64::from(period),
        error: errors[first],
    })
}

/// How unlike frames `lag` apart are. [m]
fn mean_error(frames: &LibraryFrames, clip: ClipId, lag: u32) -> f32 {
    let at = |frame: u32| frames.index(clip, FrameId(frame));
    let pairs = 0..frames.frames_of(clip) - lag;
    let count = pairs.len().max(1) as f64;
    let squares = pairs.map(|frame| f64::from(frames.error(at(frame), at(frame + lag))).powi(2));
    (squares.sum::<f64>() / count).sqrt() as f32
}

/// The first frame at which the left foot bears alone after something else.
fn first_left(graph: &ClusterGraph, clip: ClipId) -> FrameId {
    let states = graph.of_clip[clip.index()].iter().map(|id| {
        let sequence = graph.sequence(*id);
        (graph.node(sequence.node).state, sequence.frames.start)
    });
    let states: Vec<(PlantState, u32)> = states.collect();
    let lands = |pair: &&[(PlantState, u32)]| {
        pair[0].0 != PlantState::Left && pair[1].0 == PlantState::Left
    };
    FrameId(states.windows(2).find(lands).map_or(0, |pair| pair[1].1))
}
