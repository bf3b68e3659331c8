//! `label` and `labels`.

use serde_json::Value;

use crate::support::with_walk;

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
