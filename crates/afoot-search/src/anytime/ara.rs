//! Anytime repairing A* (Likhachev, Gordon, Thrun 2003).
//!
//! Rounds with the heuristic times ε, which falls from round to round. Within a round a cell is
//! expanded once; what becomes cheaper after that waits in the list of inconsistent states until the
//! next. With each walk goes the bound min(ε, g(goal) / min over open and inconsistent states of
//! g + h): the first by consistency, the second by the optimal walk's first state that is not yet
//! settled, which is in one of the lists with its least g; that holds at any moment, so that a search
//! that is stopped has an honest bound too. States whose g + h is not below the best walk's cost are
//! dropped. Cost: n log n in the expansions; 32 bytes a node beside its state, 16 an open entry.

use std::sync::atomic::AtomicBool;

use super::open::{Due, OpenList};
use super::space::Space;
use super::store::{Node, Noted, Store, Way};
use super::{Advance, Allowance, Solution, check_edge};

/// How an anytime search goes about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AraOptions {
    /// Factor on the heuristic in the first round. [≥ 1]
    pub epsilon: f64,
    /// What is left of ε − 1 from round to round. [0 ≤ .. < 1]
    pub decay: f64,
    /// Most memory. [bytes]
    pub memory: usize,
}

impl Default for AraOptions {
    fn default() -> Self {
        Self {
            epsilon: 10.0,
            // Halving wastes at most about as much as was needed, as doubling budgets do.
            decay: 0.5,
            memory: 4 << 30,
        }
    }
}

/// Below this ε the next round is the last: the proof itself. [above 1]
const NEARLY_ONE: f64 = 0.03;

/// An anytime search that can be asked for more.
#[derive(Clone, Debug)]
pub struct Ara<S: Space> {
    space: S,
    options: AraOptions,
    store: Store<S::State>,
    open: OpenList,
    inconsistent: Vec<u32>,
    /// Cells closed in this round carry its number.
    round: u32,
    epsilon: f64,
    between_rounds: bool,
    /// The cheapest goal so far and its cost.
    goal: Option<u32>,
    cost: f64,
    /// What the proofs of earlier rounds amount to: no walk costs less.
    proven: f64,
    expanded: u64,
    listed: Vec<(u32, f64, S::State)>,
}

impl<S: Space> Ara<S> {
    /// A search from any of `starts`, nothing of it done yet.
    pub fn new(space: S, starts: impl IntoIterator<Item = S::State>, options: AraOptions) -> Self {
        let mut search = Self {
            space,
            options,
            store: Store::new(),
            open: OpenList::default(),
            inconsistent: Vec::new(),
            round: 1,
            epsilon: options.epsilon.max(1.0),
            between_rounds: false,
            goal: None,
            cost: f64::INFINITY,
            proven: 0.0,
            expanded: 0,
            listed: Vec::new(),
        };
        for state in starts {
            search.arrive(Way::START, state);
        }
        search
    }

    /// Goes on until a round is complete, for `budget` expansions at most.
    pub fn advance(&mut self, budget: u64, cancel: Option<&AtomicBool>) -> Advance {
        let allowance = Allowance::new(self.expanded, budget, cancel);
        if self.between_rounds {
            self.next_round();
        }
        loop {
            if let Some(stop) = self.run_round(&allowance) {
                return stop;
            }
            if self.goal.is_some() {
                return self.end_round();
            }
            if self.inconsistent.is_empty() {
                return Advance::Impossible;
            }
            // Another state of a cell that was closed may lead on where the first did not.
            self.reopen();
        }
    }

    /// The best walk so far with what is proven of it by now.
    pub fn solution(&self) -> Option<Solution> {
        self.goal?;
        Some(Solution {
            cost: self.cost,
            bound: (self.cost / self.lower_bound()).max(1.0),
            epsilon: self.epsilon,
            expanded: self.expanded,
        })
    }

    /// No walk costs less. Linear in the open states.
    pub fn lower_bound(&self) -> f64 {
        if !self.space.is_proof() {
            return 0.0;
        }
        let fresh = |due: Due| (!self.is_stale(due)).then_some(due.node);
        let waiting = self.inconsistent.iter().copied();
        let nodes = self.open.iter().filter_map(fresh).chain(waiting);
        let least = |node: u32| {
            let node = self.store.nodes[node as usize];
            node.g + node.h
        };
        nodes.map(least).fold(self.cost, f64::min).max(self.proven)
    }

    /// The best walk so far: steps and the states behind them, the start first with a step that means
    /// nothing.
    pub fn trail(&self) -> Option<Vec<(u32, S::State)>> {
        self.goal.map(|goal| self.store.trail(goal))
    }

    /// States expanded so far.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Arrivals that are remembered.
    pub fn nodes(&self) -> usize {
        self.store.nodes.len()
    }

