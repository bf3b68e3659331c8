//! Fixtures of the tests and benchmarks: made-up clips, and the CMU clips where they are at hand.
#![allow(dead_code, unused_imports, clippy::unwrap_used)]

use std::path::Path;
use std::sync::Arc;

use afoot_analyze::{classify_clip, detect_contacts, estimate_ground};
use afoot_core::{
    Clip, EndSite, FrameId, FrameRate, Joint, JointId, Quat, Skeleton, Vec3, recognise_roles,
};
pub use afoot_fixtures::captured_folder as cmu;
use afoot_formats::{ReadOptions, Unit, UnitOption, read_bvh};

/// A small repeatable source of numbers in −1 .. 1.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 40) as f32) / (1u32 << 23) as f32 - 1.0
    }

    pub fn below(&mut self, bound: usize) -> usize {
        ((self.next() + 1.0) / 2.0 * bound as f32) as usize % bound
    }
}

/// A figure with two legs and an arm, some of it at zero offset.
pub fn skeleton() -> Arc<Skeleton> {
    let joint = |name: &str, parent: Option<u16>, x, y, z| {
        Joint::new(name, parent.map(JointId), Vec3::new(x, y, z))
    };
    let joints = vec![
        joint("hips", None, 0.0, 0.0, 0.0),
        joint("left hip", Some(0), 0.0, 0.0, 0.0),
        joint("left leg", Some(1), 0.1, -0.05, 0.0),
        joint("left foot", Some(2), 0.0, -0.8, 0.0),
        joint("right leg", Some(0), -0.1, -0.05, 0.0),
        joint("right foot", Some(4), 0.0, -0.8, 0.0),
        joint("chest", Some(0), 0.0, 0.4, 0.0),
        joint("arm", Some(6), 0.2, 0.1, 0.0),
    ];
    let site = |parent: u16, x, y, z| EndSite {
        parent: JointId(parent),
        offset: Vec3::new(x, y, z),
    };
    let sites = vec![
        site(3, 0.0, -0.05, 0.2),
        site(5, 0.0, -0.05, 0.2),
        site(7, 0.5, 0.0, 0.0),
    ];
    Arc::new(Skeleton::new(joints, sites).unwrap())
}

/// A smooth wandering motion, different for each seed.
pub fn wandering(name: &str, frames: usize, seed: u64) -> Clip {
    let skeleton = skeleton();
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut clip = Clip::empty(name, skeleton.clone(), FrameRate::new(30, 1).unwrap());
    let joints = skeleton.len();
    let waves: Vec<[f32; 3]> = (0..joints * 3)
        .map(|_| {
            [
                random.next() * 0.6,
                0.15 + random.next() * 0.08,
                random.next() * 3.0,
            ]
        })
        .collect();
    let (mut at, mut yaw) = (
        Vec3::new(random.next() * 3.0, 0.9, random.next() * 3.0),
        random.next() * 3.0,
    );
    for frame in 0..frames {
        yaw += 0.03 * (frame as f32 * 0.05 + waves[0][2]).sin();
        at += Vec3::new(yaw.sin(), 0.0, yaw.cos()) * 0.045;
        clip.root
            .push(at + Vec3::Y * 0.03 * (frame as f32 * 0.4).sin());
        for joint in 0..joints {
            let angle = |axis: usize| {
                let [size, speed, phase] = waves[joint * 3 + axis];
                size * (frame as f32 * speed + phase).sin()
            };
            let local = Quat::from_euler(glam::EulerRot::YXZ, angle(0), angle(1), angle(2));
            clip.rotations.push(if joint == 0 {
                Quat::from_rotation_y(yaw) * local
            } else {
                local
            });
        }
    }
    clip
}

