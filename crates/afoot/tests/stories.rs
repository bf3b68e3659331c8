//! Stories as programs ask for them: the reference's examples, the thesis's sample, kept work.
#![allow(clippy::unwrap_used)] // a test fails by panicking

use std::path::Path;

use afoot::{
    AnyFile, BuildGraph, CheckStory, FormatStory, Import, PlayStory, Run, StoryPlayed, Workspace,
    WriteSamples,
};
use afoot_core::{FrameRate, resample_clip};
use afoot_fixtures::{Folder, captured_folder};
use afoot_formats::{WriteOptions, write_motion};
use afoot_sample::{SampleOptions, sample_library};

const REFERENCE: &str = include_str!("../../../docs/stories.md");
const THESIS: &str = include_str!("../../afoot-script/tests/scripts/thesis_7_4.play");

/// A folder with motion files and a library of them with its graph.
fn studio(name: &str) -> Folder {
    let only = [
        "walk",
        "walk_turn_left",
        "wave_walking",
        "wave_standing",
        "stand",
        "start",
        "stop",
    ];
    studio_of(name, &only)
}

/// The same of these sample clips, of all of them if none are named.
fn studio_of(name: &str, only: &[&str]) -> Folder {
    let folder = Folder::new(name);
    let only = only.iter().map(|name| name.to_string()).collect();
    let samples = WriteSamples { only };
    samples.run(folder.path(), &Run::quiet()).unwrap();
    let import = Import {
        paths: vec![folder.path().into()],
        mirror: true,
        ..Import::default()
    };
    let library = folder.file("sample.afoot");
    let (library, _) = import.run_into(library, &Run::quiet()).unwrap();
    BuildGraph::default().run(&library, &Run::quiet()).unwrap();
    folder
}

fn play(folder: &Folder, script: &str) -> StoryPlayed {
    let story = PlayStory {
        story: folder.file(script).into(),
        ..PlayStory::default()
    };
    let to = folder.file(&format!("{script}.out"));
    let files = AnyFile;
    let played = story.run(Workspace::from(&files), to, &Run::quiet());
    played.unwrap_or_else(|failure| panic!("{script}: {failure}"))
}

fn errors(folder: &Folder, script: &str) -> Vec<String> {
    let story = CheckStory {
        story: folder.file(script).into(),
        ..CheckStory::default()
    };
    let files = AnyFile;
    let checked = story.run(Workspace::from(&files), &Run::quiet()).unwrap();
    checked
        .errors
        .into_iter()
        .map(|error| error.message)
        .collect()
}

/// Fenced blocks of a document: what stands behind the fence, and the text.
fn fenced(document: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut lines = document.lines();
    while let Some(line) = lines.next() {
        if let Some(title) = line.strip_prefix("```") {
            let block: Vec<&str> = lines
                .by_ref()
                .take_while(|line| !line.starts_with("```"))
                .collect();
            found.push((title.trim().to_owned(), block.join("\n") + "\n"));
        }
    }
    found
}

#[test]
fn every_example_of_the_reference_is_played() {
    let folder = studio("story-reference");
    let blocks = fenced(REFERENCE);
    for (title, text) in &blocks {
        if let Some((_, file)) = title.split_once(' ').filter(|(_, file)| *file != "check") {
            std::fs::write(folder.file(file), text).unwrap();
        }
    }
    let mut examples = 0;
    for (number, (title, text)) in blocks.iter().enumerate() {
        let script = format!("example_{number}.play");
        std::fs::write(folder.file(&script), text).unwrap();
        match title.as_str() {
            "play check" => assert_eq!(errors(&folder, &script), [""; 0], "{text}"),
            "play" => {
                let played = play(&folder, &script);
                for scene in &played.scenes {
                    assert!(scene.seconds > 1.0);
                    let all = folder.file(&format!("{script}.out"));
                    assert!(all.join(&scene.scene_file).exists());
                    for actor in &scene.actors {
                        let frames = (scene.seconds * 30.0).round() as usize;
                        assert_eq!(actor.quality.frames, frames, "{}", actor.name);
                    }
                }
                examples += 1;
            }
            _ => {}
        }
        if title.starts_with("play") {
            let format = FormatStory {
                story: folder.file(&script).into(),
                ..FormatStory::default()
            };
            let files = AnyFile;
            let formatted = format.run(Workspace::from(&files), &Run::quiet()).unwrap();
            assert!(!formatted.text.is_empty());
        }
    }
    assert!(examples >= 5, "{examples}");
    // What was saved and displayed on the way lies beside the scenes.
    let saved = std::fs::read_dir(folder.path()).unwrap();
    let saved = saved.filter_map(|entry| Some(entry.ok()?.path().join("greet.bvh")));
    assert!(saved.into_iter().any(|file| file.exists()));
}

