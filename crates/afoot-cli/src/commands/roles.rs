//! `roles`: which joint is which body part, shown and set.

use std::path::PathBuf;

use afoot::{Failure, JointRole, Library, Roles, Run, SkeletonRoles};
use clap::Args;

use crate::console::Console;
use crate::failure::Outcome;

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

pub fn roles(arguments: &RolesArguments, run: &Run, console: &Console) -> Outcome {
    let parse = |change: &String| match change.rsplit_once('=') {
        Some((joint, role)) => Ok(JointRole {
            joint: joint.into(),
            role: role.into(),
        }),
        None => Err(Failure::bad_value("set", change, "JOINT=ROLE")),
    };
    let roles = Roles {
        set: arguments.set.iter().map(parse).collect::<Result<_, _>>()?,
    };
    let shown = roles.run(&Library::open(&arguments.library)?, run)?;
    console.result(&shown, |shown| {
        let words: Vec<String> = shown.skeletons.iter().map(words).collect();
        words.join("\n")
    })
}

fn words(skeleton: &SkeletonRoles) -> String {
    let mut text = format!("{} ({} clips)", skeleton.name, skeleton.clips);
    for joint in &skeleton.order {
        let role = skeleton.joints.get(joint).and_then(Option::as_deref);
        text += &format!("\n  {joint:<32} {}", role.unwrap_or("-"));
    }
    text
}
