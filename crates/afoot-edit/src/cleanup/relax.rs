//! Holds a foot for fewer frames where its leg would snap.
//!
//! At the edge of a plant the body may move so fast that a leg which still holds its foot must bend,
//! stretch or jerk faster than it ever does in the clip. There the edge is softened, then given up, frame by frame:
//! a foot that leaves a frame early is hardly seen, a knee that snaps is.

use std::ops::Range;

use afoot_core::{Clip, Side};
use glam::Vec3;

use super::contact_runs::{Run, SHORTEST, STEP_FRAMES};
use super::foot_path::{Changes, FootPath, FootPlan};
use super::free_foot::EASES;
use super::gaps::{find, touching};
use super::legs::LegTrack;
use super::pins::{Pin, Pins};
use super::root_path::needed_sink;
use super::{CleanupOptions, Part};

/// Rounds of looking at all edges.
pub const ROUNDS: usize = 24;
/// Most frames that a plant loses at each end because the leg snaps: more does not help it.
const MOST_GIVEN_UP: u8 = 5;
/// Which of the clip's own values is the largest allowed: the very top may be faults.
const OWN_QUANTILE: f32 = 0.999;
/// What any walking leg does, however little of it a clip shows: a knee folds at some 400 degrees a
/// second when the foot leaves, and the ankle is thrown forward at twice gravity.
const WALKING: (f32, f32) = (7.0, 20.0);
/// Largest acceleration of a foot that still looks like stepping, seen from the hip. [m/s²]
const RUNNING: f32 = 70.0;
/// How much more than in the library, or in the clip alone, a leg may jerk: a library tells more surely
/// what is too much.
const ROOM: (f32, f32) = (1.3, 1.5);
/// How much of the clip's own fastest a knee may fold: some room for what others measure it by.
const OWN_TURN: f32 = 0.95;
/// How much more than around the same frame a leg may jerk in any case.
const JERK_ROOM: f32 = 1.25;
/// Jerks that seem smaller than this share of the limit are not looked at closely.
const ROUGH_SHARE: f32 = 0.6;
/// Least by which a joint is held higher. [m]
const RAISE: f32 = 0.005;
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
    pub fn of_clips<'a>(clips: impl IntoIterator<Item = &'a Clip>) -> Self {
        let options = CleanupOptions::default();
        let (mut turns, mut jerks) = (Vec::new(), Vec::new());
        for clip in clips {
            let legs = Side::BOTH
                .into_iter()
                .filter_map(|side| LegTrack::new(clip, side, &options));
            legs.for_each(|leg| measure(&leg, clip.rate.fps() as f32, (&mut turns, &mut jerks)));
        }
        Self::of_measures(turns, jerks, ROOM.0)
    }

    pub(super) fn of_legs(legs: &[LegTrack], fps: f32) -> Self {
        let (mut turns, mut jerks) = (Vec::new(), Vec::new());
        legs.iter()
            .for_each(|leg| measure(leg, fps, (&mut turns, &mut jerks)));
        Self::of_measures(turns, jerks, ROOM.1)
    }

    fn of_measures(turns: Vec<f32>, jerks: Vec<f32>, room: f32) -> Self {
        Self {
            knee_speed: (OWN_TURN * own_quantile(turns)).max(WALKING.0),
            acceleration: (room * own_quantile(jerks)).clamp(WALKING.1, RUNNING),
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
    let turn = |pair: &[f32]| (pair[1] - pair[0]).abs() * fps;
    turns.extend(leg.angle.windows(2).map(turn));
    jerks.extend((2..leg.len()).map(|frame| own_jerk(leg, frame - 1) * fps * fps));
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
/// or the root would sink too deep; says which. Runs that need nothing are settled: they are not
/// looked at again.
pub fn relax_runs(
    foot: &mut FootPlan,
    (leg, sink): (&LegTrack, &[f32]),
    (limits, options, fps): (Limits, &CleanupOptions, f32),
) -> Changes {
    let shortest = (SHORTEST * fps) as usize + STEP_FRAMES;
    let mut changes = Changes::default();
    for part in [Part::Heel, Part::Ball] {
        let mut apart = Vec::new();
        for index in 0..foot.pins.of(part).len() {
            let pin = &foot.pins.of(part)[index];
            if pin.run.settled {
                continue;
            }
            let mut run = pin.run.clone();
            let excess = |frame: usize| needed_sink(leg, foot, frame) - options.easy_sink;
            if raise(&mut run, pin.room, excess) {
                changes.add(&pin.run, &run, &foot.pins.planted);
                foot.pins.of_mut(part)[index].run = run;
                continue;
            }
            let deep = give_up_deep(&mut run.frames, |frame| excess(frame) > 0.0);
            let snaps = |edge: usize| snaps_near(edge, leg, (&foot.path, sink), limits);
            let changed =
                deep.iter().any(|part| !part.is_empty()) | relax_run(&mut run, leg.len(), snaps);
            (run.settled, run.unsure) = (!changed, false);
            apart.extend(deep.into_iter().filter(|part| part.len() > shortest));
            changes.add(&pin.run, &run, &foot.pins.planted);
            foot.pins.of_mut(part)[index].run = run;
        }
        let pins = foot.pins.of_mut(part);
        pins.retain(|pin| !pin.run.frames.is_empty());
        insert_apart(pins, apart);
    }
    changes
}

/// Has runs looked at again that were settled before something beside them was planned anew; says
/// whether there are any.
pub fn unsettle(pins: &mut Pins) -> bool {
    let mut any = false;
    let unsure = |pin: &&mut Pin| pin.run.unsure;
    for pin in pins.heel.iter_mut().chain(&mut pins.ball).filter(unsure) {
        (pin.run.settled, pin.run.unsure) = (false, false);
        any = true;
    }
    any
}

/// Marks the runs whose edges are near frames that were planned anew.
pub fn doubt(pins: &mut Pins, stale: &[Range<usize>]) {
    for pins in [&mut pins.heel, &mut pins.ball] {
        for frames in stale {
            let near = frames.start.saturating_sub(NEAR)..frames.end + NEAR;
            let touched = touching(pins, &near);
            pins[touched]
                .iter_mut()
                .for_each(|pin| pin.run.unsure = true);
        }
    }
}

impl Changes {
    fn add(&mut self, before: &Run, after: &Run, planted: &[Range<usize>]) {
        if before.frames != after.frames || before.raise != after.raise {
            self.plants
                .extend(find(planted, before.frames.start).cloned());
        } else if before.ease != after.ease {
            self.edges
                .extend([before.frames.start, before.frames.end - 1]);
        }
    }
}

/// What was given up for long is held at a place of its own, some frames away from what holds on.
fn insert_apart(pins: &mut Vec<Pin>, apart: Vec<Range<usize>>) {
    if apart.is_empty() {
        return;
    }
    for part in apart {
        let follows = pins.iter().any(|pin| pin.run.frames.end == part.start);
        let frames = match follows {
            true => part.start + STEP_FRAMES..part.end,
            false => part.start..part.end - STEP_FRAMES,
        };
        pins.push(Pin::of(Run::new(frames.clone(), frames)));
    }
    pins.sort_by_key(|pin| pin.run.frames.start);
}

/// Whether the leg snaps at a frame or next to it.
fn snaps_near(
    edge: usize,
    leg: &LegTrack,
    (path, sink): (&FootPath, &[f32]),
    limits: Limits,
) -> bool {
    let from = edge.saturating_sub(NEAR);
    let frames = from..(edge + NEAR + 1).min(leg.len());
    let mut angles = [0.0; 2 * NEAR + 1];
    let angles = &mut angles[..frames.len()];
    for (angle, frame) in angles.iter_mut().zip(frames.clone()) {
        *angle = leg.knee_angle(frame, path.ankle[frame], path.nearing(frame, sink[frame]));
    }
    let turns = |(index, pair): (usize, &[f32])| {
        let raw = leg.angle[from + index + 1] - leg.angle[from + index];
        (pair[1] - pair[0]).abs() > limits.turn.max(raw.abs())
    };
    if angles.windows(2).enumerate().any(turns) {
        return true;
    }
    let hip = |frame: usize| leg.hip[frame] - Vec3::Y * path.nearing(frame, sink[frame]);
    let ankle = |frame: usize| path.ankle[frame] - hip(frame);
    let seen_from_hip = |frame: usize| {
        let nearing = path.nearing(frame, sink[frame]);
        let (knee, ankle) = leg.knee_and_ankle(frame, path.ankle[frame], nearing);
        (knee - hip(frame), ankle - hip(frame))
    };
    let jerks = |(index, angles): (usize, &[f32])| {
        let frames = [0, 1, 2].map(|after| from + index + after);
        let rough = rough_jerk(frames.map(ankle), angles, leg.thigh()) / ROUGH_SHARE;
        if rough <= limits.jerk {
            return false;
        }
        let most = limits.jerk.max(JERK_ROOM * largest_jerk(leg, frames[1]));
        rough > most && second_difference(frames.map(seen_from_hip)) > most
    };
    angles.windows(3).enumerate().any(jerks)
}

/// Holds a joint higher that is up anyway, if for most of the run it is too deep for the leg; says
/// whether it did.
fn raise(run: &mut Run, room: f32, excess: impl Fn(usize) -> f32) -> bool {
    let deep = run.frames.clone().filter(|frame| excess(*frame) > 0.0);
    if room < RAISE || 2 * deep.count() < run.frames.len() {
        return false;
    }
    let most = run.frames.clone().map(excess).fold(0.0, f32::max);
    run.raise += most.max(RAISE).min(room);
    true
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
        } else if !run.frames.is_empty() && run.given_up[edge] < MOST_GIVEN_UP {
            run.ease[edge] = 0;
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

/// About the second difference of knee and ankle over three frames, without solving the leg. [m]
///
/// A knee between two bones of equal length goes half of the ankle's way, and off the line from
/// hip to ankle by half a bone's length times the angle by which it is bent, or nearly.
fn rough_jerk([a, b, c]: [Vec3; 3], angles: &[f32], thigh: f32) -> f32 {
    let ankle = (a - 2.0 * b + c).length();
    let bend = (angles[0] - 2.0 * angles[1] + angles[2]).abs();
    ankle.max(0.5 * (ankle + thigh * bend))
}

/// The largest second difference of knee and ankle that a leg had around a frame. [m]
fn largest_jerk(leg: &LegTrack, frame: usize) -> f32 {
    let frames = frame.saturating_sub(AROUND).max(1)..(frame + AROUND + 1).min(leg.len() - 1);
    frames.map(|frame| own_jerk(leg, frame)).fold(0.0, f32::max)
}

/// The larger second difference of knee and ankle that a leg had at a frame that is not the first
/// or last. [m]
fn own_jerk(leg: &LegTrack, frame: usize) -> f32 {
    let seen_from_hip = |frame: usize| {
        let hip = leg.hip[frame];
        (leg.knee[frame] - hip, leg.ankle[frame] - hip)
    };
    second_difference([frame - 1, frame, frame + 1].map(seen_from_hip))
}

fn second_difference([a, b, c]: [(Vec3, Vec3); 3]) -> f32 {
    let knee = (a.0 - 2.0 * b.0 + c.0).length_squared();
    let ankle = (a.1 - 2.0 * b.1 + c.1).length_squared();
    knee.max(ankle).sqrt()
}
