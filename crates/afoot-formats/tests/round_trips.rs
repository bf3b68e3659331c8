//! Random clips written and read again: positions within 0.1 mm, whatever the skeleton.
#![allow(clippy::unwrap_used)] // a test fails by panicking

mod support;

use std::sync::Arc;

use afoot_core::{
    Channel, Clip, EndSite, FrameRate, Joint, JointId, Quat, Skeleton, SlidingJoint, Vec3,
};
use afoot_formats::{
    ReadOptions, UnitOption, UpAxis, UpOption, WriteOptions, read_amc, read_asf, read_bvh,
    write_amc, write_bvh,
};
use support::random::Random;

/// Any tree, some joints in one place, some end sites.
fn random_skeleton(random: &mut Random, channels: bool) -> Skeleton {
    let count = 1 + random.below(30);
    let offset = |random: &mut Random| match random.below(4) {
        0 => Vec3::ZERO,
        _ => random.vector(0.5),
    };
    let mut joints = Vec::new();
    let mut end_sites = Vec::new();
    for index in 0..count {
        let parent = (index > 0).then(|| JointId::from(random.below(index)));
        let mut joint = Joint::new(format!("joint {index}"), parent, offset(random));
        if channels {
            joint.channels = random_channels(random);
        }
        joints.push(joint);
        for _ in 0..random.below(3) {
            let parent = JointId::from(index);
            end_sites.push(EndSite {
                parent,
                offset: offset(random),
            });
        }
    }
    Skeleton::new(joints, end_sites).unwrap()
}

/// Any channels in any order, repeated ones too.
fn random_channels(random: &mut Random) -> Vec<Channel> {
    use Channel::{Xposition, Xrotation, Yposition, Yrotation, Zposition, Zrotation};
    let turns = [Xrotation, Yrotation, Zrotation];
    let mut channels: Vec<Channel> = (0..random.below(5))
        .map(|_| turns[random.below(3)])
        .collect();
    for channel in [Xposition, Yposition, Zposition] {
        if random.below(3) == 0 {
            channels.insert(random.below(channels.len() + 1), channel);
        }
    }
    channels
}

/// Turns by any angle, often whole frames of none, and some that only one axis needs.
fn random_clip(random: &mut Random, channels: bool) -> Clip {
    let skeleton = Arc::new(random_skeleton(random, channels));
    let joints = skeleton.len();
    let mut clip = Clip::empty("random", skeleton, FrameRate::new(120, 1).unwrap());
    let kinds: Vec<usize> = (0..joints).map(|_| random.below(6)).collect();
    let frames = random.below(12);
    for _ in 0..frames {
        clip.root.push(random.vector(5.0));
        for kind in &kinds {
            let angle = random.between(-10.0, 10.0);
            clip.rotations.push(match kind {
                0 => Quat::IDENTITY,
                1 => Quat::from_rotation_x(angle),
                2 => {
                    Quat::from_rotation_y(std::f32::consts::FRAC_PI_2)
                        * Quat::from_rotation_x(angle)
                }
                _ => random.rotation(),
            });
        }
    }
    for joint in (1..joints).map(JointId::from) {
        if random.below(8) == 0 {
            let offsets = (0..frames).map(|_| random.vector(1.0)).collect();
            clip.sliding.push(SlidingJoint { joint, offsets });
        }
    }
    clip.check().unwrap();
    clip
}

fn write_options(random: &mut Random) -> (WriteOptions, ReadOptions) {
    let up = [UpAxis::X, UpAxis::Y, UpAxis::Z][random.below(3)];
    let metres_per_unit = [1.0, 0.01, 0.001, 0.0254 / 0.45, 0.3][random.below(5)];
    let read = ReadOptions {
        unit: UnitOption::Metres(metres_per_unit),
        up: UpOption::Axis(up),
        ..ReadOptions::default()
    };
    (
        WriteOptions {
            metres_per_unit,
            up,
        },
        read,
    )
}

#[test]
fn bvh_keeps_every_position() {
    for seed in 0..600 {
        let random = &mut Random::new(seed);
        let clip = random_clip(random, seed % 3 > 0);
        let (write, read) = write_options(random);
        let written = write_bvh(&clip, &write).unwrap();
        let text = || String::from_utf8_lossy(&written.bytes).into_owned();
        let again = read_bvh(&written.bytes, &read)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", text()));
        assert_eq!(again.clip.rate, clip.rate);
        let off = support::largest_distance_by_name(&clip, &again.clip);
        assert!(off < 1e-4, "seed {seed}: {off} m\n{}", text());
        assert_eq!(
            write_bvh(&clip, &write).unwrap(),
            written,
            "same clip, same bytes"
        );
    }
}

#[test]
fn amc_keeps_every_position() {
    for seed in 0..600 {
        let random = &mut Random::new(seed);
        let mut clip = random_clip(random, false);
        if clip.is_empty() {
            continue;
        }
        clip.rate = FrameRate::new(120, 1).unwrap();
        let (write, read) = write_options(random);
        let written = write_amc(&clip, &write).unwrap();
        let (_, asf) = written.companion.clone().unwrap();
        let text = || String::from_utf8_lossy(&asf).into_owned();
        let parsed = read_asf(&asf).unwrap_or_else(|error| panic!("{seed}: {error}\n{}", text()));
        let again = read_amc(&written.bytes, &parsed, &read)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", text()));
        assert_eq!(again.source.first_frame, 1);
        let renamed = renamed_as_written(&clip);
        let off = support::largest_distance_by_name(&renamed, &again.clip);
        assert!(off < 1e-4, "seed {seed}: {off} m\n{}", text());
    }
}

