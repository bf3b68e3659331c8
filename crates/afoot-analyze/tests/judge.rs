//! The judge can't be fooled: spoilt motion is caught by the measure that should, captured motion passes.
#![allow(clippy::unwrap_used)]

mod mutations;

use std::sync::{Arc, LazyLock};

use afoot_analyze::faults::{FaultOptions, find_faults, repair_faults};
use afoot_analyze::{
    JudgeOptions, MadeFrom, Quality, SourceSpan, SourceStatistics, judge_clip, with_facts,
};
use afoot_core::{
    Clip, FrameId, FrameRate, Locomotion, Quat, RetargetOptions, Skeleton, resample_clip,
    retarget_clip,
};
use afoot_fixtures::Captured;
use afoot_sample::{SampleOptions, sample_library};
use mutations::{MUTATIONS, as_read, crouched, swapped};

/// Clips with what they are judged by.
struct Library {
    clips: Vec<Clip>,
    statistics: SourceStatistics,
}

impl Library {
    fn new(clips: Vec<Clip>) -> Self {
        let all: Vec<&Clip> = clips.iter().collect();
        let statistics = SourceStatistics::of_clips(&all).unwrap();
        Self { clips, statistics }
    }

    fn clip(&self, name: &str) -> &Clip {
        self.clips.iter().find(|clip| clip.name == name).unwrap()
    }

    /// Judges a motion as a file of which nothing is known but the library.
    fn judge(&self, motion: &Clip) -> Quality {
        let options = JudgeOptions {
            source: Some(&self.statistics),
            ..JudgeOptions::default()
        };
        judge_clip(&as_read(motion.clone()), &options)
    }

    /// Judges a motion that was made from the frames of one clip, in their order.
    fn judge_made(&self, motion: &Clip, from: &str) -> Quality {
        let clip = self
            .clips
            .iter()
            .position(|clip| clip.name == from)
            .unwrap();
        let made_from = MadeFrom {
            clips: [(clip, &self.clips[clip])].into(),
            spans: vec![whole(clip, motion.len())],
            joins: Vec::new(),
        };
        let options = JudgeOptions {
            source: Some(&self.statistics),
            made_from: Some(&made_from),
            ..JudgeOptions::default()
        };
        judge_clip(&as_read(motion.clone()), &options)
    }
}

fn whole(clip: usize, frames: usize) -> SourceSpan {
    SourceSpan {
        clip,
        from: 0,
        frames: frames as u32,
        at: 0,
    }
}

fn broken(quality: &Quality) -> Vec<String> {
    quality
        .broken(false)
        .map(|verdict| verdict.told())
        .collect()
}

fn check_caught(library: &Library, clips: &[&str]) {
    for name in clips {
        let clip = library.clip(name);
        let sound = library.judge(clip);
        for mutation in MUTATIONS {
            let by_name = |quality: &Quality| {
                let caught = |v: &&afoot_analyze::Verdict| v.measure == mutation.caught_by;
                quality.broken(false).find(caught).map(|v| v.told())
            };
            assert_eq!(by_name(&sound), None, "{name} is sound");
            let found = library.judge(&(mutation.make)(clip));
            let words = by_name(&found);
            assert!(
                words.is_some(),
                "{name}, {}: {} did not catch it, but {:?}",
                mutation.name,
                mutation.caught_by,
                broken(&found)
            );
        }
    }
}

/// A crouch and legs taken for each other show against the captured frames.
fn check_posture(library: &Library, name: &str) {
    let clip = library.clip(name);
    let same = library.judge_made(clip, name);
    assert_eq!(same.source_share, Some(1.0), "{name}");
    assert!(same.hip_change_cm.unwrap() < 0.5 && same.knee_change_deg.unwrap() < 0.1);
    let low = library.judge_made(&crouched(clip, 0.04), name);
    let words = broken(&low).join("; ");
    assert!(words.contains("cm lower than captured"), "{name}: {words}");
    assert!(words.contains("more bent than captured"), "{name}: {words}");
    assert!(
        (low.hip_change_cm.unwrap() - 4.0).abs() < 0.5,
        "{name}: {low:?}"
    );
    assert_eq!(low.source_share, Some(0.0));
    let swapped = library.judge_made(&swapped(clip, 0..clip.len()), name);
    assert!(
        swapped.knee_change_deg.unwrap() > 5.0,
        "{name}: {swapped:?}"
    );
}

