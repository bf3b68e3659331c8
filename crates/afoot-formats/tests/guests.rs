//! Bodies without telling names, walks in place, and motion put onto another program's character.

use std::sync::Arc;

use afoot_core::{
    Clip, Joint, RetargetOptions, Skeleton, Vec3, add_root_motion, forward_kinematics, guess_roles,
    is_in_place, retarget_clip,
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
