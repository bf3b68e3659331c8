//! Feet over time: exactly still while planted, rolling over heel and ball, swinging between.
//!
//! A planted heel is an ankle joint at rest, a planted ball a toe joint at rest; the foot turns
//! about the one or the other. Swings are splines in the body's frame that leave and arrive with
//! the plants' velocities, lifted where ball or toes would come too low.

use afoot_core::{Planar, Side};
use glam::{DQuat, DVec3};

use crate::balance::BodyTrack;
use crate::body::{ANKLE_HEIGHT, BALL_FORWARD, BALL_HEIGHT, TOE_LENGTH, out};
use crate::plan::{Plan, Plant};
use crate::track::{Spline, ease};

/// One foot at one time.
#[derive(Clone, Copy, Debug)]
pub struct FootPose {
    pub ankle: DVec3,
    /// Of the foot in the world.
    pub rotation: DQuat,
    /// Of the foot's flat direction about +y, unwrapped. [rad]
    pub yaw: f64,
    /// Toes bent up against the foot. [rad]
    pub toe: f64,
    pub heel_down: bool,
    pub ball_down: bool,
}

impl FootPose {
    /// Ball joint and tip of the toes.
    pub fn ball_and_tip(&self) -> [DVec3; 2] {
        let ball = self.ankle + self.rotation * ANKLE_TO_BALL;
        let toes = self.rotation * DQuat::from_rotation_x(-self.toe);
        [ball, ball + toes * DVec3::new(0.0, 0.0, TOE_LENGTH)]
    }
}

/// The ball joint in the foot's frame. [m]
const ANKLE_TO_BALL: DVec3 = DVec3::new(0.0, BALL_HEIGHT - ANKLE_HEIGHT, BALL_FORWARD);
/// How the heel's rise quickens: about a third of its pitch at 60 % of its time, as in walking.
const RISE: f64 = 2.0;
/// How far apart feet pass each other, and within which distance along the way. [m]
const PASSING: [f64; 2] = [0.11, 0.18];
/// Toes are slightly up when the foot swings. [rad]
const TOE_UP: f64 = 0.10;

/// One foot's plants and the swings between them.
pub struct FootTrack<'a> {
    plan: &'a Plan,
    plants: &'a [Plant],
    swings: Vec<SwingTrack>,
}

impl<'a> FootTrack<'a> {
    pub fn new(plan: &'a Plan, side: Side, body: &BodyTrack) -> Self {
        let plants = &plan.plants[side.index()];
        let swings = plants
            .windows(2)
            .map(|pair| SwingTrack::new(plan, side, [&pair[0], &pair[1]], body))
            .collect();
        Self {
            plan,
            plants,
            swings,
        }
    }

    /// The foot at a time; before the first plant and after the last it rests there.
    pub fn at(&self, time: f64, body: &BodyTrack) -> FootPose {
        let next = self.plants.partition_point(|plant| plant.strike <= time);
        let plant = &self.plants[next.saturating_sub(1)];
        match self.swings.get(next.wrapping_sub(1)) {
            Some(swing) if time >= plant.toe_off => swing.at(self.plan, time, body),
            _ => planted(self.plan, plant, time),
        }
    }
}

/// A planted foot, also a little outside the plant's time.
fn planted(plan: &Plan, plant: &Plant, time: f64) -> FootPose {
    let flat = flat_rotation(plan, plant.place.yaw);
    let sole = DVec3::new(plant.place.x, plan.ground(plant.place.z), plant.place.z);
    let ankle_down = sole + flat * DVec3::new(0.0, ANKLE_HEIGHT, 0.0);
    let ball = ankle_down + flat * ANKLE_TO_BALL;
    let (pitch, on_ball) = planted_pitch(plant, time);
    let rotation = flat * DQuat::from_rotation_x(pitch);
    let rolling_in = time < plant.flat && !on_ball;
    FootPose {
        ankle: if on_ball {
            ball - rotation * ANKLE_TO_BALL
        } else {
            ankle_down
        },
        rotation,
        yaw: plant.place.yaw,
        toe: match (on_ball, rolling_in) {
            (true, _) => pitch.max(0.0),
            (false, true) => TOE_UP * pitch / plant.strike_pitch,
            (false, false) => 0.0,
        },
        heel_down: plant.touches(time) && !(on_ball && pitch > 0.0),
        ball_down: plant.touches(time) && !rolling_in,
    }
}

