//! `graft` and `stride`.

use serde_json::Value;

use crate::support::Bench;

fn bench(name: &str) -> Bench {
    let clips = ["walk", "walk_slow", "run", "wave_standing", "stand"];
    let bench = Bench::with_samples(name, &clips);
    bench.json("import lib.afoot bvh");
    bench
}

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn a_walk_is_changed_as_typed() {
    let bench = bench("stride");
    let told = bench.json("stride lib.afoot walk --stride 0.8 --lift 2 -o short.bvh");
    assert!((number(&told["factor"]) - 0.8).abs() < 0.01, "{told}");
    for step in told["steps"].as_array().unwrap() {
        let (asked, made) = (number(&step["asked_m"]), number(&step["made_m"]));
        assert!((made / asked - 1.0).abs() < 0.02, "{step}");
    }
    assert!(number(&told["quality"]["slide_mm"]) < 10.0, "{told}");
    assert_eq!(told["sources"][0]["clip"], "walk");
    let told = bench.json("stride lib.afoot walk --metres 5.25 -o there.bvh");
    assert!((number(&told["metres"]) - 5.25).abs() < 0.01, "{told}");
    let told = bench.json("stride lib.afoot walk --incline 10 -o up.glb");
    assert!(number(&told["planted_off_mm"]) < 10.0, "{told}");
    bench.json("stride lib.afoot walk --stairs 0.17,0.29 -o stairs.bvh");
    bench.json("stride lib.afoot walk --obstacle 2.4,0.2 --ramp 0.01 -o over.bvh");
    // A value that may be left out takes numbers below 0, and no other option for its value.
    let told = bench.json("stride lib.afoot walk --stride 0.8 --ramp -o less.bvh");
    let steps = told["steps"].as_array().unwrap();
    let factor = |step: &Value| number(&step["made_m"]) / number(&step["captured_m"]);
    assert!((factor(&steps[0]) - 1.0).abs() < 0.02, "{told}");
    assert!(
        (factor(&steps[steps.len() - 1]) - 0.8).abs() < 0.02,
        "{told}"
    );
    let told = bench.json("stride lib.afoot walk --ramp -0.02 -o less.bvh");
    assert!(number(&told["factor"]) < 0.99, "{told}");
    bench.json("stride lib.afoot walk[1s..6s] --from-stand 2 --to-stand 2 -o stands.bvh");
    bench.json("stride lib.afoot walk --radius 5 --speed 1.1 -o curve.bvh");
}

#[test]
fn a_stride_that_can_not_be_is_refused_with_what_can() {
    let bench = bench("stride-refused");
    let refused = [
        (3, "walk --stride 4", "at most"),
        (1, "walk --stride long", "a factor such as 1.2"),
        (1, "walk --stairs 0.17", "RISE,TREAD"),
        (1, "walk --incline 50", "50: expected degrees"),
        (1, "walk --incline 5 --stairs 0.1,0.3", "one of them"),
        (3, "stand --stride 1.1", "foot plants"),
    ];
    for (status, words, expected) in refused {
        let message = bench.fails(status, &format!("stride lib.afoot {words} -o no.bvh"));
        assert!(message.contains(expected), "{words}: {message}");
        assert!(!bench.path("no.bvh").exists());
    }
}

#[test]
fn limbs_are_grafted_and_kept_as_typed() {
    let bench = bench("graft");
    let told = bench.json("graft lib.afoot walk run --chains arms --keep jogger -o jogger.bvh");
    assert_eq!(told["grafts"][0]["donor"], "run");
    assert!(number(&told["score"]) > 0.1, "{told}");
    assert_eq!(told["sources"][1]["chains"][0], "left_arm", "{told}");
    let listed = bench.json("list lib.afoot");
    let names: Vec<&str> = (listed["clips"].as_array().unwrap().iter())
        .filter_map(|clip| clip["name"].as_str())
        .collect();
    assert!(names.contains(&"jogger"), "{names:?}");
    let message = bench.fails(1, "graft lib.afoot walk run --chains tail -o no.bvh");
    assert!(message.contains("left_arm"), "{message}");
    let message = bench.fails(3, "graft lib.afoot stand walk --chains arms -o no.bvh");
    assert!(message.contains("--force"), "{message}");
}

#[test]
fn a_graft_is_kept_only_once_its_motion_has_arrived() {
    let bench = bench("graft-unkept");
    // A motion file takes the place of none that is a folder.
    std::fs::create_dir(bench.path("taken.bvh")).unwrap();
    let names = || bench.json("list lib.afoot")["clips"].to_string();
    let before = names();
    bench.fails(
        1,
        "graft lib.afoot walk run --chains arms --keep jogger -o taken.bvh",
    );
    bench.fails(
        1,
        "graft lib.afoot walk run --chains arms --keep stand -o made.bvh",
    );
    assert!(!bench.path("made.bvh").exists(), "its name was taken");
    assert_eq!(names(), before);
}

#[test]
fn all_grafts_are_listed_accepted_and_rejected() {
    let bench = bench("grafts");
    let told = bench.json("graft lib.afoot --all --chains arms");
    let grafts = told["grafts"].as_array().unwrap();
    // Walks and the run among each other, and what stands with all.
    assert!(grafts.len() >= 6, "{told}");
    let scores: Vec<f64> = grafts.iter().map(|graft| number(&graft["score"])).collect();
    assert!(
        scores.windows(2).all(|pair| pair[0] >= pair[1]),
        "{scores:?}"
    );
    let forbidden = |graft: &Value| graft["base"] == "stand" && graft["donor"] == "walk";
    assert!(!grafts.iter().any(forbidden), "{told}");
    let told =
        bench.json("graft lib.afoot --all --chains arms --accept walk+run --reject walk+walk_slow");
    assert_eq!(told["kept"][0], "walk+run");
    let again = bench.json("graft lib.afoot --all --chains arms");
    let named =
        |name: &str| (again["grafts"].as_array().unwrap().iter()).any(|g| g["name"] == name);
    assert!(named("walk+run") && !named("walk+walk_slow"), "{again}");
    assert_eq!(
        again["allowed"], told["allowed"],
        "a graft that was kept is no new source"
    );
}
