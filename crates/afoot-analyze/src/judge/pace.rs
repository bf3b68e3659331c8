//! Walkers that halt where nothing stops them, and motion that begins or ends in mid-step.
//!
//! *Halts*: of the time between the first step and the last, the share that goes by at less than a third of the
//! median speed while the way leads straight on. Speed is taken over a second, in which nobody who walks
//! comes near that: within a step it changes by a tenth. *Ends*: who stands has both feet down and is
//! still. Metres, seconds. Cost: linear. Weakness: who turns on the spot before he goes on halts at a corner.

use std::ops::Range;

use afoot_core::{Clip, Ground, Positions, Side};
use glam::{DVec2, Vec3};

use super::course::height_over;
use crate::feet::foot_joints;
use crate::speed::size;

/// Half of the time over which speed is taken. [s]
const REACH: f64 = 0.5;
/// Share of the median speed below which one halts.
const HALT: f64 = 1.0 / 3.0;
/// How far before and after a halt the way is looked at, and how much it turns at most if it leads straight
/// on: the cosine of 40°. [m]
const BESIDE: f64 = 0.5;
const STRAIGHT: f64 = 0.766;
/// Shorter ways have no pace. [m]
const SHORTEST: f64 = 2.0;

/// How much of an end is looked at. [s]
const END: f64 = 0.2;
/// Faster than this nobody stands: hips sway by a few centimetres a second. [m/s, of an adult]
const STILL: f32 = 0.25;
/// Highest that a foot that is down has ankle or ball above their rest heights. [m, of an adult]
const DOWN: f32 = 0.06;

/// Where the root went over the ground.
#[derive(Debug, Default)]
pub(super) struct Pace {
    trace: Vec<DVec2>,
    frame_time: f64,
}

impl Pace {
    /// Takes in the next frames.
    pub fn add(&mut self, clip: &Clip, counted: &Range<usize>) {
        self.frame_time = clip.rate.frame_time();
        let ground = |root: &Vec3| DVec2::new(f64::from(root.x), f64::from(root.z));
        self.trace
            .extend(clip.root[counted.clone()].iter().map(ground));
    }

    /// The share of halts; `None` of motion that goes nowhere.
    pub fn halts(&self) -> Option<f64> {
        let trace = &self.trace;
        let way: f64 = trace.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        if way < SHORTEST {
            return None;
        }
        let speeds = self.speeds();
        let mut sorted = speeds.clone();
        sorted.sort_by(f64::total_cmp);
        let slow = sorted[sorted.len() / 2] * HALT;
        let first = speeds.iter().position(|speed| *speed >= slow)?;
        let last = speeds.iter().rposition(|speed| *speed >= slow)?;
        let halts = (first..=last).filter(|at| speeds[*at] < slow && self.leads_on(*at));
        Some(halts.count() as f64 / (last + 1 - first) as f64)
    }

    fn speeds(&self) -> Vec<f64> {
        let reach = ((REACH / self.frame_time).round() as usize).max(1);
        let last = self.trace.len() - 1;
        let speed = |at: usize| {
            let (from, to) = (at.saturating_sub(reach), (at + reach).min(last));
            let seconds = (to - from).max(1) as f64 * self.frame_time;
            self.trace[from].distance(self.trace[to]) / seconds
        };
        (0..=last).map(speed).collect()
    }

    /// Whether the way goes on after a frame as it came.
    fn leads_on(&self, at: usize) -> bool {
        let here = self.trace[at];
        let far = |place: &&DVec2| place.distance(here) >= BESIDE;
        let before = self.trace[..at].iter().rev().find(far);
        let after = self.trace[at..].iter().find(far);
        before.zip(after).is_some_and(|(before, after)| {
            (here - *before)
                .normalize()
                .dot((*after - here).normalize())
                >= STRAIGHT
        })
    }
}

/// Which end of a motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    First,
    Last,
}

/// Whether a figure stands at an end of a piece's counted frames; `None` without floor or feet.
pub(super) fn stands_at(
    (clip, positions): (&Clip, &Positions),
    ground: Option<&Ground>,
    counted: &Range<usize>,
    end: End,
) -> Option<bool> {
    let ground = ground?;
    let long = clip.rate.frames_in(END).clamp(1, counted.len().max(1));
    let frames = match end {
        End::First => counted.start..counted.start + long,
        End::Last => counted.end - long.min(counted.end)..counted.end,
    };
    let (size, last) = (size(clip), frames.end.checked_sub(1)?);
    let way = (clip.root[last] - clip.root[frames.start]).with_y(0.0);
    let seconds = ((last - frames.start).max(1) as f64 * clip.rate.frame_time()) as f32;
    let still = way.length() / seconds < STILL * size.sqrt();
    let feet = Side::BOTH.map(|side| Some((side, foot_joints(&clip.skeleton, side)?)));
    let at = match end {
        End::First => frames.start,
        End::Last => last,
    };
    let down = |(side, joints): (Side, crate::feet::FootJoints)| {
        let rest = ground.rest[side.index()];
        let low = |joint: afoot_core::JointId, rest: f32| {
            height_over(positions.joint(at.into(), joint), ground) - rest < DOWN * size
        };
        low(joints.ankle, rest.ankle) || joints.ball.is_some_and(|ball| low(ball, rest.ball))
    };
    let [left, right] = feet;
    Some(still && down(left?) && down(right?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks along the points, a step a frame.
    fn halts(places: impl Iterator<Item = DVec2>) -> f64 {
        let pace = Pace {
            trace: places.collect(),
            frame_time: 1.0 / 30.0,
        };
        pace.halts().unwrap()
    }

    fn straight(from: f64, frames: usize) -> impl Iterator<Item = f64> {
        (0..frames).map(move |frame| from + frame as f64 * 0.04)
    }

    #[test]
    fn halts_on_the_way_count_and_stands_at_its_ends_do_not() {
        let even = || straight(0.0, 150).map(|z| DVec2::new(0.0, z));
        assert_eq!(halts(even()), 0.0);
        let ends = std::iter::repeat_n(DVec2::ZERO, 60);
        let stood = std::iter::repeat_n(DVec2::new(0.0, 5.96), 60);
        assert_eq!(halts(ends.chain(even()).chain(stood)), 0.0);
        let held = std::iter::repeat_n(DVec2::new(0.0, 6.0), 60);
        let on = straight(6.0, 150).map(|z| DVec2::new(0.0, z));
        let found = halts(even().chain(held).chain(on));
        assert!((found - 40.0 / 360.0).abs() < 0.03, "{found}");
    }

    #[test]
    fn who_turns_a_corner_may_stop_there() {
        let even = straight(0.0, 150).map(|z| DVec2::new(0.0, z));
        let held = std::iter::repeat_n(DVec2::new(0.0, 6.0), 60);
        let on = straight(0.0, 150).map(|x| DVec2::new(x, 6.0));
        assert_eq!(halts(even.chain(held).chain(on)), 0.0);
    }
}
