//! The free frames between runs, and how the corrections of both runs fade in them.

use std::ops::Range;

use glam::{Quat, Vec3};

use super::legs::LegTrack;
use super::ramp::fade_by_travel;

/// Something that holds for some frames.
pub trait Span {
    /// The frames.
    fn frames(&self) -> &Range<usize>;
}

impl Span for Range<usize> {
    fn frames(&self) -> &Range<usize> {
        self
    }
}

/// The one of some sorted disjoint spans that has a frame.
pub fn find<S: Span>(spans: &[S], frame: usize) -> Option<&S> {
    let index = spans.partition_point(|span| span.frames().end <= frame);
    spans.get(index).filter(|span| span.frames().start <= frame)
}

/// Those of some sorted disjoint spans that have frames of a stretch.
pub fn touching<S: Span>(spans: &[S], stretch: &Range<usize>) -> Range<usize> {
    let first = spans.partition_point(|span| span.frames().end <= stretch.start);
    let end = spans.partition_point(|span| span.frames().start < stretch.end);
    first..end.max(first)
}

/// Shortest way on which a correction is made to go. [m]
const SOONEST: f32 = 0.1;

/// The frames between two runs, or before the first or after the last.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    pub frames: Range<usize>,
    /// The last frame of the run before, and the first of the run after.
    pub edges: [Option<usize>; 2],
}

impl Gap {
    /// The gap before the span of a number; for the number of all spans, that after the last.
    pub fn before<S: Span>(index: usize, spans: &[S], frames: usize) -> Self {
        let before = index
            .checked_sub(1)
            .map(|before| spans[before].frames().end);
        let after = spans.get(index).map(|after| after.frames().start);
        let (start, end) = (before.unwrap_or(0), after.unwrap_or(frames));
        Self {
            frames: start..end.max(start),
            edges: [before.map(|end| end - 1), after],
        }
    }

    /// The gap that has a frame which no span has.
    pub fn around<S: Span>(frame: usize, spans: &[S], frames: usize) -> Self {
        let index = spans.partition_point(|span| span.frames().end <= frame);
        Self::before(index, spans, frames)
    }

    /// How much is left at a frame of the corrections at both edges.
    pub fn weights(&self, leg: &LegTrack, frame: usize) -> [f32; 2] {
        self.weights_within(leg, frame, &(0..leg.len()))
    }

    /// The same, where both shall be gone by the ends of some frames, if these are long enough.
    pub fn weights_within(&self, leg: &LegTrack, frame: usize, within: &Range<usize>) -> [f32; 2] {
        let travelled = |from: usize, to: usize| (leg.travel[to] - leg.travel[from]).abs();
        let between = match self.edges {
            [Some(before), Some(after)] => travelled(before, after),
            _ => f32::INFINITY,
        };
        let ends = [within.end - 1, within.start];
        [0, 1].map(|side| match self.edges[side] {
            Some(edge) if within.len() > 1 => {
                let left = travelled(edge, ends[side]).max(SOONEST);
                let length = leg.fade.min(between).min(left);
                fade_by_travel(travelled(edge, frame), length)
            }
            _ => 0.0,
        })
    }
}

/// A rotation after two turns, each by its weight.
pub fn turned(rotation: Quat, turns: [Quat; 2], weights: [f32; 2]) -> Quat {
    let turn = |rotation: Quat, (turn, weight): (Quat, f32)| match weight > 0.0 {
        true => Quat::IDENTITY.slerp(turn, weight) * rotation,
        false => rotation,
    };
    turns.into_iter().zip(weights).fold(rotation, turn)
}

/// A place after two shifts, each by its weight.
pub fn shifted(place: Vec3, shifts: [Vec3; 2], weights: [f32; 2]) -> Vec3 {
    place + shifts[0] * weights[0] + shifts[1] * weights[1]
}

/// The turn from one rotation to another, the short way.
pub fn turn_between(from: Quat, to: Quat) -> Quat {
    let turn = to * from.inverse();
    if turn.w < 0.0 { -turn } else { turn }
}
