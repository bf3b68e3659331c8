//! The whole product on captured motion: what is made of it keeps the bars, old and new. Skipped, with a
//! word, where the clips are not at hand; `wander`, `follow` and `drive` have the same on sample motion.

use std::path::Path;

use serde_json::{Value, json};

use crate::quality::check_bars;
use crate::support::{Bench, cmu};

/// What every motion keeps that is made of captured walks.
const BARS: &[(&str, f64)] = &[
    ("skate_cm_s", 5.0),
    ("skate_share", 0.01),
    ("slide_mm", 10.0),
    ("sink_cm", 1.0),
    ("jump_ratio", 1.5),
    ("acceleration_ratio", 1.5),
    ("root_speed_ratio", 1.5),
    ("root_acceleration_ratio", 1.5),
    ("knee_acceleration_ratio", 1.5),
    ("ankle_acceleration_ratio", 1.5),
    ("hip_change_cm", 1.0),
    ("knee_change_deg", 2.5),
    ("hip_off_cm", 2.0),
    ("knee_off_deg", 7.0),
    ("unsupported_share", 0.01),
    ("glide_cm_s", 45.0),
    ("penetration_cm", 2.0),
    ("frozen_s", 0.2),
];

/// The bars but some, which say why they are left out where they are.
fn check_all_but(quality: &Value, left_out: &[&str]) {
    let asked = BARS.iter().filter(|(field, _)| !left_out.contains(field));
    check_bars(quality, &asked.copied().collect::<Vec<_>>());
}

fn number(told: &Value, field: &str) -> f64 {
    told["quality"][field]
        .as_f64()
        .unwrap_or_else(|| panic!("no {field} in {told}"))
}

/// The files of some clips, with a blank between them.
fn files(cmu: &Path, names: &[String]) -> String {
    let file = |name: &String| {
        cmu.join(format!("bvh/{name}.bvh"))
            .to_str()
            .unwrap()
            .to_owned()
    };
    names.iter().map(file).collect::<Vec<_>>().join(" ")
}

fn clips_of(cmu: &Path, set: &str, subject: &str) -> Vec<String> {
    let text = std::fs::read_to_string(cmu.join("sets.json")).unwrap();
    let sets: Value = serde_json::from_str(&text).unwrap();
    let names = sets["sets"][set]["files"].as_array().unwrap().iter();
    names
        .map(|name| name.as_str().unwrap().to_owned())
        .filter(|name| name.starts_with(subject))
        .collect()
}

/// 24 walks of one subject and their mirror images, transitions up to 4 cm.
fn walks(name: &str) -> Option<Bench> {
    let cmu = cmu()?;
    let bench = Bench::new(name);
    let numbers = (11..=32).chain([47, 58]);
    let names: Vec<String> = numbers.map(|number| format!("16_{number}")).collect();
    bench.json(&format!(
        "import lib.afoot {} --mirror",
        files(&cmu, &names)
    ));
    bench.json("graph lib.afoot --threshold 4");
    Some(bench)
}

/// The set `loco` on one skeleton, with labels, transitions up to 10 cm.
fn loco(name: &str) -> Option<Bench> {
    let cmu = cmu()?;
    let bench = Bench::new(name);
    let first = files(&cmu, &clips_of(&cmu, "loco", "16_"));
    bench.json(&format!("import lib.afoot {first}"));
    let martial = files(&cmu, &clips_of(&cmu, "loco", "135"));
    bench.json(&format!(
        "import lib.afoot {martial} --retarget 16_15 --label martial"
    ));
    for style in clips_of(&cmu, "loco", "142") {
        let label = if style == "142_22" { "sneak" } else { "style" };
        let file = files(&cmu, &[style]);
        bench.json(&format!(
            "import lib.afoot {file} --retarget 16_15 --label {label}"
        ));
    }
    bench.json("graph lib.afoot --threshold 10");
    Some(bench)
}

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/paths")
        .join(name);
    path.to_str().unwrap().to_owned()
}

