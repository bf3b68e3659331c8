//! Contacts and types of generated motion, whose truth is known.
#![allow(clippy::unwrap_used)]

use std::sync::LazyLock;

use afoot_analyze::{JudgeOptions, SourceStatistics, judge_clip, with_facts};
use afoot_core::{Clip, Contacts, FrameRate, Side};
use afoot_sample::{SampleOptions, sample_library};

/// The runs of frames in which a foot touches.
fn plants(contacts: &[Contacts], side: Side) -> Vec<(usize, usize)> {
    let on = |frame: usize| contacts[frame].any(Contacts::foot(side));
    let starts = (0..contacts.len()).filter(|f| on(*f) && (*f == 0 || !on(f - 1)));
    let end = |start: usize| {
        (start..contacts.len())
            .find(|f| !on(*f))
            .unwrap_or(contacts.len())
    };
    starts.map(|start| (start, end(start))).collect()
}

/// The sample library at 30 frames a second.
fn library() -> &'static [Clip] {
    static CLIPS: LazyLock<Vec<Clip>> = LazyLock::new(|| sample_library(&SampleOptions::default()));
    &CLIPS
}

fn facts_anew(truth: &Clip) -> Clip {
    let mut clip = truth.clone();
    (clip.ground, clip.contacts, clip.types) = (None, Vec::new(), Vec::new());
    with_facts(clip).unwrap()
}

#[test]
fn contact_times_are_right_to_one_frame() {
    let double = SampleOptions {
        rate: FrameRate::new(60, 1).unwrap(),
        ..SampleOptions::default()
    };
    for (fps, clips) in [(30, library()), (60, &sample_library(&double))] {
        let (mut changes, mut exact) = (0, 0);
        for truth in clips {
            let found = facts_anew(truth);
            for side in Side::BOTH {
                let (wanted, own) = (plants(&truth.contacts, side), plants(&found.contacts, side));
                let off = |(a, b): (&(usize, usize), &(usize, usize))| {
                    [a.0.abs_diff(b.0), a.1.abs_diff(b.1)]
                };
                let errors: Vec<usize> = wanted.iter().zip(&own).flat_map(off).collect();
                assert!(
                    wanted.len() == own.len() && errors.iter().all(|frames| *frames <= 1),
                    "{} {side:?} at {fps} fps: {own:?} are not {wanted:?}",
                    truth.name
                );
                changes += errors.len();
                exact += errors.iter().filter(|frames| **frames == 0).count();
            }
        }
        println!("{fps} fps: {exact} of {changes} contact times exact, the rest one frame off");
    }
}

#[test]
fn heels_and_balls_are_told_apart() {
    for (word, part) in [
        ("heel", Contacts::heel as fn(Side) -> Contacts),
        ("ball", Contacts::ball),
    ] {
        let (mut both, mut either) = (0, 0);
        for truth in library() {
            let found = facts_anew(truth);
            for side in Side::BOTH {
                let on = |clip: &Clip, frame: usize| clip.contacts[frame].any(part(side));
                for frame in 0..truth.len() {
                    both += usize::from(on(truth, frame) && on(&found, frame));
                    either += usize::from(on(truth, frame) || on(&found, frame));
                }
            }
        }
        println!("{word}: {both} of {either} frames agree");
        assert!(both * 100 >= either * 85, "{word}: {both} of {either}");
    }
}

/// Where the performer and the types mean different things: the stands around jumps are theirs,
/// short stands before steps belong to these, a low squat or a seat is no stand, one foot lifted is
/// no walk, and a walk turns into a run at the first flight instead of the last double support.
const MEANT_OTHERWISE: [&str; 10] = [
    "walk_to_run",
    "turn_in_place_left",
    "turn_in_place_right",
    "turn_in_place_about",
    "jump_up",
    "jump_forward",
    "hop",
    "pick_up_floor",
    "sit_and_rise",
    "kick",
];

#[test]
fn types_are_those_performed() {
    let (mut same, mut frames) = (0, 0);
    for truth in library() {
        if MEANT_OTHERWISE.contains(&truth.name.as_str()) {
            continue;
        }
        let found = facts_anew(truth);
        let pairs = truth.types.iter().zip(&found.types);
        same += pairs.filter(|(a, b)| a == b).count();
        frames += truth.len();
    }
    println!("{same} of {frames} frames have the type that was performed");
    assert!(
        frames > 5000 && same * 100 >= frames * 97,
        "{same} of {frames}"
    );
}

#[test]
fn made_motion_keeps_the_quality_bars() {
    let all: Vec<&Clip> = library().iter().collect();
    let source = SourceStatistics::of_clips(&all).unwrap();
    let options = JudgeOptions {
        source: Some(&source),
        ..JudgeOptions::default()
    };
    for clip in library() {
        let found = judge_clip(clip, &options);
        let within = |value: Option<f64>, bar: f64| value.is_some_and(|value| value <= bar);
        let good = within(found.skate_cm_s, 5.0)
            && within(found.skate_share, 0.01)
            && within(found.slide_mm, 10.0)
            && within(found.sink_cm, 1.0)
            && within(found.jump_ratio, 1.5)
            && within(found.acceleration_ratio, 1.5);
        assert!(good, "{}: {found:?}", clip.name);
    }
}
