//! Long walks in pieces, and clips reached at a place, on sample motion.
#![allow(missing_docs, clippy::unwrap_used)]

mod support;

use std::ops::ControlFlow;

use afoot_core::{Clip, ClipId, Planar, Vec3, forward_kinematics};
use afoot_sample::{SampleOptions, sample_library};
use afoot_synth::{
    FollowOptions, GroundPath, Played, ReachError, ReachOptions, Repertoire, Target, find_walk,
    follow_in_pieces, reach_clip,
};
use support::{graph_of, mirrored};

fn sample_walks() -> Repertoire {
    let mut clips = sample_library(&SampleOptions::default());
    clips.retain(|clip| clip.name.starts_with("walk"));
    let images: Vec<Clip> = clips.iter().map(mirrored).collect();
    clips.extend(images);
    Repertoire::new(graph_of(&clips, 6.0), &clips).unwrap()
}

fn wavy_path(metres: u32) -> GroundPath {
    let point = |step: u32| {
        let along = f64::from(step) * 0.5;
        [along, 2.0 * (along * 0.3).sin()]
    };
    GroundPath::new((0..=2 * metres).map(point).collect()).unwrap()
}

fn pieces(
    repertoire: &Repertoire,
    path: &GroundPath,
    options: &FollowOptions,
    frames: usize,
) -> Vec<Played> {
    let found = find_walk(repertoire, path, options).unwrap();
    let mut pieces = Vec::new();
    let end = follow_in_pieces(repertoire, path, &found, options, frames, |piece| {
        pieces.push(piece);
        ControlFlow::<()>::Continue(())
    });
    assert!(end.is_continue());
    let frames: usize = pieces.iter().map(|piece| piece.clip.len()).sum();
    assert_eq!(frames as u64, found.walk.frames(repertoire));
    pieces
}

#[test]
fn a_walk_in_pieces_is_the_walk_at_once() {
    let (repertoire, path) = (sample_walks(), wavy_path(60));
    let options = FollowOptions::default();
    let whole = pieces(&repertoire, &path, &options, usize::MAX);
    let parts = pieces(&repertoire, &path, &options, 300);
    assert!(whole.len() == 1 && parts.len() >= 4, "{}", parts.len());
    let at = |played: &Played| -> Vec<Vec3> {
        let positions = forward_kinematics(&played.clip);
        (0..played.clip.len())
            .flat_map(|frame| positions.frame(frame.into()).to_vec())
            .collect()
    };
    let (one, many) = (at(&whole[0]), parts.iter().flat_map(at).collect::<Vec<_>>());
    assert_eq!(one.len(), many.len());
    // Where a foot is held a frame longer in one of them, legs differ; at the seams nothing jumps.
    let joints = one.len() / whole[0].clip.len();
    let mut apart: Vec<f32> = one.iter().zip(&many).map(|(a, b)| a.distance(*b)).collect();
    let worst = |at: &[Vec3]| -> f32 {
        let bend = |i: usize| (at[i] - 2.0 * at[i + joints] + at[i + 2 * joints]).length();
        (0..at.len() - 2 * joints).map(bend).fold(0.0, f32::max)
    };
    assert!(
        worst(&many) <= 1.05 * worst(&one),
        "{} {}",
        worst(&many),
        worst(&one)
    );
    apart.sort_by(f32::total_cmp);
    let most = apart[apart.len() * 9 / 10];
    assert!(most < 1e-3, "{most} m apart");
    let sources: Vec<_> = parts.iter().flat_map(|part| part.sources.clone()).collect();
    let frames = sources.iter().map(|s| s.frames.end - s.frames.start);
    assert_eq!(frames.sum::<u32>() as usize, whole[0].clip.len());
    assert!(sources.windows(2).all(|pair| pair[0].at < pair[1].at));
}

fn clip_id(repertoire: &Repertoire, name: &str) -> ClipId {
    repertoire.clip_named(name).unwrap()
}

