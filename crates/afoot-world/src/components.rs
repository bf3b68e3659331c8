//! The strongly connected components of a graph whose links are asked for one by one (Tarjan 1972).
//!
//! `afoot_graph::strong_components` takes lists of links; an embedded graph has bit maps instead, from
//! which lists would take thirty times the room. Without recursion; 12 bytes a state.

const UNSEEN: u32 = u32::MAX;
/// Of states that take no part.
pub const NONE: u32 = u32::MAX;

/// A graph of numbered states.
pub trait Links {
    /// How many states there are.
    fn states(&self) -> u32;
    /// Whether a state takes part.
    fn takes_part(&self, state: u32) -> bool;
    /// The state that the first link at or after the `cursor`-th of a state leads to, and the cursor
    /// behind it.
    fn next(&self, state: u32, cursor: u32) -> Option<(u32, u32)>;
}

/// The component of each state, [`NONE`] of those that take no part, and how many there are.
pub fn components(graph: &impl Links) -> (Vec<u32>, u32) {
    let states = graph.states() as usize;
    let mut search = Search {
        graph,
        order: vec![UNSEEN; states],
        low: vec![0; states],
        component: vec![NONE; states],
        open: Vec::new(),
        path: Vec::new(),
        seen: 0,
        found: 0,
    };
    for root in 0..graph.states() {
        if search.order[root as usize] == UNSEEN && graph.takes_part(root) {
            search.explore(root);
        }
    }
    (search.component, search.found)
}

struct Search<'a, G> {
    graph: &'a G,
    order: Vec<u32>,
    low: Vec<u32>,
    component: Vec<u32>,
    open: Vec<u32>,
    path: Vec<(u32, u32)>,
    seen: u32,
    found: u32,
}

impl<G: Links> Search<'_, G> {
    fn explore(&mut self, root: u32) {
        self.enter(root);
        while let Some(&(state, cursor)) = self.path.last() {
            let Some((target, next)) = self.graph.next(state, cursor) else {
                self.leave(state);
                continue;
            };
            if let Some(top) = self.path.last_mut() {
                top.1 = next;
            }
            if self.order[target as usize] == UNSEEN {
                self.enter(target);
            } else if self.component[target as usize] == NONE {
                let order = self.order[target as usize];
                let low = &mut self.low[state as usize];
                *low = (*low).min(order);
            }
        }
    }

    fn enter(&mut self, state: u32) {
        self.order[state as usize] = self.seen;
        self.low[state as usize] = self.seen;
        self.seen += 1;
        self.open.push(state);
        self.path.push((state, 0));
    }

    fn leave(&mut self, state: u32) {
        self.path.pop();
        let low = self.low[state as usize];
        if let Some(&(parent, _)) = self.path.last() {
            let above = &mut self.low[parent as usize];
            *above = (*above).min(low);
        }
        if low == self.order[state as usize] {
            while let Some(member) = self.open.pop() {
                self.component[member as usize] = self.found;
                if member == state {
                    break;
                }
            }
            self.found += 1;
        }
    }
}
