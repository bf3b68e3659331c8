//! Shortest paths through an embedded graph, from place to place (§4.1).
//!
//! A*, whose estimate is the shortest free way of any angle (`shortest`), which no motion undercuts: so
//! nearly true that few states are looked at. A path may start and end in any choice and heading, as in
//! the paper. Its length is that of the bent root's way. Costs a few ms; memory 12 bytes a state, kept from
//! search to search.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use afoot_core::Planar;

use crate::embed::{Embedding, StateId};
use crate::grid::CellId;
use crate::shortest::WayLengths;

/// A path through an embedded graph.
#[derive(Clone, Debug, PartialEq)]
pub struct EmbeddedPath {
    /// Where it starts.
    pub start: StateId,
    /// The stencils that it follows.
    pub stencils: Vec<u32>,
    /// Of the root's way. [m]
    pub length: f64,
}

/// What a search is to find.
#[derive(Clone, Copy, Debug)]
pub struct Ends<'a> {
    /// Where paths may start.
    pub starts: &'a [StateId],
    /// The cell where they end.
    pub goal: CellId,
    /// The heading they end with, if it matters.
    pub heading: Option<u32>,
}

/// Room for searches through one embedded graph.
pub struct PathSearch<'a> {
    embedding: &'a Embedding<'a>,
    labels: Vec<Label>,
    front: BinaryHeap<Reverse<u64>>,
    search: u32,
    /// States whose links were tried in the last search.
    pub expanded: u64,
}

/// How a state was reached.
#[derive(Clone, Copy, Default)]
struct Label {
    length: f32,
    /// The search in which it was.
    search: u32,
    /// The stencil that leads to it; of starts [`START`].
    by: u32,
}

const START: u32 = u32::MAX;

/// What a search takes for each state of its graph. [bytes]
pub(crate) const BYTES_PER_STATE: u64 = size_of::<Label>() as u64;

/// A place in the queue: the bits of floats above zero are in their order.
fn queued(estimate: f32, state: u32) -> Reverse<u64> {
    Reverse(u64::from(estimate.to_bits()) << 32 | u64::from(state))
}

impl<'a> PathSearch<'a> {
    /// Of an embedded graph.
    pub fn new(embedding: &'a Embedding<'a>) -> Self {
        Self {
            embedding,
            labels: vec![Label::default(); embedding.states() as usize],
            front: BinaryHeap::new(),
            search: 0,
            expanded: 0,
        }
    }

    /// The shortest path, if there is one. `left` holds the shortest free ways to the goal.
    pub fn find(&mut self, ends: &Ends, left: &WayLengths) -> Option<EmbeddedPath> {
        let embedding = self.embedding;
        self.search += 1;
        self.expanded = 0;
        self.front.clear();
        let faces = |state: StateId| {
            let heading = embedding.parts(state).1;
            ends.heading.is_none_or(|wanted| wanted == heading)
        };
        if !embedding.states_at(ends.goal).any(faces) {
            return None; // the component joins all its states, and no others
        }
        let cells = embedding.free.len() as u32;
        for &start in ends.starts {
            self.reach(start.0, 0.0, START);
            let estimate = left[(start.0 % cells) as usize];
            self.front.push(queued(estimate, start.0));
        }
        while let Some(Reverse(entry)) = self.front.pop() {
            let (estimate, state) = (f32::from_bits((entry >> 32) as u32), entry as u32);
            let so_far = self.labels[state as usize].length;
            let cell = state % cells;
            if estimate > so_far + left[cell as usize] {
                continue; // a shorter way was found since
            }
            if cell == ends.goal.0 && so_far > 0.0 && faces(StateId(state)) {
                return Some(self.path_to(StateId(state)));
            }
            self.expanded += 1;
            self.expand(StateId(state), left);
        }
        None
    }

    /// Follows all links of a state.
    fn expand(&mut self, state: StateId, left: &WayLengths) {
        let embedding = self.embedding;
        let cells = embedding.free.len() as u32;
        let (row, cell) = ((state.0 / cells) as usize, state.0 % cells);
        let so_far = self.labels[state.0 as usize].length;
        for stencil in embedding.stencils_from(row, CellId(cell)) {
            let hop = embedding.hop(stencil);
            let (next, there) = match embedding.grid.wrap {
                false => (
                    state.0.wrapping_add_signed(hop.states),
                    cell.wrapping_add_signed(hop.cells),
                ),
                true => {
                    let next = embedding.end_of(stencil, CellId(cell)).0;
                    (next, next % cells)
                }
            };
            let length = so_far + hop.length;
            let label = &self.labels[next as usize];
            if label.search == self.search && label.length <= length {
                continue;
            }
            let estimate = length + left[there as usize];
            if estimate.is_finite() {
                self.reach(next, length, stencil);
                self.front.push(queued(estimate, next));
            }
        }
    }

    #[inline]
    fn reach(&mut self, state: u32, length: f32, by: u32) {
        self.labels[state as usize] = Label {
            length,
            search: self.search,
            by,
        };
    }

    /// Follows the links back.
    fn path_to(&self, end: StateId) -> EmbeddedPath {
        let mut stencils = Vec::new();
        let mut at = end;
        while self.labels[at.0 as usize].by != START {
            let by = self.labels[at.0 as usize].by;
            stencils.push(by);
            at = self.embedding.start_of(by, at);
        }
        stencils.reverse();
        let lengths = stencils.iter();
        let lengths = lengths.map(|stencil| f64::from(self.embedding.length_of(*stencil)));
        EmbeddedPath {
            start: at,
            length: lengths.sum(),
            stencils,
        }
    }
}

impl Embedding<'_> {
    /// The state from which a stencil leads to another.
    pub fn start_of(&self, stencil: u32, end: StateId) -> StateId {
        let (_, _, cell) = self.parts(end);
        let stencil = &self.stencils.list[stencil as usize];
        let back = stencil.offset.map(|steps| -steps);
        let cell = self.grid.shifted(cell, back).unwrap_or(cell);
        self.state(self.moves.of(stencil.step).from, stencil.heading, cell)
    }

    /// The root's way along a path, a pose a frame; in a world that wraps around it goes on beyond the
    /// bounds.
    pub fn way_of(&self, path: &EmbeddedPath) -> Vec<Planar> {
        let mut at = self.pose(path.start);
        let mut way = vec![at];
        for &index in &path.stencils {
            let stencil = &self.stencils.list[index as usize];
            let bent = stencil.way(self.moves, &self.grid, &self.options.edit);
            let place = |pose: &Planar| Planar::new(at.x + pose.x, at.z + pose.z, pose.yaw);
            way.extend(bent[1..].iter().map(place));
            let end = stencil.end(&self.grid);
            at = Planar::new(at.x + end.x, at.z + end.z, end.yaw);
        }
        way
    }
}
