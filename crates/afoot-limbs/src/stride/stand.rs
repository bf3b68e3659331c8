//! Walks that come out of a stand, or end in one.
//!
//! Who stands has one foot beside the other, so the first two footfalls are put beside each other, and the
//! last two: the first foot that moves and the last one go half a stride. The clip begins as the body is over
//! the foot that will step off, while the other one, which was still swinging, stands already: between that and its
//! strike the captured body shifts its weight to it, as people do before they start. Upper body and pelvis come out of their
//! mean over the walk, which is about how one stands. Not here: what steps in between are like (`place`).

use std::ops::Range;

use afoot_core::{Clip, JointId, Planar, Quat, Vec3};

use super::error::StrideError;
use super::options::StrideOptions;
use super::swing::FootTrack;
use super::walk::{Footfall, Walk};
use crate::leg::FootGoal;
use crate::series::smooth_step;

/// A body is over a foot so far behind its ball, while its heel is still down, in parts of what the sole goes back.
const OVER: f32 = 0.4;
/// The first step's share of a whole one: that of a foot which comes from beside the other.
const FIRST: f32 = 0.5;
/// Fewest footfalls of a walk with a stand: two stand, one is a step.
const FEWEST: usize = 3;

/// The frames of a walk between the stands that are asked for: from the body over the foot that steps off to the body
/// over the foot that comes last.
pub(super) fn frames_between(
    walk: &Walk,
    options: &StrideOptions,
) -> Result<Range<usize>, StrideError> {
    let (begins, ends) = (options.ease_in > 0, options.ease_out > 0);
    let over = |fall: &Footfall| {
        let mut frames = fall.plant.frames.clone();
        let behind = walk.way.arc(frames.start) <= fall.arc;
        frames
            .find(|frame| walk.way.arc(*frame) >= fall.arc - OVER * fall.sole[0])
            .filter(|_| behind)
    };
    let passed: Vec<(usize, usize)> = (walk.falls.iter().enumerate())
        .filter_map(|(index, fall)| Some((index, over(fall)?)))
        .collect();
    let [first, last] = [passed.first(), passed.last()].map(Option::<&_>::copied);
    let all = walk.falls.len();
    let (from, start) = first.filter(|_| begins).unwrap_or((0, 0));
    let (to, end) = last
        .filter(|_| ends)
        .unwrap_or((all - 1, walk.clip.len() - 1));
    let found = (to + 1).saturating_sub(from);
    let needed = FEWEST + usize::from(begins && ends);
    if first.is_none() || found < needed {
        let found = if first.is_none() { 0 } else { found };
        return Err(StrideError::TooFewForStand {
            clip: walk.clip.name.clone(),
            found,
            needed,
        });
    }
    Ok(start..end + 1)
}

/// The share of its length that a step has, of so many from the first footfall to the last.
pub(super) fn eased(options: &StrideOptions, step: usize, steps: usize) -> f32 {
    let share = |step: usize, over: usize| match (over, step) {
        (0, _) => 1.0,
        (_, 0) => 0.0,
        _ => (FIRST + (1.0 - FIRST) * (step - 1) as f32 / over as f32).min(1.0),
    };
    share(step, options.ease_in).min(share(steps - 1 - step, options.ease_out))
}

/// The steps that are none: from a foot that stands to the one beside it.
pub(super) fn steps_made(options: [usize; 2], steps: usize) -> Range<usize> {
    usize::from(options[0] > 0)..steps - usize::from(options[1] > 0)
}

/// Feet that stand beside each other are at least as far apart as the hips are.
pub(super) fn stand_apart(walk: &Walk, options: &StrideOptions, moves: &mut [Planar]) {
    let last = moves.len() - 1;
    let pairs = [(options.ease_in, 0), (options.ease_out, last - 1)];
    for (_, first) in pairs.into_iter().filter(|(over, _)| *over > 0) {
        let falls = [first, first + 1].map(|k| &walk.falls[k]);
        let places = [first, first + 1].map(|k| moves[k].point3(walk.falls[k].pivot));
        let ahead = walk.way.tangent(falls[0].flat);
        let left = Vec3::new(ahead.z, 0.0, -ahead.x);
        let sides = falls.map(|fall| 1.0 - 2.0 * fall.plant.side.index() as f32);
        let apart = (places[0] - places[1]).dot(left) * sides[0];
        let hips = [0, 1].map(|side| walk.poses[side][falls[0].flat].hip);
        let missing = 0.5 * (hips[0].distance(hips[1]) - apart).max(0.0);
        for (k, side) in [first, first + 1].into_iter().zip(sides) {
            let by = left * (side * missing);
            moves[k].x += f64::from(by.x);
            moves[k].z += f64::from(by.z);
        }
    }
}

