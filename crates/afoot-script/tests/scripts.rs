//! Scripts that are right, or nearly; and what must hold for any text at all.

#![allow(clippy::unwrap_used)] // a test fails by panicking

mod support;

use afoot_script::check::{Checked, check};
use afoot_script::diagnostic::Severity;
use afoot_script::format::format;
use afoot_script::lexer::tokenize;
use afoot_script::program::{FilterKind, Flow};
use afoot_script::schedule::{Duration, schedule};
use afoot_script::source::{FileId, Source};
use proptest::prelude::*;
use support::Props;

const THESIS: &str = include_str!("scripts/thesis_7_4.play");

fn checked(text: &str) -> Checked {
    check(Source::new("story.play", text), &Props)
}

/// The sample of the thesis with its four slips set right.
fn corrected() -> String {
    THESIS
        .replace("\"walkTurningRight\n", "\"walkTurningRight\"\n")
        .replace("walkTurningLeft", "walk")
        .replace("walkTurningRight", "extendedStrideWalk")
        .replace("transtition", "transition")
}

/// Each line uses the one before several times: some thirty lines that would be written out for years.
#[test]
fn definitions_that_grow_with_every_line_are_told_and_not_written_out() {
    for uses in [2, 4] {
        let mut text = String::from("define d0(x) { subclip { x startframe 1 endframe 3 } }\n");
        for n in 1..28 {
            let inner = format!("d{}(x) ", n - 1).repeat(uses);
            text += &format!("define d{n}(x) {{ concatenate {{ {inner} }} }}\n");
        }
        text += "actor \"A\" { library \"lib.afoot\" actions [ action \"all\" { d27(walk) } ] }\n";
        let checked = checked(&text);
        let told = |found: &&afoot_script::diagnostic::Diagnostic| {
            found.message.contains("come to more than 200000 motions")
        };
        assert_eq!(
            checked.found.iter().filter(told).count(),
            1,
            "{uses}: {:?}",
            checked.found
        );
        assert!(!checked.is_right());
    }
}

#[test]
fn the_sample_of_the_thesis_has_the_slips_that_it_was_printed_with() {
    let checked = checked(THESIS);
    let errors = checked
        .found
        .iter()
        .filter(|found| found.severity == Severity::Error);
    let told: Vec<(&str, &str)> = errors
        .map(|error| (error.message.as_str(), error.hint.as_deref().unwrap_or("")))
        .collect();
    let known = "known are: extendedStrideWalk, footballkick, jump, kickFootball, march, run";
    assert_eq!(told.len(), 4, "{told:?}");
    assert_eq!(told[0].0, "there is no clip `walkTurningLeft`");
    assert_eq!(told[1].0, "this quote is never closed");
    assert_eq!(told[2].0, "there is no clip `walkTurningRight`");
    assert_eq!(
        told[3].0,
        "`Footballer` has no action `transitionFromWalkToRun`"
    );
    assert_eq!(told[3].1, "did you mean `transtitionFromWalkToRun`?");
    assert!(
        told[0].1.is_empty() || told[0].1.starts_with(known),
        "{}",
        told[0].1
    );
    let warnings = checked.found.len() - 4;
    assert_eq!(warnings, 1, "a body that is no .glb file");
}

#[test]
fn the_corrected_sample_is_a_program_whose_blocks_wait_for_their_longest() {
    let checked = checked(&corrected());
    assert!(checked.is_right(), "{:?}", checked.found);
    let scene = &checked.program.scenes[0];
    assert_eq!(scene.placed.len(), 4);
    assert_eq!(scene.placed[0].1.lookat, [1.0, 0.0, 0.0]);
    // `run` and `jump` are one file: one filter makes both.
    let files = checked.program.filters.iter();
    let runs = files.filter(
        |filter| matches!(&filter.what, FilterKind::Clip(file) if file.ends_with("16_36.amc")),
    );
    assert_eq!(runs.count(), 1);
    let seconds = |call: usize| {
        let call = &scene.calls[call];
        let action = &checked.program.actors[0].actions[call.action];
        match action.name.as_str() {
            "kickFootball" => 4.0,
            "march" => 3.0,
            "run" | "jump" => 1.0,
            _ => 2.0,
        }
    };
    let durations: Vec<Duration> = (0..scene.calls.len())
        .map(|call| Duration {
            seconds: seconds(call),
            frame: 1.0 / 120.0,
        })
        .collect();
    let found = schedule(scene, &durations).unwrap();
    let starts: Vec<f64> = found.spans.iter().map(|span| span[0]).collect();
    assert_eq!(starts, [0.0, 0.0, 4.0, 4.0, 4.0, 4.0, 7.0, 7.0, 7.0, 7.0]);
    assert_eq!(found.end, 10.0);
}

