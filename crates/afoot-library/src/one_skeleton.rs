//! Clips of several skeletons brought onto one, for graphs and by request.
//!
//! A graph needs one skeleton, a library does not: it keeps clips as they were captured, and a graph
//! takes those of other skeletons onto the most common one while it is built. Joints of the same names
//! and parents whose offsets lie within [`adopt_skeleton`]'s millimetre are one skeleton. What is made of
//! clips of one body alone stays on it.

use std::sync::Arc;

use afoot_codec::{ContentHash, Digest};
use afoot_core::{Clip, RetargetOptions, Skeleton, adopt_skeleton, retarget_clip};
use afoot_graph::level_clip;
use afoot_run::Run;

use crate::entry::ClipEntry;
use crate::error::LibraryError;
use crate::facts::ClipFacts;
use crate::library::Library;

/// The clips of one body among several, level.
#[derive(Clone, Debug)]
pub struct OneBody {
    /// In the library's order.
    pub clips: Vec<Clip>,
    /// The hash of every clip's content and name, in order.
    pub sources: ContentHash,
}

/// The skeleton that most clips have, of several as common the one met first; `None` of no clips.
pub(crate) fn most_common<'a>(
    of_clips: impl Iterator<Item = &'a Arc<Skeleton>>,
) -> Option<Arc<Skeleton>> {
    let mut shapes: Vec<(Arc<Skeleton>, usize)> = Vec::new();
    for skeleton in of_clips {
        match shapes
            .iter_mut()
            .find(|(shape, _)| shape.same_shape(skeleton))
        {
            Some((_, count)) => *count += 1,
            None => shapes.push((skeleton.clone(), 1)),
        }
    }
    let most = shapes.iter().map(|(_, count)| *count).max()?;
    let first = shapes.into_iter().find(|(_, count)| *count == most)?;
    Some(first.0)
}

/// A clip on `target`, and in words what was done to it, if anything that shows.
pub(crate) fn onto(
    clip: &Clip,
    target: &Arc<Skeleton>,
) -> Result<(Clip, Option<String>), LibraryError> {
    if clip.skeleton.same_shape(target) {
        return Ok((clip.clone(), None));
    }
    if let Some(adopted) = adopt_skeleton(clip, target) {
        return Ok((adopted, None));
    }
    let retargeted = retarget_clip(clip, target, &RetargetOptions::default());
    let retargeted = retargeted.map_err(|error| LibraryError::Retarget {
        name: clip.name.clone(),
        error,
    })?;
    Ok((retargeted, Some(difference(&clip.skeleton, target))))
}

/// How two skeletons differ: by how much, where only lengths do.
pub(crate) fn difference(one: &Skeleton, other: &Skeleton) -> String {
    if !one.same_topology(other) {
        return format!("{} joints instead of {}", one.len(), other.len());
    }
    let pairs = one.joints().iter().zip(other.joints()).skip(1);
    let lengths = pairs.map(|(a, b)| {
        let change = (a.offset.length() - b.offset.length()).abs();
        (change, (a.offset - b.offset).length(), a.name.as_str())
    });
    let worst = lengths.max_by(|a, b| a.1.total_cmp(&b.1));
    match worst {
        Some((change, apart, name)) => format!(
            "the same joints, {name} {:.1} cm elsewhere and its bone {:.1} cm longer or shorter",
            100.0 * apart,
            100.0 * change
        ),
        None => "the same joints".into(),
    }
}

impl Library {
    /// Brings every clip onto one skeleton: that of a clip, or one of the library's by its name. Gives
    /// the clips that were changed, with how they differed.
    pub fn retarget(
        &mut self,
        skeleton: &str,
        run: &Run,
    ) -> Result<Vec<(String, String)>, LibraryError> {
        let target = self.skeleton_named(skeleton)?;
        self.retarget_onto(&target, run)
    }

    /// [`Library::retarget`] onto any skeleton; begun again where somebody adds, changes or removes clips meanwhile.
    pub fn retarget_onto(
        &mut self,
        target: &Arc<Skeleton>,
        run: &Run,
    ) -> Result<Vec<(String, String)>, LibraryError> {
        loop {
            let entries = self.clips()?;
            let replacements = match self.retargeted(&entries, target, run) {
                Err(LibraryError::NoClip { .. }) => continue, // it was there when it was listed
                replacements => replacements?,
            };
            let transaction = self.transaction()?;
            let motions = |entries: &[ClipEntry]| -> Vec<_> {
                let motion = |entry: &ClipEntry| (entry.id, entry.motion_hash, entry.tracks_sum);
                entries.iter().map(motion).collect()
            };
            if motions(&transaction.clips()?) != motions(&entries) {
                continue;
            }
            let mut changed = Vec::new();
            for (clip, facts, how) in replacements {
                transaction.replace(&clip, &facts)?;
                changed.push((clip.name, how));
            }
            transaction.commit()?;
            return Ok(changed);
        }
    }

