//! A foot's way through the air: splines in the body's frame from plant to plant.
//!
//! The ball joint is guided, because ball and toes are what must clear the ground. A swing leaves
//! and arrives with the plants' velocities, is lifted where the ball would come too low, and
//! bends aside where it would lead through the other foot.

use afoot_core::Side;
use glam::{DQuat, DVec3};

use crate::balance::{BodyPlace, BodyTrack};
use crate::body::{BALL_HEIGHT, TOE_LENGTH, out};
use crate::feet::{ANKLE_TO_BALL, FootPose, RISE, TOE_UP, flat_rotation, planted};
use crate::plan::{Plan, Plant};
use crate::track::{Spline, ease};

/// How far apart feet pass each other, and within which distance along the way. [m]
const PASSING: [f64; 2] = [0.11, 0.18];
/// The middle of a swing is looked at in so many places.
const SAMPLES: usize = 20;

/// One swing in coordinates of the body: the ball's place, the foot's pitch and yaw.
pub struct SwingTrack {
    times: [f64; 2],
    sideways: Spline,
    forward: Spline,
    height: Spline,
    pitch: Spline,
    yaw: Spline,
    /// Pitch at the start, which the toes then make up for. [rad]
    off_pitch: f64,
    /// Added in the middle: up, and to the left. [m]
    lift: f64,
    aside: f64,
}

