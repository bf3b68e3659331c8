//! `clusters`, `transitions`, `loops`, `join`, `loop`, `like`.

use afoot_fixtures::Captured;
use serde_json::Value;

use crate::support::{Bench, cmu, with_graph};

#[test]
fn clusters_are_found_kept_and_listed() {
    let bench = with_graph("clusters");
    let told = bench.json("clusters lib.afoot --nodes --reach");
    let nodes = told["nodes"].as_u64().unwrap();
    assert_eq!(told["list"].as_array().unwrap().len() as u64, nodes);
    let sequences: usize = told["list"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| node["sequences"].as_array().unwrap().len())
        .sum();
    assert_eq!(told["sequences"].as_u64().unwrap() as usize, sequences);
    assert!(
        !told["cycles"].as_array().unwrap().is_empty(),
        "a walk repeats itself: {told}"
    );
    for node in told["list"].as_array().unwrap() {
        assert!(node["error_cm"].as_f64().unwrap() <= 10.0, "{node}");
        for sequence in node["sequences"].as_array().unwrap() {
            let [from, to, at] =
                ["from", "to", "aligned"].map(|field| sequence[field].as_f64().unwrap());
            assert!(from <= at && at < to, "{sequence}");
            let next = &sequence["next"];
            let leads = node["next"].as_array().unwrap().contains(next);
            assert!(next.is_null() || leads || *next == node["node"], "{node}");
        }
    }
    let coarse = bench.json("clusters lib.afoot --error 30");
    assert!(coarse["nodes"].as_u64().unwrap() < nodes);
    // The tree is kept: the library does not change.
    let size = || std::fs::metadata(bench.path("lib.afoot")).unwrap().len();
    let before = size();
    bench.json("clusters lib.afoot --error 20");
    assert_eq!(size(), before);
}

