//! How much planted feet move, as an outsider would measure it.
//!
//! An ankle or ball joint is at rest in a frame if it is low (less than 5 cm above its rest height, or
//! in contact with something higher) and slower than 0.5 m/s by central differences; a foot is planted
//! while either is, and moves with the one that is slower along the floor: the other turns about it. A plant's first and last 1/30 s are left
//! out: their central differences are of coming and going. Nothing else is: no hysteresis, no
//! rolling over the sole. Skate is the part of that motion along the floor, as in the studies that the
//! bars come from: captured joints dip by up to a centimetre while they bear, and that is a foot that
//! gives. Slide of a plant: the farthest apart along the ground that the steps of the slower joint
//! lead; bob: how far they lead up, to come down again. Metres, seconds. Cost: linear, and a million pairs in plants of a
//! thousand frames. Weakness: a foot that glides faster than 0.5 m/s counts as free.

use std::ops::Range;

use afoot_core::{Clip, Contacts, Ground, Positions, Side};
use glam::{Vec2, Vec3, Vec3Swizzles};

use crate::feet::foot_joints;
use crate::series::{quantile, runs};
use crate::speed::velocities;

/// Speed above which a planted foot visibly slides. [m/s]
pub const FAST: f64 = 0.15;

/// How a planted foot is told from a free one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkateOptions {
    /// Highest that a resting joint is above its rest height. [m, > 0]
    pub height: f32,
    /// Fastest that it moves. [m/s, > 0]
    pub speed: f32,
    /// What is left out at both ends of a plant, at least a frame unless 0. [s, >= 0]
    pub ends: f64,
}

impl Default for SkateOptions {
    fn default() -> Self {
        Self {
            height: 0.05,
            speed: 0.5,
            ends: 1.0 / 30.0,
        }
    }
}

/// How much planted feet move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skate {
    /// Mean speed of a planted foot along the floor. [m/s]
    pub mean_speed: f64,
    /// Share of the planted frames faster than [`FAST`].
    pub fast_share: f64,
    /// 95th percentile over the plants of the distance slid. [m]
    pub slide: f64,
    /// The same of how far it rises, to fall again. [m]
    pub bob: f64,
    /// How many plants there are.
    pub plants: usize,
}

/// Motion whose feet are measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Footwork<'a> {
    pub clip: &'a Clip,
    pub positions: &'a Positions,
    /// Where they touch something above the clip's ground.
    pub contacts: &'a [Contacts],
}

/// Speeds and slides of planted feet, gathered. Three numbers a second of motion and foot, or so.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    speeds: Vec<f64>,
    slides: Vec<f32>,
    bobs: Vec<Bob>,
}

/// How far a foot rises and falls within a plant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bob {
    /// The plant's middle frame in the piece that it was found in.
    pub frame: usize,
    /// [m]
    pub rise: f32,
}

impl Tally {
    /// The plants that start in `counted`, to their ends.
    pub(crate) fn add(&mut self, feet: &Footwork, counted: Range<usize>, options: &SkateOptions) {
        let ends = match options.ends > 0.0 {
            true => feet.clip.rate.frames_in(options.ends).max(1),
            false => 0,
        };
        for side in Side::BOTH {
            let joints = resting_joints(feet, side, options);
            let slowest = |frame: usize| {
                let resting = joints.iter().filter(|joint| joint.rests(frame));
                resting.min_by(|a, b| a.slide[frame].total_cmp(&b.slide[frame]))
            };
            let plants = runs(feet.clip.len(), |frame| slowest(frame).is_some());
            for plant in plants.into_iter().filter(|p| counted.contains(&p.start)) {
                let inner = plant.start + ends..plant.end.saturating_sub(ends);
                if inner.is_empty() {
                    continue;
                }
                let speeds = inner
                    .clone()
                    .filter_map(|frame| Some(slowest(frame)?.slide[frame]));
                self.speeds.extend(speeds.map(f64::from));
                let frame = inner.start + inner.len() / 2;
                let (slide, rise) = slide_and_rise(&joints, inner);
                self.slides.push(slide);
                self.bobs.push(Bob { frame, rise });
            }
        }
    }

    /// How far feet rise and fall, a plant each; those that were not taken yet.
    pub(crate) fn take_bobs(&mut self) -> Vec<Bob> {
        std::mem::take(&mut self.bobs)
    }

    pub(crate) fn skate(mut self) -> Option<Skate> {
        let mut bobs: Vec<f32> = self.bobs.iter().map(|bob| bob.rise).collect();
        let count = self.speeds.len() as f64;
        let fast = self.speeds.iter().filter(|speed| **speed > FAST).count();
        (count > 0.0).then(|| Skate {
            mean_speed: self.speeds.iter().sum::<f64>() / count,
            fast_share: fast as f64 / count,
            plants: self.slides.len(),
            slide: f64::from(quantile(&mut self.slides, 0.95).unwrap_or(0.0)),
            bob: f64::from(quantile(&mut bobs, 0.95).unwrap_or(0.0)),
        })
    }
}

/// A joint of a foot.
struct RestingJoint {
    track: Vec<Vec3>,
    /// Its speed where it is at rest, else infinity. [m/s]
    speed: Vec<f32>,
    /// What of that is along the floor. [m/s]
    slide: Vec<f32>,
}

impl RestingJoint {
    fn rests(&self, frame: usize) -> bool {
        self.speed[frame].is_finite()
    }

