//! Bodies compared by points of their mesh, against a direct f64 evaluation.

#![allow(clippy::unwrap_used)] // a test may

mod support;

use std::sync::Arc;

use afoot_core::{Clip, ClipId, FrameId, JointId, Skeleton, SurfacePoint, Vec3};
use afoot_graph::build_from_candidates;
use afoot_graph::distance::{BodyPoints, CloudOptions, Features, PointCloud, WindowShape};
use afoot_graph::{
    Artefact, Candidates, GraphError, GraphOptions, Place, build_graph, find_candidates,
};
use afoot_run::Run;
use glam::{DQuat, DVec3};
use support::{Random, pacing, wandering};

/// The clip with points of a surface around its skeleton.
fn with_mesh(clip: &Clip, seed: u64) -> Clip {
    let mut random = Random(seed);
    let points = (0..20).map(|_| SurfacePoint {
        joint: JointId(random.below(clip.joint_count()) as u16),
        offset: Vec3::new(random.next(), random.next(), random.next()) * 0.2,
        weight: 0.1 + random.next().abs(),
    });
    let points = points.collect();
    let skeleton = Skeleton::clone(&clip.skeleton).with_surface(points);
    Clip {
        skeleton: Arc::new(skeleton.unwrap()),
        ..clip.clone()
    }
}

/// The surface's points in a frame, in f64, straight from the rotations.
fn points_of(clip: &Clip, frame: usize) -> Vec<(f64, DVec3)> {
    let joints = clip.joint_count();
    let (mut places, mut turns) = (Vec::<DVec3>::new(), Vec::<DQuat>::new());
    for (index, joint) in clip.skeleton.joints().iter().enumerate() {
        let local = clip.rotations[frame * joints + index]
            .as_dquat()
            .normalize();
        let (place, turn) = match joint.parent {
            None => (clip.root[frame].as_dvec3(), local),
            Some(parent) => {
                let above = turns[parent.index()];
                let offset = above * joint.offset.as_dvec3();
                (places[parent.index()] + offset, above * local)
            }
        };
        places.push(place);
        turns.push(turn);
    }
    let place = |point: &SurfacePoint| {
        let joint = point.joint.index();
        let at = places[joint] + turns[joint] * point.offset.as_dvec3();
        (f64::from(point.weight), at)
    };
    clip.skeleton.surface().iter().map(place).collect()
}

/// Kovar et al. 2002, eqs. 1 to 4, over two windows; the root of the mean square. [cm]
fn direct_error(a: &Clip, i: usize, b: &Clip, s: usize, window: usize) -> f64 {
    let all = |clip: &Clip, start: usize| -> Vec<(f64, DVec3)> {
        (start..start + window)
            .flat_map(|frame| points_of(clip, frame))
            .collect()
    };
    let (p, q) = (all(a, i), all(b, s));
    let total: f64 = p.iter().map(|(w, _)| w).sum();
    let mean = |points: &[(f64, DVec3)]| -> DVec3 {
        points.iter().map(|(w, x)| *x * *w).sum::<DVec3>() / total
    };
    let (p_mean, q_mean) = (mean(&p), mean(&q));
    let (mut sine, mut cosine) = (0.0, 0.0);
    for ((w, x), (_, y)) in p.iter().zip(&q) {
        let (x, y) = (*x - p_mean, *y - q_mean);
        sine += w * (x.x * y.z - y.x * x.z);
        cosine += w * (x.x * y.x + x.z * y.z);
    }
    let turn = DQuat::from_rotation_y(sine.atan2(cosine));
    let level = |v: DVec3| DVec3::new(v.x, 0.0, v.z);
    let moved = |y: DVec3| level(p_mean) + turn * (y - level(q_mean));
    let squares = p.iter().zip(&q);
    let square: f64 = squares
        .map(|((w, x), (_, y))| w * x.distance_squared(moved(*y)))
        .sum();
    100.0 * (square / total).sqrt()
}

