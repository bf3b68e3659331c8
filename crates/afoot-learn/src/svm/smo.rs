//! The dual problem of a support vector machine by sequential minimal optimisation (Platt 1998), with
//! the pair that promises most by second order (Fan, Chen, Lin 2005).
//!
//! With β = y·α the constraints are bounds (0..C for examples, −C..0 for counter-examples) and Σβ = 0;
//! `error` is y − Σβ·k, which the bias completes: at the end it lies between all β that may still
//! grow and all that may still shrink, to `tolerance`. Each step moves one pair along Σβ = 0.
//! No shrinking: rows are kept, and passes over them are wide. Cost: rows a step.

use std::sync::atomic::{AtomicBool, Ordering};

use super::cache::KernelRows;
use crate::product::{LEFT, Wide, run_wide};

/// Numbers that share a maximum.
const BLOCK: usize = 64;
/// The least curvature of a pair: equal rows have none.
const LEAST_CURVATURE: f32 = 1e-9;
/// Steps between two looks at the flag.
const LOOK_EVERY: u64 = 256;

/// What is to be solved.
pub(super) struct Dual<'a> {
    /// Whether each row is an example.
    pub labels: &'a [bool],
    /// The most that |β| of each may be.
    pub costs: &'a [f32],
    /// β to begin with, feasible.
    pub start: Vec<f64>,
    pub tolerance: f64,
    pub most_steps: u64,
    pub cancel: Option<&'a AtomicBool>,
}

/// What was found.
pub(super) struct Solution {
    pub beta: Vec<f64>,
    pub bias: f64,
    pub steps: u64,
    pub converged: bool,
}

/// The problem between two steps; arrays are padded to whole blocks.
struct Smo<'a, 'k> {
    kernel: KernelRows<'k>,
    dual: Dual<'a>,
    beta: Vec<f64>,
    error: Vec<f64>,
    /// 0 where β may grow, else −∞.
    grow: Vec<f64>,
    /// 0 where β may shrink, else ∞.
    shrink: Vec<f64>,
    peaks: Vec<f64>,
    gains: Vec<f32>,
}

/// Solves the dual.
pub(super) fn solve(kernel: KernelRows, dual: Dual) -> Solution {
    let mut smo = Smo::new(kernel, dual);
    let mut steps = 0;
    let converged = loop {
        let (first, most) = smo.most_wanting();
        let least = smo.least_wanting();
        if most - least < smo.dual.tolerance {
            break true;
        }
        let stopped = smo.dual.cancel.is_some_and(|f| f.load(Ordering::Relaxed));
        if steps >= smo.dual.most_steps || (steps.is_multiple_of(LOOK_EVERY) && stopped) {
            break false;
        }
        smo.need(first);
        let second = smo.best_partner(first, most);
        smo.need(second);
        smo.step(first, second);
        steps += 1;
    };
    let bias = smo.bias();
    smo.beta.truncate(smo.dual.labels.len());
    Solution {
        beta: smo.beta,
        bias,
        steps,
        converged,
    }
}

impl<'a, 'k> Smo<'a, 'k> {
    fn new(kernel: KernelRows<'k>, dual: Dual<'a>) -> Self {
        let padded = kernel.padded().next_multiple_of(BLOCK);
        let mut smo = Self {
            kernel,
            beta: dual.start.clone(),
            error: vec![0.0; padded],
            grow: vec![f64::NEG_INFINITY; padded],
            shrink: vec![f64::INFINITY; padded],
            peaks: vec![0.0; padded / BLOCK],
            gains: vec![0.0; padded / BLOCK],
            dual,
        };
        for (error, label) in smo.error.iter_mut().zip(smo.dual.labels) {
            *error = if *label { 1.0 } else { -1.0 };
        }
        let active: Vec<usize> = (0..smo.beta.len())
            .filter(|k| smo.beta[*k] != 0.0)
            .collect();
        for (at, row) in active.iter().enumerate() {
            smo.kernel.need(*row, || active[at..].to_vec());
            let by = -smo.beta[*row];
            run_wide(AddRow {
                error: &mut smo.error,
                row: smo.kernel.row(*row),
                by,
            });
        }
        smo.beta.resize(padded, 0.0);
        (0..smo.dual.labels.len()).for_each(|k| smo.open(k));
        smo
    }

    /// The bounds of β.
    fn bounds(&self, k: usize) -> [f64; 2] {
        let cost = f64::from(self.dual.costs[k]);
        match self.dual.labels[k] {
            true => [0.0, cost],
            false => [-cost, 0.0],
        }
    }

