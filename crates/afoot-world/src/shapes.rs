//! What stands and lies in a world: obstacles, regions, rivers, bars, beams, raised ground.
//!
//! Obstacles nobody enters. All else says which motion may go there, by the words that its frames
//! carry; what a figure does with its feet and head there is `plan`'s to find.

use afoot_core::bounds_of;
use serde::Deserialize;

use crate::geometry::{distance_from, edges_of, is_inside, segments_cross, signed_distance, strip};

/// Something in the way.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Obstacle {
    /// x, z and radius. [m]
    Circle([f64; 3]),
    /// Corners in order, either way around. [m]
    Polygon(Vec<[f64; 2]>),
}

/// A part of the ground with the labels that it asks for.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Region {
    /// Corners in order. [m]
    pub polygon: Vec<[f64; 2]>,
    /// Motion there carries one of these; none allows all.
    #[serde(default)]
    pub only: Vec<String>,
    /// Motion there carries none of these.
    #[serde(default)]
    pub never: Vec<String>,
}

/// A gap in the ground: no foot stands in it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct River {
    /// Corners in order. [m]
    pub polygon: Vec<[f64; 2]>,
    /// Motion that gets over it carries one of these.
    #[serde(default = "jumping")]
    pub over: Vec<String>,
}

/// Something across the way that one passes under.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bar {
    /// One end. [m]
    pub from: [f64; 2],
    /// The other. [m]
    pub to: [f64; 2],
    /// Its lower edge above the ground. [m, > 0]
    pub height: f64,
    /// Motion that gets under it carries one of these.
    #[serde(default = "ducking")]
    pub under: Vec<String>,
}

/// A narrow way to walk on, which lies over rivers it crosses.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Beam {
    /// One end of its middle line. [m]
    pub from: [f64; 2],
    /// The other. [m]
    pub to: [f64; 2],
    /// Across. [m, > 0]
    #[serde(default = "beam_width")]
    pub width: f64,
    /// Its upper face above the ground. [m, >= 0]
    #[serde(default)]
    pub height: f64,
    /// Motion on it carries one of these.
    #[serde(default = "balancing")]
    pub along: Vec<String>,
}

/// Raised ground: a step, a box, a stage.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Raised {
    /// Corners in order. [m]
    pub polygon: Vec<[f64; 2]>,
    /// Its upper face above the ground. [m]
    pub height: f64,
    /// Motion on it carries one of these; none allows all.
    #[serde(default)]
    pub only: Vec<String>,
}

fn jumping() -> Vec<String> {
    vec!["jump".into()]
}

fn ducking() -> Vec<String> {
    vec!["duck".into()]
}

fn balancing() -> Vec<String> {
    vec!["beam".into()]
}

fn beam_width() -> f64 {
    0.2
}

impl Region {
    /// Whether a point lies in it.
    pub fn covers(&self, point: [f64; 2]) -> bool {
        is_inside(point, &self.polygon)
    }
}

impl Beam {
    /// Where one may tread on it.
    pub fn outline(&self) -> Vec<[f64; 2]> {
        strip(self.from, self.to, self.width)
    }
}

impl Obstacle {
    /// Room between a point and its edge. [m; negative inside]
    pub fn clearance(&self, point: [f64; 2]) -> f64 {
        match self {
            Self::Circle([x, z, radius]) => (point[0] - x).hypot(point[1] - z) - radius,
            Self::Polygon(corners) => signed_distance(point, corners),
        }
    }

    /// Room between a straight line and its edge; 0 or less where they meet. [m]
    pub fn segment_clearance(&self, from: [f64; 2], to: [f64; 2]) -> f64 {
        match self {
            Self::Circle([x, z, radius]) => distance_from([*x, *z], from, to) - radius,
            Self::Polygon(corners) => {
                let ends = self.clearance(from).min(self.clearance(to));
                let rooms = edges_of(corners).map(|(a, b)| match segments_cross(from, to, a, b) {
                    true => 0.0,
                    false => distance_from(a, from, to),
                });
                rooms.fold(ends, f64::min)
            }
        }
    }

    /// Least and greatest corner of its box. [m]
    pub fn extent(&self) -> [[f64; 2]; 2] {
        match self {
            Self::Circle([x, z, radius]) => [[x - radius, z - radius], [x + radius, z + radius]],
            Self::Polygon(corners) => bounds_of(corners),
        }
    }

    /// The same, moved. [m]
    pub fn shifted(&self, by: [f64; 2]) -> Self {
        let shift = |[x, z]: [f64; 2]| [x + by[0], z + by[1]];
        match self {
            Self::Circle([x, z, radius]) => Self::Circle([x + by[0], z + by[1], *radius]),
            Self::Polygon(corners) => Self::Polygon(corners.iter().copied().map(shift).collect()),
        }
    }

    /// Its edge as a closed line; of a circle `sides` chords.
    pub fn outline(&self, sides: usize) -> Vec<[f64; 2]> {
        match self {
            Self::Polygon(corners) => corners.clone(),
            Self::Circle([x, z, radius]) => (0..sides)
                .map(|side| side as f64 * std::f64::consts::TAU / sides as f64)
                .map(|angle| [x + radius * angle.cos(), z + radius * angle.sin()])
                .collect(),
        }
    }
}
