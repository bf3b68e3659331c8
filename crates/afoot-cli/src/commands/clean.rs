//! `clean`: the feet of a motion file put still.

use std::path::PathBuf;

use afoot_analyze::{
    ClassOptions, ContactOptions, GroundOptions, JudgeOptions, MadeFrom, Quality, SourceSpan,
    SourceStatistics, classify_clip, detect_contacts, estimate_ground, judge_clip,
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
    let captured = with_facts(read.clip.clone())?;
    let (cleaned, seconds) = time_it(|| clean_feet(&captured, &CleanupOptions::default()));
    let (cleaned, _) = cleaned?;
    let like = WriteOptions::like(&source);
    let written = motion::write_options(&arguments.output, like.clone());
    motion::write_like(&cleaned, &arguments.output, like, console)?;
    let path = &arguments.output.output;
    let options = motion::read_back_options(path, &written, cleaned.rate);
    let mut after = read_motion(path, &options)?.clip;
    after.ground = captured.ground; // the floor is where it was
    let before = judge_clip(&read.clip, &JudgeOptions::default());
    let (mut before, mut after) = (before, judged(&after, &captured));
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

/// The quality of a cleaned motion, against the captured one.
fn judged(cleaned: &Clip, captured: &Clip) -> Quality {
    let source = SourceStatistics::of_clips(&[captured]);
    let whole = SourceSpan {
        clip: 0,
        from: 0,
        frames: captured.len() as u32,
        at: 0,
    };
    let made_from = MadeFrom {
        clips: std::slice::from_ref(captured),
        spans: vec![whole],
        joins: Vec::new(),
    };
    let options = JudgeOptions {
        source: source.as_ref(),
        made_from: Some(&made_from),
        ..JudgeOptions::default()
    };
    judge_clip(cleaned, &options)
}

/// Floor, contacts and gaits found.
fn with_facts(mut clip: Clip) -> Result<Clip, Failure> {
    clip.ground = Some(estimate_ground(&clip, &GroundOptions::default())?.ground);
    clip.contacts = detect_contacts(&clip, &ContactOptions::default())?.contacts;
    clip.types = classify_clip(&clip, &ClassOptions::default())?.types;
    Ok(clip)
}
