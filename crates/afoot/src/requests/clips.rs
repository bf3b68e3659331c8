//! A library's clips: listed, removed, renamed.

use std::collections::BTreeMap;

use afoot_core::Locomotion;
use afoot_library::ClipEntry;
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::library::Library;

/// Asks for the clips, all or some.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct List {
    /// Only clips of this type: walk, run, jump, stand or other.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// With a type: clips with at least this share of it, instead of clips that are nothing else.
    /// [0 to 1]
    pub min_share: Option<f64>,
    /// Only clips with this label.
    pub label: Option<String>,
}

/// Asks for a clip to be removed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Remove {
    /// The clip.
    pub clip: String,
}

/// Asks for a clip to be renamed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rename {
    /// The clip.
    pub clip: String,
    /// Its new name.
    pub name: String,
}

/// Clips of a library.
#[derive(Clone, Debug, Serialize)]
pub struct Listed {
    /// In the library's order.
    pub clips: Vec<ListedClip>,
}

/// A clip as it is listed.
#[derive(Clone, Debug, Serialize)]
pub struct ListedClip {
    /// Its name.
    pub name: String,
    /// How many frames it has.
    pub frames: u32,
    /// Its rate. [frames/s]
    pub fps: f64,
    /// Its length. [s]
    pub seconds: f64,
    /// What it is as a whole: walk, run, jump, stand or other.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Shares of its frames of each type, to three digits; none of 0.
    pub shares: BTreeMap<&'static str, f64>,
    /// The labels that it carries somewhere.
    pub labels: Vec<String>,
    /// All else that the library says of it.
    #[serde(skip)]
    pub entry: ClipEntry,
}

impl List {
    /// Lists the clips.
    pub fn run(&self, library: &Library, _: &Run) -> Result<Listed, Failure> {
        let store = library.read()?;
        let kind = self.kind()?;
        let clips = store.clips()?.into_iter();
        let admitted = clips.filter(|clip| self.admits(clip, kind));
        Ok(Listed {
            clips: admitted.map(ListedClip::from).collect(),
        })
    }

    fn kind(&self) -> Result<Option<Locomotion>, Failure> {
        let expected = "walk, run, jump, stand or other";
        let unknown = |word: &str| Failure::bad_value("type", word, expected);
        let find = |word: &str| Locomotion::from_name(word).ok_or_else(|| unknown(word));
        let kind = self.kind.as_deref().map(find).transpose()?;
        match (self.min_share, kind) {
            (Some(share), _) if !(0.0..=1.0).contains(&share) => {
                Err(Failure::bad_value("min_share", share, "0 to 1"))
            }
            (Some(_), None) => Err(Failure {
                field: Some("min_share".into()),
                ..Failure::bad_request("goes with a type")
            }),
            _ => Ok(kind),
        }
    }

    fn admits(&self, clip: &ClipEntry, kind: Option<Locomotion>) -> bool {
        let kind = kind.is_none_or(|kind| match self.min_share {
            Some(share) => f64::from(clip.shares[kind as usize]) >= share - 1e-6,
            None => clip.kind == kind,
        });
        let label = self.label.as_deref();
        kind && label.is_none_or(|label| clip.label_names().contains(&label))
    }
}

impl Remove {
    /// Removes the clip.
    pub fn run(&self, library: &Library, _: &Run) -> Result<(), Failure> {
        Ok(library.write()?.remove(&self.clip)?)
    }
}

impl Rename {
    /// Renames the clip.
    pub fn run(&self, library: &Library, _: &Run) -> Result<(), Failure> {
        Ok(library.write()?.rename(&self.clip, &self.name)?)
    }
}

impl From<ClipEntry> for ListedClip {
    fn from(entry: ClipEntry) -> Self {
        let share = |kind: Locomotion| entry.shares[kind as usize];
        let rounded = |share: f32| f64::from((share * 1000.0).round()) / 1000.0;
        let kinds = Locomotion::ALL
            .into_iter()
            .filter(|kind| share(*kind) > 0.0);
        Self {
            name: entry.name.clone(),
            frames: entry.frames,
            fps: entry.rate.fps(),
            seconds: entry.seconds(),
            kind: entry.kind.name(),
            shares: kinds
                .map(|kind| (kind.name(), rounded(share(kind))))
                .collect(),
            labels: entry.label_names().into_iter().map(String::from).collect(),
            entry,
        }
    }
}
