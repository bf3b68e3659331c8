//! Errors of all window pairs of a block, row by row, without ever holding the block.
//!
//! With both windows described as in `features`, the squared error of Kovar et al. 2002, eq. 1, at
//! its minimum over turn and shift is
//!     |i|² + |s|² − 2·H − 2·√(C² + S²)
//! where H sums y·y', C sums x·x' + z·z' and S sums x·z' − z·x' over the window's frames and points
//! (eq. 2 is tan θ = S / C). Products of frames are kept for as many rows as a window needs, summed
//! along diagonals, and joined with the products of the paths. The value of a pair depends on its
//! two clips alone, not on the block, the thread or the other clips.
//! Only pairs whose column is not left of the row's own frame are meaningful: the rest mirrors them.

use std::ops::Range;

use super::features::{COLS, Features, ROWS, Span};
use super::kernel::{body_products, errors, path_products, weighted_sums, window_sums};
#[cfg(target_arch = "x86_64")]
use super::lanes::Avx2;
use super::lanes::{Machine, Portable};

/// Errors below this are one plateau: 0.05 cm, less than f32 and the capture can tell apart. [cm²]
const FLOOR: f32 = 0.05 * 0.05;

/// Rows of an earlier panel that a sink may still look at.
const KEPT: usize = 2;

/// What to compare: some clips' windows as rows, some columns (windows of all clips in a row).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The clips whose windows are the rows.
    pub clips: Range<usize>,
    /// The columns; column `c` is the window that starts at the c-th frame of all clips.
    pub cols: Range<usize>,
}

/// Takes the errors as they are made.
pub trait RowSink {
    /// Some rows; the last call for each clip brings a row beyond its last window.
    fn rows(&mut self, rows: &Rows<'_>);
}

/// Squared errors of some consecutive rows of one clip. [cm²; infinite where no window is]
pub struct Rows<'a> {
    /// The clip whose windows these rows are.
    pub clip: usize,
    /// The first new row: a window's first frame.
    pub first: usize,
    /// How many new rows there are.
    pub count: usize,
    /// The block's columns.
    pub cols: Range<usize>,
    values: &'a [f32],
    stride: usize,
    left: usize,
}

impl Rows<'_> {
    /// The row of the window that starts at `frame`, from two before `first` to the last new one.
    pub fn row(&self, frame: isize) -> &[f32] {
        let index = (frame - self.first as isize + KEPT as isize) as usize;
        &self.values[index * self.stride + self.left..][..self.cols.len()]
    }
}

/// Compares a block and hands the rows to `sink`, clip by clip from its first window on.
pub fn sweep(features: &Features, block: &Block, sink: &mut impl RowSink) {
    if block.cols.is_empty() {
        return;
    }
    let mut sweep = Sweep::new(features, block);
    for clip in block.clips.clone() {
        sweep.clip(clip, sink);
    }
}

/// Multiply-adds of the products for all pairs of frames and windows of a library, each pair once.
///
/// Per pair of frames five for each point (the three products of body points), per pair of windows
/// four for each frame of the window (the path). Sums over windows and the rest are not counted.
pub fn multiply_adds(features: &Features) -> f64 {
    let frames: usize = features.spans.iter().map(|span| span.frames).sum();
    let pairs = frames as f64 * (frames as f64 + 1.0) / 2.0;
    pairs * (5 * features.points + 4 * features.window()) as f64
}

/// Scratch space of one block.
struct Sweep<'a> {
    features: &'a Features,
    cols: Range<usize>,
    panels: Range<usize>,
    /// Panels whose windows are wanted; the last ones in `panels` only complete them.
    window_panels: Range<usize>,
    /// Panels of rows that a window's sums reach ahead.
    reach: usize,
    stride: usize,
    /// Products of the last `reach + 1` panels of rows: dot, cross, height.
    products: [Vec<f32>; 3],
    /// Sums over windows for one panel of rows: dot, cross, and the norms less twice the height.
    sums: [Vec<f32>; 3],
    errors: Vec<f32>,
    taper: Option<Vec<f32>>,
    /// Where each step of a diagonal starts in `products`.
    diagonal: Vec<usize>,
}

