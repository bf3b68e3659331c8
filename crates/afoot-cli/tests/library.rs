//! The commands on a library, as a user types them.

#![allow(clippy::unwrap_used)] // a test fails by panicking

mod support;

use serde_json::Value;
use support::Bench;

fn with_walk(name: &str) -> Bench {
    let bench = Bench::with_samples(name, &["walk"]);
    bench.json(&["import", "lib.afoot", "bvh"]);
    bench
}

#[test]
fn a_clip_goes_in_is_listed_and_comes_out() {
    let bench = with_walk("roundtrip");
    let listed = bench.json(&["list", "lib.afoot"]);
    let clip = &listed["clips"][0];
    assert_eq!(clip["name"], "walk");
    assert_eq!(clip["fps"], 30.0);
    assert_eq!(clip["type"], "walk", "{clip}");

    let shown = bench.json(&[
        "show",
        "lib.afoot",
        "walk",
        "--picture",
        "sheet.png",
        "--plot",
        "plot.png",
    ]);
    assert!(
        shown["contacts"]["left"].as_array().unwrap().len() >= 2,
        "{shown}"
    );
    assert!(shown["chains"].as_array().unwrap().len() >= 5);
    for picture in ["sheet.png", "plot.png"] {
        assert!(
            std::fs::read(bench.path(picture))
                .unwrap()
                .starts_with(b"\x89PNG"),
            "{picture}"
        );
    }

    for file in ["out.bvh", "out.glb", "out.amc"] {
        let written = bench.json(&["export", "lib.afoot", "walk[0.5s..1.5s]", "-o", file]);
        assert_eq!(written["frames"], 30, "{file}");
        assert!(bench.path(file).exists());
        let judged = bench.json(&["judge", file]);
        assert!(judged["skate_cm_s"].as_f64().unwrap() < 20.0, "{judged}");
    }
    assert!(
        bench.path("out.asf").exists(),
        "an .asf lies beside the .amc"
    );
}

#[test]
fn clips_are_renamed_labelled_and_removed() {
    let bench = with_walk("names");
    bench.json(&["rename", "lib.afoot", "walk", "stroll"]);
    bench.json(&[
        "label",
        "lib.afoot",
        "stroll",
        "calm",
        "--from",
        "0.5",
        "--to",
        "1.0",
    ]);
    let shown = bench.json(&["show", "lib.afoot", "stroll"]);
    assert_eq!(shown["label_spans"][0]["label"], "calm");
    assert!((shown["label_spans"][0]["from"].as_f64().unwrap() - 0.5).abs() < 0.02);
    bench.json(&["labels", "export", "lib.afoot", "labels.json"]);
    bench.json(&["label", "lib.afoot", "stroll", "calm", "--not"]);
    assert_eq!(
        bench.json(&["list", "lib.afoot", "--label", "calm"])["clips"]
            .as_array()
            .unwrap()
            .len(),
        0
    );
    bench.json(&["labels", "import", "lib.afoot", "labels.json"]);
    assert_eq!(
        bench.json(&["list", "lib.afoot", "--label", "calm"])["clips"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    bench.json(&["remove", "lib.afoot", "stroll"]);
    assert_eq!(
        bench.json(&["list", "lib.afoot"])["clips"]
            .as_array()
            .unwrap()
            .len(),
        0
    );
}

/// `is: false` goes into a library and comes out again, and nothing that asks for the label finds it.
#[test]
fn labels_go_round_either_way() {
    let bench = with_walk("denied");
    let file = r#"{"vocabulary": ["calm", "walk"], "clips": {"walk": [
        {"label": "calm", "from": 0.0, "to": 1.0, "is": true},
        {"label": "calm", "from": 1.0, "to": 2.0, "is": false},
        {"label": "sneak", "from": 0.5, "to": 1.5, "is": false}]}}"#;
    std::fs::write(bench.path("labels.json"), file).unwrap();
    bench.json(&["labels", "import", "lib.afoot", "labels.json"]);
    bench.json(&["labels", "export", "lib.afoot", "out.json"]);
    let read = |name: &str| -> Value {
        serde_json::from_slice(&std::fs::read(bench.path(name)).unwrap()).unwrap()
    };
    let (asked, told) = (read("labels.json"), read("out.json"));
    assert_eq!(told["vocabulary"], serde_json::json!(["calm", "sneak"]));
    let rows = |file: &Value| {
        let rows = file["clips"]["walk"].as_array().unwrap().iter();
        let mut rows: Vec<String> = rows.map(Value::to_string).collect();
        rows.sort();
        rows
    };
    assert_eq!(rows(&asked), rows(&told));

    let count = |label: &str| {
        let listed = bench.json(&["list", "lib.afoot", "--label", label]);
        listed["clips"].as_array().unwrap().len()
    };
    assert_eq!((count("calm"), count("sneak")), (1, 0));
    let message = bench.fails(3, &["graph", "lib.afoot", "--as", "sneak"]);
    assert!(message.contains("sneak"), "{message}");
    let said = bench.json(&["label", "lib.afoot", "walk", "sneak", "--clear"]);
    assert_eq!(said["denied"], serde_json::json!(["calm"]));
}