/// A gait that repeats about every 30 frames, from `phase` frames on, a little different each time.
pub fn pacing(name: &str, frames: usize, phase: usize, seed: u64) -> Clip {
    let skeleton = skeleton();
    let mut gait = Random(99);
    let mut own = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let joints = skeleton.len();
    let waves: Vec<[f32; 2]> = (0..joints * 3)
        .map(|_| [gait.next() * 0.5, gait.next() * 3.0])
        .collect();
    let drift: Vec<[f32; 2]> = (0..joints * 3)
        .map(|_| [own.next() * 0.04, own.next() * 3.0])
        .collect();
    let mut clip = Clip::empty(name, skeleton, FrameRate::new(30, 1).unwrap());
    let (mut at, mut yaw) = (
        Vec3::new(own.next() * 3.0, 0.9, own.next() * 3.0),
        own.next() * 3.0,
    );
    let turn = own.next() * 0.01;
    for frame in 0..frames {
        let time = (phase + frame) as f32 * std::f32::consts::TAU / 30.0;
        yaw += turn;
        at += Vec3::new(yaw.sin(), 0.0, yaw.cos()) * 0.045;
        clip.root.push(at + Vec3::Y * 0.03 * (2.0 * time).sin());
        for joint in 0..joints {
            let angle = |axis: usize| {
                let ([size, start], [little, slow]) =
                    (waves[joint * 3 + axis], drift[joint * 3 + axis]);
                size * (time + start).sin() + little * (0.037 * frame as f32 + slow).sin()
            };
            let local = Quat::from_euler(glam::EulerRot::YXZ, angle(0), angle(1), angle(2));
            clip.rotations.push(if joint == 0 {
                Quat::from_rotation_y(yaw) * local
            } else {
                local
            });
        }
    }
    clip
}

/// The 24 walks of subject 16 at 30 fps.
pub fn walks16(folder: &Path) -> Vec<Clip> {
    let numbers = (11..=32).chain([47, 58]);
    numbers
        .map(|n| cmu_clip(folder, &format!("16_{n:02}"), 4))
        .collect()
}

/// A CMU clip without its T-pose, every `step`-th frame, at 30 fps.
pub fn cmu_clip(folder: &Path, name: &str, step: usize) -> Clip {
    let all = read_clip(&folder.join("bvh").join(format!("{name}.bvh")));
    let mut clip = Clip::empty(name, all.skeleton.clone(), FrameRate::new(30, 1).unwrap());
    for frame in (1..all.len()).step_by(step) {
        clip.push_pose(&all.pose(FrameId::from(frame)));
    }
    clip
}

/// A clip of the CMU database as its file has it.
pub fn read_clip(path: &Path) -> Clip {
    let options = ReadOptions {
        unit: UnitOption::Unit(Unit::Cmu),
        ..ReadOptions::default()
    };
    let mut clip = read_bvh(&std::fs::read(path).unwrap(), &options)
        .unwrap()
        .clip;
    clip.name = path.file_stem().unwrap().to_string_lossy().into_owned();
    clip.rate = FrameRate::new(30, 1).unwrap();
    let roles = recognise_roles(&clip.skeleton);
    clip.skeleton = Arc::new(Skeleton::clone(&clip.skeleton).with_roles(&roles));
    clip
}

/// Adds ground, contacts and types, as importing does.
pub fn with_facts(mut clip: Clip) -> Clip {
    clip.ground = estimate_ground(&clip, &Default::default())
        .ok()
        .map(|found| found.ground);
    clip.contacts = detect_contacts(&clip, &Default::default())
        .unwrap()
        .contacts;
    clip.types = classify_clip(&clip, &Default::default()).unwrap();
    clip
}

/// The 59 clips of the subset loco200 at 30 fps: all of subject 16, and 142_22 on its skeleton.
pub fn loco200(folder: &Path) -> Vec<Clip> {
    let mut clips: Vec<Clip> = (1..=58)
        .map(|n| cmu_clip(folder, &format!("16_{n:02}"), 4))
        .collect();
    let mut sneak = cmu_clip(folder, "142_22", 4);
    sneak.skeleton = clips[0].skeleton.clone();
    clips.push(sneak);
    clips
}
