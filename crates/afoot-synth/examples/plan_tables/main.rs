//! Tables 1 and 2 and figure 12 of Safonova and Hodgins 2007 on a library's own clips (README.md).

#![allow(clippy::unwrap_used)] // an experiment stops where something is amiss

mod compression;
mod heuristics;
mod interpolation;
mod locations;
mod trial;

use std::path::Path;

use afoot_core::Clip;
use afoot_graph::contact::{ContactGraph, ContactOptions, build_contact_graph};
use afoot_graph::level_clip;
use afoot_library::Library;
use afoot_run::Run;

/// What an experiment is run on.
pub struct Material {
    /// Level, those of the graph.
    pub clips: Vec<Clip>,
    /// What is searched.
    pub graph: ContactGraph,
    /// How many places there are to pick something up.
    pub locations: usize,
    /// Longest of a search, of the processor. [s]
    pub seconds: f64,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str, usual: f64| {
        let at = words.iter().position(|word| word == name);
        at.map_or(usual, |at| words[at + 1].parse().unwrap())
    };
    let [what, library] =
        [0, 1].map(|at| words.get(at).expect("an experiment and a library").as_str());
    let options = ContactOptions::default();
    let clips: Vec<Clip> = Library::open_read_only(Path::new(library))
        .unwrap()
        .load_all()
        .unwrap()
        .iter()
        .map(level_clip)
        .collect();
    if what == "compression" {
        return compression::run(&clips, &options, number("--locations", 30.0) as usize);
    }
    let material = Material {
        graph: build_contact_graph(&clips, &options, &Run::quiet()).unwrap(),
        clips,
        locations: number("--locations", 40.0) as usize,
        seconds: number("--seconds", 10.0),
    };
    match what {
        "heuristics" => heuristics::run(&material),
        "interpolation" => interpolation::run(&material),
        other => panic!("no experiment is called {other}"),
    }
}
