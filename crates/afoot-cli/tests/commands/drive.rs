//! `drive`.

use crate::quality::check_quality;
use crate::support::with_graph;

#[test]
fn a_figure_goes_where_it_is_steered() {
    let bench = with_graph("drive");
    let drive = |more: &str| {
        bench.json(&format!(
            "drive lib.afoot --seconds 12 --steer 0:0 --steer 6:180 {more}"
        ))
    };
    let told = drive("--reaction -o one.bvh");
    check_quality(&told["quality"]);
    assert!(told["reaction_s"]["wishes"].as_u64().unwrap() > 5, "{told}");
    let told = drive("-o two.bvh");
    assert!(told.get("reaction_s").is_none(), "only where asked for");
    let read = |name: &str| std::fs::read_to_string(bench.path(name)).unwrap();
    assert!(
        read("one.bvh") == read("two.bvh"),
        "the same wishes give the same motion"
    );

    // Root z is the third number of a row: towards +z for six seconds, then back.
    let motion = read("one.bvh");
    let rows: Vec<&str> = motion
        .lines()
        .skip_while(|line| !line.starts_with("Frame Time"))
        .collect();
    let z = |frame: usize| -> f64 {
        rows[1 + frame]
            .split_whitespace()
            .nth(2)
            .unwrap()
            .parse()
            .unwrap()
    };
    assert!(z(179) - z(0) > 300.0, "from {} to {} cm", z(0), z(179));
    assert!(z(359) - z(230) < -200.0, "from {} to {} cm", z(230), z(359));

    let message = bench.fails(1, "drive lib.afoot --seconds 2 --steer 0:0:fly -o x.bvh");
    assert!(message.contains("fly"), "{message}");
    let message = bench.fails(1, "drive lib.afoot --seconds 2 --steer north -o x.bvh");
    assert!(message.contains("north"), "{message}");
}
