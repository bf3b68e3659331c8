//! Branch and bound over walks, depth first (Kovar et al. 2002, §4.2).
//!
//! Children are tried in order of their error plus estimate; one is left as soon as its error plus
//! lower bound can't beat the kept walks, and a walk below `good_enough` ends the search. Where several
//! walks are kept, so that one can be picked at random, branches up to `tolerance` above the best one
//! are followed. Exact if it finishes; out of budget, it has the best of what it saw, which is the
//! first descent with its end improved. Exponential in the walk's length: for long walks see
//! `incremental` and `beam`.

use std::sync::atomic::AtomicBool;

use crate::problem::{Found, Meter, Problem, Stop, Walk};

/// How far a branch-and-bound search goes.
#[derive(Clone, Debug)]
pub struct BranchOptions<'a> {
    /// A walk with less error ends the search. [≥ 0; 0 looks for the best]
    pub good_enough: f64,
    /// How many complete walks to keep. [≥ 1]
    pub keep: usize,
    /// Kept walks may have this many times the best one's error more. [≥ 0]
    pub tolerance: f64,
    /// Most states to expand.
    pub budget: u64,
    /// Ends the search when set.
    pub cancel: Option<&'a AtomicBool>,
}

impl Default for BranchOptions<'_> {
    fn default() -> Self {
        Self {
            good_enough: 0.0,
            keep: 1,
            tolerance: 0.0,
            budget: u64::MAX,
            cancel: None,
        }
    }
}

/// The complete walks of least error from any of `starts`.
pub fn branch_and_bound<P: Problem>(
    problem: &P,
    starts: impl IntoIterator<Item = P::State>,
    options: &BranchOptions,
) -> Found<P::Step, P::State> {
    let mut descent = Descent {
        problem,
        meter: Meter::new(options.budget, options.cancel),
        kept: Kept {
            walks: Vec::new(),
            options,
        },
        path: Vec::new(),
    };
    let stop = descent.run(starts).err().unwrap_or(Stop::Finished);
    let Descent {
        mut kept,
        path,
        meter,
        ..
    } = descent;
    debug_assert!(path.windows(2).all(|pair| pair[0].error <= pair[1].error));
    kept.trim();
    let untried = path.iter().flat_map(|branch| &branch.children);
    let best = kept.walks.first().map_or(f64::INFINITY, |walk| walk.error);
    Found {
        bound: untried.map(|child| child.bound).fold(best, f64::min),
        walks: kept.walks,
        expanded: meter.expanded,
        stop,
    }
}

/// A search under way.
struct Descent<'a, P: Problem> {
    problem: &'a P,
    meter: Meter<'a>,
    kept: Kept<'a, P::Step, P::State>,
    /// The current walk.
    path: Vec<Branch<P::Step, P::State>>,
}

impl<P: Problem> Descent<'_, P> {
    /// Tries all that is worth it; what ended it before that is the error.
    fn run(&mut self, starts: impl IntoIterator<Item = P::State>) -> Result<(), Stop> {
        let mut roots = Vec::new();
        for state in starts {
            roots.extend(Child::new(self.problem, None, state, 0.0));
        }
        self.path.push(Branch::new(None, 0.0, roots));
        while let Some(branch) = self.path.last_mut() {
            match branch.children.pop() {
                None => drop(self.path.pop()),
                Some(child) if child.bound > self.kept.limit() => {}
                Some(child) if self.problem.is_complete(&child.state) => self.complete(child)?,
                Some(child) => self.enter(child)?,
            }
        }
        Ok(())
    }

    /// Goes on from a state.
    fn enter(&mut self, entered: Child<P::Step, P::State>) -> Result<(), Stop> {
        if let Err(stop) = self.meter.tick() {
            // Untried, as its siblings are.
            self.path
                .extend([Branch::new(None, entered.error, vec![entered])]);
            return Err(stop);
        }
        let (problem, error) = (self.problem, entered.error);
        let mut children = Vec::new();
        problem.successors(&entered.state, |step, added, state| {
            debug_assert!(added >= 0.0, "an error must not be negative");
            children.extend(Child::new(problem, Some(step), state, error + added));
        });
        self.path.push(Branch::new(entered.step, error, children));
        Ok(())
    }

    /// Keeps a complete walk.
    fn complete(&mut self, child: Child<P::Step, P::State>) -> Result<(), Stop> {
        let steps = self.path.iter().filter_map(|branch| branch.step.clone());
        let good = child.error < self.kept.options.good_enough;
        self.kept.add(Walk {
            steps: steps.chain(child.step).collect(),
            error: child.error,
            end: child.state,
        });
        match good {
            true => Err(Stop::GoodEnough),
            false => Ok(()),
        }
    }
}

/// A state on the current walk with the children not yet tried, best last.
struct Branch<Step, State> {
    /// What led to it; nothing before a start.
    step: Option<Step>,
    error: f64,
    children: Vec<Child<Step, State>>,
}

impl<Step, State> Branch<Step, State> {
    fn new(step: Option<Step>, error: f64, mut children: Vec<Child<Step, State>>) -> Self {
        children.reverse(); // equal priorities keep their order when popped from the end
        children.sort_by(|a, b| b.priority.total_cmp(&a.priority));
        Self {
            step,
            error,
            children,
        }
    }
}

struct Child<Step, State> {
    /// None of a start.
    step: Option<Step>,
    state: State,
    error: f64,
    /// Error plus estimate: when it is tried.
    priority: f64,
    /// Error plus lower bound: whether.
    bound: f64,
}

impl<Step, State: Clone> Child<Step, State> {
    /// `None` where nothing completes.
    fn new<P>(problem: &P, step: Option<Step>, state: State, error: f64) -> Option<Self>
    where
        P: Problem<State = State, Step = Step>,
    {
        let bound = error + problem.lower_bound(&state);
        (bound < f64::INFINITY).then(|| Self {
            priority: error + problem.estimate(&state),
            step,
            state,
            error,
            bound,
        })
    }
}

/// The best complete walks so far.
struct Kept<'a, Step, State> {
    walks: Vec<Walk<Step, State>>,
    options: &'a BranchOptions<'a>,
}

impl<Step, State> Kept<'_, Step, State> {
    /// A walk that is sure to end above this is not worth following.
    fn limit(&self) -> f64 {
        let Some(best) = self.walks.first() else {
            return f64::INFINITY;
        };
        let within = best.error * (1.0 + self.options.tolerance);
        match self.walks.last() {
            Some(worst) if self.walks.len() >= self.options.keep.max(1) => {
                below(worst.error).min(within)
            }
            _ => within,
        }
    }

    fn add(&mut self, walk: Walk<Step, State>) {
        let at = self.walks.partition_point(|w| w.error <= walk.error);
        self.walks.insert(at, walk);
        self.walks.truncate(self.options.keep.max(1));
    }

    fn trim(&mut self) {
        let limit = self
            .walks
            .first()
            .map_or(0.0, |w| w.error * (1.0 + self.options.tolerance));
        self.walks.retain(|w| w.error <= limit);
    }
}

/// The next number under `error`: an equal walk is no gain once enough are kept.
fn below(error: f64) -> f64 {
    if error > 0.0 { error.next_down() } else { -1.0 }
}
