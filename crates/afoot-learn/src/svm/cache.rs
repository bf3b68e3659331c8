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
    source: Source<'a>,
    len: usize,
    padded: usize,
    kept: Vec<Option<Vec<f32>>>,
    /// When each was used last.
    used: Vec<u64>,
    clock: u64,
    count: usize,
    most: usize,
}

/// Where kernel rows come from.
enum Source<'a> {
    /// They are made of rows.
    Rows(Maker<'a>),
    /// They are some of those of a matrix that is there.
    Gram(&'a Gram, &'a [usize]),
}

/// Makes kernel rows.
struct Maker<'a> {
    kernel: &'a Kernel,
    rows: Rows<'a>,
    origin: Vec<f32>,
    packed: Packed<RIGHT>,
}

/// The whole kernel matrix of some rows.
pub(super) struct Gram {
    len: usize,
    values: Vec<f32>,
}

impl Gram {
    /// Makes all of it. Memory: 4 bytes a pair of rows.
    pub fn new(kernel: &Kernel, rows: Rows) -> Self {
        let maker = Maker::new(kernel, rows);
        let all: Vec<usize> = (0..rows.len()).collect();
        let batches: Vec<Vec<Vec<f32>>> = all.par_chunks(LEFT).map(|b| maker.make(b)).collect();
        let mut values = Vec::with_capacity(rows.len() * rows.len());
        let made = batches.iter().flatten();
        made.for_each(|row| values.extend_from_slice(&row[..rows.len()]));
        let len = rows.len();
        Self { len, values }
    }

    /// The kernel of one row with all.
    pub fn row(&self, row: usize) -> &[f32] {
        &self.values[row * self.len..][..self.len]
    }
}

impl<'a> KernelRows<'a> {
    /// Keeps at most `bytes` of rows, and at least a few.
    pub fn new(kernel: &'a Kernel, rows: Rows<'a>, bytes: usize) -> Self {
        Self::from(Source::Rows(Maker::new(kernel, rows)), rows.len(), bytes)
    }

    /// Those of a part of a matrix.
    pub fn of_gram(gram: &'a Gram, part: &'a [usize]) -> Self {
        Self::from(Source::Gram(gram, part), part.len(), usize::MAX)
    }

    fn from(source: Source<'a>, len: usize, bytes: usize) -> Self {
        let padded = len.next_multiple_of(RIGHT);
        Self {
            source,
            len,
            padded,
            kept: vec![None; len],
            used: vec![0; len],
            clock: 0,
            count: 0,
            most: (bytes / (4 * padded).max(1)).max(4 * LEFT),
        }
    }

    /// The length of a row: whole panels.
    pub fn padded(&self) -> usize {
        self.padded
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
        let made = match &self.source {
            Source::Rows(maker) => maker.make(batch),
            Source::Gram(gram, part) => batch
                .iter()
                .map(|row| {
                    let whole = gram.row(part[*row]);
                    part.iter().map(|column| whole[*column]).collect()
                })
                .collect(),
        };
        for (row, mut values) in batch.iter().zip(made) {
            values.truncate(self.len);
            values.resize(self.padded, 0.0);
            self.kept[*row] = Some(values);
            self.used[*row] = self.clock;
        }
        self.count += batch.len();
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

impl<'a> Maker<'a> {
    fn new(kernel: &'a Kernel, rows: Rows<'a>) -> Self {
        let origin = origin_of(rows);
        let packed = Packed::new(kernel, rows.iter(), &origin);
        Self {
            kernel,
            rows,
            origin,
            packed,
        }
    }

    /// The kernel of at most twelve rows with all.
    fn make(&self, batch: &[usize]) -> Vec<Vec<f32>> {
        let own = batch.iter().map(|row| self.rows.row(*row));
        let lefts = Packed::new(self.kernel, own, &self.origin);
        let parts = self.in_parts(&lefts);
        let whole = |(index, row): (usize, &usize)| {
            let mut values = Vec::with_capacity(self.packed.count() * RIGHT);
            for part in &parts {
                let tiles = part.chunks_exact(LEFT * RIGHT);
                tiles.for_each(|tile| values.extend_from_slice(&tile[index * RIGHT..][..RIGHT]));
            }
            values[*row] = 1.0;
            values
        };
        batch.iter().enumerate().map(whole).collect()
    }

    /// The tiles of the batch with all panels, in spans.
    fn in_parts(&self, lefts: &Packed<LEFT>) -> Vec<Vec<f32>> {
        let panels = self.packed.count();
        let of_span = |span: usize| {
            let mut tile = [[0.0; RIGHT]; LEFT];
            let mut out = Vec::with_capacity(SPAN * LEFT * RIGHT);
            for panel in span * SPAN..((span + 1) * SPAN).min(panels) {
                kernel_tile(self.kernel, lefts.at(0), self.packed.at(panel), &mut tile);
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
}
