//! Beam search over stages, in bounded memory.
//!
//! States meet others of their stage (how far along they are) only. Of each bucket the `per_bucket`
//! of least error stay, so that near copies of one good walk do not crowd out different ones; of
//! those the `width` of least error plus estimate go on. Steps that lead to no living walk are
//! forgotten and what all share is settled; where they share too little for the memory allowed,
//! the older half of the best one is settled by force and walks that disagree are dropped.
//! Inexact, and without a bound: a walk that looks bad now and would turn out well is lost, and so is
//! one that by its estimate can't beat a complete one.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use crate::problem::{Found, Meter, Problem, Stop, Walk};
use crate::trail::{LinkId, Trail};

/// A problem whose states lie on stages and in buckets.
pub trait Staged: Problem {
    /// How far along a state is; a step that does not lead on counts as leading to the next stage.
    fn stage(&self, state: &Self::State) -> u64;

    /// Alike for states of a stage that can stand for each other: the one of least error does.
    fn bucket(&self, state: &Self::State) -> u64;

    /// Alike for states that go on alike, of which a dead end would take all.
    fn group(&self, _state: &Self::State) -> u64 {
        0
    }

    /// The successors of all states of a stage that go on: `out` gets each with its state's number, in the
    /// order of the states. A problem that can looks at several side by side.
    fn expand(
        &self,
        states: &[Self::State],
        mut out: impl FnMut(usize, Self::Step, f64, Self::State),
    ) {
        for (number, state) in states.iter().enumerate() {
            self.successors(state, |step, added, next| out(number, step, added, next));
        }
    }
}

/// How wide the beam is and what it may use.
#[derive(Clone, Debug)]
pub struct BeamOptions<'a> {
    /// States of a stage that go on. [≥ 1]
    pub width: usize,
    /// States of one bucket and stage that go on. [≥ 1]
    pub per_bucket: usize,
    /// States of one group and stage that go on; fewer keep the beam out of corners, at the price
    /// of some good states. [≥ 1]
    pub per_group: usize,
    /// Complete walks to keep. [≥ 1]
    pub keep: usize,
    /// Steps remembered before older ones are settled. [≥ 1024]
    pub memory: usize,
    /// Most states to expand.
    pub budget: u64,
    /// Ends the search when set.
    pub cancel: Option<&'a AtomicBool>,
}

impl Default for BeamOptions<'_> {
    fn default() -> Self {
        Self {
            width: 300,
            per_bucket: 1,
            per_group: usize::MAX,
            keep: 1,
            memory: 2_000_000,
            budget: u64::MAX,
            cancel: None,
        }
    }
}

/// A beam search.
pub struct BeamSearch<'a, P: Staged> {
    problem: &'a P,
    options: BeamOptions<'a>,
    meter: Meter<'a>,
    stages: BTreeMap<u64, Vec<Entry<P>>>,
    complete: Vec<Entry<P>>,
    trail: Trail<P::Step>,
    settled: Vec<P::Step>,
}

/// An entry of a stage while it is chosen from.
#[derive(Clone, Copy)]
struct Ranked {
    bucket: u64,
    /// Its error, or that and the estimate.
    priority: f64,
    index: u32,
}

/// A state with the step that led to it; the step joins the trail only if the state goes on.
struct Entry<P: Staged> {
    error: f64,
    bucket: u64,
    before: LinkId,
    step: Option<P::Step>,
    state: P::State,
}

/// What is left of an entry while its state is expanded.
#[derive(Clone, Copy)]
struct Parent {
    at: LinkId,
    error: f64,
}

impl<'a, P: Staged> BeamSearch<'a, P> {
    /// A search from any of `starts`, each with an error to begin with.
    pub fn new(
        problem: &'a P,
        starts: impl IntoIterator<Item = (f64, P::State)>,
        options: BeamOptions<'a>,
    ) -> Self {
        let meter = Meter::new(options.budget, options.cancel);
        let mut search = Self {
            problem,
            options,
            meter,
            stages: BTreeMap::new(),
            complete: Vec::new(),
            trail: Trail::new(),
            settled: Vec::new(),
        };
        for (error, state) in starts {
            search.admit(0, LinkId::START, None, error, state);
        }
        search
    }