const KEPT: &str = r#"actor Ann { library "sample.afoot" actions [
    action stand { clipref stand }
    action go { loop { clipref walk seconds 3 } }
    action slow { resample { clipref go framecount 100 } }
    action part { subclip { clipref slow startframe 1 endframe 60 } }
    action other { subclip { clipref walk startframe 5 endframe 70 } }
    ] idle stand }
    story { cast [ Ann ann ] scenes [ scene s { initialize { ann { position 0 0 0 } }
    screenplay { ann.part ann.other } } ] screenplay [ s ] }"#;

#[test]
fn a_changed_action_makes_only_what_depends_on_it() {
    let folder = studio("story-kept");
    let write = |text: &str| std::fs::write(folder.file("kept.play"), text).unwrap();
    let names = |filters: &[afoot::FilterDone]| -> Vec<String> {
        let names = filters.iter().map(|filter| filter.action.clone().unwrap());
        names.collect()
    };
    write(KEPT);
    let first = play(&folder, "kept.play");
    assert_eq!(names(&first.computed), ["go", "slow", "part", "other"]);
    let again = play(&folder, "kept.play");
    assert_eq!(names(&again.computed), [""; 0]);
    assert_eq!(names(&again.cached), ["go", "slow", "part", "other"]);
    let ways = |played: &StoryPlayed| played.scenes[0].actors[0].sources.clone();
    assert_eq!(ways(&first), ways(&again));
    write(&KEPT.replace("framecount 100", "framecount 110"));
    let changed = play(&folder, "kept.play");
    assert_eq!(names(&changed.computed), ["slow", "part"]);
    assert_eq!(names(&changed.cached), ["go", "other"]);
}

#[test]
fn a_loop_of_days_is_refused() {
    let text = KEPT
        .replace(
            "loop { clipref walk seconds 3 }",
            "loop { clipref stand seconds 1000 }",
        )
        .replace("ann.part ann.other", "ann.go");
    check_days(&text);
}

#[test]
fn a_clip_drawn_out_over_days_is_refused() {
    check_days(&KEPT.replace("framecount 100", "framecount 1000000"));
}

fn check_days(text: &str) {
    let folder = studio("story-days");
    std::fs::write(folder.file("days.play"), text).unwrap();
    let story = PlayStory {
        story: folder.file("days.play").into(),
        ..PlayStory::default()
    };
    let files = AnyFile;
    let played = story.run(Workspace::from(&files), folder.file("out"), &Run::quiet());
    let failure = played.unwrap_err().to_string();
    assert!(failure.contains("at most 600 s"), "{failure}");
}

#[test]
fn who_waits_does_something_and_who_meets_is_there_together() {
    let folder = studio("story-waits");
    let text = r#"actor Ann { library "sample.afoot" actions [
        action stand { clipref stand }
        action wave { clipref wave_standing moment up 60 }
        action long { loop { clipref walk seconds 9 } } ] idle stand }
        story { cast [ Ann a Ann b ] scenes [ scene s {
        initialize { a { position 0 0 0 lookat 1 0 0 } b { position 3 0 1 lookat 3 0 2 } }
        screenplay { par { seq { a.long a.wave as late } b.wave up at late.up-0.5 } } } ] screenplay [ s ] }"#;
    std::fs::write(folder.file("waits.play"), text).unwrap();
    let played = play(&folder, "waits.play");
    let scene = &played.scenes[0];
    let start = |actor: &str, action: &str| {
        let mut own = scene.actions.iter();
        own.find(|one| one.actor == actor && one.action == action)
            .unwrap()
            .start
    };
    assert!((start("a", "wave") - start("b", "wave") - 0.5).abs() < 1e-6);
    let b = &scene.actors[1];
    assert!(
        (b.idle_seconds + 4.2 - scene.seconds).abs() < 0.05,
        "{}",
        b.idle_seconds
    );
    assert_eq!(b.still_seconds, 0.0);
    assert!(b.quality.skate_cm_s.unwrap() < 5.0);
}

