//! The fixed places of a foot's plants.
//!
//! A joint is pinned where it was while it stood stillest: the mean over the held frames, each
//! weighted by 1 / (v² + v₀²). Heights are the floor's, if the foot is near it. Where heel and ball are held at the same
//! time, one rotation of the foot, the weighted mean of those frames tilted so that both joints have
//! their rest heights, ties the two places together.

use std::ops::Range;

use glam::{Quat, Vec3};

use super::contact_runs::{Run, Runs, speeds};
use super::gaps::{Span, find, touching};
use super::legs::LegTrack;
use super::{Floor, Part, Timing};

/// A joint held at a place for some frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Pin {
    pub run: Run,
    pub place: Vec3,
    /// How much higher than its place the joint is by itself. [m]
    pub room: f32,
}

impl Pin {
    /// A pin without a place yet.
    pub fn of(run: Run) -> Self {
        Self {
            run,
            place: Vec3::ZERO,
            room: 0.0,
        }
    }
}

impl Span for Pin {
    fn frames(&self) -> &Range<usize> {
        &self.run.frames
    }
}

/// The foot held flat, heel and ball, in one rotation.
#[derive(Clone, Debug, PartialEq)]
pub struct FlatPin {
    pub frames: Range<usize>,
    pub rotation: Quat,
}

impl Span for FlatPin {
    fn frames(&self) -> &Range<usize> {
        &self.frames
    }
}

/// All pins of one foot, each list sorted and disjoint.
#[derive(Clone, Debug, PartialEq)]
pub struct Pins {
    pub heel: Vec<Pin>,
    pub ball: Vec<Pin>,
    pub flat: Vec<FlatPin>,
    /// The frames in which any part is held, as sorted runs that don't touch.
    pub planted: Vec<Range<usize>>,
    /// How much each frame says about the places of heel and ball.
    weights: [Vec<f32>; 2],
}

/// Speed at which a frame counts half as much as one at rest. [m/s]
const STILL_SPEED: f32 = 0.05;

/// A plant this far above the floor stands on something else: three times the scatter of
/// rest heights in badly fitted feet (2 cm), and less than a low step. [m]
const OFF_FLOOR: f32 = 0.06;

impl Pins {
    /// Pins for all runs.
    pub fn new(leg: &LegTrack, runs: Runs, (floor, timing): (&Floor, &Timing)) -> Self {
        let weight = |speed: f32| 1.0 / (speed * speed + STILL_SPEED * STILL_SPEED);
        let weights = |track: &[Vec3]| speeds(track, timing.fps).into_iter().map(weight).collect();
        let pins = |runs: Vec<Run>| runs.into_iter().map(Pin::of).collect();
        let [heel, ball] = [runs.heel, runs.ball].map(pins);
        let mut pins = Self {
            heel,
            ball,
            flat: Vec::new(),
            planted: Vec::new(),
            weights: [weights(&leg.ankle), weights(&leg.ball)],
        };
        let all = 0..leg.len();
        pins.place(leg, &[all], floor);
        pins
    }

    /// The pins of one part.
    pub fn of(&self, part: Part) -> &[Pin] {
        match part {
            Part::Heel => &self.heel,
            Part::Ball => &self.ball,
        }
    }

    /// The pins of one part, to be changed; then they are to be placed anew.
    pub fn of_mut(&mut self, part: Part) -> &mut Vec<Pin> {
        match part {
            Part::Heel => &mut self.heel,
            Part::Ball => &mut self.ball,
        }
    }

    /// Chooses the places of the pins within some stretches, at whose ends no pin goes on.
    pub fn place(&mut self, leg: &LegTrack, stretches: &[Range<usize>], floor: &Floor) {
        for stretch in stretches {
            self.place_within(leg, stretch, floor);
        }
        self.planted = merged(&self.heel, &self.ball);
    }

    /// Heel and ball pins that meet are tied together.
    fn place_within(&mut self, leg: &LegTrack, stretch: &Range<usize>, floor: &Floor) {
        let [heel, ball] = [&self.heel, &self.ball].map(|pins| touching(pins, stretch));
        let (heels, balls) = (&mut self.heel[heel], &mut self.ball[ball]);
        let [heel_weights, ball_weights] = &self.weights;
        let place = |pin: &mut Pin, part: Part, track: &[Vec3], weights: &[f32]| {
            let frames = pin.run.frames.clone();
            let mean = weighted_mean(&track[frames.clone()], &weights[frames]);
            pin.place = on_floor(mean, floor, part.rest(floor, leg.side)) + Vec3::Y * pin.run.raise;
            pin.room = mean.y - pin.place.y;
        };
        for pin in heels.iter_mut() {
            place(pin, Part::Heel, &leg.ankle, heel_weights);
        }
        for pin in balls.iter_mut() {
            place(pin, Part::Ball, &leg.ball, ball_weights);
        }
        let tied = tie((heels, balls), leg, (heel_weights, ball_weights));
        let flat = touching(&self.flat, stretch);
        self.flat.splice(flat, tied);
    }

