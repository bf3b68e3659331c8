//! The frames in which a joint of a foot is held, from contact bits and the joint's own motion.
//!
//! A detector's bits end where a sole point leaves the floor; the joint above it may still creep, or
//! move fast already. So each run of bits is cut back at its ends where the joint is fast and widened
//! where it is slow and near: what is held stands still, and what is not clearly moves.

use std::ops::Range;

use afoot_core::{Clip, Contacts};
use glam::Vec3;

use super::creeps::quicken_creeps;
use super::legs::LegTrack;
use super::{CleanupOptions, Setting, Timing};

/// Frames in which a joint is held.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    pub frames: Range<usize>,
    /// Those of them, first to last, in which the part is in contact and the joint is nearly still.
    pub contact: Range<usize>,
    /// How softly the foot comes to rest and leaves: a number into `EASES`.
    pub ease: [usize; 2],
    /// Frames given up at both ends.
    pub given_up: [u8; 2],
    /// How far above the floor it is held, because the leg does not reach down. [m]
    pub raise: f32,
    /// Whether it was found to be easy on the leg.
    pub settled: bool,
    /// Whether something beside it was planned anew since.
    pub unsure: bool,
}

impl Run {
    /// A run of frames with those in contact, not looked at yet.
    pub fn new(frames: Range<usize>, contact: Range<usize>) -> Self {
        Self {
            frames,
            contact,
            ease: [0; 2],
            given_up: [0; 2],
            raise: 0.0,
            settled: false,
            unsure: false,
        }
    }

    /// A run of frames that the bits say are in contact, but for some at its ends.
    fn of_bits(frames: Range<usize>, joint: &Joint, bits: &[bool]) -> Self {
        let down = |frame: &usize| bits[*frame] && joint.still[*frame];
        let first = frames.clone().find(down).unwrap_or(frames.start);
        let last = frames.clone().rfind(down).unwrap_or(frames.start);
        Self::new(frames, first..last + 1)
    }
}

/// The held frames of both parts of a foot, each sorted and disjoint.
pub struct Runs {
    pub heel: Vec<Run>,
    pub ball: Vec<Run>,
}

fn with_contact(runs: Vec<Range<usize>>, joint: &Joint, bits: &[bool]) -> Vec<Run> {
    let run = |frames: Range<usize>| Run::of_bits(frames, joint, bits);
    runs.into_iter().map(run).collect()
}

/// Gaps of fewer seconds between runs of one joint are closed if it hardly moves. [s]
const GAP: f32 = 0.07;
/// Farthest a joint may be from a held edge to be held with it. [m]
const STILL: f32 = 0.06;
/// Share of the root's speed at which a joint still counts as slow: the fitted feet of fast runs
/// skate at up to an eighth of it in mid-stance.
const ROOT_SHARE: f32 = 0.2;
/// How much faster than the holding speed a joint may step into the last frame of a contact.
const STEP_SHARE: f32 = 1.5;
/// Share of the holding speed at which a joint is let go while the other one holds the foot.
const ROLLING_SHARE: f32 = 0.5;

/// Finds the held frames.
pub fn find_runs(clip: &Clip, leg: &LegTrack, (floor, options, timing): Setting) -> Runs {
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
        let bits = bits(Contacts::foot(leg.side));
        let runs = ankle.runs(&bits, timing);
        let slides = ankle.slides(&runs, timing);
        return Runs {
            heel: with_contact(ankle.held(runs, &slides, timing), &ankle, &bits),
            ball: Vec::new(),
        };
    }
    let toe = Joint::new(&leg.ball, &slow, timing);
    let [heel_bits, ball_bits] = [Contacts::heel(leg.side), Contacts::ball(leg.side)].map(bits);
    let heel = ankle.runs(&heel_bits, timing);
    let ball = toe.runs(&ball_bits, timing);
    let slides = toe.slides(&ball, timing);
    let mut along = ankle.moving_along(&slides);
    let ball = toe.held(ball, &slides, timing);
    along.extend(ankle.slides(&without(&heel, &along), timing));
    let mut heel = ankle.held(heel, &along, timing);
    heel.iter_mut().for_each(|run| ankle.roll_off(&ball, run));
    let mut parts = [heel, ball];
    part_strays(&mut parts, [&leg.ankle, &leg.ball]);
    quicken_creeps(&mut parts, [&ankle, &toe], (leg, floor, timing.fps));
    let [heel, ball] = parts;
    Runs {
        heel: with_contact(heel, &ankle, &heel_bits),
        ball: with_contact(ball, &toe, &ball_bits),
    }
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
pub struct Joint<'a> {
    pub track: &'a [Vec3],
    /// Its speed at each frame. [m/s]
    pub speed: Vec<f32>,
    /// Whether the joint is slow at each frame.
    pub slow: Vec<bool>,
    /// Whether it is not fast from each frame to the next.
    slow_step: Vec<bool>,
    /// Whether it is nearly still at each frame.
    still: Vec<bool>,
}

