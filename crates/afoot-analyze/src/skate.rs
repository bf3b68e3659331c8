//! How much planted feet move.
//!
//! The step of a planted foot from one frame to the next: that of its stillest point (ankle and ball
//! joint, and the sole under heel, ball and toe tip) whose part both frames hold down, so that a
//! foot that rolls over any of them does not slide. A foot comes to rest and peels off over a few
//! frames: fast steps in the first and last 0.1 s of a plant (at most a quarter of it), and what lies
//! outwards of them, do not count. Slide of a plant: the farthest apart along the ground that its
//! steps lead. Metres, seconds. Cost: linear, and a million pairs in plants of a thousand frames.
//! `plain_skate` is a second opinion without hysteresis, sole or ends, for tests.

use std::ops::Range;

use afoot_core::{Clip, Contacts, Positions, Side};
use glam::{Vec2, Vec3};

use crate::feet::{SoleTracks, foot_joints, sole_tracks};
use crate::series::{quantile, runs};
use crate::speed::speeds;

/// Speed above which a planted foot visibly slides. [m/s]
pub const FAST: f64 = 0.15;

/// Longest that a foot takes to come to rest or to peel off. [s]
const LONGEST_END: f64 = 0.1;

/// How much planted feet move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skate {
    /// Mean speed of a planted foot. [m/s]
    pub mean_speed: f64,
    /// Share of the planted frames faster than [`FAST`].
    pub fast_share: f64,
    /// 95th percentile over the plants of the distance slid. [m]
    pub slide: f64,
    /// How many plants there are.
    pub plants: usize,
}

/// Measures the feet where `contacts` says they are planted; `None` if they never are for two
/// frames in a row.
pub fn measure_skate(clip: &Clip, positions: &Positions, contacts: &[Contacts]) -> Option<Skate> {
    let mut tally = Tally::default();
    tally.add(clip, positions, contacts, 0..clip.len());
    tally.skate()
}

/// The same by a plain detector: a foot is planted where its ball or ankle joint is lower than
/// `height` above its lowest (5th percentile) and slower than `speed`; it moves with the slower of
/// the joints that qualify.
pub fn plain_skate(clip: &Clip, positions: &Positions, height: f32, speed: f32) -> Option<Skate> {
    let mut tally = Tally::default();
    for side in Side::BOTH {
        let Some(joints) = foot_joints(&clip.skeleton, side) else {
            continue;
        };
        let both = [Some(joints.ankle), joints.ball];
        let low: Vec<(Vec<Vec3>, Vec<f32>)> = both
            .into_iter()
            .flatten()
            .map(|joint| low_speeds(clip, positions, joint.index(), height))
            .collect();
        let slowest = |f: usize| low.iter().map(|(_, s)| s[f]).fold(f32::INFINITY, f32::min);
        for plant in runs(clip.len(), |f| slowest(f) < speed) {
            tally
                .speeds
                .extend(plant.clone().map(|f| f64::from(slowest(f))));
            let slide = |(track, speeds): &(Vec<Vec3>, Vec<f32>)| {
                let held: Vec<usize> = plant.clone().filter(|f| speeds[*f] < speed).collect();
                let most = 2 * held.len() >= plant.len() && held.len() > 1;
                most.then(|| extent(held.into_iter().map(|f| track[f])))
            };
            tally
                .slides
                .extend(low.iter().filter_map(slide).reduce(f32::min));
        }
    }
    tally.skate()
}

/// Steps and slides of planted feet, gathered. Two numbers a second of motion and foot, or so.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    speeds: Vec<f64>,
    slides: Vec<f32>,
}

