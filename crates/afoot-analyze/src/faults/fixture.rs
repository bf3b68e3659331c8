//! A small body for the tests of this folder, and motions whose faults a reader can count.

use std::sync::Arc;

use afoot_core::{Clip, FrameRate, Joint, JointId, Quat, Skeleton, Vec3};

/// Joint numbers of the body.
pub const ARM: usize = 5;
pub const FOREARM: usize = 6;
pub const THIGH: usize = 11;
pub const LEG: usize = 12;
pub const FOOT: usize = 13;

/// Nineteen joints, named so that roles are recognised.
pub fn body() -> Arc<Skeleton> {
    let joint = |name: &str, parent: Option<usize>, x, y, z| {
        Joint::new(name, parent.map(JointId::from), Vec3::new(x, y, z))
    };
    let joints = vec![
        joint("Hips", None, 0.0, 0.0, 0.0),
        joint("Spine", Some(0), 0.0, 0.1, 0.0),
        joint("Spine1", Some(1), 0.0, 0.2, 0.0),
        joint("Neck", Some(2), 0.0, 0.25, 0.0),
        joint("Head", Some(3), 0.0, 0.1, 0.0),
        joint("LeftArm", Some(2), 0.2, 0.2, 0.0),
        joint("LeftForeArm", Some(5), 0.28, 0.0, 0.0),
        joint("LeftHand", Some(6), 0.25, 0.0, 0.0),
        joint("RightArm", Some(2), -0.2, 0.2, 0.0),
        joint("RightForeArm", Some(8), -0.28, 0.0, 0.0),
        joint("RightHand", Some(9), -0.25, 0.0, 0.0),
        joint("LeftUpLeg", Some(0), 0.1, 0.0, 0.0),
        joint("LeftLeg", Some(11), 0.0, -0.42, 0.0),
        joint("LeftFoot", Some(12), 0.0, -0.42, 0.0),
        joint("LeftToeBase", Some(13), 0.0, -0.06, 0.13),
        joint("RightUpLeg", Some(0), -0.1, 0.0, 0.0),
        joint("RightLeg", Some(15), 0.0, -0.42, 0.0),
        joint("RightFoot", Some(16), 0.0, -0.42, 0.0),
        joint("RightToeBase", Some(17), 0.0, -0.06, 0.13),
    ];
    let skeleton = Skeleton::new(joints, Vec::new()).unwrap();
    Arc::new(skeleton.with_recognised_roles())
}

/// Every joint sways gently, each at its own pace, while the root walks along z.
pub fn swaying(frames: usize, fps: u32) -> Clip {
    let skeleton = body();
    let mut clip = Clip::empty("swaying", skeleton, FrameRate::new(fps, 1).unwrap());
    for frame in 0..frames {
        let time = frame as f32 / fps as f32;
        clip.root
            .push(Vec3::new(0.02 * (3.0 * time).sin(), 0.95, time));
        for joint in 0..clip.joint_count() {
            let angle = 0.3 * (3.0 * time + joint as f32).sin();
            let axis = Vec3::new(1.0, 0.3, joint as f32 / 20.0).normalize();
            clip.rotations.push(Quat::from_axis_angle(axis, angle));
        }
    }
    clip
}

/// Turns one joint of one frame further by `degrees`.
pub fn turn(clip: &mut Clip, frame: usize, joint: usize, degrees: f32) {
    let index = frame * clip.joint_count() + joint;
    clip.rotations[index] *= Quat::from_rotation_z(degrees.to_radians());
}

/// A straight body, up and down by jumps of `seconds` with as long a rest between them.
pub fn jumping(frames: usize, true_fps: u32, claimed_fps: u32, seconds: f32) -> Clip {
    let skeleton = body();
    let mut clip = Clip::empty("jumping", skeleton, FrameRate::new(claimed_fps, 1).unwrap());
    for frame in 0..frames {
        let time = (frame as f32 / true_fps as f32) % (2.0 * seconds);
        let height = match time < seconds {
            true => 0.5 * 9.81 * time * (seconds - time),
            false => 0.0,
        };
        clip.root.push(Vec3::new(0.0, 0.95 + height, 0.0));
        for _ in 0..clip.joint_count() {
            clip.rotations.push(Quat::IDENTITY);
        }
    }
    clip
}
