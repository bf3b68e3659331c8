//! Long walks piece by piece: search `look` ahead, keep the first `keep`, go on from there
//! (Kovar et al. 2002, §4.2). Each piece is the work of branch and bound; among the walks within
//! tolerance of the best piece one is picked at random. A piece whose budget runs out is the best of
//! those seen. The walk may end where nothing goes on: no look-ahead is proof against a dead end
//! further away.

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
    /// Each piece's search, its budget too; `keep` and `tolerance` say among how many to pick.
    pub branch: BranchOptions<'a>,
    /// Most states to expand in all.
    pub budget: u64,
    /// Picks among the kept.
    pub seed: u64,
}

impl Default for IncrementalOptions<'_> {
    fn default() -> Self {
        Self {
            look: 100,
            keep: 30,
            branch: BranchOptions::default(),
            budget: u64::MAX,
            seed: 0,
        }
    }
}

/// One walk from the best of `starts`: complete with `Stop::Finished`, else as far as it got, in
/// `walks` too; none without starts.
pub fn search_incrementally<P: Measured>(
    problem: &P,
    starts: impl IntoIterator<Item = P::State>,
    options: &IncrementalOptions,
) -> Found<P::Step, P::State> {
    let mut random = Random::new(options.seed);
    let mut from: Vec<P::State> = starts.into_iter().collect();
    let mut so_far: Option<Walk<P::Step, P::State>> = None;
    let mut expanded = 0;
    let stop = loop {
        if so_far
            .as_ref()
            .is_some_and(|walk| problem.is_complete(&walk.end))
        {
            break Stop::Finished;
        }
        let piece = search_piece(problem, &from, options, expanded);
        expanded += piece.expanded;
        if piece.walks.is_empty() || piece.stop == Stop::Cancelled {
            break match piece.stop {
                Stop::Finished => Stop::DeadEnd,
                other => other,
            };
        }
        let chosen = &piece.walks[random.below(piece.walks.len())];
        let mut walk = so_far.take().unwrap_or_else(|| Walk {
            steps: Vec::new(),
            error: 0.0,
            end: from[chosen.end.start].clone(),
        });
        keep_start(problem, &chosen.steps, options.keep, &mut walk);
        from = vec![walk.end.clone()];
        so_far = Some(walk);
    };
    Found {
        walks: so_far.into_iter().collect(),
        bound: 0.0,
        expanded,
        stop,
    }
}

fn search_piece<P: Measured>(
    problem: &P,
    from: &[P::State],
    options: &IncrementalOptions,
    expanded: u64,
) -> Found<Taken<P>, Ahead<P>> {
    let horizon = Horizon {
        problem,
        look: options.look.max(1),
    };
    let left = options.budget.saturating_sub(expanded);
    let branch = BranchOptions {
        budget: options.branch.budget.min(left),
        ..options.branch.clone()
    };
    let starts = from.iter().enumerate();
    let starts = starts.map(|(start, state)| horizon.ahead(start, 0, state.clone()));
    branch_and_bound(&horizon, starts, &branch)
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

/// A state of the inner problem, seen from where its piece starts.
struct Ahead<P: Problem> {
    /// Which of the piece's starts it came from.
    start: usize,
    length: u32,
    estimate: f64,
    state: P::State,
}

impl<P: Problem> Clone for Ahead<P> {
    fn clone(&self) -> Self {
        Self {
            state: self.state.clone(),
            ..*self
        }
    }
}

/// The inner problem, complete after `look` as well.
struct Horizon<'a, P> {
    problem: &'a P,
    look: u32,
}

impl<P: Problem> Horizon<'_, P> {
    fn ahead(&self, start: usize, length: u32, state: P::State) -> Ahead<P> {
        Ahead {
            start,
            length,
            estimate: self.problem.estimate(&state),
            state,
        }
    }
}

impl<P: Measured> Problem for Horizon<'_, P> {
    type State = Ahead<P>;
    type Step = Taken<P>;

    fn successors(&self, from: &Ahead<P>, mut out: impl FnMut(Self::Step, f64, Ahead<P>)) {
        self.problem.successors(&from.state, |step, error, state| {
            let length = from.length.saturating_add(self.problem.length(&step));
            let behind = self.ahead(from.start, length, state.clone());
            out(Taken { step, error, state }, error, behind);
        });
    }

    fn is_complete(&self, ahead: &Ahead<P>) -> bool {
        ahead.length >= self.look || self.problem.is_complete(&ahead.state)
    }

    /// What completing adds says nothing of a piece; but none must end where there is no hope.
    fn lower_bound(&self, ahead: &Ahead<P>) -> f64 {
        match ahead.estimate {
            f64::INFINITY => f64::INFINITY,
            _ => 0.0,
        }
    }

    fn estimate(&self, ahead: &Ahead<P>) -> f64 {
        ahead.estimate
    }
}
