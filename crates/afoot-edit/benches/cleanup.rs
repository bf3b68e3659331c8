//! Frames per second on one core: foot-skate cleanup, and transitions, on 31 joints; one item is one
//! frame.

use std::sync::Arc;

use afoot_core::{Clip, Contacts, FrameId, FrameRate, Joint, JointId, Role, Side, Skeleton};
use afoot_core::{FootRest, Ground};
use afoot_edit::blend::{BlendOptions, blend_transition};
use afoot_edit::cleanup::{SettleOptions, settle_feet};
use afoot_edit::ik::{LimbGoal, LimbJoints, reach_with_limb};
use divan::{Bencher, black_box, counter::ItemsCount};
use glam::{Quat, Vec3};

fn main() {
    divan::main();
}

const FRAMES: usize = 3000;

/// A biped of 31 joints: two legs of five, and 20 joints of trunk and arms in a chain.
fn figure() -> Arc<Skeleton> {
    let mut joints = vec![Joint::new("Hips", None, Vec3::ZERO)];
    for (side, x) in [(Side::Left, 0.1), (Side::Right, -0.1)] {
        let roles = [
            None,
            Some(Role::UpLeg(side)),
            Some(Role::Leg(side)),
            Some(Role::Foot(side)),
            Some(Role::Toe(side)),
        ];
        let offsets = [
            Vec3::ZERO,
            Vec3::new(x, -0.05, 0.0),
            Vec3::new(0.0, -0.4, 0.0),
            Vec3::new(0.0, -0.4, 0.0),
            Vec3::new(0.0, -0.05, 0.14),
        ];
        let mut parent = 0;
        for (index, (role, offset)) in roles.into_iter().zip(offsets).enumerate() {
            let mut joint = Joint::new(
                format!("{side:?}{index}"),
                Some(JointId::from(parent)),
                offset,
            );
            joint.role = role;
            parent = joints.len();
            joints.push(joint);
        }
    }
    for index in 0..20 {
        let parent = if index == 0 { 0 } else { joints.len() - 1 };
        let name = format!("Trunk{index}");
        joints.push(Joint::new(
            name,
            Some(JointId::from(parent)),
            Vec3::Y * 0.05,
        ));
    }
    Arc::new(Skeleton::new(joints, Vec::new()).expect("parents come first"))
}

/// Walks at 0.6 m/s with feet that slide at 6 cm/s and wobble.
fn walk() -> Clip {
    let skeleton = figure();
    let mut clip = Clip::empty("walk", Arc::clone(&skeleton), FrameRate::FPS_30);
    let legs = Side::BOTH.map(|side| LimbJoints::leg(&skeleton, side).expect("has legs"));
    for frame in 0..FRAMES {
        let t = frame as f32 / 40.0;
        let root = Vec3::new(0.0, 0.84 + 0.01 * (t * 12.6).sin(), t * 0.8);
        let mut rotations = vec![Quat::from_rotation_x(0.02 * t.sin()); skeleton.len()];
        let mut contacts = Contacts::NONE;
        for side in Side::BOTH {
            let phase = t + 0.5 * side.index() as f32;
            let (cycle, part) = (phase.floor(), phase.fract());
            let swing = ((part - 0.6) / 0.4).max(0.0);
            let ahead = swing * swing * (3.0 - 2.0 * swing) - 0.1 * part.min(0.6);
            let z = (cycle + 0.3 + ahead - 0.5 * side.index() as f32) * 0.8;
            let x = if side == Side::Left { 0.1 } else { -0.1 };
            let wobble = 0.003 * (phase * 50.0).sin();
            let lift = 0.08 * (swing * std::f32::consts::PI).sin().powi(2);
            let goal = LimbGoal::to(Vec3::new(x + wobble, 0.05 + lift, z));
            reach_with_limb(
                &skeleton,
                (root, &mut rotations),
                &legs[side.index()],
                &goal,
            )
            .expect("finite");
            contacts = if part < 0.6 {
                contacts.with(Contacts::foot(side))
            } else {
                contacts
            };
        }
        clip.root.push(root);
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

#[divan::bench]
fn settle(bencher: Bencher) {
    let (clip, options) = (walk(), SettleOptions::default());
    let counter = ItemsCount::new(clip.len());
    bencher
        .counter(counter)
        .bench(|| settle_feet(black_box(&clip), &options));
}

#[divan::bench]
fn transition(bencher: Bencher) {
    let (clip, options) = (walk(), BlendOptions::default());
    let sides = (FrameId(100), FrameId(250));
    let counter = ItemsCount::new(options.window as usize);
    bencher
        .counter(counter)
        .bench(|| blend_transition(clip.at(sides.0), clip.at(sides.1), &options));
}
