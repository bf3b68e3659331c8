//! A library's clips: listed, removed, renamed.

use std::collections::BTreeMap;

use afoot_core::Locomotion;
use afoot_library::ClipEntry;
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::library::Library;
use crate::ranges::Ranged;
use crate::requests::choice::Choice;

/// Asks for the clips, all or some.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct List {
    /// Which.
    pub choice: Choice,
}

/// Asks for clips to be removed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Remove {
    /// Which; something has to be said.
    pub choice: Choice,
}

/// Asks for a clip to be renamed, or several.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rename {
    /// The clip, or a pattern with one `*`.
    pub clip: String,
    /// Its new name; of a pattern, with a `*` for what that stood for.
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
    /// Lists the clips; those that can't be read are warned of.
    pub fn run(&self, library: &Library, run: &Run) -> Result<Listed, Failure> {
        self.check_ranges()?;
        let store = library.read()?;
        store.tell_damage(run)?;
        let clips = self.choice.of(&store)?.into_iter().map(ListedClip::from);
        Ok(Listed {
            clips: clips.collect(),
        })
    }
}

impl Remove {
    /// Removes the clips, all or none; gives their names.
    pub fn run(&self, library: &Library, _: &Run) -> Result<Vec<String>, Failure> {
        self.check_ranges()?;
        if self.choice.is_open() {
            return Err(Failure::bad_request(
                "expected clips, a label or a type to remove",
            ));
        }
        let mut store = library.write()?;
        // Clips that can't be read are in no list, but can be removed by their names.
        let damage = store.damage()?.into_iter().filter_map(|damage| damage.clip);
        let lost: Vec<String> = damage
            .filter(|name| self.choice.clips.contains(name))
            .collect();
        let mut choice = self.choice.clone();
        choice.clips.retain(|name| !lost.contains(name));
        let mut names = match choice.is_open() {
            true => Vec::new(),
            false => choice
                .of(&store)?
                .into_iter()
                .map(|clip| clip.name)
                .collect(),
        };
        names.extend(lost);
        if names.is_empty() {
            return Err(Failure::bad_request(
                "no clip is of that kind; nothing was removed",
            ));
        }
        let transaction = store.transaction()?;
        names.iter().try_for_each(|name| transaction.remove(name))?;
        transaction.commit()?;
        Ok(names)
    }
}

impl Rename {
    /// Renames the clips, all or none; gives old and new names.
    pub fn run(&self, library: &Library, _: &Run) -> Result<Vec<[String; 2]>, Failure> {
        let mut store = library.write()?;
        let Some((before, after)) = self.clip.split_once('*') else {
            store.rename(&self.clip, &self.name)?;
            return Ok(vec![[self.clip.clone(), self.name.clone()]]);
        };
        if self.name.matches('*').count() != 1 || after.contains('*') {
            let words = "a pattern and its new name need one * each";
            return Err(Failure::bad_request(format!(
                "{} and {}: {words}",
                self.clip, self.name
            )));
        }
        let clips = vec![self.clip.clone()];
        let choice = Choice {
            clips,
            ..Choice::default()
        };
        let renamed = |old: String| {
            // In letters, since a ? stands for one of any length.
            let [before, after] = [before, after].map(|part| part.chars().count());
            let stem = old.chars().skip(before);
            let stem: String = stem.take(old.chars().count() - before - after).collect();
            let new = self.name.replacen('*', &stem, 1);
            [old, new]
        };
        let found = choice.of(&store)?.into_iter();
        let names: Vec<[String; 2]> = found.map(|clip| renamed(clip.name)).collect();
        let transaction = store.transaction()?;
        for [old, new] in &names {
            transaction.rename(old, new)?;
        }
        transaction.commit()?;
        Ok(names)
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
