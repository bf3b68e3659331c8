//! `import`: motion files into a library.

use std::path::PathBuf;

use afoot::{Failure, Import, ImportReport, Run};
use clap::Args;

use crate::arguments::{UnitArgument, UpArgument};
use crate::console::Console;
use crate::defaults::typed;
use crate::failure::Outcome;
use crate::report::total_seconds;

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = EXAMPLES)]
pub struct ImportArguments {
    /// The library; made if it does not exist
    library: PathBuf,
    /// Motion files, or folders of them
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Frames per second in the library; 0 keeps each file's own
    #[arg(long, default_value_t = Import::default().fps)]
    fps: f64,
    /// The rate at capture, where the files are wrong about it
    #[arg(long, value_name = "F")]
    source_fps: Option<f64>,
    /// The files' unit of length
    #[arg(long, visible_alias = "source-unit", value_enum, default_value = typed(Import::default().unit))]
    unit: UnitArgument,
    /// The axis that points up in the files
    #[arg(long, value_enum, default_value = typed(Import::default().up))]
    up: UpArgument,
    /// Leave out the first N frames of each file [default: found by itself]
    #[arg(long, value_name = "N")]
    drop_first: Option<u32>,
    /// Label all frames; may be given several times
    #[arg(long, value_name = "L")]
    label: Vec<String>,
    /// Add each clip's mirror image too
    #[arg(long)]
    mirror: bool,
    /// Bring all clips onto this clip's skeleton
    #[arg(long, value_name = "SKELETON")]
    retarget: Option<String>,
    /// Which animation of files with several: a name, or all
    #[arg(long, value_name = "NAME", default_value = "all")]
    take: String,
    /// A JSON file that says which joint is which body part: {"Bone.003": "left_up_leg"}
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// Give walks in place the path that their feet make
    #[arg(long)]
    root_motion: bool,
    /// Take files that are cut off as far as they go
    #[arg(long)]
    partial: bool,
    /// Say of each clip what was repaired and what is suspected
    #[arg(long, short)]
    verbose: bool,
    /// Repair nothing: spikes, T-poses and rates stay as they are in the files
    #[arg(long)]
    as_is: bool,
}

const EXAMPLES: &str = "\
Examples:
  afoot import lib.afoot capture/                  every motion file below a folder
  afoot import lib.afoot 16_15.amc                 finds 16.asf beside it
  afoot import lib.afoot hero.glb --take Walking_A  one of a file's animations
  afoot import lib.afoot *.bvh --mirror            and their mirror images
  afoot import lib.afoot sneak.bvh --label sneak --retarget 16_15";

pub fn import(arguments: &ImportArguments, run: &Run, console: &Console) -> Outcome {
    let import = Import {
        paths: arguments.paths.iter().map(Into::into).collect(),
        fps: arguments.fps,
        source_fps: arguments.source_fps,
        unit: arguments.unit.into(),
        up: arguments.up.into(),
        drop_first: arguments.drop_first,
        labels: arguments.label.clone(),
        mirror: arguments.mirror,
        retarget: arguments.retarget.clone(),
        take: arguments.take.clone(),
        map: arguments.map.clone().map(Into::into),
        root_motion: arguments.root_motion,
        partial: arguments.partial,
        as_is: arguments.as_is,
    };
    let (_, report) = import.run_into(&arguments.library, run)?;
    console.done(&report, |report| words(report, arguments.verbose))?;
    let asked = report.failed.len() + report.clips.len() + report.skipped.len();
    let failed: Vec<String> = report
        .failed
        .iter()
        .map(|failed| help(&failed.error))
        .collect();
    match (failed.as_slice(), asked) {
        ([], 0) => Err(Failure::failed(
            "there is no motion file at the given places",
        )),
        ([], _) => Ok(()),
        ([only], 1) => Err(Failure::failed(only)),
        (failed, _) => Err(Failure::failed(format!(
            "{} of {asked} files could not be imported:\n  {}",
            failed.len(),
            failed.join("\n  ")
        ))),
    }
}

/// An error with the option that helps.
fn help(error: &str) -> String {
    match error.contains("cut off") {
        true => format!("{error}; --partial takes it as far as it goes"),
        false => error.into(),
    }
}

/// A line a clip and one for all; more of each if that was asked for.
fn words(report: &ImportReport, verbose: bool) -> String {
    let mut text = String::new();
    for clip in &report.clips {
        let found = [
            (clip.repairs.len(), "repair"),
            (clip.warnings.len(), "suspicion"),
        ];
        text += &format!(
            "{}: {:.2} s, {} frames at {} fps, {}{}\n",
            clip.name,
            clip.seconds,
            clip.frames,
            clip.fps,
            clip.kind,
            counted(found)
        );
        let repairs = clip.repairs.iter().map(|repair| ("repaired", repair));
        let warnings = clip.warnings.iter().map(|warning| ("suspected", warning));
        for (what, words) in repairs.chain(warnings).filter(|_| verbose) {
            text += &format!("  {what}: {words}\n");
        }
    }
    for skipped in &report.skipped {
        text += &format!("{}: {}\n", skipped.path, skipped.why);
    }
    let seconds = total_seconds(report.clips.iter().map(|clip| clip.seconds));
    text += &format!("{} clips, {seconds:.1} s", report.clips.len());
    let repairs = report.clips.iter().map(|clip| clip.repairs.len()).sum();
    let warnings = report.clips.iter().map(|clip| clip.warnings.len()).sum();
    let found = counted([(repairs, "repair"), (warnings, "suspicion")]);
    text += &found;
    if !found.is_empty() && !verbose {
        text += " (--verbose says what)";
    }
    text
}

/// `; 3 repairs, 1 suspicion`, of what there is.
fn counted(found: [(usize, &str); 2]) -> String {
    let some = found.iter().filter(|(count, _)| *count > 0);
    let words: Vec<String> = some
        .map(|(count, what)| format!("{count} {what}{}", if *count == 1 { "" } else { "s" }))
        .collect();
    match words.is_empty() {
        true => String::new(),
        false => format!("; {}", words.join(", ")),
    }
}
