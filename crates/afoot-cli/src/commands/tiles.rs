//! `tiles`: the graph build in independent pieces, in any order, on any machine.

use std::path::PathBuf;

use afoot::{Library, MergeTiles, PlanTiles, Run, RunTiles};
use clap::{Args, Subcommand};

use crate::console::Console;
use crate::failure::Outcome;
use crate::recipe::{GraphOptionArguments, recipe};

#[derive(Debug, Subcommand)]
pub enum TilesCommand {
    /// Cut the build into pieces and write the list of them
    Plan(TilesPlanArguments),
    /// Do some of the pieces
    Run(TilesRunArguments),
    /// Put the pieces together and store the graph
    Merge(TilesMergeArguments),
}

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = TILES_PLAN_EXAMPLES)]
pub struct TilesPlanArguments {
    /// The library
    library: PathBuf,
    #[command(flatten)]
    options: GraphOptionArguments,
    /// The plan to write
    #[arg(short, long, value_name = "PLAN.json")]
    output: PathBuf,
    /// Frames of motion on a side of a piece
    #[arg(long, default_value_t = PlanTiles::default().size, value_parser = clap::value_parser!(u32).range(1..))]
    size: u32,
}

const TILES_PLAN_EXAMPLES: &str = "\
Examples:
  afoot tiles plan lib.afoot --threshold 4 -o plan.json";

#[derive(Debug, Args)]
#[command(after_help = TILES_RUN_EXAMPLES)]
pub struct TilesRunArguments {
    /// The library
    library: PathBuf,
    /// The plan
    #[arg(long, value_name = "PLAN.json")]
    plan: PathBuf,
    /// Which pieces: numbers and half-open ranges, such as 0..10,12 [default: all not done yet]
    #[arg(long)]
    pieces: Option<String>,
    /// Folder for the results, one file a piece
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

const TILES_RUN_EXAMPLES: &str = "\
Examples:
  afoot tiles run lib.afoot --plan plan.json -o pieces                   all that is not done
  afoot tiles run lib.afoot --plan plan.json --pieces 0..10,12 -o pieces";

#[derive(Debug, Args)]
#[command(after_help = TILES_MERGE_EXAMPLES)]
pub struct TilesMergeArguments {
    /// The library
    library: PathBuf,
    /// The plan
    #[arg(long, value_name = "PLAN.json")]
    plan: PathBuf,
    /// The folder with the results
    #[arg(long, value_name = "DIR")]
    results: PathBuf,
}

const TILES_MERGE_EXAMPLES: &str = "\
Examples:
  afoot tiles merge lib.afoot --plan plan.json --results pieces";

pub fn tiles(command: &TilesCommand, run: &Run, console: &Console) -> Outcome {
    match command {
        TilesCommand::Plan(arguments) => plan(arguments, run, console),
        TilesCommand::Run(arguments) => run_pieces(arguments, run, console),
        TilesCommand::Merge(arguments) => merge(arguments, run, console),
    }
}

fn plan(arguments: &TilesPlanArguments, run: &Run, console: &Console) -> Outcome {
    let plan = PlanTiles {
        recipe: recipe(&arguments.options)?,
        size: arguments.size,
    };
    let library = Library::open(&arguments.library)?;
    let planned = plan.run(&library, &arguments.output, run)?;
    console.result(&planned, |planned| {
        format!("{}: {} pieces", planned.plan, planned.pieces)
    })
}

fn run_pieces(arguments: &TilesRunArguments, run: &Run, console: &Console) -> Outcome {
    let pieces = RunTiles {
        plan: arguments.plan.clone().into(),
        pieces: arguments.pieces.clone(),
    };
    let library = Library::open(&arguments.library)?;
    let done = pieces.run(&library, &arguments.output, run)?;
    console.result(&done, |told| {
        format!(
            "{} pieces done, {} were there already",
            told.done, told.already_there
        )
    })
}

fn merge(arguments: &TilesMergeArguments, run: &Run, console: &Console) -> Outcome {
    let merge = MergeTiles {
        plan: arguments.plan.clone().into(),
        folder: arguments.results.clone().into(),
    };
    let merged = merge.run(&Library::open(&arguments.library)?, run)?;
    console.result(&merged, |merged| {
        format!(
            "{} pieces, {} transitions kept, {} nodes",
            merged.pieces, merged.graph.kept_transitions, merged.graph.nodes
        )
    })
}
