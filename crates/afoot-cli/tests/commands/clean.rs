//! `clean`.

use crate::support::{Bench, cmu};

#[test]
fn cleaning_a_captured_walk_keeps_the_bars() {
    let Some(cmu) = cmu() else { return };
    let bench = Bench::new("clean");
    let input = cmu.join("bvh/16_15.bvh");
    let input = input.to_str().unwrap();
    bench.json(&format!("import lib.afoot {input} --fps 30"));
    bench.json("export lib.afoot 16_15 -o walk.bvh");
    let told = bench.json("clean walk.bvh -o clean.bvh");
    let (before, after) = (&told["before"], &told["quality"]);
    assert!(
        after["skate_cm_s"].as_f64().unwrap() < 0.2 * before["skate_cm_s"].as_f64().unwrap(),
        "{told}"
    );
    assert!(after["slide_mm"].as_f64().unwrap() <= 10.0);
    assert!(after["sink_cm"].as_f64().unwrap() <= 1.0);
}

#[test]
fn cleaning_a_sample_walk_that_slides_puts_its_feet_still() {
    let bench = Bench::with_samples("clean-sample", &["walk"]);
    // A walk that ends farther than its feet carry it slides.
    bench.json("edit bvh/walk.bvh --to 0.5,7.6 --leave-feet -o slides.bvh");
    let told = bench.json("clean slides.bvh -o clean.bvh");
    let [before, after] = ["before", "quality"].map(|name| told[name]["skate_cm_s"].as_f64());
    assert!(after.unwrap() < 0.5 * before.unwrap(), "{told}");
    assert_eq!(told["sources"][0]["clip"], "slides.bvh");
}
