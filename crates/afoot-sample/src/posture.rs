//! Pelvis, trunk, head and arms over time, driven by what the feet do.
//!
//! Pelvic turn, counter-turn of the chest and arm swing follow the distance of the feet along the
//! heading; list follows the weight; height sinks with the feet's distance and is lowered
//! smoothly wherever a leg would not reach. Slow drift keeps a standing body alive. Then the
//! pelvis gives way so that the centre of mass, not the pelvis, is where balance wants it.

use afoot_core::{Side, Skeleton};
use glam::{DQuat, DVec3};

use crate::balance::BodyTrack;
use crate::body::STAND_HEIGHT;
use crate::drift::Drift;
use crate::feet::FootPose;
use crate::limbs::{ArmPose, LEG_REACH, Posture, centre_of_mass, hip_offset, solve};
use crate::perform::Grid;
use crate::plan::{Channel, Plan, Style};
use crate::signal::{gaussian, lower_to_fit, slope};

/// Smoothing of what follows the feet. [s]
const SMOOTH: f64 = 0.05;
/// Over how long the pelvis is lowered around a moment where a leg would not reach. [s]
const LOWER: f64 = 0.10;
/// How far the head looks ahead in a turn. [s]
const LOOK_AHEAD: f64 = 0.25;
/// The pelvis is lowest when the front foot comes down, not half a double support later. [s]
const RISE_AHEAD: f64 = 0.05;
const GRAVITY: f64 = 9.81;

/// Postures on the grid.
pub struct Postures<'a> {
    plan: &'a Plan,
    grid: Grid,
    feet: &'a [[FootPose; 2]],
    drift: Drift,
    /// The body's place and heading.
    x: Vec<f64>,
    z: Vec<f64>,
    yaw: Vec<f64>,
    /// How far each foot is ahead of the body. [m]
    ahead: [Vec<f64>; 2],
    /// +1 all on the left foot, −1 all on the right.
    load: Vec<f64>,
    /// Bank into the turn, left positive. [rad]
    bank: Vec<f64>,
    height: Vec<f64>,
}

impl<'a> Postures<'a> {
    pub fn new(
        plan: &'a Plan,
        skeleton: &Skeleton,
        body: &BodyTrack,
        feet: &'a [[FootPose; 2]],
        grid: Grid,
        drift: Drift,
    ) -> Self {
        let places: Vec<_> = grid.times().map(|time| body.at(time)).collect();
        let ahead = Side::BOTH.map(|side| {
            let forward = feet.iter().zip(&places).map(|(feet, place)| {
                let ankle = feet[side.index()].ankle;
                place.planar().inverse().point([ankle.x, ankle.z])[1]
            });
            smoothed(forward.collect(), grid)
        });
        let load = body.left_weight().iter().map(|w| 2.0 * w - 1.0).collect();
        let mut postures = Self {
            plan,
            grid,
            feet,
            drift,
            x: places.iter().map(|p| p.x).collect(),
            z: places.iter().map(|p| p.z).collect(),
            yaw: places.iter().map(|p| p.yaw).collect(),
            ahead,
            load: smoothed(load, grid),
            bank: Vec::new(),
            height: Vec::new(),
        };
        postures.bank = postures.banks();
        postures.height = postures.wanted_heights();
        postures.give_way(skeleton);
        postures.fall_freely(skeleton);
        postures.fit_legs();
        postures
    }

