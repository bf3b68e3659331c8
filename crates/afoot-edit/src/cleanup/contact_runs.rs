//! The frames in which a joint of a foot is held, from contact bits and the joint's own motion.
//!
//! A detector's bits end where a sole point leaves the floor; the joint above it may still creep, or
//! move fast already. So each run of bits is cut back at its ends where the joint is fast and widened
//! where it is slow and near: what is held stands still, and what is not clearly moves.

use std::ops::Range;

use afoot_core::{Clip, Contacts};
use glam::Vec3;

use super::legs::LegTrack;
use super::ramp::Softness;
use super::{CleanupOptions, Timing};

/// The held frames of both parts of a foot, each sorted and disjoint.
pub struct Runs {
    pub heel: Vec<Range<usize>>,
    pub ball: Vec<Range<usize>>,
    /// How softly a correction fades away from each frame, if a run begins or ends there.
    pub softness: Vec<Softness>,
    /// Whether each run, the heel's then the ball's, is found to be easy on the leg.
    pub settled: Vec<bool>,
}

impl Runs {
    fn new(heel: Vec<Range<usize>>, ball: Vec<Range<usize>>, frames: usize) -> Self {
        let settled = vec![false; heel.len() + ball.len()];
        Self {
            heel,
            ball,
            softness: vec![Softness::Sharp; frames],
            settled,
        }
    }
}

/// Gaps of fewer seconds between runs of one joint are closed if it hardly moves. [s]
const GAP: f32 = 0.07;
/// Farthest a joint may be moved by a gap or a widening that is held. [m]
const STILL: f32 = 0.04;
/// Farthest a joint may move from a held frame into one more at its side. [m]
const STEP: f32 = 0.025;
/// Share of the root's speed at which a joint still counts as slow: the fitted feet of fast runs
/// skate at up to an eighth of it in mid-stance.
const ROOT_SHARE: f32 = 0.2;

/// Share of the holding speed at which a joint is let go while the other one holds the foot.
const ROLLING_SHARE: f32 = 0.5;

/// Finds the held frames.
pub fn find_runs(
    clip: &Clip,
    leg: &LegTrack,
    (options, timing): (&CleanupOptions, &Timing),
) -> Runs {
    let slow = slow_limits(clip, options, timing);
    let bits = |part: Contacts| -> Vec<bool> {
        clip.contacts
            .iter()
            .map(|contact| contact.any(part))
            .collect()
    };
    let ankle = Joint::new(&leg.ankle, &slow, timing);
    if !leg.has_ball {
        // The ankle is all there is to hold.
        let heel = ankle.held(&bits(Contacts::foot(leg.side)), timing);
        return Runs::new(heel, Vec::new(), leg.len());
    }
    let toe = Joint::new(&leg.ball, &slow, timing);
    let mut heel = ankle.held(&bits(Contacts::heel(leg.side)), timing);
    let ball = toe.held(&bits(Contacts::ball(leg.side)), timing);
    heel.iter_mut().for_each(|run| ankle.roll_off(&ball, run));
    Runs::new(heel, ball, leg.len())
}

/// The speed below which a joint is held, a frame each. [m/s]
fn slow_limits(clip: &Clip, options: &CleanupOptions, timing: &Timing) -> Vec<f32> {
    let limit = |speed: f32| options.hold_speed.max(ROOT_SHARE * speed);
    speeds(&clip.root, timing.fps)
        .into_iter()
        .map(limit)
        .collect()
}

/// Speeds by central differences, one-sided at the ends. [m/s]
pub fn speeds(track: &[Vec3], fps: f32) -> Vec<f32> {
    let last = track.len().saturating_sub(1);
    let speed = |frame: usize| {
        let (from, to) = (frame.saturating_sub(1), (frame + 1).min(last));
        track[to].distance(track[from]) * fps / (to - from).max(1) as f32
    };
    (0..track.len()).map(speed).collect()
}

/// One joint's motion.
struct Joint<'a> {
    track: &'a [Vec3],
    slow: Vec<bool>,
    still: Vec<bool>,
}

