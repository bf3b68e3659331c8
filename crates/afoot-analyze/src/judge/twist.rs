//! Planted feet that swivel: how much a foot turns on the floor within a plant.
//!
//! A foot is planted while its ankle or ball is low and slow and its sole is not tilted far; it points
//! from ankle to ball. Captured feet turn on the floor too, in turns: of some 3,400 plants of ten subjects
//! those with the body turning by less than 10° twist by 4 to 8° (one of twenty by more than 10 to 16), with the
//! body turning by 20 to 40° by 6 to 12 (15 to 40), beyond 80° by 33 to 91. So a plant is held against the
//! very frames that were played: what it turns beyond them is not captured. Where these are not known, it is held
//! against plants of the source over which the body turns as little.
//! Radians, seconds. Cost: linear. Weakness: a foot on its toes, heel high up, is free.

use std::ops::Range;

use afoot_core::{Clip, FrameId, Ground, Positions, Side, wrap_angle};
use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::course::height_over;
use crate::series::{quantile, runs};
use crate::speed::{size, speeds};

/// Lower than this above its rest height, and slower than that, a joint of a foot bears. [m, m/s, of an adult]
const LOW: f32 = 0.05;
const SLOW: f32 = 0.5;
/// Steepest that a sole is tilted and still points somewhere: the tangent of 30°.
const TILT: f32 = 0.577;
/// Shortest plant that is looked at, and half of the time over which the body's facing is taken: within a step
/// hips turn to and fro. [s]
const SHORTEST: f64 = 0.13;
const STEP: f64 = 0.25;
/// A swivel takes no longer than this. [s]
const WHILE: f64 = 5.0;
/// Turns of the body within a plant that are alike. [degrees]
const TURNS: [f32; 5] = [10.0, 20.0, 40.0, 80.0, f32::INFINITY];
/// Share of a source's plants that do not twist by more than what is called usual.
const USUAL: f64 = 0.95;
/// How much more than the next one a plant may twist and still be believed, as of all peaks (`profile`).
const BELIEVED: f32 = 2.0;

/// A plant of a foot.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlantTwist {
    /// How far the foot turns on the floor, there and back. [rad, ≥ 0]
    pub twist: f32,
    /// How far the body turns meanwhile. [rad, ≥ 0]
    pub turn: f32,
}

/// A plant, and where it is.
#[derive(Clone, Debug)]
pub(super) struct FoundPlant {
    pub side: Side,
    /// Its frames without the first and the last.
    pub frames: Range<usize>,
    pub twist: PlantTwist,
    /// Where it points in each of them. [rad]
    yaws: Vec<f32>,
}

impl FoundPlant {
    /// How far it turns within a while beyond what the frames that were played, given for each of its frames, turn
    /// that way in the same while. Where one clip follows another, feet are to stay as they point; one that stays
    /// where captured ones swivel does not swivel. [rad, ≥ 0]
    pub(super) fn unasked(&self, played: &[(usize, u32, &Clip)]) -> f32 {
        let yaws: Vec<Option<f32>> = played
            .iter()
            .map(|(_, frame, clip)| captured_yaw(clip, *frame, self.side))
            .collect();
        let step = |at: usize| {
            let (from, to) = (played[at - 1], played[at]);
            let goes_on = from.0 == to.0 && from.1 + 1 == to.1;
            match (yaws[at - 1], yaws[at], goes_on) {
                (Some(from), Some(to), true) => wrap_angle(f64::from(to - from)) as f32,
                _ => 0.0,
            }
        };
        let mut captured = vec![0.0];
        for at in 1..played.len() {
            captured.push(captured[at - 1] + step(at));
        }
        let frames = played
            .first()
            .map_or(1, |(_, _, clip)| clip.rate.frames_in(WHILE));
        farthest_beyond(&self.yaws, &captured, frames)
    }
}

