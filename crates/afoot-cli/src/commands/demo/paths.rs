//! The paths that the demo walks.

use std::f64::consts::TAU;

/// Name and points of each. [m]
pub fn sample_paths() -> [(&'static str, Vec<[f64; 2]>); 4] {
    [
        (
            "circle",
            curve(|t| [2.0 * (TAU * t).cos(), 2.0 * (TAU * t).sin()]),
        ),
        (
            "eight",
            curve(|t| [3.0 * (TAU * t).sin(), 1.5 * (2.0 * TAU * t).sin()]),
        ),
        ("straight", curve(|t| [0.0, 8.0 * t])),
        (
            "winding",
            curve(|t| [1.2 * (1.5 * TAU * t).sin(), 10.0 * t]),
        ),
    ]
}

fn curve(at: impl Fn(f64) -> [f64; 2]) -> Vec<[f64; 2]> {
    (0..=200).map(|step| at(f64::from(step) / 200.0)).collect()
}
