//! Files written and read piece by piece are the files written and read at once.
#![allow(clippy::unwrap_used)] // a test fails by panicking

use std::sync::Arc;

use afoot_core::{Channel, Clip, FrameRate, Joint, JointId, Quat, Skeleton, Vec3, cut_clip};
use afoot_fixtures::Folder;
use afoot_formats::{
    FormatError, MotionWriter, PieceLength, ReadOptions, Unit, UnitOption, WriteOptions,
    read_in_pieces, read_motion, write_motion,
};

/// A root with an arm; its elbow has one channel, and bends sideways after frame 60.
fn clip(frames: usize) -> Clip {
    let mut joints = vec![
        Joint::new("root", None, Vec3::ZERO),
        Joint::new("arm", Some(JointId(0)), Vec3::X),
        Joint::new("elbow", Some(JointId(1)), Vec3::X),
    ];
    use Channel::{Xposition, Xrotation, Yposition, Yrotation, Zposition, Zrotation};
    let turns = [Zrotation, Yrotation, Xrotation];
    joints[0].channels = [&[Xposition, Yposition, Zposition][..], &turns].concat();
    joints[1].channels = turns.to_vec();
    joints[2].channels = vec![Xrotation];
    let skeleton = Arc::new(Skeleton::new(joints, Vec::new()).unwrap());
    let mut clip = Clip::empty("arm", skeleton, FrameRate::FPS_30);
    for frame in 0..frames {
        let angle = frame as f32 * 0.11;
        clip.root.push(Vec3::new(angle, 1.0, -2.0 * angle));
        let elbow = match frame > 60 {
            true => Quat::from_rotation_y(0.3 * angle.sin()),
            false => Quat::from_rotation_x(angle),
        };
        let turn = Quat::from_rotation_y(angle) * Quat::from_rotation_x(0.4);
        clip.rotations.extend([turn, turn.inverse(), elbow]);
    }
    clip
}

fn write_in_pieces(path: &std::path::Path, clip: &Clip, frames: u32) -> Result<(), FormatError> {
    let mut writer = MotionWriter::new(path, clip.len(), &WriteOptions::default())?;
    let all = clip.len() as u32;
    for start in (0..all).step_by(frames as usize) {
        writer.write(cut_clip(clip, start..(start + frames).min(all)).unwrap())?;
    }
    writer.finish().map(|_| ())
}

fn options() -> ReadOptions {
    ReadOptions {
        unit: UnitOption::Unit(Unit::Centimetre),
        ..ReadOptions::default()
    }
}

#[test]
fn pieces_make_the_same_motion_in_every_format() {
    let (folder, clip) = (Folder::new("pieces-same"), clip(100));
    for ending in ["bvh", "glb", "amc"] {
        let (whole, parts) = (
            folder.file(&format!("whole.{ending}")),
            folder.file(&format!("parts.{ending}")),
        );
        write_motion(&whole, &clip, &WriteOptions::default()).unwrap();
        write_in_pieces(&parts, &clip, 17).unwrap();
        let read = |path| read_motion(path, &options()).unwrap().clip;
        let (whole, parts) = (read(&whole), read(&parts));
        assert_eq!(whole.root, parts.root, "{ending}");
        for (a, b) in whole.rotations.iter().zip(&parts.rotations) {
            assert!(a.dot(*b).abs() > 1.0 - 1e-6, "{ending}: {a} {b}");
        }
        assert_eq!(whole.rotations.len(), parts.rotations.len());
    }
}

#[test]
fn one_piece_gives_the_bytes_of_the_whole() {
    let (folder, clip) = (Folder::new("pieces-one"), clip(50));
    let (whole, parts) = (folder.file("whole.bvh"), folder.file("parts.bvh"));
    write_motion(&whole, &clip, &WriteOptions::default()).unwrap();
    write_in_pieces(&parts, &clip, 50).unwrap();
    assert_eq!(std::fs::read(whole).unwrap(), std::fs::read(parts).unwrap());
}

#[test]
fn an_unfinished_file_never_appears() {
    let (folder, clip) = (Folder::new("pieces-unfinished"), clip(20));
    let path = folder.file("motion.bvh");
    let mut writer = MotionWriter::new(&path, 30, &WriteOptions::default()).unwrap();
    writer.write(clip.clone()).unwrap();
    let error = writer.finish().unwrap_err().to_string();
    assert!(error.contains("20") && error.contains("30"), "{error}");
    let mut dropped = MotionWriter::new(&path, 30, &WriteOptions::default()).unwrap();
    dropped.write(clip).unwrap();
    drop(dropped);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn reading_in_pieces_sees_every_frame_once_with_context() {
    let (folder, clip) = (Folder::new("pieces-read"), clip(100));
    let path = folder.file("motion.bvh");
    write_motion(&path, &clip, &WriteOptions::default()).unwrap();
    let whole = read_motion(&path, &options()).unwrap().clip;
    for (frames, context) in [(30, 7), (33, 1), (20, 40), (100, 0), (1000, 10), (50, 0)] {
        let length = PieceLength { frames, context };
        let mut seen = 0;
        let look = |piece: &Clip, new: std::ops::Range<usize>| -> Result<(), FormatError> {
            assert!(new.start >= context.min(seen), "{length:?}: {new:?}");
            let first = seen - new.start;
            assert_eq!(piece.root[..], whole.root[first..first + piece.len()]);
            seen += new.len();
            assert!(piece.len() - new.end >= context.min(100 - seen));
            Ok(())
        };
        read_in_pieces(&path, &options(), length, look).unwrap();
        assert_eq!(seen, 100, "{length:?}");
    }
}
