//! Why a walk can't be changed as it was asked for, with what is possible.

use afoot_core::Side;
use thiserror::Error;

/// Why a walk can't be changed so.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum StrideError {
    #[error(
        "clip {clip:?}: both legs must be known by hip, knee and ankle: animals and machines have none; a person's are \
         known once its joints have roles"
    )]
    NoLegs { clip: String },
    #[error("clip {clip:?}: no contacts are known; detect them first")]
    NoContacts { clip: String },
    #[error(
        "clip {clip:?} has {found} foot plants; a stride can be changed from three on, of both feet"
    )]
    TooFewPlants { clip: String, found: usize },
    #[error(
        "clip {clip:?} has {found} footfalls that the body goes over; a walk with the stands that were asked for needs {needed}"
    )]
    TooFewForStand {
        clip: String,
        found: usize,
        needed: usize,
    },
    #[error("clip {clip:?} goes {metres:.2} m; it has no stride to change")]
    NoTravel { clip: String, metres: f32 },
    #[error("{what} {value}: expected {expected}")]
    BadValue {
        what: &'static str,
        value: f32,
        expected: String,
    },
    #[error(
        "steps of {asked:.2} m are longer than these legs allow: at most {most:.2} m, {factor:.2} times the captured steps"
    )]
    TooLong { asked: f32, most: f32, factor: f32 },
    #[error("clip {clip:?} halts or turns; stairs take a foot to a tread, straight ahead: {}", straight_part(.straight))]
    NotStraightOn {
        clip: String,
        /// The longest part that goes straight on, and over how many footfalls. [s]
        straight: Option<(f64, f64, usize)>,
    },
    #[error(
        "hips would have to be {lowered:.2} m lower so that these legs reach the ground; at most {most:.2} m are bent to"
    )]
    TooLow { lowered: f32, most: f32 },
    #[error(
        "an obstacle {depth:.2} m deep can't be stepped over by this walk; at most {most:.2} m can"
    )]
    ObstacleTooDeep { depth: f32, most: f32 },
    #[error("{found} footprints, but the clip has {} footfalls: {}", .expected.len(), sides(.expected))]
    WrongPrints { found: usize, expected: Vec<Side> },
    #[error("footprint {} is of the wrong foot: expected the {}", .index + 1, side_name(*.expected))]
    WrongFoot { index: usize, expected: Side },
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}

fn straight_part(straight: &Option<(f64, f64, usize)>) -> String {
    match straight {
        Some((from, to, falls)) => {
            format!("its part from {from:.2} to {to:.2} s does, with {falls} footfalls")
        }
        None => "no part of it does for four footfalls".into(),
    }
}

fn sides(sides: &[Side]) -> String {
    let names: Vec<&str> = sides.iter().map(|side| side_name(*side)).collect();
    names.join(", ")
}
