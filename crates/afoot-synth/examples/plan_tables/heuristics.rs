//! Table 2: how many states four heuristics expand until something is proven.

use afoot_synth::plan::Guidance;

use crate::Material;
use crate::locations::locations;
use crate::trial::{Mark, Setting, search};

const BOUNDS: [f64; 3] = [10.0, 3.0, 1.0];

pub fn run(material: &Material) {
    let places = locations(&material.graph, material.locations);
    let all = [
        ("Euclidean", Guidance::Euclidean),
        ("place", Guidance::Place),
        ("graph", Guidance::Graph),
        ("combined", Guidance::Combined),
    ];
    println!(
        "| heuristic | bound | solved | expanded, mean | seconds, mean |\n|---|---|---|---|---|"
    );
    let mut reached: Vec<Vec<[Option<Mark>; 3]>> = Vec::new();
    for (name, guidance) in all {
        let setting = Setting {
            guidance,
            interpolation: 1,
            tolerance: 0.05,
            epsilon: 10.0,
            root: false,
            bound: 1.0,
        };
        let found = places.iter().map(|place| {
            let marks = search(material, place, setting);
            BOUNDS.map(|bound| {
                marks
                    .iter()
                    .copied()
                    .find(|mark| mark.bound <= bound + 1e-9)
            })
        });
        let found: Vec<[Option<Mark>; 3]> = found.collect();
        for (index, bound) in BOUNDS.iter().enumerate() {
            let marks: Vec<Mark> = found.iter().filter_map(|marks| marks[index]).collect();
            let mean = |of: &dyn Fn(&Mark) -> f64| {
                marks.iter().map(of).sum::<f64>() / marks.len().max(1) as f64
            };
            println!(
                "| {name} | {bound} | {} of {} | {:.0} | {:.2} |",
                marks.len(),
                places.len(),
                mean(&|mark| mark.expanded as f64),
                mean(&|mark| mark.seconds)
            );
        }
        reached.push(found);
    }
    compare(&reached[0], &reached[3]);
}

/// Expansions over the locations that both solve.
fn compare(euclidean: &[[Option<Mark>; 3]], combined: &[[Option<Mark>; 3]]) {
    for (index, bound) in BOUNDS.iter().enumerate() {
        let both = euclidean.iter().zip(combined);
        let both: Vec<(f64, f64)> = both
            .filter_map(|(a, b)| Some((a[index]?.expanded as f64, b[index]?.expanded as f64)))
            .collect();
        let (a, b) = both
            .iter()
            .fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
        println!(
            "bound {bound}: over the {} that both solve Euclidean expands {:.1} times as many",
            both.len(),
            a / b
        );
    }
}
