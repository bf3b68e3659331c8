//! What a listing gives: everything about a clip but its motion.

use std::sync::Arc;

use afoot_core::{FrameRate, Locomotion, Skeleton};

use crate::annotations::Annotations;
use crate::facts::ClipFacts;
use crate::record::write_annotations;
use afoot_codec::{ContentHash, Digest};

/// A clip's number in its library: given once, in the order of adding, never again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClipNumber(pub i64);

/// A clip without its motion.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipEntry {
    /// Its number.
    pub id: ClipNumber,
    /// Its name, unique in the library.
    pub name: String,
    /// The number of its skeleton, see [`crate::Library::skeletons`].
    pub skeleton: i64,
    /// How many frames it has.
    pub frames: u32,
    /// Frames per second in the library.
    pub rate: FrameRate,
    /// The type of the whole clip: that of at least three quarters of its frames.
    pub kind: Locomotion,
    /// The share of frames of each type, in the order of [`Locomotion::ALL`]; zeros if unknown.
    pub shares: [f32; 5],
    /// Labels given, or denied, by hand or at import.
    pub annotations: Annotations,
    /// Where it came from and what was done to it.
    pub facts: ClipFacts,
    /// The hash of its motion alone: skeleton, rate, every number.
    pub motion_hash: ContentHash,
    /// The digest of contacts, types, faults and floor as stored.
    pub(crate) tracks_sum: ContentHash,
    /// The digest of the motion as stored.
    pub(crate) motion_sum: ContentHash,
    pub(crate) fingerprint: Vec<u8>,
    /// The digest of everything else in the row.
    pub(crate) row_sum: ContentHash,
}

/// A skeleton and who uses it.
#[derive(Clone, Debug, PartialEq)]
pub struct SkeletonEntry {
    /// Its number.
    pub id: i64,
    /// Named after the first clip that brought it.
    pub name: String,
    /// The hash of joints, lengths, roles and channels.
    pub hash: ContentHash,
    /// Itself.
    pub skeleton: Arc<Skeleton>,
    /// How many clips use it.
    pub clips: u32,
}

impl ClipEntry {
    /// Frames times frame time. [s]
    pub fn seconds(&self) -> f64 {
        f64::from(self.frames) * self.rate.frame_time()
    }

    /// The hash of motion, contacts, types, faults and floor as they were found, whatever is said of it.
    pub fn measured_hash(&self) -> ContentHash {
        let mut digest = Digest::default();
        digest.add(&self.motion_hash.0);
        digest.add(&self.tracks_sum.0);
        digest.finish()
    }

    /// The labels that some frame carries, sorted.
    pub fn label_names(&self) -> Vec<&str> {
        self.annotations.names()
    }

    /// The hash of motion, contacts, types, faults, floor and which frames are not to be used, without
    /// labels.
    pub fn capture_hash(&self) -> ContentHash {
        let mut digest = Digest::default();
        digest.add(&self.motion_hash.0);
        digest.add(&self.tracks_sum.0);
        for span in self.annotations.excluded() {
            digest.add(&span.start.to_le_bytes());
            digest.add(&span.end.to_le_bytes());
        }
        digest.finish()
    }

    /// The hash of motion, contacts, types, faults, floor and carried labels: whatever is made of the clip
    /// depends on nothing else. The name does not enter.
    pub fn hash(&self) -> ContentHash {
        let mut digest = Digest::default();
        digest.add(&self.motion_hash.0);
        digest.add(&self.tracks_sum.0);
        digest.add(&write_annotations(&self.annotations.shown()));
        digest.finish()
    }
}

/// The share of each type among the frames.
pub(crate) fn shares_of(types: &[Locomotion]) -> [f32; 5] {
    let mut counts = [0u32; 5];
    types.iter().for_each(|&kind| counts[kind as usize] += 1);
    counts.map(|count| count as f32 / types.len().max(1) as f32)
}

/// A clip is of the type that at least so many of its frames have; grafts' rules go by the same. [share]
const HOMOGENEOUS: f32 = 0.75;

/// The type that most frames have, else other; the shares tell the rest.
pub(crate) fn kind_of(shares: &[f32; 5]) -> Locomotion {
    let most = Locomotion::ALL
        .into_iter()
        .find(|&kind| shares[kind as usize] >= HOMOGENEOUS - 1e-6);
    most.unwrap_or(Locomotion::Other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_quarters_of_the_frames_name_a_clip() {
        let of = |types: &[Locomotion]| kind_of(&shares_of(types));
        let mut types = vec![Locomotion::Walk; 75];
        types.extend([Locomotion::Other; 25]);
        assert_eq!(of(&types), Locomotion::Walk);
        types.push(Locomotion::Stand);
        assert_eq!(of(&types), Locomotion::Other);
        assert_eq!(of(&[]), Locomotion::Other);
    }
}
