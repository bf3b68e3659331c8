//! `--page`: motion as a page that plays it.

use std::path::Path;

use crate::support::{Bench, with_walk};
use serde_json::Value;

/// What a page carries.
fn motion_in(page: &Path) -> Value {
    let html = std::fs::read_to_string(page).unwrap();
    let (_, rest) = html.split_once("id=\"motion\">").unwrap();
    let (json, _) = rest.split_once("</script>").unwrap();
    serde_json::from_str(json).unwrap()
}

/// The root's places in a page's figure.
fn roots_of(figure: &Value) -> Vec<[f32; 3]> {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let text = figure["roots"].as_str().unwrap().trim_end_matches('=');
    let (mut bytes, mut held, mut count) = (Vec::new(), 0u32, 0);
    for letter in text.chars() {
        held = held << 6 | letters.find(letter).unwrap() as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((held >> count) as u8);
        }
    }
    let number = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().unwrap());
    let numbers: Vec<f32> = bytes.chunks_exact(4).map(number).collect();
    numbers
        .chunks_exact(3)
        .map(|p| [p[0], p[1], p[2]])
        .collect()
}

fn check_page(bench: &Bench, page: &str, motion: &str) {
    let told = motion_in(&bench.path(page));
    let figures = told["figures"].as_array().unwrap();
    let read = afoot_formats::read_motion(&bench.path(motion), &Default::default()).unwrap();
    let found = roots_of(figures.last().unwrap());
    assert_eq!(found.len(), read.clip.len(), "{page}");
    for (found, root) in found.iter().zip(&read.clip.root) {
        let off = (found[0] - root.x)
            .hypot(found[1] - root.y)
            .hypot(found[2] - root.z);
        assert!(off < 2e-4, "{page}: {found:?} is not {root}");
    }
}

#[test]
fn every_command_that_writes_motion_writes_a_page_of_it() {
    let bench = with_walk("page");
    bench.json("show lib.afoot walk --page show.html");
    assert_eq!(motion_in(&bench.path("show.html"))["title"], "walk");
    bench.json("export lib.afoot walk[0..40] -o part.glb --page part.html");
    check_page(&bench, "part.html", "part.glb");
    bench.json("convert bvh/walk.bvh -o other.glb --page other.html");
    check_page(&bench, "other.html", "other.glb");
    bench.json("clean bvh/walk.bvh -o clean.glb --page clean.html");
    check_page(&bench, "clean.html", "clean.glb");
    let cleaned = motion_in(&bench.path("clean.html"));
    let kinds: Vec<&Value> = cleaned["figures"].as_array().unwrap().iter().collect();
    let kinds: Vec<&Value> = kinds.iter().map(|figure| &figure["kind"]).collect();
    assert_eq!(
        kinds,
        ["captured", "made"],
        "as it was beside what it became"
    );
    let message = bench.fails(1, "show lib.afoot walk --page walk.pdf");
    assert!(message.contains(".html"), "{message}");
}
