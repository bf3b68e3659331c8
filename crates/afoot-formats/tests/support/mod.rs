//! What several tests need: the captured data where it is there, and comparing positions.
#![allow(dead_code, clippy::unwrap_used)] // each test binary uses its part

pub mod random;

use std::path::PathBuf;

use afoot_core::{Clip, forward_kinematics};

/// A folder of captured motion, or a note that the test is skipped.
pub fn cmu(folder: &str) -> Option<PathBuf> {
    Some(afoot_fixtures::captured_folder()?.join(folder))
}

/// The files in a folder with an ending, sorted.
pub fn files(folder: &std::path::Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder was found before");
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == ending));
    paths.sort();
    paths
}

/// The largest distance between the same points of two clips. [m]
pub fn largest_distance(a: &Clip, b: &Clip) -> f32 {
    assert_eq!(a.len(), b.len(), "frame counts");
    let (a, b) = (forward_kinematics(a), forward_kinematics(b));
    assert_eq!(
        a.points_per_frame(),
        b.points_per_frame(),
        "points per frame"
    );
    let pairs = a.as_slice().iter().zip(b.as_slice());
    pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

/// The largest distance between joints of the same name; the roots may differ in name. [m]
pub fn largest_distance_by_name(a: &Clip, b: &Clip) -> f32 {
    assert_eq!(a.len(), b.len(), "frame counts");
    let (of_a, of_b) = (forward_kinematics(a), forward_kinematics(b));
    let mut worst = 0.0_f32;
    for (index, joint) in a.skeleton.joints().iter().enumerate() {
        let found = b.skeleton.find(&joint.name).filter(|_| index > 0);
        let other = found.map_or(0, |id| id.index());
        assert!(index == 0 || other > 0, "{} is missing", joint.name);
        let pairs = of_a.track(index).zip(of_b.track(other));
        worst = pairs.map(|(a, b)| a.distance(b)).fold(worst, f32::max);
    }
    worst
}
