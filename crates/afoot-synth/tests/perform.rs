//! Scores performed from the sample library.
#![allow(clippy::unwrap_used)] // a test fails by panicking

use std::num::NonZeroUsize;

use afoot_core::{Clip, FrameId, wrap_angle};
use afoot_graph::level_clip;
use afoot_run::Run;
use afoot_sample::{SampleOptions, sample_library};
use afoot_synth::perform::{Better, Paint, PlaceWish, PoseWish};
use afoot_synth::{
    Footage, PerformError, PerformOptions, Performance, Performer, Rehearsal, Score, perform,
};

fn performer() -> Performer {
    let clips: Vec<Clip> = sample_library(&SampleOptions::default())
        .iter()
        .map(level_clip)
        .collect();
    let footage = Footage::prepare(&clips, &Run::quiet()).unwrap();
    assert!(footage.kept() > 0.8, "{}", footage.kept());
    Performer::new(clips, footage)
}

fn paint(label: &str, from: f64, to: f64) -> Paint {
    Paint {
        label: label.into(),
        from,
        to,
        want: true,
        chains: Vec::new(),
    }
}

fn options(iterations: u64) -> PerformOptions {
    PerformOptions {
        iterations,
        ..PerformOptions::default()
    }
}

#[test]
fn a_walk_becomes_a_run_when_it_is_painted() {
    let performer = performer();
    let score = Score {
        seconds: 7.0,
        paint: vec![paint("walk", 0.0, 2.5), paint("run", 4.0, 7.0)],
        ..Score::default()
    };
    let Performance {
        played,
        entries,
        finding,
        ..
    } = perform(&performer, &score, &options(20)).unwrap();
    assert_eq!(played.clip.len(), 210);
    played.clip.check().unwrap();
    for entry in &entries {
        assert!(entry.share > 0.9, "{entry:?}");
    }
    assert!(
        finding.better.is_sorted_by(|a, b| a.0 < b.0 && a.1 > b.1),
        "{finding:?}"
    );
    let sum: u32 = played
        .sources
        .iter()
        .map(|s| s.frames.end - s.frames.start)
        .sum();
    assert_eq!(sum, 210);
    let speed = |from: usize, to: usize| {
        let way = played.clip.root[to] - played.clip.root[from];
        way.length() / (to - from) as f32 * 30.0
    };
    assert!(
        speed(150, 200) > 1.5 * speed(10, 60),
        "{} {}",
        speed(150, 200),
        speed(10, 60)
    );
}

#[test]
fn the_result_depends_on_seed_and_iterations_alone() {
    let performer = performer();
    let score = Score {
        seconds: 4.0,
        paint: vec![paint("walk", 0.0, 4.0)],
        ..Score::default()
    };
    let made = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let run = Run::quiet().with_threads(NonZeroUsize::new(threads).unwrap());
        let options = PerformOptions { run, ..options(9) };
        pool.install(|| perform(&performer, &score, &options).unwrap().played)
    };
    assert_eq!(made(1), made(3));
}

#[test]
fn a_pose_is_played_on_time() {
    let performer = performer();
    let clip = &performer.clips()[1];
    let score = Score {
        seconds: 5.0,
        poses: vec![PoseWish {
            at: 2.5,
            clip: clip.name.clone(),
            time: 1.0,
            seconds: Some(0.5),
        }],
        ..Score::default()
    };
    let performance = perform(&performer, &score, &options(6)).unwrap();
    let pose = &performance.poses[0];
    assert!(pose.pose_error_cm < 1.0, "{pose:?}");
    let at = |frame: u64| {
        let sources = performance.played.sources.iter();
        let source = sources.rev().find(|source| source.at <= frame).unwrap();
        (
            source.clip.index(),
            u64::from(source.frames.start) + frame - source.at,
        )
    };
    assert_eq!((at(75), at(89)), ((1, 30), (1, 44)));
}

#[test]
fn a_place_is_met_and_the_start_is_kept() {
    let performer = performer();
    let place = PlaceWish {
        at: 8.0,
        x: 3.0,
        z: 6.5,
        yaw: Some(30.0),
    };
    let score = Score {
        seconds: 8.0,
        paint: vec![paint("walk", 0.0, 8.0)],
        places: vec![place],
        start: afoot_synth::perform::StartWish {
            x: 1.0,
            z: -1.0,
            yaw: 10.0,
        },
        ..Score::default()
    };
    let performance = perform(&performer, &score, &options(24)).unwrap();
    let missed = performance.places[0];
    assert!(missed.error_m < 0.1 && missed.error_deg < 5.0, "{missed:?}");
    let clip = &performance.played.clip;
    let (first, last) = (clip.placement(FrameId(0)), clip.placement(FrameId(239)));
    assert!((last.x - 3.0).hypot(last.z - 6.5) < 0.1, "{last:?}");
    assert!((first.x - 1.0).hypot(first.z + 1.0) < 0.02, "{first:?}");
    assert!(wrap_angle(first.yaw - 10f64.to_radians()).abs() < 0.05);
}

