//! Support vector machines: which side of a boundary a row is on, learned from examples (Cortes and
//! Vapnik 1995), with radial kernels.
//!
//! `train` solves the dual by `smo` on kernel rows from blocked products (`cache`), from nothing or from an
//! earlier solution; `Svm::decide` gives the signed distance from the boundary for many rows at once.
//! `platt` turns decisions into probabilities, `validate` finds how well strange rows would be told.
//! Cost of training: a kernel row for each row that ever bears weight, and a pass over all rows a step;
//! of deciding: support vectors × width a row.

pub(crate) mod cache;
pub mod kernel;
pub mod platt;
mod smo;
pub mod validate;

use std::sync::atomic::AtomicBool;

use rayon::prelude::*;
use thiserror::Error;

use crate::product::{LEFT, RIGHT, Tile};
use crate::rows::Rows;
use cache::KernelRows;
use kernel::{Kernel, Packed, kernel_tile, origin_of};
use smo::{Dual, solve};

/// Rows with the side that each is on.
#[derive(Clone, Copy, Debug)]
pub struct Examples<'a> {
    /// The rows.
    pub rows: Rows<'a>,
    /// Whether each is an example, or a counter-example.
    pub labels: &'a [bool],
    /// What it costs to leave each on the wrong side. [> 0]
    pub costs: &'a [f32],
}

/// How a machine is trained.
#[derive(Clone, Copy, Debug)]
pub struct SvmOptions<'a> {
    /// How far the optimality conditions may be off. [> 0]
    pub tolerance: f64,
    /// Steps, at most. [> 0]
    pub steps: u64,
    /// Memory for rows of the kernel. [bytes]
    pub cache_bytes: usize,
    /// The weights of an earlier solution, one a row; what does not fit is made to.
    pub start: Option<&'a [f32]>,
    /// Ends the work early, with what there is by then.
    pub cancel: Option<&'a AtomicBool>,
}

impl Default for SvmOptions<'_> {
    fn default() -> Self {
        Self {
            tolerance: 1e-3,
            steps: 20_000_000,
            cache_bytes: 512 << 20,
            start: None,
            cancel: None,
        }
    }
}

/// Why nothing can be learned.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[allow(missing_docs)] // the messages say it
pub enum SvmError {
    #[error("{rows} rows, {labels} labels and {costs} costs: expected as many of each")]
    Lengths {
        rows: usize,
        labels: usize,
        costs: usize,
    },
    #[error("there is no {0}, and both sides of a boundary are needed to find it")]
    OneSided(&'static str),
    #[error("the kernel does not fit rows of {0} numbers: parts within them, widths above 0")]
    Kernel(usize),
    #[error("the cost of row {row} is not above 0")]
    Cost { row: usize },
}

/// A boundary between rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Svm {
    /// How alike two rows are.
    pub kernel: Kernel,
    /// Numbers a row.
    pub width: usize,
    /// The rows that hold the boundary, one after the other.
    pub support: Vec<f32>,
    /// The weight of each, above 0 for examples.
    pub weights: Vec<f32>,
    /// Added to what the support vectors say.
    pub bias: f32,
}

/// A machine, and how it was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Trained {
    /// The machine.
    pub svm: Svm,
    /// The weight of each row, for another training to start from.
    pub weights: Vec<f32>,
    /// Steps that it took.
    pub steps: u64,
    /// Whether the optimality conditions hold.
    pub converged: bool,
}

/// Finds the boundary with the widest margin between examples and counter-examples.
pub fn train(
    examples: Examples,
    kernel: &Kernel,
    options: &SvmOptions,
) -> Result<Trained, SvmError> {
    check(examples, kernel)?;
    let Examples {
        rows,
        labels,
        costs,
    } = examples;
    let solution = solve(
        KernelRows::new(kernel, rows, options.cache_bytes),
        Dual {
            labels,
            costs,
            start: feasible(options.start, labels, costs),
            tolerance: options.tolerance,
            most_steps: options.steps,
            cancel: options.cancel,
        },
    );
    let bearing = || {
        solution
            .beta
            .iter()
            .enumerate()
            .filter(|(_, beta)| **beta != 0.0)
    };
    Ok(Trained {
        svm: Svm {
            kernel: kernel.clone(),
            width: rows.width(),
            support: bearing()
                .flat_map(|(row, _)| rows.row(row))
                .copied()
                .collect(),
            weights: bearing().map(|(_, beta)| *beta as f32).collect(),
            bias: solution.bias as f32,
        },
        weights: solution.beta.iter().map(|beta| *beta as f32).collect(),
        steps: solution.steps,
        converged: solution.converged,
    })
}

