//! `export` and `convert`: motion out.

use std::path::{Path, PathBuf};

use afoot_core::{Clip, cut_clip};
use afoot_formats::WriteOptions;
use afoot_library::Library;
use clap::Args;
use serde_json::json;

use crate::arguments::{OutputArguments, UnitArgument};
use crate::console::Console;
use crate::failure::Outcome;
use crate::motion;
use crate::selection::Selection;

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

pub fn export(arguments: &ExportArguments, console: &Console) -> Outcome {
    motion::check_output(&arguments.output)?;
    let selection = Selection::parse(&arguments.clip)?;
    let clip = Library::open_read_only(&arguments.library)?.clip(&selection.name)?;
    let frames = selection.frames(clip.len(), clip.rate)?;
    let clip = cut_clip(&clip, frames.start as u32..frames.end as u32)?;
    motion::write(&clip, &arguments.output, console)?;
    finish(&clip, &arguments.output.output, console)
}

pub fn convert(arguments: &ConvertArguments, console: &Console) -> Outcome {
    motion::check_output(&arguments.output)?;
    let read = motion::read(&arguments.input, arguments.input_unit, arguments.partial)?;
    for warning in &read.source.warnings {
        console.warn(warning);
    }
    let options = WriteOptions::like(&read.source);
    motion::write_like(&read.clip, &arguments.output, options, console)?;
    finish(&read.clip, &arguments.output.output, console)
}

fn finish(clip: &Clip, path: &Path, console: &Console) -> Outcome {
    let (frames, fps) = (clip.len(), clip.rate.fps());
    let file = path.display().to_string();
    console.result(
        || json!({"file": file, "frames": frames, "fps": fps, "seconds": clip.seconds()}),
        || format!("{file}: {frames} frames at {}", clip.rate),
    )
}