/// The walk with its upper body and pelvis as in a stand at the ends that are asked for; its feet stay.
pub(super) fn stand_upright(walk: &Walk, options: &StrideOptions) -> Clip {
    let mut made = walk.clip.clone();
    let (last, falls) = (made.len() - 1, &walk.falls);
    let begins = falls[2].plant.frames.start.max(1) as f32;
    let ends = last.saturating_sub(falls[falls.len() - 2].flat).max(1) as f32;
    let walks = |frame: usize| {
        let since = if options.ease_in > 0 {
            frame as f32 / begins
        } else {
            1.0
        };
        let left = (last - frame) as f32 / ends;
        let left = if options.ease_out > 0 { left } else { 1.0 };
        smooth_step(since).min(smooth_step(left))
    };
    let heading = |frame: usize| {
        let ahead = walk.way.tangent(frame);
        Quat::from_rotation_y(ahead.x.atan2(ahead.z))
    };
    let joints = made.skeleton.len();
    let mean: Vec<Quat> = (0..joints)
        .map(|joint| {
            let rotation = |frame: usize| {
                let own = walk.clip.rotation(frame.into(), JointId(joint as u16));
                if joint == 0 {
                    heading(frame).inverse() * own
                } else {
                    own
                }
            };
            mean_of((0..=last).map(rotation))
        })
        .collect();
    for frame in (0..=last).filter(|frame| walks(*frame) < 1.0) {
        let stands = 1.0 - walks(frame);
        let feet = [0, 1].map(|side: usize| {
            let pose = &walk.poses[side][frame];
            FootGoal {
                ankle: pose.ankle,
                foot: pose.foot,
                toes: pose.toes,
            }
        });
        let local = made.frame_rotations_mut(frame.into());
        for (joint, (own, mean)) in local.iter_mut().zip(&mean).enumerate() {
            let to = if joint == 0 {
                heading(frame) * *mean
            } else {
                *mean
            };
            *own = own.slerp(to, stands);
        }
        for (leg, goal) in walk.legs.iter().zip(feet) {
            let pose = leg.of_frame(&made, frame);
            leg.reach(&pose, &goal, made.frame_rotations_mut(frame.into()));
        }
    }
    made
}

/// How much less a foot rolls that goes half as far, in parts of how it rolled.
const CALM: f32 = 0.35;

/// A foot that goes so much less far from one footfall to the next, in parts of the captured way, rolls less from heel to
/// toe as it leaves, turning about its ball, and comes down flatter, turning about its ankle. [0 to 1]
pub(super) fn roll_less(walk: &Walk, track: &mut FootTrack, falls: [&Footfall; 2], less: f32) {
    let [from, to] = falls;
    let (flat, leaves, strikes) = (from.flat, from.plant.frames.end, to.plant.frames.start);
    let most = (2.0 * CALM * less).clamp(0.0, 1.0);
    if most <= 0.0 || !(flat < leaves && leaves < strikes && strikes <= to.flat) {
        return;
    }
    let [still, lands] = [flat, to.flat].map(|frame| (track.foot[frame], track.toes[frame]));
    for frame in flat..to.flat {
        let share =
            |from: usize, to: usize| (frame as f32 - from as f32) / (to as f32 - from as f32);
        let leaving =
            most * smooth_step(share(flat, leaves)).min(smooth_step(share(strikes, leaves)));
        let over = smooth_step(share(leaves, strikes));
        let landing = (2.0 * most).min(1.0) * over;
        let pose = &walk.poses[from.plant.side.index()][frame];
        let arm = pose.foot.inverse() * (pose.ball - pose.ankle);
        let ball = track.ankle[frame] + track.foot[frame] * arm;
        let leaves_with = track.foot[frame].slerp(still.0.slerp(lands.0, over), leaving);
        track.ankle[frame] = ball - leaves_with * arm;
        track.foot[frame] = leaves_with.slerp(lands.0, landing);
        let toes = track.toes[frame].slerp(still.1.slerp(lands.1, over), leaving);
        track.toes[frame] = toes.slerp(lands.1, landing);
    }
}

/// The mean of rotations that are not far from each other.
fn mean_of(rotations: impl Iterator<Item = Quat>) -> Quat {
    let add = |sum: Quat, rotation: Quat| match sum.dot(rotation) < 0.0 {
        true => sum - rotation,
        false => sum + rotation,
    };
    let sum = rotations.fold(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), add);
    match sum.length() > 1e-6 {
        true => sum.normalize(),
        false => Quat::IDENTITY,
    }
}
