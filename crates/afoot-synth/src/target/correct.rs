//! The last centimetres: what the approach is off by, spread over its last metres.
//!
//! The heading first: every step is turned a little more than the one before, which leads to another
//! place; then the place, by a shift that grows likewise. Both grow with the travel, softly, over as
//! many metres as the budget (Reitsma and Pollard 2004, eq. 3) asks for. Frames of the clip that is
//! reached are carried as a whole.

use afoot_core::wrap_angle;

use crate::warp::{Warp, WarpOptions};

/// Travel over which a correction is spread at the least. [m]
const SHORTEST: f64 = 3.0;
/// Steepest slope of the soft step, over its length.
const STEEPEST: f64 = 1.5;

/// Where a motion is to be, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Arrival {
    /// The frame from which on all are carried as a whole.
    pub approach: usize,
    /// The frame that is to be there.
    pub at: usize,
    /// The root's heading at it, as it is. [rad]
    pub yaw: f64,
    /// Where it is to be. [m]
    pub place: [f64; 2],
    /// Where it is to face, if that matters. [rad]
    pub heading: Option<f64>,
}

/// The warp that brings a motion there. What the budget does not allow is left.
pub(crate) fn correction(trace: &[[f64; 2]], arrival: &Arrival, budget: &WarpOptions) -> Warp {
    let &Arrival { at, place, .. } = arrival;
    let travelled = travel(&trace[..=arrival.approach.min(trace.len() - 1)]);
    let all = travelled[travelled.len() - 1];
    let heading = arrival.heading.unwrap_or(arrival.yaw);
    let turn = wrap_angle(heading - arrival.yaw);
    // Half of the budget's square each, since eq. 3 is an ellipsoid over shift and turn.
    let half = std::f64::consts::FRAC_1_SQRT_2 / STEEPEST;
    let mut span = (turn.abs() / (half * budget.turn)).max(SHORTEST).min(all);
    loop {
        let share = shares(&travelled, span, trace.len());
        let turn = turn * allowed(half * budget.turn * span, turn.abs());
        let turned = turned_trace(trace, &share, turn);
        let off = [place[0] - turned[at][0], place[1] - turned[at][1]];
        let wanted = off[0].hypot(off[1]);
        let part = allowed(half * budget.shift * span, wanted);
        if part >= 1.0 || span >= all {
            let shift = |f: usize| {
                let of =
                    |axis: usize| turned[f][axis] + part * share[f] * off[axis] - trace[f][axis];
                [of(0), of(1)]
            };
            let shifts = (0..trace.len()).map(shift).collect();
            let turns = share.iter().map(|share| [turn * share, 0.0]).collect();
            return Warp::of(shifts, turns);
        }
        span = (span * 1.25).min(all);
    }
}

/// The share of `wanted` that may be had.
fn allowed(most: f64, wanted: f64) -> f64 {
    if wanted <= most { 1.0 } else { most / wanted }
}

/// How far the root has come at each point. [m]
fn travel(trace: &[[f64; 2]]) -> Vec<f64> {
    crate::path::arc_lengths(trace)
}

/// 0 up to `span` before the end of the approach, then softly up to 1, and 1 for all frames after.
fn shares(travelled: &[f64], span: f64, frames: usize) -> Vec<f64> {
    let end = travelled[travelled.len() - 1];
    let soft = |travelled: &f64| {
        let share = (1.0 - (end - travelled) / span.max(1e-9)).clamp(0.0, 1.0);
        share * share * (3.0 - 2.0 * share)
    };
    let mut shares: Vec<f64> = travelled.iter().map(soft).collect();
    shares.resize(frames, 1.0);
    shares
}

/// The trace with every step turned by its share of `turn`.
fn turned_trace(trace: &[[f64; 2]], share: &[f64], turn: f64) -> Vec<[f64; 2]> {
    let mut at = trace[0];
    let mut turned = vec![at];
    for (frame, pair) in trace.windows(2).enumerate() {
        let (sin, cos) = (turn * share[frame]).sin_cos();
        let (x, z) = (pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]);
        at = [at[0] + x * cos + z * sin, at[1] + z * cos - x * sin];
        turned.push(at);
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::*;
    use afoot_core::{Clip, FrameId, FrameRate, Joint, Quat, Skeleton, Vec3};
    use std::sync::Arc;

    /// A root that goes along z, 4 cm a frame.
    fn straight(frames: usize) -> Clip {
        let root = Joint::new("root", None, Vec3::ZERO);
        let skeleton = Arc::new(Skeleton::new(vec![root], Vec::new()).unwrap());
        let mut clip = Clip::empty("straight", skeleton, FrameRate::FPS_30);
        for frame in 0..frames {
            clip.root.push(Vec3::new(0.0, 0.9, 0.04 * frame as f32));
            clip.rotations.push(Quat::IDENTITY);
        }
        clip
    }

    #[test]
    fn the_place_and_heading_are_met_and_the_clip_stays_as_it_was() {
        let mut clip = straight(260);
        let before = clip.clone();
        let trace: Vec<[f64; 2]> = (0..260).map(|f| [0.0, 0.04 * f64::from(f)]).collect();
        let (place, heading) = ([0.3, 8.1], 0.2);
        let arrival = Arrival {
            approach: 200,
            at: 210,
            yaw: 0.0,
            place,
            heading: Some(heading),
        };
        correction(&trace, &arrival, &WarpOptions::default()).apply(&mut clip, 0);
        let met = clip.placement(FrameId(210));
        assert!((met.x - 0.3).hypot(met.z - 8.1) < 1e-4, "{met:?}");
        assert!((met.yaw - 0.2).abs() < 1e-5, "{met:?}");
        assert_eq!(clip.root[0], before.root[0]);
        for frame in 201..260 {
            let step = clip.root[frame] - clip.root[frame - 1];
            assert!((step.length() - 0.04).abs() < 1e-4, "frame {frame}: {step}");
            assert!((clip.placement(FrameId(frame as u32)).yaw - 0.2).abs() < 1e-5);
        }
    }

    #[test]
    fn the_budget_is_kept_where_it_does_not_suffice() {
        let mut clip = straight(60);
        let before = clip.clone();
        let trace: Vec<[f64; 2]> = (0..60).map(|f| [0.0, 0.04 * f64::from(f)]).collect();
        let options = WarpOptions::default();
        let arrival = Arrival {
            approach: 50,
            at: 50,
            yaw: 0.0,
            place: [2.0, 2.0],
            heading: Some(1.5),
        };
        correction(&trace, &arrival, &options).apply(&mut clip, 0);
        for frame in 1..60 {
            let yaw = |f: usize| clip.placement(FrameId(f as u32)).yaw;
            assert!((yaw(frame) - yaw(frame - 1)).abs() <= 0.04 * options.turn + 1e-6);
            let step = (clip.root[frame] - clip.root[frame - 1]).length();
            let own = (before.root[frame] - before.root[frame - 1]).length();
            assert!(
                f64::from((step - own).abs()) <= 0.04 * options.shift + 1e-5,
                "{step}"
            );
        }
    }
}
