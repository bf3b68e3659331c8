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
