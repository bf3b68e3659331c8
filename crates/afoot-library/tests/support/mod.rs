//! Clips that tests make themselves, and the captured ones where they are.
#![allow(dead_code, unused_imports)] // each test file uses a part

use std::sync::Arc;

use afoot_core::*;

pub use afoot_fixtures::{Folder, captured_folder as cmu};

pub fn skeleton(leg: f32) -> Arc<Skeleton> {
    let joint = |name: &str, parent: Option<u16>, x, y, z| {
        Joint::new(name, parent.map(JointId), Vec3::new(x, y, z))
    };
    let joints = vec![
        joint("Hips", None, 0.0, 0.0, 0.0),
        joint("LeftUpLeg", Some(0), 0.1, 0.0, 0.0),
        joint("LeftLeg", Some(1), 0.0, -leg, 0.0),
        joint("LeftFoot", Some(2), 0.0, -leg, 0.0),
        joint("LeftToeBase", Some(3), 0.0, -0.05, 0.13),
        joint("RightUpLeg", Some(0), -0.1, 0.0, 0.0),
        joint("RightLeg", Some(5), 0.0, -leg, 0.0),
        joint("RightFoot", Some(6), 0.0, -leg, 0.0),
        joint("RightToeBase", Some(7), 0.0, -0.05, 0.13),
        joint("Spine", Some(0), 0.0, 0.2, 0.0),
        joint("Head", Some(9), 0.0, 0.4, 0.0),
    ];
    let site = |parent, z| EndSite {
        parent: JointId(parent),
        offset: Vec3::new(0.0, 0.0, z),
    };
    let sites = vec![site(4, 0.07), site(8, 0.07), site(10, 0.1)];
    Arc::new(
        Skeleton::new(joints, sites)
            .unwrap()
            .with_recognised_roles(),
    )
}

/// A clip with something in every field; `seed` tells one from another.
pub fn clip(name: &str, frames: usize, seed: u32) -> Clip {
    let mut clip = Clip::empty(name, skeleton(0.42), FrameRate::FPS_30);
    for frame in 0..frames {
        let time = frame as f32 / 30.0;
        clip.root
            .push(Vec3::new(0.1 * (time + seed as f32).sin(), 0.9, 1.2 * time));
        for joint in 0..clip.joint_count() {
            let angle = 0.4 * (2.0 * time + (joint as f32) * 0.7 + seed as f32).sin();
            clip.rotations
                .push(Quat::from_rotation_x(angle) * Quat::from_rotation_z(angle / 3.0));
        }
        clip.contacts.push(Contacts((frame / 7 % 16) as u8));
        clip.types.push(if frame < frames / 2 {
            Locomotion::Walk
        } else {
            Locomotion::Run
        });
    }
    let frames = frames as u32;
    clip.sliding.push(SlidingJoint {
        joint: JointId(9),
        offsets: (0..frames)
            .map(|f| Vec3::new(0.0, 0.2 + f as f32 * 1e-4, 0.0))
            .collect(),
    });
    clip.labels.push(LabelSpan {
        frames: Range32 {
            start: 0,
            end: frames,
        },
        label: format!("style {seed}"),
    });
    clip.ground = Some(Ground {
        slope_x: 0.01,
        ..Ground::level(0.03)
    });
    clip.faults.push(2..5);
    clip
}

/// The largest distance between the same point of two clips.
pub fn largest_distance(a: &Clip, b: &Clip) -> f32 {
    let (a, b) = (forward_kinematics(a), forward_kinematics(b));
    assert_eq!(a.as_slice().len(), b.as_slice().len());
    let pairs = a.as_slice().iter().zip(b.as_slice());
    pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}
