//! Graphs and motion on request, as a user asks for them.

#![allow(clippy::unwrap_used)] // a test fails by panicking

mod support;

use serde_json::Value;
use support::{Bench, cmu};

/// Walks that connect well, with their mirror images.
const WALKS: [&str; 6] = [
    "walk",
    "walk_turn_left",
    "walk_arc_left",
    "walk_circle_left",
    "walk_circle_right",
    "walk_slalom",
];

fn with_graph(name: &str) -> Bench {
    let bench = Bench::with_samples(name, &WALKS);
    bench.json(&["import", "lib.afoot", "bvh", "--mirror"]);
    let graph = bench.json(&[
        "graph",
        "lib.afoot",
        "--threshold",
        "4",
        "--plot",
        "plot.png",
    ]);
    assert!(graph["component_share"].as_f64().unwrap() > 0.5, "{graph}");
    assert!(bench.path("plot.png").exists());
    write_circle(&bench, "circle.json", 2.0);
    bench
}

fn write_circle(bench: &Bench, name: &str, radius: f64) {
    let point = |step: i32| {
        let angle = f64::from(step) * 0.05;
        [radius * angle.cos(), radius * angle.sin()]
    };
    let points: Vec<[f64; 2]> = (0..=126).map(point).collect();
    std::fs::write(
        bench.path(name),
        serde_json::json!({"points": points}).to_string(),
    )
    .unwrap();
}

/// The contract's bars.
fn check_quality(quality: &Value) {
    check_feet(quality);
    check_bars(quality, &[("jump_ratio", 1.5), ("acceleration_ratio", 1.5)]);
}

/// Those for feet. The others are for captured motion: sample motion has hardly an acceleration to
/// measure by.
fn check_feet(quality: &Value) {
    let bars = [
        ("skate_cm_s", 5.0),
        ("skate_share", 0.01),
        ("slide_mm", 10.0),
        ("sink_cm", 1.0),
    ];
    check_bars(quality, &bars);
}

fn check_bars(quality: &Value, bars: &[(&str, f64)]) {
    for &(field, bar) in bars {
        let value = quality[field]
            .as_f64()
            .unwrap_or_else(|| panic!("no {field} in {quality}"));
        assert!(value <= bar, "{field} is {value}, the bar {bar}");
    }
}

#[test]
fn a_circle_is_walked_within_the_bars_and_the_same_on_any_number_of_threads() {
    let bench = with_graph("circle");
    let follow = |file: &str, threads: &str| {
        let arguments = [
            "follow",
            "lib.afoot",
            "--path",
            "circle.json",
            "-o",
            file,
            "--threads",
            threads,
        ];
        bench.json(&arguments)
    };
    let told = follow("one.bvh", "1");
    check_quality(&told["quality"]);
    assert!(
        told["quality"]["path_mean_m"].as_f64().unwrap() < 0.06,
        "{}",
        told["quality"]
    );
    assert!(!told["sources"].as_array().unwrap().is_empty());
    follow("two.bvh", "2");
    let read = |name: &str| std::fs::read(bench.path(name)).unwrap();
    assert!(
        read("one.bvh") == read("two.bvh"),
        "one thread and two give the same bytes"
    );

    let arguments = [
        "judge",
        "one.bvh",
        "--library",
        "lib.afoot",
        "--path",
        "circle.json",
    ];
    let judged = bench.json(&arguments);
    for field in ["skate_cm_s", "path_mean_m", "jump_ratio"] {
        let (a, b) = (
            judged[field].as_f64().unwrap(),
            told["quality"][field].as_f64().unwrap(),
        );
        assert!(
            (a - b).abs() < 1e-3 + 0.02 * b.abs(),
            "{field}: judged {a}, told {b}"
        );
    }
}

