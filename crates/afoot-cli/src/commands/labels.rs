//! Annotations by hand: `label`, `labels import`, `export`, `verify`, `confirm`, and `mark`.

use std::path::PathBuf;

use afoot::{
    ConfirmLabels, ExportLabels, FramesSaid, ImportLabels, Label, Library, Mark, MarkRule, Run,
    Say, UseTimes, VerifyLabels,
};
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
    /// Say that it can't be told (with --not: that it rather does not); such frames never teach
    #[arg(long)]
    unsure: bool,
    /// Forget what was said of the label, either way
    #[arg(long, conflicts_with_all = ["not", "unsure"])]
    clear: bool,
}

const LABEL_EXAMPLES: &str = "\
Examples:
  afoot label lib.afoot 16_15 calm
  afoot label lib.afoot 16_15 sneak --from 1.5 --to 4  a part of it
  afoot label lib.afoot 16_15 sneak --to 1.5 --not     known not to be one
  afoot label lib.afoot 16_15 sneak --from 4 --to 4.3 --unsure
  afoot label lib.afoot 16_15 sneak --clear";

#[derive(Debug, Subcommand)]
pub enum LabelsCommand {
    /// Read annotations from a JSON file
    Import(LabelsFileArguments),
    /// Write all annotations to a JSON file
    Export(LabelsExportArguments),
    /// Say that frames of which nothing was said do not carry a label
    Verify(VerifyArguments),
    /// Say that what was learned of a stretch is right
    Confirm(ConfirmArguments),
}

#[derive(Debug, Args)]
#[command(after_help = VERIFY_EXAMPLES)]
pub struct VerifyArguments {
    /// The library
    library: PathBuf,
    /// Clips of it, by name or pattern
    #[arg(required = true)]
    clips: Vec<String>,
    /// A label; may be given several times [default: all that the library knows]
    #[arg(long = "label", value_name = "LABEL")]
    labels: Vec<String>,
}

const VERIFY_EXAMPLES: &str = "\
Examples:
  afoot labels verify lib.afoot 16_15                all of it was looked at
  afoot labels verify lib.afoot '16_*' --label sneak";

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = CONFIRM_EXAMPLES)]
pub struct ConfirmArguments {
    /// The library
    library: PathBuf,
    /// The name of a clip in it
    clip: String,
    /// A label; may be given several times [default: all that were learned]
    #[arg(long = "label", value_name = "LABEL")]
    labels: Vec<String>,
    /// From this second [default: the start]
    #[arg(long, value_name = "S")]
    from: Option<f64>,
    /// To this second [default: the end]
    #[arg(long, value_name = "S")]
    to: Option<f64>,
}

const CONFIRM_EXAMPLES: &str = "\
Examples:
  afoot labels confirm lib.afoot 16_15
  afoot labels confirm lib.afoot 16_15 --label sneak --from 1.5 --to 3";

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = MARK_EXAMPLES)]
pub struct MarkArguments {
    /// The library
    library: PathBuf,
    /// The name of a clip in it
    clip: String,
    /// From this second [default: the start]
    #[arg(long, value_name = "S")]
    from: Option<f64>,
    /// To this second [default: the end]
    #[arg(long, value_name = "S")]
    to: Option<f64>,
    #[command(flatten)]
    rule: RuleArguments,
}

/// One of these.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct RuleArguments {
    /// Do not use these frames, nor learn from them
    #[arg(long)]
    exclude: bool,
    /// Do not enter here from other clips
    #[arg(long)]
    no_entry: bool,
    /// Seek them (above 0) or avoid them, against what a frame with a wrong label costs
    #[arg(long, value_name = "X")]
    bias: Option<f64>,
    /// Forget what was said of their use
    #[arg(long)]
    clear: bool,
}

const MARK_EXAMPLES: &str = "\
Examples:
  afoot mark lib.afoot 143_38 --from 10.4 --to 11.3 --exclude
  afoot mark lib.afoot 143_24 --from 2 --to 3.5 --no-entry
  afoot mark lib.afoot 143_29 --bias 0.5";

#[derive(Debug, Args)]
#[command(after_help = LABELS_FILE_EXAMPLES)]
pub struct LabelsFileArguments {
    /// The library
    library: PathBuf,
    /// The JSON file: {"vocabulary": [...], "clips": {"NAME": [{"label", "from", "to", "is"}, ...]}}
    file: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = LABELS_FILE_EXAMPLES)]
