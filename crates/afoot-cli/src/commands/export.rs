//! `export` and `convert`: motion out.

use std::path::PathBuf;

use afoot::{Convert, Export, FileWritten, Library, MotionFile, Run};
use clap::Args;

use crate::arguments::{OutputArguments, UnitArgument};
use crate::console::Console;
use crate::failure::Outcome;

#[derive(Debug, Args)]
#[command(after_help = EXPORT_EXAMPLES)]
pub struct ExportArguments {
    /// The library
    library: PathBuf,
    /// A clip, or a part of it: NAME, NAME[2.0s..4.5s] or NAME[60..135]
    clip: String,
    #[command(flatten)]
    output: OutputArguments,
}

const EXPORT_EXAMPLES: &str = "\
Examples:
  afoot export lib.afoot 16_15 -o walk.glb
  afoot export lib.afoot '16_15[2.0s..4.5s]' -o part.bvh
  afoot export lib.afoot '16_15[60..135]' -o part.amc --unit m";

#[derive(Debug, Args)]
#[command(after_help = CONVERT_EXAMPLES)]
pub struct ConvertArguments {
    /// The motion file to read
    input: PathBuf,
    #[command(flatten)]
    output: OutputArguments,
    /// The unit of the input, for what is written in another unit
    #[arg(long, value_enum, default_value_t = UnitArgument::Auto)]
    input_unit: UnitArgument,
    /// Take a file that is cut off as far as it goes
    #[arg(long)]
    partial: bool,
}

const CONVERT_EXAMPLES: &str = "\
Examples:
  afoot convert walk.bvh -o walk.glb
  afoot convert walk.amc -o walk.bvh --unit m          finds the .asf beside it";

pub fn export(arguments: &ExportArguments, run: &Run, console: &Console) -> Outcome {
    let export = Export {
        clip: arguments.clip.clone(),
        output: (&arguments.output).into(),
    };
    let written = export.run(&Library::open(&arguments.library)?, run)?;
    console.result(&written, words)
}

pub fn convert(arguments: &ConvertArguments, run: &Run, console: &Console) -> Outcome {
    let convert = Convert {
        input: MotionFile {
            file: arguments.input.clone(),
            unit: arguments.input_unit.into(),
            partial: arguments.partial,
        },
        output: (&arguments.output).into(),
    };
    console.result(&convert.run(run)?, words)
}

fn words(written: &FileWritten) -> String {
    let FileWritten {
        file, frames, rate, ..
    } = written;
    format!("{file}: {frames} frames at {rate}")
}
