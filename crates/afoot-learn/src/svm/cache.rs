//! Rows of the kernel matrix, made twelve at a time when they are needed and kept within a budget.
//!
//! The ones that were not used for longest make room. What is kept never changes a value: every one is
//! the same bits whenever and with whichever others it is made.

use rayon::prelude::*;

use super::kernel::{Kernel, Packed, kernel_tile, origin_of};
use crate::product::{LEFT, RIGHT};
use crate::rows::Rows;

/// Panels that one thread takes at a time.
const SPAN: usize = 16;
/// Below that many rows threads cost more than they bring.
const PARALLEL_FROM: usize = 2048;

/// The kernel of training rows with each other.
pub(super) struct KernelRows<'a> {
    kernel: &'a Kernel,
    rows: Rows<'a>,
    origin: Vec<f32>,
    packed: Packed<RIGHT>,
    kept: Vec<Option<Vec<f32>>>,
    /// When each was used last.
    used: Vec<u64>,
    clock: u64,
    count: usize,
    most: usize,
}

impl<'a> KernelRows<'a> {
    /// Keeps at most `bytes` of rows, and at least a few.
    pub fn new(kernel: &'a Kernel, rows: Rows<'a>, bytes: usize) -> Self {
        let origin = origin_of(rows);
        let packed = Packed::new(kernel, rows.iter(), &origin);
        let one = 4 * packed.count() * RIGHT;
        Self {
            kernel,
            rows,
            origin,
            kept: vec![None; rows.len()],
            used: vec![0; rows.len()],
            clock: 0,
            count: 0,
            most: (bytes / one.max(1)).max(4 * LEFT),
            packed,
        }
    }

    /// The length of a row: whole panels.
    pub fn padded(&self) -> usize {
        self.packed.count() * RIGHT
    }

    /// Makes sure that a row is there; `likely` names others that may be needed soon.
    pub fn need(&mut self, row: usize, likely: impl FnOnce() -> Vec<usize>) {
        self.clock += 1;
        self.used[row] = self.clock;
        if self.kept[row].is_some() {
            return;
        }
        let mut batch = vec![row];
        for other in likely() {
            let is_new = self.kept[other].is_none() && !batch.contains(&other);
            if is_new && batch.len() < LEFT {
                batch.push(other);
            }
        }
        self.make(&batch);
    }

    /// A row that was just needed.
    pub fn row(&self, row: usize) -> &[f32] {
        self.kept[row].as_deref().expect("needed before it is read")
    }

    fn make(&mut self, batch: &[usize]) {
        while self.count + batch.len() > self.most {
            self.drop_oldest(batch);
        }
        let lefts = Packed::new(
            self.kernel,
            batch.iter().map(|row| self.rows.row(*row)),
            &self.origin,
        );
        let parts = self.in_parts(&lefts);
        for (index, row) in batch.iter().enumerate() {
            let mut values = Vec::with_capacity(self.padded());
            for part in &parts {
                let tiles = part.chunks_exact(LEFT * RIGHT);
                tiles.for_each(|tile| values.extend_from_slice(&tile[index * RIGHT..][..RIGHT]));
            }
            values[*row] = 1.0;
            values[self.rows.len()..].fill(0.0);
            self.kept[*row] = Some(values);
            self.used[*row] = self.clock;
        }
        self.count += batch.len();
    }

    /// The tiles of the batch with all panels, in spans.
    fn in_parts(&self, lefts: &Packed<LEFT>) -> Vec<Vec<f32>> {
        let panels = self.packed.count();
        let of_span = |span: usize| {
            let mut tile = [[0.0; RIGHT]; LEFT];
            let mut out = Vec::with_capacity(SPAN * LEFT * RIGHT);
            for panel in span * SPAN..((span + 1) * SPAN).min(panels) {
                kernel_tile(self.kernel, (lefts, 0), (&self.packed, panel), &mut tile);
                out.extend_from_slice(tile.as_flattened());
            }
            out
        };
        let spans = 0..panels.div_ceil(SPAN);
        match self.rows.len() < PARALLEL_FROM {
            true => spans.map(of_span).collect(),
            false => spans.into_par_iter().map(of_span).collect(),
        }
    }

    /// Forgets the row that was not used for longest, none of the newest two among them.
    fn drop_oldest(&mut self, batch: &[usize]) {
        let kept = |row: &usize| self.kept[*row].is_some() && !batch.contains(row);
        let oldest = (0..self.kept.len())
            .filter(kept)
            .min_by_key(|row| self.used[*row])
            .expect("more are kept than a batch has");
        self.kept[oldest] = None;
        self.count -= 1;
    }
}
