//! Rows of numbers, eight side by side, and distances from one to many.
//!
//! Eight rows share a block in which each of their columns is one vector, so that a distance is a
//! sum over columns without a horizontal step. Sums run in the order of the columns and are never
//! fused: the same bits on every machine, and either way round. Where only near rows count, a block
//! is left as soon as all of its sums are too large, which columns that vary much, put first, make soon.

use std::ops::Range;

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
    pub fn squared_distances(&self, query: &[f32], rows: Range<usize>, out: &mut Vec<f32>) {
        let blocks = self.blocks_of(&rows);
        out.clear();
        out.resize(
            rows.end.div_ceil(LANES) * LANES - rows.start / LANES * LANES,
            0.0,
        );
        run_kernel(Distances { query, blocks, out });
    }

    /// The nearest of some rows, and its squared distance; the first of equals. `None` if all are
    /// infinitely far.
    pub fn nearest(&self, query: &[f32], rows: Range<usize>) -> Option<(usize, f32)> {
        let (mut at, mut best) = (usize::MAX, f32::INFINITY);
        let first = rows.start / LANES * LANES;
        run_kernel(Nearest {
            query,
            blocks: self.blocks_of(&rows),
            rows: rows.start - first..rows.end - first,
            at: &mut at,
            best: &mut best,
        });
        (best < f32::INFINITY).then(|| (at + first, best))
    }

    /// The first rows, before `end`, that are at most as far from `query` as `limits` says of each, with
    /// their squared distances, in order. There is a limit for every row of whole blocks.
    pub fn within(&self, query: &[f32], end: usize, limits: &[f32], found: &mut Vec<(usize, f32)>) {
        found.clear();
        run_kernel(Within {
            query,
            blocks: self.blocks_of(&(0..end)),
            end,
            limits,
            found,
        });
    }

    fn blocks_of(&self, rows: &Range<usize>) -> &[Lanes] {
        let blocks = rows.start / LANES..rows.end.div_ceil(LANES);
        &self.blocks[blocks.start * self.width..blocks.end * self.width]
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

/// Columns after which sums are looked at.
const STAGE: usize = 9;

/// The squared distances of a block's rows; `None` as soon as `far` says so of sums on the way.
#[inline(always)]
fn sums_unless(query: &[f32], block: &[Lanes], far: impl Fn(&Lanes) -> bool) -> Option<Lanes> {
    let mut sum = Lanes::splat(0.0);
    for (columns, values) in block.chunks(STAGE).zip(query.chunks(STAGE)) {
        for (column, query) in columns.iter().zip(values) {
            let difference = Lanes::splat(*query) - *column;
            sum = sum + difference * difference;
        }
        if far(&sum) {
            return None;
        }
    }
    Some(sum)
}

struct Nearest<'a> {
    query: &'a [f32],
    blocks: &'a [Lanes],
    /// Those that count, from the first block's first row on.
    rows: Range<usize>,
    at: &'a mut usize,
    best: &'a mut f32,
}

impl Kernel for Nearest<'_> {
    #[inline(always)]
    fn run(self) {
        let mut best = *self.best;
        for (block, values) in self.blocks.chunks_exact(self.query.len()).enumerate() {
            let far = |sum: &Lanes| sum.0.iter().all(|sum| *sum >= best);
            let Some(sums) = sums_unless(self.query, values, far) else {
                continue;
            };
            for (lane, sum) in sums.0.iter().enumerate() {
                let row = block * LANES + lane;
                if *sum < best && self.rows.contains(&row) {
                    (best, *self.at) = (*sum, row);
                }
            }
        }
        *self.best = best;
    }
}

struct Within<'a> {
    query: &'a [f32],
    blocks: &'a [Lanes],
    end: usize,
    limits: &'a [f32],
    found: &'a mut Vec<(usize, f32)>,
}

impl Kernel for Within<'_> {
    #[inline(always)]
    fn run(self) {
        let limits = self.limits.chunks_exact(LANES);
        let blocks = self.blocks.chunks_exact(self.query.len());
        for (block, (values, limits)) in blocks.zip(limits).enumerate() {
            let near = |(sum, limit): (&f32, &f32)| *sum <= *limit && *sum < f32::INFINITY;
            let far = |sum: &Lanes| !sum.0.iter().zip(limits).any(near);
            let Some(sums) = sums_unless(self.query, values, far) else {
                continue;
            };
            for (lane, pair) in sums.0.iter().zip(limits).enumerate() {
                let row = block * LANES + lane;
                if near(pair) && row < self.end {
                    self.found.push((row, *pair.0));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_rows_are_those_of_all_distances() {
        let mut seed = 5u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 29) as f32
        };
        for (len, width) in [(1, 1), (7, 3), (8, 9), (30, 20), (100, 2)] {
            let values: Vec<f32> = (0..len * width).map(|_| next()).collect();
            let mut rows = Rows::new(width, &values);
            rows.remove(len / 2);
            let query: Vec<f32> = (0..width).map(|_| next()).collect();
            let limits: Vec<f32> = (0..len.next_multiple_of(LANES))
                .map(|_| 9.0 * next())
                .collect();
            let (mut all, mut found) = (Vec::new(), Vec::new());
            rows.squared_distances(&query, 0..len, &mut all);
            rows.within(&query, len, &limits, &mut found);
            let near = |row: &usize| all[*row] <= limits[*row] && all[*row].is_finite();
            let expected = (0..len).filter(near).map(|row| (row, all[row]));
            assert_eq!(found, expected.collect::<Vec<_>>(), "{len} rows of {width}");
            for start in 0..len {
                let least = all[start..len].iter().copied().reduce(f32::min).unwrap();
                let first = (start..len).find(|row| all[*row] == least && least.is_finite());
                let expected = first.map(|row| (row, least));
                assert_eq!(rows.nearest(&query, start..len), expected, "from {start}");
            }
        }
    }
}