#[test]
fn walks_along_every_example_path() {
    let Some(bench) = walks("captured-paths") else {
        return;
    };
    // Mean and largest distance of the walker, and the farthest that a place of the path is missed. [m]
    let paths = [
        ("circle_1m.json", [0.03, 0.08, 0.08]),
        ("circle_2m.json", [0.03, 0.08, 0.08]),
        ("circle_4m.json", [0.03, 0.08, 0.08]),
        ("square.json", [0.04, 0.20, 0.25]),
        ("zigzag.json", [0.06, 0.25, 0.30]),
        ("eight.json", [0.03, 0.08, 0.08]),
        ("hello.svg", [0.03, 0.20, 0.20]),
    ];
    for (path, [mean, largest, missed]) in paths {
        let file = example(path);
        let told = bench.json(&format!("follow lib.afoot --path {file} -o walk.bvh"));
        check_all_but(&told["quality"], &[]);
        check_bars(
            &told["quality"],
            &[
                ("path_mean_m", mean),
                ("path_max_m", largest),
                ("path_missed_m", missed),
            ],
        );
        assert!(number(&told, "faced_share") >= 0.97, "{path}: {told}");
        // Where no stand is near enough the walk ends in mid-step, and that is all there is to say.
        let oddities = told["oddities"].as_array().unwrap();
        let all_stand = told["stands"] == json!([true, true]);
        assert_eq!(oddities.is_empty(), all_stand, "{path}: {told}");
        let odd = |odd: &&Value| odd["what"] != "mid_step";
        assert_eq!(oddities.iter().find(odd), None, "{path}");
    }
}

#[test]
fn walks_sneaks_and_fights_in_three_sections() {
    let Some(bench) = loco("captured-sections") else {
        return;
    };
    let points = [
        [0.0, 0.0],
        [3.0, 2.0],
        [6.0, 2.5],
        [9.0, 1.5],
        [12.0, 0.0],
        [15.0, -1.0],
        [18.0, -0.5],
        [21.0, 1.0],
        [24.6, 3.0],
    ];
    let sections =
        json!([{"to": 8, "as": ["walk"]}, {"to": 15, "as": ["sneak"]}, {"as": ["martial"]}]);
    let path = json!({"points": points, "sections": sections});
    std::fs::write(bench.path("path.json"), path.to_string()).unwrap();
    let told = bench.json("follow lib.afoot --path path.json -o walk.bvh");
    check_all_but(&told["quality"], &[]);
    check_bars(
        &told["quality"],
        &[("path_mean_m", 0.04), ("path_max_m", 0.15)],
    );
    let switches = told["switches"].as_array().unwrap();
    assert_eq!(switches.len(), 2, "{switches:?}");
    for (switch, asked) in switches.iter().zip([8.0, 15.0]) {
        let at = switch["at_m"].as_f64().unwrap();
        assert!((at - asked).abs() < 0.75, "{at}, not {asked}");
    }
}

#[test]
fn one_sneak_and_its_mirror_image_follow_a_path() {
    // Kovar et al. 2002, figure 6.
    let Some(cmu) = cmu() else { return };
    let bench = Bench::new("captured-sneak");
    let file = files(&cmu, &["142_22".to_owned()]);
    bench.json(&format!("import lib.afoot {file} --mirror --label sneak"));
    bench.json("graph lib.afoot --threshold 10");
    let bend = |step: i32| {
        let along = f64::from(step) * 0.25;
        [1.5 * (along * 0.5).sin(), along]
    };
    let points: Vec<[f64; 2]> = (0..=40).map(bend).collect();
    std::fs::write(
        bench.path("path.json"),
        json!({"points": points}).to_string(),
    )
    .unwrap();
    let told = bench.json("follow lib.afoot --path path.json --as sneak -o walk.bvh");
    check_all_but(&told["quality"], &[]);
    check_bars(
        &told["quality"],
        &[("path_mean_m", 0.04), ("path_max_m", 0.12)],
    );
}

