//! `label` and `labels`.

use serde_json::Value;

use crate::support::{Bench, with_walk};

/// `is: false` goes into a library and comes out again, and nothing that asks for the label finds it.
#[test]
fn labels_go_round_either_way() {
    let bench = with_walk("denied");
    let file = r#"{"vocabulary": ["calm", "walk"], "clips": {"walk": [
        {"label": "calm", "from": 0.0, "to": 1.0, "is": true},
        {"label": "calm", "from": 1.0, "to": 2.0, "is": false},
        {"label": "sneak", "from": 0.5, "to": 1.5, "is": false}]}}"#;
    std::fs::write(bench.path("labels.json"), file).unwrap();
    bench.json("labels import lib.afoot labels.json");
    bench.json("labels export lib.afoot out.json");
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
        let listed = bench.json(&format!("list lib.afoot --label {label}"));
        listed["clips"].as_array().unwrap().len()
    };
    assert_eq!((count("calm"), count("sneak")), (1, 0));
    let message = bench.fails(3, "graph lib.afoot --as sneak");
    assert!(message.contains("sneak"), "{message}");
    let said = bench.json("label lib.afoot walk sneak --clear");
    assert_eq!(said["denied"], serde_json::json!(["calm"]));
}

/// `sure` and `unsure` of a file are kept, and its remarks do not stand in the way.
#[test]
fn doubts_go_round() {
    let bench = with_walk("doubts");
    let file = r#"{"meta": {"how": "by eye"}, "vocabulary": ["calm", "sneak"], "clips": {"walk": [
        {"label": "calm", "from": 0.0, "to": 1.0},
        {"label": "calm", "from": 1.0, "to": 1.5, "is": true, "sure": false, "note": "hard to say"},
        {"label": "sneak", "from": 0.0, "to": 0.5, "is": false, "sure": false}]},
        "unsure": {"walk": [[2.0, 2.5]]}}"#;
    std::fs::write(bench.path("labels.json"), file).unwrap();
    bench.json("labels import lib.afoot labels.json");
    bench.json("labels export lib.afoot -o out.json");
    let told: Value =
        serde_json::from_slice(&std::fs::read(bench.path("out.json")).unwrap()).unwrap();
    let rows = |label: &str| -> Vec<(f64, bool, Option<bool>)> {
        let rows = told["clips"]["walk"].as_array().unwrap().iter();
        rows.filter(|row| row["label"] == label)
            .map(|row| {
                (
                    row["from"].as_f64().unwrap(),
                    row["is"] == true,
                    row["sure"].as_bool(),
                )
            })
            .collect()
    };
    assert_eq!(
        rows("calm"),
        [
            (0.0, true, None),
            (1.0, true, Some(false)),
            (2.0, false, Some(false))
        ]
    );
    assert_eq!(
        rows("sneak"),
        [(0.0, false, Some(false)), (2.0, false, Some(false))]
    );
    // Silence is no, doubts stay doubts.
    let said = bench.json("labels verify lib.afoot walk --label calm");
    let frames = bench.json("list lib.afoot")["clips"][0]["frames"]
        .as_u64()
        .unwrap();
    assert_eq!(said["frames"].as_u64().unwrap(), frames - 30 - 15 - 15);
    let message = bench.fails(1, "labels verify lib.afoot walk --label clam");
    assert!(message.contains("calm"), "{message}");
}

/// What learning keeps is made again where it is damaged, and that is said.
fn check_learning_survives_damage(bench: &Bench) {
    for kind in ["signals", "label"] {
        let library = rusqlite::Connection::open(bench.path("lib.afoot")).unwrap();
        let sql = "UPDATE artefacts SET body = zeroblob(40) WHERE kind = ?1";
        assert_eq!(library.execute(sql, [kind]).unwrap(), 1, "{kind}");
        drop(library);
        let ran = bench.run("learn lib.afoot");
        let told = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(ran.status.success(), "{kind}: {told}");
        assert!(told.contains("made again"), "{kind}: {told}");
        assert!(!told.contains("restore"), "{kind}: {told}");
    }
}

