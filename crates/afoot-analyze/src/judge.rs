//! The quality report of a motion: skating, sinking, jerks, distance from a path.
//!
//! All from the motion itself, with contacts found anew (`contacts`), so that a file read back gives
//! the same numbers. The measures:
//! * a planted foot's speed and slide: see `skate`; it counts while within 2 cm of its rest height.
//! * sinking: ankle and ball joints below their rest heights over the ground (the clip's, else
//!   estimated).
//! * jerks: joint positions in the root joint's own frame, see `smoothness`; per second, so that
//!   rates may differ.
//! * path: from the root's ground position to the nearest point of the polyline.
//!
//! Cost: a few forward kinematics. What the motion does not show the caller fills in.

use afoot_core::{Clip, Ground, Positions, Side, forward_kinematics};

use crate::contacts::{ContactOptions, detect_contacts_at};
use crate::feet::foot_joints;
use crate::ground::{GroundOptions, estimate_ground_at};
use crate::polyline::Polyline;
use crate::skate::measure_skate;
use crate::smoothness::{SourceStatistics, measure_smoothness};

/// The quality report. A field is `None` where it does not apply: no feet, no path, not asked.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Quality {
    /// How many frames were judged.
    pub frames: usize,
    /// Their duration. [s]
    pub seconds: f64,
    /// Their rate.
    pub fps: f64,
    /// Mean speed of a planted foot. [cm/s]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skate_cm_s: Option<f64>,
    /// Share of planted frames above 15 cm/s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skate_share: Option<f64>,
    /// How far a foot slides within one plant: 95th percentile over the plants. [mm]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slide_mm: Option<f64>,
    /// Deepest a foot goes below the ground. [cm]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sink_cm: Option<f64>,
    /// Largest step of a joint in the root's frame, over the source's 99.9th percentile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jump_ratio: Option<f64>,
    /// The same of second differences.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acceleration_ratio: Option<f64>,
    /// How many joins there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transitions: Option<usize>,
    /// Share of frames that are captured motion as it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_share: Option<f64>,
    /// Mean distance from the asked path. [m]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_mean_m: Option<f64>,
    /// Largest distance from it. [m]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_max_m: Option<f64>,
    /// Share of the painted frames of a score that carry what was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label_share: Option<f64>,
    /// Distance from a score's places. [m]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place_error_m: Option<f64>,
    /// Difference from their headings. [degrees]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place_error_deg: Option<f64>,
    /// Cost of a plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Lower bound of the best plan's cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
    /// Nodes that the search opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expanded: Option<u64>,
    /// Time taken to make the motion. [s]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compute_seconds: Option<f64>,
    /// Seconds of motion per second of work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub realtime: Option<f64>,
}

/// What a motion is judged against.
#[derive(Clone, Copy, Debug, Default)]
pub struct JudgeOptions<'a> {
    /// How jerky the library's own clips are; without it there are no ratios.
    pub source: Option<&'a SourceStatistics>,
    /// The path that was asked for, as ground points x, z. [m]
    pub path: Option<&'a [[f64; 2]]>,
}

/// Judges a motion. Never fails: what can't be measured is `None`.
pub fn judge_clip(clip: &Clip, options: &JudgeOptions) -> Quality {
    let positions = forward_kinematics(clip);
    let mut quality = Quality {
        frames: clip.len(),
        seconds: clip.seconds(),
        fps: clip.rate.fps(),
        ..Quality::default()
    };
    judge_feet(clip, &positions, &mut quality);
    if let Some(source) = options.source {
        let own = measure_smoothness(clip);
        quality.jump_ratio = ratio(own.largest_speed(), source.speed);
        quality.acceleration_ratio = ratio(own.largest_acceleration(), source.acceleration);
    }
    if let Some(path) = options.path {
        let distances = path_distances(clip, path);
        quality.path_mean_m = mean(&distances);
        quality.path_max_m = distances.iter().copied().reduce(f64::max);
    }
    quality
}

impl Quality {
    /// Sets the time taken, and the speed that it means.
    pub fn took(&mut self, seconds: f64) {
        self.compute_seconds = Some(seconds);
        self.realtime = (seconds > 0.0).then(|| self.seconds / seconds);
    }
}

fn judge_feet(clip: &Clip, positions: &Positions, quality: &mut Quality) {
    let mut grounded = clip.clone();
    if grounded.ground.is_none() {
        let estimate = estimate_ground_at(clip, positions, &GroundOptions::default());
        grounded.ground = estimate.ok().map(|estimate| estimate.ground);
    }
    // A foot that is pinned for most of a plant and slides for the rest must not get away with it;
    // one that moves 2 cm above its rest height does not slide.
    let options = ContactOptions {
        pinned_speed: 0.0,
        settle_height: 0.02,
        release_height: 0.02,
        ..ContactOptions::default()
    };
    let Ok(report) = detect_contacts_at(&grounded, positions, &options) else {
        return;
    };
    if let Some(skate) = measure_skate(&grounded, positions, &report.contacts) {
        quality.skate_cm_s = Some(skate.mean_speed * 100.0);
        quality.skate_share = Some(skate.fast_share);
        quality.slide_mm = Some(skate.slide * 1000.0);
    }
    quality.sink_cm = grounded
        .ground
        .and_then(|ground| deepest_sink(clip, positions, &ground))
        .map(|depth| depth * 100.0);
}

