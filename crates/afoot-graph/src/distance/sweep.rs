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
use super::kernel::{Lanes, Square, body_products, with_path_products};

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
    fn multiply(&mut self, span: Span, panel: usize) {
        let features = self.features;
        let (row_size, col_size) = (features.points * 3 * ROWS, features.points * 3 * COLS);
        let rows = &features.body_rows[(span.first_row_panel + panel) * row_size..][..row_size];
        let ring = panel % (self.reach + 1) * ROWS * self.stride;
        let first = self.first_panel(span, panel);
        for col in first..self.panels.end {
            let cols = &features.body_cols[col * col_size..][..col_size];
            let squares = body_products(rows, cols);
            let at = ring + (col - self.panels.start + 1) * COLS;
            for (products, square) in self.products.iter_mut().zip(&squares) {
                for (row, lanes) in square.iter().enumerate() {
                    store(products, at + row * self.stride, lanes);
                }
            }
        }
    }

    /// Sums the products over the windows of a panel of rows and turns them into errors.
    #[inline(always)]
    fn sum(&mut self, span: Span, panel: usize) {
        let first = self.first_panel(span, panel);
        self.sum_diagonals(span, panel, first);
        self.join(span, panel, first);
    }

    /// Sums along the diagonals: row r of a square is for columns r further right.
    #[inline(always)]
    fn sum_diagonals(&mut self, span: Span, panel: usize, first: usize) {
        let (features, stride, window) = (self.features, self.stride, self.features.window());
        let ring_rows = (self.reach + 1) * ROWS;
        let norms = &features.norm_rows[(span.first_row_panel + panel) * ROWS..][..ROWS];
        for col in first..=self.window_panels.end {
            let at = (col - self.panels.start) * COLS;
            let squares: [Square; 3] = std::array::from_fn(|which| {
                let products = &self.products[which][..];
                let load = |step: usize| {
                    let row = (panel * ROWS + step) % ring_rows;
                    load(products, row * stride + at + step)
                };
                match &self.taper {
                    Some(weights) => weighted_sums(load, weights),
                    None => window_sums(load, window),
                }
            });
            for row in 0..ROWS {
                let at = row * stride + at + row;
                store(&mut self.sums[0], at, &squares[0][row]);
                store(&mut self.sums[1], at, &squares[1][row]);
                let base = squares[2][row].map(|height| (-2.0f32).mul_add(height, norms[row]));
                store(&mut self.sums[2], at, &base);
            }
        }
    }

    /// Adds the paths and takes the minimum over the turn.
    #[inline(always)]
    fn join(&mut self, span: Span, panel: usize, first: usize) {
        let (features, stride) = (self.features, self.stride);
        let (row_size, col_size) = (features.window() * 2 * ROWS, features.window() * 2 * COLS);
        let rows = &features.path_rows[(span.first_row_panel + panel) * row_size..][..row_size];
        for col in first..self.window_panels.end {
            let at = (col - self.panels.start + 1) * COLS;
            let body = [0, 1].map(|which| {
                let sums = &self.sums[which][..];
                std::array::from_fn(|row| load(sums, row * stride + at))
            });
            let cols = &features.path_cols[col * col_size..][..col_size];
            let [dot, cross] = with_path_products(rows, cols, body);
            let norms = load(&features.norm_cols, col * COLS);
            for row in 0..ROWS {
                let base = load(&self.sums[2], row * stride + at);
                let error = errors(&base, &norms, &dot[row], &cross[row]);
                store(&mut self.errors, (KEPT + row) * stride + at, &error);
            }
        }
    }

    /// The first panel of columns that is not left of these rows' own frames.
    #[inline(always)]
    fn first_panel(&self, span: Span, panel: usize) -> usize {
        ((span.first_col + panel * ROWS) / COLS).clamp(self.panels.start, self.panels.end)
    }
}

enum Step {
    Multiply,
    Sum,
}

/// Runs a step in the widest instructions that the machine has.
fn run(sweep: &mut Sweep<'_>, step: Step, span: Span, panel: usize) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        #[allow(unsafe_code)]
        // SAFETY: the two features that the function is compiled for were just detected.
        return unsafe { run_avx2(sweep, step, span, panel) };
    }
    run_step(sweep, step, span, panel);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_avx2(sweep: &mut Sweep<'_>, step: Step, span: Span, panel: usize) {
    run_step(sweep, step, span, panel);
}

#[inline(always)]
fn run_step(sweep: &mut Sweep<'_>, step: Step, span: Span, panel: usize) {
    match step {
        Step::Multiply => sweep.multiply(span, panel),
        Step::Sum => sweep.sum(span, panel),
    }
}

/// Sums of `window` consecutive vectors, starting at each of the first `ROWS`.
#[inline(always)]
fn window_sums(load: impl Fn(usize) -> Lanes, window: usize) -> Square {
    if window < ROWS {
        return std::array::from_fn(|row| {
            (row + 1..row + window).fold(load(row), |sum, step| add(&sum, &load(step)))
        });
    }
    // The vectors that all sums share, then one more on the left and on the right for each row.
    let mut sums = [[0.0; COLS]; ROWS];
    let shared = (ROWS..window).fold(load(ROWS - 1), |sum, step| add(&sum, &load(step)));
    sums[ROWS - 1] = shared;
    for row in (0..ROWS - 1).rev() {
        sums[row] = add(&sums[row + 1], &load(row));
    }
    let mut right = load(window);
    sums[1] = add(&sums[1], &right);
    for row in 2..ROWS {
        right = add(&right, &load(window + row - 1));
        sums[row] = add(&sums[row], &right);
    }
    sums
}

#[inline(always)]
fn weighted_sums(load: impl Fn(usize) -> Lanes, weights: &[f32]) -> Square {
    let mut sums = [[0.0; COLS]; ROWS];
    for (row, sum) in sums.iter_mut().enumerate() {
        for (step, weight) in weights.iter().enumerate() {
            let value = load(row + step);
            *sum = std::array::from_fn(|lane| weight.mul_add(value[lane], sum[lane]));
        }
    }
    sums
}

#[inline(always)]
fn errors(base: &Lanes, norms: &Lanes, dot: &Lanes, cross: &Lanes) -> Lanes {
    std::array::from_fn(|lane| {
        let (c, s) = (dot[lane], cross[lane]);
        let aligned = c.mul_add(c, s * s).sqrt();
        let error = (-2.0f32).mul_add(aligned, base[lane] + norms[lane]);
        if error > FLOOR { error } else { FLOOR }
    })
}

#[inline(always)]
fn add(a: &Lanes, b: &Lanes) -> Lanes {
    std::array::from_fn(|lane| a[lane] + b[lane])
}

#[inline(always)]
fn load(from: &[f32], at: usize) -> Lanes {
    let mut lanes = [0.0; COLS];
    lanes.copy_from_slice(&from[at..at + COLS]);
    lanes
}

#[inline(always)]
fn store(to: &mut [f32], at: usize, lanes: &Lanes) {
    to[at..at + COLS].copy_from_slice(lanes);
}