/// How far one angle turns within some frames beyond what another does in the same ones. [rad, ≥ 0]
fn farthest_beyond(own: &[f32], other: &[f32], frames: usize) -> f32 {
    let beyond = |from: usize, to: usize| {
        let [turn, asked] = [own[to] - own[from], other[to] - other[from]];
        (turn - asked.max(0.0)).max(asked.min(0.0) - turn)
    };
    let starts = 0..own.len().min(other.len());
    let whiles = starts.clone().flat_map(|from| {
        let ends = from + 1..starts.end.min(from + frames + 1);
        ends.map(move |to| (from, to))
    });
    whiles.fold(0.0, |most, (from, to)| beyond(from, to).max(most))
}

/// The plants of a motion; none without floor, legs or balls of feet.
pub(super) fn find_plants(
    clip: &Clip,
    positions: &Positions,
    ground: Option<&Ground>,
) -> Vec<FoundPlant> {
    let (Some(ground), Some(body)) = (ground, body_yaws(clip, positions)) else {
        return Vec::new();
    };
    let shortest = clip.rate.frames_in(SHORTEST).max(3);
    let of_side = |side: Side| {
        let yaws = foot_yaws(clip, positions, side);
        let planted = planted(clip, positions, ground, side);
        let long = runs(planted.len(), |frame| planted[frame])
            .into_iter()
            .filter(move |run| run.len() > shortest);
        let plant = |run: Range<usize>| {
            let frames = run.start + 1..run.end - 1;
            let twist = PlantTwist {
                twist: range_of(&yaws[frames.clone()]),
                turn: range_of(&body[frames.clone()]),
            };
            FoundPlant {
                side,
                yaws: yaws[frames.clone()].to_vec(),
                frames,
                twist,
            }
        };
        long.map(plant).collect::<Vec<_>>()
    };
    Side::BOTH.into_iter().flat_map(of_side).collect()
}

/// What the plants of a source twist by as a rule.
pub(super) struct UsualTwists([f32; TURNS.len()]);

impl UsualTwists {
    /// Who turns more may twist as much as who turns less.
    pub fn of(plants: impl Iterator<Item = PlantTwist>) -> Self {
        let mut twists: [Vec<f32>; TURNS.len()] = Default::default();
        for plant in plants {
            twists[class_of(plant.turn)].push(plant.twist);
        }
        let mut most = 0f32;
        Self(twists.map(|mut twists| {
            believe(&mut twists);
            most = most.max(quantile(&mut twists, USUAL).unwrap_or(0.0));
            most
        }))
    }

    /// How far a plant twists beyond that. [rad, ≥ 0]
    pub fn beyond(&self, plant: PlantTwist) -> f32 {
        (plant.twist - self.0[class_of(plant.turn)]).max(0.0)
    }
}

/// A single plant that twists more than any like it is no leave for others.
fn believe(twists: &mut [f32]) {
    twists.sort_by(f32::total_cmp);
    if let [.., next, most] = twists {
        *most = most.min(BELIEVED * *next);
    }
}

fn class_of(turn: f32) -> usize {
    let least = |most: &f32| turn.to_degrees() < *most;
    TURNS.iter().position(least).unwrap_or(TURNS.len() - 1)
}

/// Which way a foot points in a captured frame. [rad]
fn captured_yaw(clip: &Clip, frame: u32, side: Side) -> Option<f32> {
    let leg = clip.skeleton.leg(side)?;
    let pose = clip.pose(FrameId(frame));
    let (_, points) = afoot_core::pose_kinematics(&clip.skeleton, pose.root, &pose.rotations);
    Some(yaw(points[leg.ball.index()] - points[leg.ankle.index()]))
}

