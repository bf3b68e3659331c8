//! Commands on a library's clips: new, list, remove, rename.

use std::path::PathBuf;

use afoot_core::Locomotion;
use afoot_library::{ClipEntry, Library};
use clap::Args;
use serde_json::{Value, json};

use crate::console::{Console, table};
use crate::failure::{Failure, Outcome};
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
    /// Only clips of this type
    #[arg(long = "type", value_name = "walk|run|jump|stand|other")]
    kind: Option<String>,
    /// With --type: clips with at least this share of it, instead of clips that are nothing else
    #[arg(long, value_name = "SHARE")]
    min_share: Option<f64>,
    /// Only clips with this label
    #[arg(long, value_name = "L")]
    label: Option<String>,
}

const LIST_EXAMPLES: &str = "\
Examples:
  afoot list lib.afoot
  afoot list lib.afoot --type walk                     clips that are nothing but walks
  afoot list lib.afoot --type walk --min-share 0.75    clips that are mostly walks
  afoot list lib.afoot --label sneak";

#[derive(Debug, Args)]
#[command(after_help = REMOVE_EXAMPLES)]
pub struct RemoveArguments {
    /// The library
    library: PathBuf,
    /// The name of a clip in it
    clip: String,
}

const REMOVE_EXAMPLES: &str = "\
Examples:
  afoot remove lib.afoot 16_15";

#[derive(Debug, Args)]
#[command(after_help = RENAME_EXAMPLES)]
pub struct RenameArguments {
    /// The library
    library: PathBuf,
    /// The name of a clip in it
    clip: String,
    /// Its new name
    name: String,
}

const RENAME_EXAMPLES: &str = "\
Examples:
  afoot rename lib.afoot 16_15 stroll";

pub fn new(arguments: &NewArguments, console: &Console) -> Outcome {
    Library::create(&arguments.library)?;
    let path = arguments.library.display().to_string();
    console.result(|| json!({"library": path}), || format!("made {path}"))
}

pub fn remove(arguments: &RemoveArguments, console: &Console) -> Outcome {
    Library::open(&arguments.library)?.remove(&arguments.clip)?;
    let clip = &arguments.clip;
    console.result(|| json!({"removed": clip}), || format!("removed {clip}"))
}

pub fn rename(arguments: &RenameArguments, console: &Console) -> Outcome {
    let (clip, name) = (&arguments.clip, &arguments.name);
    Library::open(&arguments.library)?.rename(clip, name)?;
    console.result(
        || json!({"renamed": clip, "to": name}),
        || format!("{clip} is now {name}"),
    )
}

pub fn list(arguments: &ListArguments, console: &Console) -> Outcome {
    let library = Library::open_read_only(&arguments.library)?;
    let filter = Filter::new(arguments)?;
    let clips: Vec<ClipEntry> = library
        .clips()?
        .into_iter()
        .filter(|clip| filter.admits(clip))
        .collect();
    console.result(
        || json!({"clips": clips.iter().map(clip_json).collect::<Vec<_>>()}),
        || list_words(&clips),
    )
}

/// Which clips `list` shows.
struct Filter<'a> {
    kind: Option<Locomotion>,
    min_share: Option<f64>,
    label: Option<&'a str>,
}

impl<'a> Filter<'a> {
    fn new(arguments: &'a ListArguments) -> Result<Self, Failure> {
        let unknown =
            |word: &str| Failure::option("--type", word, "walk, run, jump, stand or other");
        let kind = match &arguments.kind {
            Some(word) => Some(Locomotion::from_name(word).ok_or_else(|| unknown(word))?),
            None => None,
        };
        match (arguments.min_share, kind) {
            (Some(share), _) if !(0.0..=1.0).contains(&share) => {
                return Err(Failure::option("--min-share", share, "0 to 1"));
            }
            (Some(_), None) => return Err(Failure::failed("--min-share goes with --type")),
            _ => {}
        }
        Ok(Self {
            kind,
            min_share: arguments.min_share,
            label: arguments.label.as_deref(),
        })
    }

    fn admits(&self, clip: &ClipEntry) -> bool {
        let kind = self.kind.is_none_or(|kind| match self.min_share {
            Some(share) => f64::from(clip.shares[kind as usize]) >= share - 1e-6,
            None => clip.kind == kind,
        });
        kind && self
            .label
            .is_none_or(|label| clip.label_names().contains(&label))
    }
}

/// A clip as `list` and `show` give it.
pub fn clip_json(clip: &ClipEntry) -> Value {
    let share =
        |kind: Locomotion| f64::from((clip.shares[kind as usize] * 1000.0).round()) / 1000.0;
    let shares: serde_json::Map<String, Value> = Locomotion::ALL
        .into_iter()
        .filter(|&kind| clip.shares[kind as usize] > 0.0)
        .map(|kind| (kind.name().to_owned(), json!(share(kind))))
        .collect();
    json!({
        "name": clip.name,
        "frames": clip.frames,
        "fps": clip.rate.fps(),
        "seconds": clip.seconds(),
        "type": clip.kind.name(),
        "shares": shares,
        "labels": clip.label_names(),
    })
}

fn list_words(clips: &[ClipEntry]) -> String {
    let heads = ["clip", "seconds", "frames", "fps", "type", "labels"];
    let mut rows = vec![heads.map(String::from).to_vec()];
    for clip in clips {
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
    let seconds = total_seconds(clips.iter().map(ClipEntry::seconds));
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