impl SwingTrack {
    /// The swing of one side's foot from one plant to the next.
    pub fn new(plan: &Plan, side: Side, [from, to]: [&Plant; 2], body: &BodyTrack) -> Self {
        let (start, end) = (
            Ends::leaving(plan, from, to, body),
            Ends::arriving(plan, to, body),
        );
        let times = [from.toe_off, to.strike];
        let between = |part: fn(&Coordinates) -> f64, keys: &[(f64, f64)]| {
            let values = [part(&start.place), part(&end.place)];
            spline(times, values, [start.slope(part), end.slope(part)], keys)
        };
        let pitch_rate = RISE * from.off_pitch / (from.toe_off - from.heel_off).max(1e-9);
        let pitches = [from.off_pitch, to.strike_pitch];
        let swing = &to.swing;
        let outward: Vec<(f64, f64)> = swing
            .outward
            .iter()
            .map(|&(share, by)| {
                let straight = start.place.sideways * (1.0 - share) + end.place.sideways * share;
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
        track.aside = track.needed_way_aside(plan, side, body);
        track
    }

    /// The foot at a time within the swing.
    pub fn at(&self, plan: &Plan, time: f64, body: &BodyTrack) -> FootPose {
        let share = (time - self.times[0]) / (self.times[1] - self.times[0]);
        let place = body.at(time);
        let sideways = self.sideways.at(time) + self.aside * bump(share);
        let [x, z] = place.planar().point([sideways, self.forward.at(time)]);
        let height = self.height.at(time) + self.lift * bump(share);
        let yaw = self.yaw.at(time) + place.yaw;
        let pitch = self.pitch.at(time);
        let rotation = flat_rotation(plan, yaw) * DQuat::from_rotation_x(pitch);
        let ball = DVec3::new(x, plan.ground(z) + height, z);
        let relaxing = self.off_pitch * (1.0 - ease(share, 0.0, 0.3));
        FootPose {
            ankle: ball - rotation * ANKLE_TO_BALL,
            rotation,
            yaw,
            toe: free_toe(pitch, height - BALL_HEIGHT * plan.steepness()).max(relaxing),
            heel_down: false,
            ball_down: false,
        }
    }

    /// How much higher the middle must be for the ball to clear the ground. [m]
    fn needed_lift(&self, clearance: f64) -> f64 {
        let lack = |(share, time)| (BALL_HEIGHT + clearance - self.height.at(time)) / bump(share);
        self.middle().map(lack).fold(0.0, f64::max)
    }

    /// How far the middle must bend aside to pass the other, standing foot: in a turn the
    /// straight way from place to place leads through it. [m]
    fn needed_way_aside(&self, plan: &Plan, side: Side, body: &BodyTrack) -> f64 {
        let others = &plan.plants[side.other().index()];
        let lack = |(share, time): (f64, f64)| {
            let other = others.iter().find(|plant| plant.touches(time))?;
            let seen = Coordinates::of(plan, &planted(plan, other, time), body.at(time));
            let is_near = (seen.forward - self.forward.at(time)).abs() < PASSING[1];
            let apart = (self.sideways.at(time) - seen.sideways) * out(side);
            is_near.then_some((PASSING[0] - apart) / bump(share))
        };
        self.middle().filter_map(lack).fold(0.0, f64::max) * out(side)
    }

    /// Shares and times around the middle, where a bump of moderate size can help.
    fn middle(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let [from, to] = self.times;
        (SAMPLES / 5..=SAMPLES * 4 / 5)
            .map(|index| index as f64 / SAMPLES as f64)
            .map(move |share| (share, from + (to - from) * share))
    }
}

/// Toes slightly up, and as much more as keeps their tip off the ground; with the ball down they
/// lie flat. [rad]
fn free_toe(pitch: f64, above_rest: f64) -> f64 {
    let free = (above_rest / 0.03).clamp(0.0, 1.0);
    let up = TOE_UP * free;
    let needed = pitch - (above_rest / TOE_LENGTH).clamp(0.0, 1.0).asin() - up;
    // A softened maximum of 0 and what is needed, exact at toe-off where nothing is free.
    up + 0.5 * (needed + needed.hypot(0.1 * free))
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

/// Where a swing starts or ends, and where it is a moment before.
struct Ends {
    before: Coordinates,
    place: Coordinates,
    step: f64,
}

impl Ends {
    /// The foot rolls off its plant, with the swing's own velocity of departure besides.
    fn leaving(plan: &Plan, from: &Plant, to: &Plant, body: &BodyTrack) -> Self {
        let [ahead, up] = to.swing.departure;
        Self::new(body, from.toe_off, |time| {
            let foot = planted(plan, from, time);
            let foot = moved(foot, [ahead, up], time - from.toe_off);
            Coordinates::of(plan, &foot, body.at(time))
        })
    }

    /// The foot comes to its plant with the swing's velocity of arrival.
    fn arriving(plan: &Plan, to: &Plant, body: &BodyTrack) -> Self {
        let [ahead, down] = to.swing.arrival;
        let landed = planted(plan, to, to.strike);
        Self::new(body, to.strike, |time| {
            let foot = moved(landed, [ahead, -down], time - to.strike);
            Coordinates::of(plan, &foot, body.at(time))
        })
    }

    fn new(body: &BodyTrack, time: f64, at: impl Fn(f64) -> Coordinates) -> Self {
        Self {
            before: at(time - body.step()),
            place: at(time),
            step: body.step(),
        }
    }

    fn slope(&self, part: fn(&Coordinates) -> f64) -> f64 {
        (part(&self.place) - part(&self.before)) / self.step
    }
}

/// A foot that has moved at a velocity (forward, up) for some time.
fn moved(foot: FootPose, [ahead, up]: [f64; 2], seconds: f64) -> FootPose {
    let velocity = DQuat::from_rotation_y(foot.yaw) * DVec3::new(0.0, up, ahead);
    FootPose {
        ankle: foot.ankle + velocity * seconds,
        ..foot
    }
}

/// A foot's ball joint seen from the body.
struct Coordinates {
    sideways: f64,
    forward: f64,
    height: f64,
    yaw: f64,
}

impl Coordinates {
    fn of(plan: &Plan, foot: &FootPose, body: BodyPlace) -> Self {
        let ball = foot.ankle + foot.rotation * ANKLE_TO_BALL;
        let [sideways, forward] = body.planar().inverse().point([ball.x, ball.z]);
        Self {
            sideways,
            forward,
            height: ball.y - plan.ground(ball.z),
            yaw: foot.yaw - body.yaw,
        }
    }
}