#[test]
fn frames_are_compared_as_asked() {
    let bench = with_graph("compared");
    let nodes = |options: &str| {
        let told = bench.json(&format!("clusters lib.afoot {options}"));
        told["nodes"].as_u64().unwrap()
    };
    let usual = nodes("");
    assert!(nodes("--absolute") > usual, "places tell frames apart");
    assert_ne!(nodes("--pair-centres"), usual);
    assert_ne!(nodes("--chain legs"), usual);
    assert_ne!(nodes("--tau 0.2"), usual);
    let weights = r#"{"left_leg": [0, 0, 0], "right_leg": [0, 0, 0]}"#;
    std::fs::write(bench.path("weights.json"), weights).unwrap();
    assert_ne!(nodes("--weights weights.json"), usual);
    std::fs::write(bench.path("wrong.json"), r#"{"tail": [1, 1, 1]}"#).unwrap();
    std::fs::write(bench.path("short.json"), r#"{"root": [1, 1]}"#).unwrap();
    for (file, expected) in [
        ("wrong", "tail"),
        ("short", "short.json"),
        ("none", "none.json"),
    ] {
        let message = bench.fails(1, &format!("clusters lib.afoot --weights {file}.json"));
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn nodes_are_walked_through_by_hand() {
    let bench = with_graph("by-hand");
    let told = bench.json("clusters lib.afoot --nodes");
    let list = told["list"].as_array().unwrap();
    // Four nodes in a row, along the edges.
    let mut walk = vec![list[0]["node"].as_u64().unwrap()];
    while walk.len() < 4 {
        let next = &list[*walk.last().unwrap() as usize]["next"];
        walk.push(next[0].as_u64().unwrap());
    }
    let numbers: Vec<String> = walk.iter().map(u64::to_string).collect();
    let nodes = numbers.join(",");
    let made = bench.json(&format!("join lib.afoot --nodes {nodes} -o nodes.bvh"));
    assert!(made["quality"]["frames"].as_u64().unwrap() >= 4);
    // Of the second node, a clip that is not the first one's own.
    let second = list[walk[1] as usize]["sequences"].as_array().unwrap();
    let first = list[walk[0] as usize]["sequences"].as_array().unwrap();
    let first = first.iter().find(|s| s["next"] == walk[1]).unwrap();
    let leads = |s: &&Value| s["next"] == walk[2] && s["clip"] != first["clip"];
    if let Some(other) = second.iter().find(leads) {
        let [own, clip] = [first, other].map(|s| s["clip"].as_str().unwrap());
        let [a, b, c] = [0, 1, 2].map(|index| &numbers[index]);
        let asked = format!("{a}:{own},{b}:{clip},{c}");
        let made = bench.json(&format!("join lib.afoot --nodes {asked} -o chosen.bvh"));
        assert_eq!(made["joins"].as_array().unwrap().len(), 1, "{made}");
        let sources = made["sources"].as_array().unwrap();
        assert_eq!(sources.last().unwrap()["clip"], clip, "{made}");
    }
    let first = list[walk[0] as usize]["sequences"][0]["sequence"]
        .as_u64()
        .unwrap();
    let made = bench.json(&format!("join lib.afoot --sequences {first} -o one.bvh"));
    assert_eq!(made["sources"].as_array().unwrap().len(), 1);
    let far = (0..list.len() as u64).find(|node| {
        !list[0]["next"]
            .as_array()
            .unwrap()
            .contains(&(*node).into())
    });
    let message = bench.fails(
        1,
        &format!("join lib.afoot --nodes 0,{} -o no.bvh", far.unwrap()),
    );
    assert!(message.contains("leads to"), "{message}");
}

#[test]
fn synthetic_joins_are_made_only_where_they_are_allowed() {
    let bench = with_graph("synthetic");
    let asked = "join lib.afoot walk walk_turn_left --error 0.01 -o joined.bvh";
    bench.fails(3, asked);
    let made = bench.json(&format!("{asked} --synthetic"));
    assert_eq!(made["joins"][0]["synthetic"], true, "{made}");
    let natural = bench.json("join lib.afoot walk walk_turn_left --synthetic -o natural.bvh");
    let joins = natural["joins"].as_array().unwrap();
    assert!(
        joins.iter().all(|join| join["synthetic"] == false),
        "{natural}"
    );
    let long = bench.json("join lib.afoot walk walk_turn_left --blend 0.4 -o short.bvh");
    assert!(
        long["joins"][0]["blend"].as_f64().unwrap() <= 0.41,
        "{long}"
    );
}

#[test]
fn loops_lead_over_other_clips_where_that_is_asked() {
    let bench = with_graph("over-others");
    let found = bench.json("loops lib.afoot walk --through --count 3");
    let ways = found["found"].as_array().unwrap();
    assert!(!ways.is_empty() && ways.len() <= 3);
    for way in ways {
        assert!(!way["through"].as_array().unwrap().is_empty(), "{way}");
        assert_eq!(
            (&way["from"]["clip"], &way["to"]["clip"]),
            (&"walk".into(), &"walk".into())
        );
    }
    let made = bench.json("loop lib.afoot walk --through --cycles 2 -o over.bvh");
    let clips: Vec<&str> = made["sources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|source| source["clip"].as_str().unwrap())
        .collect();
    assert!(
        clips.contains(&"walk") && clips.iter().any(|clip| *clip != "walk"),
        "{clips:?}"
    );
    let gone = bench.json("loop lib.afoot walk --metres 4 -o far.bvh");
    let text = std::fs::read_to_string(bench.path("far.bvh")).unwrap();
    let motion = text.split("Frame Time").nth(1).unwrap();
    let roots: Vec<[f64; 2]> = motion
        .lines()
        .skip(1)
        .map(|line| {
            let numbers: Vec<f64> = line
                .split_whitespace()
                .map(|n| n.parse().unwrap())
                .collect();
            [numbers[0], numbers[2]]
        })
        .collect();
    let step = |pair: &[[f64; 2]]| (pair[1][0] - pair[0][0]).hypot(pair[1][1] - pair[0][1]);
    let metres = roots.windows(2).map(step).sum::<f64>() / 100.0;
    assert!((metres - 4.0).abs() < 0.1, "{metres} m: {gone}");
}

#[test]
fn like_stretches_are_found() {
    let bench = with_graph("like");
    let found = bench.json("like lib.afoot walk[0.5s..1.6s]");
    let all = found["found"].as_array().unwrap();
    assert!(
        all.iter().any(|like| like["clip"] == "walk"),
        "other cycles of it: {found}"
    );
    assert!(all.iter().any(|like| like["clip"] != "walk"), "{found}");
    for (command, status, expected) in [
        ("like lib.afoot wlak", 1, "walk"),
        ("like lib.afoot walk[3s..2s]", 1, "walk"),
        ("like lib.afoot walk --error 0", 1, "0"),
        ("like lib.afoot walk --most 0", 1, "0"),
        ("like lib.afoot walk --error 0.001", 3, "0.001"),
    ] {
        let message = bench.fails(status, command);
        assert!(message.contains(expected), "{command}: {message}");
    }
}

#[test]
fn a_cluster_graph_is_followed_reached_and_crowded() {
    let bench = with_graph("on-clusters");
    let before = bench.json("graph lib.afoot --threshold 4");
    let built = bench.json("graph lib.afoot --clusters");
    assert!(built["component_share"].as_f64().unwrap() > 0.3, "{built}");
    let walked = bench.json("follow lib.afoot --path circle.json -o circle.bvh");
    assert!(
        walked["quality"]["path_max_m"].as_f64().unwrap() < 0.5,
        "{walked}"
    );
    bench.json("reach lib.afoot walk_arc_left --at 2,3 --heading 40 -o there.bvh");
    std::fs::write(bench.path("world.json"), r#"{"bounds": [[-6,-6],[6,6]]}"#).unwrap();
    bench.json("crowd lib.afoot --world world.json --count 2 --seconds 3 -o crowd");
    // Its transitions are not all that there are, and no other graph takes them for that.
    let after = bench.json("graph lib.afoot --threshold 4");
    assert_eq!(after["transitions"], before["transitions"]);
}

/// The bars that every motion keeps on real data.
const BARS: [(&str, f64); 11] = [
    ("skate_cm_s", 5.0),
    ("skate_share", 0.01),
    ("slide_mm", 10.0),
    ("sink_cm", 1.0),
    ("jump_ratio", 1.5),
    ("acceleration_ratio", 1.5),
    ("hip_change_cm", 1.0),
    ("knee_change_deg", 2.5),
    ("knee_acceleration_ratio", 1.5),
    ("root_acceleration_ratio", 1.5),
    ("unsupported_share", 0.01),
];

/// The bars that a motion does not keep.
fn above_bars(quality: &Value) -> Vec<(&'static str, f64)> {
    let value = |field: &str| quality[field].as_f64().unwrap_or(0.0);
    let mut above: Vec<(&str, f64)> = BARS
        .iter()
        .map(|(field, bar)| (*field, value(field), *bar))
        .filter(|(_, value, bar)| value > bar)
        .map(|(field, value, _)| (field, value))
        .collect();
    let faced = quality["faced_share"].as_f64().unwrap_or(1.0);
    above.extend((faced < 0.95).then_some(("faced_share", faced)));
    above
}

/// A library of captured clips.
fn captured(name: &str, names: &[String]) -> Option<Bench> {
    let folder = cmu()?;
    let bench = Bench::new(name);
    let files = names
        .iter()
        .map(|name| folder.join("bvh").join(format!("{name}.bvh")));
    let files: Vec<String> = files.map(|file| file.display().to_string()).collect();
    bench.json(&format!("import lib.afoot {}", files.join(" ")));
    Some(bench)
}

/// Walk, run, jump, a walk that stops, a turn: each into each other, directly or over other clips.
#[test]
fn captured_clips_of_all_kinds_are_joined_within_the_bars() {
    let Some(sets) = Captured::find() else { return };
    let names = sets.sets["sets"]["loco"]["subsets"]["loco200"]["files"].clone();
    let names: Vec<String> = serde_json::from_value(names).unwrap();
    let bench = captured("joined", &names).unwrap();
    let wanted = ["16_15", "16_36", "16_03", "16_34", "16_17"];
    let (mut kept, mut all) = (0, 0);
    for from in wanted {
        for to in wanted.into_iter().filter(|to| *to != from) {
            let made = bench.json(&format!("join lib.afoot {from} {to} -o joined.bvh"));
            let above = above_bars(&made["quality"]);
            let sources = made["sources"].as_array().unwrap();
            let clips: Vec<&str> = sources
                .iter()
                .map(|s| s["clip"].as_str().unwrap())
                .collect();
            println!("{}: above {above:?}", clips.join(" > "));
            assert_eq!((clips[0], clips[clips.len() - 1]), (from, to));
            kept += usize::from(above.is_empty());
            all += 1;
        }
    }
    println!("{kept} of {all} within all bars");
    assert_eq!(all, 20);
    assert!(kept >= 18, "{kept} of {all}");
    // A walk that goes on and on turns as it was captured, and shows no seams.
    let looped = bench.json("loop lib.afoot 16_15 --cycles 20 -o loop.bvh");
    for field in ["jump_ratio", "acceleration_ratio"] {
        let ratio = looped["quality"][field].as_f64().unwrap();
        println!("loop of 20 cycles: {field} {ratio:.3}");
        assert!(ratio <= 1.1, "{field} is {ratio}");
    }
    assert_eq!(above_bars(&looped["quality"]), []);
    bench.json("export lib.afoot 16_15 -o source.bvh");
    let period = looped["quality"]["frames"].as_f64().unwrap() / 20.0;
    let source = mean_turn(&bench, "source.bvh", period.round() as usize);
    let turns = turns(&bench, "loop.bvh", period.round() as usize);
    let worst = turns
        .iter()
        .map(|turn| (turn - source).abs())
        .fold(0.0, f64::max);
    println!(
        "a cycle of the source turns by {source:.2}°, those of the loop {worst:.2}° more or less"
    );
    assert!(worst <= 1.0, "{worst} degrees: {turns:?}");
}

/// A walk, an exaggerated one and a kick of two bodies (Shanbhag 2006, figures 4.9 and 4.10): feet that rest at other
/// heights stand on one floor, on which they are judged too.
#[test]
fn captured_walks_strides_and_a_kick_are_joined() {
    let names = ["08_02", "08_07", "11_01"].map(str::to_owned);
    let Some(bench) = captured("figures", &names) else {
        return;
    };
    for (from, to) in [("08_02", "08_07"), ("08_07", "08_02"), ("08_02", "11_01")] {
        let made = bench.json(&format!(
            "join lib.afoot {from} {to} --error 12 -o joined.bvh"
        ));
        let above = above_bars(&made["quality"]);
        assert!(above.is_empty(), "{from} to {to}: {above:?}");
        assert!(
            made["joins"]
                .as_array()
                .unwrap()
                .iter()
                .all(|join| join["synthetic"] == false)
        );
    }
}

/// How much the root turns from each frame to that a period later. [degrees]
fn turns(bench: &Bench, file: &str, period: usize) -> Vec<f64> {
    let path = bench.path(file);
    let read = afoot_formats::read_motion(&path, &Default::default()).unwrap();
    let headings = afoot_core::headings(&read.clip);
    let turn = |pair: &[f64]| afoot_core::wrap_angle(pair[period] - pair[0]).to_degrees();
    headings.windows(period + 1).map(turn).collect()
}

fn mean_turn(bench: &Bench, file: &str, period: usize) -> f64 {
    let turns = turns(bench, file, period);
    turns.iter().sum::<f64>() / turns.len() as f64
}

#[test]
fn ways_and_loops_are_played() {
    let bench = with_graph("ways");
    let clips = bench.json("list lib.afoot --type walk");
    let names: Vec<String> = clips["clips"]
        .as_array()
        .unwrap()
        .iter()
        .map(|clip| clip["name"].as_str().unwrap().to_owned())
        .collect();
    let [a, b] = [&names[0], &names[1]];
    let ways = bench.json(&format!("transitions lib.afoot {a} {b} --count 3"));
    let best = &ways["found"][0];
    assert_eq!(
        (best["from"]["clip"].as_str(), best["to"]["clip"].as_str()),
        (Some(a.as_str()), Some(b.as_str()))
    );
    let joined = bench.json(&format!("join lib.afoot {a} {b} -o joined.bvh"));
    let sources = joined["sources"].as_array().unwrap();
    assert_eq!(sources[0]["clip"].as_str(), Some(a.as_str()));
    assert_eq!(
        sources[sources.len() - 1]["clip"].as_str(),
        Some(b.as_str())
    );
    assert!(
        joined["quality"]["jump_ratio"].as_f64().unwrap() <= 1.5,
        "{joined}"
    );
    let played = joined["played"].as_array().unwrap();
    let (first, last) = (&played[0], &played[played.len() - 1]);
    assert_eq!(
        (first["clip"].as_str(), first["asked"].as_bool()),
        (Some(a.as_str()), Some(true))
    );
    assert_eq!(
        (last["clip"].as_str(), last["asked"].as_bool()),
        (Some(b.as_str()), Some(true))
    );
    let entered = last["from"].as_f64().unwrap();
    assert!(
        (last["left_out"][0].as_f64().unwrap() - entered).abs() < 1e-9,
        "{joined}"
    );
    let period = bench.json(&format!("loops lib.afoot {a}"))["found"][0]["seconds"]
        .as_f64()
        .unwrap();
    let looped = bench.json(&format!("loop lib.afoot {a} --cycles 3.5 -o loop.bvh"));
    let seconds = looped["quality"]["seconds"].as_f64().unwrap();
    assert!(
        (seconds - 3.5 * period).abs() < 0.1,
        "{seconds} of {period}"
    );
    let far = bench.json(&format!("loop lib.afoot {a} --metres 4 -o far.bvh"));
    assert!(far["quality"]["frames"].as_u64().unwrap() > 30);
}

#[test]
fn what_can_not_be_joined_is_refused_by_name() {
    let bench = with_graph("not-joined");
    for (command, status, expected) in [
        ("join lib.afoot walk -o no.bvh", 1, "two clips"),
        ("join lib.afoot walk wlak -o no.bvh", 1, "walk"),
        ("join lib.afoot --nodes 999999 -o no.bvh", 1, "999999"),
        ("loop lib.afoot walk --cycles 0 -o no.bvh", 1, "0"),
        ("loop lib.afoot walk --cycles 1e308 -o no.bvh", 1, "at most"),
        ("loop lib.afoot walk --metres 1e308 -o no.bvh", 1, "at most"),
        ("loop lib.afoot walk --cycles 90000 -o no.bvh", 1, "up to"),
        (
            "loop lib.afoot walk --choice 999 -o no.bvh",
            1,
            "--choice 999",
        ),
        ("loop lib.afoot walk --blend 20 -o no.bvh", 1, "at most 10"),
        ("clusters lib.afoot --error -1", 1, "-1"),
        ("clusters lib.afoot --chain tail", 1, "tail"),
        ("transitions lib.afoot walk walk --error 0.001", 3, "0.001"),
    ] {
        let message = bench.fails(status, command);
        assert!(message.contains(expected), "{command}: {message}");
    }
    assert!(!bench.path("no.bvh").exists());
}
