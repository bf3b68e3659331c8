//! `check`: what is whole in a library (of scripts, see `play`); `retarget`: its clips on one skeleton; `schema`: our files.

use std::path::PathBuf;

use afoot::{Check, Failure, Library, Retarget, Retargeted, Run, Schema};
use clap::Args;

use crate::console::Console;
use crate::failure::Outcome;

#[derive(Debug, Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub struct CheckArguments {
    /// The library, or a script that ends in .play
    library: PathBuf,
    /// Remove what can't be read; graphs and tables are made again when they are asked for
    #[arg(long)]
    repair: bool,
}

const CHECK_EXAMPLES: &str = "\
Examples:
  afoot check lib.afoot
  afoot check lib.afoot --repair
  afoot check meeting.play             every error at once, with its line and a hint
  afoot check meeting.play --json      errors: [{line, column, message, hint}]";

#[derive(Debug, Args)]
#[command(after_help = RETARGET_EXAMPLES)]
pub struct RetargetArguments {
    /// The library
    library: PathBuf,
    /// A clip whose skeleton all others get, a skeleton by its name, or a motion file
    skeleton: String,
}

const RETARGET_EXAMPLES: &str = "\
Examples:
  afoot retarget lib.afoot 16_15
  afoot retarget lib.afoot rig.fbx

A graph does this by itself and leaves the clips as captured; this changes the clips.";

#[derive(Debug, Args)]
#[command(after_help = SCHEMA_EXAMPLES)]
pub struct SchemaArguments {
    /// path, score, world, labels, map, task or plan
    name: String,
}

const SCHEMA_EXAMPLES: &str = "\
Examples:
  afoot schema path > path.schema.json";

pub fn check(arguments: &CheckArguments, run: &Run, console: &Console) -> Outcome {
    let ending = arguments.library.extension().unwrap_or_default();
    if ending.eq_ignore_ascii_case("play") {
        return super::play::check(&arguments.library, run, console);
    }
    let repair = arguments.repair;
    let checked = Check { repair }.run(&Library::open(&arguments.library)?, run)?;
    console.result(&checked, |checked| {
        let mut text: String = checked
            .damage
            .iter()
            .map(|words| format!("{words}\n"))
            .collect();
        text += match (checked.whole, checked.repaired) {
            (true, true) => "repaired: ",
            (true, false) => "whole: ",
            (false, _) => "not whole: ",
        };
        text + &format!("{} clips, {} artefacts", checked.clips, checked.artefacts)
    })?;
    match checked.whole {
        true => Ok(()),
        false => Err(Failure::failed(format!(
            "{}: the library is not whole{}",
            arguments.library.display(),
            if repair {
                ""
            } else {
                "; --repair removes what can't be read"
            }
        ))),
    }
}

pub fn retarget(arguments: &RetargetArguments, run: &Run, console: &Console) -> Outcome {
    let skeleton = arguments.skeleton.clone();
    let changed = Retarget { skeleton }.run(&Library::open(&arguments.library)?, run)?;
    console.done(&changed, |changed: &Retargeted| {
        let clips = changed.clips.iter();
        let mut text: String = clips
            .map(|clip| format!("{}: {}\n", clip.name, clip.was))
            .collect();
        text += &format!(
            "{} clips brought onto {}",
            changed.clips.len(),
            arguments.skeleton
        );
        text
    })
}

pub fn schema(arguments: &SchemaArguments, console: &Console) -> Outcome {
    let name = arguments.name.clone();
    let schema = Schema { name };
    let text = schema.text()?;
    console.result(&schema.run()?, |_| text.to_owned())
}
