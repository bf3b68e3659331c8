//! `survey`, `follow` through a world, and `judge` by one.

use crate::quality::check_feet;
use crate::support::{Bench, with_graph};

const ROOM: &str = r#"{"bounds": [[0,0],[6,7]], "radius": 0.25,
    "obstacles": [{"circle": [2,3,0.3]}, {"circle": [4.2,4.4,0.3]}]}"#;

#[test]
fn a_survey_says_what_is_covered_and_how_good_paths_are() {
    let bench = with_graph("survey");
    std::fs::write(bench.path("room.json"), ROOM).unwrap();
    let told = bench.json(
        "survey lib.afoot --world room.json -o survey --threshold 5 --min-clip 0.667 --edit-in-time 0 --cell 0.4 --yaw 45 --samples 60 --edits 15,25 --compare straight=walk,walk_turn_* --no-suggestions",
    );
    let share = |value: &serde_json::Value| value.as_f64().unwrap();
    assert!(told["nodes"].as_u64() > Some(100), "{told}");
    assert!(told["links"].as_u64() > told["nodes"].as_u64(), "{told}");
    let (xz, xza) = (share(&told["coverage_xz"]), share(&told["coverage_xza"]));
    assert!(
        xz > 0.2 && xz <= 1.0 && xza > 0.02 && xza <= xz,
        "{xz} {xza}"
    );
    let paths = &told["paths"];
    assert_eq!(paths["samples"], 60);
    assert!(share(&paths["median"]) >= 1.0, "{paths}");
    assert!(share(&paths["p95"]) >= share(&paths["median"]), "{paths}");
    let edits = told["edits"].as_array().unwrap();
    for row in edits {
        let always = share(&row["always"]["coverage_xza"]);
        let within = share(&row["within"]["coverage_xza"]);
        assert!(always >= within - 1e-9, "{row}");
    }
    assert!(
        share(&edits[1]["within"]["coverage_xza"]) >= share(&edits[0]["within"]["coverage_xza"])
    );
    assert_eq!(told["compare"][0]["name"], "straight");
    assert!(told["compare"][0]["source_frames"].as_u64() < told["source_frames"].as_u64());
    assert!(told["suggestions"].as_array().unwrap().is_empty());
    for seconds in ["embed", "coverage", "paths"] {
        assert!(share(&told["seconds"][seconds]) > 0.0);
    }
    let page = std::fs::read_to_string(bench.path("survey").join("survey.html")).unwrap();
    assert!(page.matches("<svg").count() >= 3 && page.contains("Sets of clips"));
    let kept = std::fs::read_to_string(bench.path("survey").join("survey.json")).unwrap();
    let kept: serde_json::Value = serde_json::from_str(&kept).unwrap();
    assert_eq!(kept["coverage_xza"], told["coverage_xza"]);
}

#[test]
fn worlds_that_can_not_be_surveyed_are_told() {
    let bench = with_graph("survey_worlds");
    let write = |name: &str, text: &str| std::fs::write(bench.path(name), text).unwrap();
    write(
        "closed.json",
        r#"{"bounds": [[0,0],[9,5]], "obstacles": [{"polygon": [[5,-1],[5.2,-1],[5.2,6],[5,6]]}]}"#,
    );
    let told = bench.json(
        "survey lib.afoot --world closed.json -o closed --threshold 5 --min-clip 0.667 --edit-in-time 0 --cell 0.4 --yaw 45 --samples 80 --no-suggestions",
    );
    assert!(told["paths"]["closed_off"].as_u64() > Some(0), "{told}");
    assert!(told["paths"]["unreached"].as_u64() > Some(0), "{told}");
    assert!(
        !told["other_components"].as_array().unwrap().is_empty(),
        "{told}"
    );
    write(
        "full.json",
        r#"{"bounds": [[0,0],[4,4]], "obstacles": [{"polygon": [[-1,-1],[5,-1],[5,5],[-1,5]]}]}"#,
    );
    let message = bench.fails(1, "survey lib.afoot --world full.json -o full");
    assert!(message.contains("no free ground"), "{message}");
    write(
        "bow.json",
        r#"{"bounds": [[0,0],[4,4]], "obstacles": [{"polygon": [[1,1],[2,2],[2,1],[1,2]]}]}"#,
    );
    let message = bench.fails(1, "survey lib.afoot --world bow.json -o bow");
    let named = "obstacle 0 crosses itself: its edges from corner 0 to 1 and from corner 2 to 3";
    assert!(
        message.contains("bow.json") && message.contains(named),
        "{message}"
    );
    write("room.json", ROOM);
    let message = bench.fails(
        1,
        "survey lib.afoot --world room.json -o large --cell 0.05 --memory 1",
    );
    assert!(message.contains("MB are allowed"), "{message}");
    assert!(!bench.path("large").exists());
    let still = Bench::with_samples("survey_still", &["stand"]);
    still.json("import lib.afoot bvh");
    std::fs::write(still.path("room.json"), ROOM).unwrap();
    let message = still.fails(3, "survey lib.afoot --world room.json -o still");
    let told = message.contains("choose") || message.contains("leads anywhere");
    assert!(told && !still.path("still").exists(), "{message}");
}

#[test]
fn a_world_is_walked_through_from_place_to_place() {
    let bench = with_graph("survey_follow");
    std::fs::write(bench.path("room.json"), ROOM).unwrap();
    let told = bench.json("follow lib.afoot --world room.json --from 1,1 --to 5,6 -o walk.bvh");
    for option in ["--facing any", "--speed 1", "--search branch", "--closed"] {
        let command =
            format!("follow lib.afoot --world room.json --from 1,1 --to 5,6 {option} -o no.bvh");
        let message = bench.fails(1, &command);
        let name = option.split(' ').next().unwrap();
        assert!(message.contains(name), "{option}: {message}");
    }
    let quality = &told["quality"];
    check_feet(quality);
    let value = |name: &str| quality[name].as_f64().unwrap();
    assert!(value("clearance_m") >= 0.25, "{quality}");
    assert!(value("edit_share") <= 1.0 + 1e-6, "{quality}");
    let through = &told["through"];
    let (length, shortest) = (
        through["length_m"].as_f64().unwrap(),
        through["shortest_m"].as_f64().unwrap(),
    );
    assert!(
        length >= shortest - 0.01 && length < 2.0 * shortest,
        "{through}"
    );
    let judged = bench.json("judge walk.bvh --world room.json");
    assert!((judged["clearance_m"].as_f64().unwrap() - value("clearance_m")).abs() < 1e-3);
    let message = bench.fails(
        1,
        "follow lib.afoot --world room.json --from 2,3 --to 5,6 -o x.bvh",
    );
    assert!(
        message.contains("2,3") && message.contains("free ground"),
        "{message}"
    );
}
