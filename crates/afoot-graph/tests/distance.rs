//! The fast errors against a direct f64 evaluation of Kovar et al. 2002, eqs. 1 to 4.

#![allow(clippy::unwrap_used)] // a test may

mod support;

use afoot_core::{Clip, ClipId, FrameId, Ground};
use afoot_graph::Place;
use afoot_graph::distance::{
    Block, CloudOptions, Features, PointCloud, RowSink, Rows, WindowPair, WindowShape, sweep,
};
use support::{Random, cmu, cmu_clip, wandering};

/// Keeps whole rows.
#[derive(Default)]
struct Keep(Vec<(usize, usize, Vec<f32>)>);

impl RowSink for Keep {
    fn rows(&mut self, rows: &Rows<'_>) {
        for frame in rows.first..rows.first + rows.count {
            self.0
                .push((rows.clip, frame, rows.row(frame as isize).to_vec()));
        }
    }
}

/// Compares every pair at or above the diagonal; errors may differ by `tolerance` cm.
fn check(clips: &[Clip], window: usize, options: &CloudOptions, tolerance: f64) {
    let clips: Vec<&Clip> = clips.iter().collect();
    let cloud = PointCloud::for_clips(&clips, options).unwrap();
    let shape = WindowShape::new(window, options.taper);
    let features = Features::new(&clips, &cloud, &shape);
    let starts: Vec<(usize, usize)> = clips
        .iter()
        .enumerate()
        .flat_map(|(c, clip)| (0..clip.len()).map(move |f| (c, f)))
        .collect();
    let mut keep = Keep::default();
    sweep(
        &features,
        &Block {
            clips: 0..clips.len(),
            cols: 0..starts.len(),
        },
        &mut keep,
    );
    let (mut compared, mut worst) = (0, 0.0f64);
    for (a, i, row) in &keep.0 {
        for (&(b, s), &square) in starts.iter().zip(row) {
            if (b, s) < (*a, *i) {
                continue;
            }
            let first = clips[*a].at(FrameId::from(*i));
            match WindowPair::new(first, clips[b].at(FrameId::from(s)), &cloud, &shape) {
                None => assert_eq!(square, f32::INFINITY),
                Some(windows) => {
                    let direct = windows.align();
                    compared += 1;
                    let error = f64::from(square.sqrt());
                    assert!(error.is_finite());
                    worst = worst.max((error - direct.error_cm.max(0.05)).abs());
                    let place = |clip: usize, frame: usize| Place {
                        clip: ClipId::from(clip),
                        frame: FrameId::from(frame),
                    };
                    let single = f64::from(features.error_cm(place(*a, *i), place(b, s)));
                    worst = worst.max((single.max(0.05) - direct.error_cm.max(0.05)).abs());
                }
            }
        }
    }
    assert!(compared > 0 || clips.iter().all(|clip| clip.len() < window));
    assert!(
        worst < tolerance,
        "off by {worst} cm with window {window} over {compared} pairs"
    );
}

#[test]
fn every_pair_agrees_with_the_direct_evaluation() {
    let clips = [
        wandering("a", 31, 1),
        wandering("b", 8, 2),
        wandering("c", 45, 3),
    ];
    for window in [2, 3, 4, 5, 7, 10, 13] {
        check(&clips, window, &CloudOptions::default(), 0.001);
    }
}

#[test]
fn tapered_and_weighted_windows_agree() {
    let clips = [wandering("a", 31, 4), wandering("b", 22, 5)];
    let options = CloudOptions {
        weights: [("left foot".into(), 5.0), ("arm".into(), 0.0)].into(),
        taper: 0.8,
        ..CloudOptions::default()
    };
    check(&clips, 9, &options, 0.001);
}

#[test]
fn tilted_floors_are_levelled() {
    let mut clips = [wandering("a", 31, 6), wandering("b", 22, 7)];
    clips[1].ground = Some(Ground {
        slope_x: 0.02,
        slope_z: -0.01,
        ..Ground::level(0.05)
    });
    check(&clips, 10, &CloudOptions::default(), 0.001);
}

#[test]
fn the_same_motion_elsewhere_is_at_no_distance() {
    let here = wandering("here", 40, 8);
    let mut there = here.clone();
    let turn = afoot_core::Planar::new(37.0, -12.0, 2.0);
    for (root, rotation) in there
        .root
        .iter_mut()
        .zip(there.rotations.chunks_exact_mut(8))
    {
        *root = turn.point3(*root);
        rotation[0] = turn.rotate(rotation[0]);
    }
    let clips = [&here, &there];
    let cloud = PointCloud::for_clips(&clips, &CloudOptions::default()).unwrap();
    let features = Features::new(&clips, &cloud, &WindowShape::new(10, 0.0));
    let mut keep = Keep::default();
    sweep(
        &features,
        &Block {
            clips: 0..1,
            cols: 40..80,
        },
        &mut keep,
    );
    for (_, frame, row) in &keep.0[..31] {
        assert!(
            row[*frame].sqrt() <= 0.051,
            "{} cm at frame {frame}",
            row[*frame].sqrt()
        );
        assert!(
            row.iter()
                .enumerate()
                .all(|(s, d)| s == *frame || d.sqrt() > 0.1)
        );
    }
}

#[test]
fn a_pair_does_not_depend_on_the_block() {
    let clips: Vec<Clip> = (0..5)
        .map(|n| wandering("c", 23 + 11 * n, n as u64 + 20))
        .collect();
    let clips: Vec<&Clip> = clips.iter().collect();
    let cloud = PointCloud::for_clips(&clips, &CloudOptions::default()).unwrap();
    let shape = WindowShape::new(10, 0.0);
    let all = Features::new(&clips, &cloud, &shape);
    let total: usize = clips.iter().map(|clip| clip.len()).sum();
    let mut whole = Keep::default();
    sweep(
        &all,
        &Block {
            clips: 0..5,
            cols: 0..total,
        },
        &mut whole,
    );
    let first_of = |clip: usize| clips[..clip].iter().map(|c| c.len()).sum::<usize>();
    let mut random = Random(7);
    for _ in 0..40 {
        let start = random.below(total);
        let end = start + 1 + random.below(total - start);
        let mut part = Keep::default();
        sweep(
            &all,
            &Block {
                clips: 1..4,
                cols: start..end,
            },
            &mut part,
        );
        for (clip, frame, row) in &part.0 {
            let (_, _, expected) = whole
                .0
                .iter()
                .find(|r| r.0 == *clip && r.1 == *frame)
                .unwrap();
            let from = start.max(first_of(*clip) + frame);
            if from < end {
                assert_eq!(row[from - start..], expected[from..end]);
            }
        }
    }
    let two = Features::new(&clips[2..4], &cloud, &shape);
    let mut pair = Keep::default();
    sweep(
        &two,
        &Block {
            clips: 0..1,
            cols: clips[2].len()..clips[2].len() + clips[3].len(),
        },
        &mut pair,
    );
    for (_, frame, row) in &pair.0 {
        let (_, _, expected) = whole.0.iter().find(|r| r.0 == 2 && r.1 == *frame).unwrap();
        assert_eq!(row[..], expected[first_of(3)..first_of(4)]);
    }
}

#[test]
fn captured_walks_agree() {
    let Some(folder) = cmu() else { return };
    let clips = ["16_15", "16_35"].map(|name| cmu_clip(&folder, name, 4));
    check(&clips, 10, &CloudOptions::default(), 0.001);
}
