//! Where a foot goes, frame by frame: on its pins while it is held, faded into its own motion.
//!
//! The foot's rotation is the pinned one while it is flat; before and after, the turn it needed fades
//! out. From it the ankle follows: at the heel's pin, or over the ball's, or, in free frames, as it
//! was plus the shift it needed at the plants around, fading. Last, nothing goes below the floor.

use std::ops::Range;

use glam::{Quat, Vec3};

use super::legs::LegTrack;
use super::pins::{FlatPin, Pin, Pins, ball_in_foot, pitch_to};
use super::ramp::fade_by_travel;
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
    turn_feet(&mut path, leg, &pins.flat);
    place_on_heels(&mut path, &pins.heel);
    fade_heels(&mut path, leg, pins);
    place_on_balls(&mut path, leg, pins);
    fade_plants(&mut path, leg, pins);
    ease_edges(&mut path, leg, pins, timing);
    keep_above_floor(&mut path, leg, pins, (floor, options));
    plan_toes(&mut path, leg, &pins.ball, (floor, options, timing));
    path
}

/// Flat feet take their pinned rotation; the turn this took fades away on both sides.
fn turn_feet(path: &mut FootPath, leg: &LegTrack, flats: &[FlatPin]) {
    let runs: Vec<Range<usize>> = flats.iter().map(|flat| flat.frames.clone()).collect();
    let turn_at =
        |index: usize, frame: usize| shortest(flats[index].rotation * leg.foot[frame].inverse());
    for (index, flat) in flats.iter().enumerate() {
        path.foot[flat.frames.clone()].fill(flat.rotation);
        for beside in around(&runs, index, leg.len()) {
            let turn = turn_at(index, beside.edge);
            for (frame, weight) in beside.fading(leg) {
                path.foot[frame] = Quat::IDENTITY.slerp(turn, weight) * path.foot[frame];
            }
        }
    }
}

pub fn shortest(turn: Quat) -> Quat {
    if turn.w < 0.0 { -turn } else { turn }
}

/// The free frames on one side of a run.
pub struct Beside {
    pub frames: Range<usize>,
    /// The run's frame that borders on them.
    pub edge: usize,
    /// The next run's, if there is one.
    pub far: Option<usize>,
}

impl Beside {
    /// Whether the frames follow the run.
    fn after(&self) -> bool {
        self.frames.start > self.edge
    }

    /// The frames, from the run's edge on.
    fn outwards(&self) -> impl Iterator<Item = usize> + use<> {
        let Range { start, end } = self.frames;
        let after = self.after();
        (start..end).map(move |frame| {
            if after {
                frame
            } else {
                start + end - 1 - frame
            }
        })
    }

    /// The frames over which the correction at the edge fades, with what is left of it.
    pub fn fading<'a>(&self, leg: &'a LegTrack) -> impl Iterator<Item = (usize, f32)> + use<'a> {
        let travelled = |from: usize, to: usize| (leg.travel[to] - leg.travel[from]).abs();
        let room = self
            .far
            .map_or(f32::INFINITY, |far| travelled(self.edge, far));
        let (edge, length) = (self.edge, leg.fade.min(room));
        let weight = move |frame: usize| fade_by_travel(travelled(edge, frame), length);
        let frames = self.frames.clone().map(move |frame| (frame, weight(frame)));
        frames.filter(|(_, weight)| *weight > 0.0)
    }
}

/// What lies before and after a run.
pub fn around(runs: &[Range<usize>], index: usize, frames: usize) -> [Beside; 2] {
    let run = &runs[index];
    let before = index.checked_sub(1).map(|index| runs[index].end);
    let after = runs.get(index + 1).map(|next| next.start);
    [
        Beside {
            frames: before.unwrap_or(0).min(run.start)..run.start,
            edge: run.start,
            far: before.map(|end| end - 1),
        },
        Beside {
            frames: run.end..after.unwrap_or(frames).max(run.end),
            edge: run.end - 1,
            far: after,
        },
    ]
}

fn place_on_heels(path: &mut FootPath, pins: &[Pin]) {
    for pin in pins {
        path.ankle[pin.frames.clone()].fill(pin.place);
    }
}

/// The shift that a heel pin took fades away on both sides.
fn fade_heels(path: &mut FootPath, leg: &LegTrack, pins: &Pins) {
    let runs: Vec<Range<usize>> = pins.heel.iter().map(|pin| pin.frames.clone()).collect();
    for index in 0..runs.len() {
        for beside in around(&runs, index, leg.len()) {
            let shift = path.ankle[beside.edge] - leg.ankle[beside.edge];
            for (frame, weight) in beside.fading(leg) {
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
fn fade_plants(path: &mut FootPath, leg: &LegTrack, pins: &Pins) {
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
        for beside in around(&planted, index, leg.len()) {
            let edge = beside.edge;
            let shift = before.ankle[edge] - leg.ankle[edge];
            let turn = shortest(before.foot[edge] * leg.foot[edge].inverse());
            for (frame, weight) in beside.fading(leg) {
                path.ankle[frame] += shift * weight;
                path.foot[frame] = Quat::IDENTITY.slerp(turn, weight) * path.foot[frame];
            }
        }
    }
}

/// Fastest that the part which holds a foot seems to move at the ends of a plant. [m/s]
const EASE_SPEED: f32 = 0.03;
/// What is left, in the frames beside a plant, of the way by which a foot was kept back in the first:
/// from brisk to soft, and not at all.
pub const EASES: [&[f32]; 4] = [
    &[1.0, 0.35, 0.05],
    &[1.0, 0.5, 0.15],
    &[1.0, 0.65, 0.3, 0.1],
    &[],
];

/// A foot comes to rest and leaves gently: the first free frames beside a plant are kept back.
///
/// At few frames a second its own way would have it rush into the held place and out of it within one
/// frame, half of which is seen as sliding.
fn ease_edges(path: &mut FootPath, leg: &LegTrack, pins: &Pins, timing: &Timing) {
    let planted = pins.planted();
    let most = 2.0 * EASE_SPEED / timing.fps;
    for index in 0..planted.len() {
        for beside in around(&planted, index, leg.len()) {
            let Some(held) = held_at(pins, &beside) else {
                continue;
            };
            let frames: Vec<usize> = beside.outwards().take(held.ease.len()).collect();
            if frames.is_empty() || frames.len() < held.ease.len() {
                continue;
            }
            let part = |frame: usize| match held.on_ball {
                true => path.ankle[frame] + path.foot[frame] * ball_in_foot(leg, frame),
                false => path.ankle[frame],
            };
            let away = part(frames[0]) - part(beside.edge);
            let back = away * (1.0 - (most / away.length().max(1e-9)).min(1.0));
            for (frame, share) in frames.into_iter().zip(held.ease) {
                path.ankle[frame] -= back * share;
            }
        }
    }
}

/// What holds a foot at the end of a plant.
struct HeldEdge {
    on_ball: bool,
    ease: &'static [f32],
}

fn held_at(pins: &Pins, beside: &Beside) -> Option<HeldEdge> {
    let find = |pins: &[Pin]| {
        let pin = pins.iter().find(|pin| pin.frames.contains(&beside.edge))?;
        Some(EASES[pin.ease[usize::from(beside.after())]])
    };
    let on_ball = find(&pins.ball).map(|ease| HeldEdge {
        on_ball: true,
        ease,
    });
    on_ball.or_else(|| {
        find(&pins.heel).map(|ease| HeldEdge {
            on_ball: false,
            ease,
        })
    })
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