    /// Runs to the end and gives the complete walks.
    pub fn finish(mut self) -> Found<P::Step, P::State> {
        let stop = self.run().err().unwrap_or(Stop::Finished);
        let walk = |entry: &Entry<P>| Walk {
            steps: [
                &self.settled[..],
                &self.trail.steps_to(entry.before),
                entry.step.as_slice(),
            ]
            .concat(),
            error: entry.error,
            end: entry.state.clone(),
        };
        let walks = self.complete.iter().map(walk).collect();
        Found {
            walks,
            bound: 0.0,
            expanded: self.meter.expanded,
            stop,
        }
    }

    /// Stage after stage; what ended it before the last is the error.
    fn run(&mut self) -> Result<(), Stop> {
        while let Some((stage, entries)) = self.stages.pop_first() {
            self.run_stage(stage, entries)?;
        }
        Ok(())
    }

    fn run_stage(&mut self, stage: u64, entries: Vec<Entry<P>>) -> Result<(), Stop> {
        let (mut parents, mut states) = (Vec::new(), Vec::new());
        let mut stopped = Ok(());
        for entry in self.choose(entries) {
            stopped = self.meter.tick();
            if stopped.is_err() {
                break;
            }
            parents.push(self.remember(&entry));
            states.push(entry.state);
        }
        self.expand(stage, &parents, &states);
        stopped?;
        if self.trail.len() >= self.options.memory.max(1024) {
            self.settle();
            self.settle_by_force();
        }
        Ok(())
    }

    /// The entries of a stage that go on, best first: of each bucket the least error, of those the
    /// least error plus estimate.
    fn choose(&self, entries: Vec<Entry<P>>) -> Vec<Entry<P>> {
        let mut order: Vec<Ranked> = entries
            .iter()
            .zip(0..)
            .map(|(entry, index)| Ranked {
                bucket: entry.bucket,
                priority: entry.error,
                index,
            })
            .collect();
        order.sort_unstable_by(|a, b| a.bucket.cmp(&b.bucket).then_with(|| by_priority(a, b)));
        keep_first_of_each(&mut order, self.options.per_bucket.max(1));
        order.sort_unstable_by(by_priority);
        let order = match self.options.per_group {
            usize::MAX => self.of_least_estimate(order, &entries),
            most => self.of_each_group(order, &entries, most.max(1)),
        };
        let mut entries: Vec<Option<Entry<P>>> = entries.into_iter().map(Some).collect();
        order
            .iter()
            .filter_map(|ranked| entries[ranked.index as usize].take())
            .collect()
    }

    /// Of entries by increasing error, the `width` of least error plus estimate, by that. Estimates
    /// are dear, and none is negative: once the error alone is too large, no more are asked for.
    fn of_least_estimate(&self, order: Vec<Ranked>, entries: &[Entry<P>]) -> Vec<Ranked> {
        let width = self.options.width.max(1);
        let mut limit = self.limit();
        let mut chosen: Vec<Ranked> = Vec::with_capacity(width + 1);
        for by_error in order {
            if by_error.priority > limit {
                break;
            }
            let entry = self.with_estimate(by_error, entries, limit);
            if !(entry.priority.is_finite() && entry.priority <= limit) {
                continue;
            }
            let at = chosen.partition_point(|kept| by_priority(kept, &entry).is_lt());
            chosen.insert(at, entry);
            chosen.truncate(width);
            if chosen.len() == width {
                limit = limit.min(chosen[width - 1].priority);
            }
        }
        chosen
    }

    /// The same, but of each group only the `most` of least error plus estimate.
    fn of_each_group(&self, order: Vec<Ranked>, entries: &[Entry<P>], most: usize) -> Vec<Ranked> {
        let limit = self.limit();
        let order = order.into_iter();
        let mut order: Vec<Ranked> = order
            .map(|by_error| self.with_estimate(by_error, entries, limit))
            .filter(|entry| entry.priority.is_finite() && entry.priority <= limit)
            .collect();
        order.sort_unstable_by(by_priority);
        let mut seen: BTreeMap<u64, usize> = BTreeMap::new();
        order.retain(|ranked| {
            let group = self.problem.group(&entries[ranked.index as usize].state);
            let seen = seen.entry(group).or_default();
            *seen += 1;
            *seen <= most
        });
        order.truncate(self.options.width.max(1));
        order
    }

