//! A small figure that moves, for the tests.

use std::sync::Arc;

use glam::{Quat, Vec3};

use crate::clip::Clip;
use crate::index::JointId;
use crate::rate::FrameRate;
use crate::skeleton::tests::skeleton_of;
use crate::skeleton::{EndSite, Skeleton};

/// A figure with two legs and two arms, a little uneven, that walks along +z and turns left.
pub fn swinging_clip(frames: usize) -> Clip {
    let skeleton = small_figure();
    let joints = skeleton.len();
    let mut clip = Clip::empty("swing", Arc::new(skeleton), FrameRate::FPS_30);
    for frame in 0..frames {
        let t = frame as f32 * 0.1;
        clip.root.push(Vec3::new(
            0.1 * t.sin(),
            0.9 + 0.02 * (2.0 * t).cos(),
            0.5 * t,
        ));
        clip.rotations.extend((0..joints).map(|joint| {
            let angle = 0.4 * (t + joint as f32).sin();
            Quat::from_rotation_y(0.2 * t) * Quat::from_rotation_x(angle)
        }));
    }
    clip
}

/// Hips, legs with feet and toes, spine, head and arms; 19 joints.
pub fn small_figure() -> Skeleton {
    let tree = [
        "Hips",
        "LeftUpLeg",
        "LeftLeg",
        "LeftFoot",
        "LeftToeBase",
        "RightUpLeg<Hips",
        "RightLeg",
        "RightFoot",
        "RightToeBase",
        "Spine<Hips",
        "Spine1",
        "Neck",
        "Head",
        "LeftArm<Spine1",
        "LeftForeArm",
        "LeftHand",
        "RightArm<Spine1",
        "RightForeArm",
        "RightHand",
    ];
    let offset = |name: &str| match name {
        "LeftUpLeg" => Vec3::new(0.1, -0.05, 0.0),
        "RightUpLeg" => Vec3::new(-0.1, -0.05, 0.0),
        "LeftLeg" | "RightLeg" => Vec3::new(0.0, -0.4, 0.01),
        "LeftFoot" | "RightFoot" => Vec3::new(0.0, -0.4, -0.01),
        "LeftToeBase" | "RightToeBase" => Vec3::new(0.0, -0.06, 0.14),
        "LeftArm" => Vec3::new(0.18, 0.1, 0.0),
        "RightArm" => Vec3::new(-0.18, 0.1, 0.0),
        "LeftForeArm" | "LeftHand" => Vec3::new(0.27, 0.0, 0.0),
        "RightForeArm" | "RightHand" => Vec3::new(-0.27, 0.0, 0.0),
        _ => Vec3::new(0.0, 0.15, 0.0),
    };
    let mut joints = skeleton_of(&tree).joints().to_vec();
    joints
        .iter_mut()
        .for_each(|joint| joint.offset = offset(&joint.name));
    let site = |joint, offset| EndSite {
        parent: JointId(joint),
        offset,
    };
    let sites = vec![
        site(4, Vec3::Z * 0.06),
        site(8, Vec3::Z * 0.06),
        site(12, Vec3::Y * 0.1),
    ];
    Skeleton::new(joints, sites)
        .unwrap()
        .with_recognised_roles()
}
