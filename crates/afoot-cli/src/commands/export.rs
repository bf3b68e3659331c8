//! `export` and `convert`: motion out.

use std::path::{Path, PathBuf};

use afoot_core::{Clip, RetargetOptions, cut_clip, retarget_clip};
use afoot_formats::files::write_onto_character;
use afoot_formats::{
    Format, Program, ReadOptions, Take, WriteOptions, read_character, read_motion,
};
use afoot_library::Library;
use clap::{Args, ValueEnum};
use serde_json::json;

use crate::arguments::{OutputArguments, UnitArgument};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::motion;
use crate::selection::Selection;

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

impl ProgramArgument {
    fn program(self) -> Program {
        match self {
            Self::Blender => Program::Blender,
            Self::Maya => Program::Maya,
            Self::Motionbuilder => Program::MotionBuilder,
            Self::Unreal => Program::Unreal,
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

pub fn export(arguments: &ExportArguments, console: &Console) -> Outcome {
    motion::check_output(&arguments.output)?;
    let selection = Selection::parse(&arguments.clip)?;
    let clip = Library::open_read_only(&arguments.library)?.clip(&selection.name)?;
    let frames = selection.frames(clip.len(), clip.rate)?;
    let clip = cut_clip(&clip, frames.start as u32..frames.end as u32)?;
    let options = WriteOptions::default();
    write_for(
        &clip,
        &arguments.output,
        &arguments.receiver,
        options,
        console,
    )?;
    finish(&clip, &arguments.output.output, console)
}

pub fn convert(arguments: &ConvertArguments, console: &Console) -> Outcome {
    motion::check_output(&arguments.output)?;
    let options = ReadOptions {
        unit: arguments.input_unit.option(),
        partial: arguments.partial,
        take: arguments.take.clone().map_or(Take::First, Take::Named),
        roles: motion::read_role_map(arguments.map.as_deref())?,
        ..ReadOptions::default()
    };
    let read = read_motion(&arguments.input, &options)?;
    for warning in &read.source.warnings {
        console.warn(warning);
    }
    let options = WriteOptions::like(&read.source);
    write_for(
        &read.clip,
        &arguments.output,
        &arguments.receiver,
        options,
        console,
    )?;
    finish(&read.clip, &arguments.output.output, console)
}

/// Writes motion as the receiver takes it.
fn write_for(
    clip: &Clip,
    output: &OutputArguments,
    receiver: &ReceiverArguments,
    options: WriteOptions,
    console: &Console,
) -> Outcome {
    if let Some(hero) = &receiver.onto {
        return write_onto(clip, output, hero, console);
    }
    match receiver.program.map(ProgramArgument::program) {
        None => motion::write_like(clip, output, options, console),
        Some(program) => {
            motion::write_like(&program.prepared(clip), output, program.options(), console)
        }
    }
}

fn write_onto(clip: &Clip, output: &OutputArguments, hero: &Path, console: &Console) -> Outcome {
    if Format::of_path(&output.output) != Some(Format::Gltf) {
        return Err(Failure::at(
            &output.output,
            "with --onto, expected a file that ends in .glb",
        ));
    }
    let character = read_character(hero, &ReadOptions::default())?;
    character
        .source
        .warnings
        .iter()
        .for_each(|words| console.warn(words));
    let skeleton = &character.clip.skeleton;
    let dressed = retarget_clip(clip, skeleton, &RetargetOptions::default())
        .map_err(|error| Failure::at(hero, error))?;
    let unit = character.source.metres_per_unit;
    write_onto_character(&output.output, &dressed, hero, unit)?;
    console.say(format!("wrote {}", output.output.display()));
    match &output.picture {
        Some(path) => motion::write_sheet(&dressed, path),
        None => Ok(()),
    }
}

fn finish(clip: &Clip, path: &Path, console: &Console) -> Outcome {
    let (frames, fps) = (clip.len(), clip.rate.fps());
    let file = path.display().to_string();
    console.result(
        || json!({"file": file, "frames": frames, "fps": fps, "seconds": clip.seconds()}),
        || format!("{file}: {frames} frames at {}", clip.rate),
    )
}
