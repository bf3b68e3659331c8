//! Motion files on disk: chosen by their ending, whole or not at all.
#![allow(clippy::unwrap_used)] // a test fails by panicking

use std::path::Path;
use std::sync::Arc;

use afoot_core::{Clip, FrameRate, Joint, JointId, Quat, Skeleton, Vec3};
use afoot_fixtures::Folder;
use afoot_formats::files::asf_of;
use afoot_formats::{Format, ReadOptions, WriteOptions, read_motion, write_motion};

fn entries(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).unwrap();
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().file_name();
    let mut names: Vec<String> = entries.map(|e| name(e).into_string().unwrap()).collect();
    names.sort();
    names
}

fn clip() -> Clip {
    let joints = vec![
        Joint::new("root", None, Vec3::ZERO),
        Joint::new("leg", Some(JointId(0)), Vec3::ZERO),
        Joint::new("foot", Some(JointId(1)), Vec3::new(0.0, -0.9, 0.0)),
    ];
    let skeleton = Arc::new(Skeleton::new(joints, Vec::new()).unwrap());
    let mut clip = Clip::empty("walk_01", skeleton, FrameRate::new(120, 1).unwrap());
    for frame in 0..5 {
        clip.root.push(Vec3::new(0.0, 0.9, 0.1 * frame as f32));
        let turn = Quat::from_rotation_x(0.1 * frame as f32);
        clip.rotations.extend([Quat::IDENTITY, turn, turn]);
    }
    clip
}

#[test]
fn motion_is_written_and_read_by_its_ending() {
    let folder = Folder::new("endings");
    for name in ["walk_01.bvh", "walk_01.AMC"] {
        let path = folder.file(name);
        let warnings = write_motion(&path, &clip(), &WriteOptions::default()).unwrap();
        assert_eq!(warnings, Vec::<String>::new());
        let motion = read_motion(&path, &ReadOptions::default()).unwrap();
        assert_eq!(motion.source.format, Format::of_path(&path).unwrap());
        assert_eq!(
            (motion.clip.name.as_str(), motion.clip.len()),
            ("walk_01", 5)
        );
    }
    assert_eq!(
        entries(&folder),
        ["walk_01.AMC", "walk_01.asf", "walk_01.bvh"]
    );
}

#[test]
fn errors_name_the_file() {
    let folder = Folder::new("errors");
    let error = |path: &Path| {
        read_motion(path, &ReadOptions::default())
            .unwrap_err()
            .to_string()
    };
    let missing = folder.file("missing.bvh");
    assert!(error(&missing).starts_with(&format!("{}: can't be read", missing.display())));
    let unknown = error(&folder.file("walk.xyz"));
    assert!(
        unknown.contains("expected a file that ends in .bvh"),
        "{unknown}"
    );
    let broken = folder.file("broken.bvh");
    std::fs::write(&broken, "HIERARCHY\nROOT a\n{\nOFFSET 0 0 x\n").unwrap();
    let message = error(&broken);
    assert!(
        message.starts_with(&format!("{}:4:12: expected", broken.display())),
        "{message}"
    );
    let alone = folder.file("alone.amc");
    std::fs::write(&alone, "1\nroot 0 0 0 0 0 0\n").unwrap();
    assert!(
        error(&alone).contains("expected a skeleton alone.asf"),
        "{}",
        error(&alone)
    );
    std::fs::write(folder.file("alone.asf"), ":nothing\n").unwrap();
    let message = error(&alone);
    assert!(
        message.contains("alone.asf:2:1: expected a section :root"),
        "{message}"
    );
}

#[test]
fn a_failed_write_leaves_nothing() {
    let folder = Folder::new("failures");
    let mut broken = clip();
    broken.root[2].x = f32::NAN;
    let path = folder.file("walk.amc");
    assert!(write_motion(&path, &broken, &WriteOptions::default()).is_err());
    let nowhere = folder.file("no such folder/walk.bvh");
    let error = write_motion(&nowhere, &clip(), &WriteOptions::default()).unwrap_err();
    assert!(error.to_string().contains("can't be written"), "{error}");
    // A folder in the way: the rename fails, and the temporary file goes.
    std::fs::create_dir(folder.file("taken.bvh")).unwrap();
    assert!(write_motion(&folder.file("taken.bvh"), &clip(), &WriteOptions::default()).is_err());
    // The same for a pair: its skeleton doesn't stay behind alone.
    std::fs::create_dir(folder.file("pair.asf")).unwrap();
    assert!(write_motion(&folder.file("pair.amc"), &clip(), &WriteOptions::default()).is_err());
    assert_eq!(entries(&folder), ["pair.asf", "taken.bvh"]);
}

#[test]
fn the_skeleton_file_is_found() {
    let folder = Folder::new("skeletons");
    let put = |name: &str| std::fs::write(folder.file(name), "").unwrap();
    let found = |name: &str| {
        asf_of(&folder.file(name))
            .ok()
            .map(|path| path.file_name().unwrap().to_owned())
    };
    assert_eq!(found("16_15.amc"), None);
    put("other.asf");
    assert_eq!(found("16_15.amc").unwrap(), "other.asf");
    put("16.asf");
    assert_eq!(found("16_15.amc").unwrap(), "16.asf");
    assert_eq!(found("17_15.amc"), None);
    put("16_15.ASF");
    assert_eq!(found("16_15.amc").unwrap(), "16_15.ASF");
}
