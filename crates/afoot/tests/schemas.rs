//! The schemas say what the readers take: examples that are read fit them, broken ones do not, and a
//! reader refuses what its schema refuses.
#![allow(clippy::unwrap_used)] // a test fails by panicking

use std::collections::BTreeMap;

use afoot::{Failure, FootprintWish, HeightGrid, SCHEMAS, Schema};
use afoot_synth::plan::Task;
use afoot_synth::{GroundPath, Score, World};
use serde_json::{Value, json};

/// Whether a value fits a schema, as far as our schemas use the language.
fn fits(value: &Value, schema: &Value, whole: &Value) -> bool {
    if let Some(name) = schema["$ref"].as_str() {
        return fits(
            value,
            &whole["$defs"][name.rsplit('/').next().unwrap()],
            whole,
        );
    }
    let is = |kind: &Value| match kind.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("type {other}"),
    };
    let kind = match &schema["type"] {
        Value::Null => true,
        Value::Array(kinds) => kinds.iter().any(is),
        kind => is(kind),
    };
    let number = value.as_f64().unwrap_or(f64::INFINITY);
    let length = value.as_array().map_or(0, Vec::len) as u64;
    let size = |key: &str| schema[key].as_u64();
    let one_of =
        |options: &Vec<Value>| options.iter().filter(|o| fits(value, o, whole)).count() == 1;
    let named = schema["const"].is_null() || *value == schema["const"];
    kind && named
        && schema["minimum"]
            .as_f64()
            .is_none_or(|least| number >= least)
        && (!value.is_number() || schema["maximum"].as_f64().is_none_or(|most| number <= most))
        && schema["exclusiveMinimum"]
            .as_f64()
            .is_none_or(|least| number > least)
        && size("minItems").is_none_or(|least| length >= least)
        && size("maxItems").is_none_or(|most| length <= most)
        && (!value.is_string()
            || size("minLength").is_none_or(|least| value.as_str().unwrap().len() as u64 >= least))
        && schema["oneOf"].as_array().is_none_or(one_of)
        && value.as_array().is_none_or(|items| {
            schema["items"].is_null()
                || items.iter().all(|item| fits(item, &schema["items"], whole))
        })
        && value.as_object().is_none_or(|fields| {
            let required = schema["required"].as_array();
            let all_there = required.is_none_or(|names| {
                names
                    .iter()
                    .all(|n| fields.contains_key(n.as_str().unwrap()))
            });
            all_there
                && fields
                    .iter()
                    .all(|(name, field)| match &schema["properties"][name] {
                        Value::Null => match &schema["additionalProperties"] {
                            Value::Bool(allowed) => *allowed,
                            Value::Null => true,
                            other => fits(field, other, whole),
                        },
                        known => fits(field, known, whole),
                    })
        })
}

fn schema(name: &str) -> Result<Value, Failure> {
    let name = name.into();
    Schema { name }.run()
}

fn check(name: &str, value: &Value) -> bool {
    let schema = schema(name).unwrap();
    fits(value, &schema, &schema)
}

