//! `perform`, and scores in `judge`.

use serde_json::{Value, json};

use crate::support::Bench;

/// A library of walks, runs and stands, without a graph.
fn stage(name: &str) -> Bench {
    let bench = Bench::with_samples(name, &[]);
    bench.json("import lib.afoot bvh");
    bench
}

fn write(bench: &Bench, name: &str, score: &Value) {
    std::fs::write(bench.path(name), score.to_string()).unwrap();
}

#[test]
fn a_score_is_performed_without_a_graph_and_judged() {
    let bench = stage("perform");
    let score = json!({
        "seconds": 6,
        "paint": [{"label": "walk", "from": 0, "to": 2}, {"label": "run", "from": 3.5, "to": 6}],
        "places": [{"at": 6, "x": 0.5, "z": 9.5}],
    });
    write(&bench, "score.json", &score);
    let command = "perform lib.afoot --score score.json --iterations 12 -o";
    let told = bench.json(&format!("{command} one.bvh --watch"));
    assert_eq!(told["quality"]["frames"], 180);
    assert!(
        told["quality"]["label_share"].as_f64().unwrap() > 0.9,
        "{told}"
    );
    assert!(
        told["quality"]["place_error_m"].as_f64().unwrap() < 0.1,
        "{told}"
    );
    assert_eq!(told["iterations"], 12);
    assert_eq!(told["entries"][1]["label"], "run");
    let played: f64 = told["sources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|source| source["to"].as_f64().unwrap() - source["from"].as_f64().unwrap())
        .sum();
    assert!((played - 6.0).abs() < 1e-3, "{played}");
    bench.json(&format!("{command} two.bvh --threads 1"));
    let read = |name: &str| std::fs::read(bench.path(name)).unwrap();
    assert!(
        read("one.bvh") == read("two.bvh"),
        "the same, whatever the threads"
    );
    let judged = bench.json("judge one.bvh --library lib.afoot --score score.json");
    assert!(judged["label_share"].as_f64().unwrap() > 0.7, "{judged}");
    assert!(judged["place_error_m"].as_f64().unwrap() < 0.1, "{judged}");
}

#[test]
fn alternatives_are_others() {
    let bench = stage("perform-others");
    write(
        &bench,
        "score.json",
        &json!({"seconds": 3, "paint": [{"label": "walk", "from": 0, "to": 3}]}),
    );
    let command =
        "perform lib.afoot --score score.json --iterations 4 --alternatives 2 -o walk.bvh";
    let told = bench.json(command);
    assert_eq!(told.as_array().unwrap().len(), 2);
    let read = |name: &str| std::fs::read(bench.path(name)).unwrap();
    assert!(read("walk.bvh") != read("walk-2.bvh"));
}

#[test]
fn what_can_not_be_performed_is_said() {
    let bench = stage("perform-refused");
    let fails = |status: i32, score: Value| {
        write(&bench, "score.json", &score);
        bench.fails(
            status,
            "perform lib.afoot --score score.json --iterations 2 -o x.bvh",
        )
    };
    let entry = |label: &str, from: f64, to: f64| json!({"label": label, "from": from, "to": to});
    let unknown = fails(1, json!({"seconds": 4, "paint": [entry("wlak", 0.0, 2.0)]}));
    assert!(
        unknown.contains("score.json") && unknown.contains("did you mean \"walk\"?"),
        "{unknown}"
    );
    let both = json!({"seconds": 4, "paint": [entry("stand", 0.0, 3.0), entry("run", 1.0, 2.0)]});
    let told = fails(3, both.clone());
    assert!(
        told.contains("from 1 to 2 s") && told.contains("--best-effort"),
        "{told}"
    );
    write(&bench, "both.json", &both);
    let nearest =
        bench.json("perform lib.afoot --score both.json --iterations 2 --best-effort -o x.bvh");
    assert_eq!(nearest["missing"][0]["from"], 1.0);
    let far = json!({"seconds": 4, "places": [{"at": 3, "x": 0, "z": 40}]});
    let told = fails(3, far.clone());
    assert!(
        told.contains("the place at 3 s is missed by") && told.contains("--best-effort"),
        "{told}"
    );
    write(&bench, "far.json", &far);
    let nearest =
        bench.json("perform lib.afoot --score far.json --iterations 2 --best-effort -o far.bvh");
    assert!(
        nearest["places"][0]["error_m"].as_f64().unwrap() > 1.0,
        "{nearest}"
    );
    let twice =
        json!({"seconds": 4, "places": [{"at": 2, "x": 0, "z": 1}, {"at": 2, "x": 1, "z": 1}]});
    assert!(fails(1, twice).contains("both asked for at 2 s"));
    assert!(fails(1, json!({"seconds": 1e7})).contains("up to 3600"));
    assert!(fails(1, json!({"second": 4})).contains("unknown field `second`"));
    let pose = json!({"seconds": 4, "poses": [{"at": 1, "clip": "wlak", "time": 0}]});
    assert!(fails(1, pose).contains("did you mean \"walk\"?"));
    let poses = json!({"seconds": 4, "poses": [
        {"at": 1, "clip": "walk", "time": 0, "seconds": 1}, {"at": 1.5, "clip": "run", "time": 0}]});
    assert!(fails(1, poses).contains("only one can be"));
    let against = json!({"seconds": 4, "paint": [
        entry("walk", 0.0, 3.0), {"label": "walk", "from": 2, "to": 4, "want": false}]});
    assert!(fails(1, against).contains("both as wanted and as not wanted from 2 to 3 s"));
    // Nobody has annotated anything: types alone are known.
    let word = fails(
        1,
        json!({"seconds": 4, "paint": [entry("pirouette", 0.0, 2.0)]}),
    );
    assert!(
        word.contains("known are") && word.contains("walk"),
        "{word}"
    );
    let long = fails(1, json!({"seconds": 4, "paint": [entry("walk", 2.0, 9.0)]}));
    assert!(
        long.contains("2 to 9 s is no stretch of a score of 4 s"),
        "{long}"
    );
    let tail = json!({"seconds": 4, "paint": [{"label": "stand", "from": 0, "to": 2, "chains": ["tail"]}]});
    assert!(fails(1, tail).contains("which this skeleton has not"));
    let arms = json!({"seconds": 4, "paint": [
        entry("stand", 0.0, 4.0), {"label": "run", "from": 1, "to": 3, "chains": ["arms"]}]});
    assert!(fails(3, arms.clone()).contains("\"run\" on left_arm and right_arm from 1 to 3 s"));
    write(&bench, "arms.json", &arms);
    let nearest =
        bench.json("perform lib.afoot --score arms.json --iterations 2 --best-effort -o x.bvh");
    assert_eq!(nearest["entries"][1]["chains"], json!(["arms"]));
    assert!(nearest["entries"][1]["share"].as_f64().unwrap() < 0.5);
    bench.run("new empty.afoot");
    write(&bench, "score.json", &json!({"seconds": 4}));
    let empty = bench.fails(3, "perform empty.afoot --score score.json -o x.bvh");
    assert!(empty.contains("no clips"), "{empty}");
}

#[test]
fn arms_come_from_another_clip_than_legs() {
    let bench = stage("perform-arms");
    let score = json!({"seconds": 5, "paint": [{"label": "walk", "from": 0, "to": 5},
        {"label": "stand", "from": 1.5, "to": 3.5, "chains": ["left_arm"]}]});
    write(&bench, "score.json", &score);
    let told = bench.json("perform lib.afoot --score score.json --iterations 6 -o arms.bvh");
    assert!(
        told["entries"][1]["share"].as_f64().unwrap() > 0.9,
        "{told}"
    );
    let sources = told["sources"].as_array().unwrap();
    let arm: Vec<&Value> = sources
        .iter()
        .filter(|source| source["chains"] == json!(["left_arm"]))
        .collect();
    assert!(!arm.is_empty(), "{told}");
    let bars = &told["quality"]["skate_cm_s"];
    assert!(bars.as_f64().unwrap() < 5.0, "{told}");
}

#[test]
fn a_score_that_is_edited_while_it_is_performed_is_gone_on_with() {
    let bench = stage("perform-edited");
    let score = |seconds: u32| json!({"seconds": seconds, "paint": [{"label": "walk", "from": 0, "to": seconds}]});
    write(&bench, "score.json", &score(3));
    bench.json("perform lib.afoot --score score.json --iterations 1 -o first.bvh");
    let told = std::thread::scope(|threads| {
        let job = threads.spawn(|| {
            bench.json(
                "perform lib.afoot --score score.json --watch --seconds-budget 4 -o edited.bvh",
            )
        });
        std::thread::sleep(std::time::Duration::from_secs(2));
        write(&bench, "score.json", &score(4));
        job.join().unwrap()
    });
    assert_eq!(told["quality"]["frames"], 120);
    assert!(told["searched_s"].as_f64().unwrap() >= 4.0, "{told}");
    assert!(told["iterations"].as_u64().unwrap() >= 1, "{told}");
}
