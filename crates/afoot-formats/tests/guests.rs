//! Bodies without telling names, walks in place, and motion put onto another program's character.
#![allow(clippy::unwrap_used)] // a test fails by panicking

use std::sync::Arc;

use afoot_core::{
    Clip, Contacts, FrameRate, Joint, RetargetOptions, Side, Skeleton, Vec3, add_root_motion,
    forward_kinematics, guess_roles, is_in_place, resample_clip, retarget_clip, stance_contacts,
};
use afoot_fixtures::Folder;
use afoot_formats::files::write_onto_character;
use afoot_formats::{
    Program, ReadOptions, Take, UnitOption, read_character, read_motion, read_takes, write_glb,
    write_motion,
};
use afoot_sample::{SampleMotion, SampleOptions, sample_library, sample_motion};

fn walk() -> Clip {
    let motion = SampleMotion::Walk {
        speed: 1.3,
        length: 5.0,
    };
    sample_motion("walk", motion, &SampleOptions::default())
}

/// The skeleton with every name replaced.
fn renamed(skeleton: &Skeleton, name: impl Fn(usize, &Joint) -> String) -> Skeleton {
    let joints = skeleton.joints().iter().enumerate();
    let joints = joints.map(|(index, joint)| Joint {
        name: name(index, joint),
        role: None,
        ..joint.clone()
    });
    Skeleton::new(joints.collect(), skeleton.end_sites().to_vec()).unwrap()
}

#[test]
fn bodies_without_names_are_known_by_shape_and_motion() {
    for clip in sample_library(&SampleOptions::default()) {
        let expected: Vec<_> = clip
            .skeleton
            .joints()
            .iter()
            .map(|joint| joint.role)
            .collect();
        let nameless = renamed(&clip.skeleton, |index, _| format!("Bone.{index:03}"));
        let nameless = Clip {
            skeleton: Arc::new(nameless),
            ..clip
        };
        assert_eq!(
            guess_roles(&nameless).as_ref(),
            Some(&expected),
            "{}",
            nameless.name
        );
    }
}

#[test]
fn four_feet_are_no_person() {
    let clip = walk();
    let mut joints = clip.skeleton.joints().to_vec();
    let more: Vec<Joint> = (1..5)
        .map(|index| {
            let joint = &clip.skeleton.joints()[index];
            let parent = joint.parent.filter(|parent| parent.0 > 0);
            let parent =
                parent.map(|parent| afoot_core::JointId(parent.0 + clip.skeleton.len() as u16 - 1));
            Joint {
                name: format!("Hind{index}"),
                parent: Some(parent.unwrap_or(afoot_core::JointId(0))),
                offset: joint.offset + Vec3::Z * if index == 1 { -0.5 } else { 0.0 },
                ..joint.clone()
            }
        })
        .collect();
    let count = more.len();
    joints.extend(more);
    let skeleton = renamed(&Skeleton::new(joints, Vec::new()).unwrap(), |index, _| {
        format!("b{index}")
    });
    let frames = clip.rotations.chunks_exact(clip.joint_count());
    let rotations = frames
        .flat_map(|frame| frame.iter().chain(&frame[1..1 + count]).copied())
        .collect();
    let animal = Clip {
        skeleton: Arc::new(skeleton),
        rotations,
        ..clip
    };
    assert_eq!(guess_roles(&animal), None);
}

#[test]
fn a_walk_in_place_gets_its_way_back() {
    for (speed, run) in [(1.3, false), (3.0, true)] {
        let motion = match run {
            false => SampleMotion::Walk { speed, length: 5.0 },
            true => SampleMotion::Run { speed, length: 9.0 },
        };
        let plain = sample_motion("walk", motion, &SampleOptions::default());
        assert!(!is_in_place(&plain));
        let mut clip = plain.clone();
        let last = plain.len() - 1;
        let way = plain.root[last] - plain.root[0];
        // As if on a treadmill that goes with the body.
        for (root, own) in clip.root.iter_mut().zip(&plain.root) {
            *root = (*root - (*own - plain.root[0])).with_y(own.y);
        }
        assert!(is_in_place(&clip), "at {speed} m/s");
        add_root_motion(&mut clip);
        let found = clip.root[last] - clip.root[0];
        let off = (found - way).with_y(0.0).length() / way.with_y(0.0).length();
        assert!(off < 0.08, "{found} instead of {way}");
    }
}

