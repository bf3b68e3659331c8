//! `play`, `fmt`, and `check` of a script: stories.

use std::path::{Path, PathBuf};

use afoot::{
    AnyFile, CheckStory, Failure, FormatStory, PlayStory, Run, ScenePlayed, StoryPlayed, Workspace,
    write_file,
};
use clap::Args;

use crate::console::Console;
use crate::failure::Outcome;

#[derive(Debug, Args)]
#[command(after_help = PLAY_EXAMPLES)]
pub struct PlayArguments {
    /// The script
    story: PathBuf,
    /// Folder for the results; that of the script's name if it is left out
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Play this action alone: ACTION, or ACTOR.ACTION
    #[arg(long, value_name = "NAME")]
    action: Option<String>,
}

const PLAY_EXAMPLES: &str = "\
Examples:
  afoot play meeting.play -o meeting
  afoot play meeting.play --action Ann.wave -o wave
  afoot play meeting.play -o meeting --json | jq '.computed, .cached'

A folder a scene: a BVH file an actor, scene.glb with all of them and the camera, strip.png, plan.png and,
where ffmpeg is at hand, scene.mp4. Motion that takes work is kept in the actors' libraries: playing again
after a change makes only what depends on it. docs/stories.md tells the language.";

#[derive(Debug, Args)]
#[command(after_help = FMT_EXAMPLES)]
pub struct FmtArguments {
    /// The scripts
    #[arg(required = true)]
    stories: Vec<PathBuf>,
    /// Change nothing; fail if a script is not in its usual form
    #[arg(long)]
    check: bool,
}

const FMT_EXAMPLES: &str = "\
Examples:
  afoot fmt meeting.play
  afoot fmt --check stories/*.play";

pub fn play(arguments: &PlayArguments, run: &Run, console: &Console) -> Outcome {
    let play = PlayStory {
        story: arguments.story.clone().into(),
        action: arguments.action.clone(),
        text: None,
    };
    let folder = match &arguments.output {
        Some(folder) => folder.clone(),
        None => arguments.story.with_extension(""),
    };
    let played = play.run(Workspace::from(&AnyFile), &folder, run)?;
    console.done(&played, |played| words(played, &folder))
}

fn words(played: &StoryPlayed, folder: &Path) -> String {
    let mut text: String = played.scenes.iter().map(scene_words).collect();
    text += &format!(
        "{} filters computed, {} kept from before; {:.1} s of work; look at {}",
        played.computed.len(),
        played.cached.len(),
        played.compute_seconds,
        folder.display()
    );
    text
}

fn scene_words(scene: &ScenePlayed) -> String {
    let mut text = format!("scene {}: {:.1} s\n", scene.name, scene.seconds);
    for action in &scene.actions {
        text += &format!(
            "  {:6.2} to {:6.2} s  {}.{}\n",
            action.start, action.end, action.actor, action.action
        );
    }
    for actor in &scene.actors {
        let broken: Vec<String> = actor
            .quality
            .verdicts
            .iter()
            .filter(|verdict| !verdict.kept)
            .map(|verdict| verdict.words.clone())
            .collect();
        let judged = match broken.is_empty() {
            true => "all bars kept".into(),
            false => broken.join("; "),
        };
        text += &format!("  {}: {} ({judged})\n", actor.name, actor.file);
        if actor.still_seconds > 0.0 {
            text += &format!(
                "  {} holds still for {:.1} s: he has no idle action\n",
                actor.name, actor.still_seconds
            );
        }
    }
    text
}

/// Checks a script: all that is wrong at once.
pub fn check(story: &Path, run: &Run, console: &Console) -> Outcome {
    let check = CheckStory {
        story: story.to_owned().into(),
        text: None,
    };
    let checked = check.run(Workspace::from(&AnyFile), run)?;
    console.result(&checked, |checked| {
        let problems = checked.errors.iter().chain(&checked.warnings);
        let shown: String = problems
            .map(|problem| format!("{}\n", problem.shown))
            .collect();
        match checked.errors.is_empty() {
            true => format!(
                "{shown}right: {} actors, {} actions, {} scenes",
                checked.actors, checked.actions, checked.scenes
            ),
            false => shown,
        }
    })?;
    match checked.errors.len() {
        0 => Ok(()),
        1 => Err(Failure::at(story, "1 error")),
        count => Err(Failure::at(story, format!("{count} errors"))),
    }
}

pub fn fmt(arguments: &FmtArguments, run: &Run, console: &Console) -> Outcome {
    let mut changed = Vec::new();
    for story in &arguments.stories {
        let format = FormatStory {
            story: story.clone().into(),
            text: None,
        };
        let formatted = format.run(Workspace::from(&AnyFile), run)?;
        if formatted.changed {
            changed.push(story.display().to_string());
            if !arguments.check {
                write_file(story, formatted.text)?;
            }
        }
    }
    let told = serde_json::json!({ "changed": changed });
    console.done(&told, |_| {
        changed.iter().map(|name| format!("{name}\n")).collect()
    })?;
    match arguments.check && !changed.is_empty() {
        true => Err(Failure::failed(format!(
            "{} not in the usual form",
            match changed.len() {
                1 => "1 script is".into(),
                count => format!("{count} scripts are"),
            }
        ))),
        false => Ok(()),
    }
}
