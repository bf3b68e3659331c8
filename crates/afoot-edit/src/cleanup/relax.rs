//! Holds a foot for fewer frames where its leg would snap.
//!
//! At the edge of a plant the body may move so fast that a leg which still holds its foot must bend,
//! stretch or jerk faster than it ever does in the clip. There the edge is given up, frame by frame:
//! a foot that leaves a frame early is hardly seen, a knee that snaps is.

use std::ops::Range;

use glam::Vec3;

use super::CleanupOptions;
use super::contact_runs::Runs;
use super::foot_path::FootPath;
use super::legs::LegTrack;
use super::ramp::Softness;
use super::root_path::needed_sink;

/// How often edges may be given up: that many frames are the most a plant loses at each end.
pub const ROUNDS: usize = 8;
/// Which of the clip's own values is the largest allowed: the top few may be faults.
const OWN_QUANTILE: f32 = 0.995;
/// How much faster than that, or than at the same frame, a knee may bend.
const TURN_ROOM: f32 = 1.1;
/// How much more than the clip's own a leg may jerk, and than at the same frame.
const JERK_ROOM: (f32, f32) = (1.5, 1.25);

/// The most that a leg may do from frame to frame.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Change of the knee's angle. [rad]
    turn: f32,
    /// Second difference of knee and ankle, seen from the hip. [m]
    jerk: f32,
}

impl Limits {
    /// What the clip's own legs do, and a little more.
    pub fn of_legs(legs: &[LegTrack]) -> Self {
        let (mut turns, mut jerks) = (Vec::new(), Vec::new());
        for leg in legs {
            let raw = Leg::raw(leg);
            turns.extend((1..leg.len()).map(|frame| raw.turn(frame)));
            jerks.extend((2..leg.len()).map(|frame| raw.jerk(frame - 1)));
        }
        Self {
            turn: TURN_ROOM * own_quantile(turns),
            jerk: JERK_ROOM.0 * own_quantile(jerks),
        }
    }
}

fn own_quantile(mut values: Vec<f32>) -> f32 {
    if values.is_empty() {
        return f32::INFINITY;
    }
    let index = ((values.len() - 1) as f32 * OWN_QUANTILE) as usize;
    *values.select_nth_unstable_by(index, f32::total_cmp).1
}

/// Softens or shortens the runs at whose edges the leg does more than `limits` and more than it did,
/// or the root would sink too deep; says whether there were any. Runs that need nothing are settled:
/// they are not looked at again.
pub fn relax_runs(
    runs: &mut Runs,
    leg: &LegTrack,
    (path, sink): (&FootPath, &[f32]),
    (limits, options): (Limits, &CleanupOptions),
) -> bool {
    let raw = Leg::raw(leg);
    let planned = Leg {
        leg,
        planned: Some((path, sink)),
    };
    let snaps = |edge: usize| snaps_near(edge, (&raw, &planned), limits);
    let deep = |frame: usize| needed_sink(leg, path, frame) > options.easy_sink;
    let Runs {
        heel,
        ball,
        softness,
        settled,
    } = runs;
    let mut relaxed = false;
    for (run, settled) in heel.iter_mut().chain(ball).zip(settled) {
        if !*settled {
            let changed = give_up_deep(run, deep) | relax_run(run, softness, snaps);
            *settled = !changed;
            relaxed |= changed;
        }
    }
    relaxed
}

/// Whether the leg snaps at a frame or next to it.
fn snaps_near(edge: usize, (raw, planned): (&Leg, &Leg), limits: Limits) -> bool {
    let last = raw.leg.len() - 1;
    let (from, to) = (edge.saturating_sub(2), (edge + 2).min(last));
    let turns = |at: usize| planned.turn(at) > limits.turn.max(TURN_ROOM * raw.turn(at));
    if (from + 1..=to).any(turns) {
        return true;
    }
    let places: Vec<(Vec3, Vec3)> = (from..=to)
        .map(|frame| planned.seen_from_hip(frame))
        .collect();
    let jerks = |(index, places): (usize, &[(Vec3, Vec3)])| {
        let jerk = second_difference([places[0], places[1], places[2]]);
        jerk > limits.jerk && jerk > JERK_ROOM.1 * raw.jerk(from + index + 1)
    };
    places.windows(3).enumerate().any(jerks)
}

/// Gives up the edge frames for which the root would sink too deep.
fn give_up_deep(run: &mut Range<usize>, deep: impl Fn(usize) -> bool) -> bool {
    let before = run.clone();
    while run.len() > 1 && deep(run.end - 1) {
        run.end -= 1;
    }
    while run.len() > 1 && deep(run.start) {
        run.start += 1;
    }
    *run != before
}

/// Softens the edges of a run next to which the leg snaps, or gives up their frames.
fn relax_run(
    run: &mut Range<usize>,
    softness: &mut [Softness],
    snaps: impl Fn(usize) -> bool,
) -> bool {
    let (first, last) = (run.start, run.end - 1);
    let end_snaps = run.end < softness.len() && snaps(last);
    let start_snaps = first > 0 && snaps(first);
    if end_snaps && !soften(softness, last) && run.len() > 1 {
        run.end -= 1;
        softness[run.end - 1] = Softness::Medium;
    }
    if start_snaps && !soften(softness, first) && run.len() > 1 {
        run.start += 1;
        softness[run.start] = Softness::Medium;
    }
    end_snaps || start_snaps
}

/// Makes the fade from an edge softer; says whether it could.
fn soften(softness: &mut [Softness], edge: usize) -> bool {
    let softer = softness[edge].softer();
    softness[edge] = softer.unwrap_or(softness[edge]);
    softer.is_some()
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
        let angle = |frame: usize| match self.planned {
            None => self.leg.angle[frame],
            Some((path, sink)) => self.leg.knee_angle(frame, path.ankle[frame], sink[frame]),
        };
        (angle(frame) - angle(frame - 1)).abs()
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
