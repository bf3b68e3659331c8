//! Footsteps along a way: when and where each foot comes down, at which speed and gait.
//!
//! Step rate and stance by speed as in the walks and runs of the CMU data (0.9 to 1.7 m/s with 1.6
//! to 2.3 steps/s; 2 to 4 m/s with 2.5 to 3.2) and Perry's (1992) shares of the walking cycle.
//! A step's middle is when and where the body passes over the foot.

use afoot_core::{Planar, Side};

use crate::balance::foot_place;
use crate::drift::Dice;
use crate::path::Path;
use crate::plan::{EVER, Plan, Plant, Style, Swing};

/// How the feet go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gait {
    Walk,
    Run,
    Sneak,
}

impl Gait {
    /// Seconds from step to step at a speed.
    pub fn period(self, speed: f64) -> f64 {
        match self {
            Self::Walk => 1.0 / (0.83 + 0.857 * speed),
            Self::Run => 1.0 / (2.45 + 0.12 * speed),
            Self::Sneak => (1.05 - 1.5 * (speed - 0.52)).clamp(0.6, 1.3),
        }
    }

    /// Seconds that a foot touches.
    fn stance(self, speed: f64) -> f64 {
        match self {
            Self::Walk => (0.68 - 0.0625 * speed) * 2.0 * self.period(speed),
            Self::Run => 0.345 - 0.035 * speed,
            Self::Sneak => 0.70 * 2.0 * self.period(speed),
        }
    }

    pub fn style(self) -> Style {
        match self {
            Self::Walk => Style::WALK,
            Self::Run => Style::RUN,
            Self::Sneak => Style::SNEAK,
        }
    }

    /// Half the distance of the feet across the heading. [m]
    fn half_width(self) -> f64 {
        match self {
            Self::Walk => 0.055,
            Self::Run => 0.035,
            Self::Sneak => 0.075,
        }
    }
}

/// Feet of one who stands. [m], [rad]
pub const STAND_HALF_WIDTH: f64 = 0.095;
pub const TOE_OUT: f64 = 0.11;

/// One step to be made.
#[derive(Clone, Debug)]
pub struct Step {
    pub gait: Gait,
    /// [m/s]
    pub speed: f64,
    /// In place of the gait's own way through the air.
    pub swing: Option<Swing>,
}

/// `count` equal steps.
pub fn steps(gait: Gait, speed: f64, count: usize) -> Vec<Step> {
    let step = Step {
        gait,
        speed,
        swing: None,
    };
    vec![step; count]
}

/// When and where a step has its middle.
#[derive(Clone, Copy, Debug)]
pub struct Footfall {
    pub side: Side,
    /// [s]
    pub time: f64,
    /// Along the way. [m]
    pub distance: f64,
    /// When the foot comes and goes. [s]
    pub strike: f64,
    pub toe_off: f64,
}

/// Where a row of steps begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstStep {
    pub side: Side,
    /// Of its middle. [s]
    pub time: f64,
    /// Along the way. [m]
    pub distance: f64,
}

/// Lays steps along a way; sides alternate.
/// Adds the plants to the plan and says when each step is.
pub fn lay_steps(
    plan: &mut Plan,
    path: &Path,
    steps: &[Step],
    first: FirstStep,
    dice: &mut Dice,
) -> Vec<Footfall> {
    let FirstStep {
        mut side,
        mut time,
        mut distance,
    } = first;
    let mut falls = Vec::with_capacity(steps.len());
    for (index, step) in steps.iter().enumerate() {
        let stance = step.gait.stance(step.speed);
        let fall = Footfall {
            side,
            time,
            distance,
            strike: time - stance * 0.5,
            toe_off: time + stance * 0.5,
        };
        plan.plants[side.index()].push(plant(path, step, fall, dice));
        falls.push(fall);
        if let Some(next) = steps.get(index + 1) {
            let half = |s: &Step| s.gait.period(s.speed) * 0.5;
            time += half(step) + half(next);
            distance += half(step) * step.speed + half(next) * next.speed;
        }
        side = side.other();
    }
    falls
}