/// Pitch of a planted foot, and whether it turns about the ball.
fn planted_pitch(plant: &Plant, time: f64) -> (f64, bool) {
    if time < plant.flat {
        let u = ((time - plant.strike) / (plant.flat - plant.strike)).max(0.0);
        let pitch = plant.strike_pitch * (1.0 - u * u);
        return (pitch, plant.strike_pitch > 0.0);
    }
    let u = (time - plant.heel_off) / (plant.toe_off - plant.heel_off);
    match u > 0.0 {
        true => (plant.off_pitch * u.powf(RISE), true),
        false => (0.0, false),
    }
}

/// A flat foot on the plan's ground.
pub fn flat_rotation(plan: &Plan, yaw: f64) -> DQuat {
    DQuat::from_rotation_x(-plan.slope.atan()) * DQuat::from_rotation_y(yaw)
}

/// A swing in coordinates of the body: the ball's place, the foot's pitch and yaw.
struct SwingTrack {
    times: [f64; 2],
    sideways: Spline,
    forward: Spline,
    height: Spline,
    pitch: Spline,
    yaw: Spline,
    off_pitch: f64,
    lift: f64,
    aside: f64,
}

impl SwingTrack {
    fn new(plan: &Plan, side: Side, [from, to]: [&Plant; 2], body: &BodyTrack) -> Self {
        let times = [from.toe_off, to.strike];
        let delta = body.step();
        let leaving = planted(plan, from, times[0]);
        let start = [times[0] - delta, times[0]].map(|time| {
            let foot = planted(plan, from, time);
            let [ahead, up] = to.swing.departure;
            Coordinates::of(
                plan,
                &moved(foot, leaving.yaw, [ahead, up], time - times[0]),
                body.at(time),
            )
        });
        let arriving = planted(plan, to, times[1]);
        let end = [times[1] - delta, times[1]].map(|time| {
            let [ahead, down] = to.swing.arrival;
            let foot = moved(arriving, arriving.yaw, [ahead, -down], time - times[1]);
            Coordinates::of(plan, &foot, body.at(time))
        });
        let pitches = [from.off_pitch, to.strike_pitch];
        let pitch_rate = RISE * from.off_pitch / (from.toe_off - from.heel_off).max(1e-9);
        let between = |part: fn(&Coordinates) -> f64, keys: &[(f64, f64)]| {
            let ends = [start, end].map(|pair| (part(&pair[1]) - part(&pair[0])) / delta);
            spline(times, [part(&start[1]), part(&end[1])], ends, keys)
        };
        let swing = &to.swing;
        let outward: Vec<_> = swing
            .outward
            .iter()
            .map(|&(share, by)| {
                let straight = start[1].sideways + (end[1].sideways - start[1].sideways) * share;
                (share, straight + out(side) * by)
            })
            .collect();
        let mut track = Self {
            times,
            sideways: between(|c| c.sideways, &outward),
            forward: between(|c| c.forward, &swing.forward),
            height: between(|c| c.height, &swing.height),
            pitch: spline(times, pitches, [pitch_rate, 0.0], &swing.pitch),
            yaw: between(|c| c.yaw, &[]),
            off_pitch: from.off_pitch,
            lift: 0.0,
            aside: 0.0,
        };
        track.lift = track.needed_lift(swing.clearance);
        track.aside = track.needed_way(plan, side, body);
        track
    }

    fn at(&self, plan: &Plan, time: f64, body: &BodyTrack) -> FootPose {
        let share = (time - self.times[0]) / (self.times[1] - self.times[0]);
        let place = body.at(time);
        let sideways = self.sideways.at(time) + self.aside * bump(share);
        let [x, z] = place.planar().point([sideways, self.forward.at(time)]);
        let height = self.height.at(time) + self.lift * bump(share);
        let yaw = self.yaw.at(time) + place.yaw;
        let flat = flat_rotation(plan, yaw);
        let pitch = self.pitch.at(time);
        let rotation = flat * DQuat::from_rotation_x(pitch);
        let ball = DVec3::new(x, plan.ground(z) + height, z);
        FootPose {
            ankle: ball - rotation * ANKLE_TO_BALL,
            rotation,
            yaw,
            toe: swinging_toe(pitch, height - BALL_HEIGHT * plan.steepness())
                .max(self.off_pitch * (1.0 - ease(share, 0.0, 0.3))),
            heel_down: false,
            ball_down: false,
        }
    }

