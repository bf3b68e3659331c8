//! `judge`: the quality of a motion file.

use std::path::{Path, PathBuf};

use afoot_analyze::{JudgeOptions, Quality, SourceStatistics, Verdict, judge_clip};
use afoot_library::Library;
use afoot_synth::GroundPath;
use clap::Args;

use crate::arguments::UnitArgument;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::inputs::read_path;
use crate::motion;
use crate::report::{quality_words, rounded};

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
    /// Exit with status 1 where a bar is not kept
    #[arg(long)]
    strict: bool,
    /// The motion is captured as it is: feet may creep as captured ones do
    #[arg(long)]
    captured: bool,
    /// The file's unit of length
    #[arg(long, value_enum, default_value_t = UnitArgument::Auto)]
    unit: UnitArgument,
}

const EXAMPLES: &str = "\
Examples:
  afoot judge walk.bvh
  afoot judge walk.bvh --library lib.afoot --path circle.json --json
  afoot judge walk.bvh --library lib.afoot --strict";

pub fn judge(arguments: &JudgeArguments, console: &Console) -> Outcome {
    let read = motion::read(&arguments.file, arguments.unit, false)?;
    let statistics = match &arguments.library {
        Some(path) => source_statistics(path, console)?,
        None => None,
    };
    let path = match &arguments.path {
        Some(path) => Some(read_path(path)?),
        None => None,
    };
    let options = JudgeOptions {
        source: statistics.as_ref(),
        path: path.as_ref().map(GroundPath::points),
        ..JudgeOptions::default()
    };
    let quality = judge_clip(&read.clip, &options);
    console.result(|| rounded(&quality), || quality_words(&quality))?;
    match arguments.strict {
        true => kept(&quality, arguments),
        false => Ok(()),
    }
}

/// Fails with what is wrong, if anything is.
fn kept(quality: &Quality, arguments: &JudgeArguments) -> Outcome {
    let wrong: Vec<String> = quality
        .broken(arguments.captured)
        .map(Verdict::told)
        .collect();
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(Failure::at(&arguments.file, wrong.join("; "))),
    }
}

/// How fast and jerky a library's own clips are; `None`, with a warning, if it has none to tell by.
fn source_statistics(path: &Path, console: &Console) -> Result<Option<SourceStatistics>, Failure> {
    let clips = Library::open_read_only(path)?.load_all()?;
    let statistics = SourceStatistics::of_clips(&clips.iter().collect::<Vec<_>>());
    if statistics.is_none() {
        console.warn(format!(
            "{}: no motion to compare with, so no ratios",
            path.display()
        ));
    }
    Ok(statistics)
}
