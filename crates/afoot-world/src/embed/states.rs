//! What can be asked of an embedded graph: its states, and the links that leave them.
//!
//! A search asks for all links of a state at once. Sets of cells would be looked at in as many places of
//! memory as stencils leave it; so there is a second table, turned over: for each state a bit a
//! stencil.

use afoot_core::Planar;
use rayon::prelude::*;

use super::strong::Linked;
use super::{Embedding, LaidMoves, StateId};
use crate::cell_bits::{CellBits, count, holds, keep, members};
use crate::grid::CellId;
use crate::moves::ChoiceId;

/// For each state the stencils that leave it.
pub(super) struct Leaving {
    /// For each row the words of all its cells, one cell after the other; none if no state is in the component.
    rows: Vec<Vec<u64>>,
    /// What following each stencil does.
    hops: Vec<Hop>,
}

/// What following a stencil does, in a world that does not wrap around.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hop {
    /// The state's number grows by.
    pub(crate) states: i32,
    /// The cell's number grows by.
    pub(crate) cells: i32,
    /// The way's length. [m]
    pub(crate) length: f32,
}

impl Leaving {
    /// Of the links between states of the component, and how many there are.
    pub(super) fn new(linked: &Linked, alive: &[u64]) -> (Self, u64) {
        let of_row = |row: usize| {
            let first = linked.stencils.first[row];
            let stencils = first..linked.stencils.first[row + 1];
            let each = stencils.len().div_ceil(64);
            if linked.row(alive, row as u32).iter().all(|word| *word == 0) {
                return (Vec::new(), 0);
            }
            let mut table = vec![0u64; linked.cells * each];
            let (mut links, mut starts) = (0, vec![0; linked.laid.layout.words]);
            for stencil in stencils {
                linked.between(stencil, [alive, alive], &mut starts);
                links += count(&starts);
                let (word, bit) = ((stencil - first) / 64, (stencil - first) % 64);
                for cell in members(&starts) {
                    table[cell as usize * each + word as usize] |= 1 << bit;
                }
            }
            (table, links)
        };
        let (rows, links): (Vec<Vec<u64>>, Vec<u64>) =
            (0..linked.rows).into_par_iter().map(of_row).unzip();
        let hops = (0..linked.stencils.list.len()).map(|stencil| hop_of(linked, stencil));
        let hops = hops.collect();
        (Self { rows, hops }, links.iter().sum())
    }
}

fn hop_of(linked: &Linked, stencil: usize) -> Hop {
    let [columns, rows] = linked.stencils.list[stencil].offset;
    let [from, to] = linked.ends[stencil].map(|row| row as i32);
    let cells = columns + rows * linked.grid.size[0] as i32;
    Hop {
        states: (to - from) * linked.cells as i32 + cells,
        cells,
        length: linked.laid.lengths[stencil],
    }
}