#[test]
fn converting_keeps_frames_unit_and_channels() {
    let bench = Bench::with_samples("convert", &["walk"]);
    bench.json(&["convert", "bvh/walk.bvh", "-o", "again.bvh"]);
    let read = |name: &str| std::fs::read_to_string(bench.path(name)).unwrap();
    let (before, after) = (read("bvh/walk.bvh"), read("again.bvh"));
    let head = |text: &str| text.split("MOTION").next().unwrap().to_owned();
    assert_eq!(head(&before), head(&after));
    assert_eq!(before.lines().count(), after.lines().count());
}

#[test]
fn wrong_input_gives_one_message_that_names_it() {
    let bench = with_walk("wrong");
    std::fs::write(bench.path("wrong.json"), r#"{"labels": []}"#).unwrap();
    let cases: [(i32, &[&str], &str); 20] = [
        (1, &["list", "missing.afoot"], "missing.afoot"),
        (1, &["show", "lib.afoot", "nobody"], "nobody"),
        (
            1,
            &["export", "lib.afoot", "walk[9000..9001]", "-o", "x.bvh"],
            "9000..9001",
        ),
        (
            1,
            &["export", "lib.afoot", "walk", "-o", "x.docx"],
            "x.docx",
        ),
        (1, &["new", "lib.afoot"], "lib.afoot"),
        (1, &["list", "bvh/walk.bvh"], "walk.bvh"),
        (1, &["convert", "nothing.bvh", "-o", "x.bvh"], "nothing.bvh"),
        (2, &["export", "lib.afoot"], "Usage"),
        (
            1,
            &["new", "nowhere/lib.afoot"],
            "nowhere: there is no such folder",
        ),
        (
            1,
            &["import", "lib.afoot", "bvh", "--fps", "-3"],
            "--fps -3",
        ),
        (1, &["import", "lib.afoot", "bvh", "--label", "a,b"], "a,b"),
        (1, &["label", "lib.afoot", "walk", ""], "it is empty"),
        (
            1,
            &["label", "lib.afoot", "walk", "hop", "--from", "-1"],
            "from -1.000 s",
        ),
        (
            1,
            &["label", "lib.afoot", "walk", "hop", "--from", "99"],
            "no stretch of its 6.167 s",
        ),
        (
            1,
            &["labels", "import", "lib.afoot", "wrong.json"],
            "missing field `clips`",
        ),
        (
            1,
            &["list", "lib.afoot", "--type", "walk", "--min-share", "2"],
            "--min-share 2",
        ),
        (
            1,
            &["graph", "lib.afoot", "--threshold", "-1"],
            "a threshold is -1",
        ),
        (
            1,
            &["graph", "lib.afoot", "--auto", "--wanted-share", "2"],
            "is 2; expected 0 to 1",
        ),
        (
            1,
            &["graph", "lib.afoot", "--preview", "x.docx"],
            "x.docx: expected a file that ends in",
        ),
        (
            1,
            &["matrix", "lib.afoot", "walk", "walk", "-o", "x.jpg"],
            "x.jpg: expected a file that ends in .png",
        ),
    ];
    for (status, arguments, named) in cases {
        let message = bench.fails(status, arguments);
        assert!(
            message.contains(named),
            "{arguments:?} said {message:?}, which does not name {named:?}"
        );
    }
    assert!(
        !bench.path("x.bvh").exists(),
        "a failed command leaves no file"
    );
}

#[test]
fn help_shows_examples() {
    let bench = Bench::new("help");
    for arguments in [
        vec!["--help"],
        vec!["import", "--help"],
        vec!["follow", "--help"],
    ] {
        let output = bench.run(&arguments);
        assert!(
            String::from_utf8_lossy(&output.stdout).contains("Examples:"),
            "{arguments:?}"
        );
    }
    let completions = bench.run(&["completions", "bash"]);
    assert!(String::from_utf8_lossy(&completions.stdout).contains("afoot"));
}
