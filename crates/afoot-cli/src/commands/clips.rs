//! Commands on a library's clips: new, list, remove, rename.

use std::path::PathBuf;

use afoot::{Choice, ClipEntry, Library, List, Listed, Locomotion, Remove, Rename, Run};
use clap::Args;
use serde_json::json;

use crate::console::{Console, table};
use crate::failure::Outcome;
use crate::report::total_seconds;

#[derive(Debug, Args)]
#[command(after_help = NEW_EXAMPLES)]
pub struct NewArguments {
    /// The library to make
    library: PathBuf,
}

const NEW_EXAMPLES: &str = "\
Examples:
  afoot new lib.afoot";

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = LIST_EXAMPLES)]
pub struct ListArguments {
    /// The library
    library: PathBuf,
    #[command(flatten)]
    choice: ChoiceArguments,
}

/// Which clips are meant.
#[derive(Debug, Args)]
struct ChoiceArguments {
    /// Names of clips, or patterns with * and ? (in quotes, or the shell takes them)
    clips: Vec<String>,
    /// Only clips whose name, label or type contains this word
    #[arg(long, value_name = "WORD")]
    search: Option<String>,
    /// Only clips of this type: at least three quarters of their frames are (other: of none)
    #[arg(long = "type", value_name = "walk|run|jump|stand|other")]
    kind: Option<String>,
    /// With --type: clips with at least this share of it, instead of 0.75
    #[arg(long, value_name = "SHARE")]
    min_share: Option<f64>,
    /// Only clips with this label; a type serves where no clip has such a label
    #[arg(long, value_name = "L")]
    label: Option<String>,
}

impl From<&ChoiceArguments> for Choice {
    fn from(typed: &ChoiceArguments) -> Self {
        Self {
            clips: typed.clips.clone(),
            search: typed.search.clone(),
            kind: typed.kind.clone(),
            min_share: typed.min_share,
            label: typed.label.clone(),
        }
    }
}

const LIST_EXAMPLES: &str = "\
Examples:
  afoot list lib.afoot
  afoot list lib.afoot '16_*' --search turn            names that match, words in them
  afoot list lib.afoot --type walk                  clips that are walks for three quarters at least
  afoot list lib.afoot --type walk --min-share 1    clips that are nothing but walks
  afoot list lib.afoot --label sneak";

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = REMOVE_EXAMPLES)]
pub struct RemoveArguments {
    /// The library
    library: PathBuf,
    #[command(flatten)]
    choice: ChoiceArguments,
}

const REMOVE_EXAMPLES: &str = "\
Examples:
  afoot remove lib.afoot 16_15
  afoot remove lib.afoot '*_mirror' --type stand
  afoot remove lib.afoot --label clumsy";

#[derive(Debug, Args)]
#[command(after_help = RENAME_EXAMPLES)]
pub struct RenameArguments {
    /// The library
    library: PathBuf,
    /// The name of a clip in it, or a pattern with one *
    clip: String,
    /// Its new name, of a pattern with a * for what that stood for
    name: String,
}

const RENAME_EXAMPLES: &str = "\
Examples:
  afoot rename lib.afoot 16_15 stroll
  afoot rename lib.afoot '16_*' 'anna_*'";

pub fn new(arguments: &NewArguments, console: &Console) -> Outcome {
    Library::create(&arguments.library)?;
    let path = arguments.library.display().to_string();
    console.done(&json!({"library": path}), |_| format!("made {path}"))
}

pub fn remove(arguments: &RemoveArguments, run: &Run, console: &Console) -> Outcome {
    let choice = (&arguments.choice).into();
    let removed = Remove { choice }.run(&Library::open(&arguments.library)?, run)?;
    // One name for one clip, as it ever was.
    let told = match removed.as_slice() {
        [one] => json!({"removed": one}),
        all => json!({"removed": all}),
    };
    console.done(&told, |_| format!("removed {}", removed.join(", ")))
}

pub fn rename(arguments: &RenameArguments, run: &Run, console: &Console) -> Outcome {
    let (clip, name) = (&arguments.clip, &arguments.name);
    let rename = Rename {
        clip: clip.clone(),
        name: name.clone(),
    };
    let renamed = rename.run(&Library::open(&arguments.library)?, run)?;
    let words = renamed
        .iter()
        .map(|[old, new]| format!("{old} is now {new}\n"));
    let words = words.collect::<String>();
    let told = json!({"renamed": clip, "to": name, "clips": renamed});
    console.done(&told, |_| words)
}

pub fn list(arguments: &ListArguments, run: &Run, console: &Console) -> Outcome {
    let choice = (&arguments.choice).into();
    let listed = List { choice }.run(&Library::open(&arguments.library)?, run)?;
    console.result(&listed, list_words)
}

fn list_words(listed: &Listed) -> String {
    let clips: Vec<&ClipEntry> = listed.clips.iter().map(|clip| &clip.entry).collect();
    let heads = ["clip", "seconds", "frames", "fps", "type", "labels"];
    let mut rows = vec![heads.map(String::from).to_vec()];
    for clip in &clips {
        rows.push(vec![
            clip.name.clone(),
            format!("{:.2}", clip.seconds()),
            clip.frames.to_string(),
            format!("{:.4}", clip.rate.fps())
                .trim_end_matches('0')
                .trim_end_matches('.')
                .into(),
            type_words(clip),
            clip.label_names().join(", "),
        ]);
    }
    let seconds = total_seconds(clips.iter().map(|clip| clip.seconds()));
    format!("{}{} clips, {seconds:.1} s\n", table(&rows), clips.len())
}

/// The type, or the shares of a mixed clip.
pub fn type_words(clip: &ClipEntry) -> String {
    if clip.kind != Locomotion::Other {
        return clip.kind.name().into();
    }
    let mut shares: Vec<(f32, &str)> = Locomotion::ALL
        .into_iter()
        .map(|kind| (clip.shares[kind as usize], kind.name()))
        .filter(|(share, _)| *share >= 0.005)
        .collect();
    shares.sort_by(|a, b| b.0.total_cmp(&a.0));
    let words: Vec<String> = shares
        .iter()
        .map(|(share, name)| format!("{:.0} % {name}", share * 100.0))
        .collect();
    if words.is_empty() {
        "unknown".into()
    } else {
        words.join(", ")
    }
}
