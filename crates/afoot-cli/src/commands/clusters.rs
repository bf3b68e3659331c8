//! The cluster graph: `clusters`, `transitions`, `loops`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use afoot::{
    ClusterRecipe, Clusters, ClustersFound, Failure, Library, Loops, Run, Transitions, WaysFound,
};
use clap::Args;

use crate::console::Console;
use crate::failure::Outcome;

/// How frames are clustered, as typed.
#[derive(Debug, Args)]
pub struct ClusterArguments {
    /// Largest error within a cluster [cm]
    #[arg(long, value_name = "CM", default_value_t = ClusterRecipe::default().error_cm)]
    error: f32,
    /// Compare this chain and the root alone (left_leg, torso, ...); may be given several times
    #[arg(long, value_name = "CHAIN")]
    chain: Vec<String>,
    /// Weights of position, velocity and acceleration: {"root": [1, 1, 0.25], "left_arm": [0, 0, 0]}
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Compare where figures are and look too
    #[arg(long)]
    absolute: bool,
    /// Let the mean of the two that merge stand for a cluster, instead of all its frames'
    #[arg(long)]
    pair_centres: bool,
}

impl ClusterArguments {
    /// What is meant.
    pub fn recipe(&self) -> Result<ClusterRecipe, Failure> {
        Ok(ClusterRecipe {
            error_cm: self.error,
            chains: self.chain.clone(),
            weights: self.weights()?,
            absolute: self.absolute,
            pair_centres: self.pair_centres,
        })
    }

    fn weights(&self) -> Result<BTreeMap<String, [f32; 3]>, Failure> {
        let Some(path) = &self.weights else {
            return Ok(BTreeMap::new());
        };
        let text = std::fs::read_to_string(path).map_err(|error| Failure::at(path, error))?;
        serde_json::from_str(&text).map_err(|error| Failure::at(path, error))
    }
}

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = CLUSTERS_EXAMPLES)]
pub struct ClustersArguments {
    /// The library
    library: PathBuf,
    #[command(flatten)]
    clusters: ClusterArguments,
    /// List every node with its sequences (with --json)
    #[arg(long)]
    nodes: bool,
    /// Say how long it takes at worst to get to each clip
    #[arg(long)]
    reach: bool,
}

const CLUSTERS_EXAMPLES: &str = "\
Examples:
  afoot clusters lib.afoot
  afoot clusters lib.afoot --error 6 --reach
  afoot clusters lib.afoot --nodes --json > nodes.json
  afoot clusters lib.afoot --chain left_leg --chain right_leg";

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = TRANSITIONS_EXAMPLES)]
pub struct TransitionsArguments {
    /// The library
    library: PathBuf,
    /// The clip to leave
    from: String,
    /// The clip to enter
    to: String,
    /// Leave about here [s]
    #[arg(long, value_name = "S")]
    near: Option<f64>,
    /// Enter before what happens here [s]
    #[arg(long, value_name = "S")]
    into: Option<f64>,
    /// How many to list
    #[arg(long, value_name = "N", default_value_t = Transitions::default().count)]
    count: usize,
    #[command(flatten)]
    clusters: ClusterArguments,
}

const TRANSITIONS_EXAMPLES: &str = "\
Examples:
  afoot transitions lib.afoot 16_15 16_36
  afoot transitions lib.afoot 16_15 16_03 --near 2 --into 1.5 --count 3";

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = LOOPS_EXAMPLES)]
pub struct LoopsArguments {
    /// The library
    library: PathBuf,
    /// The clip
    clip: String,
    /// How many to list
    #[arg(long, value_name = "N", default_value_t = Loops::default().count)]
    count: usize,
    #[command(flatten)]
    clusters: ClusterArguments,
}

const LOOPS_EXAMPLES: &str = "\
Examples:
  afoot loops lib.afoot 16_15
  afoot loops lib.afoot 16_15 --count 3 --json";

pub fn clusters(arguments: &ClustersArguments, run: &Run, console: &Console) -> Outcome {
    let clusters = Clusters {
        recipe: arguments.clusters.recipe()?,
        nodes: arguments.nodes,
        reach: arguments.reach,
    };
    let found = clusters.run(&Library::open(&arguments.library)?, run)?;
    console.result(&found, clusters_words)
}

pub fn transitions(arguments: &TransitionsArguments, run: &Run, console: &Console) -> Outcome {
    let transitions = Transitions {
        from: arguments.from.clone(),
        to: arguments.to.clone(),
        near: arguments.near,
        into: arguments.into,
        count: arguments.count,
        recipe: arguments.clusters.recipe()?,
    };
    let found = transitions.run(&Library::open(&arguments.library)?, run)?;
    console.result(&found, ways_words)
}

pub fn loops(arguments: &LoopsArguments, run: &Run, console: &Console) -> Outcome {
    let loops = Loops {
        clip: arguments.clip.clone(),
        count: arguments.count,
        recipe: arguments.clusters.recipe()?,
    };
    let found = loops.run(&Library::open(&arguments.library)?, run)?;
    console.result(&found, ways_words)
}

fn clusters_words(found: &ClustersFound) -> String {
    let mut words = format!(
        "{} frames in {} nodes, {} sequences, {} edges",
        found.frames, found.nodes, found.sequences, found.edges
    );
    for cycle in &found.cycles {
        words += &format!(
            "\n{}: {:.1} cycles of {:.2} s from {:.2} s on, {:.1} cm apart",
            cycle.clip, cycle.cycles, cycle.period, cycle.phase, cycle.error_cm
        );
    }
    for reach in &found.reach {
        words += &format!(
            "\n{}: reached from {:.0} % of the library, within {:.1} s",
            reach.clip,
            100.0 * reach.share,
            reach.worst_seconds
        );
    }
    words
}

fn ways_words(found: &WaysFound) -> String {
    let line = |(index, way): (usize, &afoot::WayFound)| {
        let through = match way.through.is_empty() {
            true => String::new(),
            false => format!(
                ", through {} for {:.2} s",
                way.through.join(", "),
                way.seconds
            ),
        };
        format!(
            "{:3}. {} at {:.2} s to {} at {:.2} s: {:.1} cm{through}\n",
            index + 1,
            way.from.clip,
            way.from.time,
            way.to.clip,
            way.to.time,
            way.error_cm
        )
    };
    found.found.iter().enumerate().map(line).collect()
}
