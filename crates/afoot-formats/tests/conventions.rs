//! The sample performer's motion under random conventions: read back, mirrored and retargeted, it is
//! the same motion, with the same contacts and types. `AFOOT_SEEDS=2000` tries that many conventions instead of a few, `AFOOT_SEED=7`
//! that one alone.
#![allow(clippy::unwrap_used)] // a test fails by panicking

use std::sync::Arc;

use afoot_analyze::{classify_clip, detect_contacts, estimate_ground};
use afoot_core::{
    Clip, Contacts, FrameId, JointId, Locomotion, Quat, RetargetOptions, Role, Skeleton, Vec3,
    cut_clip, forward_kinematics, mirror_clip, pose_kinematics, recognise_roles, retarget_clip,
};
use afoot_fixtures::{Convention, Folder, RestPose, scheme_count};
use afoot_formats::{Format, Motion, ReadOptions, read_motion};
use afoot_sample::{SampleMotion, SampleOptions, sample_motion};

/// Conventions in the ordinary run.
const FEW: u64 = 150;

/// How far results may be from those of the plain file. [m]
const READ: f32 = 1e-4;
const MIRRORED: f32 = 5e-4;
const RETARGETED: f32 = 1e-3;
/// The same where the file has no reference pose, and one is derived from the motion. [m]
const RETARGETED_DERIVED: f32 = 0.01;
/// How far joints may be turned from those of the plain file. [degrees]
const TURNED: f32 = 0.1;
const RETARGETED_TURNED: f32 = 2.0;

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

/// The largest distance between joints of two clips, and the largest difference between the turns
/// that joints have made since the first frame: their frames may differ. [m, degrees]
fn farthest(convention: &Convention, plain: &Clip, read: &Clip) -> Off {
    let (expected, found) = (forward_kinematics(plain), forward_kinematics(read));
    let (turns, found_turns) = (world_turns(plain), world_turns(read));
    let mut off = Off::default();
    for joint in 0..plain.joint_count() {
        let other = found_joint(convention, read, joint);
        let since = |turns: &[Vec<Quat>], frame: usize, joint: usize| {
            turns[frame][joint] * turns[0][joint].conjugate()
        };
        for frame in 0..plain.len() {
            let a = expected.joint(FrameId::from(frame), JointId::from(joint));
            let apart = a.distance(found.joint(FrameId::from(frame), other));
            let (a, b) = (
                since(&turns, frame, joint),
                since(&found_turns, frame, other.index()),
            );
            off.add(apart, degrees_between(a, b), joint);
        }
    }
    off
}

/// The largest distance between joints of two clips on one skeleton, and between their turns.
fn farthest_of_same(expected: &Clip, found: &Clip) -> Off {
    let (a, b) = (forward_kinematics(expected), forward_kinematics(found));
    let (turns, found_turns) = (world_turns(expected), world_turns(found));
    let mut off = Off::default();
    for frame in 0..expected.len() {
        let points = (a.frame(FrameId::from(frame)), b.frame(FrameId::from(frame)));
        for (point, (a, b)) in points.0.iter().zip(points.1).enumerate() {
            off.add(a.distance(*b), 0.0, point);
        }
        for (joint, (a, b)) in turns[frame].iter().zip(&found_turns[frame]).enumerate() {
            off.add(0.0, degrees_between(*a, *b), joint);
        }
    }
    off
}

/// Every joint's rotation in the world, a row a frame.
fn world_turns(clip: &Clip) -> Vec<Vec<Quat>> {
    let turns = |frame: usize| {
        let local = clip.frame_rotations(FrameId::from(frame));
        pose_kinematics(&clip.skeleton, Vec3::ZERO, local).0
    };
    (0..clip.len()).map(turns).collect()
}

fn degrees_between(a: Quat, b: Quat) -> f32 {
    // From the sine of the half-angle, which tells small ones.
    let between = a.conjugate() * b;
    2.0 * between.xyz().length().min(1.0).asin().to_degrees()
}

/// How far something is off: by places and by turns.
#[derive(Clone, Copy, Debug, Default)]
struct Off {
    metres: f32,
    degrees: f32,
    /// The plain clip's joint that is farthest off by place, and by turn.
    joints: [usize; 2],
}

impl Off {
    fn add(&mut self, metres: f32, degrees: f32, joint: usize) {
        if metres > self.metres {
            (self.metres, self.joints[0]) = (metres, joint);
        }
        if degrees > self.degrees {
            (self.degrees, self.joints[1]) = (degrees, joint);
        }
    }

    fn within(self, metres: f32, degrees: f32) -> bool {
        self.metres < metres && self.degrees < degrees
    }
}

/// What is found in a clip.
fn facts(mut clip: Clip) -> (Vec<Contacts>, Vec<Locomotion>) {
    let estimate = estimate_ground(&clip, &Default::default()).unwrap();
    clip.ground = Some(estimate.ground);
    clip.contacts = detect_contacts(&clip, &Default::default())
        .unwrap()
        .contacts;
    let types = classify_clip(&clip, &Default::default()).unwrap();
    (clip.contacts, types)
}