/// A run as it is drawn for games: a few frames a step, feet in the air for most of them.
#[test]
fn a_drawn_run_in_place_stands_where_its_feet_are_low() {
    let motion = SampleMotion::Run {
        speed: 4.0,
        length: 12.0,
    };
    let plain = sample_motion("run", motion, &SampleOptions::default());
    let mut clip = resample_clip(&plain, FrameRate::new(15, 1).unwrap());
    let first = clip.root[0];
    for root in &mut clip.root {
        *root = first.with_y(root.y);
    }
    assert!(is_in_place(&clip));
    let contacts = stance_contacts(&clip).unwrap();
    let stands = |side| {
        contacts
            .iter()
            .filter(move |all| all.any(Contacts::foot(side)))
            .count()
    };
    let [left, right] = Side::BOTH.map(stands);
    let share = |count: usize| count as f64 / contacts.len() as f64;
    assert!(
        share(left) > 0.1 && share(left) < 0.5,
        "{left} of {}",
        contacts.len()
    );
    assert!(
        share(right) > 0.1 && share(right) < 0.5,
        "{right} of {}",
        contacts.len()
    );
}

#[test]
fn a_character_keeps_its_mesh_and_walks() {
    let folder = Folder::new("onto");
    let plain = walk();
    let hero = renamed(&plain.skeleton.as_ref().clone().scaled(1.2), |_, joint| {
        format!("mixamorig:{}", joint.name)
    });
    let mut still = Clip::empty("hero", Arc::new(hero), plain.rate);
    still.push_pose(&still.skeleton.rest_pose());
    let (hero_path, out) = (folder.file("hero.glb"), folder.file("walk.glb"));
    std::fs::write(&hero_path, write_glb(&still)).unwrap();
    let hero = read_character(&hero_path, &ReadOptions::default()).unwrap();
    let walk = retarget_clip(&plain, &hero.clip.skeleton, &RetargetOptions::default()).unwrap();
    write_onto_character(&out, &walk, &hero_path, hero.source.metres_per_unit).unwrap();
    let back = read_motion(&out, &ReadOptions::default()).unwrap().clip;
    let kept = |word: &str| {
        let bytes = std::fs::read(&out).unwrap();
        bytes
            .windows(word.len())
            .any(|window| window == word.as_bytes())
    };
    assert!(kept("\"materials\"") && kept("\"JOINTS_0\"") && kept("mixamorig:Hips"));
    let (expected, found) = (forward_kinematics(&walk), forward_kinematics(&back));
    assert_eq!(back.len(), walk.len());
    for (a, b) in expected.as_slice().iter().zip(found.as_slice()) {
        assert!(a.distance(*b) < 1e-4, "{a} became {b}");
    }
    let other = write_onto_character(&out, &plain, &hero_path, 1.0).unwrap_err();
    assert!(
        other.to_string().contains("the character's skeleton"),
        "{other}"
    );
}

#[test]
fn files_for_programs_hold_the_same_motion() {
    let folder = Folder::new("programs");
    let plain = walk();
    for (number, program) in [
        Program::Blender,
        Program::Maya,
        Program::MotionBuilder,
        Program::Unreal,
    ]
    .into_iter()
    .enumerate()
    {
        let path = folder.file(&format!("{number}.bvh"));
        let options = program.options();
        write_motion(&path, &program.prepared(&plain), &options).unwrap();
        let read = ReadOptions {
            unit: UnitOption::Metres(options.metres_per_unit),
            ..ReadOptions::default()
        };
        let back = read_motion(&path, &read).unwrap();
        assert_eq!(back.source.up, options.up);
        let (expected, found) = (forward_kinematics(&plain), forward_kinematics(&back.clip));
        for (a, b) in expected.as_slice().iter().zip(found.as_slice()) {
            assert!(a.distance(*b) < 1e-4, "{a} became {b} for {program:?}");
        }
    }
}