#[test]
fn a_build_in_pieces_gives_the_same_motion() {
    let bench = with_graph("tiles");
    let follow = ["follow", "lib.afoot", "--path", "circle.json", "-o"];
    bench.json(&[&follow[..], &["whole.bvh"]].concat());
    let plan = bench.json(&[
        "tiles",
        "plan",
        "lib.afoot",
        "-o",
        "plan.json",
        "--size",
        "300",
    ]);
    let pieces = plan["pieces"].as_u64().unwrap();
    assert!(pieces > 3, "{plan}");
    let last = (pieces - 1).to_string();
    let run = [
        "tiles",
        "run",
        "lib.afoot",
        "--plan",
        "plan.json",
        "-o",
        "pieces",
    ];
    let message = bench.fails(
        1,
        &[
            "tiles",
            "merge",
            "lib.afoot",
            "--plan",
            "plan.json",
            "--results",
            "pieces",
        ],
    );
    assert!(message.contains("piece 0"), "{message}");
    bench.json(&[&run[..], &["--pieces", &last]].concat());
    assert_eq!(bench.json(&run)["already_there"], 1);
    bench.json(&[
        "tiles",
        "merge",
        "lib.afoot",
        "--plan",
        "plan.json",
        "--results",
        "pieces",
    ]);
    bench.json(&[&follow[..], &["pieces.bvh"]].concat());
    let read = |name: &str| std::fs::read(bench.path(name)).unwrap();
    assert!(read("whole.bvh") == read("pieces.bvh"));
}

#[test]
fn what_cannot_be_done_says_why_with_its_status() {
    let bench = with_graph("refusals");
    let write = |name: &str, text: &str| std::fs::write(bench.path(name), text).unwrap();
    write("empty.json", "{\"points\": []}");
    write("one.json", "{\"points\": [[1, 2]]}");
    write("nan.json", "{\"points\": [[1, 2], [NaN, 3]]}");
    write("far.json", "{\"points\": [[0, 0], [1e300, 0]]}");
    write("text.json", "hello");
    std::fs::write(bench.path("bytes.json"), b"\xff\xfe\x00").unwrap();
    let cases: [(i32, &str, &[&str], &str); 9] = [
        (1, "empty.json", &[], "empty.json"),
        (1, "one.json", &[], "one point"),
        (1, "nan.json", &[], "nan.json"),
        (1, "far.json", &[], "finite"),
        (1, "text.json", &[], "text.json"),
        (1, "circle.json", &["--as", "flying"], "flying"),
        (1, "missing.json", &[], "missing.json"),
        (1, "bytes.json", &[], "bytes.json: expected text"),
        (1, "circle.json", &["--start", "walk@-1"], "walk@-1"),
    ];
    for (status, path, more, named) in cases {
        let arguments = [
            &["follow", "lib.afoot", "--path", path, "-o", "x.bvh"],
            more,
        ]
        .concat();
        let message = bench.fails(status, &arguments);
        assert!(
            message.contains(named),
            "{path}: {message:?} does not name {named:?}"
        );
    }
    assert!(!bench.path("x.bvh").exists());

    bench.json(&["new", "empty.afoot"]);
    let message = bench.fails(3, &["graph", "empty.afoot"]);
    assert!(message.contains("import"), "{message}");
    let message = bench.fails(1, &["graph", "lib.afoot", "--pair", "walk=3"]);
    assert!(message.contains("walk=3"), "{message}");
}

#[test]
fn the_matrix_of_two_clips_is_drawn() {
    let bench = with_graph("matrix");
    let told = bench.json(&[
        "matrix",
        "lib.afoot",
        "walk",
        "walk_turn_left",
        "-o",
        "m.png",
    ]);
    assert!(told["minima"].as_u64().unwrap() > 0, "{told}");
    assert!(
        std::fs::read(bench.path("m.png"))
            .unwrap()
            .starts_with(b"\x89PNG")
    );
}

#[test]
fn cleaning_a_captured_walk_keeps_the_bars() {
    let Some(cmu) = cmu() else { return };
    let bench = Bench::new("clean");
    let input = cmu.join("bvh/16_15.bvh");
    let input = input.to_str().unwrap();
    bench.json(&["import", "lib.afoot", input, "--fps", "30"]);
    bench.json(&["export", "lib.afoot", "16_15", "-o", "walk.bvh"]);
    let told = bench.json(&["clean", "walk.bvh", "-o", "clean.bvh"]);
    let (before, after) = (&told["before"], &told["quality"]);
    assert!(
        after["skate_cm_s"].as_f64().unwrap() < 0.2 * before["skate_cm_s"].as_f64().unwrap(),
        "{told}"
    );
    assert!(after["slide_mm"].as_f64().unwrap() <= 10.0);
    assert!(after["sink_cm"].as_f64().unwrap() <= 1.0);
}

