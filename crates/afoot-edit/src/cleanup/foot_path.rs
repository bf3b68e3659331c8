//! Where a foot goes, frame by frame: on its pins while it is held, faded into its own motion.
//!
//! While it is held, the foot's rotation is the pinned one as long as it is flat, and takes less and
//! less of that turn before and after; the ankle is at the heel's pin, or over the ball's. In free
//! frames the foot goes as it did, plus the shift and the turn that it needed at the plants around,
//! fading. Last, nothing goes below the floor. Every frame is worked out by itself, so that a few can
//! be planned anew when a plant changes.

use std::ops::Range;

use glam::{Quat, Vec3};

use super::contact_runs::Runs;
use super::gaps::{Gap, find, shifted, touching, turn_between, turned};
use super::legs::LegTrack;
use super::pins::{Pin, Pins, ball_in_foot, pitch_to};
use super::{CleanupOptions, Floor, Part, Setting, Timing};

/// A foot's wanted motion in the world, a frame each.
#[derive(Clone, Debug, PartialEq)]
pub struct FootPath {
    pub ankle: Vec<Vec3>,
    pub foot: Vec<Quat>,
}

impl FootPath {
    fn of(leg: &LegTrack) -> Self {
        Self {
            ankle: leg.ankle.clone(),
            foot: leg.foot.clone(),
        }
    }

    fn at(&self, frame: usize) -> (Vec3, Quat) {
        (self.ankle[frame], self.foot[frame])
    }

    /// Where a part's joint is at a frame.
    pub fn place(&self, leg: &LegTrack, part: Part, frame: usize) -> Vec3 {
        place_of(part, leg, frame, self.at(frame))
    }

    fn set(&mut self, frame: usize, (ankle, foot): (Vec3, Quat)) {
        self.ankle[frame] = ankle;
        self.foot[frame] = foot;
    }
}

/// What may have changed of a foot's pins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Plants whose pins hold for other frames.
    pub plants: Vec<Range<usize>>,
    /// Frames at the ends of pins at which the foot comes to rest, or leaves, otherwise.
    pub edges: Vec<usize>,
}

impl Changes {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.plants.is_empty() && self.edges.is_empty()
    }
}

/// A foot's pins and the path that follows from them.
pub struct FootPlan {
    pub pins: Pins,
    pub path: FootPath,
    /// The foot in planted frames before it is kept above the floor; elsewhere not kept up to date.
    held: FootPath,
}

impl FootPlan {
    /// Plans all frames.
    pub fn new(leg: &LegTrack, runs: Runs, setting: Setting) -> Self {
        let (floor, _, timing) = setting;
        let mut plan = Self {
            pins: Pins::new(leg, runs, (floor, timing)),
            path: FootPath::of(leg),
            held: FootPath::of(leg),
        };
        plan.hold(leg, 0..leg.len());
        plan.lay(leg, 0..leg.len(), setting);
        plan
    }

    /// Plans anew what some changes bear on; returns those frames, sorted and disjoint.
    pub fn update(
        &mut self,
        leg: &LegTrack,
        changes: Changes,
        setting: Setting,
    ) -> Vec<Range<usize>> {
        let eased = changes.edges.into_iter().map(|edge| edge..edge + 1);
        let mut stale: Vec<Range<usize>> = eased.collect();
        if !changes.plants.is_empty() {
            let plants = united(changes.plants);
            self.pins.place(leg, &plants, setting.0);
            let reached = plants.into_iter().map(|plant| leg.within_fade(plant));
            for frames in united(reached.collect()) {
                self.hold(leg, frames.clone());
                stale.push(leg.within_fade(frames));
            }
        }
        let widened = |frames: &mut Range<usize>| {
            let end = (frames.end + EASE_REACH).min(leg.len());
            *frames = frames.start.saturating_sub(EASE_REACH)..end;
        };
        stale.iter_mut().for_each(widened);
        let stale = united(stale);
        for frames in &stale {
            self.lay(leg, frames.clone(), setting);
        }
        stale
    }

