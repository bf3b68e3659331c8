//! The least time in which any walk through the graph comes to move in a given direction.
//!
//! Shortest paths over (node, direction), to the first frame whose movement is near enough. It is
//! what the data and the graph allow a figure that is not turned itself; a controller that pivots
//! and leaves transitions early may do better. Directions are whole steps of 3 degrees. Movement is
//! taken as `Movement` says; where it reaches back beyond an edge, along the clip that is left.
//! Cost: a few passes over all edges and directions.

use std::f64::consts::TAU;

use afoot_core::{FrameId, wrap_angle};
use afoot_graph::{Edge, NodeId, Place};
use rayon::prelude::*;

use crate::edges::Edges;

/// Directions told apart.
const STEPS: usize = 120;
/// Never, in frames.
const NEVER: u32 = u32::MAX / 2;

/// What counts as moving in a direction: the root's displacement over a while.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Movement {
    /// How long a while. [frames, ≥ 1]
    pub(super) span: usize,
    /// Shorter is standing. [m]
    pub(super) least: f64,
    /// How near the direction. [rad]
    pub(super) within: f64,
}

impl Movement {
    /// Whether the last of `trace` moves towards `direction`.
    pub(super) fn reaches(&self, trace: &[[f64; 2]], direction: f64) -> bool {
        let heading = self.heading(trace);
        heading.is_some_and(|yaw| wrap_angle(yaw - direction).abs() <= self.within)
    }

    fn heading(&self, trace: &[[f64; 2]]) -> Option<f64> {
        let last = trace.last()?;
        let before = trace[trace.len().checked_sub(self.span + 1)?];
        let (x, z) = (last[0] - before[0], last[1] - before[1]);
        (x.hypot(z) > self.least).then(|| x.atan2(z))
    }
}

/// Frames until a walk can move in each direction, by node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LeastTimes {
    frames: Vec<[u32; STEPS]>,
}

/// An edge: the first frame that moves in each direction, if any, and its turn in steps.
struct Step {
    first: [u32; STEPS],
    turn: usize,
}

impl LeastTimes {
    pub(super) fn new(repertoire: &impl Edges, movement: &Movement) -> Self {
        let layout = repertoire.layout();
        let edges = layout.edges.par_iter();
        let steps: Vec<Step> = edges.map(|edge| step(repertoire, edge, movement)).collect();
        let mut frames = vec![[NEVER; STEPS]; layout.places.len()];
        let mut changed = true;
        while std::mem::take(&mut changed) {
            // Backwards: a play edge leads to the next node, whose times are then new already.
            for node in (0..frames.len()).rev() {
                let mut least = frames[node];
                for (id, edge) in repertoire.edges_from(NodeId(node as u32)) {
                    let (step, length) = (&steps[id.0 as usize], repertoire.frames(edge));
                    let next = &frames[edge.to.0 as usize];
                    for (direction, least) in least.iter_mut().enumerate() {
                        let later = next[(direction + STEPS - step.turn) % STEPS] + length;
                        *least = (*least).min(step.first[direction].min(later));
                    }
                }
                changed |= least != frames[node];
                frames[node] = least;
            }
        }
        Self { frames }
    }

    /// Frames from a node until a walk can move towards `direction`, a yaw in its clip's
    /// coordinates [rad]; `None` if never.
    pub(super) fn frames(&self, node: NodeId, direction: f64) -> Option<u32> {
        let frames = self.frames[node.0 as usize][nearest_step(direction)];
        (frames < NEVER).then_some(frames)
    }
}

fn step(repertoire: &impl Edges, edge: &Edge, movement: &Movement) -> Step {
    let mut trace = positions_before(repertoire, edge.from, movement.span);
    let before = trace.len();
    let own = repertoire.trace(edge).points.iter();
    trace.extend(own.map(|point| point.map(f64::from)));
    let mut first = [NEVER; STEPS];
    for frame in before..trace.len() {
        let Some(yaw) = movement.heading(&trace[..=frame]) else {
            continue;
        };
        for (direction, first) in first.iter_mut().enumerate() {
            let off = wrap_angle(direction as f64 * TAU / STEPS as f64 - yaw);
            if off.abs() <= movement.within {
                // The node's own frame is shown after one frame's time.
                *first = (*first).min((frame - before) as u32 + 1);
            }
        }
    }
    Step {
        first,
        turn: nearest_step(repertoire.turn(edge)),
    }
}

