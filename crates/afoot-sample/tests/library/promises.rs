//! What was asked for: clips, labels, types, turns, speeds, seeds, rates.

use std::collections::BTreeSet;

use afoot_core::{FrameId, JointId, Locomotion, wrap_angle, yaw_of};
use afoot_sample::{SampleMotion, SampleOptions, sample_library, sample_motion, sample_skeleton};

use crate::{Sample, find, library};

#[test]
fn four_minutes_of_valid_clips_on_one_skeleton() {
    let seconds: f64 = library().iter().map(|s| s.clip.seconds()).sum();
    assert!((200.0..=280.0).contains(&seconds), "{seconds} s");
    let names: BTreeSet<_> = library().iter().map(|s| &s.clip.name).collect();
    assert_eq!(names.len(), library().len(), "names are unique");
    for Sample { clip, .. } in library() {
        assert_eq!(clip.check(), Ok(()));
        assert_eq!(
            (clip.contacts.len(), clip.types.len()),
            (clip.len(), clip.len())
        );
        assert!(
            clip.skeleton.same_shape(&sample_skeleton()),
            "{}",
            clip.name
        );
        assert!(!clip.labels.is_empty(), "{} has no label", clip.name);
        let inside = |span: &afoot_core::LabelSpan| span.frames.end as usize <= clip.len();
        assert!(
            clip.labels.iter().all(inside) && clip.labels.is_sorted(),
            "{}",
            clip.name
        );
    }
}

#[test]
fn every_label_and_type_is_there() {
    let labels: BTreeSet<&str> = library()
        .iter()
        .flat_map(|s| &s.clip.labels)
        .map(|span| span.label.as_str())
        .collect();
    for word in [
        "walk",
        "run",
        "stand",
        "sneak",
        "jump",
        "hop",
        "wave",
        "pick up",
        "sit",
        "duck",
        "crouch",
        "step over",
        "kick",
        "uphill",
        "downhill",
        "turn left",
        "turn right",
    ] {
        assert!(labels.contains(word), "no {word} among {labels:?}");
    }
    for kind in Locomotion::ALL {
        let there = library().iter().any(|s| s.clip.types.contains(&kind));
        assert!(there, "no frame is {}", kind.name());
    }
}

#[test]
fn types_follow_the_feet() {
    let share = |name: &str, kind: Locomotion| {
        let types = &find(name).clip.types;
        types.iter().filter(|&&t| t == kind).count() as f64 / types.len() as f64
    };
    for name in ["walk", "walk_sharp_left", "sneak", "step_over", "slope_up"] {
        assert_eq!(share(name, Locomotion::Walk), 1.0, "{name}");
    }
    for name in ["run", "jog", "run_turn_left"] {
        assert_eq!(share(name, Locomotion::Run), 1.0, "{name}");
    }
    for name in ["stand", "wave_standing", "pick_up_floor"] {
        assert_eq!(share(name, Locomotion::Stand), 1.0, "{name}");
    }
    assert!(share("hop", Locomotion::Jump) > 0.4);
    assert!(share("sit_and_rise", Locomotion::Other) > 0.3);
    assert!(share("walk_to_run", Locomotion::Run) > 0.3);
}

#[test]
fn turns_turn_by_their_angle() {
    for (name, degrees) in [
        ("walk_turn_left", 45.0),
        ("walk_turn_right", -45.0),
        ("walk_sharp_left", 90.0),
        ("walk_sharp_right_fast", -90.0),
        ("run_turn_left", 70.0),
        ("turn_in_place_right", -90.0),
    ] {
        let clip = &find(name).clip;
        let yaw = |f: usize| f64::from(yaw_of(clip.rotation(FrameId::from(f), JointId(0))));
        let turned = wrap_angle(yaw(clip.len() - 1) - yaw(0)).to_degrees();
        assert!((turned - degrees).abs() < 8.0, "{name} turns {turned}");
        let word = if degrees > 0.0 {
            "turn left"
        } else {
            "turn right"
        };
        assert!(
            clip.labels.iter().any(|span| span.label == word),
            "{name} is not a {word}"
        );
    }
}

#[test]
fn walks_go_as_fast_as_asked() {
    for (speed, length) in [(0.7, 4.0), (1.0, 6.0), (1.6, 8.0)] {
        let clip = sample_motion(
            "w",
            SampleMotion::Walk { speed, length },
            &SampleOptions::default(),
        );
        let way = clip.root[clip.len() - 1] - clip.root[0];
        let mean = f64::from(way.length()) / clip.seconds();
        assert!((mean / speed - 1.0).abs() < 0.06, "{mean} m/s for {speed}");
    }
}

#[test]
fn same_seed_same_bytes_other_seed_other_steps() {
    let make = |seed| {
        let options = SampleOptions {
            seed,
            ..SampleOptions::default()
        };
        sample_motion(
            "walk",
            SampleMotion::Walk {
                speed: 1.2,
                length: 4.0,
            },
            &options,
        )
    };
    assert_eq!(make(3), make(3));
    let (a, b) = (make(3), make(4));
    assert_eq!(a.len(), b.len());
    let apart = a
        .root
        .iter()
        .zip(&b.root)
        .map(|(a, b)| a.distance(*b))
        .fold(0.0, f32::max);
    assert!(apart > 1e-3 && apart < 0.1, "{apart}");
}

#[test]
fn half_the_rate_gives_every_second_frame() {
    let slow = sample_library(&SampleOptions::default());
    for (slow, fast) in slow.iter().zip(library()) {
        for (frame, root) in slow.root.iter().enumerate() {
            let gap = root.distance(fast.clip.root[2 * frame]);
            assert!(gap < 1e-3, "{} {gap} m apart at {frame}", slow.name);
        }
    }
}
