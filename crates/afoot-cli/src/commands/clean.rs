//! `clean`: the feet of a motion file put still.

use std::path::PathBuf;

use afoot::{Clean, MotionFile, Run};
use clap::Args;

use crate::arguments::{OutputArguments, UnitArgument};
use crate::console::Console;
use crate::failure::Outcome;
use crate::report::quality_words;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CleanArguments {
    /// The motion file to clean
    input: PathBuf,
    #[command(flatten)]
    output: OutputArguments,
    /// The file's unit of length
    #[arg(long, value_enum, default_value_t = UnitArgument::Auto)]
    input_unit: UnitArgument,
}

const EXAMPLES: &str = "\
Examples:
  afoot clean walk.bvh -o still.bvh";

pub fn clean(arguments: &CleanArguments, run: &Run, console: &Console) -> Outcome {
    let clean = Clean {
        input: MotionFile {
            unit: arguments.input_unit.into(),
            ..MotionFile::new(&arguments.input)
        },
        output: (&arguments.output).into(),
    };
    console.result(&clean.run(run)?, |delivered| {
        let (before, after) = (&delivered.details.before, &delivered.quality);
        let [before, after] = [before, after].map(quality_words);
        format!("before:\n{before}after:\n{after}")
    })
}