/// The sample library at 30 frames a second.
fn sample() -> &'static Library {
    static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
        let clips = sample_library(&SampleOptions::default()).into_iter();
        let read = clips.map(|clip| with_facts(as_read(clip)).unwrap());
        Library::new(read.collect())
    });
    &LIBRARY
}

#[test]
fn spoilt_sample_motion_is_caught() {
    check_caught(sample(), &["walk", "walk_slow"]);
    check_posture(sample(), "walk");
}

#[test]
fn sample_motion_passes() {
    // a slope of 7° is no floor: who walks up there where there is none floats
    let level = |clip: &&Clip| !clip.name.starts_with("slope");
    for clip in sample().clips.iter().filter(level) {
        let found = sample().judge(clip);
        let wrong: Vec<String> = found.broken(true).map(|verdict| verdict.told()).collect();
        assert!(wrong.is_empty(), "{}: {wrong:?}", clip.name);
    }
}

/// Captured clips on the skeleton of one, repaired and with their facts, as an import has them.
fn captured(names: &[String], model: &str, cmu: &Captured) -> Library {
    let model: Arc<Skeleton> = cmu.clip(model).skeleton;
    let prepare = |name: &String| {
        let mut clip = cmu.clip_at(name, cmu.source_fps(name));
        let findings = find_faults(&clip, None, &FaultOptions::default());
        repair_faults(&mut clip, &findings);
        let clip = resample_clip(&clip, FrameRate::FPS_30);
        let options = RetargetOptions::default();
        with_facts(retarget_clip(&clip, &model, &options).unwrap()).unwrap()
    };
    Library::new(names.iter().map(prepare).collect())
}

#[test]
fn spoilt_captured_motion_is_caught_and_captured_motion_passes() {
    let Some(cmu) = Captured::find() else {
        return;
    };
    let library = captured(&cmu.names_of("loco"), "16_15", &cmu);
    let walks = ["16_15", "16_21", "16_31", "16_58", "16_11", "16_23"];
    check_caught(&library, &walks);
    walks.iter().for_each(|walk| check_posture(&library, walk));
    let mut passed = 0;
    for clip in &library.clips {
        let found = library.judge(clip);
        let wrong: Vec<String> = found.broken(true).map(|verdict| verdict.told()).collect();
        match wrong.is_empty() {
            true => passed += 1,
            false => println!("{}: {}", clip.name, wrong.join("; ")),
        }
    }
    println!("{passed} of {} captured clips pass", library.clips.len());
    assert!(passed * 100 >= library.clips.len() * 95);
}

/// Every fault in every clip that travels, each subject judged by its own clips alone.
#[test]
fn spoilt_motion_of_every_subject_is_caught() {
    let Some(cmu) = Captured::find() else {
        return;
    };
    let mut tallies = vec![[0; 2]; MUTATIONS.len()];
    for names in by_subject(&cmu) {
        let library = captured(&names, &names[0], &cmu);
        for clip in library.clips.iter().filter(|clip| travels(clip)).take(3) {
            let sound = library.judge(clip);
            for (mutation, [caught, tried]) in MUTATIONS.iter().zip(&mut tallies) {
                // What breaks a bar as it is tells nothing about it.
                let breaks = |quality: &Quality| -> Vec<&str> {
                    quality
                        .broken(false)
                        .map(|verdict| verdict.measure)
                        .collect()
                };
                let before = breaks(&sound);
                let usual = mutation.caught_by == "twist_deg" && swivels(&library);
                if before.contains(&mutation.caught_by) || usual {
                    continue;
                }
                let after = breaks(&library.judge(&(mutation.make)(clip)));
                let new = after.iter().filter(|measure| !before.contains(measure));
                (*caught, *tried) = (*caught + usize::from(new.count() > 0), *tried + 1);
                if !after.contains(&mutation.caught_by) {
                    println!("{}, {}: only {after:?}", clip.name, mutation.name);
                }
            }
        }
    }
    for (mutation, [caught, tried]) in MUTATIONS.iter().zip(tallies) {
        println!("{}: {caught} of {tried}", mutation.name);
        assert!(caught * 100 >= tried * 95, "{}", mutation.name);
    }
}