impl<'a> Joint<'a> {
    fn new(track: &'a [Vec3], limits: &[f32], timing: &Timing) -> Self {
        let speed = speeds(track, timing.fps);
        let below = |share: f32| {
            let slow = |(speed, limit): (&f32, &f32)| *speed < share * limit;
            speed.iter().zip(limits).map(slow).collect()
        };
        let steps = track.windows(2).map(|pair| pair[0].distance(pair[1]));
        let slow_step = |(step, limit): (f32, &f32)| step * timing.fps < STEP_SHARE * limit;
        Self {
            slow: below(1.0),
            slow_step: steps.zip(limits).map(slow_step).collect(),
            still: below(ROLLING_SHARE),
            speed,
            track,
        }
    }

    /// The runs of bits, with short gaps closed and fast ends cut off.
    fn runs(&self, bits: &[bool], timing: &Timing) -> Vec<Range<usize>> {
        let gap = (GAP * timing.fps) as usize;
        let runs = self.close_gaps(runs_of(bits), gap);
        runs.into_iter().map(|run| self.trim(run)).collect()
    }

    /// The runs without the slides in them, widened at their own ends.
    fn held(
        &self,
        runs: Vec<Range<usize>>,
        slides: &[Range<usize>],
        timing: &Timing,
    ) -> Vec<Range<usize>> {
        let shortest = ((SHORTEST * timing.fps) as usize).max(1);
        let slid = |frame: usize| slides.iter().any(|slide| slide.contains(&frame));
        let parts: Vec<Range<usize>> = without(&runs, slides)
            .into_iter()
            .filter(|part| runs.contains(part) || part.len() >= shortest)
            .collect();
        let mut held: Vec<Range<usize>> = Vec::with_capacity(parts.len());
        for (index, part) in parts.iter().enumerate() {
            let before = match part.start.checked_sub(1) {
                Some(frame) if slid(frame) => part.start,
                _ => held.last().map_or(0, |run| run.end + 1),
            };
            let next = parts.get(index + 1);
            let after = if slid(part.end) {
                part.end
            } else {
                next.map_or(self.track.len(), |next| next.start - 1)
            };
            held.push(self.widen(part.clone(), before..after.max(part.end), timing.widen));
        }
        held
    }

    /// The frames to set free in runs in which the joint slides from place to place: around the
    /// fastest frame of each slide, for a quick step.
    fn slides(&self, runs: &[Range<usize>], timing: &Timing) -> Vec<Range<usize>> {
        let (mut open, mut found) = (runs.to_vec(), Vec::new());
        while let Some(run) = open.pop() {
            let Some(slide) = slide_within(&self.track[run.clone()], timing.fps) else {
                continue;
            };
            let slide = run.start + slide.start..run.start + slide.end;
            open.extend([run.start..slide.start, slide.end..run.end]);
            found.push(slide);
        }
        found
    }

    /// Those of another joint's slides in which this one moves as well.
    fn moving_along(&self, slides: &[Range<usize>]) -> Vec<Range<usize>> {
        let last = self.track.len().saturating_sub(1);
        let moves = |slide: &&Range<usize>| {
            let (from, to) = (slide.start.saturating_sub(1), slide.end.min(last));
            self.track[from].distance(self.track[to]) > 0.5 * DWELL
        };
        slides.iter().filter(moves).cloned().collect()
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
        match (run.clone().find(slow), run.clone().rfind(slow)) {
            (Some(first), Some(last)) => {
                // One more at each end: a foot at rest is seen to move by its neighbour.
                let before = first > run.start && self.slow_step[first - 1];
                let after = last + 1 < run.end && self.slow_step[last];
                first - usize::from(before)..last + 1 + usize::from(after)
            }
            _ => {
                let middle = (run.start + run.end) / 2;
                middle..middle + 1
            }
        }
    }

