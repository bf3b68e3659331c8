//! `export` and `convert`: motion out.

use std::path::PathBuf;

use afoot::{AnyFile, Convert, Export, FileWritten, Library, Program, Receiver, Run};
use clap::{Args, ValueEnum};

use crate::arguments::{OutputArguments, SourceArguments};
use crate::console::Console;
use crate::failure::Outcome;

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = EXPORT_EXAMPLES)]
pub struct ExportArguments {
    /// The library
    library: PathBuf,
    /// A clip, or a part of it: NAME, NAME[2.0s..4.5s] or NAME[60..135]
    clip: String,
    #[command(flatten)]
    output: OutputArguments,
    /// Resample to this rate; AMC readers of other programs take 120 [default: as it is]
    #[arg(long, value_name = "F")]
    fps: Option<f64>,
    #[command(flatten)]
    receiver: ReceiverArguments,
}

/// Who the motion is for.
#[derive(Debug, Args)]
struct ReceiverArguments {
    /// Axes, unit, root and order of angles as this program takes them
    #[arg(long = "for", value_enum, value_name = "PROGRAM")]
    program: Option<ProgramArgument>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ProgramArgument {
    Blender,
    Maya,
    Motionbuilder,
    Unreal,
}

impl From<&ReceiverArguments> for Receiver {
    fn from(typed: &ReceiverArguments) -> Self {
        let program = |program| match program {
            ProgramArgument::Blender => Program::Blender,
            ProgramArgument::Maya => Program::Maya,
            ProgramArgument::Motionbuilder => Program::MotionBuilder,
            ProgramArgument::Unreal => Program::Unreal,
        };
        Self {
            program: typed.program.map(program),
            ..Self::default()
        }
    }
}

const EXPORT_EXAMPLES: &str = "\
Examples:
  afoot export lib.afoot 16_15 -o walk.glb
  afoot export lib.afoot '16_15[2.0s..4.5s]' -o part.bvh
  afoot export lib.afoot '16_15[60..135]' -o part.amc --unit m";

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = CONVERT_EXAMPLES)]
pub struct ConvertArguments {
    /// The motion file to read
    input: PathBuf,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    source: SourceArguments,
    /// Resample to this rate; AMC readers of other programs take 120 [default: as it is]
    #[arg(long, value_name = "F")]
    fps: Option<f64>,
    #[command(flatten)]
    receiver: ReceiverArguments,
}

const CONVERT_EXAMPLES: &str = "\
Examples:
  afoot convert walk.bvh -o walk.glb
  afoot convert walk.amc -o walk.bvh --unit m          finds the .asf beside it
  afoot convert walk.bvh -o walk.amc --fps 120         as other AMC readers expect
  afoot convert hero.glb -o walk.fbx --take Walking_A  one of a file's animations
  afoot convert walk.bvh -o walk.glb --onto hero.glb   your character walks
  afoot convert walk.bvh -o mine.bvh --onto rig.fbx    on your skeleton
  afoot convert walk.bvh -o out.bvh --for unreal       as that program takes it";

pub fn export(arguments: &ExportArguments, run: &Run, console: &Console) -> Outcome {
    let export = Export {
        clip: arguments.clip.clone(),
        receiver: (&arguments.receiver).into(),
        fps: arguments.fps,
    };
    let (library, output) = (
        Library::open(&arguments.library)?,
        (&arguments.output).into(),
    );
    let written = export.run(&library, &output, run)?;
    console.done(&written, words)
}

pub fn convert(arguments: &ConvertArguments, run: &Run, console: &Console) -> Outcome {
    let convert = Convert {
        input: arguments.source.file(&arguments.input),
        receiver: (&arguments.receiver).into(),
        fps: arguments.fps,
    };
    let output = (&arguments.output).into();
    console.done(&convert.run(&AnyFile, &output, run)?, words)
}

fn words(written: &FileWritten) -> String {
    let FileWritten {
        file,
        frames,
        rate,
        beside,
        ..
    } = written;
    let beside = beside
        .as_ref()
        .map(|beside| format!(", and {beside} beside it"));
    format!(
        "{file}: {frames} frames at {rate}{}",
        beside.unwrap_or_default()
    )
}