#[test]
fn takes_are_chosen_by_name_and_a_map_says_who_is_who() {
    let folder = Folder::new("takes");
    let path = folder.file("walk.glb");
    let nameless = renamed(&walk().skeleton, |index, _| format!("Bone.{index:03}"));
    let clip = Clip {
        skeleton: Arc::new(nameless),
        ..walk()
    };
    std::fs::write(&path, write_glb(&clip)).unwrap();
    let with = |take| ReadOptions {
        take,
        ..ReadOptions::default()
    };
    assert_eq!(read_takes(&path, &with(Take::All)).unwrap().len(), 1);
    let wrong = read_takes(&path, &with(Take::Named("run".into())))
        .unwrap_err()
        .to_string();
    assert!(
        wrong.contains("\"run\"") && wrong.contains("walk"),
        "{wrong}"
    );
    let map = |joint: &str, role: &str| ReadOptions {
        roles: vec![(joint.into(), role.into())],
        ..ReadOptions::default()
    };
    let read = read_motion(&path, &map("Bone.013", "head")).unwrap().clip;
    let roles: Vec<_> = read
        .skeleton
        .joints()
        .iter()
        .filter_map(|joint| joint.role)
        .collect();
    assert_eq!(roles, [afoot_core::Role::Head]);
    let wrong = read_motion(&path, &map("Bone.999", "head"))
        .unwrap_err()
        .to_string();
    assert!(wrong.contains("Bone.999"), "{wrong}");
}

/// A `.glb` file with its JSON changed.
fn with_json(glb: &[u8], change: impl Fn(&mut serde_json::Value)) -> Vec<u8> {
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let mut json: serde_json::Value = serde_json::from_slice(&glb[20..20 + length]).unwrap();
    change(&mut json);
    let mut text = serde_json::to_vec(&json).unwrap();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut out = glb[..12].to_vec();
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(&glb[16..20]);
    out.extend(&text);
    out.extend(&glb[20 + length..]);
    let total = out.len() as u32;
    out[8..12].copy_from_slice(&total.to_le_bytes());
    out
}

#[test]
fn every_take_is_read_and_empty_ones_are_passed_over() {
    let folder = Folder::new("several_takes");
    let path = folder.file("hero.glb");
    let bytes = with_json(&write_glb(&walk()), |json| {
        let walk = json["animations"][0].clone();
        let mut stroll = walk.clone();
        stroll["name"] = "stroll".into();
        let empty = serde_json::json!({"name": "Take 001", "channels": [], "samplers": []});
        json["animations"] = serde_json::json!([empty, walk, stroll]);
    });
    std::fs::write(&path, bytes).unwrap();
    let read = |take| {
        read_takes(
            &path,
            &ReadOptions {
                take,
                ..ReadOptions::default()
            },
        )
        .unwrap()
    };
    let names = |takes: &[afoot_formats::Motion]| -> Vec<String> {
        takes.iter().map(|take| take.clip.name.clone()).collect()
    };
    let all = read(Take::All);
    assert_eq!(names(&all), ["walk", "stroll"]);
    assert_eq!(all[0].clip.len(), walk().len());
    let named = read(Take::Named("stroll".into()));
    assert_eq!(names(&named), ["stroll"]);
    assert_eq!(named[0].clip.rotations, all[1].clip.rotations);
    let first = read_motion(&path, &ReadOptions::default()).unwrap();
    assert_eq!(
        (first.clip.name.as_str(), first.clip.len()),
        ("hero", walk().len())
    );
    assert!(
        first
            .source
            .warnings
            .iter()
            .any(|words| words.contains("the first of 2"))
    );
}

#[test]
fn a_vrm_file_says_who_is_who_and_may_face_back() {
    let folder = Folder::new("vrm");
    let path = folder.file("avatar.vrm");
    let nameless = renamed(&walk().skeleton, |index, _| format!("n{index}"));
    let mut still = Clip::empty("avatar", Arc::new(nameless), walk().rate);
    let mut pose = still.skeleton.rest_pose();
    let turn = afoot_core::Quat::from_rotation_y(std::f32::consts::PI);
    pose.rotations[0] = turn;
    still.push_pose(&pose);
    let bones = serde_json::json!({"humanoid": {"humanBones": [
        {"bone": "hips", "node": 0}, {"bone": "leftUpperLeg", "node": 1}, {"bone": "leftLowerLeg", "node": 2},
        {"bone": "leftFoot", "node": 3}, {"bone": "rightUpperLeg", "node": 5}, {"bone": "rightLowerLeg", "node": 6},
        {"bone": "rightFoot", "node": 7}, {"bone": "spine", "node": 9}, {"bone": "chest", "node": 11},
        {"bone": "head", "node": 13}]}});
    let bytes = with_json(&write_glb(&still), |json| {
        json["extensions"] = serde_json::json!({"VRM": bones});
        json["nodes"][0]["rotation"] = serde_json::json!([0.0, 1.0, 0.0, 0.0]);
    });
    std::fs::write(&path, bytes).unwrap();
    let read = read_character(&path, &ReadOptions::default()).unwrap().clip;
    let names = |role| {
        read.skeleton
            .joint(read.skeleton.with_role(role).unwrap())
            .name
            .clone()
    };
    assert_eq!(names(afoot_core::Role::Hips), "n0");
    assert_eq!(names(afoot_core::Role::Leg(afoot_core::Side::Right)), "n6");
    let rest = read.skeleton.rest_pose();
    let points = afoot_core::pose_kinematics(&read.skeleton, Vec3::ZERO, &rest.rotations).1;
    assert!(
        points[1].x > 0.05,
        "the left leg is on the left of one who faces +z"
    );
}

