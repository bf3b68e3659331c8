//! Searches that give a walk soon and better ones as they go on, each with how far from the best it can
//! be at most: [`Ara`] (Likhachev, Gordon, Thrun 2003: ARA*) and, to compare with, [`Ana`] (van den
//! Berg et al. 2011: ANA*). `space`: what they search; `open`: the open list; `store`: what they
//! remember. Budgets are expansions and bytes, asked for call by call; time comes in by the flag.

mod ana;
mod ara;
mod open;
mod space;
mod store;

pub use ana::Ana;
pub use ara::{Ara, AraOptions};
pub use space::{CellTable, Space};

use std::sync::atomic::{AtomicBool, Ordering};

/// What a walk costs, and what the best costs at least.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solution {
    /// Sum of its steps' costs.
    pub cost: f64,
    /// Proven: the cost is at most so many times the least there is. [≥ 1]
    pub bound: f64,
    /// Factor on the heuristic that it was found with. [≥ 1]
    pub epsilon: f64,
    /// States expanded so far.
    pub expanded: u64,
}

/// Why a search came back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Advance {
    /// A round is complete: a better walk, or a better bound on the one there was.
    Improved(Solution),
    /// As before, and nothing is better than that: there is no more to do.
    Optimal(Solution),
    /// There is no walk to a goal; proven, not given up.
    Impossible,
    /// The expansions of this call are used up; the next call goes on.
    OutOfExpansions,
    /// The memory is used up; there is no going on.
    OutOfMemory,
    /// The flag was set; the next call goes on.
    Cancelled,
}

/// How many expansions pass between two looks at the flag.
const LOOK: u64 = 256;

/// What one call may use.
#[derive(Clone, Copy, Debug)]
struct Allowance<'a> {
    until: u64,
    cancel: Option<&'a AtomicBool>,
}

impl<'a> Allowance<'a> {
    fn new(expanded: u64, budget: u64, cancel: Option<&'a AtomicBool>) -> Self {
        Self {
            until: expanded.saturating_add(budget),
            cancel,
        }
    }

    /// Why there must be no more, if so.
    fn stop(&self, expanded: u64) -> Option<Advance> {
        if expanded >= self.until {
            return Some(Advance::OutOfExpansions);
        }
        let set = || self.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed));
        (expanded.is_multiple_of(LOOK) && set()).then_some(Advance::Cancelled)
    }
}

/// Breaks off where a heuristic falls by more than a step costs: it is not consistent.
fn check_edge(from: f64, cost: f64, to: f64) {
    debug_assert!(cost > 0.0, "a step costs {cost}; expected more than 0");
    debug_assert!(
        from <= cost + to + 1e-9 * (1.0 + from.abs()),
        "the heuristic falls from {from} to {to} over a step that costs {cost}"
    );
}
