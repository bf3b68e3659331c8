//! `clean`: the feet of a motion file put still.

use std::path::PathBuf;

use afoot::{AnyFile, Clean, Failure, MotionFile, Run, Workspace};
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
    /// Let legs grow by up to this much before knees straighten, such as 1% or 0.01 [default: 0]
    #[arg(long, value_name = "SHARE")]
    lengthen: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  afoot clean walk.bvh -o still.bvh
  afoot clean walk.bvh -o still.bvh --lengthen 1%    bones may change their length";

pub fn clean(arguments: &CleanArguments, run: &Run, console: &Console) -> Outcome {
    let clean = Clean {
        input: MotionFile {
            unit: arguments.input_unit.into(),
            ..MotionFile::new(&arguments.input)
        },
        lengthen: arguments.lengthen.as_deref().map_or(Ok(0.0), share)?,
    };
    let output = (&arguments.output).into();
    let delivered = Workspace::from(&AnyFile).deliver(&clean, &output, run)?;
    console.result(&delivered, |delivered| {
        let (before, after) = (&delivered.details.before, &delivered.quality);
        let [before, after] = [before, after].map(quality_words);
        format!("before:\n{before}after:\n{after}")
    })
}

/// `1%` or `0.01`.
fn share(text: &str) -> Result<f32, Failure> {
    let wrong = || Failure::bad_value("lengthen", text, "a share such as 1% or 0.01");
    let (number, unit) = match text.strip_suffix('%') {
        Some(percent) => (percent, 0.01),
        None => (text, 1.0),
    };
    let number: f32 = number.trim().parse().map_err(|_| wrong())?;
    Ok(number * unit)
}