    /// Works out the planted ones of some frames.
    fn hold(&mut self, leg: &LegTrack, frames: Range<usize>) {
        for index in touching(&self.pins.planted, &frames) {
            let planted = &self.pins.planted[index];
            for frame in planted.start.max(frames.start)..planted.end.min(frames.end) {
                self.held.set(frame, held_at(&self.pins, leg, frame));
            }
        }
    }

    /// Works out the path at some frames.
    fn lay(&mut self, leg: &LegTrack, frames: Range<usize>, (floor, options, timing): Setting) {
        let Self { pins, path, held } = self;
        let planted = touching(&pins.planted, &frames);
        let mut lay = |stretch: &Range<usize>, at: &dyn Fn(usize) -> (Vec3, Quat)| {
            for frame in stretch.start.max(frames.start)..stretch.end.min(frames.end) {
                path.set(
                    frame,
                    above_floor(at(frame), leg, (pins, frame), (floor, options)),
                );
            }
        };
        for index in planted.start..=planted.end {
            let gap = Gap::before(index, &pins.planted, leg.len());
            let free = FreeFoot::new(leg, gap, (pins, held), timing);
            lay(&free.gap.frames, &|frame| free.at(leg, frame));
            if index < planted.end {
                lay(&pins.planted[index], &|frame| held.at(frame));
            }
        }
    }
}

fn place_of(part: Part, leg: &LegTrack, frame: usize, (ankle, foot): (Vec3, Quat)) -> Vec3 {
    match part {
        Part::Ball => ankle + foot * ball_in_foot(leg, frame),
        Part::Heel => ankle,
    }
}

/// Sorted, and those that meet made one.
pub fn united(mut all: Vec<Range<usize>>) -> Vec<Range<usize>> {
    all.sort_unstable_by_key(|frames| (frames.start, frames.end));
    all.dedup_by(|next, last| {
        let meet = next.start <= last.end;
        if meet {
            last.end = last.end.max(next.end);
        }
        meet
    });
    all
}

