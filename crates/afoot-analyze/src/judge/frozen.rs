//! Legs that keep their pose while the body carries their feet along, as where capture lost a leg.

use std::ops::Range;

use afoot_core::{Clip, FrameId, Leg, Positions, Side};

use super::moments::Worst;
use crate::series::runs;
use crate::speed::size;

/// Slowest that a foot moves if its leg must: people who stand sway at a third of that. [m/s, of an adult]
const CARRIED: f32 = 0.1;
/// Fastest that a joint of a frozen leg turns: a hundredth of what hips and knees do in a walk, where
/// all three joints of a leg are never this slow at once for two frames. [rad/s]
const STILL: f32 = 0.05;

/// The longest time, of those that start in `counted`, in which hip, knee and ankle of a leg keep
/// their angles while the foot moves, and its first frame; 0 if there is none, `None` without legs. [s]
pub(super) fn longest_freeze(
    clip: &Clip,
    positions: &Positions,
    counted: &Range<usize>,
) -> Option<Worst> {
    let legs: Vec<Leg> = Side::BOTH
        .into_iter()
        .filter_map(|side| clip.skeleton.leg(side))
        .collect();
    if legs.is_empty() {
        return None;
    }
    let slowest = CARRIED * size(clip).sqrt() * clip.rate.frame_time() as f32;
    let longest = |leg: &Leg| {
        let ankle = |frame: usize| positions.joint(FrameId::from(frame), leg.ankle);
        let carried = |frame: usize| ankle(frame).distance(ankle(frame + 1)) > slowest;
        let frozen = |frame: usize| carried(frame) && keeps_pose(clip, leg, frame);
        runs(clip.len().saturating_sub(1), frozen)
            .into_iter()
            .filter(|run| counted.contains(&run.start))
            .max_by_key(|run| run.len())
            .unwrap_or(counted.start..counted.start)
    };
    let run = legs.iter().map(longest).max_by_key(|run| run.len())?;
    Some(Worst {
        value: run.len() as f64 * clip.rate.frame_time(),
        frame: run.start as u64,
    })
}

/// Whether the leg has the same pose in the next frame.
fn keeps_pose(clip: &Clip, leg: &Leg, frame: usize) -> bool {
    let most = STILL * clip.rate.frame_time() as f32;
    [leg.hip, leg.knee, leg.ankle].into_iter().all(|joint| {
        let at = |frame: usize| clip.rotation(FrameId::from(frame), joint);
        let turn = at(frame).conjugate() * at(frame + 1);
        2.0 * turn.xyz().length() < most
    })
}