#[test]
fn wanders_for_a_minute_as_each_label_says() {
    let Some(bench) = loco("captured-wander") else {
        return;
    };
    // What falls short of the bars, why, and by how much.
    let short_of = [
        ("walk", [("slide_mm", 10.0); 1]),
        // 3.4 s of runs are joined by walks, whose legs a run's pass closely.
        ("run", [("penetration_cm", 4.2); 1]),
        ("sneak", [("slide_mm", 10.0); 1]),
        // Fighters' feet swivel about no joint of theirs.
        ("martial", [("slide_mm", 15.0); 1]),
        ("style", [("slide_mm", 10.0); 1]),
    ];
    // Fighters turn on the floor by a quarter of a turn and more, of which hips take 26° to either side; so does who
    // comes out of one quick turn into another.
    let swivels = |label: &str| match label {
        "martial" => 25.0,
        "style" => 20.0,
        _ => 10.0,
    };
    for (label, short) in short_of {
        let told = bench.json(&format!(
            "wander lib.afoot --seconds 60 --as {label} -o walk.bvh"
        ));
        check_all_but(&told["quality"], &short.map(|(field, _)| field));
        check_bars(&told["quality"], &short);
        check_bars(&told["quality"], &[("twist_deg", swivels(label))]);
        let even = &told["evenness"];
        let [repeat, playable, seen, times] =
            ["longest_repeat_s", "playable_s", "seen_share", "times"]
                .map(|field| even[field].as_f64().unwrap());
        assert!(seen > 0.8 * f64::min(times, 1.0), "{label}: {even}");
        // Captured runs are a second and a half long: what leads from one to the next is the same again.
        if playable > 10.0 {
            assert!(repeat < 5.0, "{label}: {even}");
        }
    }
    // Jumps end in stands, which lead to the next one: feet leave the floor again and again.
    let told = bench.json("wander lib.afoot --seconds 60 --as jump -o jumps.bvh");
    let jumps = lifts(&bench.path("jumps.bvh"));
    assert!(jumps >= 8, "{jumps} jumps in a minute: {told}");
    let even = &told["evenness"];
    assert!(even["longest_repeat_s"].as_f64().unwrap() < 5.0, "{even}");
    let told = bench.json("wander lib.afoot --seconds 60 -o walk.bvh");
    check_all_but(&told["quality"], &[]);
    assert!(number(&told, "faced_share") >= 0.97, "{told}");
}

/// How often the root of a motion file rises by 20 cm above its median height.
fn lifts(file: &Path) -> usize {
    let text = std::fs::read_to_string(file).unwrap();
    let rows = text
        .lines()
        .skip_while(|line| !line.starts_with("Frame Time"))
        .skip(1);
    let height = |row: &str| row.split_whitespace().nth(1)?.parse::<f64>().ok();
    let heights: Vec<f64> = rows.filter_map(height).collect();
    let mut sorted = heights.clone();
    sorted.sort_by(f64::total_cmp);
    let high = sorted[sorted.len() / 2] + 20.0;
    heights
        .windows(2)
        .filter(|pair| pair[0] < high && pair[1] >= high)
        .count()
}

#[test]
fn a_steered_figure_reacts_and_keeps_its_feet() {
    let Some(bench) = walks("captured-drive") else {
        return;
    };
    let told = bench.json("drive lib.afoot --seconds 120 --reaction -o drive.bvh");
    check_all_but(&told["quality"], &[]);
    check_bars(&told["quality"], &[("skate_cm_s", 3.0)]);
    let [median, slow] =
        ["median", "p95"].map(|field| told["reaction_s"][field].as_f64().unwrap_or(f64::NAN));
    assert!(median <= 1.1 && slow <= 2.2, "{told}");
}
