//! The words that frames carry, as bit sets: hand-made labels and locomotion types.

use std::collections::BTreeSet;

use afoot_core::{Clip, Locomotion};

use crate::motion_graph::LabelSet;

/// The most words that a graph can tell apart.
pub const MOST_WORDS: usize = 64;

impl LabelSet {
    /// No word.
    pub const EMPTY: Self = Self(0);

    /// The words of either.
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether they have a word in common.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether all words of `other` are in it.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Its words, for people.
    pub fn describe(self, vocabulary: &[String]) -> String {
        let words = vocabulary
            .iter()
            .enumerate()
            .filter(|(bit, _)| self.0 >> bit & 1 == 1);
        let words: Vec<&str> = words.map(|(_, word)| word.as_str()).collect();
        if words.is_empty() {
            "unlabelled".into()
        } else {
            words.join("+")
        }
    }
}

/// All words that some frame carries, sorted. The type "other" is no word: it says nothing.
pub fn vocabulary(clips: &[&Clip]) -> Vec<String> {
    let mut words: BTreeSet<String> = BTreeSet::new();
    for clip in clips {
        let by_hand = clip
            .labels
            .iter()
            .filter(|span| span.frames.start < clip.len() as u32);
        words.extend(by_hand.map(|span| span.label.clone()));
        let types: BTreeSet<Locomotion> = clip.types.iter().copied().collect();
        let telling = types.into_iter().filter(|kind| *kind != Locomotion::Other);
        words.extend(telling.map(|kind| kind.name().to_owned()));
    }
    words.into_iter().collect()
}

/// The words of each frame of a clip.
pub fn frame_labels(clip: &Clip, vocabulary: &[String]) -> Vec<LabelSet> {
    let bit = |word: &str| match vocabulary.iter().position(|known| known == word) {
        Some(index) if index < MOST_WORDS => 1u64 << index,
        _ => 0,
    };
    let mut sets = vec![0u64; clip.len()];
    for (set, kind) in sets.iter_mut().zip(&clip.types) {
        *set |= bit(kind.name());
    }
    for span in &clip.labels {
        let end = (span.frames.end as usize).min(sets.len());
        let start = (span.frames.start as usize).min(end);
        let word = bit(&span.label);
        sets[start..end].iter_mut().for_each(|set| *set |= word);
    }
    sets.into_iter().map(LabelSet).collect()
}