#[test]
fn a_figure_goes_where_it_is_steered() {
    let bench = with_graph("drive");
    let drive = |file: &str| {
        let steer = ["--steer", "0:0", "--steer", "6:180"];
        let rest = ["drive", "lib.afoot", "--seconds", "12", "-o", file];
        bench.json(&[&rest[..], &steer].concat())
    };
    let told = drive("one.bvh");
    check_quality(&told["quality"]);
    assert!(told["reaction_s"]["wishes"].as_u64().unwrap() > 5, "{told}");
    drive("two.bvh");
    let read = |name: &str| std::fs::read_to_string(bench.path(name)).unwrap();
    assert!(
        read("one.bvh") == read("two.bvh"),
        "the same wishes give the same motion"
    );

    // Root z is the third number of a row: towards +z for six seconds, then back.
    let motion = read("one.bvh");
    let rows: Vec<&str> = motion
        .lines()
        .skip_while(|line| !line.starts_with("Frame Time"))
        .collect();
    let z = |frame: usize| -> f64 {
        rows[1 + frame]
            .split_whitespace()
            .nth(2)
            .unwrap()
            .parse()
            .unwrap()
    };
    assert!(z(179) - z(0) > 300.0, "from {} to {} cm", z(0), z(179));
    assert!(z(359) - z(230) < -200.0, "from {} to {} cm", z(230), z(359));

    let message = bench.fails(
        1,
        &[
            "drive",
            "lib.afoot",
            "--seconds",
            "2",
            "--steer",
            "0:0:fly",
            "-o",
            "x.bvh",
        ],
    );
    assert!(message.contains("fly"), "{message}");
    let message = bench.fails(
        1,
        &[
            "drive",
            "lib.afoot",
            "--seconds",
            "2",
            "--steer",
            "north",
            "-o",
            "x.bvh",
        ],
    );
    assert!(message.contains("north"), "{message}");
}

