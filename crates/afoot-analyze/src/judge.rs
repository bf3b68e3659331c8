//! The quality report of a motion: skating, sinking, jerks, distance from a path.
//!
//! All from the motion itself, with contacts found anew (`contacts`), so that a file read back gives
//! the same numbers. The measures:
//! * a planted foot's speed and slide: see `skate`.
//! * sinking: ankle and ball joints below their rest heights over the ground (the clip's, else
//!   estimated).
//! * jerks: joint positions in the root joint's own frame, see `smoothness`; per second, so that
//!   rates may differ.
//! * path: from the root's ground position to the nearest point of the polyline.
//!
//! Cost: a few forward kinematics. What the motion does not show the caller fills in.

use std::ops::Range;

use afoot_core::{Clip, Ground, Positions, Side, Vec3, forward_kinematics};

use crate::contacts::{ContactOptions, detect_contacts_at};
use crate::feet::foot_joints;
use crate::ground::{GroundOptions, estimate_ground_at};
use crate::polyline::Polyline;
use crate::skate::{SkateOptions, Tally};
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
    let mut judge = Judge::new(*options);
    judge.add(clip, 0..clip.len());
    judge.finish()
}

/// Judges a motion that comes in pieces, each of which may find its own floor.
pub struct Judge<'a> {
    options: JudgeOptions<'a>,
    quality: Quality,
    skate: Tally,
    path_sum: f64,
    path_frames: usize,
}

impl<'a> Judge<'a> {
    /// Nothing seen yet.
    pub fn new(options: JudgeOptions<'a>) -> Self {
        Self {
            options,
            quality: Quality::default(),
            skate: Tally::default(),
            path_sum: 0.0,
            path_frames: 0,
        }
    }

    /// Judges the frames `counted` of a clip; those before and after were judged with another piece
    /// or will be, and serve as context. Plants are followed no farther than the clip goes.
    pub fn add(&mut self, clip: &Clip, counted: Range<usize>) {
        let positions = forward_kinematics(clip);
        self.quality.frames += counted.len();
        self.quality.fps = clip.rate.fps();
        self.quality.seconds = self.quality.frames as f64 * clip.rate.frame_time();
        self.add_feet(clip, &positions, &counted);
        self.add_jerks(clip, &counted);
        self.add_path(clip, &counted);
    }

    /// The report on all that was added.
    pub fn finish(self) -> Quality {
        let mut quality = self.quality;
        if let Some(skate) = self.skate.skate() {
            quality.skate_cm_s = Some(skate.mean_speed * 100.0);
            quality.skate_share = Some(skate.fast_share);
            quality.slide_mm = Some(skate.slide * 1000.0);
        }
        quality.path_mean_m =
            (self.path_frames > 0).then(|| self.path_sum / self.path_frames as f64);
        quality
    }

    fn add_feet(&mut self, clip: &Clip, positions: &Positions, counted: &Range<usize>) {
        let mut grounded = clip.clone();
        if grounded.ground.is_none() {
            let estimate = estimate_ground_at(clip, positions, &GroundOptions::default());
            grounded.ground = estimate.ok().map(|estimate| estimate.ground);
        }
        let found = detect_contacts_at(&grounded, positions, &ContactOptions::default());
        let contacts = found.map(|report| report.contacts).unwrap_or_default();
        let feet = (&grounded, positions, contacts.as_slice());
        self.skate
            .add(feet, counted.clone(), &SkateOptions::default());
        let sink = grounded
            .ground
            .and_then(|ground| deepest_sink(clip, positions, &ground, counted))
            .map(|depth| depth * 100.0);
        raise(&mut self.quality.sink_cm, sink);
    }