/// Whether feet of the captured clips swivel as far themselves, in one of twenty plants over which the body turns
/// little: dancers and fighters.
fn swivels(library: &Library) -> bool {
    let clips = library.statistics.clips.iter();
    let plants = clips.flat_map(|clip| clip.plants.iter());
    let straight: Vec<_> = plants
        .filter(|plant| plant.turn.to_degrees() < 20.0)
        .collect();
    let far = straight
        .iter()
        .filter(|plant| plant.twist.to_degrees() > 20.0);
    20 * far.count() > straight.len()
}

/// The names of all clips, one subject after the other.
fn by_subject(cmu: &Captured) -> Vec<Vec<String>> {
    let names = cmu.names();
    let subject = |name: &String| name.split('_').next().unwrap().to_owned();
    let same = |a: &String, b: &String| subject(a) == subject(b);
    names.chunk_by(same).map(<[String]>::to_vec).collect()
}

/// Whether a clip goes somewhere on its feet, for long enough to be spoilt.
fn travels(clip: &Clip) -> bool {
    let way = clip.root[clip.len() - 1] - clip.root[0];
    let walks = clip.types.iter().filter(|gait| **gait == Locomotion::Walk);
    clip.seconds() > 2.0 && way.with_y(0.0).length() > 1.0 && 2 * walks.count() > clip.len()
}

#[test]
fn a_crouch_shows_among_walks_alone() {
    let Some(cmu) = Captured::find() else {
        return;
    };
    let names = [
        "16_15", "16_16", "16_21", "16_22", "16_31", "16_32", "16_47", "16_58",
    ];
    let library = captured(&names.map(String::from), "16_15", &cmu);
    for name in ["16_15", "16_21", "16_31"] {
        let found = library.judge(&crouched(library.clip(name), 0.04));
        let words = broken(&found).join("; ");
        assert!(found.hip_off_cm.unwrap() > 2.0, "{name}: {words}");
        assert!(words.contains("lower than any captured"), "{name}: {words}");
    }
}

#[test]
fn frames_as_captured_are_counted_without_joins() {
    let library = sample();
    let (name, clip) = ("walk", library.clip("walk"));
    let mut turned = clip.clone();
    let joint = turned.joint_count() - 1;
    for frame in 0..30 {
        let angle: f32 = if frame < 10 { 0.9 } else { 1.1 };
        let own = &mut turned.frame_rotations_mut(FrameId(frame))[joint];
        *own *= Quat::from_rotation_x(angle.to_radians());
    }
    let frames = clip.len() as f64;
    let share = library.judge_made(&turned, name).source_share.unwrap();
    assert!((share - (1.0 - 20.0 / frames)).abs() < 1e-9, "{share}");
    let made_from = MadeFrom {
        clips: [(0, clip)].into(),
        spans: vec![whole(0, clip.len())],
        joins: vec![40..50, 60..61],
    };
    let options = JudgeOptions {
        made_from: Some(&made_from),
        ..JudgeOptions::default()
    };
    let share = judge_clip(clip, &options).source_share.unwrap();
    assert!((share - (1.0 - 11.0 / frames)).abs() < 1e-9, "{share}");
}

#[test]
fn a_way_out_and_back_that_was_not_walked_is_missed() {
    let library = sample();
    let clip = library.clip("walk");
    let (first, last) = (clip.root[0], clip.root[clip.len() - 1]);
    let point = |x: f32, z: f32| [f64::from(x), f64::from(z)];
    let middle = 0.5 * (first + last);
    let path = [
        point(first.x, first.z),
        point(middle.x, middle.z),
        point(middle.x + 2.0, middle.z),
        point(middle.x, middle.z),
        point(last.x, last.z),
    ];
    let options = JudgeOptions {
        path: Some(&path),
        ..JudgeOptions::default()
    };
    let found = judge_clip(clip, &options);
    assert!(
        (found.path_missed_m.unwrap() - 2.0).abs() < 0.1,
        "{found:?}"
    );
    assert!(found.path_max_m.unwrap() < 0.2, "{found:?}");
}

#[test]
fn what_is_wrong_is_said() {
    let library = sample();
    let clip = library.clip("walk");
    let about = MUTATIONS
        .iter()
        .find(|m| m.name.contains("turned about"))
        .unwrap();
    let words = broken(&library.judge(&(about.make)(clip))).join("; ");
    assert!(words.contains("walks backwards for "), "{words}");
    assert!(words.contains("(bar: 95 %)"), "{words}");
    let high = MUTATIONS.iter().find(|m| m.name.contains("1 m")).unwrap();
    let words = broken(&library.judge(&(high.make)(clip))).join("; ");
    assert!(
        words.contains(&format!("floats for {:.1} s", clip.seconds())),
        "{words}"
    );
}

