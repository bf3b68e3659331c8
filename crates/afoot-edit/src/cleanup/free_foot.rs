//! A foot in the free frames between two plants: it goes as it did, plus the shift and the turn that it
//! needed at the plants around, fading, and comes to rest and leaves gently.

use glam::{Quat, Vec3};

use super::foot_path::FootPath;
use super::gaps::{Gap, shifted, turn_between, turned};
use super::held_foot::over_ball;
use super::legs::LegTrack;
use super::pins::{Pins, ball_in_foot};
use super::{Part, Timing};

/// Fastest that the part which holds a foot seems to move at the ends of a plant: both in the mean of
/// the steps around and, twice as fast, in the step away alone less than what is seen as sliding
/// (15 cm/s), and so much that it is well away a frame later. [m/s]
const EASE_SPEED: f32 = 0.07;
/// What is left, in the frames beside a plant, of the way by which a foot was kept back in the first:
/// from brisk to soft, and not at all.
pub const EASES: [&[f32]; 4] = [&[1.0, 0.1], &[1.0, 0.5, 0.15], &[1.0, 0.65, 0.3, 0.1], &[]];
/// The longest of them.
pub const EASE_REACH: usize = 4;

/// A foot in the free frames between two plants.
///
/// It comes to rest and leaves gently: the frames beside a plant are kept back. At few frames a second
/// its own way would have it rush into the held place and out of it within one frame, half of which is
/// seen as sliding. A ball is kept back by turning the foot, which no knee feels.
pub struct FreeFoot {
    pub gap: Gap,
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
    /// The foot in a gap between plants.
    pub fn new(
        leg: &LegTrack,
        gap: Gap,
        (pins, held): (&Pins, &FootPath),
        timing: &Timing,
    ) -> Self {
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
        let place = |frame: usize, (ankle, foot): (Vec3, Quat)| match part {
            Part::Ball => ankle + foot * ball_in_foot(leg, frame),
            Part::Heel => ankle,
        };
        let away = place(next, self.faded(leg, next)) - place(edge, held.at(edge));
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

    /// How much of the corrections at both edges is gone.
    pub fn given(&self, leg: &LegTrack, frame: usize) -> f32 {
        let [before, after] = self.gap.weights(leg, frame);
        1.0 - before.max(after)
    }

    /// Ankle and rotation at a frame of the gap.
    pub fn at(&self, leg: &LegTrack, frame: usize) -> (Vec3, Quat) {
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