fn target(repertoire: &Repertoire, name: &str) -> Target {
    Target {
        clip: clip_id(repertoire, name),
        frames: None,
        place: [3.0, 4.0],
        heading: Some(0.8),
        from: Planar::IDENTITY,
    }
}

#[test]
fn a_clip_is_reached_where_it_was_asked_for_without_spinning() {
    let repertoire = sample_walks();
    let options = ReachOptions::default();
    let (walk, turn) = (
        target(&repertoire, "walk"),
        target(&repertoire, "walk_turn_left"),
    );
    let part = Target {
        frames: Some(50..80),
        place: [-5.0, 1.0],
        heading: Some(-1.2),
        from: Planar::new(1.0, 1.0, 2.0),
        ..walk.clone()
    };
    let anywhere = Target {
        heading: None,
        place: [0.0, 12.0],
        ..turn.clone()
    };
    for target in [walk, turn, part, anywhere] {
        let reached = reach_clip(&repertoire, &target, &options).unwrap();
        assert!(
            reached.place_error < 0.01,
            "{} m off {target:?}",
            reached.place_error
        );
        assert!(
            reached.heading_error < 0.01,
            "{} rad off",
            reached.heading_error
        );
        assert!(reached.raw_place_error < 0.6);
        check_no_spin(
            &reached.played.clip,
            reached.at as usize,
            reached.way.length(),
        );
        check_as_captured(&repertoire, &target, &reached);
    }
}

/// The root travels little farther than the way that guides it.
fn check_no_spin(clip: &Clip, at: usize, way: f64) {
    let flat = |v: Vec3| Vec3::new(v.x, 0.0, v.z);
    let steps = clip.root[..=at].windows(2);
    let travel: f32 = steps.map(|pair| flat(pair[1] - pair[0]).length()).sum();
    assert!(
        f64::from(travel) < 1.1 * way + 0.5,
        "{travel} m on a way of {way} m"
    );
}

/// From the entry on the clip's own frames play: all joints but root and legs keep their rotations.
fn check_as_captured(repertoire: &Repertoire, target: &Target, reached: &afoot_synth::Reached) {
    let source = repertoire.clip(target.clip);
    let played = &reached.played.clip;
    let frames = reached.frames.clone();
    if let Some(part) = &target.frames {
        assert!(frames.start <= part.start && frames.end == part.end);
    }
    let joints = source.joint_count();
    let last = joints - 1; // some joint of the head or of an arm
    let first = played.len() - frames.len();
    for frame in 0..frames.len() {
        let a = played.rotations[(first + frame) * joints + last];
        let b = source.rotations[(frames.start as usize + frame) * joints + last];
        assert!(a.dot(b).abs() > 1.0 - 1e-6, "frame {frame}: {a} {b}");
    }
}

#[test]
fn what_cannot_be_reached_is_said() {
    let repertoire = sample_walks();
    let walk = target(&repertoire, "walk");
    let options = ReachOptions::default();
    let check = |target: &Target, words: &str| {
        let error = reach_clip(&repertoire, target, &options).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
        error.is_bad_request()
    };
    let nowhere = Target {
        place: [f64::NAN, 0.0],
        ..walk.clone()
    };
    assert!(check(&nowhere, "place is NaN"));
    let beyond = Target {
        frames: Some(10..100_000),
        ..walk.clone()
    };
    assert!(check(&beyond, "10..100000"));
    let early = Target {
        frames: Some(0..20),
        ..walk.clone()
    };
    assert!(!check(&early, "can't be entered at or before frame 0"));
    let labelled = ReachOptions {
        labels: vec!["swim".into()],
        ..ReachOptions::default()
    };
    let error = reach_clip(&repertoire, &walk, &labelled).unwrap_err();
    assert!(matches!(error, ReachError::UnknownLabel(_)), "{error}");
}
