//! `import`: motion files into a library.

use std::path::PathBuf;

use afoot_analyze::faults::FaultOptions;
use afoot_core::FrameRate;
use afoot_formats::{ReadOptions, Take};
use afoot_library::{ImportOptions, ImportReport, Library, import_files};
use afoot_run::{Event, Run};
use clap::Args;
use serde_json::json;

use crate::arguments::{UnitArgument, UpArgument};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::interrupt;
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
    #[arg(long, default_value_t = 30.0)]
    fps: f64,
    /// The rate at capture, where the files are wrong about it
    #[arg(long, value_name = "F")]
    source_fps: Option<f64>,
    /// The files' unit of length
    #[arg(long, value_enum, default_value_t = UnitArgument::Auto)]
    unit: UnitArgument,
    /// The axis that points up in the files
    #[arg(long, value_enum, default_value_t = UpArgument::Auto)]
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
    /// Take files that are cut off as far as they go
    #[arg(long)]
    partial: bool,
    /// Repair nothing: spikes, T-poses and rates stay as they are in the files
    #[arg(long)]
    as_is: bool,
}

const EXAMPLES: &str = "\
Examples:
  afoot import lib.afoot capture/                  every motion file below a folder
  afoot import lib.afoot 16_15.amc                 finds 16.asf beside it
  afoot import lib.afoot hero.glb --take Walking_A one of a file's animations
  afoot import lib.afoot *.bvh --mirror            and their mirror images
  afoot import lib.afoot sneak.bvh --label sneak --retarget 16_15";

pub fn import(arguments: &ImportArguments, console: &Console) -> Outcome {
    let options = options(arguments)?;
    let mut library = Library::open_or_create(&arguments.library)?;
    let bar = console.progress(0, "importing");
    let watched = bar.clone();
    let run = Run::watched(move |event| {
        if let Event::Progress(progress) = event {
            watched.set_length(progress.total);
            watched.set_position(progress.done);
        }
    })
    .with_cancel(interrupt::cancel());
    let report = import_files(&mut library, &arguments.paths, &options, &run);
    bar.finish_and_clear();
    let report = report?;
    console.result(|| json!(report), || words(&report))?;
    let asked = report.failed.len() + report.clips.len() + report.skipped.len();
    match (report.failed.first(), asked) {
        (Some(failed), 1) => Err(Failure::failed(&failed.error)),
        (Some(failed), _) => Err(Failure::failed(format!(
            "{} of {} files could not be imported; the first: {}",
            report.failed.len(),
            asked,
            failed.error
        ))),
        (None, 0) => Err(Failure::failed(
            "there is no motion file at the given places",
        )),
        (None, _) => Ok(()),
    }
}

fn options(arguments: &ImportArguments) -> Result<ImportOptions, Failure> {
    let rate = |fps: f64, name: &str| {
        let wrong = || {
            Failure::failed(format!(
                "{name} {fps}: expected frames per second, more than 0"
            ))
        };
        FrameRate::from_fps(fps).ok_or_else(wrong)
    };
    let read = ReadOptions {
        unit: arguments.unit.option(),
        up: arguments.up.option(),
        partial: arguments.partial,
        take: match arguments.take.as_str() {
            "all" => Take::All,
            name => Take::Named(name.into()),
        },
        ..ReadOptions::default()
    };
    Ok(ImportOptions {
        rate: if arguments.fps == 0.0 {
            None
        } else {
            Some(rate(arguments.fps, "--fps")?)
        },
        source_rate: arguments
            .source_fps
            .map(|fps| rate(fps, "--source-fps"))
            .transpose()?,
        read,
        faults: FaultOptions {
            drop_first: arguments.drop_first,
            repair: !arguments.as_is,
            ..FaultOptions::default()
        },
        labels: arguments.label.clone(),
        mirror: arguments.mirror,
        retarget: arguments.retarget.clone(),
        ..ImportOptions::default()
    })
}

fn words(report: &ImportReport) -> String {
    let mut text = String::new();
    for clip in &report.clips {
        text += &format!(
            "{}: {:.2} s, {} frames at {} fps, {}\n",
            clip.name, clip.seconds, clip.frames, clip.fps, clip.kind
        );
        for repair in &clip.repairs {
            text += &format!("  repaired: {repair}\n");
        }
        for warning in &clip.warnings {
            text += &format!("  suspected: {warning}\n");
        }
    }
    for skipped in &report.skipped {
        text += &format!("{}: {}\n", skipped.path, skipped.why);
    }
    for failed in &report.failed {
        text += &format!("failed: {}\n", failed.error);
    }
    let seconds = total_seconds(report.clips.iter().map(|clip| clip.seconds));
    text += &format!("{} clips, {seconds:.1} s", report.clips.len());
    text
}
