//! `wander`.

use crate::quality::check_quality;
use crate::support::with_graph;

#[test]
fn wandering_goes_on_and_on() {
    let bench = with_graph("wander");
    let told = bench.json("wander lib.afoot --seconds 30 -o one.bvh");
    check_quality(&told["quality"]);
    assert_eq!(told["quality"]["frames"], 900);
    let clips: std::collections::BTreeSet<&str> = told["sources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["clip"].as_str().unwrap())
        .collect();
    assert!(clips.len() >= 6, "few clips are used: {clips:?}");
    bench.json("wander lib.afoot --seconds 30 -o two.bvh --seed 7");
    let read = |name: &str| std::fs::read(bench.path(name)).unwrap();
    assert!(
        read("one.bvh") != read("two.bvh"),
        "another seed, another walk"
    );
    // glTF is in metres, and judged so, whatever unit was asked for.
    for (file, unit) in [("one.glb", "cm"), ("one.amc", "m"), ("three.bvh", "mm")] {
        let other = bench.json(&format!(
            "wander lib.afoot --seconds 30 -o {file} --unit {unit}"
        ));
        for field in ["skate_cm_s", "slide_mm", "sink_cm", "jump_ratio"] {
            let [a, b] = [&told, &other].map(|told| told["quality"][field].as_f64().unwrap());
            assert!(
                (a - b).abs() < 0.01 + 0.02 * a,
                "{file}, {field}: {b}, not {a}"
            );
        }
    }
    let message = bench.fails(1, "wander lib.afoot --seconds 0 -o x.bvh");
    assert!(
        message.contains("--seconds 0: expected s, > 0"),
        "{message}"
    );
}
