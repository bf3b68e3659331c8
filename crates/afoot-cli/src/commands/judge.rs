//! `judge`: the quality of a motion file.

use std::path::PathBuf;

use afoot::{Input, Judge, MotionFile, Run};
use clap::Args;

use crate::arguments::UnitArgument;
use crate::console::Console;
use crate::failure::Outcome;
use crate::report::quality_words;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct JudgeArguments {
    /// The motion file
    file: PathBuf,
    /// The library it was made from, for what is usual there
    #[arg(long, value_name = "LIB")]
    library: Option<PathBuf>,
    /// The path it was to follow
    #[arg(long, value_name = "FILE")]
    path: Option<PathBuf>,
    /// The file's unit of length
    #[arg(long, value_enum, default_value_t = UnitArgument::Auto)]
    unit: UnitArgument,
}

const EXAMPLES: &str = "\
Examples:
  afoot judge walk.bvh
  afoot judge walk.bvh --library lib.afoot --path circle.json --json";

pub fn judge(arguments: &JudgeArguments, run: &Run, console: &Console) -> Outcome {
    let judge = Judge {
        input: MotionFile {
            unit: arguments.unit.into(),
            ..MotionFile::new(&arguments.file)
        },
        library: arguments.library.clone(),
        path: arguments.path.clone().map(Input::File),
    };
    console.result(&judge.run(run)?, |judged| quality_words(&judged.quality))
}