impl Tally {
    /// The plants that start in `counted`, to their ends.
    pub(crate) fn add(
        &mut self,
        clip: &Clip,
        positions: &Positions,
        contacts: &[Contacts],
        counted: Range<usize>,
    ) {
        for side in Side::BOTH {
            let Some(tracks) = sole_tracks(clip, positions, side) else {
                continue;
            };
            let points = held_points(&tracks, side);
            let frame_time = clip.rate.frame_time();
            let longest_end = clip.rate.frames_in(LONGEST_END);
            let planted = runs(contacts.len(), |f| contacts[f].any(Contacts::foot(side)));
            for plant in planted.into_iter().filter(|p| counted.contains(&p.start)) {
                let steps = plant_steps(&points, contacts, &plant);
                let most = longest_end.min((plant.len() / 4).max(1));
                let settled = &steps[without_ends(&steps, most, (FAST * frame_time) as f32)];
                let speed = |step: &Vec3| f64::from(step.length()) / frame_time;
                self.speeds.extend(settled.iter().map(speed));
                self.slides.push(slide(settled));
            }
        }
    }

    pub(crate) fn skate(mut self) -> Option<Skate> {
        let count = self.speeds.len() as f64;
        let fast = self.speeds.iter().filter(|speed| **speed > FAST).count();
        (count > 0.0).then(|| Skate {
            mean_speed: self.speeds.iter().sum::<f64>() / count,
            fast_share: fast as f64 / count,
            plants: self.slides.len(),
            slide: f64::from(quantile(&mut self.slides, 0.95).unwrap_or(0.0)),
        })
    }
}

/// A point of the foot and the part that holds it down.
type HeldPoint<'a> = (&'a [Vec3], Contacts);

fn held_points(tracks: &SoleTracks, side: Side) -> Vec<HeldPoint<'_>> {
    let (heel, ball) = (Contacts::heel(side), Contacts::ball(side));
    let ball_joint: &[Vec3] = tracks.joints.ball.map_or(&[], |_| &tracks.ball);
    let points: [HeldPoint; 5] = [
        (&tracks.ankle, heel),
        (&tracks.heel_sole, heel),
        (ball_joint, ball),
        (&tracks.ball_sole, ball),
        (&tracks.tip_sole, ball),
    ];
    points
        .into_iter()
        .filter(|(track, _)| !track.is_empty())
        .collect()
}

/// How the foot moves from each frame of the plant to the next.
fn plant_steps(points: &[HeldPoint], contacts: &[Contacts], plant: &Range<usize>) -> Vec<Vec3> {
    let step = |frame: usize| {
        let held = |part: Contacts| contacts[frame].any(part) && contacts[frame + 1].any(part);
        let down: Vec<&HeldPoint> = points.iter().filter(|point| held(point.1)).collect();
        // heel up in the very frame in which the ball comes down: any point may have held it
        let considered = if down.is_empty() {
            points.iter().collect()
        } else {
            down
        };
        let steps = considered
            .iter()
            .map(|(track, _)| track[frame + 1] - track[frame]);
        steps.min_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))
    };
    (plant.start..plant.end - 1).filter_map(step).collect()
}

/// The steps less the fast ones among the first and last `most`, and what lies outwards of these.
fn without_ends(steps: &[Vec3], most: usize, fast: f32) -> Range<usize> {
    let is_fast = |index: &usize| steps[*index].length() > fast;
    let most = most.min(steps.len());
    let start = (0..most).rfind(is_fast).map_or(0, |index| index + 1);
    let end = (steps.len() - most..steps.len()).find(is_fast);
    start..end.unwrap_or(steps.len()).max(start)
}

/// How far apart along the ground the places are that the steps lead to.
fn slide(steps: &[Vec3]) -> f32 {
    let walked = steps.iter().scan(Vec3::ZERO, |at, step| {
        *at += *step;
        Some(*at)
    });
    extent(std::iter::once(Vec3::ZERO).chain(walked))
}

