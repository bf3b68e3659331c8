//! The report on figures whose faults are known.

use super::*;
use crate::fixture::{flat, scripted, skeleton, walk};
use crate::ground::{GroundOptions, estimate_ground_at};
use crate::polyline::Polyline;
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
            ..JudgeOptions::default()
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
fn on_known_ground_feet_are_judged_as_on_a_floor() {
    let level = walk((4.0, 30), |_, _| 0.04, (0.6, 0.4, 1.2));
    let mut level = level.clone();
    level.ground = judge_ground(&level);
    let source = SourceStatistics::of_clips(&[&level]).unwrap();
    let slope = |_: f32, z: f32| 0.25 * z;
    let stairs = |_: f32, z: f32| 0.17 * ((z + 0.3) / 0.6).floor();
    type Height = fn(f32, f32) -> f32;
    let grounds: [(&str, Height); 2] = [("slope", slope), ("stairs", stairs)];
    for (name, height) in grounds {
        let clip = walk((4.0, 30), |x, z| 0.04 + height(x, z), (0.6, 0.4, 1.2));
        let unknown = JudgeOptions {
            source: Some(&source),
            floor: Some(0.04),
            ..JudgeOptions::default()
        };
        let terrain = Terrain::new(std::sync::Arc::new(height));
        let known = JudgeOptions {
            terrain: Some(&terrain),
            ..unknown
        };
        let [floats, found] = [unknown, known].map(|options| judge_clip(&clip, &options));
        assert!(floats.unsupported_share > Some(0.1), "{name}: {floats:?}");
        check(found.unsupported_share, 0.0, 0.0);
        check(found.sink_cm, 0.0, 0.2);
        check(found.slide_mm, 0.0, 2.0);
        check(found.skate_share, 0.0, 0.0);
    }
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
        ..JudgeOptions::default()
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
        path: Some(&[]),
        ..JudgeOptions::default()
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

#[test]
fn a_verdict_says_when_a_motion_is_at_its_worst() {
    let clip = walk((12.0, 30), |_, _| 0.04, (0.6, 0.4, 1.2));
    let source = SourceStatistics::of_clips(&[&clip]).unwrap();
    let mut popped = clip.clone();
    popped.root[200].x += 0.1;
    popped.root[200].y -= 0.1;
    let options = JudgeOptions {
        source: Some(&source),
        ..JudgeOptions::default()
    };
    // The same in pieces: frames are the motion's, not the piece's.
    let mut pieces = Judge::new(options);
    [0..150, 150..300, 300..360]
        .into_iter()
        .for_each(|counted| pieces.add(&popped, counted));
    for found in [judge_clip(&popped, &options), pieces.finish()] {
        for measure in ["root_acceleration_ratio", "sink_cm"] {
            let verdict = found.verdicts.iter().find(|v| v.measure == measure);
            let verdict = verdict.unwrap();
            assert!(!verdict.kept, "{verdict:?}");
            check(verdict.at_s, 200.0 / 30.0, 0.05);
            assert!(verdict.told().contains("at 6.7 s"), "{}", verdict.told());
        }
        let share = found.verdicts.iter().find(|v| v.measure == "skate_share");
        assert_eq!(share.unwrap().at_s, None, "a share is of no moment");
    }
}

#[test]
fn the_step_that_ends_a_walk_is_measured_as_a_walks() {
    let mut clip = walk((4.0, 30), |_, _| 0.04, (0.6, 0.4, 1.2));
    let (walk, stand) = (Locomotion::Walk, Locomotion::Stand);
    clip.types = [vec![walk; 60], vec![stand; 60]].concat();
    let from = MadeFrom {
        clips: std::collections::BTreeMap::from([(0, &clip)]),
        spans: vec![SourceSpan {
            clip: 0,
            from: 0,
            frames: 120,
            at: 0,
        }],
        joins: Vec::new(),
    };
    let known = Judge::new(JudgeOptions {
        made_from: Some(&from),
        ..JudgeOptions::default()
    });
    let found = Judge::new(JudgeOptions::default());
    for frame in [59, 60, 61, 62, 119] {
        let gait = clip.types[frame];
        let expected = if frame < 62 { walk } else { stand };
        let number = frame as u64;
        assert_eq!(known.livelier_beside((number, gait), (0, &[])), expected);
        let types = (frame, clip.types.as_slice());
        assert_eq!(found.livelier_beside((number, gait), types), expected);
    }
}
