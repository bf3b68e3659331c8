//! Annotations by hand: `label`, `labels import`, `labels export`.

use std::path::PathBuf;

use afoot::{ExportLabels, ImportLabels, Label, Library, Run, Say};
use clap::{Args, Subcommand};

use crate::console::Console;
use crate::failure::Outcome;

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

pub fn label(arguments: &LabelArguments, run: &Run, console: &Console) -> Outcome {
    let label = Label {
        clip: arguments.clip.clone(),
        label: arguments.label.clone(),
        from: arguments.from,
        to: arguments.to,
        say: match (arguments.not, arguments.clear) {
            (true, _) => Say::IsNot,
            (_, true) => Say::Nothing,
            _ => Say::Is,
        },
    };
    let labelled = label.run(&Library::open(&arguments.library)?, run)?;
    console.result(&labelled, |told| {
        let words = annotation_words(&told.labels.join(", "), &told.denied.join(", "));
        format!("{}: {words}", told.clip)
    })
}

/// Labels carried, then those denied on some frames, as a line: "calm, walk; in part not sneak".
pub fn annotation_words(carried: &str, denied: &str) -> String {
    match (carried, denied) {
        ("", "") => "no labels".into(),
        (_, "") => carried.into(),
        ("", _) => format!("in part not {denied}"),
        _ => format!("{carried}; in part not {denied}"),
    }
}

pub fn labels(command: &LabelsCommand, run: &Run, console: &Console) -> Outcome {
    match command {
        LabelsCommand::Import(arguments) => import(arguments, run, console),
        LabelsCommand::Export(arguments) => export(arguments, run, console),
    }
}

fn import(arguments: &LabelsFileArguments, run: &Run, console: &Console) -> Outcome {
    let file = arguments.file.clone().into();
    let import = ImportLabels { file };
    let imported = import.run(&Library::open(&arguments.library)?, run)?;
    console.result(&imported, |told| format!("annotated {} clips", told.clips))
}

fn export(arguments: &LabelsFileArguments, run: &Run, console: &Console) -> Outcome {
    let library = Library::open(&arguments.library)?;
    let exported = ExportLabels {}.run(&library, &arguments.file, run)?;
    console.result(&exported, |told| {
        format!("{}: {} clips", told.file, told.clips)
    })
}
