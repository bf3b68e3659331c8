//! `join` and `loop`: clips one after the other, and clips repeated.

use std::path::PathBuf;

use afoot::{Delivered, Join, JoinDetails, Library, Loop, Run};
use clap::Args;

use super::clusters::ClusterArguments;
use crate::arguments::OutputArguments;
use crate::console::Console;
use crate::failure::Outcome;
use crate::report::delivered_words;

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = JOIN_EXAMPLES)]
pub struct JoinArguments {
    /// The library
    library: PathBuf,
    /// The clips, in order; parts of them as NAME[2.0s..4.5s] or NAME[60..135]
    clips: Vec<String>,
    /// Nodes of the cluster graph instead of clips, each with an edge to the next (see clusters --nodes);
    /// NODE:CLIP chooses the clip that plays in it
    #[arg(
        long,
        value_name = "NODE,NODE:CLIP,...",
        value_delimiter = ',',
        conflicts_with = "clips"
    )]
    nodes: Vec<String>,
    /// Sequences of the cluster graph instead, chosen one by one
    #[arg(
        long,
        value_name = "N,N,...",
        value_delimiter = ',',
        conflicts_with_all = ["clips", "nodes"]
    )]
    sequences: Vec<u32>,
    /// Where the cluster graph knows no way, blend where frames are least unlike
    #[arg(long)]
    synthetic: bool,
    /// Length of the blends, where the clips allow it [s; as long as frames stay alike, up to 1, if it is not
    /// said]
    #[arg(long, value_name = "S")]
    blend: Option<f64>,
    #[command(flatten)]
    clusters: ClusterArguments,
    #[command(flatten)]
    output: OutputArguments,
}

const JOIN_EXAMPLES: &str = "\
Examples:
  afoot join lib.afoot 16_15 16_36 16_03 -o story.bvh
  afoot join lib.afoot 16_15 '16_03[1.5s..3s]' --blend 0.6 -o jump.glb
  afoot join lib.afoot --nodes 12,13:16_36,14,15 -o chosen.bvh
  afoot join lib.afoot 16_03 142_22 --synthetic -o sneak.bvh";

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = LOOP_EXAMPLES)]
pub struct LoopArguments {
    /// The library
    library: PathBuf,
    /// The clip, or the part of it to look for loops in
    clip: String,
    /// How many cycles; parts of one too [default: 2]
    #[arg(long, value_name = "N")]
    cycles: Option<f64>,
    /// Until so much time has passed [s]
    #[arg(long, value_name = "S")]
    seconds: Option<f64>,
    /// Until the root has gone so far [m]
    #[arg(long, value_name = "M")]
    metres: Option<f64>,
    /// Let the way back lead over other clips
    #[arg(long)]
    through: bool,
    /// Which of the loops that `afoot loops` lists, from 1 on [default: of the best, that which turns as the clip does]
    #[arg(long, value_name = "N")]
    choice: Option<usize>,
    /// Length of the blends, where the clip allows it [s; as long as frames stay alike, up to 1, if it is not
    /// said]
    #[arg(long, value_name = "S")]
    blend: Option<f64>,
    #[command(flatten)]
    clusters: ClusterArguments,
    #[command(flatten)]
    output: OutputArguments,
}

const LOOP_EXAMPLES: &str = "\
Examples:
  afoot loop lib.afoot 16_15 --cycles 20 -o walk.bvh
  afoot loop lib.afoot 16_15 --metres 12 -o walk.glb
  afoot loop lib.afoot 16_15 --seconds 60 --choice 2 -o walk.bvh";

pub fn join(arguments: &JoinArguments, run: &Run, console: &Console) -> Outcome {
    let join = Join {
        clips: arguments.clips.clone(),
        nodes: arguments.nodes.clone(),
        sequences: arguments.sequences.clone(),
        synthetic: arguments.synthetic,
        blend: arguments.blend,
        recipe: arguments.clusters.recipe()?,
    };
    let library = Library::open(&arguments.library)?;
    let joined = library.deliver(&join, &(&arguments.output).into(), run)?;
    console.done(&joined, joined_words)
}

pub fn repeat(arguments: &LoopArguments, run: &Run, console: &Console) -> Outcome {
    let cycle = Loop {
        clip: arguments.clip.clone(),
        cycles: arguments.cycles,
        seconds: arguments.seconds,
        metres: arguments.metres,
        through: arguments.through,
        choice: arguments.choice,
        blend: arguments.blend,
        recipe: arguments.clusters.recipe()?,
    };
    let library = Library::open(&arguments.library)?;
    let repeated = library.deliver(&cycle, &(&arguments.output).into(), run)?;
    console.done(&repeated, delivered_words)
}

fn joined_words(joined: &Delivered<JoinDetails>) -> String {
    let changes = joined.details.joins.iter();
    let line = |join: &afoot::JoinMade| {
        let synthetic = match join.synthetic {
            true => ", synthetic",
            false => "",
        };
        format!(
            "{} at {:.2} s to {} at {:.2} s: {:.1} cm{synthetic}\n",
            join.from.clip, join.from.time, join.to.clip, join.to.time, join.error_cm
        )
    };
    let left_out = joined.details.played.iter().filter_map(left_out_words);
    changes.map(line).chain(left_out).collect::<String>() + &delivered_words(joined)
}

/// What is not played of a clip that was asked for, if it is worth a word; how far one turns that was not.
fn left_out_words(part: &afoot::PlayedPart) -> Option<String> {
    let [before, after] = part.left_out;
    let words = match (before >= WORTH_A_WORD, after >= WORTH_A_WORD) {
        (true, true) => format!("its first {before:.2} s and last {after:.2} s are left out"),
        (true, false) => format!("its first {before:.2} s are left out"),
        (false, true) => format!("its last {after:.2} s are left out"),
        (false, false) if !part.asked && part.turns.abs() >= TURNS => {
            format!("turns by {:.0} degrees on the way", part.turns)
        }
        (false, false) => return None,
    };
    Some(format!("{}: {words}\n", part.clip))
}

/// Less of a clip nobody misses. [s]
const WORTH_A_WORD: f64 = 0.2;
/// Less is a walk that is not quite straight. [degrees]
const TURNS: f64 = 20.0;