    /// Notes which ways β may go.
    fn open(&mut self, k: usize) {
        let [low, high] = self.bounds(k);
        self.grow[k] = if self.beta[k] < high {
            0.0
        } else {
            f64::NEG_INFINITY
        };
        self.shrink[k] = if self.beta[k] > low {
            0.0
        } else {
            f64::INFINITY
        };
    }

    /// The row with the largest error of those that may grow.
    fn most_wanting(&mut self) -> (usize, f64) {
        let Self {
            error, grow, peaks, ..
        } = self;
        run_wide(Peaks {
            error,
            add: grow,
            peaks,
        });
        let block = first_max(peaks.iter().copied());
        let own = (block * BLOCK..(block + 1) * BLOCK).map(|k| error[k] + grow[k]);
        (block * BLOCK + first_max(own), peaks[block])
    }

    /// The least error of those that may shrink.
    fn least_wanting(&self) -> f64 {
        let Self { error, shrink, .. } = self;
        run_wide(Least { error, add: shrink })
    }

    /// The row whose pair with `first` lowers the objective most, by its slope and curvature.
    fn best_partner(&mut self, first: usize, most: f64) -> usize {
        let Self {
            error,
            shrink,
            gains,
            kernel,
            ..
        } = self;
        let gain = Gains {
            error,
            add: shrink,
            row: kernel.row(first),
            most,
            gains,
        };
        let whole = run_wide(gain);
        let block = first_max(whole.iter().map(|gain| f64::from(*gain)));
        let row = kernel.row(first);
        let one = |k: usize| {
            let value = row.get(k).copied().unwrap_or(0.0);
            f64::from(gain_of(most, error[k] + shrink[k], value))
        };
        block * BLOCK + first_max((block * BLOCK..(block + 1) * BLOCK).map(one))
    }

    /// Moves a pair as far as is best and allowed.
    fn step(&mut self, first: usize, second: usize) {
        let between = self.kernel.row(first)[second];
        let curvature = f64::from((2.0 - 2.0 * between).max(LEAST_CURVATURE));
        let wanted = (self.error[first] - self.error[second]) / curvature;
        let (room, rest) = (
            self.bounds(first)[1] - self.beta[first],
            self.beta[second] - self.bounds(second)[0],
        );
        let by = wanted.min(room).min(rest);
        // At a bound exactly, so that it is seen to be there.
        self.beta[first] = if by == room {
            self.bounds(first)[1]
        } else {
            self.beta[first] + by
        };
        self.beta[second] = if by == rest {
            self.bounds(second)[0]
        } else {
            self.beta[second] - by
        };
        self.open(first);
        self.open(second);
        run_wide(Move {
            error: &mut self.error,
            rows: [self.kernel.row(first), self.kernel.row(second)],
            by,
        });
    }

    /// Has the kernel row of `row`, and of those that are likely to be chosen next.
    fn need(&mut self, row: usize) {
        let Self {
            kernel,
            error,
            grow,
            shrink,
            ..
        } = self;
        kernel.need(row, || likely_next(error, grow, shrink));
    }

    /// The middle of the errors of rows that may go both ways, else of what bounds them.
    fn bias(&mut self) -> f64 {
        let is_free = |k: &usize| self.grow[*k] == 0.0 && self.shrink[*k] == 0.0;
        let free: Vec<f64> = (0..self.dual.labels.len())
            .filter(is_free)
            .map(|k| self.error[k])
            .collect();
        if !free.is_empty() {
            return free.iter().sum::<f64>() / free.len() as f64;
        }
        let (_, most) = self.most_wanting();
        let least = self.least_wanting();
        match most.is_finite() && least.is_finite() {
            true => 0.5 * (most + least),
            false => {
                if most.is_finite() {
                    most
                } else {
                    least
                }
            }
        }
    }
}

/// Half a panel of the largest errors that may grow, and half of the least that may shrink.
fn likely_next(error: &[f64], grow: &[f64], shrink: &[f64]) -> Vec<usize> {
    let half = LEFT / 2;
    let mut all: Vec<usize> = (0..error.len()).filter(|k| grow[*k] == 0.0).collect();
    let mut chosen = Vec::new();
    let mut take = |all: &mut Vec<usize>, by: &dyn Fn(&usize) -> f64| {
        let least = |a: &usize, b: &usize| by(a).total_cmp(&by(b)).then(a.cmp(b));
        if all.len() > half {
            all.select_nth_unstable_by(half, least);
            all.truncate(half);
        }
        all.sort_by(least);
        chosen.append(all);
    };
    take(&mut all, &|k| -error[*k]);
    all = (0..error.len()).filter(|k| shrink[*k] == 0.0).collect();
    take(&mut all, &|k| error[*k]);
    chosen
}