#[test]
fn examples_fit_and_are_read_broken_ones_neither() {
    let paths = [
        (true, json!({"points": [[0, 0], [3, 4.5]]})),
        (
            true,
            json!({"points": [[0, 0], [3, 4]], "sections": [{"to": 2, "as": ["walk"]}, {"as": []}]}),
        ),
        (false, json!({"points": [[0, 0]]})),
        (false, json!({"points": [[0, 0], [1]]})),
        (false, json!({"points": [[0, 0], [1, "2"]]})),
        (false, json!({"point": [[0, 0], [1, 1]]})),
        (false, json!({"points": [[0, 0], [3, 4]], "section": []})),
        (
            false,
            json!({"points": [[0, 0], [3, 4]], "sections": [{"to": -1}]}),
        ),
        (
            false,
            json!({"points": [[0, 0], [3, 4]], "sections": [{"label": "walk"}]}),
        ),
        (false, json!([[0, 0], [3, 4]])),
    ];
    for (good, path) in &paths {
        assert_eq!(check("path", path), *good, "{path}");
        assert_eq!(
            GroundPath::from_json(&path.to_string()).is_ok(),
            *good,
            "{path}"
        );
    }
    let worlds = [
        (true, json!({"bounds": [[0, 0], [7, 8]]})),
        (
            true,
            json!({"bounds": [[0, 0], [7, 8]], "obstacles": [{"circle": [3, 3, 1]}, {"polygon": [[1, 1], [2, 1], [2, 2]]}],
            "regions": [{"polygon": [[1, 1], [2, 1], [2, 2]], "only": ["step"], "never": ["jump"]}], "radius": 0.3, "wrap": true}),
        ),
        (
            true,
            json!({"bounds": [[0, 0], [7, 8]], "rivers": [{"polygon": [[1, 1], [2, 1], [2, 2]], "over": ["leap"]}],
            "bars": [{"from": [0, 4], "to": [7, 4], "height": 1.2}], "beams": [{"from": [1, 0], "to": [2, 3], "width": 0.3}],
            "heights": [{"polygon": [[5, 5], [6, 5], [6, 6]], "height": 0.2}], "starts": [[3, 3]], "goals": [[6, 7]]}),
        ),
        (
            false,
            json!({"bounds": [[0, 0], [7, 8]], "bars": [{"from": [0, 4], "to": [7, 4], "height": 0}]}),
        ),
        (
            false,
            json!({"bounds": [[0, 0], [7, 8]], "rivers": [{"polygon": [[1, 1], [2, 1]]}]}),
        ),
        (false, json!({"bounds": [[0, 0]]})),
        (
            false,
            json!({"bounds": [[0, 0], [7, 8]], "obstacles": [{"square": [3, 3, 1]}]}),
        ),
        (
            false,
            json!({"bounds": [[0, 0], [7, 8]], "obstacles": [{"polygon": [[1, 1], [2, 1]]}]}),
        ),
        (false, json!({"bounds": [[0, 0], [7, 8]], "radius": 0})),
        (false, json!({"bounds": [[0, 0], [7, 8]], "wraps": true})),
        (false, json!({"obstacles": []})),
    ];
    for (good, world) in &worlds {
        assert_eq!(check("world", world), *good, "{world}");
        assert_eq!(
            World::from_json(&world.to_string()).is_ok(),
            *good,
            "{world}"
        );
    }
    let tasks = [
        (true, json!({"goal": {"x": 1, "z": 2}})),
        (
            true,
            json!({"world": "room.json", "start": {"x": 0, "z": 0, "yaw": 90}, "sketch": [[0, 0], [3, 4]], "corridor": 0.5,
            "constraints": [{"kind": "pick", "at": [0, 0.5, 2], "root": [0, 1.5]}, {"kind": "sit", "at": [1, 2], "height": 0.45, "yaw": 180},
            {"kind": "jump", "from": [0, 1], "to": [0, 2]}, {"kind": "duck", "under": [[0, 1], [1, 1]], "height": 1.2}],
            "tolerance": 0.05, "epsilon": 10, "seconds": 120}),
        ),
        (false, json!({"goal": {"x": 1}})),
        (false, json!({"goal": {"x": 1, "z": 2}, "tolerance": 0})),
        (false, json!({"goal": {"x": 1, "z": 2}, "corridors": 1})),
        (
            false,
            json!({"constraints": [{"kind": "pick", "at": [0, 1]}]}),
        ),
        (
            false,
            json!({"constraints": [{"kind": "pick", "at": [0, 1, 2], "root": [1]}]}),
        ),
        (
            false,
            json!({"constraints": [{"kind": "fly", "at": [0, 1, 2]}]}),
        ),
    ];
    for (good, task) in &tasks {
        assert_eq!(check("task", task), *good, "{task}");
        assert_eq!(Task::from_json(&task.to_string()).is_ok(), *good, "{task}");
    }
    let scores = [
        (true, json!({"seconds": 4})),
        (
            true,
            json!({"seconds": 20, "paint": [{"label": "run", "from": 0, "to": 5, "want": true}],
            "poses": [{"at": 3.0, "clip": "16_03", "time": 1.5, "seconds": 0.5}],
            "places": [{"at": 20, "x": 4, "z": 2, "yaw": 90}, {"at": 9, "x": 1, "z": 1}],
            "start": {"x": 0, "z": 0, "yaw": 0}, "smoothness": 0.5, "place_weight": 2}),
        ),
        (false, json!({"paint": []})),
        (false, json!({"seconds": 0})),
        (false, json!({"seconds": 7200})),
        (false, json!({"seconds": 4, "smoothness": 1.5})),
        (
            false,
            json!({"seconds": 4, "paint": [{"label": "run", "from": 0}]}),
        ),
        (
            false,
            json!({"seconds": 4, "paint": [{"label": "run", "from": -1, "to": 2}]}),
        ),
        (false, json!({"seconds": 4, "places": [{"at": 1, "x": 4}]})),
        (
            false,
            json!({"seconds": 4, "poses": [{"at": 1, "clip": "a"}]}),
        ),
        (false, json!({"seconds": 4, "pose": []})),
    ];
    for (good, score) in &scores {
        assert_eq!(check("score", score), *good, "{score}");
        assert_eq!(
            Score::from_json(&score.to_string()).is_ok(),
            *good,
            "{score}"
        );
    }
    let labels = [
        (true, json!({"clips": {}})),
        (
            true,
            json!({"vocabulary": ["walk"], "clips": {"16_15": [{"label": "walk", "from": 0.0, "to": 3.9, "is": false}]}}),
        ),
        (
            false,
            json!({"clips": {"a": [{"label": "walk", "from": 0}]}}),
        ),
        (
            false,
            json!({"clips": {"a": [{"label": "walk", "from": -1, "to": 1}]}}),
        ),
        (false, json!({"labels": {}})),
    ];
    for (good, file) in &labels {
        assert_eq!(check("labels", file), *good, "{file}");
    }
    assert!(
        check("map", &json!({"Bone.003": "left_up_leg"})) && !check("map", &json!({"Bone": 3}))
    );
    let terrains = [
        (true, json!({"cell": 0.5, "heights": [[0, 0.1], [0, 0.2]]})),
        (
            true,
            json!({"origin": [1, -2], "cell": 1, "heights": [[0]]}),
        ),
        (false, json!({"cell": 1, "heights": [0, 1]})),
        (false, json!({"cell": "wide", "heights": [[0]]})),
        (false, json!({"cell": 1, "heights": [[0]], "origin": [1]})),
        (false, json!({"cell": 1, "heights": [[0]], "size": 3})),
    ];
    for (good, file) in &terrains {
        assert_eq!(check("terrain", file), *good, "{file}");
        let read = serde_json::from_value::<HeightGrid>(file.clone());
        assert_eq!(read.is_ok(), *good, "{file}");
    }
    let footprints = [
        (
            true,
            json!([{"foot": "left", "x": 0, "z": 1, "heading": 0}]),
        ),
        (
            true,
            json!([{"foot": "right", "x": 0, "z": 1, "heading": null}]),
        ),
        (false, json!({"foot": "left", "x": 0, "z": 1})),
        (false, json!([{"foot": "left", "x": "0", "z": 1}])),
        (false, json!([{"foot": "left", "x": 0, "y": 1}])),
    ];
    for (good, file) in &footprints {
        assert_eq!(check("footprints", file), *good, "{file}");
        let read = serde_json::from_value::<Vec<FootprintWish>>(file.clone());
        assert_eq!(read.is_ok(), *good, "{file}");
    }
    assert!(!check("footprints", &json!([])));
    assert!(!check("footprints", &json!([{"foot": "up"}])));
    let weights = [
        (true, json!({"root": [1, 1, 0.25], "left_arm": [0, 0, 0]})),
        (false, json!({"root": [1, 1]})),
        (false, json!({"root": 1})),
        (false, json!([1, 1, 1])),
    ];
    for (good, file) in &weights {
        assert_eq!(check("weights", file), *good, "{file}");
        let read = serde_json::from_value::<BTreeMap<String, [f32; 3]>>(file.clone());
        assert_eq!(read.is_ok(), *good, "{file}");
    }
}

#[test]
fn every_schema_is_json_and_an_unknown_one_brings_the_nearest() {
    for (name, text) in SCHEMAS {
        let schema: Value = serde_json::from_str(text).unwrap();
        assert!(schema["title"].is_string(), "{name}");
    }
    let message = schema("wrold").unwrap_err().to_string();
    assert!(message.contains("did you mean world?"), "{message}");
}
