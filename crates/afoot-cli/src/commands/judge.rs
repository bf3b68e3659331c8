//! `judge`: the quality of a motion file.

use std::path::PathBuf;

use afoot::{AnyFile, Failure, Input, Judge, Library, MotionFile, Quality, Run, Verdict};
use clap::Args;

use crate::arguments::{DrawingArguments, SourceArguments, UnitArgument};
use crate::console::Console;
use crate::failure::Outcome;
use crate::report::quality_words;

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = EXAMPLES)]
pub struct JudgeArguments {
    /// The motion file
    file: PathBuf,
    /// The library it was made from, for what is usual there
    #[arg(long, value_name = "LIB")]
    library: Option<PathBuf>,
    /// The path it was to follow
    #[arg(long, value_name = "FILE")]
    path: Option<PathBuf>,
    /// The score it was to perform: labels by the captured frames that it is most like
    #[arg(long, value_name = "FILE", requires = "library")]
    score: Option<PathBuf>,
    #[command(flatten)]
    drawing: DrawingArguments,
    /// The world it was to go through: how near it comes to what stands there
    #[arg(long, value_name = "FILE")]
    world: Option<PathBuf>,
    /// Exit with status 1 where a bar is not kept
    #[arg(long)]
    strict: bool,
    /// The motion is captured as it is: feet may creep as captured ones do
    #[arg(long)]
    captured: bool,
    #[command(flatten)]
    source: SourceArguments,
    /// The same as --source-unit
    #[arg(long, value_enum, value_name = "UNIT", conflicts_with = "source_unit")]
    unit: Option<UnitArgument>,
}

const EXAMPLES: &str = "\
Examples:
  afoot judge walk.bvh
  afoot judge walk.bvh --library lib.afoot --path circle.json --json
  afoot judge story.bvh --library lib.afoot --score story.json
  afoot judge walk.bvh --world room.json
  afoot judge walk.bvh --library lib.afoot --strict";

pub fn judge(arguments: &JudgeArguments, run: &Run, console: &Console) -> Outcome {
    let judge = Judge {
        input: MotionFile {
            unit: arguments
                .unit
                .unwrap_or(arguments.source.source_unit)
                .into(),
            ..arguments.source.file(&arguments.file)
        },
        path: arguments.path.clone().map(Input::from),
        score: arguments.score.clone().map(Input::from),
        drawing: (&arguments.drawing).into(),
        world: arguments.world.clone().map(Input::from),
    };
    let judged = match &arguments.library {
        Some(library) => judge.run(&Library::open(library)?, run)?,
        None => judge.run(&AnyFile, run)?,
    };
    console.result(&judged, |judged| words(&judged.quality, arguments))?;
    match arguments.strict {
        true => kept(&judged.quality, arguments),
        false => Ok(()),
    }
}

fn words(quality: &Quality, arguments: &JudgeArguments) -> String {
    let captured = arguments.captured || quality.captured_as.is_some();
    let broken = quality.broken(false);
    let excused: Vec<&str> = broken
        .filter(|verdict| verdict.made_only && captured)
        .map(|verdict| verdict.name)
        .collect();
    let mut text = quality_words(quality);
    if !excused.is_empty() {
        let excused = excused.join(", ");
        text += &format!(
            "  {:<20} {excused}: captured motion need not keep these bars\n",
            "as captured"
        );
    }
    let against = match &arguments.library {
        Some(_) => {
            "what is usual in the library; who made it knows the frames that it was made of, and may say otherwise"
        }
        None => "nothing captured (--library says what is usual)",
    };
    format!("{text}  {:<20} {against}\n", "held against")
}

/// Fails with what is wrong, if anything is.
fn kept(quality: &Quality, arguments: &JudgeArguments) -> Outcome {
    let broken = quality.broken(arguments.captured);
    let wrong: Vec<String> = broken.map(Verdict::told).collect();
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(Failure::failed(format!(
            "{}: {}",
            arguments.file.display(),
            wrong.join("; ")
        ))),
    }
}
