//! Search for walks of least error, whatever the walk is through.
//!
//! The problem is passed in as a [`Problem`]: which steps go on from a state, what each costs, and
//! when a walk is complete (the framework of Kovar et al. 2002, §4.2). Four ways to solve it:
//! [`branch_and_bound`] (exact, exponential), [`search_incrementally`] (exact within a horizon,
//! then on from there), [`BeamSearch`] (wide, inexact, in bounded memory) and [`best_first()`] (A*).
//! What is said to be the best is so by lower bounds alone; estimates say what to try first.
//! Where the graph is all there is, [`least_sums`] has the shortest ways from all of its nodes.
//! No clocks, threads or hidden randomness: limits are counted in expansions.

pub mod beam;
pub mod best_first;
pub mod branch;
pub mod incremental;
pub mod problem;
pub mod random;
pub mod shortest;
mod trail;

pub use beam::{BeamOptions, BeamSearch, Staged};
pub use best_first::{BestFirstOptions, Keyed, best_first};
pub use branch::{BranchOptions, branch_and_bound};
pub use incremental::{IncrementalOptions, Measured, search_incrementally};
pub use problem::{Found, Problem, Stop, Walk};
pub use random::Random;
pub use shortest::{Arc, Arcs, Start, least_sums};
