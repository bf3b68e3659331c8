//! The sample performer's motion under random conventions: read back, mirrored and retargeted, it is
//! the same motion. `AFOOT_SEEDS=2000` tries that many conventions instead of a few, `AFOOT_SEED=7`
//! that one alone.

use std::sync::Arc;

use afoot_core::{
    Clip, FrameId, JointId, RetargetOptions, Role, Skeleton, forward_kinematics, mirror_clip,
    retarget_clip,
};
use afoot_fixtures::{Convention, Folder, RestPose};
use afoot_formats::{Format, Motion, ReadOptions, read_motion};
use afoot_sample::{SampleMotion, SampleOptions, sample_motion};

/// Conventions in the ordinary run.
const FEW: u64 = 150;

/// How far results may be from those of the plain file. [m]
const READ: f32 = 1e-4;
const MIRRORED: f32 = 5e-4;
const RETARGETED: f32 = 0.01;
/// The same where the file has no reference pose, and one is derived from the motion. [m]
const RETARGETED_DERIVED: f32 = 0.015;

fn plain_clips() -> Vec<Clip> {
    let motions = [
        SampleMotion::Walk {
            speed: 1.3,
            length: 4.0,
        },
        SampleMotion::WalkTurn {
            speed: 1.0,
            angle: 0.8,
            bend: 2.0,
        },
        SampleMotion::Run {
            speed: 3.0,
            length: 6.0,
        },
    ];
    let make = |motion| sample_motion("plain", motion, &SampleOptions::default());
    motions.into_iter().map(make).collect()
}

/// Another person: larger, with arms lowered at rest and longer legs.
fn other_person(skeleton: &Skeleton) -> Arc<Skeleton> {
    let mut joints = skeleton.clone().scaled(1.1).joints().to_vec();
    for joint in &mut joints {
        if matches!(joint.role, Some(Role::Leg(_) | Role::Foot(_))) {
            joint.offset *= 1.05;
        }
        joint.name = joint.name.replace("Left", "lft_").replace("Right", "rgt_");
    }
    Arc::new(Skeleton::new(joints, Vec::new()).unwrap())
}

fn seeds() -> Vec<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    match (number("AFOOT_SEED"), number("AFOOT_SEEDS")) {
        (Some(seed), _) => vec![seed],
        (None, Some(count)) => (0..count).collect(),
        (None, None) => (0..FEW).collect(),
    }
}

fn read_back(convention: &Convention, plain: &Clip, folder: &Folder) -> Motion {
    let ending = match convention.format {
        Format::Bvh => "bvh",
        Format::Fbx => "fbx",
        _ => "glb",
    };
    let path = folder.file(&format!("{}.{ending}", convention.seed));
    std::fs::write(&path, convention.write(plain)).unwrap();
    read_motion(&path, &ReadOptions::default()).unwrap()
}

/// Where the plain clip's joint is in the clip that was read.
fn found_joint(convention: &Convention, read: &Clip, joint: usize) -> JointId {
    let name = convention.file_name_of(JointId::from(joint));
    let found = read.skeleton.find(&name);
    found.unwrap_or_else(|| panic!("{name} is gone"))
}

/// The largest distance between joints of two clips. [m]
fn farthest(convention: &Convention, plain: &Clip, read: &Clip) -> f32 {
    let (expected, found) = (forward_kinematics(plain), forward_kinematics(read));
    let skipped = read.len() - plain.len();
    let mut worst = 0.0_f32;
    for joint in 0..plain.joint_count() {
        let other = found_joint(convention, read, joint);
        for frame in 0..plain.len() {
            let a = expected.joint(FrameId::from(frame), JointId::from(joint));
            worst = worst.max(a.distance(found.joint(FrameId::from(frame + skipped), other)));
        }
    }
    worst
}

struct Outcome {
    read: f32,
    mirrored: f32,
    there: f32,
    back: f32,
    roles: Vec<String>,
}

fn try_convention(convention: &Convention, plain: &Clip, folder: &Folder) -> Outcome {
    let read = read_back(convention, plain, folder).clip;
    read.check().unwrap();
    let other = other_person(&plain.skeleton);
    let retarget = |clip: &Clip, target: &Arc<Skeleton>| {
        retarget_clip(clip, target, &RetargetOptions::default()).map_err(|error| error.to_string())
    };
    let expected = retarget(plain, &other).unwrap();
    let skipped = read.len() - plain.len();
    let there = retarget(&read, &other).map_or(f32::INFINITY, |found| {
        let (a, b) = (forward_kinematics(&expected), forward_kinematics(&found));
        let pairs = a
            .as_slice()
            .iter()
            .zip(&b.as_slice()[skipped * expected.skeleton.point_count()..]);
        pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
    });
    let back = retarget(plain, &read.skeleton)
        .map_or(f32::INFINITY, |found| farthest(convention, plain, &found));
    let wrong_role = |(index, joint): (usize, &afoot_core::Joint)| {
        let id = found_joint(convention, &read, index);
        let found = read.skeleton.joint(id);
        (joint.role.is_some() && found.role != joint.role)
            .then(|| format!("{} is {:?}, not {:?}", found.name, found.role, joint.role))
    };
    let roles = plain
        .skeleton
        .joints()
        .iter()
        .enumerate()
        .filter_map(wrong_role)
        .collect();
    Outcome {
        read: farthest(convention, plain, &read),
        mirrored: farthest(convention, &mirror_clip(plain), &mirror_clip(&read)),
        there,
        back,
        roles,
    }
}

#[test]
fn every_convention_is_the_same_motion() {
    let folder = Folder::new("conventions");
    let clips = plain_clips();
    let mut failures = Vec::new();
    let mut worst = [0.0_f32; 6];
    let seeds = seeds();
    for &seed in &seeds {
        let mut convention = Convention::random(seed);
        if convention.format == Format::Fbx && !cfg!(feature = "fbx") {
            convention.format = Format::Gltf; // this build reads no FBX
        }
        let plain = &clips[seed as usize % clips.len()];
        let outcome = try_convention(&convention, plain, &folder);
        let Outcome {
            read,
            mirrored,
            there,
            back,
            roles,
        } = &outcome;
        let stands = matches!(convention.rest, RestPose::ArmsOut | RestPose::ArmsLowered);
        let exact = stands || convention.t_pose_first;
        let bound = if exact {
            RETARGETED
        } else {
            RETARGETED_DERIVED
        };
        worst[0] = worst[0].max(*read);
        worst[1] = worst[1].max(*mirrored);
        let at = if exact { 2 } else { 4 };
        worst[at] = worst[at].max(*there);
        worst[at + 1] = worst[at + 1].max(*back);
        let fine = *read < READ && *mirrored < MIRRORED && *there < bound && *back < bound;
        if !fine || !roles.is_empty() {
            failures.push(format!(
                "read {read:.5}, mirrored {mirrored:.5}, there {there:.4}, back {back:.4} m, {roles:?}: {convention}"
            ));
        }
    }
    println!(
        "{} conventions: read {:.6}, mirrored {:.6}, retargeted {:.4}, back {:.4}; derived {:.4}, back {:.4} m",
        seeds.len(),
        worst[0],
        worst[1],
        worst[2],
        worst[3],
        worst[4],
        worst[5]
    );
    assert!(
        failures.is_empty(),
        "{} of {}:\n{}",
        failures.len(),
        seeds.len(),
        failures.join("\n")
    );
}
