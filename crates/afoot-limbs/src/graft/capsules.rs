//! How far limbs pass into each other: arms against trunk, head, thighs and each other, as capsules.
//!
//! Upper arms are not held against the trunk they hang on. Radii are an adult's, scaled with the legs.
//! Captured people touch themselves, and fitted skeletons pass through themselves by centimetres: compare
//! with the captured, never with none.

use afoot_core::{
    Clip, FrameId, JointId, Role, Side, Skeleton, Vec3, forward_kinematics, segment_gap,
};

/// A bone with flesh on it.
struct Capsule {
    ends: [JointId; 2],
    radius: f32,
}

/// Leg length of the figure that the radii are of. [m]
const ADULT: f32 = 0.84;

/// The deepest that limbs of a clip pass into each other; 0 where they do not or are not known. [m]
pub fn self_penetration(clip: &Clip) -> f32 {
    let capsules = Capsules::of(&clip.skeleton);
    let points = forward_kinematics(clip);
    let deepest = |frame: usize| {
        let at = points.frame(FrameId::from(frame));
        let depths = Side::BOTH.map(|side| capsules.depth(side, at, |point| point));
        depths[0].max(depths[1])
    };
    (0..clip.len()).map(deepest).fold(0.0, f32::max)
}

/// The parts of a body that may pass into each other: a forearm of a side, and what it may meet.
pub(crate) struct Capsules {
    pairs: Vec<(Side, Capsule, Capsule)>,
}

impl Capsules {
    /// Those of a skeleton whose parts are known.
    pub fn of(skeleton: &Skeleton) -> Self {
        let pairs = pairs_of(skeleton);
        Self { pairs }
    }

    /// How deep a side's forearm is in anything if it is moved so, of a body whose joints are there. [m]
    pub fn depth(&self, side: Side, at: &[Vec3], moved: impl Fn(Vec3) -> Vec3) -> f32 {
        let own = self.pairs.iter().filter(|(own, ..)| *own == side);
        let depth = |(_, arm, other): &(Side, Capsule, Capsule)| {
            let ends = |capsule: &Capsule| capsule.ends.map(|joint| at[joint.index()]);
            arm.radius + other.radius - segment_gap(ends(arm).map(&moved), ends(other)).length()
        };
        own.map(depth).fold(0.0, f32::max)
    }
}

fn pairs_of(skeleton: &Skeleton) -> Vec<(Side, Capsule, Capsule)> {
    let size = skeleton.leg_length().unwrap_or(ADULT) / ADULT;
    let capsule = |from: Role, to: Role, radius: f32| {
        let ends = [skeleton.with_role(from)?, skeleton.with_role(to)?];
        Some(Capsule {
            ends,
            radius: radius * size,
        })
    };
    let forearm = |side| capsule(Role::ForeArm(side), Role::Hand(side), 0.035);
    let upper_arm = |side| capsule(Role::Arm(side), Role::ForeArm(side), 0.045);
    let thigh = |side| capsule(Role::UpLeg(side), Role::Leg(side), 0.07);
    let trunk =
        || capsule(Role::Hips, Role::Neck, 0.11).or_else(|| capsule(Role::Hips, Role::Chest, 0.11));
    let head = || capsule(Role::Neck, Role::Head, 0.07);
    let mut pairs = Vec::new();
    for side in Side::BOTH {
        let across = side.other();
        let others = [
            trunk(),
            head(),
            thigh(side),
            thigh(across),
            upper_arm(across),
            forearm(across),
        ];
        let own = others
            .into_iter()
            .filter_map(|other| Some((side, forearm(side)?, other?)));
        pairs.extend(own);
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arm_through_the_trunk_is_seen() {
        let clips = afoot_sample::sample_library(&Default::default());
        let mut clip = clips.into_iter().find(|clip| clip.name == "walk").unwrap();
        let before = self_penetration(&clip);
        let arm = clip.skeleton.arm(Side::Left).unwrap();
        for frame in 0..clip.len() {
            // Folded across the body.
            let local = clip.frame_rotations_mut(FrameId::from(frame));
            local[arm.elbow.index()] =
                afoot_core::Quat::from_rotation_z(-1.6) * local[arm.elbow.index()];
        }
        assert!(self_penetration(&clip) > before + 0.02, "{before}");
    }
}
