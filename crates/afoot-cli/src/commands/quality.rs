//! `judge` and `clean`: the quality of a motion file, and its feet put still.

use std::path::Path;

use afoot_analyze::{
    ContactOptions, GroundOptions, JudgeOptions, Quality, SourceStatistics, detect_contacts,
    estimate_ground, judge_clip,
};
use afoot_core::Clip;
use afoot_edit::cleanup::{CleanupOptions, clean_feet};
use afoot_formats::WriteOptions;
use afoot_library::Library;
use afoot_synth::GroundPath;
use serde_json::json;

use super::synthesis::{quality_words, rounded, time_it};
use crate::arguments::{CleanArguments, JudgeArguments};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::motion;

pub fn judge(arguments: &JudgeArguments, console: &Console) -> Outcome {
    let read = motion::read(&arguments.file, arguments.unit, false)?;
    let statistics = match &arguments.library {
        Some(path) => source_statistics(&Library::open_read_only(path)?)?,
        None => None,
    };
    let path = match &arguments.path {
        Some(path) => Some(read_path(path)?),
        None => None,
    };
    let options = JudgeOptions {
        source: statistics.as_ref(),
        path: path.as_ref().map(GroundPath::points),
    };
    let quality = judge_clip(&read.clip, &options);
    console.result(|| rounded(&quality), || quality_words(&quality))
}

/// How fast and jerky a library's own clips are.
pub fn source_statistics(library: &Library) -> Result<Option<SourceStatistics>, Failure> {
    let clips = library.load_all()?;
    Ok(SourceStatistics::of_clips(
        &clips.iter().collect::<Vec<_>>(),
    ))
}

/// A path from a JSON or SVG file.
pub fn read_path(path: &Path) -> Result<GroundPath, Failure> {
    let named =
        |error: &dyn std::fmt::Display| Failure::failed(format!("{}: {error}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| named(&error))?;
    GroundPath::from_text(&text).map_err(|error| named(&error))
}

pub fn clean(arguments: &CleanArguments, console: &Console) -> Outcome {
    motion::check_output(&arguments.output)?;
    let read = motion::read(&arguments.input, arguments.input_unit, false)?;
    let source = read.source;
    let (cleaned, seconds) = time_it(|| with_still_feet(read.clip.clone()));
    let cleaned = cleaned?;
    motion::write_like(
        &cleaned,
        &arguments.output,
        WriteOptions::like(&source),
        console,
    )?;
    let (mut before, mut after) = (judged(&read.clip), judged(&cleaned));
    before.took(0.0);
    after.took(seconds);
    let name = arguments.input.display().to_string();
    let whole = json!([{"clip": name, "from": 0.0, "to": cleaned.seconds(), "at": 0.0}]);
    console.result(
        || json!({"quality": rounded(&after), "before": rounded(&before), "sources": whole}),
        || {
            format!(
                "before:\n{}after:\n{}",
                quality_words(&before),
                quality_words(&after)
            )
        },
    )
}

fn judged(clip: &Clip) -> Quality {
    judge_clip(clip, &JudgeOptions::default())
}

/// Floor and contacts found, then the feet held to them.
fn with_still_feet(mut clip: Clip) -> Result<Clip, Failure> {
    clip.ground = Some(estimate_ground(&clip, &GroundOptions::default())?.ground);
    clip.contacts = detect_contacts(&clip, &ContactOptions::default())?.contacts;
    Ok(clean_feet(&clip, &CleanupOptions::default())?.0)
}