#[test]
fn wandering_goes_on_and_on() {
    let bench = with_graph("wander");
    let told = bench.json(&["wander", "lib.afoot", "--seconds", "30", "-o", "one.bvh"]);
    check_quality(&told["quality"]);
    assert_eq!(told["quality"]["frames"], 900);
    let clips: std::collections::BTreeSet<&str> = told["sources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["clip"].as_str().unwrap())
        .collect();
    assert!(clips.len() >= 6, "few clips are used: {clips:?}");
    bench.json(&[
        "wander",
        "lib.afoot",
        "--seconds",
        "30",
        "-o",
        "two.bvh",
        "--seed",
        "7",
    ]);
    let read = |name: &str| std::fs::read(bench.path(name)).unwrap();
    assert!(
        read("one.bvh") != read("two.bvh"),
        "another seed, another walk"
    );
    let message = bench.fails(1, &["wander", "lib.afoot", "--seconds", "0", "-o", "x.bvh"]);
    assert!(message.contains("0 seconds"), "{message}");
}

#[test]
fn a_small_crowd_keeps_its_distance() {
    let bench = with_graph("crowd");
    let world =
        r#"{"bounds": [[0,0],[12,12]], "obstacles": [{"circle": [6,6,1]}], "radius": 0.25}"#;
    std::fs::write(bench.path("world.json"), world).unwrap();
    let arguments = [
        "crowd",
        "lib.afoot",
        "--world",
        "world.json",
        "--count",
        "6",
        "--seconds",
        "8",
        "-o",
        "crowd",
    ];
    let told = bench.json(&arguments);
    assert!(told["least_distance_m"].as_f64().unwrap() >= 0.45, "{told}");
    assert!(
        told["least_clearance_m"].as_f64().unwrap() >= 0.25,
        "{told}"
    );
    for character in told["characters"].as_array().unwrap() {
        check_feet(&character["quality"]);
        assert!(
            bench
                .path("crowd")
                .join(character["file"].as_str().unwrap())
                .exists()
        );
    }
    std::fs::write(bench.path("bad.json"), r#"{"bounds": [[0,0]]}"#).unwrap();
    let message = bench.fails(
        1,
        &[
            "crowd",
            "lib.afoot",
            "--world",
            "bad.json",
            "--count",
            "2",
            "--seconds",
            "8",
            "-o",
            "x",
        ],
    );
    assert!(message.contains("bad.json"), "{message}");
}

/// More frames than a piece: written, read back and judged in several.
#[test]
fn a_long_path_is_walked_in_pieces() {
    let bench = with_graph("long");
    let point = |step: i32| {
        let angle = f64::from(step) * 0.05;
        [5.0 * angle.cos(), 5.0 * angle.sin()]
    };
    let points: Vec<[f64; 2]> = (0..=1200).map(point).collect();
    let text = serde_json::json!({"points": points}).to_string();
    std::fs::write(bench.path("laps.json"), text).unwrap();
    let told = bench.json(&[
        "follow",
        "lib.afoot",
        "--path",
        "laps.json",
        "-o",
        "laps.bvh",
    ]);
    let frames = told["quality"]["frames"].as_u64().unwrap();
    assert!(frames > 5400, "{frames} frames are one piece");
    check_feet(&told["quality"]);
    assert!(
        told["quality"]["path_max_m"].as_f64().unwrap() < 0.3,
        "{told}"
    );
    let judged = bench.json(&[
        "judge",
        "laps.bvh",
        "--library",
        "lib.afoot",
        "--path",
        "laps.json",
    ]);
    assert_eq!(judged["frames"], told["quality"]["frames"]);
    for field in [
        "path_mean_m",
        "path_max_m",
        "jump_ratio",
        "acceleration_ratio",
    ] {
        let (a, b) = (
            judged[field].as_f64().unwrap(),
            told["quality"][field].as_f64().unwrap(),
        );
        assert!((a - b).abs() < 1e-5, "{field}: judged {a}, told {b}");
    }
    let left = std::fs::read_dir(bench.path("")).unwrap();
    let temporary = |name: &std::ffi::OsString| name.to_string_lossy().ends_with(".tmp");
    assert!(
        !left
            .map(|entry| entry.unwrap().file_name())
            .any(|name| temporary(&name))
    );
}

#[test]
fn a_clip_is_reached_at_its_place() {
    let bench = with_graph("reach");
    let told = bench.json(&[
        "reach",
        "lib.afoot",
        "walk_slalom",
        "--at",
        "-2,5",
        "--heading",
        "-30",
        "--from",
        "1,0,45",
        "-o",
        "there.bvh",
        "--plan-picture",
        "plan.png",
    ]);
    check_feet(&told["quality"]);
    assert!(told["place_error_m"].as_f64().unwrap() < 0.05, "{told}");
    assert!(told["place_error_deg"].as_f64().unwrap() < 3.0, "{told}");
    assert_eq!(
        told["quality"]["place_error_m"].as_f64().map(|e| e < 0.05),
        Some(true)
    );
    let last = told["sources"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(last["clip"], "walk_slalom", "{told}");
    assert!(bench.path("plan.png").exists());

    let reach = |rest: &[&'static str]| [&["reach", "lib.afoot"], rest, &["-o", "no.bvh"]].concat();
    let message = bench.fails(1, &reach(&["nobody", "--at", "1,1"]));
    assert!(message.contains("nobody"), "{message}");
    let message = bench.fails(1, &reach(&["walk", "--at", "1"]));
    assert!(message.contains("--at 1: expected X,Z"), "{message}");
    let message = bench.fails(1, &reach(&["walk", "--at", "1,NaN"]));
    assert!(message.contains("1,NaN"), "{message}");
    let message = bench.fails(1, &reach(&["walk", "--at", "1,1", "--as", "swim"]));
    assert!(message.contains("swim"), "{message}");
    let message = bench.fails(3, &reach(&["walk[0..20]", "--at", "1,1"]));
    assert!(message.contains("can't be entered"), "{message}");
    assert!(!bench.path("no.bvh").exists());
}
