//! Candidates as the transitions they allow: both directions, with what decides about them.

use std::collections::{BTreeMap, HashMap};

use afoot_core::{ClipId, FrameId};
use rayon::prelude::*;

use crate::assemble::Footage;
use crate::coalesce::coalesce;
use crate::distance::Features;
use crate::minima::Candidate;
use crate::motion_graph::{LabelSet, Place, Transition};
use crate::thresholds::{MOST_SETS, Thresholds};

/// Candidates that are turned into transitions at a time.
const CHUNK: usize = 1 << 14;

/// A transition that may be made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PossibleTransition {
    pub from: Place,
    pub to: Place,
    pub error_cm: f32,
    /// Numbers of the label sets of the middle frames of both windows.
    pub kinds: [u16; 2],
    /// The words of all frames of both windows.
    pub labels: LabelSet,
}

impl PossibleTransition {
    /// As a transition whose placement is still to be found.
    pub fn transition(&self) -> Transition {
        let Self {
            from, to, error_cm, ..
        } = *self;
        Transition::new(from, to, error_cm)
    }
}

/// Footage and all that could be made of it, before anything is chosen. 32 bytes a transition.
pub(crate) struct Material<'a> {
    pub footage: &'a [Footage],
    pub window: u32,
    /// The label sets that frames carry, sorted.
    pub sets: Vec<LabelSet>,
    /// Sorted by `from`, then `to`.
    pub possible: Vec<PossibleTransition>,
    candidates: &'a [Candidate],
    numbers: BTreeMap<LabelSet, u16>,
}

impl<'a> Material<'a> {
    pub fn new(footage: &'a [Footage], candidates: &'a [Candidate], window: u32) -> Self {
        let mut numbers: BTreeMap<LabelSet, u16> = BTreeMap::new();
        for set in footage.iter().flat_map(|clip| &clip.labels) {
            numbers.insert(*set, 0);
        }
        for (index, number) in numbers.values_mut().enumerate() {
            *number = index.min(MOST_SETS - 1) as u16;
        }
        let sets: Vec<LabelSet> = numbers.keys().copied().take(MOST_SETS).collect();
        let mut material = Self {
            footage,
            window,
            sets,
            possible: Vec::new(),
            candidates,
            numbers,
        };
        material.possible = material.possible_of(candidates);
        material
    }

