//! `wander`: motion at random.

use std::path::PathBuf;

use afoot_synth::{WanderError, WanderOptions};
use clap::Args;

use crate::arguments::{Common, OutputArguments};
use crate::console::Console;
use crate::delivery::{Told, deliver_whole};
use crate::failure::{Failure, Outcome};
use crate::graphs::repertoire_of;
use crate::report::time_it;
use crate::{interrupt, motion};

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = EXAMPLES)]
pub struct WanderArguments {
    /// The library
    library: PathBuf,
    /// Length of the motion [s]
    #[arg(long, value_name = "S")]
    seconds: f64,
    /// Use only motion with this label, or of this type
    #[arg(long = "as", value_name = "LABEL")]
    style: Vec<String>,
    #[command(flatten)]
    output: OutputArguments,
}

const EXAMPLES: &str = "\
Examples:
  afoot wander lib.afoot --seconds 60 -o wander.bvh
  afoot wander lib.afoot --seconds 20 --as run --seed 7 -o run.glb --picture run.png";

pub fn wander(arguments: &WanderArguments, common: &Common, console: &Console) -> Outcome {
    motion::check_output(&arguments.output)?;
    let repertoire = repertoire_of(&arguments.library, console)?;
    let options = WanderOptions {
        seconds: arguments.seconds,
        labels: arguments.style.clone(),
        seed: common.seed,
        run: interrupt::run(),
        ..WanderOptions::default()
    };
    let (played, seconds) = time_it(|| afoot_synth::wander(&repertoire, &options));
    let played = played.map_err(|error| match error {
        WanderError::Stopped(_) => interrupt::failure(),
        error if error.is_bad_request() => Failure::failed(error),
        error => Failure::no_motion(error),
    })?;
    let told = Told {
        seconds,
        ..Told::default()
    };
    deliver_whole(&repertoire, &arguments.output, played, told, console)
}
