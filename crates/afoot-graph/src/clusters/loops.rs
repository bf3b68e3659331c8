//! Loops of a clip into itself, and which clips are cyclic (Shanbhag 2006, §4.3.3).
//!
//! A node with two sequences of one clip is a loop: from the later one back into the earlier. A
//! clip's period is the lag at which its frames are most alike, near what its loops say: states keep
//! left and right steps apart, so that no half cycle is taken for one.

use afoot_core::{ClipId, FrameId};

use super::cluster_graph::ClusterGraph;
use super::leaps::{Leap, leap_between};
use super::library_frames::LibraryFrames;
use super::states::PlantState;

/// A way back to an earlier part of the same clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loop {
    /// From the later part into the earlier.
    pub leap: Leap,
    /// Frames a cycle.
    pub period: u32,
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

/// How far the period may lie from what a loop says. A walk's cycles differ by some percent.
const AROUND: f64 = 0.15;

/// All loops of a clip, the best first.
pub fn find_loops(graph: &ClusterGraph, frames: &LibraryFrames, clip: ClipId) -> Vec<Loop> {
    let mut loops = Vec::new();
    for &later in &graph.of_clip[clip.index()] {
        for earlier in graph.sequences_of(graph.sequence(later).node) {
            let before = graph.sequence(earlier);
            if before.clip != clip || before.frames.end > graph.sequence(later).frames.start {
                continue;
            }
            if let Some(leap) = leap_between(graph, frames, later, earlier) {
                let period = leap.from.frame.0 + 1 - leap.to.frame.0;
                loops.push(Loop { leap, period });
            }
        }
    }
    loops.sort_by(|x, y| {
        let ties = (x.leap.from, x.leap.to).cmp(&(y.leap.from, y.leap.to));
        x.leap.error.total_cmp(&y.leap.error).then(ties)
    });
    loops
}

/// The cycle of a clip that repeats itself; `None` of one that does not.
pub fn find_cycle(graph: &ClusterGraph, frames: &LibraryFrames, clip: ClipId) -> Option<Cycle> {
    let said = usual_return(graph, clip)?;
    let around = (f64::from(said) * AROUND).ceil() as u32;
    let longest = frames.frames_of(clip).saturating_sub(2);
    let lags = said.saturating_sub(around).max(1)..=(said + around).min(longest);
    let apart = |lag: u32| (lag, mean_error(frames, clip, lag));
    let (period, error) = lags.map(apart).min_by(|x, y| x.1.total_cmp(&y.1))?;
    Some(Cycle {
        period,
        phase: first_left(graph, clip),
        cycles: f64::from(frames.frames_of(clip)) / f64::from(period),
        error,
    })
}

/// How many frames it usually takes to come back into a node: the median over returns.
fn usual_return(graph: &ClusterGraph, clip: ClipId) -> Option<u32> {
    let own = &graph.of_clip[clip.index()];
    let mut returns = Vec::new();
    for (index, id) in own.iter().enumerate() {
        let sequence = graph.sequence(*id);
        let again = own[index + 1..].iter().map(|id| graph.sequence(*id));
        if let Some(next) = again.into_iter().find(|next| next.node == sequence.node) {
            returns.push(next.aligned.0 - sequence.aligned.0);
        }
    }
    returns.sort_unstable();
    returns.get(returns.len() / 2).copied()
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
