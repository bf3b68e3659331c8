//! How fast a steered figure reacts: a drive with random wishes, measured.
//!
//! A wish is a direction drawn evenly from the whole circle, so that one of six is met before it is
//! made. It is met at the first frame at which the root's displacement over the last tenth of a
//! second lies within 30 degrees of the wish and is faster than standing. The time runs from the
//! call that brings the wish to the frame's own time. Whether the figure goes on like that is told
//! too, and the least time that any walk through the graph could have taken from the same state.

use std::ops::Range;
use std::sync::Arc;

use afoot_core::wrap_angle;
use afoot_graph::NodeId;
use afoot_search::Random;

use super::bound::{LeastTimes, Movement};
use super::controller::{Controller, ControllerError, ControllerOptions, ControllerStart, Outlook};
use super::table::ControlTable;
use super::values::ControlOptions;
use crate::repertoire::Repertoire;

/// How the figure is driven.
#[derive(Clone, Debug, PartialEq)]
pub struct ReactionOptions {
    /// Length of the drive. [s, > 0]
    pub seconds: f64,
    /// Shortest and longest time between two wishes; the next waits until one is met. [s, > 0]
    pub pause: Range<f64>,
    /// A wish is met when the figure moves this near to it. [rad, > 0]
    pub within: f64,
    /// Slower than this is standing, which is no direction. [m/s, > 0]
    pub stand_speed: f64,
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
        // What counts as met is what was steered for.
        let ControlOptions {
            within,
            stand_speed,
            ..
        } = ControlOptions::default();
        Self {
            seconds: 600.0,
            pause: 0.5..2.0,
            within,
            stand_speed,
            patience: 10.0,
            controller: ControllerOptions::default(),
            label: None,
            seed: 0,
        }
    }
}

/// Times from a new direction to moving towards it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reaction {
    /// One per wish, sorted; those given up count with the patience. [s]
    pub times: Vec<f64>,
    /// The least that any walk through the graph could take from the same states, sorted, at most
    /// the patience. [s]
    pub bounds: Vec<f64>,
    /// How many were given up.
    pub given_up: usize,
    /// How many of those met, and waited for, were still met half a second later: the way since
    /// lies within one and a half times the angle.
    pub kept: usize,
}

impl Reaction {
    /// The time within which `share` of the wishes were met; 0 where there were none. [s]
    pub fn quantile(&self, share: f64) -> f64 {
        quantile(&self.times, share)
    }

    /// The same of the bounds. [s]
    pub fn bound_quantile(&self, share: f64) -> f64 {
        quantile(&self.bounds, share)
    }
}

fn quantile(sorted: &[f64], share: f64) -> f64 {
    let last = sorted.len().saturating_sub(1) as f64;
    let index = (share * last).round() as usize;
    sorted.get(index).copied().unwrap_or(0.0)
}

/// Movement is taken over this long: shorter, and sway counts as direction. [s]
const MOVEMENT: f64 = 0.1;
/// A wish is kept if the figure still moves towards it after this. [s]
const KEPT: f64 = 0.5;

/// Drives a figure with random directions, a frame at a time.
pub fn measure_reaction(
    repertoire: &Arc<Repertoire>,
    table: &Arc<ControlTable>,
    options: &ReactionOptions,
) -> Result<Reaction, ControllerError> {
    let nodes = repertoire.graph().nodes.len();
    let mut random = Random::new(options.seed);
    let start = ControllerStart::in_the_middle(NodeId(random.below(nodes.max(1)) as u32));
    let (repertoire_too, table) = (Arc::clone(repertoire), Arc::clone(table));
    let figure = Controller::new(repertoire_too, table, start, options.controller)?;
    let rate = repertoire.graph().rate;
    let span = rate.frames_in(MOVEMENT).max(1);
    let movement = Movement {
        span,
        least: options.stand_speed * span as f64 * rate.frame_time(),
        within: options.within,
    };
    let mut drive = Drive {
        least: LeastTimes::new(&**repertoire, &movement),
        frame_time: rate.frame_time(),
        keeps: rate.frames_in(KEPT).max(1),
        figure,
        options,
        movement,
        trace: Vec::new(),
        reaction: Reaction::default(),
    };
    drive.run(&mut random)?;
    Ok(drive.reaction)
}

