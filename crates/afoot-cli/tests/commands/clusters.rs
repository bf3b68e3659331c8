//! `clusters`, `transitions`, `loops`, `join`, `loop`.

use crate::support::with_graph;

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
    let coarse = bench.json("clusters lib.afoot --error 30");
    assert!(coarse["nodes"].as_u64().unwrap() < nodes);
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
        ("loop lib.afoot walk --cycles 1e308 -o no.bvh", 1, "up to"),
        ("loop lib.afoot walk --metres 1e308 -o no.bvh", 1, "up to"),
        ("loop lib.afoot walk --choice 999 -o no.bvh", 1, "999"),
        ("clusters lib.afoot --error -1", 1, "-1"),
        ("clusters lib.afoot --chain tail", 1, "tail"),
        ("transitions lib.afoot walk walk --error 0.001", 3, "0.001"),
    ] {
        let message = bench.fails(status, command);
        assert!(message.contains(expected), "{command}: {message}");
    }
    assert!(!bench.path("no.bvh").exists());
}
