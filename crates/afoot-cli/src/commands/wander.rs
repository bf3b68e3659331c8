//! `wander`: motion at random.

use std::path::PathBuf;

use afoot::{Library, Run, Wander};
use clap::Args;

use crate::arguments::{MovingArguments, OutputArguments};
use crate::console::Console;
use crate::failure::Outcome;
use crate::report::delivered_words;

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = EXAMPLES)]
pub struct WanderArguments {
    /// The library
    library: PathBuf,
    /// Length of the motion [s]
    #[arg(long, value_name = "S")]
    seconds: f64,
    /// Use only motion with this label, or of this type; where it leads nowhere (jumps end), what leads from
    /// one stretch of it to another as well
    #[arg(long = "as", value_name = "LABEL")]
    only: Vec<String>,
    #[command(flatten)]
    moving: MovingArguments,
    #[command(flatten)]
    output: OutputArguments,
}

const EXAMPLES: &str = "\
Examples:
  afoot wander lib.afoot --seconds 60 -o wander.bvh
  afoot wander lib.afoot --seconds 20 --as run --seed 7 -o run.glb --picture run.png";

pub fn wander(arguments: &WanderArguments, run: &Run, console: &Console) -> Outcome {
    let wander = Wander {
        seconds: arguments.seconds,
        labels: arguments.only.clone(),
        moving: arguments.moving.moving()?,
    };
    let library = Library::open(&arguments.library)?;
    let delivered = library.deliver(&wander, &(&arguments.output).into(), run)?;
    console.done(&delivered, delivered_words)
}