/// A direction that is wished for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DirectionWish {
    /// From when on. [s]
    pub at: f64,
    /// Yaw. [rad]
    pub direction: f64,
}

/// Random directions to steer in, in order of time.
pub fn random_directions(seconds: f64, pause: Range<f64>, seed: u64) -> Vec<DirectionWish> {
    let mut random = Random::new(seed);
    let (mut wishes, mut at) = (Vec::new(), 0.0);
    while at < seconds {
        let direction = random_direction(&mut random);
        wishes.push(DirectionWish { at, direction });
        at += random.between(pause.start, pause.end).max(1e-3);
    }
    wishes
}

fn random_direction(random: &mut Random) -> f64 {
    random.between(-std::f64::consts::PI, std::f64::consts::PI)
}

struct Drive<'a> {
    figure: Controller,
    options: &'a ReactionOptions,
    movement: Movement,
    least: LeastTimes,
    frame_time: f64,
    /// After how many frames a wish must still be met.
    keeps: usize,
    /// Where the root was, frame by frame.
    trace: Vec<[f64; 2]>,
    reaction: Reaction,
}

impl Drive<'_> {
    fn run(&mut self, random: &mut Random) -> Result<(), ControllerError> {
        let all = (self.options.seconds / self.frame_time) as usize;
        self.advance(0.0, self.keeps.min(all))?;
        while self.trace.len() < all {
            let direction = random_direction(random);
            self.wish(direction, all)?;
            let pause = random.between(self.options.pause.start, self.options.pause.end);
            let frames = ((pause / self.frame_time) as usize).max(1);
            let met_at = self.trace.len();
            self.advance(direction, frames.min(all.saturating_sub(met_at)))?;
            self.reaction.kept += usize::from(self.is_kept(met_at, direction));
        }
        self.reaction.times.sort_by(f64::total_cmp);
        self.reaction.bounds.sort_by(f64::total_cmp);
        Ok(())
    }

    /// Makes a wish and waits until it is met; one that the drive's end cuts off does not count.
    fn wish(&mut self, direction: f64, all: usize) -> Result<(), ControllerError> {
        let since = self.trace.len();
        let bound = self.bound(direction);
        while self.trace.len() < all {
            let waited = (self.trace.len() - since) as f64 * self.frame_time;
            let met = self.movement.reaches(&self.trace, direction);
            if met || waited >= self.options.patience {
                self.reaction.times.push(waited.min(self.options.patience));
                self.reaction.bounds.push(bound.min(self.options.patience));
                self.reaction.given_up += usize::from(!met);
                break;
            }
            self.advance(direction, 1)?;
        }
        Ok(())
    }

    fn advance(&mut self, direction: f64, frames: usize) -> Result<(), ControllerError> {
        for _ in 0..frames {
            let label = self.options.label.as_deref();
            let root = self.figure.advance(self.frame_time, direction, label)?.root;
            self.trace.push([root.x, root.z].map(f64::from));
        }
        Ok(())
    }

    /// The least time from the figure's present state. [s]
    fn bound(&self, direction: f64) -> f64 {
        let Outlook { coming, node, yaw } = self.figure.outlook();
        let mut trace =
            self.trace[self.trace.len().saturating_sub(self.movement.span + 1)..].to_vec();
        let mut frames = 0;
        for root in coming {
            if self.movement.reaches(&trace, direction) {
                return frames as f64 * self.frame_time;
            }
            trace.push([root.x, root.z].map(f64::from));
            frames += 1;
        }
        if self.movement.reaches(&trace, direction) {
            return frames as f64 * self.frame_time;
        }
        let later = self.least.frames(node, direction - yaw);
        later.map_or(f64::INFINITY, |later| {
            f64::from(frames + later) * self.frame_time
        })
    }

    fn is_kept(&self, met_at: usize, direction: f64) -> bool {
        let (Some(from), Some(to)) = (
            self.trace.get(met_at.wrapping_sub(1)),
            self.trace.get(met_at + self.keeps - 1),
        ) else {
            return false;
        };
        let (x, z) = (to[0] - from[0], to[1] - from[1]);
        let off = wrap_angle(x.atan2(z) - direction).abs();
        x.hypot(z) > 0.0 && off <= 1.5 * self.options.within
    }
}
