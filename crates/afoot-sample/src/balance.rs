//! Where the body is over its feet: a linear inverted pendulum carried by the support point.
//!
//! The support point (zero-moment point) moves through each stance from heel to ball and from
//! foot to foot while both touch. The pendulum's bounded answer to it is its convolution with
//! exp(−|t|/T)/2T, T = √(h/g) (Kajita et al. 2003 solve the same equation by preview control), so
//! starts lean before they step and turns cut their corners. Heading follows the feet alike.

use afoot_core::{Planar, Side};

use crate::drift::Drift;
use crate::perform::Grid;
use crate::plan::{Plan, Plant};
use crate::signal::two_sided_exponential;

/// √(h/g) for a body's centre at 0.9 m. [s]
const PENDULUM: f64 = 0.303;
/// How slowly the heading follows the feet. [s]
const HEADING: f64 = 0.16;
/// Longest shift of weight from one foot to the other. [s]
const SHIFT: f64 = 0.45;
/// The support point's way under a foot, ahead of the ankle: strike, middle, leaving. [m]
const ROLL: [f64; 3] = [-0.04, 0.06, 0.16];

/// The drift's curves that the body sways with.
const SWAY: usize = 20;

/// The body's way over the ground on a grid, and how much of its weight the left foot bears.
pub struct BodyTrack {
    grid: Grid,
    x: Vec<f64>,
    z: Vec<f64>,
    yaw: Vec<f64>,
    left_weight: Vec<f64>,
}

impl BodyTrack {
    pub fn new(plan: &Plan, grid: Grid, drift: &Drift) -> Self {
        let left_weight = left_weights(plan, &grid);
        let support = support_points(plan, &grid, &left_weight);
        let part = |index: usize| support.iter().map(|p| p[index]).collect::<Vec<f64>>();
        let (mut x, mut z, mut yaw) = (part(0), part(1), part(2));
        for (index, time) in grid.times().enumerate() {
            x[index] += plan.sway * drift.at(SWAY, time);
            z[index] += plan.sway * drift.at(SWAY + 1, time);
        }
        two_sided_exponential(&mut x, PENDULUM / grid.step);
        two_sided_exponential(&mut z, PENDULUM / grid.step);
        two_sided_exponential(&mut yaw, HEADING / grid.step);
        if let Some(leap) = &plan.leap {
            z = grid.times().map(|time| leap.at(time)).collect();
        }
        Self {
            grid,
            x,
            z,
            yaw,
            left_weight,
        }
    }

    /// The body's place between two grid points.
    pub fn at(&self, time: f64) -> BodyPlace {
        let exact = (time - self.grid.start) / self.grid.step;
        let index = exact.floor().clamp(0.0, (self.x.len() - 2) as f64) as usize;
        let share = exact - index as f64;
        let mix = |values: &[f64]| values[index] + (values[index + 1] - values[index]) * share;
        BodyPlace {
            x: mix(&self.x),
            z: mix(&self.z),
            yaw: mix(&self.yaw),
        }
    }

    /// Seconds between grid points.
    pub fn step(&self) -> f64 {
        self.grid.step
    }

    /// 1 where the left foot bears all, a grid point each.
    pub fn left_weight(&self) -> &[f64] {
        &self.left_weight
    }
}

/// Where the body is over the ground; its yaw is unwrapped.
#[derive(Clone, Copy, Debug)]
pub struct BodyPlace {
    pub x: f64,
    pub z: f64,
    pub yaw: f64,
}

impl BodyPlace {
    pub fn planar(self) -> Planar {
        Planar::new(self.x, self.z, self.yaw)
    }
}

/// Which feet touch: neither, left, right, both as bits 0 to 3.
fn touching(plan: &Plan, time: f64) -> u8 {
    let touches = |side: Side| {
        plan.plants[side.index()]
            .iter()
            .any(|plant| plant.touches(time))
    };
    u8::from(touches(Side::Left)) | u8::from(touches(Side::Right)) << 1
}