/// Two clips are marked, the others are told; what was learned is confirmed, corrected and kept apart.
#[test]
fn labels_are_learned_reviewed_and_confirmed() {
    let bench = Bench::with_samples(
        "learned",
        &["walk", "run", "stand", "walk_turn_left", "run_turn_left"],
    );
    bench.json("import lib.afoot bvh");
    let names: Vec<String> = bench.json("list lib.afoot")["clips"]
        .as_array()
        .unwrap()
        .iter()
        .map(|clip| clip["name"].as_str().unwrap().to_owned())
        .collect();
    assert!(names.len() >= 4, "{names:?}");
    bench.json("label lib.afoot run fast");
    bench.json("labels verify lib.afoot walk stand --label fast");
    let learned = bench.json("learn lib.afoot --review 3");
    let label = &learned["labels"][0];
    assert_eq!(label["label"], "fast");
    assert!(label["trained_frames"].as_u64().unwrap() > 20, "{label}");
    assert!(label["support_vectors"].as_u64().unwrap() > 1, "{label}");
    let review = learned["review"].as_array().unwrap();
    assert!(!review.is_empty() && review.len() <= 3, "{review:?}");
    for stretch in review {
        let length = stretch["to"].as_f64().unwrap() - stretch["from"].as_f64().unwrap();
        assert!(length > 0.0 && length < 2.05, "{stretch}");
        assert!(!["run", "walk", "stand"].contains(&stretch["clip"].as_str().unwrap()));
    }
    // Nothing has changed since: nothing is trained.
    let again = bench.json("learn lib.afoot");
    assert_eq!(again["labels"][0]["seconds"], 0.0);
    check_learning_survives_damage(&bench);

    let told = |options: &str| -> Value {
        bench.json(&format!("labels export lib.afoot -o out.json {options}"));
        serde_json::from_slice(&std::fs::read(bench.path("out.json")).unwrap()).unwrap()
    };
    let other = names.iter().find(|name| name.starts_with("walk_")).unwrap();
    assert!(
        told("")["clips"].get(other).is_none(),
        "what was learned is not said"
    );
    // A correction teaches, and holds whatever is learned after it.
    bench.json(&format!("label lib.afoot {other} fast --from 0 --to 0.5"));
    bench.json(&format!("labels confirm lib.afoot {other} --from 0.5"));
    bench.json("learn lib.afoot --label fast");
    let rows = told("--learned")["clips"][other]
        .as_array()
        .unwrap()
        .clone();
    assert!(rows.iter().all(|row| row["learned"] != true), "{rows:?}");
    assert_eq!(rows[0]["to"], 0.5);
}

#[test]
fn what_can_not_be_learned_is_said() {
    let bench = with_walk("unlearned");
    let message = bench.fails(1, "learn lib.afoot");
    assert!(
        message.contains("marked") && message.contains("afoot label"),
        "{message}"
    );
    bench.json("label lib.afoot walk calm");
    let message = bench.fails(1, "learn lib.afoot --label clam");
    assert!(message.contains("did you mean calm"), "{message}");
    let message = bench.fails(1, "learn lib.afoot --label calm");
    assert!(message.contains("every frame is marked"), "{message}");
    let message = bench.fails(1, "learn lib.afoot --least-seconds 99");
    assert!(message.contains("99"), "{message}");
    let message = bench.fails(1, "labels confirm lib.afoot walk");
    assert!(message.contains("nothing was learned"), "{message}");
}

#[test]
fn frames_are_excluded_barred_and_biased() {
    let bench = with_walk("marks");
    let marked = bench.json("mark lib.afoot walk --from 0.5 --to 1 --exclude");
    assert_eq!(marked["uses"][0]["rule"], "exclude");
    bench.json("mark lib.afoot walk --from 0.2 --to 0.4 --no-entry");
    let marked = bench.json("mark lib.afoot walk --bias -0.5");
    assert_eq!(marked["uses"].as_array().unwrap().len(), 3);
    assert!(
        bench
            .fails(1, "mark lib.afoot walk --bias 1000")
            .contains("-100 to 100")
    );
    assert!(bench.fails(2, "mark lib.afoot walk").contains("--exclude"));
    let marked = bench.json("mark lib.afoot walk --clear");
    assert_eq!(marked["uses"].as_array().unwrap().len(), 0);
}
