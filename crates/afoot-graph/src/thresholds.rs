//! Which candidates become transitions: a threshold for each pair of label sets.
//!
//! A candidate counts as between the label sets of its windows' middle frames (Kovar et al. 2002,
//! §3.2, let the user choose a threshold for each pair of kinds of motion).

use crate::motion_graph::LabelSet;

/// A threshold for transitions between frames of two words, in either direction.
#[derive(Clone, Debug, PartialEq)]
pub struct PairThreshold {
    /// A word that one window's middle frame carries.
    pub a: String,
    /// A word that the other window's middle frame carries.
    pub b: String,
    /// Largest error. [cm, > 0]
    pub threshold_cm: f32,
}

/// More label sets than this share the last one's thresholds; a table of 4 MB.
pub(crate) const MOST_SETS: usize = 1024;

/// A threshold for each pair of a material's label sets. [cm]
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Thresholds {
    sets: usize,
    cm: Vec<f32>,
}

impl Thresholds {
    /// The same for all pairs.
    pub fn uniform(sets: usize, cm: f32) -> Self {
        Self {
            sets,
            cm: vec![cm; sets * sets],
        }
    }

    /// `all`, except where one of `pairs` applies; of several the loosest.
    pub fn fixed(sets: &[LabelSet], all: f32, pairs: &[(LabelSet, LabelSet, f32)]) -> Self {
        let mut thresholds = Self::uniform(sets.len(), all);
        for (a, first) in sets.iter().enumerate() {
            for (b, second) in sets.iter().enumerate() {
                let applies = |(x, y, _): &&(LabelSet, LabelSet, f32)| {
                    first.meets(*x) && second.meets(*y) || second.meets(*x) && first.meets(*y)
                };
                let matching = pairs.iter().filter(applies).map(|pair| pair.2);
                thresholds.cm[a * sets.len() + b] = matching.reduce(f32::max).unwrap_or(all);
            }
        }
        thresholds
    }

    /// The threshold between two sets.
    pub fn between(&self, [a, b]: [u16; 2]) -> f32 {
        self.cm[usize::from(a) * self.sets + usize::from(b)]
    }

    /// Sets the threshold between two sets.
    pub fn set(&mut self, a: u16, b: u16, cm: f32) {
        self.cm[usize::from(a) * self.sets + usize::from(b)] = cm;
        self.cm[usize::from(b) * self.sets + usize::from(a)] = cm;
    }
}
