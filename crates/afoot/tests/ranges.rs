//! Every number that can be asked with is refused outside of its range, whatever request it is of, before any work.
#![allow(clippy::unwrap_used)] // a test fails by panicking

use afoot::{
    FailureKind, Import, Library, Ranged, Request, Run, Workspace, WriteSamples, option_ranges,
};
use afoot_fixtures::Folder;
use serde_json::{Map, Value, json};

/// What lies on the way to a number and can't be left out.
fn needed(path: &str) -> Option<Value> {
    Some(match path {
        "Follow.start" => json!({"clip": "walk", "seconds": 1}),
        "Follow.search.incremental" => json!({"look": 3.3, "keep": 0.9, "budget": 20000}),
        "Follow.through" => json!({"world": {}, "from": [1, 1], "to": [2, 2]}),
        "Drive.steer" => json!([{"at": 0, "degrees": 0}]),
        "Edit.trim" => json!({"from": 0, "to": 1}),
        "Edit.to" | "Edit.place" => json!({"x": 0, "z": 0}),
        "Edit.shifts" => json!([{"at": 0}]),
        "Edit.keys" => json!([{"at": 0, "joint": "Head", "turn": [0, 0, 0]}]),
        "Reach.start" => json!({"x": 0, "z": 0, "heading": 0}),
        "Stride.stairs" => json!({"rise": 0.1, "tread": 0.3}),
        "Stride.obstacles" => json!([{"at": 1, "height": 0.1, "depth": 0.1}]),
        "Stride.footprints" => json!([{"foot": "left", "x": 0, "z": 0}]),
        "Stride.terrain" => json!({"origin": [0, 0], "cell": 1, "heights": [[0, 0], [0, 0]]}),
        _ => return None,
    })
}

/// Puts a number at a path below a request.
fn put(asked: &mut Value, path: &str, so_far: &str, number: f64, whole: bool) {
    let (field, rest) = path.split_once('.').unwrap_or((path, ""));
    let here = format!("{so_far}.{field}");
    if let Value::Array(items) = asked {
        if items.is_empty() {
            items.push(json!({}));
        }
        return put(&mut items[0], path, so_far, number, whole);
    }
    if !asked.is_object() {
        *asked = Value::Object(Map::new());
    }
    let place = asked
        .as_object_mut()
        .unwrap()
        .entry(field)
        .or_insert(Value::Null);
    if rest.is_empty() {
        let value = match whole {
            true => json!(number as i64),
            false => json!(number),
        };
        fill(place, &here, value);
        return;
    }
    // One of several kinds of input: another than usual.
    if rest.starts_with("file.") && place.get("file").is_none() {
        *place = json!({});
    }
    if let Some(value) = needed(&here) {
        let empty = place.is_null() || place.as_array().is_some_and(Vec::is_empty);
        if empty {
            *place = value;
        }
    }
    put(place, rest, &here, number, whole);
}

/// A number, or as many as its kind has.
fn fill(place: &mut Value, path: &str, value: Value) {
    let field = path.rsplit('.').next().unwrap();
    *place = match (field, &*place) {
        ("weights", _) => json!({"root": [value, 1, 1]}),
        ("pairs", _) => json!([["walk", "run", value]]),
        ("heights", _) => json!([[value, 0], [0, 0]]),
        ("turn", _) if path.starts_with("Edit.keys") => json!([value, 0, 0]),
        ("seams" | "sequences" | "edits" | "cells", _) => json!([value]),
        ("at" | "from" | "to" | "origin", Value::Array(_)) => json!([value, 0]),
        _ => value,
    };
}

#[test]
fn defaults_lie_within_their_ranges() {
    for request in Request::all() {
        let checked = request.check_ranges();
        assert!(checked.is_ok(), "{}: {checked:?}", request.name());
    }
}

#[test]
fn every_number_outside_of_its_range_is_refused_by_name() {
    let folder = Folder::new("every_number");
    let run = Run::quiet();
    let only = vec!["walk".to_owned()];
    WriteSamples { only }.run(folder.file("bvh"), &run).unwrap();
    let import = Import {
        paths: vec![folder.file("bvh").into()],
        ..Import::default()
    };
    let (library, _) = import.run_into(folder.file("lib.afoot"), &run).unwrap();
    let outputs = [
        json!({"file": folder.file("x.bvh")}),
        json!({"folder": folder.file("x")}),
        json!({}),
    ];
    let (mut refused, mut wrong) = (0, Vec::new());
    for (path, said) in option_ranges() {
        let (request, field) = path.split_once('.').unwrap();
        let last = path.rsplit('.').next().unwrap();
        let default = Request::all()
            .into_iter()
            .map(|request| serde_json::to_value(request).unwrap());
        let name = |asked: &Value| asked["ask"].as_str().unwrap().replace('_', "");
        let default = default
            .into_iter()
            .find(|asked| name(asked) == request.to_lowercase());
        let default = default.unwrap_or_else(|| panic!("{request} is no request"));
        // Far above every range, as a fraction and, where only those are read, as a whole number.
        let outcomes: Vec<_> = [(9e17, false), (9e17, true), (250.0, true), (3e9, true)]
            .into_iter()
            .filter_map(|(number, whole)| {
                let mut asked = default.clone();
                put(&mut asked, field, request, number, whole);
                Request::read(asked).ok()
            })
            .map(|asked| {
                let to = outputs.iter().find_map(|to| {
                    let ended = asked.run(Workspace::from(&library as &Library), to.clone(), &run);
                    let other =
                        |failure: &afoot::Failure| failure.message.starts_with("where results go");
                    match ended {
                        Err(failure) if other(&failure) => None,
                        ended => Some(ended),
                    }
                });
                to.unwrap()
            })
            .collect();
        let is_range = |ended: &Result<Value, afoot::Failure>| {
            ended.as_ref().is_err_and(|failure| {
                failure.kind == FailureKind::BadRequest
                    && failure.field.as_deref() == Some(last)
                    && failure.message.contains(said)
            })
        };
        match outcomes.iter().any(is_range) || last == "interpolation" {
            true => refused += 1,
            false => wrong.push(format!("{path} [{said}]: {outcomes:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(refused > 100, "{refused}");
}
