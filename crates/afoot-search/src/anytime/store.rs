//! What an anytime search remembers: nodes, the states that they stand for, and the cells that they
//! are in.
//!
//! A node is an arrival at a cell: 32 bytes, two a cache line; states lie apart, since they are needed
//! for expansions alone. A cheaper arrival takes the place of one that has not been expanded, and gets
//! a node of its own after that, so that walks found before stay whole.

use super::space::Space;

/// How a cell was arrived at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Cost from the start.
    pub(super) g: f64,
    /// Least cost to a goal.
    pub(super) h: f64,
    /// The node before; itself at a start.
    pub(super) parent: u32,
    /// The step from there.
    pub(super) step: u32,
    pub(super) cell: u32,
    pub(super) expanded: bool,
}

/// A way to a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// The node before; [`NONE`] at a start.
    pub(super) parent: u32,
    /// The step from there.
    pub(super) step: u32,
    /// Cost from the start.
    pub(super) g: f64,
}

impl Way {
    /// To a start.
    pub(super) const START: Self = Self {
        parent: NONE,
        step: 0,
        g: 0.0,
    };
}

/// What was noted of an arrival.
#[derive(Clone, Copy, Debug)]
pub(super) struct Noted {
    pub(super) node: u32,
    /// In which round its cell was expanded last.
    pub(super) closed: u32,
}

/// The cheapest arrival at a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) node: u32,
    /// In which round it was expanded last.
    pub(super) closed: u32,
}

pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub(super) struct Store<State> {
    pub(super) nodes: Vec<Node>,
    pub(super) states: Vec<State>,
    pub(super) cells: Vec<Cell>,
}

impl<State: Copy> Store<State> {
    pub(super) fn new() -> Self {
        Self {
            nodes: Vec::new(),
            states: Vec::new(),
            cells: Vec::new(),
        }
    }

    /// Takes note of a way to a state, if it is the best to its cell so far and a goal beyond it may cost less
    /// than `cost`.
    pub(super) fn arrive(
        &mut self,
        space: &mut impl Space<State = State>,
        way: Way,
        state: State,
        cost: f64,
    ) -> Option<Noted> {
        let cell = space.cell(&state);
        let Cell { node, closed } = self.cell(cell);
        if node != NONE && self.nodes[node as usize].g <= way.g {
            return None;
        }
        let h = Some(space.heuristic(&state)).filter(|h| way.g + h < cost)?;
        // A start is its own parent: it takes this place or the next free one.
        let parent = match (way.parent, node) {
            (NONE, NONE) => self.nodes.len() as u32,
            (NONE, known) => known,
            (parent, _) => parent,
        };
        let arrival = Node {
            g: way.g,
            h,
            parent,
            step: way.step,
            cell,
            expanded: false,
        };
        let node = self.note(arrival, state, node);
        Some(Noted { node, closed })
    }

    fn cell(&mut self, cell: u32) -> Cell {
        let index = cell as usize;
        if index >= self.cells.len() {
            let vacant = Cell {
                node: NONE,
                closed: 0,
            };
            self.cells.resize(index + 1, vacant);
        }
        self.cells[index]
    }

    /// Notes an arrival that is cheaper than the one `known` so far, and gives its node.
    fn note(&mut self, node: Node, state: State, known: u32) -> u32 {
        if known != NONE && !self.nodes[known as usize].expanded {
            self.nodes[known as usize] = node;
            self.states[known as usize] = state;
            return known;
        }
        let index = self.nodes.len() as u32;
        self.cells[node.cell as usize].node = index;
        self.nodes.push(node);
        self.states.push(state);
        index
    }

    /// Steps and the states behind them, from a start (whose step means nothing) to `node`.
    pub(super) fn trail(&self, node: u32) -> Vec<(u32, State)> {
        let mut trail = Vec::new();
        let mut at = node;
        loop {
            let Node { parent, step, .. } = self.nodes[at as usize];
            trail.push((step, self.states[at as usize]));
            if parent == at {
                trail.reverse();
                return trail;
            }
            at = parent;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.states.capacity() * size_of::<State>()
            + self.cells.capacity() * size_of::<Cell>()
    }
}
