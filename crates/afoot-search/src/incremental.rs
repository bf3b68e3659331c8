//! Long walks piece by piece: search `look` ahead, keep the first `keep`, go on from there
//! (Kovar et al. 2002, §4.2). Each piece is the work of branch and bound; among the walks within
//! tolerance of the best piece one is picked at random. The walk may end where nothing goes on:
//! no look-ahead is proof against a dead end further away.

use crate::branch::{BranchOptions, branch_and_bound};
use crate::problem::{Found, Problem, Stop, Walk};
use crate::random::Random;

/// A problem whose steps have a length, in frames or whatever the horizon counts.
pub trait Measured: Problem {
    /// How much of the horizon a step uses up; positive.
    fn length(&self, step: &Self::Step) -> u32;
}

/// How the pieces are cut and chosen.
#[derive(Clone, Debug)]
pub struct IncrementalOptions<'a> {
    /// Length of each search (Kovar: 80 to 120 frames). [≥ 1]
    pub look: u32,
    /// Length kept of it (Kovar: 25 to 30 frames). [1 to `look`]
    pub keep: u32,
    /// Each piece's search; `keep` and `tolerance` say among how many to pick.
    pub branch: BranchOptions<'a>,
    /// Picks among the kept.
    pub seed: u64,
}

impl Default for IncrementalOptions<'_> {
    fn default() -> Self {
        Self {
            look: 100,
            keep: 30,
            branch: BranchOptions::default(),
            seed: 0,
        }
    }
}

/// One walk from `start`: complete with `Stop::Finished`, else as far as it got, in `walks` too.
pub fn search_incrementally<P: Measured>(
    problem: &P,
    start: P::State,
    options: &IncrementalOptions,
) -> Found<P::Step, P::State> {
    let mut random = Random::new(options.seed);
    let mut walk = Walk {
        steps: Vec::new(),
        error: 0.0,
        end: start,
    };
    let (mut expanded, mut stop) = (0, Stop::Finished);
    while !problem.is_complete(&walk.end) {
        let piece = search_piece(problem, &walk.end, options, expanded);
        expanded += piece.expanded;
        if piece.walks.is_empty() || piece.stop == Stop::Cancelled {
            stop = piece.stop;
            break;
        }
        let chosen = &piece.walks[random.below(piece.walks.len())];
        keep_start(problem, &chosen.steps, options.keep, &mut walk);
    }
    let complete = problem.is_complete(&walk.end);
    if !complete && stop == Stop::Finished {
        stop = Stop::OutOfBudget; // a dead end: nothing goes on within the horizon
    }
    Found {
        walks: vec![walk],
        expanded,
        stop,
    }
}

fn search_piece<P: Measured>(
    problem: &P,
    from: &P::State,
    options: &IncrementalOptions,
    expanded: u64,
) -> Found<Taken<P>, (P::State, u32)> {
    let horizon = Horizon {
        problem,
        look: options.look.max(1),
    };
    let mut branch = options.branch.clone();
    branch.budget = branch.budget.saturating_sub(expanded);
    branch_and_bound(&horizon, (from.clone(), 0), &branch)
}

/// Appends the first steps of a piece: at least one, then up to `keep`.
fn keep_start<P: Measured>(
    problem: &P,
    piece: &[Taken<P>],
    keep: u32,
    walk: &mut Walk<P::Step, P::State>,
) {
    let mut length = 0;
    for taken in piece {
        walk.steps.push(taken.step.clone());
        walk.error += taken.error;
        walk.end = taken.state.clone();
        length += problem.length(&taken.step);
        if length >= keep {
            break;
        }
    }
}

/// A step of the inner problem with what it led to.
struct Taken<P: Problem> {
    step: P::Step,
    error: f64,
    state: P::State,
}

impl<P: Problem> Clone for Taken<P> {
    fn clone(&self) -> Self {
        Self {
            step: self.step.clone(),
            error: self.error,
            state: self.state.clone(),
        }
    }
}

/// The inner problem, complete after `look` as well.
struct Horizon<'a, P> {
    problem: &'a P,
    look: u32,
}

impl<P: Measured> Problem for Horizon<'_, P> {
    type State = (P::State, u32);
    type Step = Taken<P>;

    fn successors(
        &self,
        (state, length): &Self::State,
        mut out: impl FnMut(Self::Step, f64, Self::State),
    ) {
        self.problem.successors(state, |step, error, state| {
            let length = length.saturating_add(self.problem.length(&step));
            let behind = (state.clone(), length);
            out(Taken { step, error, state }, error, behind);
        });
    }

    fn is_complete(&self, (state, length): &Self::State) -> bool {
        *length >= self.look || self.problem.is_complete(state)
    }
}
