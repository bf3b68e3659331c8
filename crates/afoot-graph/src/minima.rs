//! Local minima of the transition error: the candidates for transitions (Kovar et al. 2002, §3.1).
//!
//! A pair of windows is a candidate if its error is at most the ceiling and none of the eight
//! neighbours within the same two clips is better. Equal errors are ordered by the windows'
//! starts modulo the window, so a flat valley (a motion that repeats exactly, a figure that stands
//! still) gives one candidate every window instead of none or all. A clip against itself is
//! searched above the diagonal, from one window away on; nearer pairs are compared with, because
//! leaving them out would make minima of their neighbours. Rows come and go: three are looked at.

use std::ops::Range;

use crate::distance::{Block, Features, RowSink, Rows, sweep};

/// A pair of similar windows, by their first frames; the pair serves both directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The earlier clip of the library.
    pub a: u32,
    /// The later clip, or the same.
    pub b: u32,
    /// First frame of the window in `a`.
    pub i: u32,
    /// First frame of the window in `b`.
    pub s: u32,
    /// Root mean square distance of corresponding points. [cm]
    pub error_cm: f32,
}

impl Candidate {
    /// What candidates are sorted by.
    pub fn key(&self) -> [u32; 4] {
        [self.a, self.b, self.i, self.s]
    }
}

/// The candidates of a block of clips against a range of columns, in no order to rely on.
pub fn find_minima(features: &Features, block: &Block, ceiling_cm: f32) -> Vec<Candidate> {
    let total = features.total_frames();
    let with_halo = block.cols.start.saturating_sub(1)..(block.cols.end + 1).min(total);
    let cols = block.cols.clone();
    let overlaps = |clip: &usize| {
        let own = features.cols(*clip);
        own.start < cols.end && cols.start < own.end
    };
    let first = (0..features.clips()).find(overlaps).unwrap_or(0);
    let mut search = Search {
        features,
        first_clip: first,
        inner: block.cols.clone(),
        window: features.window(),
        ceiling: ceiling_cm * ceiling_cm,
        found: Vec::new(),
    };
    sweep(
        features,
        &Block {
            clips: block.clips.clone(),
            cols: with_halo,
        },
        &mut search,
    );
    search.found
}

struct Search<'a> {
    features: &'a Features,
    /// The first clip with columns in `inner`.
    first_clip: usize,
    inner: Range<usize>,
    window: usize,
    /// [cm²]
    ceiling: f32,
    found: Vec<Candidate>,
}

impl RowSink for Search<'_> {
    fn rows(&mut self, rows: &Rows<'_>) {
        let first = rows.first.saturating_sub(1);
        for frame in first..rows.first + rows.count - 1 {
            let around = [-1, 0, 1].map(|step| rows.row(frame as isize + step));
            self.search_row(rows.clip, frame, around, rows.cols.start);
        }
    }
}

impl Search<'_> {
    /// Searches the middle one of three rows.
    fn search_row(&mut self, a: usize, i: usize, around: [&[f32]; 3], first_col: usize) {
        for b in a.max(self.first_clip)..self.features.clips() {
            let cols = self.features.cols(b);
            if cols.start >= self.inner.end {
                break;
            }
            let nearest = if a == b {
                cols.start + i + self.window
            } else {
                cols.start
            };
            let range = nearest.max(self.inner.start)..cols.end.min(self.inner.end);
            let mut at = range.start;
            while let Some(col) = next_below(around[1], at..range.end, first_col, self.ceiling) {
                let s = col - cols.start;
                if self.is_minimum(around, col - first_col, i, s) {
                    let error_cm = around[1][col - first_col].sqrt();
                    let [a, b, i, s] = [a, b, i, s].map(|index| index as u32);
                    self.found.push(Candidate {
                        a,
                        b,
                        i,
                        s,
                        error_cm,
                    });
                }
                at = col + 1;
            }
        }
    }

    fn is_minimum(&self, around: [&[f32]; 3], at: usize, i: usize, s: usize) -> bool {
        let value = around[1][at];
        let rank = |di: usize, ds: usize| {
            (
                (i + self.window + di - 1) % self.window,
                (s + self.window + ds - 1) % self.window,
            )
        };
        let beaten_by = |(di, ds): (usize, usize)| {
            let neighbour = (at + ds).checked_sub(1).and_then(|at| around[di].get(at));
            neighbour
                .is_some_and(|&other| other < value || other == value && rank(di, ds) < rank(1, 1))
        };
        let mut neighbours = (0..9).filter(|n| *n != 4).map(|n| (n / 3, n % 3));
        !neighbours.any(beaten_by)
    }
}

/// The first column in `range` whose value is at most `ceiling`.
fn next_below(row: &[f32], range: Range<usize>, first_col: usize, ceiling: f32) -> Option<usize> {
    if range.is_empty() {
        return None;
    }
    let values = &row[range.start - first_col..range.end - first_col];
    let mut skipped = 0;
    for chunk in values.chunks(16) {
        if chunk
            .iter()
            .fold(false, |any, value| any | (*value <= ceiling))
        {
            let inside = chunk.iter().position(|value| *value <= ceiling)?;
            return Some(range.start + skipped + inside);
        }
        skipped += chunk.len();
    }
    None
}