fn planted(clip: &Clip, positions: &Positions, ground: &Ground, side: Side) -> Vec<bool> {
    let Some(leg) = clip.skeleton.leg(side).filter(|leg| leg.ball != leg.ankle) else {
        return Vec::new();
    };
    let (rest, size) = (ground.rest[side.index()], size(clip));
    let above = |joint: afoot_core::JointId, rest: f32| -> Vec<f32> {
        let track = positions.track(joint.index());
        track.map(|at| height_over(at, ground) - rest).collect()
    };
    let (ankle, ball) = (above(leg.ankle, rest.ankle), above(leg.ball, rest.ball));
    let pace = |joint: afoot_core::JointId| {
        let track: Vec<Vec3> = positions.track(joint.index()).collect();
        speeds(&track, clip.rate.frame_time())
    };
    let paces = [pace(leg.ankle), pace(leg.ball)];
    let slow = SLOW * size.sqrt();
    let bears = |frame: usize| {
        let rests = |height: f32, pace: f32| height < LOW * size && pace < slow;
        let foot = positions.joint(FrameId::from(frame), leg.ball)
            - positions.joint(FrameId::from(frame), leg.ankle);
        let tilt = (ankle[frame] - ball[frame]).abs();
        (rests(ankle[frame], paces[0][frame]) || rests(ball[frame], paces[1][frame]))
            && tilt < TILT * foot.x.hypot(foot.z)
    };
    (0..clip.len()).map(bears).collect()
}

/// Which way a foot points, without leaps from one turn to the next. [rad]
fn foot_yaws(clip: &Clip, positions: &Positions, side: Side) -> Vec<f32> {
    let Some(leg) = clip.skeleton.leg(side) else {
        return Vec::new();
    };
    let points = positions
        .track(leg.ball.index())
        .zip(positions.track(leg.ankle.index()));
    let mut yaws: Vec<f32> = points.map(|(ball, ankle)| yaw(ball - ankle)).collect();
    unwrap(&mut yaws);
    yaws
}

/// Which way the hips face in the mean over a step, likewise; `None` without legs. [rad]
fn body_yaws(clip: &Clip, positions: &Positions) -> Option<Vec<f32>> {
    let [left, right] = Side::BOTH.map(|side| clip.skeleton.leg(side));
    let (left, right) = (left?.hip.index(), right?.hip.index());
    let hips = positions.track(left).zip(positions.track(right));
    // yaw 0 looks along +z with its left at +x
    let mut yaws: Vec<f32> = hips
        .map(|(left, right)| yaw(Vec3::Y.cross(right - left)))
        .collect();
    unwrap(&mut yaws);
    let sums: Vec<f64> = std::iter::once(0.0)
        .chain(yaws.iter().scan(0.0, |sum, yaw| {
            *sum += f64::from(*yaw);
            Some(*sum)
        }))
        .collect();
    let reach = clip.rate.frames_in(STEP);
    let mean = |frame: usize| {
        let (from, to) = (
            frame.saturating_sub(reach),
            (frame + reach + 1).min(yaws.len()),
        );
        ((sums[to] - sums[from]) / (to - from) as f64) as f32
    };
    Some((0..yaws.len()).map(mean).collect())
}

fn yaw(way: Vec3) -> f32 {
    way.x.atan2(way.z)
}

fn unwrap(yaws: &mut [f32]) {
    for at in 1..yaws.len() {
        let step = wrap_angle(f64::from(yaws[at] - yaws[at - 1])) as f32;
        yaws[at] = yaws[at - 1] + step;
    }
}

