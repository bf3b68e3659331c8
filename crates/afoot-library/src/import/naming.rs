//! Names for clips, and clips that are there already.
//!
//! A clip is named after its file, or after itself where a file has several animations. If the library has a clip of that name with the same motion, the
//! file is skipped; if the motion is another, the clip becomes `NAME_2`, `NAME_3` and so on. The same
//! motion under another name is added, with a warning that names the first one.

use std::collections::HashMap;
use std::path::Path;

use afoot_analyze::faults::Fingerprint;
use afoot_core::Clip;

use super::prepare::Prepared;
use super::{ImportReport, ImportedClip, SkippedFile};
use crate::entry::ClipEntry;
use crate::error::LibraryError;
use crate::facts::ClipFacts;
use crate::library::Transaction;
use crate::record::motion_hash;
use crate::rows::read_fingerprint;
use afoot_codec::ContentHash;

/// A file's or an animation's name, fit for a clip.
pub(super) fn name_of(given: &str) -> String {
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
    } = prepared;
    match free_name(transaction, &clip)? {
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
    match free_name(transaction, &mirror)? {
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

fn free_name(transaction: &Transaction, clip: &Clip) -> Result<Name, LibraryError> {
    let hash: ContentHash = motion_hash(clip);
    let mut name = clip.name.clone();
    for number in 2u32.. {
        match transaction.entry(&name) {
            Ok(None) => break,
            Ok(Some(entry)) if entry.motion_hash == hash => return Ok(Name::Known(name)),
            // Also one that can't be read has the name.
            Ok(Some(_)) | Err(LibraryError::DamagedClip { .. }) => {
                name = format!("{}_{number}", clip.name);
            }
            Err(error) => return Err(error),
        }
    }
    Ok(Name::Free(name))
}
