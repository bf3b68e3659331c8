//! Branch and bound over walks, depth first (Kovar et al. 2002, §4.2).
//!
//! Children are tried in order of their error plus bound, a branch is left as soon as it can't beat
//! the kept walks, and a walk below `good_enough` ends the search. Where several walks are kept, so
//! that one can be picked at random, branches up to `tolerance` above the best one are followed.
//! Exponential in the walk's length: for long walks see `incremental` and `beam`.

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

/// The complete walks of least error from `start`.
pub fn branch_and_bound<P: Problem>(
    problem: &P,
    start: P::State,
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
    let stop = descent.run(start).err().unwrap_or(Stop::Finished);
    let Descent {
        mut kept,
        path,
        meter,
        ..
    } = descent;
    debug_assert!(path.windows(2).all(|pair| pair[0].error <= pair[1].error));
    kept.trim();
    Found {
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
    fn run(&mut self, start: P::State) -> Result<(), Stop> {
        if self.problem.is_complete(&start) {
            self.kept.add(Walk {
                steps: Vec::new(),
                error: 0.0,
                end: start,
            });
            return Ok(());
        }
        self.enter(None, &start, 0.0)?;
        while let Some(branch) = self.path.last_mut() {
            match branch.children.pop() {
                None => drop(self.path.pop()),
                Some(child) if child.priority > self.kept.limit() => branch.children.clear(),
                Some(child) if self.problem.is_complete(&child.state) => self.complete(child)?,
                Some(child) => self.enter(Some(child.step), &child.state, child.error)?,
            }
        }
        Ok(())
    }

    /// Goes on from a state.
    fn enter(&mut self, step: Option<P::Step>, state: &P::State, error: f64) -> Result<(), Stop> {
        let children = open(self.problem, state, error, &mut self.meter)?;
        self.path.push(Branch {
            step,
            error,
            children,
        });
        Ok(())
    }

    /// Keeps a complete walk.
    fn complete(&mut self, child: Child<P::Step, P::State>) -> Result<(), Stop> {
        let steps = self.path.iter().filter_map(|branch| branch.step.clone());
        let good = child.error < self.kept.options.good_enough;
        self.kept.add(Walk {
            steps: steps.chain([child.step]).collect(),
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
    step: Option<Step>,
    error: f64,
    children: Vec<Child<Step, State>>,
}

struct Child<Step, State> {
    step: Step,
    state: State,
    error: f64,
    priority: f64,
}

type Children<P> = Vec<Child<<P as Problem>::Step, <P as Problem>::State>>;

fn open<P: Problem>(
    problem: &P,
    state: &P::State,
    error: f64,
    meter: &mut Meter,
) -> Result<Children<P>, Stop> {
    meter.tick()?;
    let mut children = Vec::new();
    problem.successors(state, |step, added, state| {
        debug_assert!(added >= 0.0, "an error must not be negative");
        let error = error + added;
        let priority = error + problem.lower_bound(&state);
        children.push(Child {
            step,
            state,
            error,
            priority,
        });
    });
    children.reverse(); // equal priorities keep their order when popped from the end
    children.sort_by(|a, b| b.priority.total_cmp(&a.priority));
    Ok(children)
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