    /// What is searched.
    pub fn space(&self) -> &S {
        &self.space
    }

    /// The state from which a goal seems nearest by the heuristic, of all that were met.
    pub fn nearest(&self) -> Option<(f64, S::State)> {
        let nodes = self.store.nodes.iter().zip(&self.store.states);
        let nearest = nodes.min_by(|(a, _), (b, _)| a.h.total_cmp(&b.h))?;
        Some((nearest.0.h, *nearest.1))
    }

    /// Expands states until none can better the best walk by more than ε allows.
    fn run_round(&mut self, allowance: &Allowance) -> Option<Advance> {
        while let Some(due) = self.open.peek() {
            if due.priority >= self.cost {
                return None;
            }
            if self.is_stale(due) {
                self.open.pop();
                continue;
            }
            if let Some(stop) = allowance.stop(self.expanded) {
                return Some(stop);
            }
            if self.store.bytes() + 16 * self.open.capacity() > self.options.memory {
                return Some(Advance::OutOfMemory);
            }
            self.open.pop();
            self.expand(due.node);
        }
        None
    }

    fn expand(&mut self, node: u32) {
        self.expanded += 1;
        let Node { g, h, cell, .. } = self.store.nodes[node as usize];
        self.store.nodes[node as usize].expanded = true;
        self.store.cells[cell as usize].closed = self.round;
        let state = self.store.states[node as usize];
        let mut listed = std::mem::take(&mut self.listed);
        self.space
            .successors(&state, |step, cost, state| listed.push((step, cost, state)));
        for (step, cost, state) in listed.drain(..) {
            if cfg!(debug_assertions) && self.space.is_proof() {
                check_edge(h, cost, self.space.heuristic(&state));
            }
            let way = Way {
                parent: node,
                step,
                g: g + cost,
            };
            self.arrive(way, state);
        }
        self.listed = listed;
    }

    /// Takes note of a way to a state, if it is the best to its cell so far.
    fn arrive(&mut self, way: Way, state: S::State) {
        let Way { g, .. } = way;
        let noted = self.store.arrive(&mut self.space, way, state, self.cost);
        let Some(Noted { node, closed }) = noted else {
            return;
        };
        if self.space.is_goal(&state) {
            (self.goal, self.cost) = (Some(node), g);
        } else if closed == self.round {
            self.inconsistent.push(node);
        } else {
            self.open.push(self.due(node));
        }
    }

    fn due(&self, node: u32) -> Due {
        let Node { g, h, .. } = self.store.nodes[node as usize];
        Due {
            priority: g + self.epsilon * h,
            tie: h as f32,
            node,
        }
    }

    /// Whether its node was expanded or became cheaper since.
    fn is_stale(&self, due: Due) -> bool {
        let Node { g, h, expanded, .. } = self.store.nodes[due.node as usize];
        expanded || due.priority != g + self.epsilon * h
    }

    /// The round is over: says what it proved.
    fn end_round(&mut self) -> Advance {
        self.between_rounds = true;
        if self.space.is_proof() {
            self.proven = self
                .lower_bound()
                .max(self.cost / self.epsilon)
                .min(self.cost);
        }
        let bound = self.cost / self.proven;
        let solution = Solution {
            cost: self.cost,
            bound: bound.max(1.0),
            epsilon: self.epsilon,
            expanded: self.expanded,
        };
        let done = bound <= 1.0 + 1e-12 || (self.epsilon <= 1.0 && !self.space.is_proof());
        match done {
            true => Advance::Optimal(solution),
            false => Advance::Improved(solution),
        }
    }

    /// Lowers ε below what is proven already, and opens all that waits.
    fn next_round(&mut self) {
        self.between_rounds = false;
        let proven = (self.cost / self.proven).min(self.epsilon);
        let next = 1.0 + (proven - 1.0) * self.options.decay.clamp(0.0, 0.999);
        self.epsilon = if next < 1.0 + NEARLY_ONE { 1.0 } else { next };
        self.reopen();
    }

    fn reopen(&mut self) {
        self.round += 1;
        let mut waiting = std::mem::take(&mut self.inconsistent);
        // Stale by the former ε, which the caller has changed: told by their nodes alone.
        let open: Vec<u32> = self.open.drain().map(|due| due.node).collect();
        waiting.extend(open);
        waiting.sort_unstable();
        waiting.dedup();
        let worth = |node: &u32| {
            let Node { g, h, expanded, .. } = self.store.nodes[*node as usize];
            !expanded && g + h < self.cost
        };
        waiting.retain(worth);
        let due: Vec<Due> = waiting.into_iter().map(|node| self.due(node)).collect();
        self.open.fill(due.into_iter());
    }
}