/// The farthest apart along the ground that two of the points are; of more than a thousand points
/// every so many are looked at, since all pairs are.
fn extent(points: impl Iterator<Item = Vec3>) -> f32 {
    let flat: Vec<Vec2> = points.map(|p| Vec2::new(p.x, p.z)).collect();
    let stride = flat.len().div_ceil(1000).max(1);
    let mut farthest = 0f32;
    for (index, a) in flat.iter().enumerate().step_by(stride) {
        for b in flat[..index].iter().step_by(stride) {
            farthest = farthest.max(a.distance_squared(*b));
        }
    }
    farthest.sqrt()
}

/// A joint's track, and its speed where it is low, else infinity.
fn low_speeds(
    clip: &Clip,
    positions: &Positions,
    joint: usize,
    height: f32,
) -> (Vec<Vec3>, Vec<f32>) {
    let track: Vec<Vec3> = positions.track(joint).collect();
    let mut heights: Vec<f32> = track.iter().map(|p| p.y).collect();
    let floor = quantile(&mut heights, 0.05).unwrap_or(0.0);
    let speed = speeds(&track, clip.rate.frame_time());
    let low = |(p, speed): (&Vec3, f32)| {
        if p.y - floor < height {
            speed
        } else {
            f32::INFINITY
        }
    };
    let speeds = track.iter().zip(speed).map(low).collect();
    (track, speeds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contacts::{ContactOptions, detect_contacts};
    use crate::fixture::{FootAt, flat, scripted, walk};
    use afoot_core::forward_kinematics;

    fn skate(clip: &Clip) -> Skate {
        let contacts = detect_contacts(clip, &ContactOptions::default())
            .unwrap()
            .contacts;
        measure_skate(clip, &forward_kinematics(clip), &contacts).unwrap()
    }

    fn check(actual: f64, expected: f64, slack: f64) {
        assert!(
            (actual - expected).abs() <= slack,
            "{actual} is not {expected}"
        );
    }

    #[test]
    fn pinned_feet_do_not_skate() {
        let found = skate(&walk((4.0, 30), |_, _| 0.04, (0.6, 0.4, 1.2)));
        check(found.mean_speed, 0.0, 0.005);
        check(found.fast_share, 0.0, 0.0);
        check(found.slide, 0.0, 0.002);
        assert_eq!(found.plants, 9);
    }

    #[test]
    fn a_sliding_foot_is_measured() {
        let slide = |time: f64| {
            let left = flat(0.1, 0.04, 0.2 * time as f32);
            (Vec3::Y, [left, flat(-0.1, 0.04, 0.0)])
        };
        let found = skate(&scripted((2.0, 30), slide));
        check(found.mean_speed, 0.1, 6e-3);
        check(found.fast_share, 0.5, 0.03);
        check(found.slide, 0.2 * 59.0 / 30.0, 0.05);
    }

    #[test]
    fn a_foot_that_rolls_or_pivots_does_not_slide() {
        let roll = |time: f64| {
            let left = FootAt {
                heel_up: (0.5 * time as f32 - 0.3).max(0.0),
                ..flat(0.1, 0.04, 0.0)
            };
            (Vec3::Y, [left, flat(-0.1, 0.04, 0.0)])
        };
        let found = skate(&scripted((2.0, 30), roll));
        check(found.mean_speed, 0.0, 0.01);
        check(found.slide, 0.0, 0.012);
    }

    #[test]
    fn the_plain_opinion_agrees_on_plain_feet() {
        let clip = walk((4.0, 30), |_, _| 0.04, (0.6, 0.4, 1.2));
        let plain = plain_skate(&clip, &forward_kinematics(&clip), 0.05, 0.5).unwrap();
        check(plain.mean_speed, 0.0, 0.03);
        assert_eq!(plain.plants, 9);
    }

    #[test]
    fn feet_that_never_rest_have_no_skate() {
        let clip = walk((0.034, 30), |_, _| 0.04, (0.6, 0.4, 1.2));
        assert_eq!(
            measure_skate(&clip, &forward_kinematics(&clip), &[Contacts::NONE]),
            None
        );
    }
}
