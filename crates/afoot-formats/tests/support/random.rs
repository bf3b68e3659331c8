//! Random numbers for tests.
#![allow(dead_code)] // each test binary uses its part

use afoot_core::{Quat, Vec3};

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

    pub fn vector(&mut self, size: f32) -> Vec3 {
        let mut one = || self.between(-size, size);
        Vec3::new(one(), one(), one())
    }

    pub fn rotation(&mut self) -> Quat {
        let axis = self.vector(1.0).try_normalize().unwrap_or(Vec3::X);
        Quat::from_axis_angle(axis, self.between(-7.0, 7.0))
    }
}
