//! Which candidates become transitions: a threshold for each pair of label sets.
//!
//! A candidate counts as between the label sets of its windows' middle frames (Kovar et al. 2002,
//! §3.2, let the user choose a threshold for each pair of kinds of motion).

use std::collections::BTreeMap;

use crate::assemble::Footage;
use crate::coalesce::coalesce;
use crate::distance::Features;
use crate::minima::Candidate;
use crate::motion_graph::{LabelSet, Transition};
use crate::transitions::both_ways;

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

/// Footage and candidates, before anything is chosen.
pub(crate) struct Material<'a> {
    pub footage: &'a [Footage],
    pub candidates: &'a [Candidate],
    pub window: u32,
    /// The label sets that frames carry, sorted.
    pub sets: Vec<LabelSet>,
    /// The sets of each candidate's two windows.
    pub kinds: Vec<[u16; 2]>,
}

/// More label sets than this share the last one's thresholds; a table of 4 MB.
const MOST_SETS: usize = 1024;

/// A threshold for each pair of a material's label sets. [cm]
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Thresholds {
    sets: usize,
    cm: Vec<f32>,
}

impl<'a> Material<'a> {
    pub fn new(footage: &'a [Footage], candidates: &'a [Candidate], window: u32) -> Self {
        let mut numbers: BTreeMap<LabelSet, u16> = BTreeMap::new();
        for set in footage.iter().flat_map(|clip| &clip.labels) {
            numbers.insert(*set, 0);
        }
        let sets: Vec<LabelSet> = numbers.keys().copied().take(MOST_SETS).collect();
        let number = |index: usize| index.min(MOST_SETS - 1) as u16;
        numbers
            .values_mut()
            .enumerate()
            .for_each(|(index, slot)| *slot = number(index));
        let kind = |clip: u32, start: u32| {
            numbers[&footage[clip as usize].labels[(start + window / 2) as usize]]
        };
        let kinds = candidates
            .iter()
            .map(|c| [kind(c.a, c.i), kind(c.b, c.s)])
            .collect();
        Self {
            footage,
            candidates,
            window,
            sets,
            kinds,
        }
    }

    /// The transitions under their threshold, sorted.
    pub fn choose(&self, thresholds: &Thresholds) -> Vec<Transition> {
        self.transitions(self.under(thresholds))
    }

    /// The candidates under their threshold, coalesced so that at least `clip` frames of captured
    /// motion lie between arriving and leaving, as sorted transitions.
    pub fn choose_apart(
        &self,
        thresholds: &Thresholds,
        features: &Features,
        clip: u32,
    ) -> Vec<Transition> {
        let chosen: Vec<Candidate> = self.under(thresholds).copied().collect();
        let kind = |(clip, start): (u32, u32)| {
            let set = self.footage[clip as usize].labels[(start + self.window / 2) as usize];
            self.sets.binary_search(&set).unwrap_or(MOST_SETS - 1) as u16
        };
        let threshold = |a, b| thresholds.between(kind(a), kind(b));
        self.transitions(coalesce(&chosen, features, clip + self.window, threshold).iter())
    }

    fn under(&self, thresholds: &Thresholds) -> impl Iterator<Item = &Candidate> {
        let good = |(candidate, kinds): &(&Candidate, &[u16; 2])| {
            candidate.error_cm <= thresholds.between(kinds[0], kinds[1])
        };
        let pairs = self.candidates.iter().zip(&self.kinds).filter(good);
        pairs.map(|(candidate, _)| candidate)
    }

    /// Both ways of each candidate, sorted.
    fn transitions<'c>(&self, chosen: impl Iterator<Item = &'c Candidate>) -> Vec<Transition> {
        let frames = |clip: u32| self.footage[clip as usize].labels.len() as u32;
        let mut transitions: Vec<Transition> = chosen
            .flat_map(|c| both_ways(c, self.window, frames))
            .collect();
        transitions.sort_unstable_by_key(|t| (t.from, t.to));
        transitions
    }
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
    pub fn between(&self, a: u16, b: u16) -> f32 {
        self.cm[usize::from(a) * self.sets + usize::from(b)]
    }

    /// Sets the threshold between two sets.
    pub fn set(&mut self, a: u16, b: u16, cm: f32) {
        self.cm[usize::from(a) * self.sets + usize::from(b)] = cm;
        self.cm[usize::from(b) * self.sets + usize::from(a)] = cm;
    }
}
