//! Where a foot goes, frame by frame: on its pins while it is held, faded into its own motion.
//!
//! The foot's rotation is the pinned one while it is flat; before and after, the turn it needed fades
//! out. From it the ankle follows: at the heel's pin, or over the ball's, or, in free frames, as it
//! was plus the shift it needed at the plants around, fading. Last, nothing goes below the floor.

use std::ops::Range;

use glam::{Quat, Vec3};

use super::legs::LegTrack;
use super::pins::{FlatPin, Pin, Pins, ball_in_foot, pitch_to};
use super::ramp::Softness;
use super::toes::plan_toes;
use super::{CleanupOptions, Floor, Timing};

/// A foot's wanted motion in the world, a frame each.
pub struct FootPath {
    pub ankle: Vec<Vec3>,
    pub foot: Vec<Quat>,
    pub toe: Vec<Quat>,
}

impl FootPath {
    /// Whether the foot is to be elsewhere than it is, by more than a hundredth of a millimetre.
    pub fn differs(&self, leg: &LegTrack, frame: usize) -> bool {
        self.ankle[frame].distance_squared(leg.ankle[frame]) > 1e-10
            || self.foot[frame].dot(leg.foot[frame]).abs() < 1.0 - 1e-7
            || self.toe[frame].dot(leg.toe[frame]).abs() < 1.0 - 1e-7
    }
}

/// Plans the path of a foot.
pub fn plan_foot(
    leg: &LegTrack,
    pins: &Pins,
    (floor, options, timing): (&Floor, &CleanupOptions, &Timing),
) -> FootPath {
    let mut path = FootPath {
        ankle: leg.ankle.clone(),
        foot: leg.foot.clone(),
        toe: leg.toe.clone(),
    };
    turn_feet(&mut path, leg, &pins.flat, timing);
    place_on_heels(&mut path, &pins.heel);
    fade_heels(&mut path, leg, pins, timing.fade);
    place_on_balls(&mut path, leg, pins);
    fade_plants(&mut path, leg, pins, timing);
    keep_above_floor(&mut path, leg, pins, (floor, options));
    plan_toes(&mut path, leg, &pins.ball, (floor, options, timing));
    path
}

/// Flat feet take their pinned rotation; the turn this took fades away on both sides.
fn turn_feet(path: &mut FootPath, leg: &LegTrack, flats: &[FlatPin], timing: &Timing) {
    let runs: Vec<Range<usize>> = flats.iter().map(|flat| flat.frames.clone()).collect();
    let turn_at =
        |index: usize, frame: usize| shortest(flats[index].rotation * leg.foot[frame].inverse());
    for (index, flat) in flats.iter().enumerate() {
        path.foot[flat.frames.clone()].fill(flat.rotation);
        for (frames, edge) in around(&runs, index, leg.len()) {
            let turn = turn_at(index, edge);
            let fade = turn_fade(frames.start < edge, timing);
            for (frame, weight) in fading(frames, edge, fade) {
                path.foot[frame] = Quat::IDENTITY.slerp(turn, weight) * path.foot[frame];
            }
        }
    }
}

/// A foot that lands turns into its pinned rotation gently, or it would slap; one that leaves turns
/// away at once.
fn turn_fade(lands: bool, timing: &Timing) -> (usize, Softness) {
    if lands {
        (timing.fade, Softness::Soft)
    } else {
        (timing.turn, Softness::Sharp)
    }
}

pub fn shortest(turn: Quat) -> Quat {
    if turn.w < 0.0 { -turn } else { turn }
}

/// The free frames before and after a run, each with the run's frame that borders on them.
pub fn around(runs: &[Range<usize>], index: usize, frames: usize) -> [(Range<usize>, usize); 2] {
    let run = &runs[index];
    let before = if index == 0 { 0 } else { runs[index - 1].end };
    let after = runs.get(index + 1).map_or(frames, |next| next.start);
    [
        (before.min(run.start)..run.start, run.start),
        (run.end..after.max(run.end), run.end - 1),
    ]
}

fn place_on_heels(path: &mut FootPath, pins: &[Pin]) {
    for pin in pins {
        path.ankle[pin.frames.clone()].fill(pin.place);
    }
}

/// The shift that a heel pin took fades away on both sides.
fn fade_heels(path: &mut FootPath, leg: &LegTrack, pins: &Pins, fade: usize) {
    let runs: Vec<Range<usize>> = pins.heel.iter().map(|pin| pin.frames.clone()).collect();
    for index in 0..runs.len() {
        for (frames, edge) in around(&runs, index, leg.len()) {
            let shift = path.ankle[edge] - leg.ankle[edge];
            for (frame, weight) in fading(frames, edge, (fade, pins.softness[edge])) {
                path.ankle[frame] += shift * weight;
            }
        }
    }
}