    /// How much higher the middle of the swing must be for the ball to clear the ground.
    fn needed_lift(&self, clearance: f64) -> f64 {
        const SAMPLES: usize = 20;
        let lack = |index: usize| {
            let share = index as f64 / SAMPLES as f64;
            let time = self.times[0] + (self.times[1] - self.times[0]) * share;
            (BALL_HEIGHT + clearance - self.height.at(time)) / bump(share)
        };
        (SAMPLES / 5..=SAMPLES * 4 / 5)
            .map(lack)
            .fold(0.0, f64::max)
    }
}

impl SwingTrack {
    /// How far the middle of the swing must bend aside to pass the other, standing foot: in a
    /// turn the straight way from place to place leads through it.
    fn needed_way(&self, plan: &Plan, side: Side, body: &BodyTrack) -> f64 {
        const SAMPLES: usize = 20;
        let lack = |index: usize| {
            let share = index as f64 / SAMPLES as f64;
            let time = self.times[0] + (self.times[1] - self.times[0]) * share;
            let others = &plan.plants[side.other().index()];
            let Some(other) = others.iter().find(|plant| plant.touches(time)) else {
                return 0.0;
            };
            let seen = Coordinates::of(plan, &planted(plan, other, time), body.at(time));
            if (seen.forward - self.forward.at(time)).abs() > PASSING[1] {
                return 0.0;
            }
            let apart = (self.sideways.at(time) - seen.sideways) * out(side);
            (PASSING[0] - apart) / bump(share)
        };
        (SAMPLES / 5..=SAMPLES * 4 / 5)
            .map(lack)
            .fold(0.0, f64::max)
            * out(side)
    }
}

/// Toes slightly up, and as much more as keeps their tip off the ground; with the ball down they
/// lie flat. [rad]
fn swinging_toe(pitch: f64, above_rest: f64) -> f64 {
    let up = TOE_UP * (above_rest / 0.03).clamp(0.0, 1.0);
    let most = (above_rest / TOE_LENGTH).clamp(0.0, 1.0).asin();
    let needed = pitch - most - up;
    // A softened maximum of 0 and what is needed, exact at toe-off where `up` and `most` are 0.
    let soft = 0.1 * (above_rest / 0.03).clamp(0.0, 1.0);
    up + 0.5 * (needed + needed.hypot(soft))
}

/// A foot that has moved at a velocity (forward, up) for some time.
fn moved(foot: FootPose, yaw: f64, [ahead, up]: [f64; 2], seconds: f64) -> FootPose {
    let velocity = DQuat::from_rotation_y(yaw) * DVec3::new(0.0, up, ahead);
    FootPose {
        ankle: foot.ankle + velocity * seconds,
        ..foot
    }
}

/// Rises and falls smoothly, 1 in the middle.
fn bump(share: f64) -> f64 {
    16.0 * (share * (1.0 - share)).powi(2)
}

/// A spline from start to end of a swing with keys at shares of its time.
fn spline(times: [f64; 2], values: [f64; 2], slopes: [f64; 2], keys: &[(f64, f64)]) -> Spline {
    let at = |share: f64| times[0] + (times[1] - times[0]) * share;
    let inner = keys.iter().map(|&(share, value)| (at(share), value));
    let points = std::iter::once((times[0], values[0]))
        .chain(inner)
        .chain(std::iter::once((times[1], values[1])));
    Spline::new(points.collect(), slopes)
}

/// A foot's ball joint seen from the body.
#[derive(Clone, Copy)]
struct Coordinates {
    sideways: f64,
    forward: f64,
    height: f64,
    yaw: f64,
}

impl Coordinates {
    fn of(plan: &Plan, foot: &FootPose, body: BodyPlace) -> Self {
        let ball = foot.ball_and_tip()[0];
        let [sideways, forward] = body.planar().inverse().point([ball.x, ball.z]);
        Self {
            sideways,
            forward,
            height: ball.y - plan.ground(ball.z),
            yaw: foot.yaw - body.yaw,
        }
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
