//! BVH against captured motion; skipped where there is none.
#![allow(clippy::unwrap_used)] // a test fails by panicking

mod support;

use afoot_core::{Channel, Clip, FrameRate};
use afoot_formats::{
    ReadOptions, Unit, UnitOrigin, UpAxis, WriteOptions, read_bvh, read_motion, write_bvh,
};
use glam::DQuat;

#[test]
fn captured_clips_are_read_without_a_word() {
    let Some(folder) = support::cmu("bvh") else {
        return;
    };
    for path in support::files(&folder, "bvh") {
        let motion = read_motion(&path, &ReadOptions::default()).unwrap();
        let source = &motion.source;
        assert_eq!(source.metres_per_unit, Unit::Cmu.metres(), "{path:?}");
        let found = (source.unit_origin, source.up);
        assert_eq!(found, (UnitOrigin::Guessed, UpAxis::Y), "{path:?}");
        assert_eq!(motion.clip.rate, FrameRate::new(120, 1).unwrap());
        let frames = motion.clip.len() as u64;
        assert_eq!(source.header_frames, Some(frames), "{path:?}");
        assert_eq!(source.warnings, Vec::<String>::new(), "{path:?}");
        assert_eq!(motion.clip.joint_count(), 31);
        motion.clip.check().unwrap();
    }
}

#[test]
fn captured_clips_are_written_and_read_again() {
    let Some(folder) = support::cmu("bvh") else {
        return;
    };
    for path in support::files(&folder, "bvh").iter().step_by(13) {
        let motion = read_motion(path, &ReadOptions::default()).unwrap();
        for options in [WriteOptions::like(&motion.source), WriteOptions::default()] {
            let written = write_bvh(&motion.clip, &options).unwrap();
            assert_eq!(written.warnings, Vec::<String>::new(), "{path:?}");
            let again = read_bvh(&written.bytes, &ReadOptions::default()).unwrap();
            let header = again.source.header_frames;
            assert_eq!(header, motion.source.header_frames, "{path:?}");
            let (a, b) = (again.clip.skeleton.joints(), motion.clip.skeleton.joints());
            assert_eq!((a.len(), b.len()), (31, 31));
            for (a, b) in a.iter().zip(b) {
                assert_eq!((&a.name, &a.channels), (&b.name, &b.channels));
            }
            let off = support::largest_distance(&motion.clip, &again.clip);
            assert!(off < 2e-5, "{path:?}: {off} m");
        }
    }
}

#[test]
fn the_fast_reader_agrees_with_a_slow_one() {
    let Some(folder) = support::cmu("bvh") else {
        return;
    };
    for path in support::files(&folder, "bvh").iter().step_by(29) {
        let text = std::fs::read(path).unwrap();
        let clip = read_bvh(&text, &ReadOptions::default()).unwrap().clip;
        let text = String::from_utf8(text).unwrap();
        let (_, rows) = text.split_once("Frame Time:").unwrap();
        let rows: Vec<&str> = rows
            .lines()
            .skip(1)
            .filter(|row| !row.trim().is_empty())
            .collect();
        assert_eq!(rows.len(), clip.len(), "{path:?}");
        for (frame, row) in rows.iter().enumerate() {
            check_row(row, &clip, frame);
        }
    }
}

/// A row read word by word, with sines and cosines in f64.
fn check_row(row: &str, clip: &Clip, frame: usize) {
    let mut numbers = row
        .split_whitespace()
        .map(|word| word.parse::<f64>().unwrap());
    let joints = clip.skeleton.joints();
    for (index, joint) in joints.iter().enumerate() {
        let mut rotation = DQuat::IDENTITY;
        for &channel in &joint.channels {
            let value = numbers.next().unwrap();
            let place = clip.root[frame].as_dvec3() / Unit::Cmu.metres();
            let close = |axis: f64| assert!((axis - value).abs() < 1e-5, "frame {frame}");
            rotation *= match channel {
                Channel::Xrotation => DQuat::from_rotation_x(value.to_radians()),
                Channel::Yrotation => DQuat::from_rotation_y(value.to_radians()),
                Channel::Zrotation => DQuat::from_rotation_z(value.to_radians()),
                Channel::Xposition => {
                    close(place.x);
                    continue;
                }
                Channel::Yposition => {
                    close(place.y);
                    continue;
                }
                Channel::Zposition => {
                    close(place.z);
                    continue;
                }
            };
        }
        let found = clip.rotations[frame * joints.len() + index].as_dquat();
        let apart = (found - rotation).length().min((found + rotation).length()) * 2.0;
        assert!(
            apart < 1e-6,
            "{} in frame {frame} is off by {apart} rad",
            joint.name
        );
    }
    assert_eq!(numbers.next(), None);
}