/// The index of the first of the largest.
fn first_max(values: impl Iterator<Item = f64>) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (index, value) in values.enumerate() {
        if value > best.1 {
            best = (index, value);
        }
    }
    best.0
}

/// What a pair lowers the objective by, twice.
#[inline(always)]
fn gain_of(most: f64, other: f64, kernel: f32) -> f32 {
    let slope = (most - other) as f32;
    let slope = if slope > 0.0 { slope } else { 0.0 };
    let curvature = 2.0 - 2.0 * kernel;
    let curvature = if curvature > LEAST_CURVATURE {
        curvature
    } else {
        LEAST_CURVATURE
    };
    slope * slope / curvature
}

/// Adds a multiple of a kernel row to the errors.
struct AddRow<'a> {
    error: &'a mut [f64],
    row: &'a [f32],
    by: f64,
}

impl Wide for AddRow<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for (error, value) in self.error.iter_mut().zip(self.row) {
            *error = self.by.mul_add(f64::from(*value), *error);
        }
    }
}

/// The largest sum in each block.
struct Peaks<'a> {
    error: &'a [f64],
    add: &'a [f64],
    peaks: &'a mut [f64],
}

impl Wide for Peaks<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let (errors, adds) = (
            self.error.as_chunks::<BLOCK>().0,
            self.add.as_chunks::<BLOCK>().0,
        );
        for (peak, (error, add)) in self.peaks.iter_mut().zip(errors.iter().zip(adds)) {
            let mut most = [f64::NEG_INFINITY; 8];
            for (error, add) in error.as_chunks::<8>().0.iter().zip(add.as_chunks::<8>().0) {
                for lane in 0..8 {
                    let value = error[lane] + add[lane];
                    most[lane] = if value > most[lane] {
                        value
                    } else {
                        most[lane]
                    };
                }
            }
            *peak = most
                .iter()
                .fold(f64::NEG_INFINITY, |a, b| if *b > a { *b } else { a });
        }
    }
}

/// The least sum.
struct Least<'a> {
    error: &'a [f64],
    add: &'a [f64],
}

impl Wide for Least<'_> {
    type Output = f64;
    #[inline(always)]
    fn run(self) -> f64 {
        let mut least = [f64::INFINITY; 8];
        let (errors, adds) = (self.error.as_chunks::<8>().0, self.add.as_chunks::<8>().0);
        for (error, add) in errors.iter().zip(adds) {
            for lane in 0..8 {
                let value = error[lane] + add[lane];
                least[lane] = if value < least[lane] {
                    value
                } else {
                    least[lane]
                };
            }
        }
        least
            .iter()
            .fold(f64::INFINITY, |a, b| if *b < a { *b } else { a })
    }
}

/// The largest gain in each block.
struct Gains<'a> {
    error: &'a [f64],
    add: &'a [f64],
    row: &'a [f32],
    most: f64,
    gains: &'a mut [f32],
}

impl<'a> Wide for Gains<'a> {
    type Output = &'a [f32];
    #[inline(always)]
    fn run(self) -> &'a [f32] {
        let (errors, adds) = (
            self.error.as_chunks::<BLOCK>().0,
            self.add.as_chunks::<BLOCK>().0,
        );
        for (index, gain) in self.gains.iter_mut().enumerate() {
            let (error, add) = (&errors[index], &adds[index]);
            let from = (index * BLOCK).min(self.row.len());
            let own = &self.row[from..self.row.len().min(from + BLOCK)];
            let mut row = [0f32; BLOCK];
            row[..own.len()].copy_from_slice(own);
            let mut most = [0f32; 16];
            for group in 0..BLOCK / 16 {
                for (lane, most) in most.iter_mut().enumerate() {
                    let k = group * 16 + lane;
                    let value = gain_of(self.most, error[k] + add[k], row[k]);
                    *most = if value > *most { value } else { *most };
                }
            }
            *gain = most.iter().fold(0.0, |a, b| if *b > a { *b } else { a });
        }
        self.gains
    }
}

/// Moves the errors with a step of a pair.
struct Move<'a> {
    error: &'a mut [f64],
    rows: [&'a [f32]; 2],
    by: f64,
}

impl Wide for Move<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let [first, second] = self.rows;
        for (error, (first, second)) in self.error.iter_mut().zip(first.iter().zip(second)) {
            let differ = f64::from(*second) - f64::from(*first);
            *error = self.by.mul_add(differ, *error);
        }
    }
}
