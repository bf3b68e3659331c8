//! Holds a foot for fewer frames where its leg would snap.
//!
//! At the edge of a plant the body may move so fast that a leg which still holds its foot must bend,
//! stretch or jerk faster than it ever does in the clip. There the edge is softened, then given up, frame by frame:
//! a foot that leaves a frame early is hardly seen, a knee that snaps is.

use std::ops::Range;

use afoot_core::{Clip, Side};
use glam::Vec3;

use super::CleanupOptions;
use super::contact_runs::{Run, Runs, SHORTEST, STEP_FRAMES};
use super::foot_path::{EASES, FootPath};
use super::legs::LegTrack;
use super::root_path::needed_sink;

/// Rounds of looking at all edges.
pub const ROUNDS: usize = 24;
/// Most frames that a plant loses at each end because the leg snaps: more does not help it.
const MOST_GIVEN_UP: u8 = 5;
/// Which of the clip's own values is the largest allowed: the very top may be faults.
const OWN_QUANTILE: f32 = 0.999;
/// How much faster than at the same frame a knee may bend in any case.
const TURN_ROOM: f32 = 1.1;
/// What any walking leg does, however little of it a clip shows: a knee folds at some 450 degrees a
/// second when the foot leaves, and the ankle is thrown forward at three times gravity.
const WALKING: (f32, f32) = (8.0, 30.0);
/// Largest acceleration of a foot that still looks like stepping, seen from the hip. [m/s²]
const RUNNING: f32 = 70.0;
/// How much more than the clip's own a leg may jerk.
const OWN_ROOM: f32 = 1.5;
/// How much of the clip's own fastest a knee may fold: some room for what others measure it by.
const OWN_TURN: f32 = 0.95;
/// How much more than around the same frame a leg may jerk in any case.
const JERK_ROOM: f32 = 1.25;
/// Jerks that seem smaller than this share of the limit are not looked at closely.
const ROUGH_SHARE: f32 = 0.6;
/// Frames to either side of an edge that its easing reaches.
const NEAR: usize = 4;
/// Frames to either side that count as around a frame.
const AROUND: usize = 3;

/// The most that legs may do, so that none is seen to snap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegLimits {
    /// How fast a knee folds or opens. [rad/s]
    pub knee_speed: f32,
    /// Acceleration of knee and ankle, seen from the hip. [m/s²]
    pub acceleration: f32,
}

impl LegLimits {
    /// What the legs of some clips do, and no less than walking takes.
    pub fn of_clips(clips: &[Clip]) -> Self {
        let options = CleanupOptions::default();
        let (mut turns, mut jerks) = (Vec::new(), Vec::new());
        for clip in clips {
            let legs = Side::BOTH
                .into_iter()
                .filter_map(|side| LegTrack::new(clip, side, &options));
            legs.for_each(|leg| measure(&leg, clip.rate.fps() as f32, (&mut turns, &mut jerks)));
        }
        Self::of_measures(turns, jerks)
    }

    pub(super) fn of_legs(legs: &[LegTrack], fps: f32) -> Self {
        let (mut turns, mut jerks) = (Vec::new(), Vec::new());
        legs.iter()
            .for_each(|leg| measure(leg, fps, (&mut turns, &mut jerks)));
        Self::of_measures(turns, jerks)
    }

    fn of_measures(turns: Vec<f32>, jerks: Vec<f32>) -> Self {
        Self {
            knee_speed: (OWN_TURN * own_quantile(turns)).max(WALKING.0),
            acceleration: (OWN_ROOM * own_quantile(jerks)).clamp(WALKING.1, RUNNING),
        }
    }

    pub(super) fn per_frame(self, fps: f32) -> Limits {
        Limits {
            turn: self.knee_speed / fps,
            jerk: self.acceleration / (fps * fps),
        }
    }
}

/// Adds a leg's knee speeds and its accelerations.
fn measure(leg: &LegTrack, fps: f32, (turns, jerks): (&mut Vec<f32>, &mut Vec<f32>)) {
    let raw = Leg::raw(leg);
    turns.extend((1..leg.len()).map(|frame| raw.turn(frame) * fps));
    jerks.extend((2..leg.len()).map(|frame| raw.jerk(frame - 1) * fps * fps));
}

