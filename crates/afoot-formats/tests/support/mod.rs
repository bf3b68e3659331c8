//! What several tests need: the captured data where it is there, and comparing positions.
#![allow(dead_code, clippy::unwrap_used)] // each test binary uses its part

use std::path::PathBuf;

use afoot_core::{Clip, forward_kinematics};

/// The folder with captured motion, or a note that the test is skipped.
pub fn cmu(folder: &str) -> Option<PathBuf> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cmu");
    let root = std::env::var_os("AFOOT_CMU").map_or(beside, PathBuf::from);
    let path = root.join(folder);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: no captured motion at {}", path.display());
    None
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

/// A small generator of random numbers (SplitMix64), the same on every machine.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * (self.next() >> 40) as f32 / (1 << 24) as f32
    }

    pub fn vector(&mut self, size: f32) -> afoot_core::Vec3 {
        let mut one = || self.between(-size, size);
        afoot_core::Vec3::new(one(), one(), one())
    }

    pub fn rotation(&mut self) -> afoot_core::Quat {
        let axis = self
            .vector(1.0)
            .try_normalize()
            .unwrap_or(afoot_core::Vec3::X);
        afoot_core::Quat::from_axis_angle(axis, self.between(-7.0, 7.0))
    }
}
