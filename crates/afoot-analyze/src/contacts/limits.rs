//! The thresholds of contacts as they follow from a clip: its size, its speed, its noise.
//!
//! The options are meant for an adult's walk. Lengths scale with leg length, speeds with the pace
//! of the figure (see `speed`). Noise, measured on the clip, adds to both by squares.

use afoot_core::Clip;
use glam::Vec3;

use super::ContactOptions;
use crate::feet::SoleTracks;
use crate::series::quantile;
use crate::speed::{SPEED_WINDOW, paces, size};

/// The thresholds as they hold for one clip.
pub struct Limits {
    /// Per frame. [m/s]
    pub settle_speed: Vec<f32>,
    pub release_speed: Vec<f32>,
    pub settle_height: f32,
    pub release_height: f32,
    /// A pinned point moves less from frame to frame. [m]
    pub pinned_step: f32,
    /// Gaps and plants of fewer frames do not count.
    pub shortest: usize,
    /// A foot that takes a step bears the body alone for as many frames or more.
    pub step: usize,
    /// The centre of pressure is found within this of what bears the body. [m]
    pub pressure_reach: f32,
}

/// [m/s²]
pub const GRAVITY: f32 = 9.81;
/// Stances of fast runs last no shorter. [s]
const STEP: f64 = 0.2;
/// The centre of pressure is farther than this off the sole of a captured adult's only standing foot
/// in one frame of a hundred. [m]
const PRESSURE_REACH: f32 = 0.1;

impl Limits {
    pub fn new(clip: &Clip, options: &ContactOptions, noise: Noise) -> Self {
        let (size, paces) = (size(clip), paces(clip));
        let speeds = |base: f32| -> Vec<f32> {
            let limit = |pace: &f32| (base * pace).hypot(noise.speed);
            paces.iter().map(limit).collect()
        };
        Self {
            settle_speed: speeds(options.settle_speed),
            release_speed: speeds(options.release_speed),
            settle_height: (options.settle_height * size).hypot(noise.height),
            release_height: (options.release_height * size).hypot(noise.height),
            pinned_step: options.pinned_speed * clip.rate.frame_time() as f32,
            shortest: frames_at_least(clip, options.shortest),
            step: frames_at_least(clip, STEP * f64::from(size.sqrt())),
            pressure_reach: PRESSURE_REACH * size,
        }
    }
}

/// The least number of frames, at least 2, that last `seconds`.
fn frames_at_least(clip: &Clip, seconds: f64) -> usize {
    ((seconds * clip.rate.fps() - 1e-6).ceil() as usize).max(2)
}

/// What noise alone does to a resting point in 99 of 100 frames.
#[derive(Clone, Copy)]
pub struct Noise {
    /// It moves slower than this. [m/s]
    pub speed: f32,
    /// It is no higher than this above its middle. [m]
    pub height: f32,
}

impl Noise {
    /// From third differences of the ball joints, in which smooth motion nearly vanishes; the lower
    /// quartile leaves the swing phases out.
    pub fn of_feet(clip: &Clip, feet: &[Option<SoleTracks>; 2]) -> Self {
        let third = |p: &[Vec3]| (p[3] - p[0] - 3.0 * (p[2] - p[1])).length();
        let tracks = feet.iter().flatten().map(|foot| &foot.ball);
        let mut all: Vec<f32> = tracks
            .flat_map(|track| track.windows(4).map(third))
            .collect();
        let quartile = quantile(&mut all, 0.25).unwrap_or(0.0);
        // a third difference has 20 times the variance; of a 3-D normal's length 1.10 is the lower
        // quartile and 3.37 the 99th percentile, of a 1-D normal 2.33
        let deviation = quartile / (20f32.sqrt() * 1.10);
        let window = 2.0 * SPEED_WINDOW.max(clip.rate.frame_time()) as f32;
        Self {
            speed: 3.37 * deviation * 2f32.sqrt() / window,
            height: 2.33 * deviation,
        }
    }
}
