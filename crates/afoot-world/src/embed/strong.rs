//! The largest strongly connected component of stencils laid over cells, found by floods of bits.
//!
//! What leads nowhere, or comes from nowhere, is trimmed off; then what a state reaches and what of that
//! leads back to it is its component (Fleischer, Hendrickson and Pinar 2000). A flood goes over all cells of a
//! choice and heading at once. Embedded graphs mostly have one component that is worth the name: after
//! [`FLOODED`] of them the rest goes to Tarjan's search, link by link.

use rayon::prelude::*;

use super::lay::Laid;
use crate::cell_bits::{add, count, holds, keep, members};
use crate::grid::{CellId, Grid};
use crate::moves::Moves;
use crate::stencil::Stencils;
use afoot_search::{Components, Links};

/// Components that are found by floods.
const FLOODED: usize = 4;

/// Stencils as links between rows: a row is a choice with a heading, and has all cells.
pub(super) struct Linked<'a> {
    pub(super) laid: &'a Laid,
    pub(super) stencils: &'a Stencils,
    pub(super) rows: usize,
    pub(super) cells: usize,
    pub(super) grid: &'a Grid,
    /// The rows that each stencil leaves and leads to.
    pub(super) ends: Vec<[u32; 2]>,
    /// The stencils that lead to each row, and where each row's start there.
    arriving: Vec<u32>,
    first_arriving: Vec<u32>,
}

/// What was found.
pub(super) struct Largest {
    /// Its states as sets, row by row; none if no component has more than one.
    pub(super) states: Option<Vec<u64>>,
    /// States of all components with more than one, the largest first.
    pub(super) sizes: Vec<u64>,
}

/// Finds the largest component.
pub(super) fn largest_component(linked: &Linked, free: &[bool]) -> Largest {
    let ground = linked.laid.layout.set_of(|cell| free[cell.0 as usize]);
    let mut rest = ground.repeat(linked.rows);
    linked.trim(&mut rest);
    let mut found: Vec<(u64, Option<Vec<u64>>)> = Vec::new();
    for _ in 0..FLOODED {
        let Some(seed) = linked.seed(&rest) else {
            break;
        };
        let reached = linked.flood(&seed, &rest, Flow::Ahead);
        let both = linked.flood(&seed, &reached, Flow::Back);
        rest.iter_mut().zip(&both).for_each(|(a, b)| *a &= !b);
        found.push((count(&both), Some(both)));
        linked.trim(&mut rest);
    }
    if rest.iter().any(|word| *word != 0) {
        found.extend(linked.search(&rest));
    }
    found.retain(|(size, _)| *size > 1);
    found.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
    Largest {
        sizes: found.iter().map(|(size, _)| *size).collect(),
        states: found.into_iter().next().and_then(|(_, states)| states),
    }
}

/// Which way a flood goes along links.
#[derive(Clone, Copy, PartialEq)]
enum Flow {
    Ahead,
    Back,
}

impl<'a> Linked<'a> {
    pub(super) fn new(
        moves: &Moves,
        grid: &'a Grid,
        stencils: &'a Stencils,
        laid: &'a Laid,
    ) -> Self {
        let rows = moves.nodes.len() * grid.headings;
        let row = |choice: u32, heading: u32| choice * grid.headings as u32 + heading;
        let ends: Vec<[u32; 2]> = stencils
            .list
            .iter()
            .map(|stencil| {
                let from = row(moves.of(stencil.step).from.0, stencil.heading);
                [from, row(stencil.to.0.0, stencil.to.1)]
            })
            .collect();
        let mut arriving: Vec<u32> = (0..ends.len() as u32).collect();
        arriving.sort_by_key(|stencil| ends[*stencil as usize][1]);
        let to = |stencil: &u32| ends[*stencil as usize][1] as usize;
        let first = (0..=rows).map(|row| arriving.partition_point(|s| to(s) < row) as u32);
        Self {
            laid,
            stencils,
            rows,
            cells: grid.cells(),
            grid,
            first_arriving: first.collect(),
            arriving,
            ends,
        }
    }

