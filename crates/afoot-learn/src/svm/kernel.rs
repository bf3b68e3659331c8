//! How alike two rows are: radial functions of their distance, in one or several aspects.
//!
//! A kernel of several parts is the mean of a radial function for each, so that rows which are alike in
//! most aspects are alike, where one function of the whole distance would call them strangers. Each
//! part has columns and a width of its own, which is all the scaling there is. Two shapes:
//! exp(−γ·d²), and exp(−√γ·d), which is the one of Arikan et al. 2003, §3.1 (with their γ = 1/√γ here).

use std::ops::Range;

use crate::product::{LEFT, Panels, RIGHT, Tile, Wide, dot_tile, exponential, run_wide};
use crate::rows::Rows;

/// The radial function of a kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// exp(−γ·d²): smooth; takes examples that are close together as one.
    #[default]
    Gaussian,
    /// exp(−√γ·d): peaked at every example.
    Exponential,
}

/// An aspect in which rows are compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its numbers in a row.
    pub columns: Range<usize>,
    /// γ of the header. [1 / squared unit of the columns, > 0]
    pub gamma: f32,
}

/// The mean of one radial function for each part.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// Of all parts.
    pub shape: Shape,
    /// At least one, within the rows.
    pub parts: Vec<Part>,
}

impl Kernel {
    /// exp(−γ·d²) over whole rows of `width` numbers.
    pub fn gaussian(width: usize, gamma: f32) -> Self {
        let columns = 0..width;
        Self {
            shape: Shape::Gaussian,
            parts: vec![Part { columns, gamma }],
        }
    }

    /// The same with widths that are `factor` times as narrow.
    pub fn narrowed(&self, factor: f32) -> Self {
        let mut narrowed = self.clone();
        let parts = &mut narrowed.parts;
        parts.iter_mut().for_each(|part| part.gamma *= factor);
        narrowed
    }

    /// Whether every part lies within rows of `width` numbers and has a width above zero.
    pub fn fits(&self, width: usize) -> bool {
        let fits = |part: &Part| {
            let Range { start, end } = part.columns;
            start < end && end <= width && part.gamma > 0.0 && part.gamma.is_finite()
        };
        !self.parts.is_empty() && self.parts.iter().all(fits)
    }

    /// How alike two rows are: 1 for the same.
    pub fn value(&self, a: &[f32], b: &[f32]) -> f64 {
        let of_part = |part: &Part| {
            let (a, b) = (&a[part.columns.clone()], &b[part.columns.clone()]);
            let differ = a.iter().zip(b).map(|(a, b)| f64::from(a - b));
            let scaled = f64::from(part.gamma) * differ.map(|d| d * d).sum::<f64>();
            match self.shape {
                Shape::Gaussian => (-scaled).exp(),
                Shape::Exponential => (-scaled.sqrt()).exp(),
            }
        };
        self.parts.iter().map(of_part).sum::<f64>() / self.parts.len() as f64
    }
}

/// Rows interleaved for a kernel, part by part.
pub(super) struct Packed<const N: usize>(Vec<Panels<N>>);

impl<const N: usize> Packed<N> {
    /// Interleaves rows less `origin`.
    pub fn new<'a>(
        kernel: &Kernel,
        rows: impl Iterator<Item = &'a [f32]> + Clone,
        origin: &[f32],
    ) -> Self {
        let of_part = |part: &Part| {
            let columns = &part.columns;
            let rows = rows.clone().map(|row| &row[columns.clone()]);
            Panels::new(rows, &origin[columns.clone()])
        };
        Self(kernel.parts.iter().map(of_part).collect())
    }

    /// How many panels there are.
    pub fn count(&self) -> usize {
        self.0.first().map_or(0, Panels::count)
    }

    /// One of them.
    pub fn at(&self, panel: usize) -> PanelOf<'_, N> {
        PanelOf { rows: self, panel }
    }
}

/// A panel of rows.
#[derive(Clone, Copy)]
pub(super) struct PanelOf<'a, const N: usize> {
    rows: &'a Packed<N>,
    panel: usize,
}

/// The kernel of a left panel's rows with a right panel's.
pub(super) fn kernel_tile(
    kernel: &Kernel,
    left: PanelOf<LEFT>,
    right: PanelOf<RIGHT>,
    out: &mut Tile,
) {
    *out = [[0.0; RIGHT]; LEFT];
    let mut tile = [[0.0; RIGHT]; LEFT];
    let weight = 1.0 / kernel.parts.len() as f32;
    for (part, (lefts, rights)) in kernel
        .parts
        .iter()
        .zip(left.rows.0.iter().zip(&right.rows.0))
    {
        dot_tile(
            lefts.panel(left.panel),
            rights.panel(right.panel),
            &mut tile,
        );
        run_wide(Radial {
            shape: kernel.shape,
            gamma: part.gamma,
            weight,
            squares: (
                lefts.panel_squares(left.panel),
                rights.panel_squares(right.panel),
            ),
            products: &tile,
            out,
        });
    }
}

/// Adds a part's radial functions, from products and squares.
struct Radial<'a> {
    shape: Shape,
    gamma: f32,
    weight: f32,
    squares: (&'a [f32; LEFT], &'a [f32; RIGHT]),
    products: &'a Tile,
    out: &'a mut Tile,
}

impl Wide for Radial<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (lefts, rights) = self.squares;
        let rows = self.out.iter_mut().zip(self.products).zip(lefts);
        for ((out, products), left) in rows {
            for lane in 0..RIGHT {
                let squared = left + rights[lane] - 2.0 * products[lane];
                let squared = if squared > 0.0 { squared } else { 0.0 };
                let scaled = self.gamma * squared;
                let exponent = match self.shape {
                    Shape::Gaussian => -scaled,
                    Shape::Exponential => -scaled.sqrt(),
                };
                out[lane] += self.weight * exponential(exponent);
            }
        }
    }
}

/// The mean of rows, which products are taken about for the sake of precision.
pub(super) fn origin_of(rows: Rows) -> Vec<f32> {
    rows.means().iter().map(|mean| *mean as f32).collect()
}
