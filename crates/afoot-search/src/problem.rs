//! What a search needs to know, and what it gives back.

use std::sync::atomic::{AtomicBool, Ordering};

/// Walks that grow step by step, each step with an error that adds up.
pub trait Problem {
    /// All that the rest of a walk depends on.
    type State: Clone;
    /// What a walk is made of.
    type Step: Clone;

    /// Calls `out` once per allowed step with its error g ≥ 0 and the state behind it, always in
    /// the same order.
    fn successors(&self, state: &Self::State, out: impl FnMut(Self::Step, f64, Self::State));

    /// Whether a walk that ends in `state` needs no more steps; it then gets none.
    fn is_complete(&self, state: &Self::State) -> bool;

    /// Admissible: never more than what completing from `state` still adds, so 0 at a complete state
    /// and infinite only where nothing completes. 0 is always right. Whatever a search claims to be
    /// the best rests on this alone; it may fall from state to state faster than errors grow.
    fn lower_bound(&self, _state: &Self::State) -> f64 {
        0.0
    }

    /// A guess, ≥ 0, at what completing from `state` still adds, too high at times: which states are
    /// worth trying first. An inexact search may drop states by it, and all that are infinite.
    fn estimate(&self, state: &Self::State) -> f64 {
        self.lower_bound(state)
    }

    /// The same for who can't use more than `limit`: what is more may be given as infinite, if that is
    /// sooner known.
    fn estimate_within(&self, state: &Self::State, _limit: f64) -> f64 {
        self.estimate(state)
    }
}

/// A walk with its total error.
#[derive(Clone, Debug, PartialEq)]
pub struct Walk<Step, State> {
    /// From the start on.
    pub steps: Vec<Step>,
    /// Sum of the steps' errors.
    pub error: f64,
    /// Where it ends.
    pub end: State,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Nothing better exists within the search's own terms.
    Finished,
    /// A walk below the asked error was found.
    GoodEnough,
    /// Nothing led on from where a search in pieces had come to.
    DeadEnd,
    /// The allowed number of expansions was used up.
    OutOfBudget,
    /// The cancel flag was set.
    Cancelled,
}

/// What a search found: complete walks, best first; none is a result too.
#[derive(Clone, Debug, PartialEq)]
pub struct Found<Step, State> {
    /// Complete walks by increasing error.
    pub walks: Vec<Walk<Step, State>>,
    /// Proven by lower bounds alone: no complete walk has less error. As much as the first walk's where
    /// that is the best, infinite where there is none, 0 of a search that proves nothing.
    pub bound: f64,
    /// States whose successors were listed.
    pub expanded: u64,
    /// Why it ended.
    pub stop: Stop,
}

/// Counts expansions against a budget and watches the cancel flag.
#[derive(Debug)]
pub(crate) struct Meter<'a> {
    pub(crate) expanded: u64,
    budget: u64,
    cancel: Option<&'a AtomicBool>,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(budget: u64, cancel: Option<&'a AtomicBool>) -> Self {
        Self {
            expanded: 0,
            budget,
            cancel,
        }
    }

    /// Counts one expansion, or says why there must be none.
    pub(crate) fn tick(&mut self) -> Result<(), Stop> {
        if self.expanded >= self.budget {
            return Err(Stop::OutOfBudget);
        }
        if self.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Stop::Cancelled);
        }
        self.expanded += 1;
        Ok(())
    }
}
