//! Whether a figure looks where it goes.
//!
//! Facing is square to the lines from right to left hip and shoulder, so that a skeleton whose sides are
//! swapped looks backwards, whatever its root says. Facing and travel are both taken over a second,
//! about a stride: pelvis and shoulders turn against each other by 10° or more with every step, and
//! a sneaking pelvis by 40°. Cost: linear.

use std::ops::Range;

use afoot_core::{Clip, JointId, Positions, Role, Side};
use glam::{DVec2, Vec2};

use crate::speed::size;

/// Slowest that counts as travelling: a third of an easy walk; below it people shuffle and turn on the
/// spot. [m/s, of an adult]
const TRAVEL: f32 = 0.4;
/// Half of the time over which facing and travel are taken. [s]
const REACH: f64 = 0.5;
/// Farthest off the travel that a faced frame looks: cos 30°.
const FACED: f32 = 0.866_025_4;
/// From here on it goes backwards: cos 120°.
const BACKWARDS: f32 = -0.5;

/// Frames that travel, and how.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facing {
    pub travelling: usize,
    pub faced: usize,
    pub backwards: usize,
}

impl Facing {
    /// Takes in the frames `counted`.
    pub fn add(&mut self, clip: &Clip, positions: &Positions, counted: &Range<usize>) {
        let pair = |role: fn(Side) -> Role| {
            let [left, right] = Side::BOTH.map(|side| clip.skeleton.with_role(role(side)));
            Some([left?, right?])
        };
        let Some(hips) = pair(Role::UpLeg) else {
            return;
        };
        let pairs: Vec<[JointId; 2]> = [Some(hips), pair(Role::Arm)]
            .into_iter()
            .flatten()
            .collect();
        let facings = facing_sums(positions, &pairs);
        let reach = clip.rate.frames_in(REACH).max(1);
        let slowest = TRAVEL * size(clip).sqrt();
        for frame in counted.clone() {
            let (from, to) = (
                frame.saturating_sub(reach),
                (frame + reach).min(clip.len() - 1),
            );
            let way = clip.root[to] - clip.root[from];
            let way = Vec2::new(way.x, way.z);
            let seconds = ((to - from).max(1) as f64 * clip.rate.frame_time()) as f32;
            if way.length() < slowest * seconds {
                continue;
            }
            let facing = (facings[to + 1] - facings[from]).as_vec2();
            let along = facing.normalize_or_zero().dot(way.normalize());
            self.travelling += 1;
            self.faced += usize::from(along >= FACED);
            self.backwards += usize::from(along < BACKWARDS);
        }
    }

    /// The share of travelling frames that are faced; `None` if it never travels.
    pub fn share(&self) -> Option<f64> {
        (self.travelling > 0).then(|| self.faced as f64 / self.travelling as f64)
    }
}

/// Sums of the facings of all frames before each, and of all.
fn facing_sums(positions: &Positions, pairs: &[[JointId; 2]]) -> Vec<DVec2> {
    let facing = |frame: usize| {
        let points = positions.frame(frame.into());
        let square = |[left, right]: &[JointId; 2]| {
            let leftwards = points[left.index()] - points[right.index()];
            // yaw 0 looks along +z with its left at +x
            Vec2::new(-leftwards.z, leftwards.x).normalize_or_zero()
        };
        pairs.iter().map(square).sum::<Vec2>().as_dvec2()
    };
    let mut sum = DVec2::ZERO;
    let sums = (0..positions.frames()).map(|frame| {
        sum += facing(frame);
        sum
    });
    std::iter::once(DVec2::ZERO).chain(sums).collect()
}
