//! What a clip takes, frame by frame: squared torques with the ground's share taken off.
//!
//! Rates and accelerations are differences between frames, the latter smoothed over three (1 2 1), since
//! captured rotations at 30 frames a second jitter. Feet stand on heel (under the ankle), ball and toes
//! as the clip's contacts say, a seat holds the pelvis; hands hold things and bear nothing.

use afoot_core::{Clip, Contacts, FrameId, Role, Side, Skeleton};
use glam::{DQuat, DVec3};

use crate::dynamics::{Demand, JointMotion, inverse_dynamics};
use crate::ground::{Footing, Share, share_ground_reaction};
use crate::model::BodyModel;

/// What one frame asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameDemand {
    /// With the ground's pushes.
    pub demand: Demand,
    /// What the ground gives.
    pub share: Share,
    /// Squared torques over all joints but the root, by the square of weight times stature.
    pub effort: f64,
}

/// Squared torques of each frame, by the square of weight times stature: a number, about 0.01 for a stand.
pub fn clip_effort(body: &BodyModel, clip: &Clip) -> Vec<f64> {
    clip_demand(body, clip)
        .into_iter()
        .map(|frame| frame.effort)
        .collect()
}

/// What each frame of a clip asks for.
pub fn clip_demand(body: &BodyModel, clip: &Clip) -> Vec<FrameDemand> {
    let standing = Standing::new(&clip.skeleton);
    let motions = Motions::new(clip);
    let demand = |frame: usize| {
        let motion = motions.at(frame);
        let free = inverse_dynamics(body, &motion, &[]);
        let contacts = clip.contacts.get(frame).copied().unwrap_or_default();
        let footings = standing.footings(contacts, &free.places);
        let share = share_ground_reaction(&free, &footings);
        let demand = match share.pushes.is_empty() {
            true => free,
            false => inverse_dynamics(body, &motion, &share.pushes),
        };
        let squares = demand.torques[1..].iter().map(|t| t.length_squared());
        let effort = squares.sum::<f64>() / (body.scale() * body.scale());
        FrameDemand {
            demand,
            share,
            effort,
        }
    };
    (0..clip.len()).map(demand).collect()
}

/// Which joints stand on the ground, and when.
struct Standing {
    /// The contact, the joint that it holds.
    holds: Vec<(Contacts, usize)>,
}

impl Standing {
    fn new(skeleton: &Skeleton) -> Self {
        let hold = |contact, role| Some((contact, skeleton.with_role(role)?.index()));
        let feet = Side::BOTH.into_iter().flat_map(|side| {
            [
                hold(Contacts::heel(side), Role::Foot(side)),
                hold(Contacts::ball(side), Role::Toe(side)),
            ]
        });
        let seat = hold(Contacts::SEAT, Role::Hips);
        Self {
            holds: feet.chain([seat]).flatten().collect(),
        }
    }

    fn footings(&self, contacts: Contacts, places: &[DVec3]) -> Vec<Footing> {
        let held = self
            .holds
            .iter()
            .filter(|(contact, _)| contacts.any(*contact));
        let at = |joint: usize| match joint {
            0 => places[0] - DVec3::Y * 0.1,
            foot => DVec3::new(places[foot].x, 0.0, places[foot].z),
        };
        held.map(|(_, joint)| (*joint, at(*joint))).collect()
    }
}

/// Rotations of a clip with their changes.
struct Motions<'a> {
    clip: &'a Clip,
    step: f64,
}

impl<'a> Motions<'a> {
    fn new(clip: &'a Clip) -> Self {
        Self {
            clip,
            step: clip.rate.frame_time(),
        }
    }

    fn at(&self, frame: usize) -> JointMotion {
        let joints = self.clip.joint_count();
        let rotation = |joint: usize| self.rotation(frame, joint);
        let rate = |joint: usize| {
            0.5 * (self.turn(frame.wrapping_sub(1), joint) + self.turn(frame, joint))
        };
        let change = |joint: usize| self.smooth(frame, |at| self.change(at, joint));
        JointMotion {
            rotations: (0..joints).map(rotation).collect(),
            rates: (0..joints).map(rate).collect(),
            accelerations: (0..joints).map(change).collect(),
            root: self.clip.root[frame].as_dvec3(),
            root_acceleration: self.smooth(frame, |at| self.root_change(at)),
        }
    }

    fn rotation(&self, frame: usize, joint: usize) -> DQuat {
        let frame = frame.min(self.clip.len() - 1);
        self.clip
            .rotation(FrameId::from(frame), afoot_core::JointId::from(joint))
            .as_dquat()
    }

    /// Mean rate from a frame to the next, in the joint's frame; beyond the ends that of the nearest step.
    fn turn(&self, frame: usize, joint: usize) -> DVec3 {
        let steps = self.clip.len().saturating_sub(1);
        if steps == 0 {
            return DVec3::ZERO;
        }
        let frame = if frame == usize::MAX {
            0
        } else {
            frame.min(steps - 1)
        };
        let (before, after) = (self.rotation(frame, joint), self.rotation(frame + 1, joint));
        let turn = before.inverse() * after;
        let turn = if turn.w < 0.0 { -turn } else { turn };
        turn.to_scaled_axis() / self.step
    }

    fn change(&self, frame: usize, joint: usize) -> DVec3 {
        (self.turn(frame, joint) - self.turn(frame.wrapping_sub(1), joint)) / self.step
    }

    fn root_change(&self, frame: usize) -> DVec3 {
        let last = self.clip.len() - 1;
        if last < 2 {
            return DVec3::ZERO;
        }
        let frame = frame.clamp(1, last - 1);
        let at = |frame: usize| self.clip.root[frame].as_dvec3();
        (at(frame + 1) - 2.0 * at(frame) + at(frame - 1)) / (self.step * self.step)
    }

    /// A quarter, a half and a quarter of three frames.
    fn smooth(&self, frame: usize, value: impl Fn(usize) -> DVec3) -> DVec3 {
        let last = self.clip.len() - 1;
        let (before, after) = (frame.saturating_sub(1), (frame + 1).min(last));
        0.25 * value(before) + 0.5 * value(frame) + 0.25 * value(after)
    }
}