    /// The part that holds the foot at a frame, the ball before the heel.
    pub fn holding(&self, frame: usize) -> Option<(Part, &Pin)> {
        let ball = find(&self.ball, frame).map(|pin| (Part::Ball, pin));
        ball.or_else(|| find(&self.heel, frame).map(|pin| (Part::Heel, pin)))
    }
}

/// The frames that either list has.
fn merged(heel: &[Pin], ball: &[Pin]) -> Vec<Range<usize>> {
    let mut all: Vec<&Range<usize>> = heel.iter().chain(ball).map(Span::frames).collect();
    all.sort_unstable_by_key(|run| (run.start, run.end));
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(all.len());
    for run in all {
        match merged.last_mut() {
            Some(last) if run.start <= last.end => last.end = last.end.max(run.end),
            _ => merged.push(run.clone()),
        }
    }
    merged
}

fn weighted_mean(track: &[Vec3], weights: &[f32]) -> Vec3 {
    let sum: f32 = weights.iter().sum();
    let first = track[0];
    let shifted = track.iter().zip(weights).map(|(p, w)| (*p - first) * *w);
    first + shifted.sum::<Vec3>() / sum
}

/// The place at its floor height; where it is too far from that to be on the floor (on a step or a
/// box that the floor does not know of), as high as it is.
fn on_floor(place: Vec3, floor: &Floor, rest: f32) -> Vec3 {
    let height = (floor.height)(place.x, place.z) + rest;
    let on = place.y - height < OFF_FLOOR;
    Vec3::new(place.x, if on { height } else { place.y }, place.z)
}

/// Makes the places of overlapping heel and ball pins agree with the foot's length, and returns the
/// flat pins. Two places that are both free meet half-way; one that is tied already stays.
fn tie(
    (heels, balls): (&mut [Pin], &mut [Pin]),
    leg: &LegTrack,
    weights: (&[f32], &[f32]),
) -> Vec<FlatPin> {
    let mut flat = Vec::new();
    let mut tied_ball = vec![false; balls.len()];
    for heel in heels {
        let mut tied_heel = false;
        for index in touching(balls, heel.frames()) {
            let ball = &mut balls[index];
            let start = heel.frames().start.max(ball.frames().start);
            let end = heel.frames().end.min(ball.frames().end);
            let rotation = flat_rotation(leg, start..end, weights, (heel, ball));
            let to_ball = rotation * ball_in_foot(leg, start);
            let share = match (tied_heel, tied_ball[index]) {
                (false, true) => 1.0,
                (true, false) => 0.0,
                _ => 0.5,
            };
            heel.place += (ball.place - to_ball - heel.place) * share;
            ball.place = heel.place + to_ball;
            (tied_heel, tied_ball[index]) = (true, true);
            flat.push(FlatPin {
                frames: start..end,
                rotation,
            });
        }
    }
    flat
}

/// The ball joint seen from the ankle, in the foot's frame.
pub fn ball_in_foot(leg: &LegTrack, frame: usize) -> Vec3 {
    leg.foot[frame].inverse() * (leg.ball[frame] - leg.ankle[frame])
}

/// The mean rotation of the foot over frames in which heel and ball are held, pitched so that the
/// ball lies as far below the ankle as the pinned places do.
fn flat_rotation(
    leg: &LegTrack,
    frames: Range<usize>,
    (heel_weights, ball_weights): (&[f32], &[f32]),
    (heel, ball): (&Pin, &Pin),
) -> Quat {
    let first = leg.foot[frames.start];
    let mut sum = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    for frame in frames.clone() {
        let own = leg.foot[frame];
        let own = if own.dot(first) < 0.0 { -own } else { own };
        sum += own * heel_weights[frame].min(ball_weights[frame]);
    }
    let mean = sum.normalize();
    let along = mean * ball_in_foot(leg, frames.start);
    pitch_to(along, ball.place.y - heel.place.y) * mean
}

/// The rotation about a level axis that gives `along` the height difference `rise`; as near as its
/// length allows.
pub fn pitch_to(along: Vec3, rise: f32) -> Quat {
    let length = along.length();
    let level = Vec3::new(along.x, 0.0, along.z);
    let Some(ahead) = level.try_normalize().filter(|_| length > 1e-6) else {
        return Quat::IDENTITY;
    };
    let rise = rise.clamp(-0.95 * length, 0.95 * length);
    let wanted = ahead * (length * length - rise * rise).sqrt() + Vec3::Y * rise;
    Quat::from_rotation_arc(along / length, wanted / length)
}