/// [`LegLimits`] from frame to frame.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Change of the knee's angle. [rad]
    turn: f32,
    /// Second difference of knee and ankle, seen from the hip. [m]
    jerk: f32,
}

fn own_quantile(mut values: Vec<f32>) -> f32 {
    if values.is_empty() {
        return f32::INFINITY;
    }
    let index = ((values.len() - 1) as f32 * OWN_QUANTILE) as usize;
    *values.select_nth_unstable_by(index, f32::total_cmp).1
}

/// Shortens the runs at whose edges the leg does more than `limits` and more than it did,
/// or the root would sink too deep; says whether there were any. Runs that need nothing are settled:
/// they are not looked at again.
pub fn relax_runs(
    runs: &mut Runs,
    (leg, path, sink): (&LegTrack, &FootPath, &[f32]),
    (limits, options, fps): (Limits, &CleanupOptions, f32),
) -> bool {
    let raw = Leg::raw(leg);
    let planned = Leg {
        leg,
        planned: Some((path, sink)),
    };
    let snaps = |edge: usize| snaps_near(edge, (&raw, &planned), limits);
    let deep = |frame: usize| needed_sink(leg, path, frame) > options.easy_sink;
    let shortest = (SHORTEST * fps) as usize + STEP_FRAMES;
    let mut relaxed = false;
    for runs in [&mut runs.heel, &mut runs.ball] {
        let mut apart = Vec::new();
        for run in runs.iter_mut().filter(|run| !run.settled) {
            let deep = give_up_deep(&mut run.frames, deep);
            let changed =
                deep.iter().any(|part| !part.is_empty()) | relax_run(run, leg.len(), snaps);
            run.settled = !changed;
            relaxed |= changed;
            apart.extend(deep.into_iter().filter(|part| part.len() > shortest));
        }
        insert_apart(runs, apart);
    }
    relaxed
}

/// What was given up for long is held at a place of its own, some frames away from what holds on.
fn insert_apart(runs: &mut Vec<Run>, apart: Vec<Range<usize>>) {
    if apart.is_empty() {
        return;
    }
    for part in apart {
        let follows = runs.iter().any(|run| run.frames.end == part.start);
        let frames = match follows {
            true => part.start + STEP_FRAMES..part.end,
            false => part.start..part.end - STEP_FRAMES,
        };
        runs.push(Run {
            contact: frames.clone(),
            frames,
            ease: [0; 2],
            given_up: [0; 2],
            settled: false,
        });
    }
    runs.sort_by_key(|run| run.frames.start);
}

/// Whether the leg snaps at a frame or next to it.
fn snaps_near(edge: usize, (raw, planned): (&Leg, &Leg), limits: Limits) -> bool {
    let last = raw.leg.len() - 1;
    let (from, to) = (edge.saturating_sub(NEAR), (edge + NEAR).min(last));
    let turns = |at: usize| planned.turn(at) > limits.turn.max(TURN_ROOM * raw.turn(at));
    if (from + 1..=to).any(turns) {
        return true;
    }
    let may_jerk = |at: usize| planned.rough_jerk(at) > ROUGH_SHARE * limits.jerk;
    if !(from + 1..to).any(may_jerk) {
        return false;
    }
    let places: Vec<(Vec3, Vec3)> = (from..=to)
        .map(|frame| planned.seen_from_hip(frame))
        .collect();
    let jerks = |(index, places): (usize, &[(Vec3, Vec3)])| {
        let jerk = second_difference([places[0], places[1], places[2]]);
        jerk > limits.jerk && jerk > JERK_ROOM * raw.largest_jerk(from + index + 1)
    };
    places.windows(3).enumerate().any(jerks)
}

/// Gives up the edge frames for which the root would sink too deep, and returns them.
fn give_up_deep(run: &mut Range<usize>, deep: impl Fn(usize) -> bool) -> [Range<usize>; 2] {
    let before = run.clone();
    while run.len() > 1 && deep(run.end - 1) {
        run.end -= 1;
    }
    while run.len() > 1 && deep(run.start) {
        run.start += 1;
    }
    [before.start..run.start, run.end..before.end]
}