fn range_of(values: &[f32]) -> f32 {
    let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let least = values.iter().copied().fold(f32::INFINITY, f32::min);
    (most - least).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_turns_more_may_twist_more() {
        let plant = |twist: f32, turn: f32| PlantTwist {
            twist: twist.to_radians(),
            turn: turn.to_radians(),
        };
        let straight = (0..19).map(|_| plant(6.0, 3.0));
        let few = [plant(20.0, 5.0), plant(30.0, 60.0), plant(28.0, 60.0)];
        let usual = UsualTwists::of(straight.chain(few));
        let beyond = |twist, turn| usual.beyond(plant(twist, turn)).to_degrees().round();
        assert_eq!(beyond(36.0, 3.0), 30.0);
        assert_eq!(beyond(36.0, 30.0), 30.0);
        assert_eq!(beyond(36.0, 50.0), 6.0);
        assert_eq!(beyond(36.0, 120.0), 6.0);
        assert_eq!(beyond(5.0, 3.0), 0.0);
        let alone = UsualTwists::of([7.0, 43.0, 5.0].map(|twist| plant(twist, 3.0)).into_iter());
        let most = alone.beyond(plant(34.0, 3.0)).to_degrees();
        assert_eq!(most.round(), 20.0, "43 is not believed beside 7");
    }

    #[test]
    fn what_the_played_frames_turn_is_not_counted_and_all_else_is() {
        use afoot_sample::{SampleMotion, SampleOptions, sample_motion};
        let motion = SampleMotion::Walk {
            speed: 1.3,
            length: 6.0,
        };
        let mut clip = sample_motion("walk", motion, &SampleOptions::default());
        // A body that turns by two degrees a frame, its feet with it.
        for frame in 0..clip.len() {
            let turn = glam::Quat::from_rotation_y((2.0 * frame as f32).to_radians());
            let root = &mut clip.frame_rotations_mut(FrameId::from(frame))[0];
            *root = turn * *root;
        }
        let yaws = |from: u32| (from..from + 5).map(|frame| captured_yaw(&clip, frame, Side::Left));
        let turned: Vec<f32> = yaws(30).chain(yaws(35)).flatten().collect();
        let plant = |yaws: Vec<f32>| FoundPlant {
            side: Side::Left,
            frames: 30..40,
            twist: PlantTwist {
                twist: range_of(&yaws),
                turn: 0.0,
            },
            yaws,
        };
        let played: Vec<_> = (30..40).map(|frame| (0, frame, &clip)).collect();
        assert!(plant(turned.clone()).unasked(&played) < 1e-4);
        // Held still it turns nowhere.
        assert!(plant(vec![turned[0]; 10]).unasked(&played) < 1e-4);
        // One that swivels where another stretch takes over.
        let mut joined: Vec<f32> = yaws(30).chain(yaws(60)).flatten().collect();
        let leap = joined[4] + 0.4 - joined[5];
        joined[5..].iter_mut().for_each(|yaw| *yaw += leap);
        let parts = (30..35).chain(60..65);
        let parts: Vec<_> = parts.map(|frame| (0, frame, &clip)).collect();
        let unasked = plant(joined).unasked(&parts);
        assert!((unasked - 0.4).abs() < 0.01, "{unasked}");
        // Held for half of the way, then let go with the frames: it swivels less than they do.
        let mut late = turned.clone();
        late[..5].fill(turned[4]);
        assert!(plant(late).unasked(&played) < 1e-3);
        // Held until they have swivelled, then led after them.
        let still: Vec<_> = (30..35).chain([34; 5]).collect();
        let late: Vec<f32> = [vec![turned[0]; 5], vec![turned[4]; 5]].concat();
        let played: Vec<_> = still.into_iter().map(|frame| (0, frame, &clip)).collect();
        let unasked = plant(late).unasked(&played);
        let swivel = (turned[4] - turned[0]).abs();
        assert!((unasked - swivel).abs() < 1e-3, "{unasked}, {swivel}");
        // The other way round than they.
        let against: Vec<f32> = turned.iter().map(|yaw| -yaw).collect();
        let played: Vec<_> = (30..40).map(|frame| (0, frame, &clip)).collect();
        let unasked = plant(against).unasked(&played);
        assert!((unasked - range_of(&turned)).abs() < 1e-3, "{unasked}");
    }

    #[test]
    fn yaws_go_on_over_half_a_turn() {
        let mut yaws = [3.0, -3.0, 3.1, -2.9];
        unwrap(&mut yaws);
        assert!(range_of(&yaws) < 0.5, "{yaws:?}");
    }
}
