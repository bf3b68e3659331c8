//! `matrix` and `tiles`: the graph seen, and built in pieces.

use crate::support::with_graph;

#[test]
fn a_build_in_pieces_gives_the_same_motion() {
    let bench = with_graph("tiles");
    let follow = "follow lib.afoot --path circle.json -o";
    bench.json(&format!("{follow} whole.bvh"));
    // A library of the same clips that never saw a graph.
    bench.json("import lib2.afoot bvh --mirror");
    let plan = bench.json("tiles plan lib2.afoot -o plan.json --size 300");
    let pieces = plan["pieces"].as_u64().unwrap();
    assert!(pieces > 3, "{plan}");
    let last = (pieces - 1).to_string();
    let run = "tiles run lib2.afoot --plan plan.json -o pieces";
    let message = bench.fails(
        1,
        "tiles merge lib2.afoot --plan plan.json --results pieces",
    );
    assert!(message.contains("piece 0"), "{message}");
    bench.json(&format!("{run} --pieces {last}"));
    assert_eq!(bench.json(run)["already_there"], 1);
    bench.json("tiles merge lib2.afoot --plan plan.json --results pieces");
    let kinds = bench.json("show lib2.afoot")["artefacts"].to_string();
    assert!(
        kinds.contains("candidates"),
        "what took the time is kept: {kinds}"
    );
    bench.json("follow lib2.afoot --path circle.json -o pieces.bvh");
    let read = |name: &str| std::fs::read(bench.path(name)).unwrap();
    assert!(read("whole.bvh") == read("pieces.bvh"));
}

#[test]
fn the_matrix_of_two_clips_is_drawn() {
    let bench = with_graph("matrix");
    let told = bench.json("matrix lib.afoot walk walk_turn_left -o m.png");
    assert!(told["minima"].as_u64().unwrap() > 0, "{told}");
    assert!(
        std::fs::read(bench.path("m.png"))
            .unwrap()
            .starts_with(b"\x89PNG")
    );
}
