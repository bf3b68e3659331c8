//! `export` and `convert`: motion out.

use afoot_core::cut_clip;
use afoot_formats::WriteOptions;
use afoot_library::Library;
use serde_json::json;

use crate::arguments::{ConvertArguments, ExportArguments};
use crate::console::Console;
use crate::failure::Outcome;
use crate::motion;
use crate::selection::Selection;

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

fn finish(clip: &afoot_core::Clip, path: &std::path::Path, console: &Console) -> Outcome {
    let (frames, fps) = (clip.len(), clip.rate.fps());
    let file = path.display().to_string();
    console.result(
        || json!({"file": file, "frames": frames, "fps": fps, "seconds": clip.seconds()}),
        || format!("{file}: {frames} frames at {}", clip.rate),
    )
}