    fn step(&self, frame: usize) -> Vec3 {
        self.track[frame + 1] - self.track[frame]
    }
}

fn resting_joints(
    &Footwork {
        clip,
        positions,
        contacts,
    }: &Footwork,
    side: Side,
    options: &SkateOptions,
) -> Vec<RestingJoint> {
    let Some(joints) = foot_joints(&clip.skeleton, side) else {
        return Vec::new();
    };
    let up = clip.ground.map_or(Vec3::Y, normal);
    let rest = clip.ground.map(|ground| ground.rest[side.index()]);
    let ankle = (joints.ankle, rest.map(|r| r.ankle), Contacts::heel(side));
    let ball = joints
        .ball
        .map(|ball| (ball, rest.map(|r| r.ball), Contacts::ball(side)));
    let resting = |(joint, rest, part): (afoot_core::JointId, Option<f32>, Contacts)| {
        let track: Vec<Vec3> = positions.track(joint.index()).collect();
        let heights = heights(clip, &track, rest);
        let touches = |frame: usize| contacts.get(frame).is_some_and(|c| c.any(part));
        let low = |frame: usize| heights[frame] < options.height || touches(frame);
        let all = velocities(&track, clip.rate.frame_time());
        let speed = |(frame, velocity): (usize, &Vec3)| {
            let speed = velocity.length();
            match low(frame) && speed < options.speed {
                true => speed,
                false => f32::INFINITY,
            }
        };
        RestingJoint {
            speed: all.iter().enumerate().map(speed).collect(),
            slide: all.iter().map(|v| v.reject_from(up).length()).collect(),
            track,
        }
    };
    [Some(ankle), ball]
        .into_iter()
        .flatten()
        .map(resting)
        .collect()
}

/// Heights above the rest height on the clip's ground; without one, above the 5th percentile. [m]
fn heights(clip: &Clip, track: &[Vec3], rest: Option<f32>) -> Vec<f32> {
    let above = |p: &Vec3| match (clip.ground, rest) {
        (Some(ground), Some(rest)) => p.y - ground.height_at(p.x, p.z) - rest,
        _ => p.y,
    };
    let mut heights: Vec<f32> = track.iter().map(above).collect();
    if rest.is_none() {
        let floor = quantile(&mut heights.clone(), 0.05).unwrap_or(0.0);
        heights.iter_mut().for_each(|height| *height -= floor);
    }
    heights
}

/// What points straight up from the floor.
fn normal(ground: Ground) -> Vec3 {
    Vec3::new(-ground.slope_x, 1.0, -ground.slope_z)
}

/// Of the places that a foot's steps lead to: how far apart they are along the ground, by the joint that is slower along
/// it, since the other turns about that; and how far they go up and down again, by the joint that is slower in space:
/// a ball that stands still along the ground may still be coming down.
fn slide_and_rise(joints: &[RestingJoint], plant: Range<usize>) -> (f32, f32) {
    let along = |joint: &RestingJoint, frame: usize| joint.step(frame).xz().length_squared();
    let in_space =
        |joint: &RestingJoint, frame: usize| joint.speed[frame].max(joint.speed[frame + 1]);
    let rise = highest_bob(&walked(joints, plant.clone(), in_space));
    (extent(walked(joints, plant, along).into_iter()), rise)
}

/// The places that the steps of the slower joint lead to; of two, one that is at rest.
fn walked(
    joints: &[RestingJoint],
    plant: Range<usize>,
    pace: impl Fn(&RestingJoint, usize) -> f32,
) -> Vec<Vec3> {
    let step = |frame: usize| {
        let moves = |joint: &RestingJoint| !(joint.rests(frame) && joint.rests(frame + 1));
        let slower = joints.iter().min_by(|a, b| {
            let paces = || pace(a, frame).total_cmp(&pace(b, frame));
            moves(a).cmp(&moves(b)).then_with(paces)
        });
        slower.map(|joint| joint.step(frame))
    };
    let mut places = vec![Vec3::ZERO];
    for step in (plant.start..plant.end - 1).filter_map(step) {
        places.push(places[places.len() - 1] + step);
    }
    places
}

/// How far a point rises above where it was lower before and will be lower again: coming down to a plant and
/// going up from it do not count.
fn highest_bob(places: &[Vec3]) -> f32 {
    let mut ahead: Vec<f32> = places.iter().map(|place| place.y).collect();
    for frame in (1..places.len()).rev() {
        ahead[frame - 1] = ahead[frame - 1].min(ahead[frame]);
    }
    let (mut behind, mut most) = (f32::INFINITY, 0f32);
    for (place, ahead) in places.iter().zip(&ahead) {
        behind = behind.min(place.y);
        most = most.max(place.y - behind.max(*ahead));
    }
    most
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
        measure(clip, &contacts).unwrap()
    }

    fn measure(clip: &Clip, contacts: &[Contacts]) -> Option<Skate> {
        let positions = forward_kinematics(clip);
        let mut tally = Tally::default();
        let options = SkateOptions::default();
        let feet = Footwork {
            clip,
            positions: &positions,
            contacts,
        };
        tally.add(&feet, 0..clip.len(), &options);
        tally.skate()
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
    fn feet_that_never_rest_have_no_skate() {
        let clip = walk((0.034, 30), |_, _| 0.04, (0.6, 0.4, 1.2));
        assert_eq!(measure(&clip, &[Contacts::NONE]), None);
    }
}
