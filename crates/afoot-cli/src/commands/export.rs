//! `export` and `convert`: motion out.

use std::path::PathBuf;

use afoot::{AnyFile, Convert, Export, FileWritten, Library, MotionFile, Program, Receiver, Run};
use clap::{Args, ValueEnum};

use crate::arguments::{OutputArguments, UnitArgument};
use crate::console::Console;
use crate::failure::Outcome;

#[derive(Debug, Args)]
#[command(after_help = EXPORT_EXAMPLES)]
pub struct ExportArguments {
    /// The library
    library: PathBuf,
    /// A clip, or a part of it: NAME, NAME[2.0s..4.5s] or NAME[60..135]
    clip: String,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    receiver: ReceiverArguments,
}

/// Who the motion is for.
#[derive(Debug, Args)]
struct ReceiverArguments {
    /// Axes, unit, root and order of angles as this program takes them
    #[arg(long = "for", value_enum, value_name = "PROGRAM")]
    program: Option<ProgramArgument>,
    /// Put the motion onto this character, whose mesh and materials stay; the output is a .glb
    #[arg(long, value_name = "HERO.glb")]
    onto: Option<PathBuf>,
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
            onto: typed.onto.clone().map(Into::into),
        }
    }
}

const EXPORT_EXAMPLES: &str = "\
Examples:
  afoot export lib.afoot 16_15 -o walk.glb
  afoot export lib.afoot '16_15[2.0s..4.5s]' -o part.bvh
  afoot export lib.afoot '16_15[60..135]' -o part.amc --unit m";

#[derive(Debug, Args)]
#[command(after_help = CONVERT_EXAMPLES)]
pub struct ConvertArguments {
    /// The motion file to read
    input: PathBuf,
    #[command(flatten)]
    output: OutputArguments,
    /// The unit of the input, for what is written in another unit
    #[arg(long, value_enum, default_value_t = UnitArgument::Auto)]
    input_unit: UnitArgument,
    /// Take a file that is cut off as far as it goes
    #[arg(long)]
    partial: bool,
    /// Which animation of a file with several [default: the first that moves]
    #[arg(long, value_name = "NAME")]
    take: Option<String>,
    /// A JSON file that says which joint is which body part: {"Bone.003": "left_up_leg"}
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    #[command(flatten)]
    receiver: ReceiverArguments,
}

const CONVERT_EXAMPLES: &str = "\
Examples:
  afoot convert walk.bvh -o walk.glb
  afoot convert walk.amc -o walk.bvh --unit m          finds the .asf beside it
  afoot convert hero.glb -o walk.fbx --take Walking_A  one of a file's animations
  afoot convert walk.bvh -o walk.glb --onto hero.glb   your character walks
  afoot convert walk.bvh -o out.bvh --for unreal       as that program takes it";

pub fn export(arguments: &ExportArguments, run: &Run, console: &Console) -> Outcome {
    let export = Export {
        clip: arguments.clip.clone(),
        receiver: (&arguments.receiver).into(),
    };
    let (library, output) = (
        Library::open(&arguments.library)?,
        (&arguments.output).into(),
    );
    let written = export.run(&library, &output, run)?;
    console.result(&written, words)
}

pub fn convert(arguments: &ConvertArguments, run: &Run, console: &Console) -> Outcome {
    let convert = Convert {
        input: MotionFile {
            file: arguments.input.clone().into(),
            unit: arguments.input_unit.into(),
            partial: arguments.partial,
            take: arguments.take.clone(),
            map: arguments.map.clone().map(Into::into),
        },
        receiver: (&arguments.receiver).into(),
    };
    let output = (&arguments.output).into();
    console.result(&convert.run(&AnyFile, &output, run)?, words)
}

fn words(written: &FileWritten) -> String {
    let FileWritten {
        file, frames, rate, ..
    } = written;
    format!("{file}: {frames} frames at {rate}")
}
