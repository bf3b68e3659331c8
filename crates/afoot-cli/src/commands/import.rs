//! `import`: motion files into a library.

use std::ops::ControlFlow;

use afoot_analyze::faults::FaultOptions;
use afoot_core::FrameRate;
use afoot_formats::ReadOptions;
use afoot_library::{ImportOptions, ImportProgress, ImportReport, Library, import_files};
use serde_json::json;

use crate::arguments::ImportArguments;
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::interrupt;

pub fn import(arguments: &ImportArguments, console: &Console) -> Outcome {
    let options = options(arguments)?;
    let mut library = Library::open_or_create(&arguments.library)?;
    let bar = console.progress(0, "importing");
    let report = import_files(&mut library, &arguments.paths, &options, &|progress| {
        let ImportProgress { done, total } = progress;
        bar.set_length(total as u64);
        bar.set_position(done as u64);
        if interrupt::stopped() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    bar.finish_and_clear();
    let report = report?;
    console.result(|| json!(report), || words(&report))?;
    match (
        report.failed.first(),
        report.clips.is_empty() && report.skipped.is_empty(),
    ) {
        (Some(failed), _) => Err(Failure::failed(format!(
            "{} of {} files could not be imported; the first: {}",
            report.failed.len(),
            report.failed.len() + report.clips.len() + report.skipped.len(),
            failed.error
        ))),
        (None, true) => Err(Failure::failed(
            "there is no motion file at the given places",
        )),
        (None, false) => Ok(()),
    }
}

fn options(arguments: &ImportArguments) -> Result<ImportOptions, Failure> {
    let rate = |fps: f64, name: &str| {
        let wrong = || Failure::failed(format!("{name} {fps}: expected frames per second"));
        FrameRate::from_fps(fps).ok_or_else(wrong)
    };
    let read = ReadOptions {
        unit: arguments.unit.option(),
        up: arguments.up.option(),
        partial: arguments.partial,
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
    let seconds: f64 = report.clips.iter().map(|clip| clip.seconds).sum();
    text += &format!("{} clips, {seconds:.1} s", report.clips.len());
    text
}
