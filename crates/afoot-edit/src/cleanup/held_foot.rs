//! A foot in a planted frame: its rotation is the pinned one as long as it is flat, and takes less and
//! less of that turn before and after; the ankle is at the heel's pin, or over the ball's.

use glam::{Quat, Vec3};

use super::gaps::{Gap, find, shifted, turn_between, turned};
use super::legs::LegTrack;
use super::pins::{Pin, Pins, ball_in_foot};

/// Ankle and rotation of a foot in a planted frame.
pub fn held_at(pins: &Pins, leg: &LegTrack, frame: usize) -> (Vec3, Quat) {
    let heel = find(&pins.heel, frame);
    if let (Some(flat), Some(heel)) = (find(&pins.flat, frame), heel) {
        return (heel.place, flat.rotation);
    }
    let foot = turned_to_flat(pins, leg, frame);
    match (heel, find(&pins.ball, frame)) {
        (Some(heel), _) => (heel.place, foot),
        (None, Some(ball)) => {
            let ankle = shifted_to_heel(pins, leg, (frame, ball));
            over_ball(ball.place, ball_in_foot(leg, frame), (ankle, foot))
        }
        (None, None) => (leg.ankle[frame], foot),
    }
}

/// A foot that is not flat has what is left of the turns it takes when it is.
fn turned_to_flat(pins: &Pins, leg: &LegTrack, frame: usize) -> Quat {
    let gap = Gap::around(frame, &pins.flat, leg.len());
    let turns = gap.edges.map(|edge| {
        let flat = edge.and_then(|edge| Some((edge, find(&pins.flat, edge)?)));
        flat.map_or(Quat::IDENTITY, |(edge, flat)| {
            turn_between(leg.foot[edge], flat.rotation)
        })
    });
    turned(leg.foot[frame], turns, gap.weights(leg, frame))
}

/// An ankle over a held ball has what is left of the shifts it takes when the heel is held. They are
/// gone when the ball leaves: the foot turns more instead, which no knee feels.
fn shifted_to_heel(pins: &Pins, leg: &LegTrack, (frame, ball): (usize, &Pin)) -> Vec3 {
    let gap = Gap::around(frame, &pins.heel, leg.len());
    let shifts = gap.edges.map(|edge| {
        let heel = edge.and_then(|edge| Some((edge, find(&pins.heel, edge)?)));
        heel.map_or(Vec3::ZERO, |(edge, heel)| heel.place - leg.ankle[edge])
    });
    let weights = gap.weights_within(leg, frame, &ball.run.frames);
    shifted(leg.ankle[frame], shifts, weights)
}

/// Farthest that a foot is turned about its ball; a leg that is still not there goes along. Feet tip
/// to some 100 degrees before they leave, and look broken much beyond. [rad]
const MOST_TIPPED: f32 = 0.26;

/// On its ball alone, a foot turns about it: the ankle goes as near to its way as the foot's length
/// allows, and the foot points from it to the pinned ball.
pub fn over_ball(ball: Vec3, in_foot: Vec3, (ankle, foot): (Vec3, Quat)) -> (Vec3, Quat) {
    let to_ball = foot * in_foot;
    let turn = match (to_ball.try_normalize(), (ball - ankle).try_normalize()) {
        (Some(from), Some(to)) => Quat::from_rotation_arc(from, to),
        _ => Quat::IDENTITY,
    };
    let angle = 2.0 * turn.w.clamp(-1.0, 1.0).acos();
    let turn = match angle > MOST_TIPPED {
        true => Quat::IDENTITY.slerp(turn, MOST_TIPPED / angle),
        false => turn,
    };
    (ball - turn * to_ball, turn * foot)
}