fn check(examples: Examples, kernel: &Kernel) -> Result<(), SvmError> {
    let Examples {
        rows,
        labels,
        costs,
    } = examples;
    let (count, width) = (rows.len(), rows.width());
    if labels.len() != count || costs.len() != count {
        return Err(SvmError::Lengths {
            rows: count,
            labels: labels.len(),
            costs: costs.len(),
        });
    }
    for (side, what) in [(true, "example"), (false, "counter-example")] {
        if !labels.contains(&side) {
            return Err(SvmError::OneSided(what));
        }
    }
    if let Some(row) = costs
        .iter()
        .position(|cost| !(*cost > 0.0 && cost.is_finite()))
    {
        return Err(SvmError::Cost { row });
    }
    match kernel.fits(width) {
        true => Ok(()),
        false => Err(SvmError::Kernel(width)),
    }
}

/// Earlier weights within their bounds and with sum zero; zeros where there are none.
fn feasible(start: Option<&[f32]>, labels: &[bool], costs: &[f32]) -> Vec<f64> {
    let mut beta = vec![0f64; labels.len()];
    for (k, weight) in start
        .unwrap_or_default()
        .iter()
        .enumerate()
        .take(labels.len())
    {
        let cost = f64::from(costs[k]);
        let bounds = if labels[k] { [0.0, cost] } else { [-cost, 0.0] };
        let weight = f64::from(*weight);
        beta[k] = if weight.is_finite() {
            weight.clamp(bounds[0], bounds[1])
        } else {
            0.0
        };
    }
    let (above, below): (f64, f64) = beta.iter().fold((0.0, 0.0), |(above, below), b| {
        (above + b.max(0.0), below - b.min(0.0))
    });
    // The heavier side gives way.
    let (side, factor) = match above > below {
        true => (1.0, below / above),
        false => (-1.0, if below > 0.0 { above / below } else { 1.0 }),
    };
    beta.iter_mut()
        .filter(|b| **b * side > 0.0)
        .for_each(|b| *b *= factor);
    beta
}

impl Svm {
    /// How many rows hold the boundary.
    pub fn support_vectors(&self) -> usize {
        self.weights.len()
    }

    /// How far each row is on the examples' side, 1 at the margin.
    pub fn decide(&self, rows: Rows) -> Vec<f32> {
        self.tell(rows).iter().map(|told| told.decision).collect()
    }

    /// The same, with how alike each row is to the support vector that is most so.
    pub fn tell(&self, rows: Rows) -> Vec<Told> {
        assert_eq!(rows.width(), self.width, "rows as those it was trained on");
        let support = Rows::new(&self.support, self.width).expect("rows of finite numbers");
        let origin = origin_of(support);
        let lefts = Packed::<LEFT>::new(&self.kernel, support.iter(), &origin);
        let of_part = |part: usize| {
            let own = rows.part(part * RIGHT, RIGHT);
            let rights = Packed::<RIGHT>::new(&self.kernel, own.iter(), &origin);
            let mut told = self.tell_panel(&lefts, &rights);
            told.truncate(own.len());
            told
        };
        let parts = (0..rows.len().div_ceil(RIGHT)).into_par_iter();
        parts.flat_map_iter(of_part).collect()
    }

    fn tell_panel(&self, lefts: &Packed<LEFT>, rights: &Packed<RIGHT>) -> Vec<Told> {
        let mut sums = [f64::from(self.bias); RIGHT];
        let mut most = [0f32; RIGHT];
        let mut tile: Tile = [[0.0; RIGHT]; LEFT];
        for (panel, weights) in self.weights.chunks(LEFT).enumerate() {
            kernel_tile(&self.kernel, lefts.at(panel), rights.at(0), &mut tile);
            let mut part = [0f32; RIGHT];
            for (weight, values) in weights.iter().zip(&tile) {
                for (lane, value) in values.iter().enumerate() {
                    part[lane] += weight * value;
                    most[lane] = most[lane].max(*value);
                }
            }
            sums.iter_mut()
                .zip(part)
                .for_each(|(sum, part)| *sum += f64::from(part));
        }
        let told = |(sum, likeness): (&f64, f32)| Told {
            decision: *sum as f32,
            likeness,
        };
        sums.iter().zip(most).map(told).collect()
    }
}

/// What a machine says of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Told {
    /// How far it is on the examples' side, 1 at the margin.
    pub decision: f32,
    /// The kernel with the support vector that is most alike. [0 to 1]
    pub likeness: f32,
}
