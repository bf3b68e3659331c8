//! Heels that rise earlier where a leg is too short for its stride, as people's do, before hips sink.
//!
//! While the ball of a foot is down, the foot may turn about it: the ankle comes nearer to the hip, and
//! toes stay where they are. By as much as the leg needs, up to a limit; what is left lowers the root. A leg
//! that is too short as its foot lands, down a stair, lands on its toes, which then stand still at once.

use afoot_core::Contacts;
use glam::{Quat, Vec3};

use super::height::Hips;
use super::swing::FootTrack;
use super::walk::Walk;
use crate::leg::REACH;
use crate::series::{averaged, largest_around, smooth_step};

/// Most that a heel is raised beyond the captured: feet are at 60 to 70° when they push off, and may go
/// on to a right angle. [rad]
const MOST: f32 = 0.45;
/// Raising begins this much before it is needed, and ends as much after. [s]
const AROUND: f64 = 0.1;
/// From this angle on a landing foot stands on its toes, heel in the air. [rad]
const ON_TOES: f32 = 0.15;
/// It begins to come to its place this much before it strikes. [s]
const LANDING: f64 = 0.1;
/// It begins to turn as it will lie this much before it strikes: earlier, and toes dip below edges. [s]
const TURNING: f64 = 0.067;

/// Turns feet about their balls where that brings ankles into reach.
pub(crate) fn roll_heels(walk: &Walk, tracks: &mut [FootTrack; 2], hips: &Hips, heights: &[f32]) {
    for (side, track) in tracks.iter_mut().enumerate() {
        let leg = &walk.legs[side];
        let hip = |frame: usize| hips[side][frame] + Vec3::Y * heights[frame];
        let ball = |track: &FootTrack, frame: usize| {
            let pose = &walk.poses[side][frame];
            let turn = track.foot[frame] * pose.foot.inverse();
            track.ankle[frame] + turn * (pose.ball - pose.ankle)
        };
        let needed = |frame: usize| {
            let down = walk.clip.contacts[frame].any(Contacts::ball(leg.side));
            if !(down && track.planted[frame]) {
                return 0.0;
            }
            let most = (leg.length() * REACH).max(walk.poses[side][frame].span());
            let at = ball(track, frame);
            angle_to_reach(track.ankle[frame] - at, hip(frame) - at, most).clamp(0.0, MOST)
        };
        let mut needed: Vec<f32> = (0..walk.clip.len()).map(needed).collect();
        if needed.iter().all(|angle| *angle <= 0.0) {
            continue;
        }
        let lands = landings(walk, side, track);
        for (frame, land) in lands.iter().enumerate() {
            if let Some(land) = land.as_ref().filter(|_| track.planted[frame]) {
                needed[frame] = needed[land.flat];
            }
        }
        let half = walk.clip.rate.frames_in(0.5 * AROUND).max(1);
        let angles = averaged(&averaged(&largest_around(&needed, 2 * half), half), half);
        for (frame, angle) in angles.into_iter().enumerate().filter(|(_, a)| *a > 1e-4) {
            if let Some(Landing { flat, shares }) = lands[frame] {
                let on_toes = smooth_step(needed[flat] / ON_TOES);
                track.lay_flat(frame, flat, shares.map(|share| share * on_toes));
            }
            let at = ball(track, frame);
            let (arm, to_hip) = (track.ankle[frame] - at, hip(frame) - at);
            if let Some(axis) = arm.cross(to_hip).try_normalize() {
                let turn = Quat::from_axis_angle(axis, angle);
                track.ankle[frame] = at + turn * arm;
                track.foot[frame] = (turn * track.foot[frame]).normalize();
            }
        }
    }
}

/// A frame about a landing whose ball is not down yet.
#[derive(Clone, Copy)]
struct Landing {
    /// The first frame in which it is.
    flat: usize,
    /// How much a foot that lands on its toes is at its place already, and turned as it will lie. [0 to 1]
    shares: [f32; 2],
}

impl FootTrack {
    /// Brings a foot to where it is in another frame, and turns it so, as far as told. [0 to 1]
    fn lay_flat(&mut self, frame: usize, flat: usize, [placed, turned]: [f32; 2]) {
        self.ankle[frame] = self.ankle[frame].lerp(self.ankle[flat], placed);
        self.foot[frame] = self.foot[frame].slerp(self.foot[flat], turned);
        self.toes[frame] = self.toes[frame].slerp(self.toes[flat], turned);
    }
}

/// The frames about each landing.
fn landings(walk: &Walk, side: usize, track: &FootTrack) -> Vec<Option<Landing>> {
    let part = Contacts::ball(walk.legs[side].side);
    let before = [LANDING, TURNING].map(|seconds| walk.clip.rate.frames_in(seconds).max(1));
    let mut lands = vec![None; track.planted.len()];
    for strike in 1..track.planted.len() {
        if track.planted[strike - 1] || !track.planted[strike] {
            continue;
        }
        let mut stands = (strike..track.planted.len()).take_while(|frame| track.planted[*frame]);
        let Some(flat) = stands.find(|frame| walk.clip.contacts[*frame].any(part)) else {
            continue;
        };
        let first = strike.saturating_sub(before[0].max(before[1]));
        for (lands, frame) in lands[first..flat].iter_mut().zip(first..) {
            let early = strike.saturating_sub(frame) as f32;
            let shares = before.map(|before| smooth_step(1.0 - early / (before + 1) as f32));
            *lands = Some(Landing { flat, shares });
        }
    }
    lands
}

/// How far an arm has to turn towards a point for its end to be no farther from it than `most`; all the
/// way where that does not do.
fn angle_to_reach(arm: Vec3, to: Vec3, most: f32) -> f32 {
    if arm.distance(to) <= most {
        return 0.0;
    }
    let (short, long) = (arm.length(), to.length());
    let between = arm.angle_between(to);
    let cosine = (short * short + long * long - most * most) / (2.0 * short * long).max(1e-9);
    between - cosine.clamp(-1.0, 1.0).acos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arm_turns_just_as_far_as_it_has_to() {
        let (arm, to) = (Vec3::new(0.0, 0.05, -0.14), Vec3::new(0.0, 0.8, 0.3));
        let most = arm.distance(to) - 0.03;
        let angle = angle_to_reach(arm, to, most);
        let axis = arm.cross(to).normalize();
        let turned = Quat::from_axis_angle(axis, angle) * arm;
        assert!((turned.distance(to) - most).abs() < 1e-4, "{angle}");
        assert_eq!(angle_to_reach(arm, to, 2.0), 0.0);
    }
}
