//! Where a foot goes, frame by frame: on its pins while it is held, faded into its own motion.
//!
//! Planted frames first (`held_foot`), since free ones follow from the plants around them
//! (`free_foot`); last, nothing goes below the floor. Every frame is worked out by itself, so that a few
//! can be planned anew when a plant changes.

use std::ops::Range;

use glam::{Quat, Vec3};

use super::contact_runs::Runs;
use super::free_foot::{EASE_REACH, FreeFoot};
use super::gaps::{Gap, find, touching};
use super::held_foot::held_at;
use super::legs::LegTrack;
use super::pins::{Pins, ball_in_foot, pitch_to};
use super::{CleanupOptions, Floor, Setting};

/// A foot's wanted motion in the world, a frame each.
#[derive(Clone, Debug, PartialEq)]
pub struct FootPath {
    pub ankle: Vec<Vec3>,
    pub foot: Vec<Quat>,
    /// How far the foot goes along when the root sinks: not at all on the floor, wholly in the air.
    pub loose: Vec<f32>,
}

impl FootPath {
    fn of(leg: &LegTrack) -> Self {
        Self {
            ankle: leg.ankle.clone(),
            foot: leg.foot.clone(),
            loose: vec![0.0; leg.len()],
        }
    }

    /// How much nearer the hip comes to the ankle at a frame in which the root sinks. [m]
    pub fn nearing(&self, frame: usize, sink: f32) -> f32 {
        sink * (1.0 - self.loose[frame])
    }

    /// The path of a foot that goes along where the root sinks.
    pub fn sunk(mut self, depth: &[f32]) -> Self {
        for ((ankle, loose), sink) in self.ankle.iter_mut().zip(&self.loose).zip(depth) {
            ankle.y -= sink * loose;
        }
        self
    }

    /// Ankle and rotation at a frame.
    pub fn at(&self, frame: usize) -> (Vec3, Quat) {
        (self.ankle[frame], self.foot[frame])
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
        let of =
            |stretch: &Range<usize>| stretch.start.max(frames.start)..stretch.end.min(frames.end);
        let lifted =
            |frame: usize, at: (Vec3, Quat)| above_floor(at, leg, (pins, frame), (floor, options));
        for index in planted.start..=planted.end {
            let gap = Gap::before(index, &pins.planted, leg.len());
            let free = FreeFoot::new(leg, gap, (pins, held), timing);
            for frame in of(&free.gap.frames) {
                let at = lifted(frame, free.at(leg, frame));
                path.set(frame, at);
                path.loose[frame] = free.given(leg, frame) * in_air(at, leg, frame, floor);
            }
            if index == planted.end {
                break;
            }
            for frame in of(&pins.planted[index]) {
                path.set(frame, lifted(frame, held.at(frame)));
                path.loose[frame] = 0.0;
            }
        }
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

/// From which height above its rest on a foot counts as in the air a little, and fully: deep enough
/// that no sinking of the root brings it to the floor. [m]
const AIR: [f32; 2] = [0.03, 0.15];

/// How much a foot is in the air.
fn in_air((ankle, foot): (Vec3, Quat), leg: &LegTrack, frame: usize, floor: &Floor) -> f32 {
    let rest = floor.rest[leg.side.index()];
    let above = |p: Vec3, rest: f32| p.y - (floor.height)(p.x, p.z) - rest;
    let ball = ankle + foot * ball_in_foot(leg, frame);
    let height = above(ankle, rest.ankle).min(above(ball, rest.ball));
    ((height - AIR[0]) / (AIR[1] - AIR[0])).clamp(0.0, 1.0)
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
