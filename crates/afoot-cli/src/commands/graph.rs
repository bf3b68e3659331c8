//! `graph`: build or extend the motion graph of a library.

use std::path::PathBuf;

use afoot::{BuildGraph, GraphBuilt, GraphPictures, Library, Run};
use clap::Args;

use crate::console::{Console, table};
use crate::failure::Outcome;
use crate::recipe::{GraphOptionArguments, recipe};

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = EXAMPLES)]
pub struct GraphArguments {
    /// The library
    library: PathBuf,
    #[command(flatten)]
    options: GraphOptionArguments,
    /// Plot threshold against transitions, frames kept and mean error
    #[arg(long, value_name = "FILE.png")]
    plot: Option<PathBuf>,
    /// Show the kept transition with the largest error, cleaned, as a picture or as motion
    #[arg(long, value_name = "FILE.png|.bvh|.glb")]
    preview: Option<PathBuf>,
    /// Build anew even if the graph is there
    #[arg(long)]
    rebuild: bool,
}

const EXAMPLES: &str = "\
Examples:
  afoot graph lib.afoot --threshold 4
  afoot graph lib.afoot --auto --preview worst.png
  afoot graph lib.afoot --threshold 4 --pair walk,jump=8 --plot tradeoff.png
  afoot graph lib.afoot --clusters && afoot follow lib.afoot --path curve.json -o walk.bvh";

pub fn graph(arguments: &GraphArguments, run: &Run, console: &Console) -> Outcome {
    let build = BuildGraph {
        recipe: recipe(&arguments.options)?,
        rebuild: arguments.rebuild,
    };
    let pictures = GraphPictures {
        plot: arguments.plot.clone(),
        preview: arguments.preview.clone(),
    };
    let library = Library::open(&arguments.library)?;
    let built = build.run_with_pictures(&library, &pictures, run)?;
    console.done(&built, words)
}

fn words(built: &GraphBuilt) -> String {
    let mut rows = vec![
        ["threshold", "transitions", "frames kept", "mean error"]
            .map(String::from)
            .to_vec(),
    ];
    for row in &built.trade_off {
        rows.push(vec![
            format!("{:.2} cm", row.threshold_cm),
            row.transitions.to_string(),
            format!("{:.1} %", 100.0 * row.share),
            format!("{:.2} cm", row.mean_error_cm),
        ]);
    }
    let chosen: Vec<String> = built
        .thresholds
        .iter()
        .map(|pair| format!("{} to {}: {:.2} cm\n", pair.a, pair.b, pair.threshold_cm))
        .collect();
    let chosen = match chosen.is_empty() {
        true => String::new(),
        false => format!("thresholds found:\n  {}", chosen.join("  ")),
    };
    format!(
        "{chosen}{}\n{} frames, {} transitions found, {} kept; {} nodes, {} edges\n\
         {:.1} % of the frames are connected, mean error {:.2} cm; {:.2} s\n",
        table(&rows),
        built.frames,
        built.transitions,
        built.kept_transitions,
        built.nodes,
        built.edges,
        100.0 * built.component_share,
        built.mean_error_cm,
        built.seconds.total,
    )
}
