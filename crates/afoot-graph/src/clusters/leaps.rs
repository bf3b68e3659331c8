//! Leaps: where motion leaves one clip for another (Shanbhag 2006, §4.2.4).
//!
//! Between two sequences of a node motion leaves at j_a and goes on at j_b + 1: at their alignment
//! frames, or at their exact best pair (§4.4). Where no node holds frames of both clips, a synthetic
//! leap can be made at their most similar frames; the thesis makes none, so these are only for who
//! allows them.

use std::ops::Range;

use afoot_core::{ClipId, FrameId};

use super::align::{FramePair, best_pair};
use super::cluster_graph::{ClusterGraph, ClusterId, SequenceId};
use super::library_frames::LibraryFrames;
use crate::motion_graph::Place;

/// A change of clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leap {
    /// The node that it is made in; none holds both frames of a synthetic one.
    pub node: Option<ClusterId>,
    /// The last frame of the first clip.
    pub from: Place,
    /// The first frame of the second.
    pub to: Place,
    /// How unlike the frame that is left and the one before the entered are. [m]
    pub error: f32,
}

/// Some frames of a clip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Which clip.
    pub clip: ClipId,
    /// Its frames, half-open.
    pub frames: Range<u32>,
}

/// The best leap from one sequence to another of the node; `None` where one of the clips does not go
/// on after it: a blend needs frames of both.
pub fn leap_between(
    graph: &ClusterGraph,
    frames: &LibraryFrames,
    from: SequenceId,
    to: SequenceId,
) -> Option<Leap> {
    let (a, b) = (graph.sequence(from), graph.sequence(to));
    let clips = [a.clip, b.clip];
    leap_at(frames, Some(a.node), clips, best_pair(a, b, frames))
}

/// The leap from one sequence to another of the node at their alignment frames.
pub fn aligned_leap(
    graph: &ClusterGraph,
    frames: &LibraryFrames,
    from: SequenceId,
    to: SequenceId,
) -> Option<Leap> {
    let (a, b) = (graph.sequence(from), graph.sequence(to));
    let [i, j] = [a, b].map(|sequence| frames.index(sequence.clip, sequence.aligned));
    let pair = FramePair {
        a: a.aligned,
        b: b.aligned,
        error: frames.error(i, j),
    };
    leap_at(frames, Some(a.node), [a.clip, b.clip], pair)
}

/// The leap between the two most similar frames of two stretches that have the same feet planted, if
/// there are such, whatever nodes they lie in.
pub fn synthetic_leap(frames: &LibraryFrames, from: &Stretch, to: &Stretch) -> Option<Leap> {
    let clips = [from.clip, to.clip];
    let mut best: Option<(bool, Leap)> = None;
    for i in from.frames.clone() {
        let a = frames.index(from.clip, FrameId(i));
        for j in to.frames.clone() {
            let b = frames.index(to.clip, FrameId(j));
            let (Some(left), Some(entered)) = (frames.state(a), frames.state(b)) else {
                continue;
            };
            let pair = FramePair {
                a: FrameId(i),
                b: FrameId(j),
                error: frames.error(a, b),
            };
            let other = left != entered;
            let better = best.is_none_or(|(was, leap)| (other, pair.error) < (was, leap.error));
            if better && let Some(leap) = leap_at(frames, None, clips, pair) {
                best = Some((other, leap));
            }
        }
    }
    best.map(|(_, leap)| leap)
}

/// The leap at a pair of frames, where both clips go on.
fn leap_at(
    frames: &LibraryFrames,
    node: Option<ClusterId>,
    [a, b]: [ClipId; 2],
    pair: FramePair,
) -> Option<Leap> {
    let goes_on = |clip: ClipId, frame: FrameId| frame.0 + 1 < frames.frames_of(clip);
    let place = |clip, frame| Place { clip, frame };
    (goes_on(a, pair.a) && goes_on(b, pair.b)).then_some(Leap {
        node,
        from: place(a, pair.a),
        to: place(b, FrameId(pair.b.0 + 1)),
        error: pair.error,
    })
}