#[cfg(feature = "fbx")]
mod fbx {
    use super::*;
    use afoot_fixtures::fbx_bytes::{with_scaled_joint, with_span};
    use afoot_formats::{WriteOptions, write_fbx, write_fbx_takes};

    fn check(bytes: &[u8], expected: &Clip) -> afoot_formats::Motion {
        let folder = Folder::new("fbx_details");
        let path = folder.file("walk.fbx");
        std::fs::write(&path, bytes).unwrap();
        let read = read_motion(&path, &ReadOptions::default()).unwrap();
        assert_eq!(read.clip.len(), expected.len());
        let (a, b) = (forward_kinematics(expected), forward_kinematics(&read.clip));
        for (a, b) in a.as_slice().iter().zip(b.as_slice()) {
            assert!(a.distance(*b) < 1e-4, "{a} became {b}");
        }
        read
    }

    #[test]
    fn keys_count_not_the_span_that_a_take_states() {
        let plain = walk();
        let bytes = write_fbx(&plain, &WriteOptions::default()).unwrap().bytes;
        assert!(check(&bytes, &plain).source.warnings.is_empty());
        for seconds in [1.0 / 3.0, 40.0] {
            let read = check(&with_span(&bytes, seconds), &plain);
            assert!(
                read.source
                    .warnings
                    .iter()
                    .any(|words| words.contains("the keys count"))
            );
        }
    }

    /// A root scaled to a hundredth whose children take over its scale, or do not: the same body.
    #[test]
    fn bones_take_over_scale_as_the_file_says() {
        for (kind, own, below) in [(1, 100.0, 100.0), (2, 100.0, 1.0), (0, 100.0, 100.0)] {
            let plain = walk();
            let mut joints = plain.skeleton.joints().to_vec();
            for joint in &mut joints[1..] {
                joint.offset *= if joint.parent == Some(afoot_core::JointId(0)) {
                    own
                } else {
                    below
                };
            }
            let mut sites = plain.skeleton.end_sites().to_vec();
            sites.iter_mut().for_each(|site| site.offset *= below);
            let skeleton = Arc::new(Skeleton::new(joints, sites).unwrap());
            let clip = Clip {
                skeleton,
                ..plain.clone()
            };
            let bytes = write_fbx(&clip, &WriteOptions::default()).unwrap().bytes;
            check(&with_scaled_joint(&bytes, "Hips", 0.01, kind), &plain);
        }
    }

    #[test]
    fn every_take_comes_back() {
        let folder = Folder::new("fbx_takes");
        let path = folder.file("takes.fbx");
        let mut clips = sample_library(&SampleOptions::default());
        clips.truncate(3);
        let bytes = write_fbx_takes(&clips, &WriteOptions::default())
            .unwrap()
            .bytes;
        std::fs::write(&path, bytes).unwrap();
        let all = ReadOptions {
            take: Take::All,
            ..ReadOptions::default()
        };
        let read = read_takes(&path, &all).unwrap();
        assert_eq!(read.len(), clips.len());
        for (read, clip) in read.iter().zip(&clips) {
            assert_eq!(read.clip.name, clip.name);
            assert_eq!(read.clip.len(), clip.len());
            let (a, b) = (forward_kinematics(clip), forward_kinematics(&read.clip));
            for (a, b) in a.as_slice().iter().zip(b.as_slice()) {
                assert!(a.distance(*b) < 1e-4, "{a} became {b} in {}", clip.name);
            }
        }
        let one = std::slice::from_ref(&clips[0]);
        let alone = write_fbx_takes(one, &WriteOptions::default()).unwrap();
        assert_eq!(
            alone,
            write_fbx(&clips[0], &WriteOptions::default()).unwrap()
        );
        assert!(write_fbx_takes(&[], &WriteOptions::default()).is_err());
    }
}