    /// The clips that have another skeleton on that one, with how they differed.
    fn retargeted(
        &self,
        entries: &[ClipEntry],
        target: &Arc<Skeleton>,
        run: &Run,
    ) -> Result<Vec<(Clip, ClipFacts, String)>, LibraryError> {
        let mut replacements = Vec::new();
        for (done, entry) in entries.iter().enumerate() {
            run.progress("retargeting", done as u64, entries.len() as u64);
            run.check()?;
            let clip = self.clip_as_found(entry)?;
            if *clip.skeleton == **target {
                continue;
            }
            let (mut clip, how) = onto(&clip, target)?;
            clip.skeleton = target.clone();
            let mut facts = entry.facts.clone();
            facts.retargeted |= how.is_some();
            let how =
                how.unwrap_or_else(|| "the same but for roles or tenths of a millimetre".into());
            replacements.push((clip, facts, how));
        }
        Ok(replacements)
    }

    /// All clips of the body that the named ones share, where it is not the one that most clips have; `None` where
    /// it is, where they share none, and where one of them is not there.
    pub fn clips_of_own_body(&self, names: &[&str]) -> Result<Option<OneBody>, LibraryError> {
        let bodies = self.bodies()?;
        let of = |name: &&str| {
            let clip = bodies.iter().find(|(entry, _)| entry.name == **name);
            clip.map(|(_, skeleton)| skeleton)
        };
        let Some(named) = names.iter().map(of).collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        let common = most_common(bodies.iter().map(|(_, skeleton)| skeleton));
        let (Some(own), Some(common)) = (named.first(), common) else {
            return Ok(None);
        };
        if common.same_shape(own) || !named.iter().all(|skeleton| skeleton.same_shape(own)) {
            return Ok(None);
        }
        let mut digest = Digest::default();
        let mut clips = Vec::new();
        for (entry, _) in bodies.iter().filter(|(_, body)| body.same_shape(own)) {
            digest.add(&entry.hash().0);
            digest.add(entry.name.as_bytes());
            digest.add(&[0]);
            clips.push(level_clip(&self.clip(&entry.name)?));
        }
        let sources = digest.finish();
        Ok(Some(OneBody { clips, sources }))
    }

    /// Whether a clip has the body that most clips have, or is not there.
    pub fn has_common_body(&self, name: &str) -> Result<bool, LibraryError> {
        let bodies = self.bodies()?;
        let common = most_common(bodies.iter().map(|(_, skeleton)| skeleton));
        let own = bodies.iter().find(|(entry, _)| entry.name == name);
        Ok(match (own, common) {
            (Some((_, own)), Some(common)) => own.same_shape(&common),
            _ => true,
        })
    }

    /// Every clip's skeleton, in the library's order.
    fn bodies(&self) -> Result<Vec<(ClipEntry, Arc<Skeleton>)>, LibraryError> {
        let skeletons = self.skeletons()?;
        let of = |entry: ClipEntry| {
            let own = skeletons.iter().find(|known| known.id == entry.skeleton)?;
            Some((entry, own.skeleton.clone()))
        };
        Ok(self.clips()?.into_iter().filter_map(of).collect())
    }

    /// The skeleton of a clip, else the library's of that name.
    pub fn skeleton_named(&self, name: &str) -> Result<Arc<Skeleton>, LibraryError> {
        let skeletons = self.skeletons()?;
        let clips = self.clips()?;
        let number = clips
            .iter()
            .find(|clip| clip.name == name)
            .map(|clip| clip.skeleton);
        let of_clip = skeletons.iter().find(|entry| number == Some(entry.id));
        let named = of_clip.or_else(|| skeletons.iter().find(|entry| entry.name == name));
        let found = named.map(|entry| entry.skeleton.clone());
        found.ok_or_else(|| LibraryError::NoSkeleton { name: name.into() })
    }
}