#[test]
fn statistics_are_kept_and_read_back() {
    let statistics = &sample().statistics;
    let text = serde_json::to_string(statistics).unwrap();
    let back: SourceStatistics = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&back).unwrap(), text);
    let other = Library {
        clips: Vec::new(),
        statistics: back,
    };
    let clip = sample().clip("walk");
    assert_eq!(other.judge(clip), sample().judge(clip));
}

#[test]
fn pieces_of_made_motion_are_judged_as_the_whole() {
    let library = sample();
    let clip = library.clip("walk");
    let made_from = MadeFrom {
        clips: [(0, clip)].into(),
        spans: vec![whole(0, clip.len())],
        joins: Vec::new(),
    };
    let options = JudgeOptions {
        source: Some(&library.statistics),
        made_from: Some(&made_from),
        floor: Some(clip.ground.unwrap().height),
        ..JudgeOptions::default()
    };
    let crouch = crouched(clip, 0.02);
    let whole = judge_clip(&crouch, &options);
    let mut judge = afoot_analyze::Judge::new(options);
    let frames = clip.len() as u32;
    for start in (0..frames).step_by(50) {
        let (end, from) = ((start + 50).min(frames), start.saturating_sub(30));
        let piece = afoot_core::cut_clip(&crouch, from..(end + 30).min(frames)).unwrap();
        judge.add(&piece, (start - from) as usize..(end - from) as usize);
    }
    let pieces = judge.finish();
    let exact = |q: &Quality| {
        [
            q.source_share,
            q.hip_change_cm,
            q.knee_change_deg,
            q.unsupported_share,
        ]
    };
    for (one, other) in exact(&whole).into_iter().zip(exact(&pieces)) {
        assert!(
            (one.unwrap() - other.unwrap()).abs() < 1e-4,
            "{one:?}, {other:?}"
        );
    }
    assert!(
        (whole.root_acceleration_ratio.unwrap() - pieces.root_acceleration_ratio.unwrap()).abs()
            < 0.01
    );
}

#[test]
fn a_walk_that_was_to_end_in_a_stand_and_does_not_is_told() {
    let library = sample();
    let judge = |clip: &Clip| {
        let options = JudgeOptions {
            source: Some(&library.statistics),
            stands: [false, true],
            ..JudgeOptions::default()
        };
        judge_clip(&as_read(clip.clone()), &options)
    };
    let whole = judge(library.clip("stop"));
    assert_eq!(whole.mid_step_ends, Some(0.0), "{:?}", broken(&whole));
    let clip = library.clip("walk");
    // In the middle of its way it is in mid-step, whichever foot swings.
    let cut = afoot_core::cut_clip(clip, 0..clip.len() as u32 / 2).unwrap();
    let words = broken(&judge(&cut)).join("; ");
    assert!(words.contains("ends in mid-step"), "{words}");
    let unasked = library.judge(&cut);
    assert_eq!(unasked.mid_step_ends, None);
}

#[test]
fn a_halt_on_the_way_is_told() {
    let library = sample();
    let clip = library.clip("walk");
    let path: Vec<[f64; 2]> = [clip.root[0], clip.root[clip.len() - 1]]
        .map(|root| [f64::from(root.x), f64::from(root.z)])
        .into();
    let judge = |clip: &Clip| {
        let options = JudgeOptions {
            source: Some(&library.statistics),
            path: Some(&path),
            ..JudgeOptions::default()
        };
        judge_clip(&as_read(clip.clone()), &options)
    };
    assert_eq!(judge(clip).halt_share, Some(0.0));
    // Two seconds of the frame in the middle.
    let middle = FrameId::from(clip.len() / 2);
    let mut halted = afoot_core::cut_clip(clip, 0..middle.0).unwrap();
    let held = clip.pose(middle);
    (0..clip.rate.frames_in(2.0)).for_each(|_| halted.push_pose(&held));
    (middle.0..clip.len() as u32).for_each(|frame| halted.push_pose(&clip.pose(FrameId(frame))));
    let words = broken(&judge(&halted)).join("; ");
    assert!(words.contains("nearly stops on its way"), "{words}");
}
