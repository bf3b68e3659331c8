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
    length: Vec<f32>,
    /// The search in which a state was last seen.
    seen: Vec<u32>,
    /// The stencil that leads to a state; of starts [`START`].
    by: Vec<u32>,
    search: u32,
    /// States whose links were tried in the last search.
    pub expanded: u64,
}

const START: u32 = u32::MAX;

impl<'a> PathSearch<'a> {
    /// Of an embedded graph.
    pub fn new(embedding: &'a Embedding<'a>) -> Self {
        let states = embedding.states() as usize;
        Self {
            embedding,
            length: vec![0.0; states],
            seen: vec![0; states],
            by: vec![0; states],
            search: 0,
            expanded: 0,
        }
    }

    /// The shortest path, if there is one. `left` holds the shortest free ways to the goal.
    pub fn find(&mut self, ends: &Ends, left: &WayLengths) -> Option<EmbeddedPath> {
        self.search += 1;
        self.expanded = 0;
        let cells = self.embedding.free.len() as u32;
        let mut front: BinaryHeap<Reverse<(u32, u32)>> = BinaryHeap::new();
        for &start in ends.starts {
            self.reach(start.0, 0.0, START);
            let estimate = left[(start.0 % cells) as usize];
            front.push(Reverse((estimate.to_bits(), start.0)));
        }
        while let Some(Reverse((bits, state))) = front.pop() {
            let so_far = self.length[state as usize];
            let cell = state % cells;
            if f32::from_bits(bits) > so_far + left[cell as usize] {
                continue; // a shorter way was found since
            }
            let arrived = cell == ends.goal.0 && so_far > 0.0;
            if arrived && self.has_heading(StateId(state), ends.heading) {
                return Some(self.path_to(StateId(state)));
            }
            self.expanded += 1;
            let embedding = self.embedding;
            for (stencil, next) in embedding.links_from(StateId(state)) {
                let length = so_far + embedding.stencils.list[stencil as usize].length;
                let known = self.seen[next.0 as usize] == self.search;
                if known && self.length[next.0 as usize] <= length {
                    continue;
                }
                let estimate = length + left[(next.0 % cells) as usize];
                if estimate.is_finite() {
                    self.reach(next.0, length, stencil);
                    front.push(Reverse((estimate.to_bits(), next.0)));
                }
            }
        }
        None
    }

    fn has_heading(&self, state: StateId, heading: Option<u32>) -> bool {
        let own = self.embedding.parts(state).1;
        heading.is_none_or(|heading| heading == own)
    }

    #[inline]
    fn reach(&mut self, state: u32, length: f32, by: u32) {
        self.length[state as usize] = length;
        self.seen[state as usize] = self.search;
        self.by[state as usize] = by;
    }

    /// Follows the links back.
    fn path_to(&self, end: StateId) -> EmbeddedPath {
        let mut stencils = Vec::new();
        let mut at = end;
        while self.by[at.0 as usize] != START {
            let by = self.by[at.0 as usize];
            stencils.push(by);
            at = self.embedding.start_of(by, at);
        }
        stencils.reverse();
        let lengths = stencils.iter();
        let lengths = lengths.map(|s| f64::from(self.embedding.stencils.list[*s as usize].length));
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
