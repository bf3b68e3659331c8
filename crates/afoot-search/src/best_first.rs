//! Best-first search (A*, Hart, Nilsson, Raphael 1968), optionally weighted for speed.
//!
//! States with the same key are interchangeable: the cheapest found so far counts, and one that was
//! expanded is expanded again when a cheaper way to it turns up. So an admissible bound is enough,
//! consistent or not: with weight 1 the first complete walk is the best, with weight w it has at most
//! w times the best error (Pohl 1970). Expansions: one a key with a consistent bound, exponentially many
//! at worst with others (Martelli 1977). Whenever it ends, the least error plus lower bound of what is
//! open is proven. Memory grows with the states seen; the budget bounds both.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};
use std::hash::Hash;
use std::sync::atomic::AtomicBool;

use crate::problem::{Found, Meter, Problem, Stop, Walk};

/// A problem whose states can be told apart.
pub trait Keyed: Problem {
    /// What makes two states the same.
    type Key: Eq + Hash;

    /// Equal for states from which the same steps have the same errors, and which are complete alike.
    fn key(&self, state: &Self::State) -> Self::Key;
}

/// How greedy the search is, and when it gives up.
#[derive(Clone, Debug)]
pub struct BestFirstOptions<'a> {
    /// Factor on the lower bound; the result is at most this many times the best. [≥ 1]
    pub weight: f64,
    /// Most states to expand.
    pub budget: u64,
    /// Ends the search when set.
    pub cancel: Option<&'a AtomicBool>,
}

impl Default for BestFirstOptions<'_> {
    fn default() -> Self {
        Self {
            weight: 1.0,
            budget: u64::MAX,
            cancel: None,
        }
    }
}

/// A complete walk of least error from any of `starts`.
pub fn best_first<P: Keyed>(
    problem: &P,
    starts: impl IntoIterator<Item = P::State>,
    options: &BestFirstOptions,
) -> Found<P::Step, P::State> {
    let mut meter = Meter::new(options.budget, options.cancel);
    let mut open = Open {
        problem,
        weight: options.weight.max(1.0),
        heap: BinaryHeap::new(),
        least: HashMap::new(),
        trail: Vec::new(),
    };
    for state in starts {
        open.push(None, 0.0, state);
    }
    let mut stop = Stop::Finished;
    let mut walks = Vec::new();
    while let Some(Entry {
        state, error, at, ..
    }) = open.pop()
    {
        if problem.is_complete(&state) {
            walks.push(Walk {
                steps: open.steps_to(at),
                error,
                end: state,
            });
            break;
        }
        if let Err(reason) = meter.tick() {
            open.put_back(error, at, state);
            stop = reason;
            break;
        }
        problem.successors(&state, |step, added, next| {
            debug_assert!(added >= 0.0, "an error must not be negative");
            open.push(Some(Link { before: at, step }), error + added, next);
        });
    }
    let found = walks.first().map_or(f64::INFINITY, |walk| walk.error);
    Found {
        bound: open.bound().min(found),
        walks,
        expanded: meter.expanded,
        stop,
    }
}

struct Entry<State> {
    priority: f64,
    error: f64,
    /// Position in the trail; also the order of arrival, which breaks ties.
    at: usize,
    state: State,
}

/// A step with where in the trail it was taken.
struct Link<Step> {
    before: usize,
    step: Step,
}

struct Open<'a, P: Keyed> {
    problem: &'a P,
    weight: f64,
    heap: BinaryHeap<Entry<P::State>>,
    /// The least error with which each key was reached.
    least: HashMap<P::Key, f64>,
    trail: Vec<Option<Link<P::Step>>>,
}

impl<P: Keyed> Open<'_, P> {
    /// Notes a way to a state, unless one as cheap is known or nothing completes from there.
    fn push(&mut self, from: Option<Link<P::Step>>, error: f64, state: P::State) {
        let priority = error + self.weight * self.problem.lower_bound(&state);
        let least = self.least.entry(self.problem.key(&state));
        let least = least.or_insert(f64::INFINITY);
        if error >= *least || priority == f64::INFINITY {
            return;
        }
        *least = error;
        self.heap.push(Entry {
            priority,
            error,
            at: self.trail.len(),
            state,
        });
        self.trail.push(from);
    }

    /// The most promising state; ways to it that were beaten meanwhile are dropped.
    fn pop(&mut self) -> Option<Entry<P::State>> {
        loop {
            let entry = self.heap.pop()?;
            if entry.error <= self.least[&self.problem.key(&entry.state)] {
                return Some(entry);
            }
        }
    }

    /// What was popped and not looked at.
    fn put_back(&mut self, error: f64, at: usize, state: P::State) {
        self.heap.push(Entry {
            priority: error,
            error,
            at,
            state,
        });
    }

    /// The least error of any walk through a state that is open.
    fn bound(&self) -> f64 {
        let each = |entry: &Entry<P::State>| entry.error + self.problem.lower_bound(&entry.state);
        self.heap.iter().map(each).fold(f64::INFINITY, f64::min)
    }

    fn steps_to(&self, mut at: usize) -> Vec<P::Step> {
        let mut steps = Vec::new();
        while let Some(Link { before, step }) = &self.trail[at] {
            steps.push(step.clone());
            at = *before;
        }
        steps.reverse();
        steps
    }
}

impl<State> Ord for Entry<State> {
    /// Smallest priority, then first come, is greatest: the heap pops the greatest.
    fn cmp(&self, other: &Self) -> Ordering {
        let by_priority = other.priority.total_cmp(&self.priority);
        by_priority.then(other.at.cmp(&self.at))
    }
}

impl<State> PartialOrd for Entry<State> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<State> PartialEq for Entry<State> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<State> Eq for Entry<State> {}