    /// Adds slow frames near by at both ends, within `limits`.
    fn widen(&self, run: Range<usize>, limits: Range<usize>, most: usize) -> Range<usize> {
        let (first, last) = (run.start, run.end - 1);
        let near = |frame: usize, edge: usize| {
            let apart = self.track[frame].distance_squared(self.track[edge]);
            self.slow[frame] && apart < STILL * STILL
        };
        let earlier = (limits.start.max(first.saturating_sub(most))..first).rev();
        let later = run.end..limits.end.min(run.end + most);
        let start = earlier.take_while(|frame| near(*frame, first));
        let end = later.take_while(|frame| near(*frame, last));
        start.last().unwrap_or(first)..end.last().unwrap_or(last) + 1
    }
}

/// Farthest from its mean place that a joint is held. [m]
pub const DWELL: f32 = 0.2;
/// How fast a foot steps from one place to the next, where it slid. [m/s]
pub const STEP_SPEED: f32 = 1.0;
/// Shortest stay that is held between two slides. [s]
pub const SHORTEST: f32 = 0.1;

/// The frames to set free in a track that strays too far from its mean place to be held there.
fn slide_within(track: &[Vec3], fps: f32) -> Option<Range<usize>> {
    let mean = mean_place(track);
    let strays = |place: &Vec3| place.distance_squared(mean) > DWELL * DWELL;
    if track.len() < 3 || !track.iter().any(strays) {
        return None;
    }
    let speeds = speeds(track, fps);
    let fastest = (1..track.len() - 1).max_by(|a, b| speeds[*a].total_cmp(&speeds[*b]))?;
    let [before, after] = [&track[..fastest], &track[fastest..]].map(mean_place);
    let half = (before.distance(after) / STEP_SPEED * fps / 2.0) as usize;
    Some(fastest.saturating_sub(half)..(fastest + half + 1).min(track.len()))
}

/// What is left of runs without some frames.
fn without(runs: &[Range<usize>], taken: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut left = runs.to_vec();
    for taken in taken {
        let cut = |run: Range<usize>| {
            [
                run.start..run.end.min(taken.start),
                run.start.max(taken.end)..run.end,
            ]
        };
        left = left.into_iter().flat_map(cut).collect();
        left.retain(|run| !run.is_empty());
    }
    left
}

/// Farthest apart that heel and ball, each at its mean place, may be from where they are together. [m]
const STRAY: f32 = 0.1;
/// Frames set free between two places of a foot that can't be held at one.
pub const STEP_FRAMES: usize = 3;

/// Parts runs of heel and ball that overlap, if one of them is somewhere else when they don't: a foot
/// that creeps on, now on its heel and now on its ball, would be held ever farther from its way.
fn part_strays(parts: &mut [Vec<Range<usize>>; 2], tracks: [&[Vec3]; 2]) {
    let mut heel = 0;
    while heel < parts[0].len() {
        let overlapping = |ball: &Range<usize>| overlap(&parts[0][heel], ball).is_some();
        let Some(ball) = parts[1].iter().position(overlapping) else {
            heel += 1;
            continue;
        };
        let balls = ball..parts[1].len();
        let parted = balls.into_iter().find_map(|ball| {
            let indices = [heel, ball];
            let runs = [&parts[0][heel], &parts[1][ball]];
            let together = overlap(runs[0], runs[1])?;
            let stray = [0, 1].map(|part| {
                let mean = |frames: &Range<usize>| mean_place(&tracks[part][frames.clone()]);
                mean(runs[part]) - mean(&together)
            });
            if (stray[0] - stray[1]).length() < STRAY {
                return None;
            }
            let part = usize::from(stray[1].length() > stray[0].length());
            Some((part, indices[part], part_run(runs[part], &together)?))
        });
        match parted {
            Some((part, index, pieces)) => drop(parts[part].splice(index..=index, pieces)),
            None => heel += 1,
        }
    }
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> Option<Range<usize>> {
    let both = a.start.max(b.start)..a.end.min(b.end);
    (!both.is_empty()).then_some(both)
}

fn mean_place(track: &[Vec3]) -> Vec3 {
    track.iter().sum::<Vec3>() / track.len().max(1) as f32
}

/// A run parted where it goes beyond some of its frames, on the side where there is more of it.
fn part_run(run: &Range<usize>, together: &Range<usize>) -> Option<[Range<usize>; 2]> {
    let before = together.start - run.start;
    let after = run.end - together.end;
    let parts = if before >= after {
        [
            run.start..together.start.saturating_sub(STEP_FRAMES),
            together.start..run.end,
        ]
    } else {
        [run.start..together.end, together.end + STEP_FRAMES..run.end]
    };
    parts.iter().all(|part| !part.is_empty()).then_some(parts)
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
