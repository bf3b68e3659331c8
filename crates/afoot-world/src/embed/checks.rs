//! What is refused before the work starts: options, graphs and sizes that make no sense.

use afoot_run::Stopped;
use thiserror::Error;

use super::{EmbedOptions, Estimate};
use crate::moves::Moves;
use crate::world::WorldError;

/// Why nothing was embedded.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum EmbedError {
    #[error(transparent)]
    World(#[from] WorldError),
    #[error("{what} is {found}; expected {expected}")]
    BadOption {
        what: &'static str,
        found: f64,
        expected: &'static str,
    },
    #[error("the world has no free ground for a character of radius {radius} m")]
    NoGround { radius: f64 },
    #[error("the graph has no place where one may choose between ways on")]
    NoChoices,
    #[error("no motion of the graph leads anywhere: the farthest goes {longest:.2} m")]
    NoLocomotion { longest: f64 },
    #[error(
        "{states} states{} would take {} MB, and {} MB are allowed; larger cells or a shorter graph \
         take less", with_stencils(*.stencils), .needed >> 20, .allowed >> 20
    )]
    TooLarge {
        states: u64,
        stencils: u64,
        needed: u64,
        allowed: u64,
    },
    #[error("no motion of the graph fits into the world and goes on for ever")]
    NoLoop,
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Worlds that are too large at once are refused before stencils are counted.
fn with_stencils(count: u64) -> String {
    match count {
        0 => String::new(),
        count => format!(" and {count} stencils"),
    }
}

impl EmbedError {
    /// Whether the request itself is wrong; else the library holds no motion for it.
    pub fn is_bad_request(&self) -> bool {
        !matches!(
            self,
            Self::NoChoices | Self::NoLocomotion { .. } | Self::NoLoop
        )
    }
}

pub(super) fn check_memory(estimate: Estimate, allowed: u64) -> Result<Estimate, EmbedError> {
    let Estimate {
        states,
        stencils,
        bytes,
        ..
    } = estimate;
    if bytes > allowed || states >= u64::from(u32::MAX) {
        return Err(EmbedError::TooLarge {
            states,
            stencils,
            needed: bytes,
            allowed,
        });
    }
    Ok(estimate)
}

/// Finer cells and headings than a body is placed by make nothing but work. [m], [rad]
const LEAST_CELL: f64 = 0.01;
const LEAST_YAW: f64 = 0.999 * std::f64::consts::PI / 180.0;

impl EmbedOptions {
    /// Whether they make sense; asked before anything is laid out by them.
    pub fn check(&self) -> Result<(), EmbedError> {
        check_options(self)
    }
}

fn check_options(options: &EmbedOptions) -> Result<(), EmbedError> {
    let edit = &options.edit;
    let third = std::f64::consts::TAU / 3.0;
    let at_least_0 = |value: f64| value.is_finite() && value >= 0.0;
    let checks = [
        (
            "the cell's width",
            options.cell,
            options.cell >= LEAST_CELL && options.cell.is_finite(),
            "0.01 m or more",
        ),
        (
            "the angle between headings",
            options.yaw,
            options.yaw >= LEAST_YAW && options.yaw <= third,
            "1 to 120 degrees",
        ),
        (
            "the margin",
            options.margin,
            at_least_0(options.margin),
            "0 m or more",
        ),
        (
            "the shift per metre",
            edit.shift,
            at_least_0(edit.shift) && edit.shift <= 1.0,
            "0 to 1 m: more than that is another way",
        ),
        (
            "the turn per metre",
            edit.turn,
            at_least_0(edit.turn),
            "0 or more",
        ),
        (
            "the shift per second",
            edit.shift_in_time,
            at_least_0(edit.shift_in_time) && edit.shift_in_time <= 1.0,
            "0 to 1 m: more than that is another way",
        ),
        (
            "the turn per second",
            edit.turn_in_time,
            at_least_0(edit.turn_in_time),
            "0 or more",
        ),
    ];
    match checks.into_iter().find(|(_, _, fits, _)| !fits) {
        None => Ok(()),
        Some((what, found, _, expected)) => Err(EmbedError::BadOption {
            what,
            found,
            expected,
        }),
    }
}

/// A graph must have choices, and moves that lead somewhere.
pub(super) fn check_moves(moves: &Moves) -> Result<(), EmbedError> {
    if moves.nodes.is_empty() || moves.list.is_empty() {
        return Err(EmbedError::NoChoices);
    }
    let ends = moves.list.iter().map(|step| step.end());
    let longest = ends.map(|end| end.x.hypot(end.z)).fold(0.0, f64::max);
    match longest > LOCOMOTION {
        true => Ok(()),
        false => Err(EmbedError::NoLocomotion { longest }),
    }
}

/// Moves that lead nowhere are no locomotion. [m]
const LOCOMOTION: f64 = 0.3;
