//! Anytime non-parametric A* (van den Berg, Shah, Huang, Goldberg 2011), to compare with.
//!
//! No schedule: the state with the greatest e(s) = (G − g(s)) / h(s) comes next, G being the best
//! walk's cost; greedy by h until there is one. Each e bounds how far G is from the least. Whenever G
//! falls the list is put in order anew. Cells may be expanded again and again, as in the paper.

use std::sync::atomic::AtomicBool;

use super::open::{Due, OpenList};
use super::space::Space;
use super::store::{Node, Noted, Store, Way};
use super::{Advance, Allowance, Solution};

/// The search without a schedule.
#[derive(Clone, Debug)]
pub struct Ana<S: Space> {
    space: S,
    store: Store<S::State>,
    open: OpenList,
    goal: Option<u32>,
    cost: f64,
    expanded: u64,
    /// A goal was met since the list was put in order.
    found: bool,
}

impl<S: Space> Ana<S> {
    /// A search from any of `starts`, nothing of it done yet.
    pub fn new(space: S, starts: impl IntoIterator<Item = S::State>) -> Self {
        let mut search = Self {
            space,
            store: Store::new(),
            open: OpenList::default(),
            goal: None,
            cost: f64::INFINITY,
            expanded: 0,
            found: false,
        };
        for state in starts {
            search.arrive(Way::START, state);
        }
        search
    }

    /// Goes on until there is a better walk, for `budget` expansions at most.
    pub fn advance(&mut self, budget: u64, cancel: Option<&AtomicBool>) -> Advance {
        let allowance = Allowance::new(self.expanded, budget, cancel);
        self.found = false;
        loop {
            let Some(due) = self.open.peek() else {
                return match self.solution() {
                    Some(solution) => Advance::Optimal(solution),
                    None => Advance::Impossible,
                };
            };
            let Node { g, h, expanded, .. } = self.store.nodes[due.node as usize];
            if expanded || due.priority != self.priority(g, h) {
                self.open.pop();
                continue;
            }
            if let Some(stop) = allowance.stop(self.expanded) {
                return stop;
            }
            self.open.pop();
            self.expand(due.node);
            if self.found {
                self.order_anew();
                return self
                    .solution()
                    .map_or(Advance::Impossible, Advance::Improved);
            }
        }
    }

    /// The best walk so far with what is proven of it by now.
    pub fn solution(&self) -> Option<Solution> {
        self.goal?;
        let nodes = self.open.iter().map(|due| due.node);
        let least = |node: u32| {
            let node = self.store.nodes[node as usize];
            match node.expanded {
                true => f64::INFINITY,
                false => node.g + node.h,
            }
        };
        let least = nodes.map(least).fold(self.cost, f64::min);
        let bound = (self.cost / least).max(1.0);
        Some(Solution {
            cost: self.cost,
            bound,
            epsilon: bound,
            expanded: self.expanded,
        })
    }

    /// States expanded so far.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// The inverse of e, so that the least comes first.
    fn priority(&self, g: f64, h: f64) -> f64 {
        match self.cost.is_finite() {
            true => h / (self.cost - g),
            false => h,
        }
    }

    fn expand(&mut self, node: u32) {
        self.expanded += 1;
        let g = self.store.nodes[node as usize].g;
        self.store.nodes[node as usize].expanded = true;
        let state = self.store.states[node as usize];
        let mut listed = Vec::new();
        self.space
            .successors(&state, |step, cost, state| listed.push((step, cost, state)));
        for (step, cost, state) in listed {
            let way = Way {
                parent: node,
                step,
                g: g + cost,
            };
            self.arrive(way, state);
        }
    }

    fn arrive(&mut self, way: Way, state: S::State) {
        let Way { g, .. } = way;
        let noted = self.store.arrive(&mut self.space, way, state, self.cost);
        let Some(Noted { node, .. }) = noted else {
            return;
        };
        if self.space.is_goal(&state) {
            (self.goal, self.cost, self.found) = (Some(node), g, true);
        } else {
            let h = self.store.nodes[node as usize].h;
            let priority = self.priority(g, h);
            self.open.push(Due {
                priority,
                tie: h as f32,
                node,
            });
        }
    }

    fn order_anew(&mut self) {
        let mut nodes: Vec<u32> = self.open.drain().map(|due| due.node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let due = nodes.into_iter().filter_map(|node| {
            let Node { g, h, expanded, .. } = self.store.nodes[node as usize];
            let worth = !expanded && g + h < self.cost;
            worth.then(|| Due {
                priority: h / (self.cost - g),
                tie: h as f32,
                node,
            })
        });
        let due: Vec<Due> = due.collect();
        self.open.fill(due.into_iter());
    }
}