#[test]
fn what_is_not_there_is_named() {
    let performer = performer();
    let of = |label: &str| Score {
        seconds: 3.0,
        paint: vec![paint(label, 0.0, 2.0), paint("run", 1.0, 3.0)],
        ..Score::default()
    };
    let error = Rehearsal::new(&performer, &of("wlak"), 0).unwrap_err();
    assert!(matches!(error, PerformError::Cast(_)));
    assert!(
        error.to_string().contains("did you mean \"walk\"?"),
        "{error}"
    );
    let rehearsal = Rehearsal::new(&performer, &of("stand"), 0).unwrap();
    let missing = rehearsal.missing();
    assert_eq!((missing[0].from, missing[0].to), (1.0, 2.0));
    let told = missing[0].to_string();
    assert!(told.contains("\"stand\" and \"run\" at once"), "{told}");
    let mut posed = of("walk");
    posed.paint.truncate(1);
    posed.poses = vec![PoseWish {
        at: 1.0,
        clip: performer.clips()[0].name.clone(),
        time: 1e4,
        seconds: None,
    }];
    let error = Rehearsal::new(&performer, &posed, 0)
        .unwrap_err()
        .to_string();
    assert!(error.contains("asks for 10000"), "{error}");
}

#[test]
fn it_goes_on_with_a_changed_score_and_makes_others_on_request() {
    let performer = performer();
    let mut score = Score {
        seconds: 4.0,
        paint: vec![paint("walk", 0.0, 4.0)],
        ..Score::default()
    };
    let mut rehearsal = Rehearsal::new(&performer, &score, 0).unwrap();
    let heard = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let ears = std::sync::Arc::clone(&heard);
    let run = Run::watched(move |event| {
        if let afoot_run::Event::Partial(part) = event
            && let Some(better) = part.get::<Better>()
        {
            ears.lock().unwrap().push(better.cost);
        }
    });
    let options = PerformOptions { run, ..options(5) };
    rehearsal.go_on(&options).unwrap();
    let first = rehearsal.cost().unwrap();
    assert_eq!(heard.lock().unwrap().last(), Some(&first));
    let mut other = rehearsal.alternative();
    other.go_on(&options).unwrap();
    let finish = afoot_synth::FinishOptions::default();
    let sources = |rehearsal: &Rehearsal| rehearsal.enact(&finish).unwrap().played.sources;
    assert_ne!(sources(&rehearsal), sources(&other));
    score.paint[0].to = 2.0;
    rehearsal.change(&score).unwrap();
    assert!(rehearsal.cost().unwrap() <= first + 1e-3);
    rehearsal.go_on(&options).unwrap();
    assert!(rehearsal.cost().unwrap() <= first + 1e-3);
}

/// The samples, with a word for standing arms.
fn performer_with_still_arms() -> Performer {
    let mut clips: Vec<Clip> = sample_library(&SampleOptions::default())
        .iter()
        .map(level_clip)
        .collect();
    for clip in clips.iter_mut().filter(|clip| clip.name.contains("stand")) {
        clip.labels.push(afoot_core::LabelSpan {
            frames: afoot_core::Range32 {
                start: 0,
                end: clip.len() as u32,
            },
            label: "still".into(),
        });
    }
    let footage = Footage::prepare(&clips, &Run::quiet()).unwrap();
    Performer::new(clips, footage)
}

fn painted_on(label: &str, (from, to): (f64, f64), chain: &str) -> Paint {
    Paint {
        chains: vec![chain.into()],
        ..paint(label, from, to)
    }
}

#[test]
fn limbs_do_what_is_painted_on_them_while_the_body_walks() {
    let performer = performer_with_still_arms();
    let mut score = Score {
        seconds: 6.0,
        paint: vec![paint("walk", 0.0, 6.0)],
        ..Score::default()
    };
    let body = perform(&performer, &score, &options(6)).unwrap();
    score
        .paint
        .push(painted_on("still", (2.0, 4.0), "left_arm"));
    let both = perform(&performer, &score, &options(6)).unwrap();
    assert_eq!(both.entries[1].share, 1.0, "{:?}", both.entries);
    assert!(both.entries[0].share > 0.9, "{:?}", both.entries);
    let (plain, made) = (&body.played.clip, &both.played.clip);
    assert_eq!(made.root, plain.root);
    let chains = afoot_core::kinematic_chains(&made.skeleton);
    let arm = chains
        .iter()
        .find(|chain| chain.name == "left_arm")
        .unwrap();
    let turned = |frame: u32, joint: usize| {
        let frame = FrameId(frame);
        let own = made.frame_rotations(frame)[joint];
        own.angle_between(plain.frame_rotations(frame)[joint])
    };
    for frame in 0..180 {
        for joint in 0..made.joint_count() {
            let is_arm = arm.joints.iter().any(|own| own.index() == joint);
            if !is_arm || !(48..132).contains(&frame) {
                let [own, other] =
                    [made, plain].map(|clip| clip.frame_rotations(FrameId(frame))[joint]);
                assert_eq!(own, other, "frame {frame}, joint {joint}");
            }
        }
    }
    let upper = arm.joints[1].index();
    let most = (60..120)
        .map(|frame| turned(frame, upper))
        .fold(0.0, f32::max);
    assert!(most > 0.1, "the arm swings on: {most}");
    for source in &both.limbs {
        assert_eq!(source.chains, ["left_arm"]);
        let clip = &performer.clips()[source.clip.index()];
        assert!(clip.name.contains("stand"), "{}", clip.name);
    }
    // It comes and goes: nothing leaps.
    for frame in 1..180 {
        let pair = [frame - 1, frame].map(|frame| made.frame_rotations(FrameId(frame))[upper]);
        assert!(pair[0].angle_between(pair[1]) < 0.3, "frame {frame}");
    }
}