    /// Infinite where it is more than `limit`, or what it is.
    fn with_estimate(&self, by_error: Ranked, entries: &[Entry<P>], limit: f64) -> Ranked {
        let state = &entries[by_error.index as usize].state;
        let left = limit - by_error.priority;
        Ranked {
            priority: by_error.priority + self.problem.estimate_within(state, left),
            ..by_error
        }
    }

    /// A state that goes on has its step on the trail.
    fn remember(&mut self, entry: &Entry<P>) -> Parent {
        let at = match &entry.step {
            Some(step) => self.trail.push(entry.before, step.clone()),
            None => LinkId::START,
        };
        Parent {
            at,
            error: entry.error,
        }
    }

    fn expand(&mut self, stage: u64, parents: &[Parent], states: &[P::State]) {
        let problem = self.problem;
        problem.expand(states, |number, step, added, state| {
            debug_assert!(added >= 0.0, "an error must not be negative");
            let Parent { at, error } = parents[number];
            self.admit(stage + 1, at, Some(step), error + added, state);
        });
    }

    fn admit(
        &mut self,
        earliest: u64,
        before: LinkId,
        step: Option<P::Step>,
        error: f64,
        state: P::State,
    ) {
        let complete = self.problem.is_complete(&state);
        let bucket = if complete {
            0
        } else {
            self.problem.bucket(&state)
        };
        let stage = self.problem.stage(&state).max(earliest);
        let entry = Entry {
            error,
            bucket,
            before,
            step,
            state,
        };
        match complete {
            true => self.admit_complete(entry),
            false => self.stages.entry(stage).or_default().push(entry),
        }
    }

    fn admit_complete(&mut self, entry: Entry<P>) {
        let at = self.complete.partition_point(|e| e.error <= entry.error);
        self.complete.insert(at, entry);
        self.complete.truncate(self.options.keep.max(1));
    }

    /// Above this no walk joins the complete ones.
    fn limit(&self) -> f64 {
        match self.complete.last() {
            Some(worst) if self.complete.len() >= self.options.keep.max(1) => worst.error,
            _ => f64::INFINITY,
        }
    }

    fn settle(&mut self) {
        let living = self.stages.values_mut().flatten().chain(&mut self.complete);
        self.trail
            .forget_dead(living.map(|entry| &mut entry.before));
        let living = self.stages.values_mut().flatten().chain(&mut self.complete);
        let shared = self
            .trail
            .take_shared(living.map(|entry| &mut entry.before));
        self.settled.extend(shared);
    }

    /// Frees memory where the walks disagree too far back: the best of the next stage decides.
    fn settle_by_force(&mut self) {
        if self.trail.len() < self.options.memory.max(1024) / 2 {
            return;
        }
        let next = self.stages.values().next().into_iter().flatten();
        let Some(best) = next.min_by(|a, b| a.error.total_cmp(&b.error)) else {
            return;
        };
        let keep = self.trail.middle_of(best.before);
        let trail = &self.trail;
        let descends = trail.descendants(keep);
        let stays = |entry: &Entry<P>| trail.is_in(&descends, entry.before);
        self.complete.retain(stays);
        self.stages
            .values_mut()
            .for_each(|entries| entries.retain(stays));
        self.stages.retain(|_, entries| !entries.is_empty());
        self.settle();
    }
}

/// Smaller priority first, then first come.
fn by_priority(a: &Ranked, b: &Ranked) -> std::cmp::Ordering {
    a.priority
        .total_cmp(&b.priority)
        .then(a.index.cmp(&b.index))
}

/// Leaves at most `count` of each run with the same bucket.
fn keep_first_of_each(order: &mut Vec<Ranked>, count: usize) {
    let (mut bucket, mut seen) = (0, 0);
    order.retain(|entry| {
        seen = if seen > 0 && entry.bucket == bucket {
            seen + 1
        } else {
            1
        };
        bucket = entry.bucket;
        seen <= count
    });
}