    /// The posture at a grid point.
    pub fn at(&self, index: usize) -> Posture {
        let time = self.time(index);
        let style = self.plan.style(time);
        let apart = self.ahead[0][index] - self.ahead[1][index];
        let layer = |channel| self.plan.layered(channel, time);
        let drift = |number| self.drift.at(number, time);
        let yaw = self.yaw[index];
        let (pelvis_yaw, pelvis_rotation) = self.pelvis(index, &style);
        let list = style.list * self.load[index];
        let chest_yaw = yaw + style.chest_turn * apart + layer(Channel::Twist) + 0.012 * drift(0);
        let lean = style.lean + layer(Channel::Tilt) + layer(Channel::Bend) + 0.010 * drift(1);
        let side =
            -style.bank * self.bank[index] - layer(Channel::Side) - 0.25 * list + 0.008 * drift(2);
        let ahead = (index + (LOOK_AHEAD / self.grid.step) as usize).min(self.yaw.len() - 1);
        let head_yaw =
            self.yaw[ahead] + layer(Channel::Look) + 0.03 * drift(3) + 0.5 * layer(Channel::Twist);
        let nod = style.gaze + layer(Channel::Nod) + 0.015 * drift(4) + 0.35 * layer(Channel::Bend);
        Posture {
            pelvis: DVec3::new(self.x[index], self.height[index], self.z[index]),
            pelvis_rotation,
            chest_rotation: rotation(chest_yaw, lean, side),
            head_rotation: rotation(head_yaw, nod, 0.3 * side),
            yaw: pelvis_yaw,
            splay: 0.06 + layer(Channel::Splay),
            feet: self.feet[index],
            arms: Side::BOTH.map(|side| self.arm(index, side)),
            reach: Side::BOTH.map(|side| self.reach(side, time)),
        }
    }

    /// Heading and rotation of the pelvis, which swings forward with the foot that is ahead and
    /// drops where it bears no weight.
    fn pelvis(&self, index: usize, style: &Style) -> (f64, DQuat) {
        let apart = self.ahead[0][index] - self.ahead[1][index];
        let yaw = self.yaw[index] - style.pelvis_turn * apart;
        let tilt = style.tilt + self.plan.layered(Channel::Tilt, self.time(index));
        (yaw, rotation(yaw, tilt, style.list * self.load[index]))
    }

    fn time(&self, index: usize) -> f64 {
        self.grid.start + index as f64 * self.grid.step
    }

    /// An arm swings with the other side's foot; the elbow bends as it comes forward.
    fn arm(&self, index: usize, side: Side) -> ArmPose {
        let time = self.time(index);
        let style = self.plan.style(time);
        let layer = |channel| self.plan.layered(channel, time);
        let free = 1.0 - layer(Channel::Calm(side));
        let swing = style.arm_swing * (self.ahead[side.other().index()][index] + 0.05) * free;
        let drift = |number| self.drift.at(number + side.index(), time);
        let forwardness = 1.0 / (1.0 + (-7.0 * (swing - 0.05)).exp());
        ArmPose {
            forward: style.arm_forward * free
                + swing
                + layer(Channel::ArmForward(side))
                + 0.015 * drift(5),
            outward: style.arm_out + layer(Channel::ArmOut(side)) + 0.012 * drift(7),
            inward_turn: style.arm_in + layer(Channel::ArmIn(side)),
            elbow: (style.elbow + style.elbow_swing * forwardness) * free.max(0.0)
                + 0.2 * (1.0 - free)
                + layer(Channel::Elbow(side))
                + 0.02 * drift(9),
        }
    }

    fn reach(&self, side: Side, time: f64) -> Option<(DVec3, f64)> {
        let reach = self.plan.reaches.iter().find(|reach| reach.side == side)?;
        Some((reach.target, reach.weight.at(time)))
    }

    /// Bank that balances the body's sideways acceleration. [rad]
    fn banks(&self) -> Vec<f64> {
        let per_step = 1.0 / self.grid.step;
        let turn_rate = slope(&self.yaw);
        let (vx, vz) = (slope(&self.x), slope(&self.z));
        let bank = (0..turn_rate.len()).map(|i| {
            let speed = vx[i].hypot(vz[i]) * per_step;
            (speed * turn_rate[i] * per_step / GRAVITY).atan()
        });
        let mut bank: Vec<f64> = bank.collect();
        gaussian(&mut bank, 0.12 / self.grid.step);
        bank
    }

    fn wanted_heights(&self) -> Vec<f64> {
        (0..self.grid.count)
            .map(|index| {
                let time = self.time(index);
                let style = self.plan.style(time);
                let soon =
                    (index + (RISE_AHEAD / self.grid.step) as usize).min(self.grid.count - 1);
                let apart = self.ahead[0][soon] - self.ahead[1][soon];
                self.plan.ground(self.z[index]) + STAND_HEIGHT
                    - style.crouch
                    - style.bob * apart * apart
                    + self.plan.layered(Channel::Height, time)
            })
            .collect()
    }