/// On its ball alone, a foot turns about it: the ankle goes as near to its way as the foot's length
/// allows, and the foot points from it to the pinned ball.
fn place_on_balls(path: &mut FootPath, leg: &LegTrack, pins: &Pins) {
    let mut flat = vec![false; leg.len()];
    pins.flat
        .iter()
        .for_each(|pin| flat[pin.frames.clone()].fill(true));
    for pin in &pins.ball {
        for frame in pin.frames.clone().filter(|frame| !flat[*frame]) {
            let to_ball = path.foot[frame] * ball_in_foot(leg, frame);
            let wanted = pin.place - path.ankle[frame];
            let Some(ahead) = wanted.try_normalize() else {
                continue;
            };
            let length = to_ball.length();
            path.ankle[frame] = pin.place - ahead * length;
            path.foot[frame] = Quat::from_rotation_arc(to_ball / length, ahead) * path.foot[frame];
        }
    }
}

/// Free frames are shifted and turned by what the plants around them needed, fading with distance.
fn fade_plants(path: &mut FootPath, leg: &LegTrack, pins: &Pins, timing: &Timing) {
    let planted = pins.planted();
    let before = FootPath {
        ankle: path.ankle.clone(),
        foot: path.foot.clone(),
        toe: Vec::new(),
    };
    let mut free = vec![true; leg.len()];
    planted.iter().for_each(|run| free[run.clone()].fill(false));
    for frame in (0..leg.len()).filter(|frame| free[*frame]) {
        path.ankle[frame] = leg.ankle[frame];
        path.foot[frame] = leg.foot[frame];
    }
    for index in 0..planted.len() {
        for (frames, edge) in around(&planted, index, leg.len()) {
            let shift = before.ankle[edge] - leg.ankle[edge];
            let turn = shortest(before.foot[edge] * leg.foot[edge].inverse());
            for (frame, weight) in fading(frames.clone(), edge, (timing.fade, pins.softness[edge]))
            {
                path.ankle[frame] += shift * weight;
            }
            let fade = turn_fade(frames.start < edge, timing);
            for (frame, weight) in fading(frames, edge, fade) {
                path.foot[frame] = Quat::IDENTITY.slerp(turn, weight) * path.foot[frame];
            }
        }
    }
}

/// The frames next to a held one over which its correction fades, with what is left of it.
pub fn fading(
    frames: Range<usize>,
    edge: usize,
    (fade, softness): (usize, Softness),
) -> impl Iterator<Item = (usize, f32)> {
    let length = fade.min(frames.len() + 1);
    frames
        .map(move |frame| (frame, frame.abs_diff(edge)))
        .filter(move |(_, away)| *away < length)
        .map(move |(frame, away)| (frame, softness.weight(away, length)))
}

/// Lifts what would go below the floor. A held joint stays: the foot is pitched about it.
fn keep_above_floor(
    path: &mut FootPath,
    leg: &LegTrack,
    pins: &Pins,
    (floor, options): (&Floor, &CleanupOptions),
) {
    let mut held = vec![(false, false); leg.len()];
    pins.heel
        .iter()
        .flat_map(|pin| pin.frames.clone())
        .for_each(|frame| held[frame].0 = true);
    pins.ball
        .iter()
        .flat_map(|pin| pin.frames.clone())
        .for_each(|frame| held[frame].1 = true);
    let rest = floor.rest[leg.side.index()];
    let under = |p: Vec3, rest: f32| (floor.height)(p.x, p.z) + rest - p.y;
    let give = options.floor_give;
    for (frame, held) in held.into_iter().enumerate() {
        let to_ball = path.foot[frame] * ball_in_foot(leg, frame);
        let ankle = path.ankle[frame];
        let ankle_lift = lift_out(under(ankle, rest.ankle), give);
        let ball_lift = if leg.has_ball {
            lift_out(under(ankle + to_ball, rest.ball), give)
        } else {
            0.0
        };
        match held {
            (true, true) => {}
            (true, false) => {
                path.foot[frame] = pitch_to(to_ball, to_ball.y + ball_lift) * path.foot[frame];
            }
            (false, true) => {
                let pitch = pitch_to(to_ball, to_ball.y - ankle_lift);
                path.foot[frame] = pitch * path.foot[frame];
                path.ankle[frame] = ankle + to_ball - pitch * to_ball;
            }
            (false, false) => path.ankle[frame].y += ankle_lift.max(ball_lift),
        }
    }
}

/// How far a point `depth` below its rest is lifted: all but `give`, which is reached gradually.
pub fn lift_out(depth: f32, give: f32) -> f32 {
    if depth <= 0.0 {
        return 0.0;
    }
    if give <= 0.0 {
        return depth;
    }
    depth - give * (1.0 - (-depth / give).exp())
}
