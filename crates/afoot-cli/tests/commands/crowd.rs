//! `crowd`.

use crate::quality::check_feet;
use crate::support::with_graph;

#[test]
fn a_small_crowd_keeps_its_distance() {
    let bench = with_graph("crowd");
    let world =
        r#"{"bounds": [[0,0],[12,12]], "obstacles": [{"circle": [6,6,1]}], "radius": 0.25}"#;
    std::fs::write(bench.path("world.json"), world).unwrap();
    let told = bench.json("crowd lib.afoot --world world.json --count 6 --seconds 8 -o crowd");
    assert!(told["least_distance_m"].as_f64().unwrap() >= 0.45, "{told}");
    assert!(
        told["least_clearance_m"].as_f64().unwrap() >= 0.25,
        "{told}"
    );
    for character in told["characters"].as_array().unwrap() {
        check_feet(&character["quality"]);
        assert!(
            bench
                .path("crowd")
                .join(character["file"].as_str().unwrap())
                .exists()
        );
    }
    std::fs::write(bench.path("bad.json"), r#"{"bounds": [[0,0]]}"#).unwrap();
    let message = bench.fails(
        1,
        "crowd lib.afoot --world bad.json --count 2 --seconds 8 -o x",
    );
    assert!(message.contains("bad.json"), "{message}");
}
