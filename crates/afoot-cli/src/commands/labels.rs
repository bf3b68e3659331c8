//! Annotations by hand: `label`, `labels import`, `labels export`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use afoot_core::{LabelSpan, Range32};
use afoot_formats::files::write_whole;
use afoot_library::{ClipEntry, Library};
use clap::{Args, Subcommand};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::inputs::read_text;

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true)]
pub struct LabelArguments {
    library: PathBuf,
    clip: String,
    label: String,
    /// From this second [default: the start]
    #[arg(long, value_name = "S")]
    from: Option<f64>,
    /// To this second [default: the end]
    #[arg(long, value_name = "S")]
    to: Option<f64>,
    /// Take the label off instead
    #[arg(long)]
    not: bool,
}

#[derive(Debug, Subcommand)]
pub enum LabelsCommand {
    /// Read annotations from a JSON file
    Import(LabelsFileArguments),
    /// Write all annotations to a JSON file
    Export(LabelsFileArguments),
}

#[derive(Debug, Args)]
pub struct LabelsFileArguments {
    library: PathBuf,
    file: PathBuf,
}

/// The labels file of the contract.
#[derive(Debug, Default, Serialize, Deserialize)]
struct LabelsFile {
    #[serde(default)]
    vocabulary: Vec<String>,
    #[serde(default)]
    clips: BTreeMap<String, Vec<LabelRow>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct LabelRow {
    label: String,
    from: f64,
    to: f64,
    #[serde(default = "yes")]
    is: bool,
}

fn yes() -> bool {
    true
}

pub fn label(arguments: &LabelArguments, console: &Console) -> Outcome {
    let mut library = Library::open(&arguments.library)?;
    let entry = library.entry(&arguments.clip)?;
    let row = LabelRow {
        label: arguments.label.clone(),
        from: arguments.from.unwrap_or(0.0),
        to: arguments.to.unwrap_or(entry.seconds()),
        is: !arguments.not,
    };
    let spans = annotate(entry.labels.clone(), &entry, &row)?;
    library.set_labels(&arguments.clip, &spans)?;
    let names = library.entry(&arguments.clip)?;
    let names = names.label_names();
    console.result(
        || json!({"clip": arguments.clip, "labels": names}),
        || format!("{}: {}", arguments.clip, names.join(", ")),
    )
}

pub fn labels(command: &LabelsCommand, console: &Console) -> Outcome {
    match command {
        LabelsCommand::Import(arguments) => import(arguments, console),
        LabelsCommand::Export(arguments) => export(arguments, console),
    }
}

fn import(arguments: &LabelsFileArguments, console: &Console) -> Outcome {
    let path = arguments.file.display();
    let wrong = |error| Failure::at(&arguments.file, format!("expected a labels file: {error}"));
    let file: LabelsFile = serde_json::from_str(&read_text(&arguments.file)?).map_err(wrong)?;
    let mut library = Library::open(&arguments.library)?;
    let mut changed = Vec::new();
    for (name, rows) in &file.clips {
        let Ok(entry) = library.entry(name) else {
            console.warn(format!("{path}: clip {name:?} is not in the library"));
            continue;
        };
        let annotated = |spans, row| annotate(spans, &entry, row);
        let spans = rows.iter().try_fold(entry.labels.clone(), annotated)?;
        changed.push((name, spans));
    }
    let transaction = library.transaction()?;
    for (name, spans) in &changed {
        transaction.set_labels(name, spans)?;
    }
    transaction.commit()?;
    let count = changed.len();
    console.result(
        || json!({"clips": count}),
        || format!("annotated {count} clips"),
    )
}

fn export(arguments: &LabelsFileArguments, console: &Console) -> Outcome {
    let mut file = LabelsFile::default();
    for entry in Library::open_read_only(&arguments.library)?.clips()? {
        file.vocabulary
            .extend(entry.label_names().into_iter().map(String::from));
        let time = |frame: u32| f64::from(frame) * entry.rate.frame_time();
        let row = |span: &LabelSpan| LabelRow {
            label: span.label.clone(),
            from: time(span.frames.start),
            to: time(span.frames.end),
            is: true,
        };
        if !entry.labels.is_empty() {
            file.clips
                .insert(entry.name.clone(), entry.labels.iter().map(row).collect());
        }
    }
    file.vocabulary.sort_unstable();
    file.vocabulary.dedup();
    write_whole(
        &arguments.file,
        serde_json::to_string_pretty(&file)?.as_bytes(),
    )?;
    let (clips, path) = (file.clips.len(), arguments.file.display().to_string());
    console.result(
        || json!({"clips": clips, "file": path}),
        || format!("{path}: {clips} clips"),
    )
}

/// The spans with one more row: the label on, or off, for a stretch of the clip.
fn annotate(
    spans: Vec<LabelSpan>,
    entry: &ClipEntry,
    row: &LabelRow,
) -> Result<Vec<LabelSpan>, Failure> {
    if !(row.from >= 0.0 && row.from < row.to && row.to.is_finite()) {
        return Err(Failure::failed(format!(
            "clip {:?}, label {:?}: from {} s to {} s is no stretch of time",
            entry.name, row.label, row.from, row.to
        )));
    }
    let frame = |seconds: f64| (entry.rate.frames_in(seconds) as u32).min(entry.frames);
    let stretch = Range32 {
        start: frame(row.from),
        end: frame(row.to),
    };
    let (mut same, mut spans): (Vec<LabelSpan>, Vec<LabelSpan>) =
        spans.into_iter().partition(|span| span.label == row.label);
    let carried = |f: u32, same: &[LabelSpan]| same.iter().any(|span| span.frames.contains(f));
    let wanted: Vec<bool> = (0..entry.frames)
        .map(|f| {
            if stretch.contains(f) {
                row.is
            } else {
                carried(f, &same)
            }
        })
        .collect();
    same.clear();
    let mut start = None;
    for f in 0..=entry.frames {
        let on = wanted.get(f as usize).copied().unwrap_or(false);
        match (on, start) {
            (true, None) => start = Some(f),
            (false, Some(from)) => {
                let frames = Range32 {
                    start: from,
                    end: f,
                };
                same.push(LabelSpan {
                    frames,
                    label: row.label.clone(),
                });
                start = None;
            }
            _ => {}
        }
    }
    spans.append(&mut same);
    spans.sort();
    Ok(spans)
}
