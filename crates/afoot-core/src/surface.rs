//! Points of a body's surface that move with its joints: a mesh reduced to what comparing poses needs.

use glam::Vec3;

use crate::index::JointId;

/// A point that is fixed to a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// The joint that moves it.
    pub joint: JointId,
    /// From that joint, in its frame. [m]
    pub offset: Vec3,
    /// The share of the surface that it stands for; those of a skeleton sum to 1.
    pub weight: f32,
}
