//! The commands on a library and its clips.

use crate::support::{Bench, with_walk};

#[test]
fn a_clip_that_walks_for_three_quarters_is_a_walk_everywhere() {
    let bench = Bench::with_samples("mostly", &["start", "stop"]);
    let imported = bench.json("import lib.afoot bvh");
    let walks = |options: &str| {
        let listed = bench.json(&format!("list lib.afoot --type walk {options}"));
        let clips = listed["clips"].as_array().unwrap().iter();
        let names = clips.map(|clip| clip["name"].as_str().unwrap().to_owned());
        names.collect::<Vec<String>>()
    };
    assert_eq!(walks(""), ["start"], "of which 79 of 100 frames walk");
    assert_eq!(walks("--min-share 0.6"), ["start", "stop"]);
    assert!(walks("--min-share 1").is_empty());
    for (clip, kind) in [(0, "walk"), (1, "other")] {
        assert_eq!(imported["clips"][clip]["type"], kind);
        let name = imported["clips"][clip]["name"].as_str().unwrap();
        assert_eq!(bench.json(&format!("show lib.afoot {name}"))["type"], kind);
    }
}

#[test]
fn a_clip_goes_in_is_listed_and_comes_out() {
    let bench = with_walk("roundtrip");
    let listed = bench.json("list lib.afoot");
    let clip = &listed["clips"][0];
    assert_eq!(clip["name"], "walk");
    assert_eq!(clip["fps"], 30.0);
    assert_eq!(clip["type"], "walk", "{clip}");

    let shown = bench.json("show lib.afoot walk --picture sheet.png --plot plot.png");
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
        let written = bench.json(&format!("export lib.afoot walk[0.5s..1.5s] -o {file}"));
        assert_eq!(written["frames"], 30, "{file}");
        assert!(bench.path(file).exists());
        let judged = bench.json(&format!("judge {file}"));
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
    bench.json("rename lib.afoot walk stroll");
    bench.json("label lib.afoot stroll calm --from 0.5 --to 1.0");
    let shown = bench.json("show lib.afoot stroll");
    assert_eq!(shown["label_spans"][0]["label"], "calm");
    assert!((shown["label_spans"][0]["from"].as_f64().unwrap() - 0.5).abs() < 0.02);
    bench.json("labels export lib.afoot labels.json");
    bench.json("label lib.afoot stroll calm --not");
    assert_eq!(
        bench.json("list lib.afoot --label calm")["clips"]
            .as_array()
            .unwrap()
            .len(),
        0
    );
    bench.json("labels import lib.afoot labels.json");
    assert_eq!(
        bench.json("list lib.afoot --label calm")["clips"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    bench.json("remove lib.afoot stroll");
    assert_eq!(
        bench.json("list lib.afoot")["clips"]
            .as_array()
            .unwrap()
            .len(),
        0
    );
}

#[test]
fn converting_keeps_frames_unit_and_channels() {
    let bench = Bench::with_samples("convert", &["walk"]);
    bench.json("convert bvh/walk.bvh -o again.bvh");
    let read = |name: &str| std::fs::read_to_string(bench.path(name)).unwrap();
    let (before, after) = (read("bvh/walk.bvh"), read("again.bvh"));
    let head = |text: &str| text.split("MOTION").next().unwrap().to_owned();
    assert_eq!(head(&before), head(&after));
    assert_eq!(before.lines().count(), after.lines().count());
}