pub struct LabelsExportArguments {
    /// The library
    library: PathBuf,
    /// The JSON file, as --output
    #[arg(required_unless_present = "output", conflicts_with = "output")]
    file: Option<PathBuf>,
    /// The JSON file to write, see `afoot schema labels`
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// What was learned too, with "learned": true
    #[arg(long)]
    learned: bool,
}

const LABELS_FILE_EXAMPLES: &str = "\
Examples:
  afoot labels export lib.afoot -o labels.json
  afoot labels import lib.afoot labels.json";

pub fn label(arguments: &LabelArguments, run: &Run, console: &Console) -> Outcome {
    let label = Label {
        clip: arguments.clip.clone(),
        label: arguments.label.clone(),
        from: arguments.from,
        to: arguments.to,
        say: match (arguments.clear, arguments.unsure, arguments.not) {
            (true, _, _) => Say::Nothing,
            (_, true, false) => Say::Unsure,
            (_, true, true) => Say::UnsureNot,
            (_, false, true) => Say::IsNot,
            (_, false, false) => Say::Is,
        },
    };
    let labelled = label.run(&Library::open(&arguments.library)?, run)?;
    console.done(&labelled, |told| {
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
        LabelsCommand::Verify(arguments) => verify(arguments, run, console),
        LabelsCommand::Confirm(arguments) => confirm(arguments, run, console),
    }
}

fn verify(arguments: &VerifyArguments, run: &Run, console: &Console) -> Outcome {
    let verify = VerifyLabels {
        clips: arguments.clips.clone(),
        labels: arguments.labels.clone(),
    };
    let told = verify.run(&Library::open(&arguments.library)?, run)?;
    console.done(&told, said_words)
}

fn confirm(arguments: &ConfirmArguments, run: &Run, console: &Console) -> Outcome {
    let confirm = ConfirmLabels {
        clip: arguments.clip.clone(),
        labels: arguments.labels.clone(),
        from: arguments.from,
        to: arguments.to,
    };
    let told = confirm.run(&Library::open(&arguments.library)?, run)?;
    console.done(&told, said_words)
}

fn said_words(told: &FramesSaid) -> String {
    format!("{} frames of {} clips", told.frames, told.clips)
}

pub fn mark(arguments: &MarkArguments, run: &Run, console: &Console) -> Outcome {
    let rule = &arguments.rule;
    let mark = Mark {
        clip: arguments.clip.clone(),
        from: arguments.from,
        to: arguments.to,
        rule: match (rule.exclude, rule.no_entry, rule.clear) {
            (true, ..) => MarkRule::Exclude,
            (_, true, _) => MarkRule::NoEntry,
            (.., true) => MarkRule::Clear,
            _ => MarkRule::Bias,
        },
        bias: rule.bias,
    };
    let marked = mark.run(&Library::open(&arguments.library)?, run)?;
    console.done(&marked, |told| {
        let words: Vec<String> = told.uses.iter().map(use_words).collect();
        match words.is_empty() {
            true => format!("{}: used as any other", told.clip),
            false => format!("{}: {}", told.clip, words.join("; ")),
        }
    })
}

fn use_words(stretch: &UseTimes) -> String {
    let rule = match (stretch.rule, stretch.bias) {
        (MarkRule::Exclude, _) => "excluded".to_owned(),
        (MarkRule::NoEntry, _) => "not entered".to_owned(),
        (_, bias) => format!("bias {}", bias.unwrap_or(0.0)),
    };
    format!("{:.2} to {:.2} s {rule}", stretch.from, stretch.to)
}

fn import(arguments: &LabelsFileArguments, run: &Run, console: &Console) -> Outcome {
    let file = arguments.file.clone().into();
    let import = ImportLabels { file };
    let imported = import.run(&Library::open(&arguments.library)?, run)?;
    console.done(&imported, |told| format!("annotated {} clips", told.clips))
}

fn export(arguments: &LabelsExportArguments, run: &Run, console: &Console) -> Outcome {
    let file = arguments.output.clone().or_else(|| arguments.file.clone());
    let library = Library::open(&arguments.library)?;
    let learned = arguments.learned;
    let exported = ExportLabels { learned }.run(&library, file.unwrap_or_default(), run)?;
    console.done(&exported, |told| {
        format!("{}: {} clips", told.file, told.clips)
    })
}
