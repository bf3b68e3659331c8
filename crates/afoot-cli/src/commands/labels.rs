//! Annotations by hand: `label`, `labels import`, `labels export`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

use afoot_core::{LabelSpan, Range32};
use afoot_formats::files::write_whole;
use afoot_library::{Annotations, ClipEntry, Library, Verdict};
use clap::{Args, Subcommand};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::inputs::read_text;

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = LABEL_EXAMPLES)]
pub struct LabelArguments {
    /// The library
    library: PathBuf,
    /// The name of a clip in it
    clip: String,
    /// A word such as sneak
    label: String,
    /// From this second [default: the start]
    #[arg(long, value_name = "S")]
    from: Option<f64>,
    /// To this second [default: the end]
    #[arg(long, value_name = "S")]
    to: Option<f64>,
    /// Say that the frames do not carry the label
    #[arg(long)]
    not: bool,
    /// Forget what was said of the label, either way
    #[arg(long, conflicts_with = "not")]
    clear: bool,
}

const LABEL_EXAMPLES: &str = "\
Examples:
  afoot label lib.afoot 16_15 calm
  afoot label lib.afoot 16_15 sneak --from 1.5 --to 4  a part of it
  afoot label lib.afoot 16_15 sneak --to 1.5 --not     known not to be one
  afoot label lib.afoot 16_15 sneak --clear";

#[derive(Debug, Subcommand)]
pub enum LabelsCommand {
    /// Read annotations from a JSON file
    Import(LabelsFileArguments),
    /// Write all annotations to a JSON file
    Export(LabelsFileArguments),
}

#[derive(Debug, Args)]
#[command(after_help = LABELS_FILE_EXAMPLES)]
pub struct LabelsFileArguments {
    /// The library
    library: PathBuf,
    /// The JSON file: {"vocabulary": [...], "clips": {"NAME": [{"label", "from", "to", "is"}, ...]}}
    file: PathBuf,
}

const LABELS_FILE_EXAMPLES: &str = "\
Examples:
  afoot labels export lib.afoot labels.json
  afoot labels import lib.afoot labels.json";

/// The labels file of the contract.
#[derive(Debug, Default, Serialize, Deserialize)]
struct LabelsFile {
    #[serde(default)]
    vocabulary: Vec<String>,
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
    let verdict = match (arguments.not, arguments.clear) {
        (true, _) => Verdict::IsNot,
        (_, true) => Verdict::Unsaid,
        _ => Verdict::Is,
    };
    let times = arguments.from.unwrap_or(0.0)..arguments.to.unwrap_or(entry.seconds());
    let stretch = frames_of(&entry, &arguments.label, times)?;
    let mut annotations = entry.annotations.clone();
    annotations.say(&arguments.label, stretch, verdict);
    library.annotate(&arguments.clip, annotations)?;
    let said = library.entry(&arguments.clip)?.annotations;
    let (names, denied) = (said.names(), said.denied_names());
    console.result(
        || json!({"clip": arguments.clip, "labels": names, "denied": denied}),
        || format!("{}: {}", arguments.clip, annotation_words(&said)),
    )
}

/// Labels carried, then those denied, as a line.
pub fn annotation_words(said: &Annotations) -> String {
    let carried = said.names().into_iter().map(String::from);
    let denied = said.denied_names().into_iter();
    let denied = denied.map(|name| format!("{name} (in part not)"));
    let words: Vec<String> = carried.chain(denied).collect();
    match words.is_empty() {
        true => "no labels".into(),
        false => words.join(", "),
    }
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
        let mut annotations = entry.annotations.clone();
        for row in rows {
            let stretch = frames_of(&entry, &row.label, row.from..row.to)?;
            let verdict = if row.is { Verdict::Is } else { Verdict::IsNot };
            annotations.say(&row.label, stretch, verdict);
        }
        changed.push((name, annotations));
    }
    let transaction = library.transaction()?;
    let count = changed.len();
    for (name, annotations) in changed {
        transaction.annotate(name, annotations)?;
    }
    transaction.commit()?;
    console.result(
        || json!({"clips": count}),
        || format!("annotated {count} clips"),
    )
}

fn export(arguments: &LabelsFileArguments, console: &Console) -> Outcome {
    let mut file = LabelsFile::default();
    for entry in Library::open_read_only(&arguments.library)?.clips()? {
        let said = &entry.annotations;
        let names = said.names().into_iter().chain(said.denied_names());
        file.vocabulary.extend(names.map(String::from));
        let rows = rows_of(&entry);
        if !rows.is_empty() {
            file.clips.insert(entry.name, rows);
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

/// What is said of a clip, in the order of time.
fn rows_of(entry: &ClipEntry) -> Vec<LabelRow> {
    let Annotations { labels, denied } = &entry.annotations;
    let carried = labels.iter().map(|span| (span, true));
    let mut spans: Vec<(&LabelSpan, bool)> = carried
        .chain(denied.iter().map(|span| (span, false)))
        .collect();
    spans.sort();
    let time = |frame: u32| f64::from(frame) * entry.rate.frame_time();
    let row = |(span, is): (&LabelSpan, bool)| LabelRow {
        label: span.label.clone(),
        from: time(span.frames.start),
        to: time(span.frames.end),
        is,
    };
    spans.into_iter().map(row).collect()
}

/// The frames of a clip between two times, cut to it. [s]
fn frames_of(entry: &ClipEntry, label: &str, times: Range<f64>) -> Result<Range32, Failure> {
    let Range { start, end } = times;
    let frame = |seconds: f64| (entry.rate.frames_in(seconds) as u32).min(entry.frames);
    let stretch = Range32 {
        start: frame(start),
        end: frame(end),
    };
    match start >= 0.0 && end.is_finite() && !stretch.is_empty() {
        true => Ok(stretch),
        false => Err(Failure::failed(format!(
            "clip {:?}, label {label:?}: from {start:.3} s to {end:.3} s is no stretch of its {:.3} s",
            entry.name,
            entry.seconds()
        ))),
    }
}
