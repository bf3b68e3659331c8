//! The fixed places of a foot's plants.
//!
//! A joint is pinned where it was while it stood stillest: the mean over the held frames, each
//! weighted by 1 / (v² + v₀²). Heights are the floor's, if the foot is near it. Where heel and ball are held at the same
//! time, one rotation of the foot, the weighted mean of those frames tilted so that both joints have
//! their rest heights, ties the two places together.

use std::ops::Range;

use glam::{Quat, Vec3};

use super::contact_runs::{Run, Runs, speeds};
use super::legs::LegTrack;
use super::{Floor, Part, Timing};

/// A joint held at a place for some frames.
#[derive(Clone, Debug)]
pub struct Pin {
    pub frames: Range<usize>,
    pub place: Vec3,
    /// How softly the foot comes to rest and leaves: a number into `EASES`.
    pub ease: [usize; 2],
}

/// The foot held flat, heel and ball, in one rotation.
#[derive(Clone, Debug)]
pub struct FlatPin {
    pub frames: Range<usize>,
    pub rotation: Quat,
}

/// All pins of one foot, each list sorted and disjoint.
#[derive(Clone, Debug)]
pub struct Pins {
    pub heel: Vec<Pin>,
    pub ball: Vec<Pin>,
    pub flat: Vec<FlatPin>,
}

impl Pins {
    /// Stretches in which any part is held.
    pub fn plants(&self) -> usize {
        self.planted().len()
    }

    /// The frames in which any part is held, as sorted disjoint runs.
    pub fn planted(&self) -> Vec<Range<usize>> {
        let mut all: Vec<Range<usize>> = self
            .heel
            .iter()
            .chain(&self.ball)
            .map(|pin| pin.frames.clone())
            .collect();
        all.sort_by_key(|run| (run.start, run.end));
        let mut merged: Vec<Range<usize>> = Vec::with_capacity(all.len());
        for run in all {
            match merged.last_mut() {
                Some(last) if run.start <= last.end => last.end = last.end.max(run.end),
                _ => merged.push(run),
            }
        }
        merged
    }
}

/// Speed at which a frame counts half as much as one at rest. [m/s]
const STILL_SPEED: f32 = 0.05;

/// A plant this far above the floor stands on something else: three times the scatter of
/// rest heights in badly fitted feet (2 cm), and less than a low step. [m]
const OFF_FLOOR: f32 = 0.06;

/// Chooses the places. Heel and ball pins that meet are tied together.
pub fn pin_feet(leg: &LegTrack, runs: &Runs, (floor, timing): (&Floor, &Timing)) -> Pins {
    let weights = |track: &[Vec3]| -> Vec<f32> {
        let weight = |speed: f32| 1.0 / (speed * speed + STILL_SPEED * STILL_SPEED);
        speeds(track, timing.fps).into_iter().map(weight).collect()
    };
    let (heel_weights, ball_weights) = (weights(&leg.ankle), weights(&leg.ball));
    let grounded = |part: Part, mean: Vec3| on_floor(mean, floor, part.rest(floor, leg.side));
    let pin = |part: Part, track: &[Vec3], weights: &[f32], run: &Run| {
        let frames = run.frames.clone();
        let mean = weighted_mean(&track[frames.clone()], &weights[frames.clone()]);
        Pin {
            place: grounded(part, mean),
            frames,
            ease: run.ease,
        }
    };
    let heel = runs
        .heel
        .iter()
        .map(|run| pin(Part::Heel, &leg.ankle, &heel_weights, run));
    let ball = runs
        .ball
        .iter()
        .map(|run| pin(Part::Ball, &leg.ball, &ball_weights, run));
    let mut pins = Pins {
        heel: heel.collect(),
        ball: ball.collect(),
        flat: Vec::new(),
    };
    tie(&mut pins, leg, (&heel_weights, &ball_weights));
    pins
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

/// Makes the places of overlapping heel and ball pins agree with the foot's length, and adds the
/// flat pins. Two places that are both free meet half-way; one that is tied already stays.
fn tie(pins: &mut Pins, leg: &LegTrack, weights: (&[f32], &[f32])) {
    let Pins {
        heel, ball, flat, ..
    } = pins;
    let mut tied_ball = vec![false; ball.len()];
    let mut next = 0;
    for heel in heel.iter_mut() {
        let mut tied_heel = false;
        while next < ball.len() && ball[next].frames.end <= heel.frames.start {
            next += 1;
        }
        for index in next..ball.len() {
            let ball = &mut ball[index];
            let start = heel.frames.start.max(ball.frames.start);
            let end = heel.frames.end.min(ball.frames.end);
            if start >= end {
                break;
            }
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