#[test]
fn every_pair_agrees_with_the_direct_evaluation() {
    let clips = [wandering("a", 31, 1), wandering("b", 24, 2)].map(|clip| with_mesh(&clip, 3));
    let borrowed: Vec<&Clip> = clips.iter().collect();
    for window in [2, 5, 10] {
        let cloud = PointCloud::for_clips(&borrowed, &CloudOptions::default()).unwrap();
        assert_eq!(cloud.len(), 20);
        let features = Features::new(&borrowed, &cloud, &WindowShape::new(window, 0.0));
        let mut worst = 0.0_f64;
        for i in 0..=clips[0].len() - window {
            for (b, other) in clips.iter().enumerate() {
                for s in 0..=other.len() - window {
                    let place = |clip: usize, frame: usize| Place {
                        clip: ClipId::from(clip),
                        frame: FrameId::from(frame),
                    };
                    let fast = f64::from(features.error_cm(place(0, i), place(b, s)));
                    let direct = direct_error(&clips[0], i, other, s, window);
                    worst = worst.max((fast.max(0.05) - direct.max(0.05)).abs());
                }
            }
        }
        assert!(worst < 0.002, "off by {worst} cm with window {window}");
    }
}

#[test]
fn joints_serve_where_there_is_no_mesh_or_they_are_asked_for() {
    let bare = wandering("a", 31, 1);
    let meshed = with_mesh(&bare, 3);
    let cloud = |clip: &Clip, points| {
        let options = CloudOptions {
            points,
            ..CloudOptions::default()
        };
        PointCloud::for_clips(&[clip], &options).unwrap()
    };
    let joints = cloud(&bare, BodyPoints::Joints);
    assert_eq!(cloud(&bare, BodyPoints::Mesh), joints);
    assert_eq!(cloud(&meshed, BodyPoints::Joints), joints);
    assert_ne!(cloud(&meshed, BodyPoints::Mesh), joints);
    let weights = [("arm".into(), 0.0)].into();
    let options = CloudOptions {
        weights,
        ..CloudOptions::default()
    };
    let fewer = PointCloud::for_clips(&[&meshed], &options).unwrap();
    let on_arm = |point: &&SurfacePoint| point.joint == JointId(7);
    let count = meshed.skeleton.surface().iter().filter(on_arm).count();
    assert!(count > 0);
    assert_eq!(fewer.len(), 20 - count);
}

#[test]
fn candidates_know_by_which_points_they_were_found() {
    let bare: Vec<Clip> = (0..4)
        .map(|n| pacing("p", 90, 7 * n, n as u64 + 1))
        .collect();
    let meshed: Vec<Clip> = bare.iter().map(|clip| with_mesh(clip, 3)).collect();
    let options = GraphOptions::default();
    let joints = GraphOptions {
        cloud: CloudOptions {
            points: BodyPoints::Joints,
            ..CloudOptions::default()
        },
        ..options.clone()
    };
    let none = Candidates::none();
    let found = find_candidates(&meshed, &options, &none, &Run::quiet()).unwrap();
    let by_joints = find_candidates(&meshed, &joints, &none, &Run::quiet()).unwrap();
    assert_ne!(found.list, by_joints.list);
    assert_eq!(
        by_joints.list,
        find_candidates(&bare, &options, &none, &Run::quiet())
            .unwrap()
            .list
    );
    // What was found by joints is of no use for the mesh, and the other way round.
    assert_eq!(
        find_candidates(&meshed, &options, &by_joints, &Run::quiet()).unwrap(),
        found
    );
    let refused = build_from_candidates(&meshed, &by_joints, &options, &Run::quiet());
    assert_eq!(refused.unwrap_err(), GraphError::OtherCandidates);
    let mut grown = none.clone();
    for count in 1..=meshed.len() {
        grown = find_candidates(&meshed[..count], &options, &grown, &Run::quiet()).unwrap();
    }
    assert_eq!(grown.to_bytes(), found.to_bytes());
    let (graph, _) = build_graph(&meshed, &options, &Run::quiet()).unwrap();
    assert!(!graph.transitions.is_empty());
}