/// ASF names have no blanks.
fn renamed_as_written(clip: &Clip) -> Clip {
    let mut joints = clip.skeleton.joints().to_vec();
    joints
        .iter_mut()
        .for_each(|joint| joint.name = joint.name.replace(' ', "_"));
    let skeleton = Skeleton::new(joints, clip.skeleton.end_sites().to_vec()).unwrap();
    Clip {
        skeleton: Arc::new(skeleton),
        ..clip.clone()
    }
}

#[test]
fn names_that_mean_something_else_are_changed() {
    let names = [
        "Hips", "root", "ROOT", "end", "root_2", "12", "03b", "a:b#(c)", "a_b__c_",
    ];
    let parent = |index: usize| index.checked_sub(1).map(JointId::from);
    let joint = |(index, name): (usize, &&str)| Joint::new(*name, parent(index), Vec3::Y);
    let joints = names.iter().enumerate().map(joint).collect();
    let skeleton = Arc::new(Skeleton::new(joints, Vec::new()).unwrap());
    let mut clip = Clip::empty("names", skeleton, FrameRate::FPS_30);
    clip.root.push(Vec3::ZERO);
    clip.rotations = vec![Quat::from_rotation_x(0.1); names.len()];
    let written = write_amc(&clip, &WriteOptions::default()).unwrap();
    let asf = read_asf(&written.companion.unwrap().1).unwrap();
    let options = ReadOptions {
        unit: UnitOption::Metres(0.01),
        ..ReadOptions::default()
    };
    let again = read_amc(&written.bytes, &asf, &options).unwrap().clip;
    let offset = |joint: JointId| again.skeleton.joint(joint).offset;
    // The chain's names, a filler between the root and its child.
    let names: Vec<&str> = again
        .skeleton
        .joints()
        .iter()
        .map(|j| j.name.as_str())
        .collect();
    let expected = [
        "root",
        "to_root_2",
        "root_2",
        "ROOT_2",
        "end_2",
        "root_2_2",
        "bone_12",
        "03b",
        "a_b__c_",
        "a_b__c__2",
    ];
    assert_eq!(names, expected);
    assert_eq!(offset(JointId(4)), Vec3::Y);
}

#[test]
fn channels_are_kept_where_they_suffice() {
    use Channel::{Xposition, Xrotation, Yposition, Yrotation, Zposition, Zrotation};
    let mut root = Joint::new("Hips", None, Vec3::ZERO);
    root.channels = vec![
        Yrotation, Zposition, Xposition, Yposition, Xrotation, Zrotation,
    ];
    let mut knee = Joint::new("Knee", Some(JointId(0)), Vec3::NEG_Y);
    knee.channels = vec![Xrotation];
    let still = Joint::new("Still", Some(JointId(1)), Vec3::NEG_Y);
    let skeleton = Arc::new(Skeleton::new(vec![root, knee, still], Vec::new()).unwrap());
    let mut clip = Clip::empty("legs", skeleton, FrameRate::FPS_30);
    clip.root.push(Vec3::ONE);
    clip.rotations = vec![
        Quat::from_rotation_z(1.0),
        Quat::from_rotation_x(2.0),
        Quat::IDENTITY,
    ];
    let kept = write_bvh(&clip, &WriteOptions::default()).unwrap();
    assert_eq!(kept.warnings, Vec::<String>::new());
    let again = read_bvh(&kept.bytes, &ReadOptions::default()).unwrap().clip;
    for (a, b) in again.skeleton.joints().iter().zip(clip.skeleton.joints()) {
        assert_eq!(a.channels, b.channels);
    }
    // A knee that turns about y as well needs what it lacks, and only that.
    clip.rotations[1] *= Quat::from_rotation_y(0.5);
    let more = write_bvh(&clip, &WriteOptions::default()).unwrap();
    assert_eq!(more.warnings.len(), 1, "{:?}", more.warnings);
    let again = read_bvh(&more.bytes, &ReadOptions::default()).unwrap().clip;
    assert_eq!(
        again.skeleton.joint(JointId(1)).channels,
        [Xrotation, Zrotation, Yrotation]
    );
}

#[test]
fn angles_run_on_instead_of_wrapping() {
    let skeleton = Skeleton::new(vec![Joint::new("a", None, Vec3::ZERO)], Vec::new()).unwrap();
    let mut clip = Clip::empty("spin", Arc::new(skeleton), FrameRate::FPS_30);
    for frame in 0..100 {
        clip.root.push(Vec3::ZERO);
        clip.rotations
            .push(Quat::from_rotation_y(0.2 * frame as f32));
    }
    let text = write_bvh(&clip, &WriteOptions::default()).unwrap().bytes;
    let text = String::from_utf8(text).unwrap();
    let rows: Vec<Vec<f64>> = text
        .lines()
        .skip_while(|line| !line.starts_with("Frame Time"))
        .skip(1)
        .map(|line| line.split(' ').map(|word| word.parse().unwrap()).collect())
        .collect();
    assert_eq!(rows.len(), 100);
    for pair in rows.windows(2) {
        let steps = (3..6).map(|column| (pair[1][column] - pair[0][column]).abs());
        // 0.2 rad a frame, and half a turn at most where y passes its singular 90°.
        assert!(steps.fold(0.0, f64::max) < 11.6, "{pair:?}");
    }
}