#[test]
fn chains_that_can_not_be_painted_on_are_named() {
    let performer = performer_with_still_arms();
    let told = |paint: Vec<Paint>| {
        let score = Score {
            seconds: 4.0,
            paint,
            ..Score::default()
        };
        Rehearsal::new(&performer, &score, 0)
            .unwrap_err()
            .to_string()
    };
    let tail = told(vec![painted_on("still", (1.0, 2.0), "tail")]);
    assert!(tail.contains("tail") && tail.contains("left_arm"), "{tail}");
    let leg = told(vec![painted_on("still", (1.0, 2.0), "left_leg")]);
    assert!(leg.contains("legs carry the body"), "{leg}");
    let twice = told(vec![
        painted_on("still", (1.0, 3.0), "arms"),
        painted_on("walk", (2.0, 4.0), "left_arm"),
    ]);
    assert!(
        twice.contains("both painted on left_arm from 2 to 3 s"),
        "{twice}"
    );
    let unknown = told(vec![painted_on("stil", (1.0, 3.0), "arms")]);
    assert!(unknown.contains("did you mean \"still\"?"), "{unknown}");
    let jump = Score {
        seconds: 4.0,
        paint: vec![
            paint("stand", 0.0, 4.0),
            painted_on("run", (1.0, 3.0), "arms"),
        ],
        ..Score::default()
    };
    let error = perform(&performer, &jump, &options(4)).unwrap_err();
    assert!(matches!(error, PerformError::Limbs(_)), "{error}");
    let words = error.to_string();
    assert!(
        words.contains("\"run\" on left_arm and right_arm from 1 to 3 s"),
        "{words}"
    );
}

/// A figure that waves with its left hand, then with its right one, under one word.
fn waving(stand: &Clip) -> Clip {
    let mut clip = stand.clone();
    clip.name = "waving".into();
    let chains = afoot_core::kinematic_chains(&clip.skeleton);
    for (name, frames) in [("left_arm", 20..85), ("right_arm", 95..160)] {
        let arm = chains.iter().find(|chain| chain.name == name).unwrap();
        for frame in frames {
            let turn = glam::Quat::from_rotation_x((frame as f32 * 0.6).sin());
            let rotations = clip.frame_rotations_mut(FrameId(frame));
            rotations[arm.joints[1].index()] *= turn;
        }
    }
    clip.labels.push(afoot_core::LabelSpan {
        frames: afoot_core::Range32 {
            start: 20,
            end: 160,
        },
        label: "wave".into(),
    });
    clip
}

#[test]
fn a_wave_of_the_left_hand_is_none_of_the_right() {
    let mut clips: Vec<Clip> = sample_library(&SampleOptions::default())
        .iter()
        .map(level_clip)
        .collect();
    let stand = clips.iter().find(|clip| clip.name == "stand").unwrap();
    let waving = waving(stand);
    clips.push(waving);
    let footage = Footage::prepare(&clips, &Run::quiet()).unwrap();
    let performer = Performer::new(clips, footage);
    for (chain, within) in [("left_arm", 14..92), ("right_arm", 88..166)] {
        let score = Score {
            seconds: 4.0,
            paint: vec![
                paint("walk", 0.0, 4.0),
                painted_on("wave", (1.5, 2.5), chain),
            ],
            ..Score::default()
        };
        let performance = perform(&performer, &score, &options(4)).unwrap();
        let painted = performance.limbs.iter().filter(|limb| {
            let end = limb.at + u64::from(limb.frames.end - limb.frames.start);
            limb.at < 75 && end > 45
        });
        let played: Vec<_> = painted.collect();
        assert!(!played.is_empty(), "{:?}", performance.limbs);
        for limb in played {
            let middle = (limb.frames.start + limb.frames.end) / 2;
            assert!(within.contains(&middle), "{chain}: {limb:?}");
        }
    }
}
