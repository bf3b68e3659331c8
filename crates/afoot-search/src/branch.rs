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
    let mut meter = Meter::new(options.budget, options.cancel);
    let mut kept = Kept {
        walks: Vec::new(),
        options,
    };
    let mut path = vec![Branch {
        step: None,
        error: 0.0,
        children: Vec::new(),
    }];
    let mut stop = Stop::Finished;
    if problem.is_complete(&start) {
        kept.add(Walk {
            steps: Vec::new(),
            error: 0.0,
            end: start,
        });
    } else {
        match open(problem, &start, 0.0, &mut meter) {
            Ok(children) => path[0].children = children,
            Err(reason) => stop = reason,
        }
    }
    while let Some(branch) = path.last_mut() {
        let Some(child) = branch.children.pop() else {
            path.pop();
            continue;
        };
        if child.priority > kept.limit() {
            branch.children.clear();
            continue;
        }
        if problem.is_complete(&child.state) {
            let steps = path.iter().filter_map(|b| b.step.clone());
            let steps = steps.chain([child.step]).collect();
            let good = child.error < options.good_enough;
            kept.add(Walk {
                steps,
                error: child.error,
                end: child.state,
            });
            if good {
                stop = Stop::GoodEnough;
                break;
            }
            continue;
        }
        match open(problem, &child.state, child.error, &mut meter) {
            Ok(children) => {
                path.push(Branch {
                    step: Some(child.step),
                    error: child.error,
                    children,
                });
            }
            Err(reason) => {
                stop = reason;
                break;
            }
        }
    }
    debug_assert!(path.windows(2).all(|pair| pair[0].error <= pair[1].error));
    kept.trim();
    Found {
        walks: kept.walks,
        expanded: meter.expanded,
        stop,
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