    /// A row of some sets.
    pub(super) fn row<'s>(&self, sets: &'s [u64], row: u32) -> &'s [u64] {
        let words = self.laid.layout.words;
        &sets[row as usize * words..(row as usize + 1) * words]
    }

    /// The cells in which a stencil starts from a set of states and leads to another.
    pub(super) fn between(&self, stencil: u32, [from, to]: [&[u64]; 2], out: &mut [u64]) {
        let ends = self.ends[stencil as usize];
        let offset = self.stencils.list[stencil as usize].offset;
        self.laid
            .layout
            .seen_from(offset, self.row(to, ends[1]), out);
        keep(out, self.row(from, ends[0]));
        keep(out, self.row(&self.laid.starts, stencil));
    }

    fn leaving(&self, row: usize) -> std::ops::Range<u32> {
        self.stencils.first[row]..self.stencils.first[row + 1]
    }

    fn arriving(&self, row: usize) -> &[u32] {
        &self.arriving[self.first_arriving[row] as usize..self.first_arriving[row + 1] as usize]
    }

    /// Takes away states from which no link leads to another one, or to which none does, until there are none.
    fn trim(&self, set: &mut [u64]) {
        let words = self.laid.layout.words;
        loop {
            let before = count(set);
            for flow in [Flow::Back, Flow::Ahead] {
                let old = set.to_vec();
                let rows = set.par_chunks_mut(words.max(1)).enumerate();
                rows.for_each(|(row, kept)| {
                    let open = kept.to_vec();
                    kept.fill(0);
                    self.pour(row, &old, flow, |new| {
                        new.iter().zip(&open).zip(kept.iter_mut()).fold(
                            true,
                            |full, ((new, open), kept)| {
                                *kept |= new & open;
                                full && *kept == *open
                            },
                        )
                    });
                });
            }
            if count(set) == before {
                return;
            }
        }
    }

    /// Gives what flows into a row along each of its links from a set, until it is said to be enough.
    fn pour(&self, row: usize, from: &[u64], flow: Flow, mut enough: impl FnMut(&[u64]) -> bool) {
        let (mut started, mut out) = (
            vec![0; self.laid.layout.words],
            vec![0; self.laid.layout.words],
        );
        let mut one = |stencil: u32, other: u32| {
            let offset = self.stencils.list[stencil as usize].offset;
            let there = self.row(from, other);
            if there.iter().all(|word| *word == 0) {
                return false;
            }
            match flow {
                Flow::Ahead => {
                    started.copy_from_slice(there);
                    keep(&mut started, self.row(&self.laid.starts, stencil));
                    self.laid.layout.carried(offset, &started, &mut out);
                }
                Flow::Back => {
                    self.laid.layout.seen_from(offset, there, &mut out);
                    keep(&mut out, self.row(&self.laid.starts, stencil));
                }
            }
            enough(&out)
        };
        match flow {
            Flow::Ahead => {
                let all = self.arriving(row).iter();
                let _ = all
                    .copied()
                    .any(|stencil| one(stencil, self.ends[stencil as usize][0]));
            }
            Flow::Back => {
                let mut all = self.leaving(row);
                let _ = all.any(|stencil| one(stencil, self.ends[stencil as usize][1]));
            }
        }
    }

    /// A state to start from: the middle one of the row that has the most.
    fn seed(&self, set: &[u64]) -> Option<Vec<u64>> {
        let rows = 0..self.rows as u32;
        let size = |row: &u32| count(self.row(set, *row));
        let row = rows.max_by_key(|row| (size(row), std::cmp::Reverse(*row)))?;
        let members: Vec<u32> = members(self.row(set, row)).collect();
        let cell = *members.get(members.len() / 2)?;
        let mut seed = vec![0; set.len()];
        seed[row as usize * self.laid.layout.words + cell as usize / 64] |= 1 << (cell % 64);
        Some(seed)
    }

    /// All states of a set that are reached from a seed within it.
    fn flood(&self, seed: &[u64], within: &[u64], flow: Flow) -> Vec<u64> {
        let words = self.laid.layout.words;
        let (mut reached, mut front) = (seed.to_vec(), seed.to_vec());
        while front.iter().any(|word| *word != 0) {
            let mut next = vec![0; front.len()];
            let rows = next.par_chunks_mut(words.max(1)).enumerate();
            rows.for_each(|(row, next)| {
                let open: Vec<u64> = (self.row(within, row as u32).iter())
                    .zip(self.row(&reached, row as u32))
                    .map(|(within, reached)| within & !reached)
                    .collect();
                if open.iter().all(|word| *word == 0) {
                    return;
                }
                self.pour(row, &front, flow, |new| {
                    add(next, new);
                    false
                });
                keep(next, &open);
            });
            add(&mut reached, &next);
            front = next;
        }
        reached
    }

    /// The components of a set link by link; the largest with its states.
    fn search(&self, set: &[u64]) -> Vec<(u64, Option<Vec<u64>>)> {
        let found = Components::find(&Within { linked: self, set });
        let mut sizes = vec![0u64; found.count as usize];
        for of in found.of.iter().filter(|of| **of != Components::NONE) {
            sizes[*of as usize] += 1;
        }
        let largest =
            (0..found.count).max_by_key(|of| (sizes[*of as usize], std::cmp::Reverse(*of)));
        let mut states = vec![0; set.len()];
        for (state, of) in found.of.iter().enumerate() {
            if Some(*of) == largest {
                let (row, cell) = (state / self.cells, state % self.cells);
                states[row * self.laid.layout.words + cell / 64] |= 1 << (cell % 64);
            }
        }
        let mut states = Some(states);
        sizes
            .into_iter()
            .enumerate()
            .map(|(of, size)| match Some(of as u32) == largest {
                true => (size, states.take()),
                false => (size, None),
            })
            .collect()
    }
}

/// The links between states of a set.
struct Within<'a> {
    linked: &'a Linked<'a>,
    set: &'a [u64],
}

impl Within<'_> {
    fn holds(&self, row: u32, cell: CellId) -> bool {
        holds(self.linked.row(self.set, row), cell)
    }
}

impl Links for Within<'_> {
    fn nodes(&self) -> u32 {
        (self.linked.rows * self.linked.cells) as u32
    }

    fn takes_part(&self, state: u32) -> bool {
        let cells = self.linked.cells as u32;
        self.holds(state / cells, CellId(state % cells))
    }

    fn next(&self, state: u32, cursor: u32) -> Option<(u32, u32)> {
        let cells = self.linked.cells as u32;
        let (row, cell) = (state / cells, CellId(state % cells));
        let mut leaving = self.linked.leaving(row as usize);
        let first = leaving.start;
        leaving.start += cursor;
        leaving
            .filter(|stencil| holds(self.linked.row(&self.linked.laid.starts, *stencil), cell))
            .find_map(|stencil| {
                let offset = self.linked.stencils.list[stencil as usize].offset;
                let end = self.linked.grid.shifted(cell, offset)?;
                let to = self.linked.ends[stencil as usize][1];
                let inside = self.holds(to, end);
                inside.then_some((to * cells + end.0, stencil + 1 - first))
            })
    }
}