impl<'a> Joint<'a> {
    fn new(track: &'a [Vec3], limits: &[f32], timing: &Timing) -> Self {
        let speed = speeds(track, timing.fps);
        let below = |share: f32| {
            let slow = |(speed, limit): (&f32, &f32)| *speed < share * limit;
            speed.iter().zip(limits).map(slow).collect()
        };
        let (slow, still) = (below(1.0), below(ROLLING_SHARE));
        Self { track, slow, still }
    }

    fn held(&self, bits: &[bool], timing: &Timing) -> Vec<Range<usize>> {
        let gap = (GAP * timing.fps) as usize;
        let runs = self.close_gaps(runs_of(bits), gap);
        let trimmed: Vec<Range<usize>> = runs.into_iter().map(|run| self.trim(run)).collect();
        let mut held: Vec<Range<usize>> = Vec::with_capacity(trimmed.len());
        for (index, run) in trimmed.iter().enumerate() {
            let before = held.last().map_or(0, |run| run.end + 1);
            let after = trimmed
                .get(index + 1)
                .map_or(bits.len(), |next| next.start - 1);
            held.push(self.widen(run.clone(), before..after.max(run.end), timing.widen));
        }
        held
    }

    /// Lets go of the heel once it is no longer nearly still, if the ball goes on to hold the foot:
    /// rolling off the heel is no skating.
    fn roll_off(&self, balls: &[Range<usize>], run: &mut Range<usize>) {
        let Some(last) = run.clone().rev().find(|frame| self.still[*frame]) else {
            return;
        };
        if balls
            .iter()
            .any(|ball| run.end < ball.end && ball.start <= last)
        {
            run.end = last + 1;
        }
    }

    fn close_gaps(&self, runs: Vec<Range<usize>>, gap: usize) -> Vec<Range<usize>> {
        let mut closed: Vec<Range<usize>> = Vec::with_capacity(runs.len());
        for run in runs {
            match closed.last_mut() {
                Some(last)
                    if run.start - last.end <= gap
                        && self.track[last.end - 1].distance(self.track[run.start]) < STILL =>
                {
                    last.end = run.end
                }
                _ => closed.push(run),
            }
        }
        closed
    }

    /// Cuts fast frames off both ends; of a run that is fast throughout, the middle is left.
    fn trim(&self, run: Range<usize>) -> Range<usize> {
        let slow = |frame: &usize| self.slow[*frame];
        match (run.clone().find(slow), run.clone().rev().find(slow)) {
            (Some(first), Some(last)) => first..last + 1,
            _ => {
                let middle = (run.start + run.end) / 2;
                middle..middle + 1
            }
        }
    }

    /// Adds slow frames near by at both ends, within `limits`.
    fn widen(&self, run: Range<usize>, limits: Range<usize>, most: usize) -> Range<usize> {
        let near = |frame: usize, edge: usize| {
            self.slow[frame] && self.track[frame].distance(self.track[edge]) < STILL
        };
        let (first, last) = (run.start, run.end - 1);
        let earlier = (limits.start.max(first.saturating_sub(most))..first).rev();
        let later = run.end..limits.end.min(run.end + most);
        let start = earlier
            .take_while(|frame| near(*frame, first))
            .last()
            .unwrap_or(first);
        let end = later
            .take_while(|frame| near(*frame, last))
            .last()
            .unwrap_or(last);
        // One more at each end, or else the last slow frame is seen to move by its neighbour.
        let step = |frame: usize, edge: usize| self.track[frame].distance(self.track[edge]) < STEP;
        let start = start - usize::from(start > limits.start && step(start - 1, start));
        let end = end + usize::from(end + 1 < limits.end && step(end + 1, end));
        start..end + 1
    }
}

/// The maximal stretches of `true`.
pub fn runs_of(flags: &[bool]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (index, _) in flags.iter().enumerate().filter(|(_, on)| **on) {
        match runs.last_mut() {
            Some(run) if run.end == index => run.end += 1,
            _ => runs.push(index..index + 1),
        }
    }
    runs
}