impl<'a> Sweep<'a> {
    fn new(features: &'a Features, block: &Block) -> Self {
        let window = features.window();
        let total = features.norm_cols.len() / COLS;
        let panels =
            block.cols.start / COLS..(block.cols.end + window - 1).div_ceil(COLS).min(total);
        let reach = (ROWS + window - 2) / ROWS;
        // A panel of slack on the left for diagonals that enter there, on the right for loads.
        let stride = (panels.len() + 2) * COLS + window.next_multiple_of(COLS);
        let rows = (reach + 1) * ROWS;
        Self {
            features,
            cols: block.cols.clone(),
            window_panels: panels.start..block.cols.end.div_ceil(COLS).min(total),
            panels,
            reach,
            stride,
            products: std::array::from_fn(|_| vec![0.0; rows * stride]),
            sums: std::array::from_fn(|_| vec![0.0; ROWS * stride]),
            errors: vec![f32::INFINITY; (KEPT + ROWS) * stride],
            taper: features.shape.relative(),
            diagonal: vec![0; ROWS + window - 1],
        }
    }

    fn clip(&mut self, clip: usize, sink: &mut impl RowSink) {
        let span = self.features.spans[clip];
        let window = self.features.window();
        if span.frames < window || span.first_col >= self.cols.end {
            return;
        }
        self.errors.fill(f32::INFINITY);
        // One row past the last window, so that every window has a row after it.
        let rows = span.frames - window + 2;
        let row_panels = rows.div_ceil(ROWS);
        for panel in 0..row_panels + self.reach {
            if panel < span.row_panels() {
                run(self, Step::Multiply, span, panel);
            }
            let Some(done) = panel.checked_sub(self.reach) else {
                continue;
            };
            if span.first_col + done * ROWS >= self.cols.end {
                return self.close(clip, done * ROWS, sink);
            }
            self.errors.copy_within(ROWS * self.stride.., 0);
            run(self, Step::Sum, span, done);
            let count = ROWS.min(rows - done * ROWS);
            sink.rows(&self.rows(clip, done * ROWS, count));
        }
    }

    /// Ends a clip whose further rows lie left of their own column.
    fn close(&mut self, clip: usize, first: usize, sink: &mut impl RowSink) {
        self.errors.copy_within(ROWS * self.stride.., 0);
        self.errors[KEPT * self.stride..].fill(f32::INFINITY);
        sink.rows(&self.rows(clip, first, 1));
    }

    fn rows(&self, clip: usize, first: usize, count: usize) -> Rows<'_> {
        let left = COLS + self.cols.start - self.panels.start * COLS;
        let cols = self.cols.clone();
        Rows {
            clip,
            first,
            count,
            cols,
            values: &self.errors,
            stride: self.stride,
            left,
        }
    }

    /// Multiplies a panel of rows with all panels of columns.
    #[inline(always)]
    fn multiply<M: Machine>(&mut self, m: M, span: Span, panel: usize) {
        let features = self.features;
        let (row_size, col_size) = (features.points * 3 * ROWS, features.points * 3 * COLS);
        let rows = &features.body_rows[(span.first_row_panel + panel) * row_size..][..row_size];
        let ring = panel % (self.reach + 1) * ROWS * self.stride;
        for col in self.first_panel(span, panel)..self.panels.end {
            let cols = &features.body_cols[col * col_size..][..col_size];
            let squares = body_products(m, rows, cols);
            let at = ring + (col - self.panels.start + 1) * COLS;
            for (products, square) in self.products.iter_mut().zip(squares) {
                for (row, lanes) in square.into_iter().enumerate() {
                    m.store(products, at + row * self.stride, lanes);
                }
            }
        }
    }

    /// Sums the products over the windows of a panel of rows and turns them into errors.
    #[inline(always)]
    fn sum<M: Machine>(&mut self, m: M, span: Span, panel: usize) {
        let first = self.first_panel(span, panel);
        self.sum_diagonals(m, span, panel, first);
        self.join(m, span, panel, first);
    }

    /// Sums along the diagonals: row r of a square is for columns r further right.
    #[inline(always)]
    fn sum_diagonals<M: Machine>(&mut self, m: M, span: Span, panel: usize, first: usize) {
        let (stride, window) = (self.stride, self.features.window());
        for (step, start) in self.diagonal.iter_mut().enumerate() {
            *start = (panel * ROWS + step) % ((self.reach + 1) * ROWS) * stride + step;
        }
        let norms = &self.features.norm_rows[(span.first_row_panel + panel) * ROWS..][..ROWS];
        for col in first..=self.window_panels.end {
            let at = (col - self.panels.start) * COLS;
            for which in 0..3 {
                let load = |step: usize| m.load(&self.products[which], self.diagonal[step] + at);
                let square = match &self.taper {
                    Some(weights) => weighted_sums(m, weights, load),
                    None => window_sums(m, window, load),
                };
                for (row, mut sum) in square.into_iter().enumerate() {
                    if which == 2 {
                        sum = m.mul_add(m.splat(-2.0), sum, m.splat(norms[row]));
                    }
                    m.store(&mut self.sums[which], row * stride + at + row, sum);
                }
            }
        }
    }

    /// Adds the paths and takes the minimum over the turn.
    #[inline(always)]
    fn join<M: Machine>(&mut self, m: M, span: Span, panel: usize, first: usize) {
        let (features, stride) = (self.features, self.stride);
        let (row_size, col_size) = (features.window() * 2 * ROWS, features.window() * 2 * COLS);
        let rows = &features.path_rows[(span.first_row_panel + panel) * row_size..][..row_size];
        for col in first..self.window_panels.end {
            let at = (col - self.panels.start + 1) * COLS;
            let cols = &features.path_cols[col * col_size..][..col_size];
            let [dot, cross] = path_products(m, rows, cols);
            let norms = m.load(&features.norm_cols, col * COLS);
            for row in 0..ROWS {
                let from = row * stride + at;
                let dot = m.add(dot[row], m.load(&self.sums[0], from));
                let cross = m.add(cross[row], m.load(&self.sums[1], from));
                let base = m.add(norms, m.load(&self.sums[2], from));
                let error = errors(m, base, [dot, cross], FLOOR);
                m.store(&mut self.errors, (KEPT + row) * stride + at, error);
            }
        }
    }

    /// The first panel of columns that is not left of these rows' own frames.
    #[inline(always)]
    fn first_panel(&self, span: Span, panel: usize) -> usize {
        ((span.first_col + panel * ROWS) / COLS).clamp(self.panels.start, self.panels.end)
    }
}

