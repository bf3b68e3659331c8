//! `follow`, and `judge` on what it made.

use crate::quality::{check_feet, check_quality};
use crate::support::with_graph;

#[test]
fn a_circle_is_walked_within_the_bars_and_the_same_on_any_number_of_threads() {
    let bench = with_graph("circle");
    let follow = |file: &str, threads: &str| {
        bench.json(&format!(
            "follow lib.afoot --path circle.json -o {file} --threads {threads}"
        ))
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

    let judged = bench.json("judge one.bvh --library lib.afoot --path circle.json");
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
    let told = bench.json("follow lib.afoot --path laps.json -o laps.bvh");
    let frames = told["quality"]["frames"].as_u64().unwrap();
    assert!(frames > 5400, "{frames} frames are one piece");
    check_feet(&told["quality"]);
    assert!(
        told["quality"]["path_max_m"].as_f64().unwrap() < 0.3,
        "{told}"
    );
    let judged = bench.json("judge laps.bvh --library lib.afoot --path laps.json");
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
fn what_cannot_be_done_says_why_with_its_status() {
    let bench = with_graph("refusals");
    let write = |name: &str, text: &str| std::fs::write(bench.path(name), text).unwrap();
    write("empty.json", "{\"points\": []}");
    write("one.json", "{\"points\": [[1, 2]]}");
    write("nan.json", "{\"points\": [[1, 2], [NaN, 3]]}");
    write("far.json", "{\"points\": [[0, 0], [1e300, 0]]}");
    write("text.json", "hello");
    std::fs::write(bench.path("bytes.json"), b"\xff\xfe\x00").unwrap();
    let cases: [(i32, &str, &str, &str); 11] = [
        (1, "empty.json", "", "empty.json"),
        (1, "one.json", "", "one point"),
        (1, "nan.json", "", "nan.json"),
        (1, "far.json", "", "finite"),
        (1, "text.json", "", "text.json"),
        (1, "circle.json", "--as flying", "flying"),
        (1, "circle.json", "--style flying", "flying"),
        (1, "circle.json", "--facing up", "--facing up"),
        (1, "missing.json", "", "missing.json"),
        (1, "bytes.json", "", "bytes.json: expected text"),
        (1, "circle.json", "--start walk@-1", "walk@-1"),
    ];
    for (status, path, more, named) in cases {
        let command = format!("follow lib.afoot --path {path} -o x.bvh {more}");
        let message = bench.fails(status, &command);
        assert!(
            message.contains(named),
            "{path}: {message:?} does not name {named:?}"
        );
    }
    assert!(!bench.path("x.bvh").exists());

    bench.json("new empty.afoot");
    let message = bench.fails(3, "graph empty.afoot");
    assert!(message.contains("import"), "{message}");
    let message = bench.fails(1, "graph lib.afoot --pair walk=3");
    assert!(message.contains("walk=3"), "{message}");
}

#[test]
fn a_drawing_in_millimetres_is_followed_at_the_size_that_is_said() {
    let bench = with_graph("drawing");
    let drawing = r##"<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm" viewBox="0 0 210 297">
        <defs><clipPath id="clip"><path d="M0 0H900V900Z"/></clipPath></defs>
        <g transform="translate(10 20)" clip-path="url(#clip)" fill="none" stroke="black">
        <path d="M0 0C60 0 60 80 120 80"/><polyline points="120,90 120,150"/></g></svg>"##;
    std::fs::write(bench.path("plan.svg"), drawing).unwrap();
    let message = bench.fails(1, "follow lib.afoot --path plan.svg -o walk.bvh");
    assert!(
        message.contains("millimetres") && message.contains("--fit"),
        "{message}"
    );
    let whole = bench.json("follow lib.afoot --path plan.svg --fit 6m -o walk.bvh");
    let length = whole["path_m"].as_f64().unwrap();
    // 150 units are six metres; curve, gap and line are some 145 + 10 + 60 units
    assert!((length - 8.7).abs() < 0.3, "{length}");
    assert!(
        whole["quality"]["path_max_m"].as_f64().unwrap() < 0.6,
        "{whole}"
    );
    let one = bench.json("follow lib.afoot --path plan.svg --scale 0.05 --stroke 2 -o walk.bvh");
    assert!(
        (one["path_m"].as_f64().unwrap() - 3.0).abs() < 1e-3,
        "{one}"
    );
    let message = bench.fails(
        1,
        "follow lib.afoot --path plan.svg --scale 1 --stroke 3 -o x.bvh",
    );
    assert!(message.contains("the drawing has 2"), "{message}");
    bench.fails(2, "follow lib.afoot --path plan.svg --fit 0 -o x.bvh");
    bench.fails(
        2,
        "follow lib.afoot --path plan.svg --fit 1m --scale 2 -o x.bvh",
    );
    let message = bench.fails(1, "follow lib.afoot --path circle.json --scale 2 -o x.bvh");
    assert!(message.contains("expected an SVG file"), "{message}");
}