/// The left foot's share: all or nothing on one foot, shifted while both or neither touch.
fn left_weights(plan: &Plan, grid: &Grid) -> Vec<f64> {
    let states: Vec<u8> = grid.times().map(|time| touching(plan, time)).collect();
    let mut weights = Vec::with_capacity(states.len());
    for run in states.chunk_by(|a, b| a == b) {
        let start = weights.len();
        let before = states[..start].last().map_or(0.5, |&s| alone(s));
        let after = states.get(start + run.len()).map_or(0.5, |&s| alone(s));
        let long = SHIFT / grid.step;
        let count = run.len() as f64;
        let rest = if run[0] == 3 && count > 2.0 * long {
            0.5
        } else {
            f64::NAN
        };
        for index in 0..run.len() {
            let index = index as f64;
            weights.push(match run[0] {
                1 | 2 => alone(run[0]),
                _ if rest.is_nan() => before + (after - before) * index / count,
                _ => {
                    let leaving = (1.0 - index / long).max(0.0);
                    let coming = (1.0 - (count - index) / long).max(0.0);
                    rest + (before - rest) * leaving + (after - rest) * coming
                }
            });
        }
    }
    weights
}

fn alone(state: u8) -> f64 {
    match state {
        1 => 1.0,
        2 => 0.0,
        _ => 0.5,
    }
}

/// x, z and heading of the support; straight from the last to the next where nothing touches.
fn support_points(plan: &Plan, grid: &Grid, left_weight: &[f64]) -> Vec<[f64; 3]> {
    let mut points: Vec<Option<[f64; 3]>> = grid
        .times()
        .zip(left_weight)
        .map(|(time, &left)| match touching(plan, time) {
            0 => None,
            1 => foot_point(plan, Side::Left, time),
            2 => foot_point(plan, Side::Right, time),
            _ => {
                let a = foot_point(plan, Side::Left, time)?;
                let b = foot_point(plan, Side::Right, time)?;
                Some([0, 1, 2].map(|i| a[i] * left + b[i] * (1.0 - left)))
            }
        })
        .collect();
    fill_gaps(&mut points);
    points.into_iter().map(|p| p.unwrap_or_default()).collect()
}

fn foot_point(plan: &Plan, side: Side, time: f64) -> Option<[f64; 3]> {
    let plant = plan.plants[side.index()]
        .iter()
        .find(|plant| plant.touches(time))?;
    let [x, z] = plant.place.point([0.0, roll(plant, time)]);
    Some([x, z, plant.heading])
}

/// How far the support point has moved under the foot. [m]
fn roll(plant: &Plant, time: f64) -> f64 {
    let stance = plant.toe_off - plant.strike;
    let ramp = (0.5 * stance).min(0.6);
    let coming = (1.0 - (time - plant.strike) / ramp).max(0.0);
    let leaving = (1.0 - (plant.toe_off - time) / ramp).max(0.0);
    plant.press_ahead + ROLL[1] + (ROLL[0] - ROLL[1]) * coming + (ROLL[2] - ROLL[1]) * leaving
}

fn fill_gaps(points: &mut [Option<[f64; 3]>]) {
    let known: Vec<usize> = (0..points.len()).filter(|&i| points[i].is_some()).collect();
    let (Some(&first), Some(&last)) = (known.first(), known.last()) else {
        return;
    };
    let (start, end) = (points[first], points[last]);
    points[..first].fill(start);
    points[last + 1..].fill(end);
    for pair in known.windows(2).filter(|pair| pair[1] > pair[0] + 1) {
        let (Some(a), Some(b)) = (points[pair[0]], points[pair[1]]) else {
            continue;
        };
        let count = pair[1] - pair[0];
        for (step, point) in points[pair[0] + 1..pair[1]].iter_mut().enumerate() {
            let share = (step + 1) as f64 / count as f64;
            *point = Some([0, 1, 2].map(|k| a[k] + (b[k] - a[k]) * share));
        }
    }
}

/// Where a foot stands whose share of the support is under a body's place. The yaw stays unwrapped.
pub fn foot_place(body: Planar, side: Side, half_width: f64, toe_out: f64) -> Planar {
    let out = crate::body::out(side);
    let [x, z] = body.point([out * half_width, -ROLL[1]]);
    Planar::new(x, z, body.yaw + out * toe_out)
}
