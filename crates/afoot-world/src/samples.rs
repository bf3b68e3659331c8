//! Three worlds to try things in, as world files.

/// Every sample world by its name.
pub const WORLDS: [(&str, &str); 3] = [
    ("room", include_str!("../../../examples/worlds/room.json")),
    ("torus", include_str!("../../../examples/worlds/torus.json")),
    ("maze", include_str!("../../../examples/worlds/maze.json")),
];

#[cfg(test)]
mod tests {
    use crate::world::World;

    #[test]
    fn sample_worlds_are_read_and_have_room() {
        for (name, text) in super::WORLDS {
            let world = World::from_json(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            let [low, [width, depth]] = [world.bounds[0], world.size()];
            let places = (0..400).map(|k| {
                let (i, j) = (f64::from(k % 20) + 0.5, f64::from(k / 20) + 0.5);
                [low[0] + width * i / 20.0, low[1] + depth * j / 20.0]
            });
            let free = places.filter(|place| world.clearance(*place) >= world.radius);
            assert!(free.count() > 100, "{name}");
        }
    }
}
