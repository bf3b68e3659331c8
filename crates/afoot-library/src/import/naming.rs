//! Names for clips, and clips that are there already.
//!
//! A clip is named after its file, or after itself where a file has several animations; where several files of an import
//! have an animation of that name, or the library has another clip of it, after both: `FILE_NAME`. If the library has a
//! clip of one of these names with the same motion, the file is skipped; if all of them are other motion, the clip becomes
//! `NAME_2`, `NAME_3` and so on. The same motion under another name is added, with a warning that names the first one.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use afoot_analyze::faults::Fingerprint;
use afoot_core::Clip;

use super::prepare::Prepared;
use super::{ImportReport, ImportedClip, Inspected, SkippedFile};
use crate::entry::ClipEntry;
use crate::error::LibraryError;
use crate::facts::ClipFacts;
use crate::library::Transaction;
use crate::record::motion_hash;
use crate::rows::read_fingerprint;
use afoot_codec::ContentHash;

/// What a clip may be called.
pub(super) struct Names {
    /// In the order of preference.
    wanted: Vec<String>,
    /// The animation's own, which is not used because other files have one of it.
    shared: Option<String>,
}

impl Names {
    /// Of a file, or of an animation in it.
    pub fn of(path: &Path, take: &str) -> Self {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let mut wanted = vec![name_of(take)];
        if *stem != *take {
            wanted.push(name_of(&format!("{stem}_{take}")));
        }
        Self {
            wanted,
            shared: None,
        }
    }

    fn only(name: String) -> Self {
        Self {
            wanted: vec![name],
            shared: None,
        }
    }

    /// The one that is best.
    pub fn first(&self) -> &str {
        &self.wanted[0]
    }

    /// Whether it is called that in its file or here.
    pub fn is(&self, name: &str) -> bool {
        self.wanted
            .iter()
            .chain(&self.shared)
            .any(|own| own == name)
    }
}

/// Animations of one name in several files are named after their files too.
pub(super) fn tell_apart(inspected: &mut [Inspected]) {
    let mut files: HashMap<String, HashSet<PathBuf>> = HashMap::new();
    for file in &*inspected {
        let of_name = files.entry(file.names.first().into()).or_default();
        of_name.insert(file.path.clone());
    }
    for file in inspected {
        if file.names.wanted.len() > 1 && files[file.names.first()].len() > 1 {
            file.names.shared = Some(file.names.wanted.remove(0));
        }
    }
}

/// A file's or an animation's name, fit for a clip.
fn name_of(given: &str) -> String {
    let fit = |c: char| {
        if "[],".contains(c) || c.is_control() {
            '_'
        } else {
            c
        }
    };
    let mut name: String = given.trim().chars().map(fit).collect();
    while name.len() > 150 {
        name.pop();
    }
    if name.is_empty() { "clip".into() } else { name }
}

/// The fingerprints of all clips, to find copies by.
#[derive(Default)]
pub(super) struct Prints {
    by_size: HashMap<(u32, u32), Vec<(String, Fingerprint)>>,
}

impl Prints {
    pub fn of_library(entries: &[ClipEntry]) -> Self {
        let mut prints = Self::default();
        for entry in entries {
            if let Ok(print) = read_fingerprint(&entry.fingerprint) {
                prints.add(&entry.name, print);
            }
        }
        prints
    }

    fn add(&mut self, name: &str, print: Fingerprint) {
        let size = (print.frames, print.joints);
        self.by_size
            .entry(size)
            .or_default()
            .push((name.into(), print));
    }

    fn first_copy(&self, print: &Fingerprint) -> Option<&str> {
        let same_size = self.by_size.get(&(print.frames, print.joints))?;
        let copy = same_size
            .iter()
            .find(|(_, other)| other.same_motion(print))?;
        Some(&copy.0)
    }
}

/// Adds a clip and its mirror image under free names, and reports it.
pub(super) fn add(
    transaction: &Transaction,
    path: &Path,
    prepared: Prepared,
    prints: &mut Prints,
    report: &mut ImportReport,
) -> Result<(), LibraryError> {
    let Prepared {
        mut clip,
        mut facts,
        print,
        mirror,
        names,
    } = prepared;
    match free_name(transaction, &clip, &names)? {
        Name::Known(name) => report.skipped.push(SkippedFile {
            path: path.display().to_string(),
            name,
            why: "the library has this motion under this name".into(),
        }),
        Name::Free(name) => {
            note_other_name(&clip.name, &name, &mut facts);
            if let Some(first) = prints.first_copy(&print) {
                facts.warnings.push(format!("the same motion as {first}"));
            }
            clip.name = name;
            transaction.add_clip_with_print(&clip, &facts, &print)?;
            prints.add(&clip.name, print);
            report.clips.push(ImportedClip::new(&clip, &facts));
        }
    }
    match mirror {
        Some(mirror) => add_mirror(transaction, clip.name, mirror, &facts, report),
        None => Ok(()),
    }
}

fn add_mirror(
    transaction: &Transaction,
    original: String,
    mut mirror: Clip,
    facts: &ClipFacts,
    report: &mut ImportReport,
) -> Result<(), LibraryError> {
    mirror.name = format!("{original}_mirror");
    let mut facts = facts.clone();
    facts.mirror_of = Some(original);
    facts.rate_verdict = None; // the original tells it already
    match free_name(transaction, &mirror, &Names::only(mirror.name.clone()))? {
        Name::Known(_) => return Ok(()),
        Name::Free(name) => {
            note_other_name(&mirror.name, &name, &mut facts);
            mirror.name = name;
        }
    }
    transaction.add_clip(&mirror, &facts)?;
    report.clips.push(ImportedClip::new(&mirror, &facts));
    Ok(())
}

fn note_other_name(wanted: &str, name: &str, facts: &mut ClipFacts) {
    if wanted != name {
        let words = format!("there is another clip {wanted}: this one is named {name}");
        facts.warnings.push(words);
    }
}

enum Name {
    Free(String),
    /// A clip of this name has the same motion.
    Known(String),
}

fn free_name(transaction: &Transaction, clip: &Clip, names: &Names) -> Result<Name, LibraryError> {
    let hash: ContentHash = motion_hash(clip);
    if let Some(shared) = &names.shared
        && let Name::Known(name) = numbered(transaction, shared, hash)?
    {
        return Ok(Name::Known(name));
    }
    let mut free = Vec::new();
    for name in &names.wanted {
        match numbered(transaction, name, hash)? {
            Name::Known(name) => return Ok(Name::Known(name)),
            Name::Free(other) => free.push((*name == other, other)),
        }
    }
    let as_wanted = free.iter().position(|(as_wanted, _)| *as_wanted);
    let index = as_wanted.unwrap_or(free.len() - 1);
    Ok(Name::Free(free.swap_remove(index).1))
}

/// A name, with the first number that makes it free.
fn numbered(
    transaction: &Transaction,
    wanted: &str,
    hash: ContentHash,
) -> Result<Name, LibraryError> {
    let mut name = wanted.to_owned();
    for number in 2u32.. {
        match transaction.entry(&name) {
            Ok(None) => break,
            Ok(Some(entry)) if entry.motion_hash == hash => return Ok(Name::Known(name)),
            // Also one that can't be read has the name.
            Ok(Some(_)) | Err(LibraryError::DamagedClip { .. }) => {
                name = format!("{wanted}_{number}");
            }
            Err(error) => return Err(error),
        }
    }
    Ok(Name::Free(name))
}
