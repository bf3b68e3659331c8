//! How fast a steered figure reacts: a drive with random wishes, measured.

use std::sync::Arc;

use afoot_core::{Planar, Vec3, wrap_angle};
use afoot_graph::NodeId;
use afoot_search::Random;

use super::controller::{Controller, ControllerError, ControllerOptions};
use super::table::ControlTable;
use crate::repertoire::Repertoire;

/// How the figure is driven.
#[derive(Clone, Debug, PartialEq)]
pub struct ReactionOptions {
    /// Length of the drive. [s, > 0]
    pub seconds: f64,
    /// Shortest and longest time between two wishes; the next waits until one is met. [s, > 0]
    pub pause: (f64, f64),
    /// A wish is met when the figure moves this near to it. [rad, > 0]
    pub within: f64,
    /// Given up after this. [s, > 0]
    pub patience: f64,
    /// How it is steered.
    pub controller: ControllerOptions,
    /// The kind of motion asked for throughout.
    pub label: Option<String>,
    /// Of the wishes.
    pub seed: u64,
}

impl Default for ReactionOptions {
    fn default() -> Self {
        Self {
            seconds: 600.0,
            pause: (0.5, 2.0),
            within: 30f64.to_radians(),
            patience: 10.0,
            controller: ControllerOptions::default(),
            label: None,
            seed: 0,
        }
    }
}

/// Times from a new direction to moving towards it.
#[derive(Clone, Debug, PartialEq)]
pub struct Reaction {
    /// One per wish, sorted; those given up count with the patience. [s]
    pub times: Vec<f64>,
    /// How many were given up.
    pub given_up: usize,
}

impl Reaction {
    /// The time within which `share` of the wishes were met; 0 where there were none. [s]
    pub fn quantile(&self, share: f64) -> f64 {
        let last = self.times.len().saturating_sub(1) as f64;
        self.times
            .get((share * last).round() as usize)
            .copied()
            .unwrap_or(0.0)
    }
}

/// Movement is taken over this long: shorter, and sway counts as direction. [s]
const MOVEMENT: f64 = 0.1;

/// Drives a figure with random directions, a frame at a time.
pub fn measure_reaction(
    repertoire: &Arc<Repertoire>,
    table: &Arc<ControlTable>,
    options: &ReactionOptions,
) -> Result<Reaction, ControllerError> {
    let mut random = Random::new(options.seed);
    let node = NodeId(random.below(repertoire.graph().nodes.len()) as u32);
    let mut figure = Controller::new(
        repertoire.clone(),
        table.clone(),
        (node, Planar::IDENTITY),
        options.controller,
    )?;
    let frame_time = repertoire.graph().rate.frame_time();
    let span = repertoire.graph().rate.frames_in(MOVEMENT).max(1);
    let mut trace: Vec<Vec3> = Vec::new();
    let mut wish = Wish {
        direction: 0.0,
        since: 0.0,
        met: false,
        next: 0.0,
    };
    let mut reaction = Reaction {
        times: Vec::new(),
        given_up: 0,
    };
    let frames = (options.seconds / frame_time) as usize;
    for frame in 0..frames {
        let now = frame as f64 * frame_time;
        if wish.met && now >= wish.next {
            let direction = random.between(-std::f64::consts::PI, std::f64::consts::PI);
            wish = Wish {
                direction,
                since: now,
                met: false,
                next: 0.0,
            };
        }
        trace.push(
            figure
                .advance(frame_time, wish.direction, options.label.as_deref())?
                .root,
        );
        let waited = now - wish.since;
        let arrived = moves_towards(&trace, span, wish.direction, options.within);
        if !wish.met && (arrived || waited > options.patience) {
            reaction.times.push(waited.min(options.patience));
            reaction.given_up += usize::from(!arrived);
            wish.met = true;
            wish.next = now + random.between(options.pause.0, options.pause.1);
        }
    }
    reaction.times.sort_by(f64::total_cmp);
    Ok(reaction)
}

struct Wish {
    direction: f64,
    since: f64,
    met: bool,
    next: f64,
}

fn moves_towards(trace: &[Vec3], span: usize, direction: f64, within: f64) -> bool {
    let Some(before) = trace.len().checked_sub(span + 1) else {
        return false;
    };
    let moved = trace[trace.len() - 1] - trace[before];
    let yaw = f64::from(moved.x).atan2(f64::from(moved.z));
    moved.x.hypot(moved.z) > 0.02 && wrap_angle(yaw - direction).abs() <= within
}
