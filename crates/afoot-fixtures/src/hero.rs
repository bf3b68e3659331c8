//! A user's character: another name for every joint, larger, broader, arms lowered, with a skinned mesh.

use std::sync::Arc;

use afoot_core::{Clip, FrameRate, Joint, Quat, Role, Side, Skeleton};
use afoot_formats::write_glb;

/// The bytes of a `.glb` file with a character of `skeleton`'s build.
pub fn hero_glb(skeleton: &Skeleton) -> Vec<u8> {
    let tall = skeleton.clone().scaled(1.15);
    let sites = tall.end_sites().to_vec();
    let joints = tall.joints().iter().map(hero_joint).collect();
    let skeleton = Skeleton::new(joints, sites).unwrap();
    let mut still = Clip::empty("hero", Arc::new(skeleton), FrameRate::FPS_30);
    still.push_pose(&still.skeleton.rest_pose());
    write_glb(&still)
}

fn hero_joint(joint: &Joint) -> Joint {
    let (broader, lowered) = match joint.role {
        Some(Role::Arm(Side::Left)) => (1.2, -0.8),
        Some(Role::Arm(Side::Right)) => (1.2, 0.8),
        _ => (1.0, 0.0),
    };
    Joint {
        name: format!("mixamorig:{}", joint.name),
        offset: joint.offset * broader,
        rest: joint.rest * Quat::from_rotation_z(lowered),
        role: None,
        ..joint.clone()
    }
}