/// The root's places in its clip just before a node.
fn positions_before(repertoire: &impl Edges, node: NodeId, frames: usize) -> Vec<[f64; 2]> {
    let place = repertoire.layout().places[node.0 as usize];
    let count = frames.min(place.frame.index());
    let frame = FrameId(place.frame.0 - count as u32);
    let last = repertoire.along(Place { frame, ..place }, count).points;
    last.iter().map(|point| point.map(f64::from)).collect()
}

fn nearest_step(angle: f64) -> usize {
    (angle * STEPS as f64 / TAU)
        .round()
        .rem_euclid(STEPS as f64) as usize
        % STEPS
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {

    use afoot_core::Clip;
    use afoot_graph::{GraphOptions, build_graph};
    use afoot_sample::{SampleOptions, sample_library};

    use super::*;
    use crate::repertoire::Repertoire;

    fn small() -> Repertoire {
        let mut clips: Vec<Clip> = sample_library(&SampleOptions::default());
        let names = ["walk", "walk_turn_left", "walk_turn_right"];
        clips.retain(|clip| names.contains(&clip.name.as_str()));
        let options = GraphOptions {
            threshold_cm: 6.0,
            minimum_clip: 0.3,
            ..GraphOptions::default()
        };
        let built = build_graph(&clips, &options, &afoot_run::Run::quiet());
        Repertoire::new(built.unwrap().0, &clips).unwrap()
    }

    /// Frames until any walk moves as wanted, by trying them all; `NEVER` after `left` frames.
    fn slow(
        repertoire: &Repertoire,
        movement: &Movement,
        (node, direction): (NodeId, f64),
        left: u32,
    ) -> u32 {
        let mut least = NEVER;
        for (_, edge) in repertoire.edges_from(node) {
            let mut trace = positions_before(repertoire, node, movement.span);
            let before = trace.len();
            let own = repertoire.trace(edge).points.iter();
            trace.extend(own.map(|point| point.map(f64::from)));
            let mut frames = before..trace.len();
            let hit = frames.find(|&frame| movement.reaches(&trace[..=frame], direction));
            let length = repertoire.graph().edge_frames(edge);
            least = least.min(match hit {
                Some(frame) => (frame - before) as u32 + 1,
                None if length >= left => NEVER,
                None => {
                    let next = (edge.to, direction - repertoire.turn(edge));
                    length + slow(repertoire, movement, next, left - length)
                }
            });
        }
        least.min(NEVER)
    }

    #[test]
    fn agrees_with_trying_all_walks() {
        let repertoire = small();
        let movement = Movement {
            span: 3,
            least: 0.025,
            within: 30f64.to_radians(),
        };
        let least = LeastTimes::new(&repertoire, &movement);
        let (mut found, rounding) = (0, 5f64.to_radians());
        for node in (0..repertoire.graph().nodes.len() as u32).map(NodeId) {
            for direction in [-1.2, -0.9, -0.6, 0.6, 0.9, 1.2] {
                let frames = least.frames(node, direction).unwrap_or(NEVER);
                let nearly = |within: f64| {
                    let movement = Movement { within, ..movement };
                    slow(&repertoire, &movement, (node, direction), 60)
                };
                let (easy, hard) = (
                    nearly(movement.within + rounding),
                    nearly(movement.within - rounding),
                );
                assert!(easy == NEVER || frames >= easy, "{frames}, {easy} at least");
                assert!(frames <= hard, "{frames}, {hard} at most");
                found += u32::from(hard < NEVER && frames > 10);
            }
        }
        assert!(found >= 20, "{found} states that take several edges");
    }
}