impl Embedding<'_> {
    /// The number of a choice with a heading.
    #[inline]
    fn row(&self, choice: ChoiceId, heading: u32) -> usize {
        choice.0 as usize * self.grid.headings + heading as usize
    }

    fn row_and_cell(&self, state: StateId) -> (usize, CellId) {
        let cells = self.free.len() as u32;
        ((state.0 / cells) as usize, CellId(state.0 % cells))
    }

    fn is_alive_at(&self, row: usize, cell: CellId) -> bool {
        let words = self.laid.layout.words;
        holds(&self.alive[row * words..(row + 1) * words], cell)
    }

    /// The state of a choice at a cell with a heading.
    #[inline]
    pub fn state(&self, choice: ChoiceId, heading: u32, cell: CellId) -> StateId {
        StateId((self.row(choice, heading) * self.free.len()) as u32 + cell.0)
    }

    /// A state's choice, heading and cell.
    #[inline]
    pub fn parts(&self, state: StateId) -> (ChoiceId, u32, CellId) {
        let (row, cell) = self.row_and_cell(state);
        let headings = self.grid.headings;
        let (choice, heading) = (row / headings, row % headings);
        (ChoiceId(choice as u32), heading as u32, cell)
    }

    /// Where the root is in a state.
    pub fn pose(&self, state: StateId) -> Planar {
        let (_, heading, cell) = self.parts(state);
        let [x, z] = self.grid.centre(cell);
        Planar::new(x, z, f64::from(heading) * self.grid.yaw_step())
    }

    /// Whether a state is in the component.
    #[inline]
    pub fn holds(&self, state: StateId) -> bool {
        let (row, cell) = self.row_and_cell(state);
        self.is_alive_at(row, cell)
    }

    /// All states, in the component or not.
    pub fn states(&self) -> u32 {
        (self.moves.nodes.len() * self.grid.headings * self.free.len()) as u32
    }

    /// The states of the component at a cell.
    pub fn states_at(&self, cell: CellId) -> impl Iterator<Item = StateId> + '_ {
        let rows = 0..self.moves.nodes.len() * self.grid.headings;
        let alive = move |row: &usize| self.is_alive_at(*row, cell);
        rows.filter(alive)
            .map(move |row| StateId((row * self.free.len()) as u32 + cell.0))
    }

    /// The links from a state: the stencil's number, and where it leads.
    #[inline]
    pub fn links_from(&self, state: StateId) -> impl Iterator<Item = (u32, StateId)> + '_ {
        let (row, cell) = self.row_and_cell(state);
        self.stencils_from(row, cell)
            .map(move |index| (index, self.end_of(index, cell)))
    }

    /// The stencils of a row that leave a cell.
    #[inline]
    pub(crate) fn stencils_from(&self, row: usize, cell: CellId) -> impl Iterator<Item = u32> + '_ {
        let first = self.stencils.first[row];
        let each = (self.stencils.first[row + 1] - first).div_ceil(64) as usize;
        let table = &self.leaving.rows[row];
        let at = cell.0 as usize * each;
        let bits = if table.is_empty() {
            &[]
        } else {
            &table[at..at + each]
        };
        members(bits).map(move |index| first + index)
    }

    /// What following a stencil does.
    #[inline]
    pub(crate) fn hop(&self, stencil: u32) -> Hop {
        self.leaving.hops[stencil as usize]
    }

    /// Length of a stencil's way. [m]
    #[inline]
    pub fn length_of(&self, stencil: u32) -> f32 {
        self.laid.lengths[stencil as usize]
    }

    /// Where a stencil that may start in a cell leads from there.
    #[inline]
    pub fn end_of(&self, stencil: u32, cell: CellId) -> StateId {
        let stencil = &self.stencils.list[stencil as usize];
        let end = match self.grid.wrap {
            false => {
                let [columns, rows] = stencil.offset;
                CellId((cell.0 as i32 + columns + rows * self.grid.size[0] as i32) as u32)
            }
            true => self.grid.shifted(cell, stencil.offset).unwrap_or(cell),
        };
        self.state(stencil.to.0, stencil.to.1, end)
    }

    /// How sets of cells are laid out.
    pub fn layout(&self) -> &CellBits {
        &self.laid.layout
    }

    /// The cells in which links of a stencil start, as a set.
    pub fn start_set(&self, stencil: u32) -> Vec<u64> {
        let words = self.laid.layout.words;
        let row = &self.stencils.list[stencil as usize];
        let from = self.row(self.moves.of(row.step).from, row.heading);
        let to = self.row(row.to.0, row.to.1);
        let mut starts = vec![0; words];
        let layout = &self.laid.layout;
        layout.seen_from(
            row.offset,
            &self.alive[to * words..(to + 1) * words],
            &mut starts,
        );
        keep(&mut starts, &self.alive[from * words..(from + 1) * words]);
        let at = stencil as usize * words;
        keep(&mut starts, &self.laid.starts[at..at + words]);
        starts
    }

    /// The cells in which links of a stencil start.
    pub fn starts_of(&self, stencil: usize) -> Vec<CellId> {
        members(&self.start_set(stencil as u32))
            .map(CellId)
            .collect()
    }

    /// What was laid, for graphs that share moves with this one.
    pub fn laid_moves(&self) -> LaidMoves {
        let (stencils, laid) = (&self.stencils, &self.laid);
        LaidMoves::of(self.moves, self.world, &self.options, stencils, laid)
    }
}
