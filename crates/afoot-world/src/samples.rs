//! Three worlds to try things in, as files of the contract.

/// Every sample world by its name.
pub const WORLDS: [(&str, &str); 3] = [
    ("room", include_str!("../worlds/room.json")),
    ("torus", include_str!("../worlds/torus.json")),
    ("maze", include_str!("../worlds/maze.json")),
];
