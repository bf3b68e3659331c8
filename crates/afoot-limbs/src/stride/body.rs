//! The body on its feet: led ahead, carried by the legs, lowered where these are short, and written.

use afoot_core::{Clip, Contacts, Side};
use glam::{Quat, Vec3};

use super::apart::keep_apart;
use super::height::{Hips, lowering, pendulum};
use super::plan::Plan;
use super::report::{LegsAsked, StrideReport};
use super::roll::roll_heels;
use super::swing::FootTrack;
use super::walk::Walk;
use crate::leg::{FootGoal, REACH};

/// How far the body may lead its feet beyond the captured. [m]
const LEADS: [f32; 4] = [0.03, 0.06, 0.09, 0.12];
/// What a lead has to gain. [m]
const LEAST_GAIN: f32 = 0.003;
/// Hips that would sink by less need no lead. [m]
const LEAST_LEAN: f32 = 0.01;

/// A body carried by its feet.
pub(super) struct Carried {
    pub tracks: [FootTrack; 2],
    pub body: Body,
    /// Most that it is lowered so that legs reach. [m]
    pub lowered: f32,
    pub asked: LegsAsked,
}

impl Carried {
    /// Whoever takes longer steps leans into them: the least lead that lets the hips sink least.
    pub fn with_least_sinking(plan: &Plan, lift: f32) -> Self {
        let mut best = Self::of(plan, lift, 0.0);
        for lead in LEADS {
            // A lead moves the rest at both ends alike, and a distance that one of them alone ends.
            let one_end = (plan.ease[0] > 0) != (plan.ease[1] > 0);
            if best.lowered < LEAST_LEAN || plan.is_exact || one_end {
                break;
            }
            let other = Self::of(plan, lift, lead);
            if other.lowered < best.lowered - LEAST_GAIN {
                best = other;
            }
        }
        best
    }

    fn of(plan: &Plan, lift: f32, lead: f32) -> Self {
        let walk = plan.walk;
        let mut tracks = plan.feet(lift, lead);
        let (root, yaws) = plan.root();
        if yaws.iter().any(|yaw| *yaw != 0.0) {
            keep_apart(walk, &yaws, &mut tracks);
        }
        let hips = carried_hips(walk, &root, &yaws);
        let mut heights = pendulum(walk, &tracks, &hips);
        let asked = asked_of_legs(walk, &tracks, &hips, &heights);
        roll_heels(walk, &mut tracks, &hips, &heights);
        let lowered = lowering(walk, &tracks, &hips, &heights);
        heights
            .iter_mut()
            .zip(&lowered)
            .for_each(|(height, by)| *height -= by);
        Self {
            tracks,
            body: Body {
                root,
                yaws,
                heights,
            },
            lowered: lowered.into_iter().fold(0.0, f32::max),
            asked,
        }
    }
}

/// What becomes of the body: root, turn and what the legs add to its height, a frame each.
pub(super) struct Body {
    root: Vec<Vec3>,
    yaws: Vec<f32>,
    pub heights: Vec<f32>,
}

impl Carried {
    /// Where the hips are before they are raised. [m]
    pub(super) fn hips(&self, walk: &Walk) -> Hips {
        carried_hips(walk, &self.body.root, &self.body.yaws)
    }

    pub(super) fn yaws(&self) -> &[f32] {
        &self.body.yaws
    }

    pub(super) fn heights(&self) -> &[f32] {
        &self.body.heights
    }

    pub(super) fn root_at(&self, frame: usize) -> Vec3 {
        self.body.root[frame]
    }

    /// Height of the root. [m]
    pub(super) fn height_at(&self, frame: usize) -> f32 {
        self.body.root[frame].y + self.body.heights[frame]
    }

    /// Moves the body over the ground, and up.
    pub(super) fn shift(&mut self, frame: usize, by: Vec3, up: f32) {
        self.body.root[frame] += by;
        self.body.heights[frame] += up;
    }

    /// Lowers the body where a leg would be longer than it is.
    pub(super) fn lower(&mut self, walk: &Walk) {
        let lowered = lowering(walk, &self.tracks, &self.hips(walk), &self.body.heights);
        let heights = self.body.heights.iter_mut().zip(&lowered);
        heights.for_each(|(height, by)| *height -= by);
    }
}

/// Where the hips go with the root. [m]
pub(super) fn carried_hips(walk: &Walk, root: &[Vec3], yaws: &[f32]) -> Hips {
    [0, 1].map(|side| {
        let poses = walk.poses[side].iter().enumerate();
        poses
            .map(|(frame, pose)| {
                let away = pose.hip - walk.clip.root[frame];
                root[frame] + Quat::from_rotation_y(yaws[frame]) * away
            })
            .collect()
    })
}

/// What feet and pendulums ask of hips and knees, against the captured ones.
fn asked_of_legs(walk: &Walk, tracks: &[FootTrack; 2], hips: &Hips, heights: &[f32]) -> LegsAsked {
    let knee = |side: usize, frame: usize| {
        let (leg, pose) = (&walk.legs[side], &walk.poses[side][frame]);
        let hip = hips[side][frame] + Vec3::Y * heights[frame];
        let most = (leg.length() * REACH).max(pose.span());
        let span = hip.distance(tracks[side].ankle[frame]).min(most);
        leg.knee_at(span) - leg.knee_at(pose.span())
    };
    let frames = 0..heights.len();
    LegsAsked {
        hips: LegsAsked::of(heights.iter().copied()),
        knees: LegsAsked::of(frames.flat_map(|frame| [knee(0, frame), knee(1, frame)])),
    }
}

/// Writes root and legs; what does not move stays as it is, to the bit.
pub(super) fn write(walk: &Walk, carried: &Carried, report: &mut StrideReport) -> Clip {
    let Carried { tracks, body, .. } = carried;
    let mut made = walk.clip.clone();
    for frame in 0..made.len() {
        made.root[frame] = body.root[frame] + Vec3::Y * body.heights[frame];
        if body.yaws[frame] != 0.0 {
            let local = made.frame_rotations_mut(frame.into());
            local[0] = (Quat::from_rotation_y(body.yaws[frame]) * local[0]).normalize();
        }
        for (leg, track) in walk.legs.iter().zip(tracks) {
            let pose = leg.of_frame(&made, frame);
            let goal = FootGoal {
                ankle: track.ankle[frame],
                foot: track.foot[frame],
                toes: track.toes[frame],
            };
            if pose.is_at(&goal) {
                continue;
            }
            let local = made.frame_rotations_mut(frame.into());
            let miss = leg.reach(&pose, &goal, local);
            if track.planted[frame] {
                report.miss = report.miss.max(miss);
            }
        }
        let side_down = |side: Side| tracks[side.index()].planted[frame];
        for side in Side::BOTH.into_iter().filter(|side| side_down(*side)) {
            if !made.contacts[frame].any(Contacts::foot(side)) {
                made.contacts[frame] = made.contacts[frame].with(Contacts::foot(side));
            }
        }
    }
    made
}
