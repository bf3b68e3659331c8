//! Ground that is known not to be a plane floor: a slope, stairs, hills that a motion was made for.
//!
//! Feet are judged as on a level floor: every joint is lowered by what lies under it. What swings over the
//! edge of a stair jumps by that, which no measure of planted feet sees. Bodies are carried by the ground
//! about them, not by the edge that they are just above: their heights are over its mean within a step.

use std::sync::Arc;

use afoot_core::Positions;
use glam::Vec3;

/// Heights of the ground over a floor. [m]
#[derive(Clone)]
pub struct Terrain(Arc<dyn Fn(f32, f32) -> f32 + Send + Sync>);

/// Half of a step: how far the ground around a body goes. [m]
const AROUND: f32 = 0.35;
/// Places either way at which that is looked at.
const PLACES: i32 = 6;

impl Terrain {
    /// Of heights at x, z. [m]
    pub fn new(height: Arc<dyn Fn(f32, f32) -> f32 + Send + Sync>) -> Self {
        Self(height)
    }

    /// Points as they would be over the level floor.
    pub(super) fn levelled(&self, positions: &Positions) -> Positions {
        positions.moved(|at| at - Vec3::Y * (self.0)(at.x, at.z))
    }

    /// How high the ground around a place is on the whole. [m]
    pub(super) fn around(&self, at: Vec3) -> f32 {
        let places = || (-PLACES..=PLACES).map(|place| AROUND * place as f32 / PLACES as f32);
        let heights = places().flat_map(|x| places().map(move |z| (self.0)(at.x + x, at.z + z)));
        let count = (2 * PLACES + 1).pow(2);
        heights.sum::<f32>() / count as f32
    }
}

impl std::fmt::Debug for Terrain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Terrain")
    }
}
