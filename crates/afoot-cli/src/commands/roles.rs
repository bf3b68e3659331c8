//! `roles`: which joint is which body part, shown and set.

use std::path::PathBuf;

use afoot_library::{Library, SkeletonEntry, set_roles};
use clap::Args;
use serde_json::{Map, Value, json};

use crate::console::Console;
use crate::failure::{Failure, Outcome};

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct RolesArguments {
    /// The library
    library: PathBuf,
    /// Say what a joint is, `none` for nothing; may be given several times
    #[arg(long, value_name = "JOINT=ROLE")]
    set: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
  afoot roles lib.afoot                                  every skeleton's joints
  afoot roles lib.afoot --set Bone.003=left_up_leg --set Tail=none";

pub fn roles(arguments: &RolesArguments, console: &Console) -> Outcome {
    let parse = |change: &String| match change.rsplit_once('=') {
        Some((joint, role)) => Ok((joint.to_owned(), role.to_owned())),
        None => Err(Failure::failed(format!(
            "--set {change}: expected JOINT=ROLE"
        ))),
    };
    let changes = arguments
        .set
        .iter()
        .map(parse)
        .collect::<Result<Vec<_>, _>>()?;
    if !changes.is_empty() {
        let clips = set_roles(&mut Library::open(&arguments.library)?, &changes)?;
        console.say(format!("{clips} clips were looked at anew"));
    }
    let skeletons = Library::open_read_only(&arguments.library)?.skeletons()?;
    console.result(
        || json!({"skeletons": skeletons.iter().map(skeleton_json).collect::<Vec<_>>()}),
        || {
            skeletons
                .iter()
                .map(skeleton_words)
                .collect::<Vec<_>>()
                .join("\n")
        },
    )
}

fn skeleton_json(entry: &SkeletonEntry) -> Value {
    let role = |joint: &afoot_core::Joint| {
        let role = joint.role.map_or(Value::Null, |role| role.name().into());
        (joint.name.clone(), role)
    };
    let joints: Map<String, Value> = entry.skeleton.joints().iter().map(role).collect();
    json!({"name": entry.name, "clips": entry.clips, "joints": joints})
}

fn skeleton_words(entry: &SkeletonEntry) -> String {
    let mut text = format!("{} ({} clips)", entry.name, entry.clips);
    for joint in entry.skeleton.joints() {
        let role = joint.role.map_or("-", |role| role.name());
        text += &format!("\n  {:<32} {role}", joint.name);
    }
    text
}
