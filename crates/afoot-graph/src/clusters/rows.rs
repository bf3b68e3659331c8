//! Rows of numbers, eight side by side, and distances from one to many.
//!
//! Eight rows share a block in which each of their columns is one vector, so that a distance is a
//! sum over columns without a horizontal step. Sums run in the order of the columns and are never
//! fused: the same bits on every machine, and either way round.

use afoot_core::lanes::{Kernel, run_kernel};
use afoot_core::{LANES, Lanes};

/// Equally long rows of numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    width: usize,
    len: usize,
    /// `blocks[row / LANES * width + column].0[row % LANES]`; what is no row is infinitely far.
    blocks: Vec<Lanes>,
}

impl Rows {
    /// `len` rows of `width` numbers, one after the other.
    pub fn new(width: usize, values: &[f32]) -> Self {
        let len = values.len().checked_div(width).unwrap_or(0);
        assert_eq!(len * width, values.len(), "whole rows");
        let blocks = vec![Lanes::splat(f32::INFINITY); len.div_ceil(LANES) * width];
        let mut rows = Self { width, len, blocks };
        for (row, values) in values.chunks_exact(width.max(1)).enumerate() {
            rows.set(row, values);
        }
        rows
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Numbers a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// One row.
    pub fn row(&self, row: usize) -> Vec<f32> {
        let column = |column: usize| self.blocks[self.at(row) + column].0[row % LANES];
        (0..self.width).map(column).collect()
    }

    /// Replaces a row.
    pub fn set(&mut self, row: usize, values: &[f32]) {
        let at = self.at(row);
        for (block, value) in self.blocks[at..at + self.width].iter_mut().zip(values) {
            block.0[row % LANES] = *value;
        }
    }

    /// Puts a row infinitely far from all others.
    pub fn remove(&mut self, row: usize) {
        let at = self.at(row);
        let blocks = &mut self.blocks[at..at + self.width];
        blocks
            .iter_mut()
            .for_each(|block| block.0[row % LANES] = f32::INFINITY);
    }

    /// The squared distance of two rows.
    pub fn squared_distance(&self, a: usize, b: usize) -> f32 {
        let (a, b) = (self.row(a), self.row(b));
        let square = |(a, b): (&f32, &f32)| (a - b) * (a - b);
        a.iter()
            .zip(&b)
            .map(square)
            .fold(0.0, |sum, square| sum + square)
    }

    /// Squared distances of `query` from the rows of whole blocks that cover `rows`, into `out`, of
    /// which entry 0 belongs to the first row of the first block.
    pub fn squared_distances(
        &self,
        query: &[f32],
        rows: std::ops::Range<usize>,
        out: &mut Vec<f32>,
    ) {
        let blocks = rows.start / LANES..rows.end.div_ceil(LANES);
        out.clear();
        out.resize(blocks.len() * LANES, 0.0);
        run_kernel(Distances {
            query,
            blocks: &self.blocks[blocks.start * self.width..blocks.end * self.width],
            out,
        });
    }

    /// The same rows without those that `keep` says no to.
    pub fn retain(&self, keep: impl Fn(usize) -> bool) -> Self {
        let kept: Vec<f32> = (0..self.len)
            .filter(|row| keep(*row))
            .flat_map(|row| self.row(row))
            .collect();
        Self::new(self.width, &kept)
    }

    fn at(&self, row: usize) -> usize {
        row / LANES * self.width
    }
}

struct Distances<'a> {
    query: &'a [f32],
    blocks: &'a [Lanes],
    out: &'a mut [f32],
}

impl Kernel for Distances<'_> {
    #[inline(always)]
    fn run(self) {
        let blocks = self.blocks.chunks_exact(self.query.len());
        for (block, out) in blocks.zip(self.out.chunks_exact_mut(LANES)) {
            let mut sum = Lanes::splat(0.0);
            for (column, query) in block.iter().zip(self.query) {
                let difference = Lanes::splat(*query) - *column;
                sum = sum + difference * difference;
            }
            out.copy_from_slice(&sum.0);
        }
    }
}
