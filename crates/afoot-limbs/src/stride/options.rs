//! What can be asked of a walk, and what is refused before anything is looked at.

use afoot_core::Side;

use super::error::StrideError;
use super::surface::{Obstacle, Surface};

/// A length in parts of the captured one, or in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measure {
    /// [> 0]
    Factor(f32),
    /// [m, > 0]
    Metres(f32),
}

/// What becomes of a walk.
#[derive(Clone, Debug)]
pub struct StrideOptions {
    /// Length of its steps (S' of eq. 6.6), the captured ones keeping their differences.
    pub stride: Measure,
    /// How high the lower end of a swinging foot rises (F of eq. 6.7), in the mean over the swings.
    pub lift: Measure,
    /// What is added to the factor of each step after the first (`deltaStepScale`). [-1 to 1]
    pub ramp: f32,
    /// Walk exactly so far from where the root begins, instead of a stride. [m, > 0]
    pub distance: Option<f32>,
    /// Begin as out of a stand, over so many steps.
    pub ease_in: usize,
    /// End in a stand, over so many steps.
    pub ease_out: usize,
    /// How far hips are from ankles where this body stands, as captured (`stand_span`); else as in the walk's straightest
    /// mid-stance. [leg lengths, 0.9 to 1]
    pub stand_span: Option<f32>,
    /// Turn more to the left, on each metre: one over the radius. [rad/m, -2 to 2]
    pub turn: f32,
    /// What it walks on.
    pub surface: Surface,
    /// What it steps over.
    pub obstacles: Vec<Obstacle>,
    /// Where every footfall goes, if there are any; stride, ramp and turn don't count then.
    pub footprints: Vec<Footprint>,
}

impl Default for StrideOptions {
    fn default() -> Self {
        Self {
            stride: Measure::Factor(1.0),
            lift: Measure::Factor(1.0),
            ramp: 0.0,
            distance: None,
            ease_in: 0,
            ease_out: 0,
            stand_span: None,
            turn: 0.0,
            surface: Surface::Own,
            obstacles: Vec::new(),
            footprints: Vec::new(),
        }
    }
}

/// A place for a foot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footprint {
    /// Which foot.
    pub side: Side,
    /// Where its ball goes. [m]
    pub x: f32,
    /// [m]
    pub z: f32,
    /// Where its toes point, 0 along +z; as captured if it is left open. [rad]
    pub yaw: Option<f32>,
}

/// Refuses numbers that nobody can mean.
pub(super) fn check(options: &StrideOptions) -> Result<(), StrideError> {
    let within = |what, value: f32, range: std::ops::RangeInclusive<f32>| {
        if value.is_finite() && range.contains(&value) {
            return Ok(());
        }
        let expected = format!("a number from {} to {}", range.start(), range.end());
        Err(StrideError::BadValue {
            what,
            value,
            expected,
        })
    };
    let measure = |what, measure| match measure {
        Measure::Factor(factor) => within(what, factor, 0.05..=10.0),
        Measure::Metres(metres) => within(what, metres, 0.01..=3.0),
    };
    measure("stride", options.stride)?;
    measure("lift", options.lift)?;
    within("ramp", options.ramp, -1.0..=1.0)?;
    within("turn", options.turn, -2.0..=2.0)?;
    if let Some(metres) = options.distance {
        within("distance", metres, 0.05..=1e4)?;
    }
    for obstacle in &options.obstacles {
        within("obstacle at", obstacle.at, -1e4..=1e4)?;
        within("obstacle height", obstacle.height, 0.0..=0.6)?;
        within("obstacle depth", obstacle.depth, 0.0..=2.0)?;
    }
    match &options.surface {
        Surface::Incline(angle) => within("incline", *angle, -0.6..=0.6),
        Surface::Stairs(stairs) => {
            within("stairs: rise", stairs.rise, -0.35..=0.35)?;
            within("stairs: tread", stairs.tread, 0.2..=1.0)
        }
        _ => Ok(()),
    }
}
