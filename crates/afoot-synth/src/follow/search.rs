//! Three ways to search for a walk along a path.
//!
//! The beam looks at all starts and many states at once, and of a node's transitions tries those that
//! look best. Branch and bound (Kovar et al. 2002, §4.2) goes down one walk and mends it from its end backwards: exact where it finishes, which is about a metre,
//! since the path gives it no lower bound but 0. In pieces (§4.2 too) each piece is all but exact, but what
//! lies behind its horizon is not seen. Figures: `docs/following.md`.

use afoot_core::FrameRate;
use afoot_graph::NodeId;
use afoot_search::{
    BeamOptions, BeamSearch, BranchOptions, Found, IncrementalOptions, Stop, branch_and_bound,
    search_incrementally,
};

use serde::{Deserialize, Serialize};

use super::FollowOptions;
use super::problem::Following;
use super::spot::{Spot, Step};
use crate::edges::Edges;

/// How a walk is searched for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FollowSearch {
    /// Many states side by side, `width` at each stage: best fit on long paths, and never at a loss.
    #[default]
    Beam,
    /// Branch and bound over the whole path: the best walk if it ends within the budget, else the
    /// first that the look-ahead leads along, its end improved. For short paths.
    Branch {
        /// Most states to expand. [1 to 1000000000000]
        budget: u64,
    },
    /// Branch and bound over a horizon, of which the beginning is kept, and so on: the paper's way.
    Incremental {
        /// The horizon. [s, > 0, at most 600; Kovar: 80 to 120 frames]
        look: f64,
        /// What is kept of it. [s, > 0, at most 600, and `look`; Kovar: 25 to 30 frames]
        keep: f64,
        /// Most states to expand in a piece; the best of those seen is taken then. [1 to 1000000000000]
        budget: u64,
    },
}

impl FollowSearch {
    /// Branch and bound for some ten seconds: more finds little more, unless the path is short.
    pub const BRANCH: Self = Self::Branch { budget: 1_000_000 };
    /// Pieces of the paper's lengths.
    pub const INCREMENTAL: Self = Self::Incremental {
        look: 3.3,
        keep: 0.9,
        budget: 20_000,
    };
}

/// Complete walks from the starts, best first; the search's own words if there are none.
pub(super) fn search(
    problem: &Following<impl Edges>,
    starts: &[NodeId],
    options: &FollowOptions,
) -> Found<Step, Spot> {
    let all = || starts.iter().map(|node| problem.start_at(*node));
    match options.search {
        FollowSearch::Beam => beam(problem, starts, options),
        FollowSearch::Branch { budget } => {
            let branch = BranchOptions {
                budget,
                cancel: Some(options.run.cancel().flag()),
                ..BranchOptions::default()
            };
            unless_cancelled(branch_and_bound(problem, all(), &branch))
        }
        FollowSearch::Incremental { look, keep, budget } => {
            let frames = |seconds: f64| frames_in(problem.rate(), seconds);
            let pieces = IncrementalOptions {
                look: frames(look),
                keep: frames(keep).min(frames(look)),
                branch: BranchOptions {
                    budget,
                    cancel: Some(options.run.cancel().flag()),
                    ..BranchOptions::default()
                },
                seed: options.seed,
                ..IncrementalOptions::default()
            };
            let mut found = search_incrementally(problem, all(), &pieces);
            found.walks.retain(|walk| walk.end.is_done());
            found
        }
    }
}

/// A search that was stopped has no result, though it may have found a walk before.
fn unless_cancelled(mut found: Found<Step, Spot>) -> Found<Step, Spot> {
    if found.stop == Stop::Cancelled {
        found.walks.clear();
    }
    found
}

fn frames_in(rate: FrameRate, seconds: f64) -> u32 {
    rate.frames_in(seconds).clamp(1, u32::MAX as usize) as u32
}

/// States of a group that go on once a search has failed.
const RETRY_GROUP: usize = 4;
/// Paths shorter than this are searched more widely, as their few steps leave less to choose from. [m]
const SHORT: f64 = 25.0;
/// How much more widely at most.
const MOST_WIDENED: f64 = 4.0;

/// A beam, repeated more widely where it finds no way.
fn beam(
    problem: &Following<impl Edges>,
    starts: &[NodeId],
    options: &FollowOptions,
) -> Found<Step, Spot> {
    let short = (SHORT / problem.path_length().max(1e-6)).clamp(1.0, MOST_WIDENED);
    let mut width = (options.width.max(1) as f64 * short) as usize;
    let mut round = 0;
    loop {
        // Who found no way that looked well takes any.
        problem.be_choosy(round == 0);
        let beam = BeamOptions {
            width,
            // Who ran into a corner did so with all of a beam.
            per_group: if round == 0 { usize::MAX } else { RETRY_GROUP },
            cancel: Some(options.run.cancel().flag()),
            ..BeamOptions::default()
        };
        let begin = match round {
            0 => problem.best_starts(starts, width),
            _ => starts.iter().map(|node| problem.start_at(*node)).collect(),
        };
        let begin = begin.into_iter().map(|spot| (0.0, spot));
        let found = unless_cancelled(BeamSearch::new(problem, begin, beam).finish());
        if !found.walks.is_empty() || found.stop == Stop::Cancelled || round == options.retries {
            return found;
        }
        width = width.saturating_mul(4);
        round += 1;
    }
}