#[derive(Clone, Copy)]
enum Step {
    Multiply,
    Sum,
}

/// Runs a step in the widest instructions that the machine has.
fn run(sweep: &mut Sweep<'_>, step: Step, span: Span, panel: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(machine) = Avx2::detect() {
        #[allow(unsafe_code)]
        // SAFETY: the two features that the function is compiled for were just detected.
        return unsafe { run_avx2(machine, sweep, step, span, panel) };
    }
    run_on(Portable, sweep, step, span, panel);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_avx2(machine: Avx2, sweep: &mut Sweep<'_>, step: Step, span: Span, panel: usize) {
    run_on(machine, sweep, step, span, panel);
}

#[inline(always)]
fn run_on<M: Machine>(m: M, sweep: &mut Sweep<'_>, step: Step, span: Span, panel: usize) {
    match step {
        Step::Multiply => sweep.multiply(m, span, panel),
        Step::Sum => sweep.sum(m, span, panel),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn every_machine_gives_the_same_bytes() {
        let Some(avx2) = Avx2::detect() else {
            afoot_fixtures::note_skip("no AVX2 here");
            return;
        };
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 22) as f32 - 2.0
        };
        let rows: Vec<f32> = (0..19 * 3 * ROWS).map(|_| random()).collect();
        let cols: Vec<f32> = (0..19 * 3 * COLS).map(|_| random()).collect();
        let bytes = |m: &dyn Fn(&mut Vec<f32>)| {
            let mut out = vec![0.0f32; 0];
            m(&mut out);
            out.iter()
                .map(|value| value.to_bits())
                .collect::<Vec<u32>>()
        };
        assert_eq!(
            bytes(&|out| block(avx2, &rows, &cols, out)),
            bytes(&|out| block(Portable, &rows, &cols, out))
        );
    }

    /// Products, sums and errors of one block.
    fn block<M: Machine>(m: M, rows: &[f32], cols: &[f32], out: &mut Vec<f32>) {
        let body = body_products(m, rows, cols);
        let path = path_products(m, rows, cols);
        let mut lanes = [0.0; COLS];
        for (square, other) in body.iter().zip(path.iter().cycle()) {
            let load = |step: usize| [square, other][step / ROWS % 2][step % ROWS];
            let sums = window_sums(m, 5, load);
            let weighted = weighted_sums(m, &[0.5, 1.5, 1.0], load);
            for row in 0..ROWS {
                let error = errors(m, sums[row], [weighted[row], square[row]], FLOOR);
                for value in [sums[row], weighted[row], error] {
                    m.store(&mut lanes, 0, value);
                    out.extend(lanes);
                }
            }
        }
    }
}
