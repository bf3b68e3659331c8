//! Toes stay flat on the floor while the foot rolls over them.
//!
//! While the ball is held, the toes keep the tilt they had when it stood stillest, and turn about the
//! vertical with the foot; after it has left, they point to where the tip was as long as that was
//! slow. Around this the turn it took fades. Last, the tips are kept above the floor: no lower than
//! they lie in the plants.

use std::ops::Range;

use afoot_core::yaw_of;
use glam::{Quat, Vec3};

use super::contact_runs::speeds;
use super::foot_path::{FootPath, around, lift_out, shortest};
use super::legs::LegTrack;
use super::pins::{Pin, ball_in_foot, pitch_to};
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
    let speed = speeds(&leg.ball, timing.fps);
    let rests: Vec<Quat> = pins
        .iter()
        .map(|pin| lay_flat(path, leg, pin, &speed))
        .collect();
    let mut runs: Vec<Range<usize>> = pins.iter().map(|pin| pin.frames.clone()).collect();
    if let Some(tip) = leg.tip {
        keep_tips(path, leg, (tip, timing), &mut runs);
    }
    fade_turns(path, leg, &runs);
    let (Some(tip), false) = (leg.tip, rests.is_empty()) else {
        return;
    };
    let lowest = rests.iter().map(|rest| (*rest * tip).y).fold(0.0, f32::min);
    let rest = floor.rest[leg.side.index()].ball + lowest;
    for frame in 0..leg.len() {
        let to_tip = path.toe[frame] * tip;
        let at = ball_of(path, leg, frame) + to_tip;
        let lift = lift_out((floor.height)(at.x, at.z) + rest - at.y, options.floor_give);
        if lift > 0.0 {
            path.toe[frame] = pitch_to(to_tip, to_tip.y + lift) * path.toe[frame];
        }
    }
}

/// Gives the toes of a held ball the tilt they have when it is stillest; returns that.
fn lay_flat(path: &mut FootPath, leg: &LegTrack, pin: &Pin, speed: &[f32]) -> Quat {
    let stillest = pin
        .frames
        .clone()
        .min_by(|a, b| speed[*a].total_cmp(&speed[*b]));
    let still = stillest.unwrap_or(pin.frames.start);
    let (toe, foot) = (leg.toe[still], path.foot[still].inverse());
    for frame in pin.frames.clone() {
        let turned = yaw_of(path.foot[frame] * foot);
        path.toe[frame] = Quat::from_rotation_y(turned) * toe;
    }
    toe
}

/// Frames after the ball has left in which its tip may still touch. [s]
const TIP_TIME: f32 = 0.14;
/// Fastest that a tip moves while it does. [m/s]
const TIP_SPEED: f32 = 0.6;

/// The tip leaves last: toes point to where it was while it was slow. Lengthens the runs by that.
fn keep_tips(
    path: &mut FootPath,
    leg: &LegTrack,
    (tip, timing): (Vec3, &Timing),
    runs: &mut [Range<usize>],
) {
    let most = (TIP_TIME * timing.fps) as usize;
    let ends: Vec<usize> = runs
        .iter()
        .skip(1)
        .map(|run| run.start)
        .chain([leg.len()])
        .collect();
    let tip_at = |frame: usize| leg.ball[frame] + leg.toe[frame] * tip;
    let slow = |f: usize| tip_at(f).distance(tip_at(f - 1)) * timing.fps < TIP_SPEED;
    for (run, end) in runs.iter_mut().zip(ends) {
        let last = run.end - 1;
        let pinned = ball_of(path, leg, last) + path.toe[last] * tip;
        for frame in (run.end..end.min(run.end + most)).take_while(|frame| slow(*frame)) {
            let to_tip = path.toe[last] * tip;
            let Some(ahead) = (pinned - ball_of(path, leg, frame)).try_normalize() else {
                break;
            };
            let turn = Quat::from_rotation_arc(to_tip.normalize(), ahead);
            path.toe[frame] = turn * path.toe[last];
            run.end = frame + 1;
        }
    }
}

fn ball_of(path: &FootPath, leg: &LegTrack, frame: usize) -> Vec3 {
    path.ankle[frame] + path.foot[frame] * ball_in_foot(leg, frame)
}

fn fade_turns(path: &mut FootPath, leg: &LegTrack, runs: &[Range<usize>]) {
    for index in 0..runs.len() {
        for beside in around(runs, index, leg.len()) {
            let turn = shortest(path.toe[beside.edge] * leg.toe[beside.edge].inverse());
            for (frame, weight) in beside.fading(leg) {
                path.toe[frame] = Quat::IDENTITY.slerp(turn, weight) * path.toe[frame];
            }
        }
    }
    debug_assert!(path.toe.iter().all(|toe| (*toe * Vec3::X).is_finite()));
}
