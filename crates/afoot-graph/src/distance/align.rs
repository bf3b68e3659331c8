//! One pair of windows, aligned as Kovar et al. 2002 write it (eqs. 1 to 4), in f64.
//!
//! The slow, obvious evaluation that the fast one is tested against, and the way to get the turn
//! and shift of a single pair.

use afoot_core::{Clip, ClipFrame, FrameId, Planar};

use super::cloud::PointCloud;
use super::features::WindowShape;
use crate::level::level_clip;

/// The best placement of one window on another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alignment {
    /// Carries the second window's coordinates to where they fit the first one's best.
    pub transform: Planar,
    /// Root mean square distance of corresponding points after it. [cm]
    pub error_cm: f64,
}

/// The points of two windows, to be laid on each other.
pub struct WindowPair {
    first: Vec<WeightedPoint>,
    second: Vec<WeightedPoint>,
}

impl WindowPair {
    /// The windows that begin at `a` and at `b`; `None` if either clip has too few frames for its window.
    pub fn new(
        a: ClipFrame,
        b: ClipFrame,
        cloud: &PointCloud,
        shape: &WindowShape,
    ) -> Option<Self> {
        Some(Self {
            first: points_in(a, cloud, shape)?,
            second: points_in(b, cloud, shape)?,
        })
    }

    /// Where the second window fits the first one's best.
    pub fn align(&self) -> Alignment {
        let transform = best_transform(&self.first, &self.second);
        Alignment {
            transform,
            error_cm: self.error_cm(transform),
        }
    }

    /// Root mean square distance of corresponding points where `placement` puts the second window. [cm]
    pub fn error_cm(&self, placement: Planar) -> f64 {
        let pairs = self.first.iter().zip(&self.second);
        let square: f64 = pairs
            .map(|(p, q)| p.weight * p.distance(q, placement))
            .sum();
        100.0 * square.max(0.0).sqrt()
    }
}

/// The points of the window that begins at a frame, if the clip has all of its frames.
fn points_in(
    start: ClipFrame,
    cloud: &PointCloud,
    shape: &WindowShape,
) -> Option<Vec<WeightedPoint>> {
    let fits = start.frame.index() + shape.frames() <= start.clip.len();
    fits.then(|| window_points(start, cloud, shape))
}

struct WeightedPoint {
    weight: f64,
    x: f64,
    y: f64,
    z: f64,
}

impl WeightedPoint {
    /// Squared distance to `other` after `transform`. [m²]
    fn distance(&self, other: &Self, transform: Planar) -> f64 {
        let [x, z] = transform.point([other.x, other.z]);
        (self.x - x).powi(2) + (self.y - other.y).powi(2) + (self.z - z).powi(2)
    }
}

/// The points of all frames of a window of the clip made level; weights sum to 1.
fn window_points(start: ClipFrame, cloud: &PointCloud, shape: &WindowShape) -> Vec<WeightedPoint> {
    let positions = cloud.positions(&level_clip(&part_of(start, shape.frames())));
    let mut points = Vec::new();
    for (step, of_frame) in shape.weights().iter().enumerate() {
        let frame = positions.frame(FrameId::from(step));
        for (&point, of_point) in cloud.points.iter().zip(&cloud.weights) {
            let weight = of_frame * of_point;
            let [x, y, z] = frame[point].to_array().map(f64::from);
            points.push(WeightedPoint { weight, x, y, z });
        }
    }
    points
}

fn part_of(start: ClipFrame, frames: usize) -> Clip {
    let (clip, start) = (start.clip, start.frame.index());
    let joints = clip.joint_count();
    let mut part = Clip::empty("", clip.skeleton.clone(), clip.rate);
    part.root = clip.root[start..start + frames].to_vec();
    part.rotations = clip.rotations[start * joints..(start + frames) * joints].to_vec();
    part.sliding = clip.sliding.clone();
    part.sliding
        .iter_mut()
        .for_each(|s| s.offsets = s.offsets[start..start + frames].to_vec());
    part.ground = clip.ground;
    part
}

/// Equations 2 to 4.
fn best_transform(first: &[WeightedPoint], second: &[WeightedPoint]) -> Planar {
    let sum = |term: &dyn Fn(&WeightedPoint, &WeightedPoint) -> f64| -> f64 {
        first
            .iter()
            .zip(second)
            .map(|(p, q)| p.weight * term(p, q))
            .sum()
    };
    let total = sum(&|_, _| 1.0);
    let (x, z) = (sum(&|p, _| p.x), sum(&|p, _| p.z));
    let (x_other, z_other) = (sum(&|_, q| q.x), sum(&|_, q| q.z));
    let sine = sum(&|p, q| p.x * q.z - q.x * p.z) - (x * z_other - x_other * z) / total;
    let cosine = sum(&|p, q| p.x * q.x + p.z * q.z) - (x * x_other + z * z_other) / total;
    let yaw = sine.atan2(cosine);
    Planar {
        x: (x - x_other * yaw.cos() - z_other * yaw.sin()) / total,
        z: (z + x_other * yaw.sin() - z_other * yaw.cos()) / total,
        yaw,
    }
}