/// Softens the edges of a run next to which the leg snaps, or gives up their frames.
fn relax_run(run: &mut Run, frames: usize, snaps: impl Fn(usize) -> bool) -> bool {
    let snap = [
        run.frames.start > 0 && snaps(run.frames.start),
        run.frames.end < frames && snaps(run.frames.end - 1),
    ];
    let mut relaxed = false;
    for (edge, _) in snap.into_iter().enumerate().filter(|(_, snaps)| *snaps) {
        let in_contact = match edge {
            0 => run.contact.start <= run.frames.start,
            _ => run.contact.end >= run.frames.end,
        };
        // Frames beside a contact are given up before they are left without easing.
        let softest = EASES.len() - if in_contact { 1 } else { 2 };
        if run.ease[edge] < softest {
            run.ease[edge] += 1;
            relaxed = true;
        } else if run.frames.len() > 1 && run.given_up[edge] < MOST_GIVEN_UP {
            run.ease[edge] = 1;
            run.given_up[edge] += 1;
            match edge {
                0 => run.frames.start += 1,
                _ => run.frames.end -= 1,
            }
            relaxed = true;
        }
    }
    relaxed
}

/// A leg as it is or as it is planned.
struct Leg<'a> {
    leg: &'a LegTrack,
    planned: Option<(&'a FootPath, &'a [f32])>,
}

impl<'a> Leg<'a> {
    fn raw(leg: &'a LegTrack) -> Self {
        Self { leg, planned: None }
    }

    /// How far the knee's angle changes into a frame, from 1 on. [rad]
    fn turn(&self, frame: usize) -> f32 {
        (self.angle(frame) - self.angle(frame - 1)).abs()
    }

    /// The knee's angle. [rad]
    fn angle(&self, frame: usize) -> f32 {
        match self.planned {
            None => self.leg.angle[frame],
            Some((path, sink)) => self.leg.knee_angle(frame, path.ankle[frame], sink[frame]),
        }
    }

    /// About the second difference of knee and ankle at a frame, without solving the leg. [m]
    ///
    /// A knee between two bones of equal length goes half of the ankle's way, and off the line from
    /// hip to ankle by half a bone's length times the angle by which it is bent, or nearly.
    fn rough_jerk(&self, frame: usize) -> f32 {
        let frames = [frame - 1, frame, frame + 1];
        let [a, b, c] = frames.map(|frame| self.ankle(frame));
        let ankle = (a - 2.0 * b + c).length();
        let [a, b, c] = frames.map(|frame| self.angle(frame));
        let knee = 0.5 * (ankle + self.leg.thigh() * (a - 2.0 * b + c).abs());
        ankle.max(knee)
    }

    /// The ankle's target seen from the hip. [m]
    fn ankle(&self, frame: usize) -> Vec3 {
        match self.planned {
            None => self.leg.ankle[frame] - self.leg.hip[frame],
            Some((path, sink)) => path.ankle[frame] - self.leg.hip[frame] + Vec3::Y * sink[frame],
        }
    }

    /// Knee and ankle seen from the hip. [m]
    fn seen_from_hip(&self, frame: usize) -> (Vec3, Vec3) {
        let Some((path, sink)) = self.planned else {
            let hip = self.leg.hip[frame];
            return (self.leg.knee[frame] - hip, self.leg.ankle[frame] - hip);
        };
        let hip = self.leg.hip[frame] - Vec3::Y * sink[frame];
        let (knee, ankle) = self
            .leg
            .knee_and_ankle(frame, path.ankle[frame], sink[frame]);
        (knee - hip, ankle - hip)
    }

    /// The largest second difference of knee and ankle around a frame. [m]
    fn largest_jerk(&self, frame: usize) -> f32 {
        let frames =
            frame.saturating_sub(AROUND).max(1)..(frame + AROUND + 1).min(self.leg.len() - 1);
        frames.map(|frame| self.jerk(frame)).fold(0.0, f32::max)
    }

    /// The larger second difference of knee and ankle at a frame that is not the first or last. [m]
    fn jerk(&self, frame: usize) -> f32 {
        second_difference([frame - 1, frame, frame + 1].map(|frame| self.seen_from_hip(frame)))
    }
}

fn second_difference([a, b, c]: [(Vec3, Vec3); 3]) -> f32 {
    let knee = (a.0 - 2.0 * b.0 + c.0).length_squared();
    let ankle = (a.1 - 2.0 * b.1 + c.1).length_squared();
    knee.max(ankle).sqrt()
}
