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
use super::foot_path::{FootPath, lift_out};
use super::gaps::{Gap, turn_between, turned};
use super::legs::LegTrack;
use super::pins::{Pin, ball_in_foot, pitch_to};
use super::{CleanupOptions, Floor, Timing};

/// The world rotations of the toes of a foot whose path is planned, a frame each.
pub fn plan_toes(
    path: &FootPath,
    leg: &LegTrack,
    pins: &[Pin],
    (floor, options, timing): (&Floor, &CleanupOptions, &Timing),
) -> Vec<Quat> {
    let mut toes = leg.toe.clone();
    if !leg.has_ball {
        return toes;
    }
    let speed = speeds(&leg.ball, timing.fps);
    let rests: Vec<Quat> = pins
        .iter()
        .map(|pin| lay_flat(&mut toes, (path, leg), &pin.run.frames, &speed))
        .collect();
    let mut runs: Vec<Range<usize>> = pins.iter().map(|pin| pin.run.frames.clone()).collect();
    if let Some(tip) = leg.tip {
        keep_tips(&mut toes, (path, leg), (tip, timing), &mut runs);
    }
    fade_turns(&mut toes, leg, &runs);
    let (Some(tip), false) = (leg.tip, rests.is_empty()) else {
        return toes;
    };
    let lowest = rests.iter().map(|rest| (*rest * tip).y).fold(0.0, f32::min);
    let rest = floor.rest[leg.side.index()].ball + lowest;
    for (frame, toe) in toes.iter_mut().enumerate() {
        let to_tip = *toe * tip;
        let at = ball_of(path, leg, frame) + to_tip;
        let lift = lift_out((floor.height)(at.x, at.z) + rest - at.y, options.floor_give);
        if lift > 0.0 {
            *toe = pitch_to(to_tip, to_tip.y + lift) * *toe;
        }
    }
    toes
}

/// Gives the toes of a held ball the tilt they have when it is stillest; returns that.
fn lay_flat(
    toes: &mut [Quat],
    (path, leg): (&FootPath, &LegTrack),
    held: &Range<usize>,
    speed: &[f32],
) -> Quat {
    let stillest = held
        .clone()
        .min_by(|a, b| speed[*a].total_cmp(&speed[*b]))
        .unwrap_or(held.start);
    let (toe, foot) = (leg.toe[stillest], path.foot[stillest].inverse());
    for frame in held.clone() {
        let turned = yaw_of(path.foot[frame] * foot);
        toes[frame] = Quat::from_rotation_y(turned) * toe;
    }
    toe
}

/// Frames after the ball has left in which its tip may still touch. [s]
const TIP_TIME: f32 = 0.14;
/// Fastest that a tip moves while it does. [m/s]
const TIP_SPEED: f32 = 0.6;

/// The tip leaves last: toes point to where it was while it was slow. Lengthens the runs by that.
fn keep_tips(
    toes: &mut [Quat],
    (path, leg): (&FootPath, &LegTrack),
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
        let pinned = ball_of(path, leg, last) + toes[last] * tip;
        for frame in (run.end..end.min(run.end + most)).take_while(|frame| slow(*frame)) {
            let to_tip = toes[last] * tip;
            let Some(ahead) = (pinned - ball_of(path, leg, frame)).try_normalize() else {
                break;
            };
            let turn = Quat::from_rotation_arc(to_tip.normalize(), ahead);
            toes[frame] = turn * toes[last];
            run.end = frame + 1;
        }
    }
}

fn ball_of(path: &FootPath, leg: &LegTrack, frame: usize) -> Vec3 {
    path.ankle[frame] + path.foot[frame] * ball_in_foot(leg, frame)
}

fn fade_turns(toes: &mut [Quat], leg: &LegTrack, runs: &[Range<usize>]) {
    for index in 0..=runs.len() {
        let gap = Gap::before(index, runs, leg.len());
        let turn = |edge: usize| turn_between(leg.toe[edge], toes[edge]);
        let turns = gap.edges.map(|edge| edge.map_or(Quat::IDENTITY, turn));
        for frame in gap.frames.clone() {
            toes[frame] = turned(toes[frame], turns, gap.weights(leg, frame));
        }
    }
    debug_assert!(toes.iter().all(|toe| (*toe * Vec3::X).is_finite()));
}
