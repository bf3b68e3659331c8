//! The worlds among the examples.

#![allow(clippy::unwrap_used)] // a test fails by panicking

use afoot_world::World;

#[test]
fn sample_worlds_are_read_and_have_room() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/worlds");
    let files = std::fs::read_dir(folder).unwrap();
    let mut seen = 0;
    for file in files.map(|entry| entry.unwrap().path()) {
        let text = std::fs::read_to_string(&file).unwrap();
        let world = World::from_json(&text).unwrap_or_else(|error| panic!("{file:?}: {error}"));
        let [low, [width, depth]] = [world.bounds[0], world.size()];
        let places = (0..400).map(|k| {
            let (i, j) = (f64::from(k % 20) + 0.5, f64::from(k / 20) + 0.5);
            [low[0] + width * i / 20.0, low[1] + depth * j / 20.0]
        });
        let free = places.filter(|place| world.clearance(*place) >= world.radius);
        assert!(free.count() > 100, "{file:?}");
        seen += 1;
    }
    assert!(seen >= 4, "{seen} worlds");
}