/// The sample story as the demo plays it: a good minute of three people who walk, stop, wait and wave.
#[test]
fn everybody_in_the_sample_story_keeps_the_bars() {
    let folder = studio_of("story-meeting", &[]);
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/stories");
    for file in std::fs::read_dir(examples).unwrap() {
        let file = file.unwrap();
        let text = std::fs::read_to_string(file.path()).unwrap();
        let text = text.replace("../../demo/sample.afoot", "sample.afoot");
        std::fs::write(folder.path().join(file.file_name()), text).unwrap();
    }
    let played = play(&folder, "meeting.play");
    let scene = &played.scenes[0];
    assert!(scene.seconds > 60.0 && scene.actors.len() == 3);
    for actor in &scene.actors {
        let told = &actor.quality;
        let bars = [
            ("skate_cm_s", told.skate_cm_s, 5.0),
            ("skate_share", told.skate_share, 0.01),
            ("slide_mm", told.slide_mm, 10.0),
            ("sink_cm", told.sink_cm, 1.0),
            ("jump_ratio", told.jump_ratio, 1.5),
            ("acceleration_ratio", told.acceleration_ratio, 1.5),
            ("root_acceleration_ratio", told.root_acceleration_ratio, 1.5),
            ("knee_acceleration_ratio", told.knee_acceleration_ratio, 1.5),
            ("unsupported_share", told.unsupported_share, 0.01),
        ];
        for (measure, value, bar) in bars {
            let value = value.unwrap_or_else(|| panic!("{}: no {measure}", actor.name));
            assert!(value <= bar, "{}: {measure} {value}, bar {bar}", actor.name);
        }
    }
}

/// The sample with its misprints set right.
fn corrected() -> String {
    THESIS
        .replace("\"walkTurningRight\n", "\"walkTurningRight\"\n")
        .replace("walkTurningLeft", "walk")
        .replace("walkTurningRight", "extendedStrideWalk")
        .replace("transtition", "transition")
}

/// Plays the sample on the files of a folder, and holds it against the rules of figure 7.10.
fn check_thesis(folder: &Folder) {
    std::fs::write(folder.file("printed.play"), THESIS).unwrap();
    assert_eq!(
        errors(folder, "printed.play"),
        [
            "there is no clip `walkTurningLeft`",
            "this quote is never closed",
            "there is no clip `walkTurningRight`",
            "`Footballer` has no action `transitionFromWalkToRun`",
        ]
    );
    std::fs::write(folder.file("kick.play"), corrected()).unwrap();
    let played = play(folder, "kick.play");
    let scene = &played.scenes[0];
    assert_eq!(scene.actors.len(), 4);
    // Three blocks, each of which starts when all of the one before is over.
    let mut start = 0.0;
    for block in [0..2, 2..6, 6..10] {
        let actions = &scene.actions[block];
        for action in actions {
            assert!((action.start - start).abs() < 1e-3, "{action:?} at {start}");
        }
        start = actions.iter().map(|action| action.end).fold(0.0, f64::max);
    }
    assert!((scene.seconds - start).abs() < 0.02);
    let march = |number: usize| scene.actions[number].end - scene.actions[number].start;
    assert!(
        (march(1) - march(5)).abs() < 1e-3,
        "one action has one length"
    );
    // Nobody has an idle action: who is done first holds still.
    assert!(scene.actors.iter().any(|actor| actor.still_seconds > 0.0));
}

#[test]
fn the_sample_of_the_thesis_runs_on_sample_motion_by_the_rules_of_its_figure() {
    let folder = Folder::new("story-thesis");
    let samples = sample_library(&SampleOptions::default());
    let rate = FrameRate::from_fps(120.0).unwrap();
    let write = |name: &str, file: &str| {
        let clip = samples.iter().find(|clip| clip.name == name).unwrap();
        let clip = resample_clip(clip, rate);
        write_motion(&folder.file(file), &clip, &WriteOptions::default()).unwrap();
    };
    write("walk", "16.amc"); // with 16.asf beside it
    write("walk", "08_02.bvh");
    write("walk_fast", "08_07.bvh");
    write("kick", "11_01.bvh");
    write("run", "16_36.bvh");
    check_thesis(&folder);
}

#[test]
fn the_sample_of_the_thesis_runs_on_the_clips_that_it_names() {
    let Some(captured) = captured_folder() else {
        return;
    };
    let folder = Folder::new("story-captured");
    let copy = |from: &Path, name: &str| std::fs::copy(from.join(name), folder.file(name)).unwrap();
    for clip in ["08_02.bvh", "08_07.bvh", "11_01.bvh", "16_36.bvh"] {
        copy(&captured.join("bvh"), clip);
    }
    copy(&captured.join("asf"), "16.asf");
    check_thesis(&folder);
}