#[test]
fn both_spellings_mean_the_same() {
    let one = r#"actors [ actor "Phil" { hierarchy "phil.asf"
        mocapdb [ clip "walk" "walk.bvh" ]
        actions [ action "walk" { clipref "walk" } ] } ]
        story { cast [ Phil p ]
        scenes [ scene "S" { initialize { p { position 0 0 0 lookat 1 0 0 } } screenplay { p.walk } } ]
        screenplay [ S ] }"#;
    let other = r#"ACTORS { actor Phil [ hierarchy "phil.asf"
        mocapdb { clip walk { filename "walk.bvh" } }
        actions { action Walk { CLIPREF WALK } } ] }
        story [ cast { phil, p }
        scenes { scene s { initialize { P { pos 0, 0, 0 lookat 1.0, 0, 0 } } screenplay { P.Walk } } }
        screenplay { scene "s" } ]"#;
    let (one, other) = (checked(one), checked(other));
    assert!(
        one.is_right() && other.is_right(),
        "{:?}{:?}",
        one.found,
        other.found
    );
    let [one, other] = [one, other].map(|checked| checked.program);
    assert_eq!(one.scenes[0].placed, other.scenes[0].placed);
    assert_eq!(one.scenes[0].flow, other.scenes[0].flow);
    assert_eq!(one.filters[0].what, other.filters[0].what);
    assert_eq!(
        one.scenes[0].flow,
        Flow::Seq(vec![Flow::Do(afoot_script::program::CallId(0))])
    );
}

#[test]
fn definitions_and_numbers_are_filled_in_and_made_once() {
    let text = r#"import "gaits.play"
        let times 3
        actor a { library "lib.afoot" mocapdb [ clip walk "walk.bvh" ]
        actions [
            action slow1 { slow(walk, pace) }
            action slow2 { slow(clipref walk, 0.8) }
            action home { slow(stroll, pace) }
            action round { loop { clipref slow1 loopcount times } }
            action cut { subclip { clipref walk startframe 11 endframe 20 } }
            action cuts { concatenate { clipref cut clipref cut } }
        ] }"#;
    let checked = checked(text);
    assert!(checked.is_right(), "{:?}", checked.found);
    let actions = &checked.program.actors[0].actions;
    assert_eq!(actions[0].filter, actions[1].filter, "the same, said twice");
    assert_ne!(actions[0].filter, actions[2].filter);
    let frames = |action: usize| checked.program.filters[actions[action].filter.0 as usize].frames;
    assert_eq!(frames(4), Some(10), "both ends are included");
    assert_eq!(frames(5), Some(20));
    for (at, filter) in checked.program.filters.iter().enumerate() {
        assert!(filter.inputs.iter().all(|input| (input.0 as usize) < at));
    }
}

#[test]
fn ten_thousand_nested_blocks_are_refused_and_nothing_breaks() {
    let deep = format!(
        "actors [ {}",
        "actor a { actions [ action b { concatenate { ".repeat(10_000)
    );
    assert!(!checked(&deep).is_right());
    let deep = format!(
        "story {{ scenes [ scene s {{ screenplay {{ {}",
        "par { seq [ ".repeat(10_000)
    );
    assert!(!checked(&deep).is_right());
    assert!(!checked(&"(".repeat(100_000)).is_right());
}

/// Text made of what scripts are made of, in any order.
fn shuffled() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "actors",
        "actor",
        "story",
        "cast",
        "scenes",
        "scene",
        "screenplay",
        "initialize",
        "par",
        "seq",
        "as",
        "at",
        "clipref",
        "walk",
        "a",
        "b",
        "subclip",
        "loop",
        "graft",
        "startframe",
        "endframe",
        "graftchains",
        "let",
        "define",
        "import",
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        ",",
        ".",
        "+",
        "-",
        "1",
        "2.5",
        "-3m",
        "\"x\"",
        "\"",
        "// c\n",
        "/*",
        "*/",
        "\n",
        "é",
        "moment",
        "idle",
        "mocapdb",
        "clip",
        "filename",
        "actions",
        "action",
        "position",
        "lookat",
        "camera",
        "\\",
    ]);
    prop::collection::vec(word, 0..120).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text_is_checked_and_shown_without_a_panic(text in shuffled()) {
        let checked = checked(&text);
        for found in &checked.found {
            found.render(&checked.sources);
        }
    }

    #[test]
    fn any_characters_are(text in "\\PC{0,200}") {
        let checked = checked(&text);
        for found in &checked.found {
            found.render(&checked.sources);
        }
    }

    #[test]
    fn formatting_twice_is_formatting_once_and_says_the_same(text in shuffled()) {
        let once = format(&text);
        prop_assert_eq!(format(&once), once.clone());
        let kinds = |text: &str| -> Vec<_> {
            tokenize(FileId(0), text).tokens.iter().map(|token| token.kind).collect()
        };
        prop_assert_eq!(kinds(&text), kinds(&once));
    }
}
