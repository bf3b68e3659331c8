//! `clean`: the feet of a motion file put still.

use std::path::PathBuf;

use afoot_analyze::{
    ContactOptions, GroundOptions, JudgeOptions, Quality, detect_contacts, estimate_ground,
    judge_clip,
};
use afoot_core::Clip;
use afoot_edit::cleanup::{CleanupOptions, clean_feet};
use afoot_formats::{WriteOptions, read_motion};
use clap::Args;
use serde_json::json;

use crate::arguments::{OutputArguments, UnitArgument};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::motion;
use crate::report::{quality_words, rounded, time_it};

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

pub fn clean(arguments: &CleanArguments, console: &Console) -> Outcome {
    motion::check_output(&arguments.output)?;
    let read = motion::read(&arguments.input, arguments.input_unit, false)?;
    let source = read.source;
    let (cleaned, seconds) = time_it(|| with_still_feet(read.clip.clone()));
    let cleaned = cleaned?;
    let like = WriteOptions::like(&source);
    let written = motion::write_options(&arguments.output, like.clone());
    motion::write_like(&cleaned, &arguments.output, like, console)?;
    let path = &arguments.output.output;
    let options = motion::read_back_options(path, &written, cleaned.rate);
    let after = read_motion(path, &options)?;
    let (mut before, mut after) = (judged(&read.clip), judged(&after.clip));
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