    /// Moves the pelvis so that the centre of mass comes to the body's place. Two rounds, because
    /// the legs follow the pelvis.
    fn give_way(&mut self, skeleton: &Skeleton) {
        let base = (self.x.clone(), self.z.clone());
        let forward: Vec<f64> = self
            .grid
            .times()
            .map(|time| self.plan.layered(Channel::Forward, time))
            .collect();
        for _ in 0..2 {
            let (x, z) = self.mass_offsets(skeleton);
            for index in 0..self.grid.count {
                let (sin, cos) = self.yaw[index].sin_cos();
                self.x[index] = base.0[index] - x[index] + forward[index] * sin;
                self.z[index] = base.1[index] - z[index] + forward[index] * cos;
            }
        }
    }

    /// How far the centre of mass is from the pelvis over the ground, found at the frames alone.
    fn mass_offsets(&self, skeleton: &Skeleton) -> (Vec<f64>, Vec<f64>) {
        let every = self.grid.per_frame;
        let coarse: Vec<DVec3> = (0..self.grid.count.div_ceil(every))
            .map(|frame| {
                let posture = self.at(frame * every);
                let places = solve(&posture, skeleton).positions(skeleton);
                (centre_of_mass(&places) - posture.pelvis) * self.plan.balance
            })
            .collect();
        let between = |part: fn(&DVec3) -> f64| {
            let at = |index: usize| {
                let (frame, rest) = (index / every, index % every);
                let (from, to) = (&coarse[frame], &coarse[(frame + 1).min(coarse.len() - 1)]);
                part(from) + (part(to) - part(from)) * rest as f64 / every as f64
            };
            smoothed((0..self.grid.count).map(at).collect(), self.grid)
        };
        (between(|o| o.x), between(|o| o.z))
    }

    /// While no foot touches it is the centre of mass that falls freely, not the pelvis: the
    /// pelvis makes up for what limbs and trunk do between take-off and landing.
    fn fall_freely(&mut self, skeleton: &Skeleton) {
        let touches = |feet: &[FootPose; 2]| feet.iter().any(|f| f.heel_down || f.ball_down);
        let mut start = 0;
        for run in self.feet.chunk_by(|a, b| touches(a) == touches(b)) {
            let end = start + run.len();
            if !touches(&run[0]) && start > 0 && end < self.grid.count {
                let above: Vec<f64> = (start - 1..=end)
                    .map(|i| self.mass_above(i, skeleton))
                    .collect();
                let last = above.len() - 1;
                for index in 1..last {
                    let chord = (above[last] - above[0]) * index as f64 / last as f64;
                    self.height[start - 1 + index] -= above[index] - above[0] - chord;
                }
            }
            start = end;
        }
    }

    /// Height of the centre of mass above the pelvis. [m]
    fn mass_above(&self, index: usize, skeleton: &Skeleton) -> f64 {
        let posture = self.at(index);
        let places = solve(&posture, skeleton).positions(skeleton);
        centre_of_mass(&places).y - posture.pelvis.y
    }

    /// Lowers the pelvis smoothly where a leg would be stretched.
    fn fit_legs(&mut self) {
        let limits: Vec<f64> = (0..self.grid.count)
            .map(|index| self.highest(index))
            .collect();
        lower_to_fit(&mut self.height, &limits, (LOWER / self.grid.step) as usize);
    }

    /// The height of the pelvis at which the first leg is stretched. [m]
    fn highest(&self, index: usize) -> f64 {
        let (_, rotation) = self.pelvis(index, &self.plan.style(self.time(index)));
        let limit = |side: Side| {
            let hip = rotation * hip_offset(side);
            let ankle = self.feet[index][side.index()].ankle;
            let level = (ankle.x - self.x[index] - hip.x).hypot(ankle.z - self.z[index] - hip.z);
            let level = level.min(LEG_REACH * 0.95);
            ankle.y + (LEG_REACH * LEG_REACH - level * level).sqrt() - hip.y
        };
        limit(Side::Left).min(limit(Side::Right))
    }
}

fn rotation(yaw: f64, pitch: f64, roll: f64) -> DQuat {
    DQuat::from_rotation_y(yaw) * DQuat::from_rotation_x(pitch) * DQuat::from_rotation_z(roll)
}

fn smoothed(mut values: Vec<f64>, grid: Grid) -> Vec<f64> {
    gaussian(&mut values, SMOOTH / grid.step);
    values
}
