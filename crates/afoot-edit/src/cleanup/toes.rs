//! Toes stay flat on the floor while the foot rolls over them.
//!
//! While the ball is held, the toes keep the tilt they had when it stood stillest, and turn about the
//! vertical with the foot. Around it the turn this took fades. Last, the tips are kept above the
//! floor: no lower than they lie in the plants.

use std::ops::Range;

use afoot_core::yaw_of;
use glam::{Quat, Vec3};

use super::contact_runs::speeds;
use super::foot_path::{FootPath, around, fading, lift_out, shortest};
use super::legs::LegTrack;
use super::pins::{Pin, ball_in_foot, pitch_to};
use super::ramp::Softness;
use super::{CleanupOptions, Floor, Timing};

/// Plans the toes of a foot whose ankle and rotation are planned.
pub fn plan_toes(
    path: &mut FootPath,
    leg: &LegTrack,
    pins: &[Pin],
    (floor, options, timing): (&Floor, &CleanupOptions, &Timing),
) {
    if !leg.has_ball {
        return;
    }
    let rests = lay_flat(path, leg, pins, timing);
    fade_turns(path, leg, pins, timing.turn);
    let (Some(tip), false) = (leg.tip, rests.is_empty()) else {
        return;
    };
    let lowest = rests.iter().map(|rest| (*rest * tip).y).fold(0.0, f32::min);
    let rest = floor.rest[leg.side.index()].ball + lowest;
    for frame in 0..leg.len() {
        let ball = path.ankle[frame] + path.foot[frame] * ball_in_foot(leg, frame);
        let to_tip = path.toe[frame] * tip;
        let at = ball + to_tip;
        let lift = lift_out((floor.height)(at.x, at.z) + rest - at.y, options.floor_give);
        if lift > 0.0 {
            path.toe[frame] = pitch_to(to_tip, to_tip.y + lift) * path.toe[frame];
        }
    }
}

/// Gives the toes of held balls one tilt each; returns these rotations.
fn lay_flat(path: &mut FootPath, leg: &LegTrack, pins: &[Pin], timing: &Timing) -> Vec<Quat> {
    let speed = speeds(&leg.ball, timing.fps);
    let stillest = |pin: &Pin| {
        pin.frames
            .clone()
            .min_by(|a, b| speed[*a].total_cmp(&speed[*b]))
    };
    let mut rests = Vec::with_capacity(pins.len());
    for pin in pins {
        let Some(still) = stillest(pin) else { continue };
        let (toe, foot) = (leg.toe[still], path.foot[still].inverse());
        for frame in pin.frames.clone() {
            let turned = yaw_of(path.foot[frame] * foot);
            path.toe[frame] = Quat::from_rotation_y(turned) * toe;
        }
        rests.push(toe);
    }
    rests
}

fn fade_turns(path: &mut FootPath, leg: &LegTrack, pins: &[Pin], fade: usize) {
    let runs: Vec<Range<usize>> = pins.iter().map(|pin| pin.frames.clone()).collect();
    for index in 0..runs.len() {
        for (frames, edge) in around(&runs, index, leg.len()) {
            let turn = shortest(path.toe[edge] * leg.toe[edge].inverse());
            for (frame, weight) in fading(frames, edge, (fade, Softness::Sharp)) {
                path.toe[frame] = Quat::IDENTITY.slerp(turn, weight) * path.toe[frame];
            }
        }
    }
    debug_assert!(path.toe.iter().all(|toe| (*toe * Vec3::X).is_finite()));
}
