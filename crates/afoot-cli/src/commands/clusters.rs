//! The cluster graph: `clusters`, `transitions`, `loops`; stretches that do the same: `like`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use afoot::{
    ClusterRecipe, Clusters, ClustersFound, Failure, Library, Like, LikeFound, LikeStretch, Loops,
    NodeListed, Run, Transitions, WaysFound,
};
use clap::Args;

use crate::arguments::read_json;
use crate::console::Console;
use crate::failure::Outcome;

/// How frames are clustered, as typed.
#[derive(Debug, Args)]
pub struct ClusterArguments {
    /// Largest error within a cluster [cm]
    #[arg(long, value_name = "CM", default_value_t = ClusterRecipe::default().error_cm)]
    error: f32,
    #[command(flatten)]
    metric: MetricArguments,
    /// Let the mean of the two that merge stand for a cluster, instead of all its frames'
    #[arg(long)]
    pair_centres: bool,
}

/// What frames are compared by, as typed.
#[derive(Debug, Args)]
pub struct MetricArguments {
    /// Compare this part of the body and the root alone: a chain (left_leg, torso, head, ...), legs, arms or
    /// upper_body; may be given several times
    #[arg(long, value_name = "CHAIN")]
    chain: Vec<String>,
    /// Weights of position, velocity and acceleration: {"root": [1, 1, 0.25], "left_arm": [0, 0, 0]}
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// What a velocity, and twice an acceleration, is multiplied with to be a length [s]
    #[arg(long, value_name = "S", default_value_t = ClusterRecipe::default().tau)]
    tau: f32,
    /// Compare where figures are and look too
    #[arg(long)]
    absolute: bool,
}

impl ClusterArguments {
    /// What is meant.
    pub fn recipe(&self) -> Result<ClusterRecipe, Failure> {
        Ok(ClusterRecipe {
            error_cm: self.error,
            pair_centres: self.pair_centres,
            ..self.metric.recipe()?
        })
    }
}

impl MetricArguments {
    /// What is meant.
    fn recipe(&self) -> Result<ClusterRecipe, Failure> {
        Ok(ClusterRecipe {
            chains: self.chain.clone(),
            weights: self.weights()?,
            tau: self.tau,
            absolute: self.absolute,
            ..ClusterRecipe::default()
        })
    }

    fn weights(&self) -> Result<BTreeMap<String, [f32; 3]>, Failure> {
        Ok(read_json(self.weights.as_ref())?.unwrap_or_default())
    }
}

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = CLUSTERS_EXAMPLES)]
pub struct ClustersArguments {
    /// The library
    library: PathBuf,
    #[command(flatten)]
    clusters: ClusterArguments,
    /// List every node with its sequences and where they lead; --json always does
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
  afoot clusters lib.afoot --chain legs --error 30";

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
    /// The clip, or a part of it as NAME[2.0s..4.5s]
    clip: String,
    /// Those that lead over other clips, instead of those within the clip
    #[arg(long)]
    through: bool,
    /// How many to list
    #[arg(long, value_name = "N", default_value_t = Loops::default().count)]
    count: usize,
    #[command(flatten)]
    clusters: ClusterArguments,
}

const LOOPS_EXAMPLES: &str = "\
Examples:
  afoot loops lib.afoot 16_15
  afoot loops lib.afoot 16_15 --count 3 --json
  afoot loops lib.afoot 16_03 --through";

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = LIKE_EXAMPLES)]
pub struct LikeArguments {
    /// The library
    library: PathBuf,
    /// The example: NAME[2.0s..4.5s] or NAME[60..135], or a whole clip
    example: String,
    /// Largest mean error of the frames of a stretch and of what it was found by [cm]
    #[arg(long, value_name = "CM", default_value_t = Like::default().error_cm)]
    error: f32,
    /// How often what was found is asked for in turn; 0 compares with the example alone
    #[arg(long, value_name = "N", default_value_t = Like::default().steps)]
    steps: u32,
    /// Most stretches to look for
    #[arg(long, value_name = "N", default_value_t = Like::default().most)]
    most: usize,
    #[command(flatten)]
    metric: MetricArguments,
}

const LIKE_EXAMPLES: &str = "\
Examples:
  afoot like lib.afoot '16_15[0.5s..1.6s]'
  afoot like lib.afoot 16_03 --error 14 --steps 3
  afoot like lib.afoot '143_25[1s..3s]' --chain upper_body --json";

pub fn clusters(arguments: &ClustersArguments, run: &Run, console: &Console) -> Outcome {
    let clusters = Clusters {
        recipe: arguments.clusters.recipe()?,
        nodes: arguments.nodes || console.is_json(),
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
        through: arguments.through,
        count: arguments.count,
        recipe: arguments.clusters.recipe()?,
    };
    let found = loops.run(&Library::open(&arguments.library)?, run)?;
    console.result(&found, ways_words)
}

pub fn like(arguments: &LikeArguments, run: &Run, console: &Console) -> Outcome {
    let like = Like {
        example: arguments.example.clone(),
        error_cm: arguments.error,
        steps: arguments.steps,
        most: arguments.most,
        recipe: arguments.metric.recipe()?,
    };
    let found = like.run(&Library::open(&arguments.library)?, run)?;
    console.result(&found, like_words)
}

fn like_words(found: &LikeFound) -> String {
    let line = |like: &LikeStretch| {
        let through = match like.through.is_empty() {
            true => String::new(),
            false => format!(", through {}", like.through.join(", ")),
        };
        format!(
            "{}[{:.2}s..{:.2}s]: {:.1} cm{through}\n",
            like.clip, like.from, like.to, like.error_cm
        )
    };
    found.found.iter().map(line).collect()
}

fn node_words(node: &NodeListed) -> String {
    let numbers = |nodes: &[u32]| {
        let nodes: Vec<String> = nodes.iter().map(u32::to_string).collect();
        nodes.join(", ")
    };
    let mut words = format!(
        "\nnode {} ({}, {:.1} cm), from {}, to {}",
        node.node,
        node.state,
        node.error_cm,
        numbers(&node.previous),
        numbers(&node.next)
    );
    for own in &node.sequences {
        let next = own.next.map_or("its end".into(), |next| next.to_string());
        words += &format!(
            "\n  sequence {}: {}[{:.3}s..{:.3}s], aligned at {:.3} s, {:.1} cm, to {next}",
            own.sequence, own.clip, own.from, own.to, own.aligned, own.error_cm
        );
    }
    words
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
    words + &found.list.iter().map(node_words).collect::<String>()
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