    /// Steps count to the frame that they leave.
    fn add_jerks(&mut self, clip: &Clip, counted: &Range<usize>) {
        let Some(source) = self.options.source else {
            return;
        };
        let own = measure_smoothness(clip);
        let largest = |values: &[f32]| {
            let end = counted.end.min(values.len());
            let values = &values[counted.start.min(end)..end];
            values.iter().copied().reduce(f32::max)
        };
        let quality = &mut self.quality;
        raise(
            &mut quality.jump_ratio,
            ratio(largest(&own.speeds), source.speed),
        );
        raise(
            &mut quality.acceleration_ratio,
            ratio(largest(&own.accelerations), source.acceleration),
        );
    }

    fn add_path(&mut self, clip: &Clip, counted: &Range<usize>) {
        let Some(path) = self.options.path else {
            return;
        };
        let distances = path_distances(&clip.root[counted.clone()], path);
        self.path_sum += distances.iter().sum::<f64>();
        self.path_frames += distances.len();
        raise(
            &mut self.quality.path_max_m,
            distances.into_iter().reduce(f64::max),
        );
    }
}

/// The larger of what is known.
fn raise(largest: &mut Option<f64>, value: Option<f64>) {
    *largest = match (*largest, value) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    };
}

impl Quality {
    /// Sets the time taken, and the speed that it means.
    pub fn took(&mut self, seconds: f64) {
        self.compute_seconds = Some(seconds);
        self.realtime = (seconds > 0.0).then(|| self.seconds / seconds);
    }
}

/// Deepest that an ankle or ball joint goes below its rest height, at least 0. [m]
fn deepest_sink(
    clip: &Clip,
    positions: &Positions,
    ground: &Ground,
    counted: &Range<usize>,
) -> Option<f64> {
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
            let track = positions.track(joint.index());
            for at in track.skip(counted.start).take(counted.len()) {
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

/// Distance of every root from the path; empty for an empty path. [m]
fn path_distances(roots: &[Vec3], path: &[[f64; 2]]) -> Vec<f64> {
    let ground = roots.iter().map(|p| [f64::from(p.x), f64::from(p.z)]);
    Polyline::new(path).distances(ground)
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
        // the figure sways by 2 cm
        check(found.path_mean_m, 0.1, 1e-5);
        check(found.path_max_m, 0.12, 1e-5);
    }

    #[test]
    fn pieces_are_judged_as_the_whole() {
        let mut clip = walk((20.0, 30), |_, z| 0.04 + 0.003 * z.sin(), (0.6, 0.4, 1.2));
        clip.ground = judge_ground(&clip);
        let source = SourceStatistics::of_clips(&[&clip]).unwrap();
        let path = [[0.1, -1.0], [0.1, 2.0], [0.3, 9.0]];
        let options = JudgeOptions {
            source: Some(&source),
            path: Some(&path),
        };
        let whole = judge_clip(&clip, &options);
        let mut judge = Judge::new(options);
        for start in (0..600usize).step_by(130) {
            let (end, from) = ((start + 130).min(600), start.saturating_sub(90));
            let until = (end + 90).min(600);
            let piece = afoot_core::cut_clip(&clip, from as u32..until as u32).unwrap();
            judge.add(&piece, start - from..end - from);
        }
        let pieces = judge.finish();
        assert_eq!((pieces.frames, pieces.seconds), (600, 20.0));
        assert!(whole.skate_cm_s.is_some() && whole.sink_cm.is_some());
        for (field, whole) in fields(&whole) {
            check(fields(&pieces)[field], whole.unwrap(), 1e-6);
        }
    }

    fn judge_ground(clip: &Clip) -> Option<Ground> {
        let positions = forward_kinematics(clip);
        let estimate = estimate_ground_at(clip, &positions, &GroundOptions::default());
        estimate.ok().map(|estimate| estimate.ground)
    }

    fn fields(quality: &Quality) -> std::collections::BTreeMap<&'static str, Option<f64>> {
        [
            ("skate", quality.skate_cm_s),
            ("share", quality.skate_share),
            ("slide", quality.slide_mm),
            ("sink", quality.sink_cm),
            ("jump", quality.jump_ratio),
            ("acceleration", quality.acceleration_ratio),
            ("mean", quality.path_mean_m),
            ("max", quality.path_max_m),
        ]
        .into()
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