    /// The same footage with other transitions, sorted.
    pub fn with_possible(&self, possible: Vec<PossibleTransition>) -> Material<'a> {
        Material {
            footage: self.footage,
            window: self.window,
            sets: self.sets.clone(),
            possible,
            candidates: self.candidates,
            numbers: self.numbers.clone(),
        }
    }

    /// The transitions under their threshold.
    pub fn choose(&self, thresholds: &Thresholds) -> Vec<PossibleTransition> {
        let good = |transition: &&PossibleTransition| {
            transition.error_cm <= thresholds.between(transition.kinds)
        };
        self.possible.par_iter().filter(good).copied().collect()
    }

    /// The candidates under their threshold, coalesced and thinned out.
    pub fn choose_apart(
        &self,
        thresholds: &Thresholds,
        features: &Features,
        spacing: Spacing,
    ) -> Vec<PossibleTransition> {
        let threshold = |a: Place, b: Place| thresholds.between([a, b].map(|at| self.kind(at)));
        let good =
            |c: &&Candidate| c.error_cm <= threshold(window_at(c.a, c.i), window_at(c.b, c.s));
        let chosen: Vec<Candidate> = self.candidates.iter().filter(good).copied().collect();
        let apart = spacing.clip.max(self.window);
        let coalesced = coalesce(&chosen, features, apart, threshold);
        self.possible_of(&best_partners(coalesced, spacing.most_partners))
    }

    /// Both ways of each candidate after which a clip goes on, sorted.
    fn possible_of(&self, candidates: &[Candidate]) -> Vec<PossibleTransition> {
        let ways = |c: &Candidate| {
            let (a, b) = (window_at(c.a, c.i), window_at(c.b, c.s));
            [[a, b], [b, a]].map(|[from, to]| self.transition(from, to, c.error_cm))
        };
        let both = |chunk: &[Candidate]| {
            let mut possible = Vec::with_capacity(2 * chunk.len());
            possible.extend(chunk.iter().flat_map(ways).flatten());
            possible
        };
        let chunks: Vec<Vec<PossibleTransition>> = candidates.par_chunks(CHUNK).map(both).collect();
        let mut possible = chunks.concat();
        possible.par_sort_unstable_by_key(|transition| (transition.from, transition.to));
        possible
    }

    /// The transition out of one window into what follows another.
    fn transition(&self, from: Place, to: Place, error_cm: f32) -> Option<PossibleTransition> {
        let resume = window_at(to.clip.0, to.frame.0 + self.window);
        let goes_on = resume.frame.index() < self.footage[to.clip.index()].labels.len();
        let sound = self.is_sound(from) && self.is_sound(to);
        (goes_on && sound).then(|| PossibleTransition {
            from,
            to: resume,
            error_cm,
            kinds: [from, to].map(|window| self.kind(window)),
            labels: self.words(from).union(self.words(to)),
        })
    }

    /// Whether all frames of a window may be played.
    fn is_sound(&self, window: Place) -> bool {
        let usable = &self.footage[window.clip.index()].usable;
        let frames = &usable[window.frame.index()..][..self.window as usize];
        frames.iter().all(|usable| *usable)
    }

    /// The number of the label set in the middle of a window.
    fn kind(&self, window: Place) -> u16 {
        let labels = &self.footage[window.clip.index()].labels;
        self.numbers[&labels[window.frame.index() + self.window as usize / 2]]
    }

    /// The words of all frames of a window.
    fn words(&self, window: Place) -> LabelSet {
        let labels = &self.footage[window.clip.index()].labels;
        let frames = &labels[window.frame.index()..][..self.window as usize];
        frames
            .iter()
            .fold(LabelSet::EMPTY, |all, set| all.union(*set))
    }
}

/// The window that starts at a frame of a clip.
fn window_at(clip: u32, frame: u32) -> Place {
    Place {
        clip: ClipId(clip),
        frame: FrameId(frame),
    }
}

/// How few places to leave a clip there are to be.
#[derive(Clone, Copy)]
pub(crate) struct Spacing {
    /// Frames between two of them, at least, and a window.
    pub clip: u32,
    /// Like places that each keeps; 0 for all.
    pub most_partners: u32,
}

/// The candidates that are among the `most` best of either of their places, in their order; all for 0.
fn best_partners(mut candidates: Vec<Candidate>, most: u32) -> Vec<Candidate> {
    if most == 0 {
        return candidates;
    }
    let mut by_error: Vec<usize> = (0..candidates.len()).collect();
    by_error.sort_by(|a, b| {
        let error = |index: &usize| candidates[*index].error_cm;
        error(a).total_cmp(&error(b)).then(a.cmp(b))
    });
    let mut taken: HashMap<(u32, u32), u32> = HashMap::new();
    let mut stays = vec![false; candidates.len()];
    for index in by_error {
        let candidate = &candidates[index];
        for place in [(candidate.a, candidate.i), (candidate.b, candidate.s)] {
            let taken = taken.entry(place).or_default();
            stays[index] |= *taken < most;
            *taken += 1;
        }
    }
    let mut stays = stays.into_iter();
    candidates.retain(|_| stays.next().unwrap_or(false));
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_keeps_its_best_partners_and_those_that_keep_it() {
        let pair = |a: u32, b: u32, error_cm: f32| Candidate {
            a,
            b,
            i: 0,
            s: 0,
            error_cm,
        };
        // 0 is like all others; 3 is like 0 alone, and less than all others are.
        let all = vec![
            pair(0, 1, 1.0),
            pair(0, 2, 2.0),
            pair(0, 3, 5.0),
            pair(0, 4, 4.0),
            pair(1, 2, 3.0),
            pair(1, 4, 3.5),
            pair(2, 4, 3.2),
        ];
        assert_eq!(best_partners(all.clone(), 0), all);
        let kept = best_partners(all.clone(), 1);
        assert_eq!(kept, [all[0], all[1], all[2], all[6]]);
        assert_eq!(best_partners(all.clone(), 3), all);
    }
}
