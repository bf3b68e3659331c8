//! A small biped for the tests: legs of 0.4 + 0.4 m, feet of 0.15 m, walking along +z.

use std::sync::Arc;

use afoot_core::{Clip, Contacts, FrameRate, Ground, Joint, JointId, Role, Side, Skeleton};
use afoot_core::{EndSite, FootRest};
use glam::{Quat, Vec3};

use crate::ik::{LimbGoal, LimbJoints, reach_with_limb};

/// Hips, two legs with feet and toes, and a spine; 10 joints.
pub fn biped() -> Arc<Skeleton> {
    let mut joints = vec![Joint::new("Hips", None, Vec3::ZERO)];
    joints[0].role = Some(Role::Hips);
    let mut add = |name: &str, parent: usize, offset: Vec3, role| {
        let mut joint = Joint::new(name, Some(JointId::from(parent)), offset);
        joint.role = Some(role);
        joints.push(joint);
        joints.len() - 1
    };
    let mut toes = Vec::new();
    for (side, x, word) in [(Side::Left, 0.1, "Left"), (Side::Right, -0.1, "Right")] {
        let down = Vec3::new(0.0, -0.4, 0.0);
        let hip = add(
            &format!("{word}UpLeg"),
            0,
            Vec3::new(x, -0.05, 0.0),
            Role::UpLeg(side),
        );
        let knee = add(&format!("{word}Leg"), hip, down, Role::Leg(side));
        let ankle = add(&format!("{word}Foot"), knee, down, Role::Foot(side));
        let to_ball = Vec3::new(0.0, -0.05, 0.14);
        toes.push(add(&format!("{word}Toe"), ankle, to_ball, Role::Toe(side)));
    }
    add("Spine", 0, Vec3::new(0.0, 0.1, 0.0), Role::Spine);
    let tip = |parent: &usize| EndSite {
        parent: JointId::from(*parent),
        offset: Vec3::new(0.0, 0.0, 0.06),
    };
    let ends = toes.iter().map(tip).collect();
    Arc::new(Skeleton::new(joints, ends).expect("the biped is a valid skeleton"))
}

/// Distance of a stride, 40 frames at 30 fps: short enough that the legs reach. [m]
const STRIDE: f32 = 0.8;

/// Walks straight at 0.6 m/s, a foot down for 24 frames of 40 (30 fps), with exact contacts; every
/// frame turned by `yaw` and shifted by `(x, z)` in the world.
pub fn walk(frames: usize, yaw: f32, (x, z): (f32, f32)) -> Clip {
    let skeleton = biped();
    let mut clip = Clip::empty("walk", Arc::clone(&skeleton), FrameRate::FPS_30);
    let turn = Quat::from_rotation_y(yaw);
    let to_world = |p: Vec3| turn * p + Vec3::new(x, 0.0, z);
    let legs = Side::BOTH.map(|side| LimbJoints::leg(&skeleton, side).expect("has legs"));
    for frame in 0..frames {
        let t = frame as f32 / 40.0;
        let root = Vec3::new(
            0.0,
            0.84 + 0.01 * (t * 4.0 * std::f32::consts::PI).sin(),
            t * STRIDE,
        );
        let mut rotations = vec![Quat::IDENTITY; skeleton.len()];
        let mut contacts = Contacts::NONE;
        for side in Side::BOTH {
            let phase = t + 0.5 * side.index() as f32;
            let (ankle, down) = foot_at(phase, side);
            let goal = LimbGoal::to(ankle - Vec3::Z * 0.5 * side.index() as f32 * STRIDE);
            reach_with_limb(
                &skeleton,
                (root, &mut rotations),
                &legs[side.index()],
                &goal,
            )
            .expect("the target is finite");
            contacts = if down {
                contacts.with(Contacts::foot(side))
            } else {
                contacts
            };
        }
        rotations[0] = turn * rotations[0];
        clip.root.push(to_world(root));
        clip.rotations.extend(rotations);
        clip.contacts.push(contacts);
    }
    let rest = FootRest {
        ankle: 0.05,
        ball: 0.0,
    };
    clip.ground = Some(Ground {
        rest: [rest; 2],
        ..Ground::level(0.0)
    });
    clip
}

/// The ankle at a phase of the stride (1 = a stride), and whether the foot is down.
fn foot_at(phase: f32, side: Side) -> (Vec3, bool) {
    let (cycle, t) = (phase.floor(), phase.fract());
    let x = if side == Side::Left { 0.1 } else { -0.1 };
    let stand = Vec3::new(x, 0.05, (cycle + 0.3) * STRIDE);
    if t < 0.6 {
        return (stand, true);
    }
    let swing = (t - 0.6) / 0.4;
    let ease = swing * swing * (3.0 - 2.0 * swing);
    let lift = 0.08 * (swing * std::f32::consts::PI).sin().powi(2);
    (stand + Vec3::new(0.0, lift, ease * STRIDE), false)
}
