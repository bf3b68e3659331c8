//! The thresholds of contacts as they follow from a clip: its size, its speed, its noise.

use afoot_core::Clip;
use glam::Vec3;

use super::ContactOptions;
use crate::feet::SoleTracks;
use crate::series::quantile;
use crate::speed::root_speeds;

/// The thresholds as they hold for one clip.
pub struct Limits {
    /// Per frame. [m/s]
    pub settle_speed: Vec<f32>,
    pub release_speed: Vec<f32>,
    pub settle_height: f32,
    pub release_height: f32,
    /// A pinned point moves less from frame to frame. [m]
    pub pinned_step: f32,
    /// Gaps of fewer frames are closed.
    pub gap: usize,
    /// Plants of fewer frames are dropped.
    pub plant: usize,
    /// A rest on a platform lasts at least as many frames.
    pub platform: usize,
}

/// A planted foot moves backwards under the body at the root's speed, and its marker fit drags it
/// along: the faster the body, the faster a foot that is still planted. These shares of the root's
/// speed overtake the constants at 1.5 and 2.4 m/s, where walking turns into running.
const SETTLE_SHARE: f32 = 1.0 / 6.0;
const RELEASE_SHARE: f32 = 1.0 / 4.0;
/// Leg length for which the options are meant. [m]
const ADULT_LEG: f32 = 0.8;

impl Limits {
    pub fn new(clip: &Clip, options: &ContactOptions, noise_speed: f32) -> Self {
        let size = clip
            .skeleton
            .leg_length()
            .map_or(1.0, |leg| leg / ADULT_LEG);
        let root = root_speeds(clip);
        let widened = |base: f32, share: f32| -> Vec<f32> {
            let limit = |root: &f32| (base * size).max(root * share).hypot(1.5 * noise_speed);
            root.iter().map(limit).collect()
        };
        let noise_height = noise_speed * 2.0 / 30.0;
        Self {
            settle_speed: widened(options.settle_speed, SETTLE_SHARE),
            release_speed: widened(options.release_speed, RELEASE_SHARE),
            settle_height: (options.settle_height * size).hypot(noise_height),
            release_height: (options.release_height * size).hypot(noise_height),
            pinned_step: options.pinned_speed * clip.rate.frame_time() as f32,
            gap: frames_at_least(clip, options.longest_gap),
            plant: frames_at_least(clip, options.shortest_plant),
            platform: frames_at_least(clip, 0.12),
        }
    }
}

/// The least number of frames, at least 2, that last `seconds`.
fn frames_at_least(clip: &Clip, seconds: f64) -> usize {
    ((seconds * clip.rate.fps() - 1e-6).ceil() as usize).max(2)
}

/// The mean speed that white noise gives a resting ball joint, from third differences, in which
/// smooth motion nearly vanishes; the lower quartile leaves the swing phases out. [m/s]
pub fn noise_speed(clip: &Clip, feet: &[Option<SoleTracks>; 2]) -> f32 {
    let thirds = |track: &[Vec3]| -> Vec<f32> {
        let third = |p: &[Vec3]| (p[3] - p[0] - 3.0 * (p[2] - p[1])).length();
        track.windows(4).map(third).collect()
    };
    let mut all: Vec<f32> = feet
        .iter()
        .flatten()
        .flat_map(|foot| thirds(&foot.ball))
        .collect();
    let quartile = quantile(&mut all, 0.25).unwrap_or(0.0);
    // a third difference has 20 times the variance; 1.10 is the lower quartile of a 3-D normal length
    let deviation = quartile / (20f32.sqrt() * 1.10);
    let window = (2.0 / 30.0f64).max(2.0 * clip.rate.frame_time()) as f32;
    // 1.60 is the mean of a 3-D normal length
    1.60 * deviation * 2f32.sqrt() / window
}