struct Outcome {
    read: Off,
    mirrored: Off,
    there: Off,
    back: Off,
    /// Frames whose contacts differ, and whose types do.
    facts: [usize; 2],
    roles: Vec<String>,
}

fn try_convention(convention: &Convention, plain: &Clip, folder: &Folder) -> Outcome {
    let read = read_back(convention, plain, folder).clip;
    read.check().unwrap();
    assert_eq!(read.rate, plain.rate, "{convention}");
    let skipped = (read.len() - plain.len()) as u32;
    let read = cut_clip(&read, skipped..read.len() as u32).unwrap();
    let other = other_person(&plain.skeleton);
    let retarget = |clip: &Clip, target: &Arc<Skeleton>| {
        retarget_clip(clip, target, &RetargetOptions::default()).unwrap()
    };
    let (contacts, types) = facts(plain.clone());
    let (found_contacts, found_types) = facts(read.clone());
    let differ = |same: &dyn Fn(usize) -> bool| (0..plain.len()).filter(|&n| !same(n)).count();
    Outcome {
        read: farthest(convention, plain, &read),
        mirrored: farthest(convention, &mirror_clip(plain), &mirror_clip(&read)),
        there: farthest_of_same(&retarget(plain, &other), &retarget(&read, &other)),
        back: farthest_of_same(&read, &retarget(plain, &read.skeleton)),
        facts: [
            differ(&|n| contacts[n] == found_contacts[n]),
            differ(&|n| types[n] == found_types[n]),
        ],
        roles: wrong_roles(convention, plain, &read),
    }
}

fn wrong_roles(convention: &Convention, plain: &Clip, read: &Clip) -> Vec<String> {
    let wrong_role = |(index, joint): (usize, &afoot_core::Joint)| {
        let id = found_joint(convention, read, index);
        let found = read.skeleton.joint(id);
        (joint.role.is_some() && found.role != joint.role)
            .then(|| format!("{} is {:?}, not {:?}", found.name, found.role, joint.role))
    };
    let joints = plain.skeleton.joints().iter().enumerate();
    joints.filter_map(wrong_role).collect()
}

#[test]
fn every_scheme_is_known_by_its_names() {
    assert!(scheme_count() >= 25, "only {} schemes", scheme_count());
    let plain = &plain_clips()[0];
    for scheme in 0..scheme_count() {
        let convention = Convention {
            scheme,
            ..Convention::random(0)
        };
        let renamed = convention.renamed(plain);
        let roles = recognise_roles(&renamed.skeleton);
        for (joint, role) in plain.skeleton.joints().iter().zip(roles) {
            let needed = joint.role.is_some();
            assert!(
                !needed || role == joint.role,
                "{convention}: {role:?} for {}",
                joint.name
            );
        }
    }
}

#[test]
fn every_convention_is_the_same_motion() {
    let folder = Folder::new("conventions");
    let clips = plain_clips();
    let mut failures = Vec::new();
    let mut worst = [Off::default(); 6];
    let seeds = seeds();
    for &seed in &seeds {
        let mut convention = Convention::random(seed);
        if convention.format == Format::Fbx && !cfg!(feature = "fbx") {
            convention.format = Format::Gltf; // this build reads no FBX
        }
        let plain = convention.resampled(&clips[seed as usize % clips.len()]);
        let outcome = try_convention(&convention, &plain, &folder);
        let stands = matches!(convention.rest, RestPose::ArmsOut | RestPose::ArmsLowered);
        // Thighs that slide on the spine have no fixed place on it, so motion from another body puts them beside theirs.
        let exact = (stands || convention.t_pose_first) && !convention.biped;
        let (bound, at) = match exact {
            true => (RETARGETED, 2),
            false => (RETARGETED_DERIVED, 4),
        };
        let offs = [outcome.read, outcome.mirrored, outcome.there, outcome.back];
        for (off, at) in offs.iter().zip([0, 1, at, at + 1]) {
            worst[at].add(off.metres, off.degrees, off.joints[0]);
        }
        let fine = outcome.read.within(READ, TURNED)
            && outcome.mirrored.within(MIRRORED, TURNED)
            && outcome.there.within(bound, RETARGETED_TURNED)
            && outcome.back.within(bound, RETARGETED_TURNED)
            && outcome.facts == [0, 0];
        if !fine || !outcome.roles.is_empty() {
            let (facts, roles) = (outcome.facts, &outcome.roles);
            failures.push(format!(
                "{offs:?}, contacts and types {facts:?}, {roles:?}: {convention}"
            ));
        }
    }
    let names = [
        "read",
        "mirrored",
        "retargeted",
        "and back",
        "derived",
        "and back",
    ];
    println!("{} conventions:", seeds.len());
    for (name, off) in names.iter().zip(worst) {
        println!(
            "  {name}: {:.3} mm, {:.3} degrees",
            1000.0 * off.metres,
            off.degrees
        );
    }
    assert!(
        failures.is_empty(),
        "{} of {}:\n{}",
        failures.len(),
        seeds.len(),
        failures.join("\n")
    );
}
