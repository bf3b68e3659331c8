//! Search for walks of least error, whatever the walk is through.
//!
//! The problem is passed in as a [`Problem`]: which steps go on from a state, what each costs, and
//! when a walk is complete (the framework of Kovar et al. 2002, §4.2). Four ways to solve it:
//! [`branch_and_bound`] (exact, exponential), [`search_incrementally`] (exact within a horizon,
//! then on from there), [`BeamSearch`] (wide, inexact, in bounded memory) and [`best_first()`] (A*).
//! What is said to be the best is so by lower bounds alone; estimates say what to try first.
//! [`anytime`] has ARA*: a walk soon, better ones with time, each with a proven bound.
//! Where the graph is all there is, [`least_sums`] has the shortest ways from all of its nodes, and
//! [`Components`] which of them reach each other.
//! Smaller searches: [`near_words`], those that a mistyped word may stand for.
//! No clocks, threads or hidden randomness: limits are counted in expansions.
//!
//! ```
//! use afoot_search::{BestFirstOptions, Keyed, Problem, best_first};
//!
//! /// From 1, by doubling (costs 3) or adding one (costs 2), to a number.
//! struct Reach(u32);
//!
//! impl Problem for Reach {
//!     type State = u32;
//!     type Step = char;
//!
//!     fn successors(&self, &at: &u32, mut out: impl FnMut(char, f64, u32)) {
//!         if at < self.0 {
//!             out('d', 3.0, 2 * at);
//!             out('i', 2.0, at + 1);
//!         }
//!     }
//!
//!     fn is_complete(&self, &at: &u32) -> bool {
//!         at == self.0
//!     }
//!
//!     /// One step at the least, or none.
//!     fn lower_bound(&self, &at: &u32) -> f64 {
//!         if at == self.0 { 0.0 } else { 2.0 }
//!     }
//! }
//!
//! impl Keyed for Reach {
//!     type Key = u32;
//!
//!     fn key(&self, &at: &u32) -> u32 {
//!         at
//!     }
//! }
//!
//! let found = best_first(&Reach(10), [1], &BestFirstOptions::default());
//! let best = &found.walks[0];
//! assert_eq!(best.steps, ['i', 'd', 'i', 'd']);
//! assert_eq!((best.error, found.bound), (10.0, 10.0)); // the best there is, and proven to be
//! ```

pub mod anytime;
pub mod beam;
pub mod best_first;
pub mod branch;
pub mod components;
pub mod incremental;
pub mod problem;
pub mod random;
pub mod shortest;
mod trail;
pub mod words;

pub use anytime::{Advance, Ana, Ara, AraOptions, CellTable, Solution, Space};
pub use beam::{BeamOptions, BeamSearch, Staged};
pub use best_first::{BestFirstOptions, Keyed, best_first};
pub use branch::{BranchOptions, branch_and_bound};
pub use components::{
    Components, HeaviestComponent, Links, Weighed, heaviest_component, strong_components,
};
pub use incremental::{IncrementalOptions, Measured, search_incrementally};
pub use problem::{Found, Problem, Stop, Walk};
pub use random::Random;
pub use shortest::{Arc, Arcs, Start, least_sums};
pub use words::{meant_word, near_words};