/// Ankle and rotation of a foot in a planted frame.
fn held_at(pins: &Pins, leg: &LegTrack, frame: usize) -> (Vec3, Quat) {
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
fn over_ball(ball: Vec3, in_foot: Vec3, (ankle, foot): (Vec3, Quat)) -> (Vec3, Quat) {
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

/// Fastest that the part which holds a foot seems to move at the ends of a plant: both in the mean of
/// the steps around and, twice as fast, in the step away alone less than what is seen as sliding
/// (15 cm/s), and so much that it is well away a frame later. [m/s]
const EASE_SPEED: f32 = 0.07;
/// What is left, in the frames beside a plant, of the way by which a foot was kept back in the first:
/// from brisk to soft, and not at all.
pub const EASES: [&[f32]; 4] = [&[1.0, 0.1], &[1.0, 0.5, 0.15], &[1.0, 0.65, 0.3, 0.1], &[]];
/// The longest of them.
const EASE_REACH: usize = 4;

/// A foot in the free frames between two plants.
///
/// It comes to rest and leaves gently: the frames beside a plant are kept back. At few frames a second
/// its own way would have it rush into the held place and out of it within one frame, half of which is
/// seen as sliding. A ball is kept back by turning the foot, which no knee feels.
struct FreeFoot {
    gap: Gap,
    /// What the ankle and the foot needed at both edges.
    shifts: [Vec3; 2],
    turns: [Quat; 2],
    /// How the foot is kept back next to either edge.
    kept: [Option<KeptBack>; 2],
}

/// What is kept back next to a plant.
struct KeptBack {
    part: Part,
    /// How far in the first free frame. [m]
    by: Vec3,
    /// What is left of that in it and in the next ones.
    ease: &'static [f32],
}

impl FreeFoot {
    fn new(leg: &LegTrack, gap: Gap, (pins, held): (&Pins, &FootPath), timing: &Timing) -> Self {
        let shift = |edge: usize| held.ankle[edge] - leg.ankle[edge];
        let turn = |edge: usize| turn_between(leg.foot[edge], held.foot[edge]);
        let mut foot = Self {
            shifts: gap.edges.map(|edge| edge.map_or(Vec3::ZERO, shift)),
            turns: gap.edges.map(|edge| edge.map_or(Quat::IDENTITY, turn)),
            kept: [None, None],
            gap,
        };
        if !foot.gap.frames.is_empty() {
            foot.kept = [0, 1].map(|side| foot.keep_back(side, leg, (pins, held), timing));
        }
        foot
    }

    /// How the foot is kept back next to an edge.
    fn keep_back(
        &self,
        side: usize,
        leg: &LegTrack,
        (pins, held): (&Pins, &FootPath),
        timing: &Timing,
    ) -> Option<KeptBack> {
        let free = &self.gap.frames;
        let edge = self.gap.edges[side]?;
        let (part, pin) = pins.holding(edge)?;
        // The end of a run lies before the gap.
        let ease = EASES[pin.run.ease[1 - side]];
        if free.len() < ease.len() {
            return None;
        }
        let next = if side == 0 { free.start } else { free.end - 1 };
        let away = place_of(part, leg, next, self.faded(leg, next)) - held.place(leg, part, edge);
        let most = 2.0 * EASE_SPEED / timing.fps;
        let by = away * (1.0 - (most / away.length().max(1e-9)).min(1.0));
        Some(KeptBack { part, by, ease })
    }

    fn faded(&self, leg: &LegTrack, frame: usize) -> (Vec3, Quat) {
        let weights = self.gap.weights(leg, frame);
        (
            shifted(leg.ankle[frame], self.shifts, weights),
            turned(leg.foot[frame], self.turns, weights),
        )
    }

    fn at(&self, leg: &LegTrack, frame: usize) -> (Vec3, Quat) {
        let free = &self.gap.frames;
        let away = [frame - free.start, free.end - 1 - frame];
        let mut at = self.faded(leg, frame);
        for (kept, away) in self.kept.iter().zip(away) {
            let Some(KeptBack { part, by, ease }) = kept else {
                continue;
            };
            let Some(share) = ease.get(away) else {
                continue;
            };
            let (ankle, foot) = at;
            at = match part {
                Part::Heel => (ankle - by * *share, foot),
                Part::Ball => {
                    let in_foot = ball_in_foot(leg, frame);
                    over_ball(ankle + foot * in_foot - by * *share, in_foot, at)
                }
            };
        }
        at
    }
}

/// Lifts what would go below the floor, ankle and ball each by what it needs. A held joint stays: the
/// foot is pitched about it.
fn above_floor(
    (ankle, foot): (Vec3, Quat),
    leg: &LegTrack,
    (pins, frame): (&Pins, usize),
    (floor, options): (&Floor, &CleanupOptions),
) -> (Vec3, Quat) {
    let rest = floor.rest[leg.side.index()];
    let lift = |p: Vec3, rest: f32| {
        let depth = (floor.height)(p.x, p.z) + rest - p.y;
        lift_out(depth, options.floor_give)
    };
    let to_ball = foot * ball_in_foot(leg, frame);
    let ankle_lift = lift(ankle, rest.ankle);
    let ball_lift = match leg.has_ball {
        true => lift(ankle + to_ball, rest.ball),
        false => 0.0,
    };
    if ankle_lift <= 0.0 && ball_lift <= 0.0 {
        return (ankle, foot);
    }
    let held = |pins| find(pins, frame).is_some();
    match (held(&pins.heel), held(&pins.ball)) {
        (true, true) => (ankle, foot),
        (true, false) => (ankle, pitch_to(to_ball, to_ball.y + ball_lift) * foot),
        (false, true) => {
            let pitch = pitch_to(to_ball, to_ball.y - ankle_lift);
            (ankle + to_ball - pitch * to_ball, pitch * foot)
        }
        (false, false) => {
            let rise = to_ball.y + ball_lift - ankle_lift;
            (ankle + Vec3::Y * ankle_lift, pitch_to(to_ball, rise) * foot)
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
