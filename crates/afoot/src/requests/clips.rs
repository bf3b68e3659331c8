//! A library's clips: listed, removed, renamed.

use afoot_core::Locomotion;
use afoot_library::ClipEntry;
use afoot_run::Run;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::library::Library;

/// Asks for the clips, all or some.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
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
#[serde(default)]
pub struct Remove {
    /// The clip.
    pub clip: String,
}

/// Asks for a clip to be renamed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
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
#[derive(Clone, Debug)]
pub struct ListedClip(pub ClipEntry);

impl List {
    /// Lists the clips.
    pub fn run(&self, library: &Library, _: &Run) -> Result<Listed, Failure> {
        let store = library.read()?;
        let kind = self.kind()?;
        let clips = store.clips()?.into_iter();
        let admitted = clips.filter(|clip| self.admits(clip, kind));
        Ok(Listed {
            clips: admitted.map(ListedClip).collect(),
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

impl Serialize for ListedClip {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        clip_json(&self.0).serialize(to)
    }
}

/// A clip as `list` and `show` give it.
pub(super) fn clip_json(clip: &ClipEntry) -> Value {
    let share =
        |kind: Locomotion| f64::from((clip.shares[kind as usize] * 1000.0).round()) / 1000.0;
    let shares: Map<String, Value> = Locomotion::ALL
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
