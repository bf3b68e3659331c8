//! `tiles`: the graph build in independent pieces, in any order, on any machine.
//!
//! A plan names the recipe and the pieces; a run writes one file a piece; merging puts them
//! together and stores the same graph, byte for byte, as `afoot graph` would.

use std::path::{Path, PathBuf};

use afoot_core::Range32;
use afoot_formats::files::write_whole;
use afoot_graph::{CandidateSearch, Candidates, Tile, merge, prepare_search};
use afoot_library::{GraphRecipe, Library};
use clap::{Args, Subcommand};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::graphs::{StageClock, graph_failure};
use crate::inputs::read_text;
use crate::recipe::{GraphOptionArguments, recipe};
use crate::{interrupt, motion};

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
    #[arg(long, default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..))]
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

/// The plan as a file.
#[derive(Debug, Serialize, Deserialize)]
struct Plan {
    recipe: GraphRecipe,
    /// Clips as rows and columns of each piece, half-open: from, to, from, to.
    pieces: Vec<[u32; 4]>,
}

pub fn tiles(command: &TilesCommand, console: &Console) -> Outcome {
    match command {
        TilesCommand::Plan(arguments) => plan(arguments, console),
        TilesCommand::Run(arguments) => run(arguments, console),
        TilesCommand::Merge(arguments) => merge_pieces(arguments, console),
    }
}

fn plan(arguments: &TilesPlanArguments, console: &Console) -> Outcome {
    let recipe = recipe(&arguments.options)?;
    let search = search(&arguments.library, &recipe)?;
    let number = |tile: &Tile| {
        [
            tile.rows.start,
            tile.rows.end,
            tile.cols.start,
            tile.cols.end,
        ]
    };
    let pieces: Vec<[u32; 4]> = search
        .plan(arguments.size as usize)
        .iter()
        .map(number)
        .collect();
    let count = pieces.len();
    write_whole(
        &arguments.output,
        &serde_json::to_vec_pretty(&Plan { recipe, pieces })?,
    )?;
    let path = arguments.output.display().to_string();
    console.result(
        || json!({"plan": path, "pieces": count}),
        || format!("{path}: {count} pieces"),
    )
}

fn run(arguments: &TilesRunArguments, console: &Console) -> Outcome {
    let plan = read_plan(&arguments.plan)?;
    let wanted = match &arguments.pieces {
        Some(text) => parse_pieces(text, plan.pieces.len())?,
        None => (0..plan.pieces.len()).collect(),
    };
    motion::make_folder(&arguments.output)?;
    let open: Vec<usize> = wanted
        .iter()
        .copied()
        .filter(|&piece| !piece_file(&arguments.output, piece).exists())
        .collect();
    if !open.is_empty() {
        let search = search(&arguments.library, &plan.recipe)?;
        let bar = console.progress(open.len() as u64, "comparing");
        for &piece in &open {
            let found = search
                .run(&[tile(plan.pieces[piece])], &interrupt::run())
                .map_err(|_| interrupt::failure())?;
            write_whole(&piece_file(&arguments.output, piece), &found.to_bytes())?;
            bar.inc(1);
        }
        bar.finish_and_clear();
    }
    let (done, skipped) = (open.len(), wanted.len() - open.len());
    console.result(
        || json!({"done": done, "already_there": skipped}),
        || format!("{done} pieces done, {skipped} were there already"),
    )
}

fn merge_pieces(arguments: &TilesMergeArguments, console: &Console) -> Outcome {
    let plan = read_plan(&arguments.plan)?;
    let mut parts = Vec::new();
    for piece in 0..plan.pieces.len() {
        let path = piece_file(&arguments.results, piece);
        let named = |error: &dyn std::fmt::Display| {
            Failure::failed(format!("piece {piece}, {}: {error}", path.display()))
        };
        let bytes = std::fs::read(&path).map_err(|error| named(&error))?;
        parts.push(Candidates::from_bytes(&bytes).map_err(|error| named(&error))?);
    }
    let candidates = merge(&parts)?;
    let mut library = Library::open(&arguments.library)?;
    let clips = library.graph_clips(&plan.recipe).map_err(graph_failure)?;
    let clock = StageClock::start(console);
    let built = library.finish_graph(clips, &candidates, &plan.recipe, &clock.run());
    clock.stop();
    let (built, report) = built.map_err(graph_failure)?;
    report
        .warnings
        .iter()
        .for_each(|warning| console.warn(warning));
    let (transitions, nodes) = (built.graph.transitions.len(), built.graph.nodes.len());
    console.result(
        || {
            json!({"pieces": parts.len(), "transitions": report.transitions, "nodes": nodes,
                "edges": built.graph.edges.len(), "component_share": report.component_share})
        },
        || {
            format!(
                "{} pieces, {transitions} transitions kept, {nodes} nodes",
                parts.len()
            )
        },
    )
}

fn search(library: &Path, recipe: &GraphRecipe) -> Result<CandidateSearch, Failure> {
    let clips = Library::open_read_only(library)?
        .graph_clips(recipe)
        .map_err(graph_failure)?;
    prepare_search(&clips, &recipe.options())?
        .ok_or_else(|| Failure::no_motion("the library has no clips; import some first"))
}

fn tile([row_from, row_to, col_from, col_to]: [u32; 4]) -> Tile {
    Tile {
        rows: Range32 {
            start: row_from,
            end: row_to,
        },
        cols: Range32 {
            start: col_from,
            end: col_to,
        },
    }
}

fn read_plan(path: &Path) -> Result<Plan, Failure> {
    let wrong = |error| Failure::at(path, format!("expected what `tiles plan` writes: {error}"));
    serde_json::from_str(&read_text(path)?).map_err(wrong)
}

fn piece_file(folder: &Path, piece: usize) -> PathBuf {
    folder.join(format!("piece_{piece:06}.bin"))
}

/// Numbers and half-open ranges, separated by commas.
fn parse_pieces(text: &str, count: usize) -> Result<Vec<usize>, Failure> {
    let wrong = || {
        Failure::failed(format!(
            "--pieces {text}: expected numbers below {count}, such as 0..10,12"
        ))
    };
    let mut pieces = Vec::new();
    for part in text.split(',') {
        let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
        match part.split_once("..") {
            Some((from, to)) => {
                let range = number(from)?..number(to)?;
                if range.is_empty() {
                    return Err(wrong());
                }
                pieces.extend(range);
            }
            None => pieces.push(number(part)?),
        }
    }
    if pieces.iter().any(|&piece| piece >= count) {
        return Err(wrong());
    }
    Ok(pieces)
}