fn plant(path: &Path, step: &Step, fall: Footfall, dice: &mut Dice) -> Plant {
    let (place, heading) = path.at(fall.distance + 0.012 * dice.next());
    let body = Planar::new(place.x, place.z, heading);
    let half_width = step.gait.half_width() + 0.008 * dice.next();
    let toe_out = TOE_OUT * 0.7 + 0.02 * dice.next();
    let stance = fall.toe_off - fall.strike;
    let (flat, heel_off) = match step.gait {
        Gait::Walk => (0.12, 0.52),
        Gait::Run => (0.0, 0.42),
        Gait::Sneak => (0.14, 0.68),
    };
    let (strike_pitch, off_pitch) = match step.gait {
        Gait::Walk => (
            -0.10 - 0.15 * step.speed.min(1.6),
            0.55 + 0.45 * step.speed.min(1.6),
        ),
        Gait::Run => (0.0, 1.05),
        Gait::Sneak => (0.25, 0.65),
    };
    Plant {
        place: foot_place(body, fall.side, half_width, toe_out),
        heading,
        strike: fall.strike,
        flat: fall.strike + flat * stance,
        heel_off: fall.strike + heel_off * stance,
        toe_off: fall.toe_off,
        strike_pitch,
        off_pitch,
        press_ahead: match step.gait {
            Gait::Walk => 0.045,
            Gait::Run => 0.09,
            Gait::Sneak => 0.02,
        },
        swing: step
            .swing
            .clone()
            .unwrap_or_else(|| usual_swing(step.gait, step.speed)),
    }
}

/// The way of a foot through the air in each gait.
pub fn usual_swing(gait: Gait, speed: f64) -> Swing {
    match gait {
        Gait::Walk => {
            let brisk = (speed / 1.3).clamp(0.4, 1.25);
            Swing {
                height: vec![(0.22, 0.04 + 0.038 * brisk), (0.55, 0.045)],
                pitch: vec![(0.18, 0.68 + 0.52 * brisk), (0.62, 0.02)],
                clearance: 0.015,
                arrival: [0.75 * speed, 0.3 * brisk],
                ..Swing::default()
            }
        }
        Gait::Run => {
            // The foot comes down this far ahead of the body, from a little farther ahead.
            let ahead = 0.5 * speed * gait.stance(speed) - 0.02;
            let back = 0.05 * (speed - 0.8);
            Swing {
                forward: vec![
                    (0.28, -0.15 * speed),
                    (0.62, 0.08 + 0.047 * speed),
                    (0.84, ahead + back),
                ],
                height: vec![
                    (0.28, 0.10 * speed),
                    (0.62, 0.08 + 0.037 * speed),
                    (0.84, 0.05 + 0.03 * speed),
                ],
                pitch: vec![(0.28, 1.55), (0.62, 0.45), (0.84, -0.08)],
                clearance: 0.03,
                arrival: [0.8, 0.8],
                ..Swing::default()
            }
        }
        Gait::Sneak => Swing {
            height: vec![(0.3, 0.15), (0.62, 0.17), (0.88, 0.09)],
            pitch: vec![(0.3, 0.55), (0.62, 0.25), (0.88, 0.22)],
            clearance: 0.05,
            arrival: [0.05, 0.35],
            ..Swing::default()
        },
    }
}

/// A short step on the spot or beside: lifted and set down nearly flat.
pub fn shuffle_swing() -> Swing {
    Swing {
        height: vec![(0.45, 0.10)],
        pitch: vec![(0.45, 0.3)],
        clearance: 0.02,
        departure: [0.0, 0.6],
        arrival: [0.0, 0.6],
        ..Swing::default()
    }
}

/// A foot that comes to stand beside the other one and stays.
pub fn closing_plant(body: Planar, side: Side, strike: f64) -> Plant {
    Plant {
        strike,
        flat: strike + 0.06,
        heel_off: EVER,
        toe_off: EVER,
        strike_pitch: -0.06,
        swing: Swing {
            height: vec![(0.25, 0.065), (0.7, 0.045)],
            pitch: vec![(0.2, 0.75), (0.65, 0.08)],
            clearance: 0.015,
            arrival: [0.1, 0.35],
            ..Swing::default()
        },
        ..Plant::standing(foot_place(body, side, STAND_HALF_WIDTH, TOE_OUT), body.yaw)
    }
}