/// Deepest that an ankle or ball joint goes below its rest height, at least 0. [m]
fn deepest_sink(clip: &Clip, positions: &Positions, ground: &Ground) -> Option<f64> {
    let mut deepest: Option<f64> = None;
    for side in Side::BOTH {
        let Some(joints) = foot_joints(&clip.skeleton, side) else {
            continue;
        };
        let rest = ground.rest[side.index()];
        let ball = joints.ball.map(|ball| (ball, rest.ball));
        for (joint, height) in [Some((joints.ankle, rest.ankle)), ball]
            .into_iter()
            .flatten()
        {
            for at in positions.track(joint.index()) {
                let depth = f64::from(ground.height_at(at.x, at.z) + height - at.y);
                deepest = Some(deepest.unwrap_or(0.0).max(depth));
            }
        }
    }
    deepest
}

fn ratio(value: Option<f32>, source: f32) -> Option<f64> {
    (source > 0.0).then_some(f64::from(value?) / f64::from(source))
}

/// Distance of every frame's root from the path; empty for an empty path. [m]
fn path_distances(clip: &Clip, path: &[[f64; 2]]) -> Vec<f64> {
    let ground = clip.root.iter().map(|p| [f64::from(p.x), f64::from(p.z)]);
    Polyline::new(path).distances(ground)
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{flat, scripted, skeleton, walk};
    use afoot_core::Vec3;

    fn check(actual: Option<f64>, expected: f64, slack: f64) {
        let near = actual.is_some_and(|actual| (actual - expected).abs() <= slack);
        assert!(near, "{actual:?} is not {expected}");
    }

    #[test]
    fn a_clean_walk_along_its_path() {
        let clip = walk((4.0, 30), |_, _| 0.04, (0.6, 0.4, 1.2));
        let source = SourceStatistics::of_clips(&[&clip]).unwrap();
        let path = [[0.1, -1.0], [0.1, 2.0], [0.1, 9.0]];
        let found = judge_clip(
            &clip,
            &JudgeOptions {
                source: Some(&source),
                path: Some(&path),
            },
        );
        assert_eq!((found.frames, found.seconds, found.fps), (120, 4.0, 30.0));
        check(found.skate_cm_s, 0.0, 0.5);
        check(found.skate_share, 0.0, 0.0);
        check(found.slide_mm, 0.0, 2.0);
        check(found.sink_cm, 0.0, 0.1);
        check(found.jump_ratio, 1.0, 0.01);
        check(found.acceleration_ratio, 1.0, 0.01);
        check(found.path_mean_m, 0.1, 1e-5);
        check(found.path_max_m, 0.1, 1e-5);
    }

    #[test]
    fn a_foot_that_dips_sinks() {
        let dip = |time: f64| {
            let depth = 0.03 * (1.0 - 4.0 * (time as f32 - 1.0).abs()).max(0.0);
            (
                Vec3::Y,
                [flat(0.1, 0.04 - depth, 0.0), flat(-0.1, 0.04, 0.0)],
            )
        };
        let found = judge_clip(&scripted((2.0, 30), dip), &JudgeOptions::default());
        check(found.sink_cm, 3.0, 0.1);
        assert_eq!((found.jump_ratio, found.path_mean_m), (None, None));
    }

    #[test]
    fn the_path_is_met_at_its_nearest_point() {
        let distance = |at: [f64; 2], path: &[[f64; 2]]| {
            Polyline::new(path)
                .distances([at].into_iter())
                .first()
                .copied()
        };
        check(distance([0.0, 1.0], &[[0.0, 0.0], [2.0, 0.0]]), 1.0, 1e-12);
        check(distance([5.0, 4.0], &[[0.0, 0.0], [2.0, 0.0]]), 5.0, 1e-12);
        check(distance([3.0, 4.0], &[[0.0, 0.0], [0.0, 0.0]]), 5.0, 1e-12);
    }

    #[test]
    fn what_cannot_be_measured_is_left_out() {
        let stand = |_: f64| (Vec3::Y, [flat(0.1, 0.03, 0.0), flat(-0.1, 0.03, 0.0)]);
        let empty = judge_clip(&scripted((0.0, 30), stand), &JudgeOptions::default());
        let expected = Quality {
            fps: 30.0,
            ..Quality::default()
        };
        assert_eq!(empty, expected);
        let mut bare = scripted((1.0, 30), stand);
        bare.skeleton = std::sync::Arc::new(skeleton(true).with_roles(&[None; 5]));
        let nowhere = JudgeOptions {
            source: None,
            path: Some(&[]),
        };
        let found = judge_clip(&bare, &nowhere);
        assert_eq!(
            (found.skate_cm_s, found.sink_cm, found.path_max_m),
            (None, None, None)
        );
        assert_eq!(found.frames, 30);
    }

    #[test]
    fn times_taken_become_a_speed() {
        let mut quality = Quality {
            seconds: 10.0,
            ..Quality::default()
        };
        quality.took(0.5);
        assert_eq!(quality.realtime, Some(20.0));
        quality.took(0.0);
        assert_eq!(quality.realtime, None);
    }
}
