//! Figure 12: how often a pick is reached within a tolerance, with and without interpolation.

use afoot_synth::plan::Guidance;

use crate::Material;
use crate::locations::locations;
use crate::trial::{Setting, search};

pub fn run(material: &Material) {
    let places = locations(&material.graph, material.locations);
    println!("| task | tolerance | without | with | cost without / with |\n|---|---|---|---|---|");
    for (name, root) in [("pick", false), ("pick, root at a place", true)] {
        for tolerance in [0.025, 0.05, 0.1] {
            // The pick itself; to bring the root to a place, steps before it too.
            let costs = [0, if root { 3 } else { 1 }].map(|interpolation| {
                let setting = Setting {
                    guidance: Guidance::Combined,
                    interpolation,
                    tolerance,
                    epsilon: 2.0,
                    root,
                    bound: f64::INFINITY,
                };
                let found = places.iter().map(|place| {
                    let marks = search(material, place, setting);
                    marks.last().map(|mark| mark.cost)
                });
                found.collect::<Vec<Option<f64>>>()
            });
            let solved = |costs: &[Option<f64>]| {
                100.0 * costs.iter().flatten().count() as f64 / places.len() as f64
            };
            let both = costs[0].iter().zip(&costs[1]);
            let both: Vec<f64> = both.filter_map(|(a, b)| Some((*a)? / (*b)?)).collect();
            println!(
                "| {name} | {:.1} cm | {:.0} % | {:.0} % | {:.2} over {} |",
                100.0 * tolerance,
                solved(&costs[0]),
                solved(&costs[1]),
                both.iter().sum::<f64>() / both.len().max(1) as f64,
                both.len()
            );
        }
    }
}
