//! Principal components: the few directions in which rows differ most (Pearson 1901).
//!
//! The covariance is made of blocked products, in f32 over 256 rows and in f64 over those, and its
//! eigenvectors by Householder's and the QL method (`eigen`). Cost: rows × width² + width³.
//! An axis points where its largest number is positive, so that the same rows give the same axes.

use rayon::prelude::*;

use crate::eigen::symmetric_eigen;
use crate::product::{LEFT, Panels, RIGHT, dot_tile};
use crate::rows::Rows;

/// Rows whose products are summed in f32.
const BLOCK: usize = 256;

/// Directions in which rows differ most.
#[derive(Clone, Debug, PartialEq)]
pub struct Pca {
    /// The mean of the rows.
    pub mean: Vec<f32>,
    /// Axes of unit length, one after the other, the one with the most variance first.
    pub axes: Vec<f32>,
    /// The variance along each axis.
    pub variances: Vec<f64>,
    /// The variance in all directions.
    pub total_variance: f64,
}

/// The first `dims` principal axes of rows; no more than a row has numbers.
pub fn pca(rows: Rows, dims: usize) -> Pca {
    let width = rows.width();
    let mean: Vec<f32> = rows.means().iter().map(|mean| *mean as f32).collect();
    let mut covariance = covariance(rows, &mean);
    let total_variance = (0..width).map(|at| covariance[at * width + at]).sum();
    let values = symmetric_eigen(&mut covariance, width);
    let mut order: Vec<usize> = (0..width).collect();
    order.sort_by(|a, b| values[*b].total_cmp(&values[*a]));
    order.truncate(dims);
    let axis = |index: &usize| signed(&covariance, width, *index);
    Pca {
        mean,
        axes: order.iter().flat_map(axis).collect(),
        variances: order.iter().map(|index| values[*index].max(0.0)).collect(),
        total_variance,
    }
}

impl Pca {
    /// How many axes there are.
    pub fn dims(&self) -> usize {
        self.variances.len()
    }

    /// Each row's places along the axes, one row after the other.
    pub fn project(&self, rows: Rows) -> Vec<f32> {
        let dims = self.dims();
        let none = vec![0.0; self.mean.len()];
        let axes = Panels::<LEFT>::new(self.axes.chunks_exact(self.mean.len()), &none);
        let of_part = |start: usize| {
            let part = rows.part(start, RIGHT);
            let panels = Panels::<RIGHT>::new(part.iter(), &self.mean);
            let mut out = vec![0.0; part.len() * dims];
            let mut tile = [[0.0; RIGHT]; LEFT];
            for left in 0..axes.count() {
                dot_tile(axes.panel(left), panels.panel(0), &mut tile);
                for (index, products) in tile.iter().enumerate().take(dims - left * LEFT) {
                    for (row, product) in products.iter().enumerate().take(part.len()) {
                        out[row * dims + left * LEFT + index] = *product;
                    }
                }
            }
            out
        };
        let starts = (0..rows.len().div_ceil(RIGHT)).into_par_iter();
        starts.flat_map_iter(|part| of_part(part * RIGHT)).collect()
    }

    /// The row at a place along the axes.
    pub fn restore(&self, place: &[f32]) -> Vec<f32> {
        let mut row = self.mean.clone();
        for (axis, along) in self.axes.chunks_exact(self.mean.len()).zip(place) {
            row.iter_mut()
                .zip(axis)
                .for_each(|(value, axis)| *value += along * axis);
        }
        row
    }
}

/// A column of eigenvectors as an axis, its largest number positive.
fn signed(vectors: &[f64], width: usize, index: usize) -> Vec<f32> {
    let column = |row: usize| vectors[row * width + index];
    let largest = (0..width)
        .map(column)
        .max_by(|a, b| a.abs().total_cmp(&b.abs()));
    let sign = largest.map_or(1.0, f64::signum);
    (0..width).map(|row| (sign * column(row)) as f32).collect()
}

/// The covariance of rows, whole.
fn covariance(rows: Rows, mean: &[f32]) -> Vec<f64> {
    let width = rows.width();
    let blocks = rows.len().div_ceil(BLOCK);
    // A few blocks a thread at a time, so that the sums that wait for their turn stay few.
    let mut sums = vec![0f64; width * width];
    for group in (0..blocks).collect::<Vec<_>>().chunks(16) {
        let products: Vec<Vec<f32>> = group
            .par_iter()
            .map(|block| column_products(rows.part(block * BLOCK, BLOCK), mean))
            .collect();
        for products in products {
            sums.iter_mut()
                .zip(products)
                .for_each(|(sum, product)| *sum += f64::from(product));
        }
    }
    let count = rows.len().max(1) as f64;
    sums.iter_mut().for_each(|sum| *sum /= count);
    sums
}

/// All products of columns, over some rows less the mean.
fn column_products(rows: Rows, mean: &[f32]) -> Vec<f32> {
    let width = rows.width();
    let column =
        |column: usize| -> Vec<f32> { rows.iter().map(|row| row[column] - mean[column]).collect() };
    let columns: Vec<Vec<f32>> = (0..width).map(column).collect();
    let none = vec![0.0; rows.len()];
    let lefts = Panels::<LEFT>::new(columns.iter().map(Vec::as_slice), &none);
    let rights = Panels::<RIGHT>::new(columns.iter().map(Vec::as_slice), &none);
    let mut out = vec![0.0; width * width];
    let mut tile = [[0.0; RIGHT]; LEFT];
    for left in 0..lefts.count() {
        for right in left * LEFT / RIGHT..rights.count() {
            dot_tile(lefts.panel(left), rights.panel(right), &mut tile);
            for (index, products) in tile.iter().enumerate() {
                for (lane, product) in products.iter().enumerate() {
                    let (a, b) = (left * LEFT + index, right * RIGHT + lane);
                    if a < width && b < width {
                        out[a * width + b] = *product;
                        out[b * width + a] = *product;
                    }
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::noise;

    /// Rows that vary along a few directions, each less than the one before.
    fn slanted(count: usize, width: usize) -> Vec<f32> {
        let (along, across) = (noise(count * 4, 1), noise(4 * width, 2));
        let value = |at: usize| {
            let (row, column) = (at / width, at % width);
            let sum: f32 = (0..4)
                .map(|k| along[row * 4 + k] * across[k * width + column] * [8.0, 4.0, 2.0, 0.5][k])
                .sum();
            sum + 30.0
        };
        (0..count * width).map(value).collect()
    }

    #[test]
    fn axes_are_eigenvectors_of_the_plain_covariance() {
        let (count, width) = (700, 35);
        let values = slanted(count, width);
        let rows = Rows::new(&values, width).unwrap();
        let found = pca(rows, 6);
        let means = rows.means();
        let covariance = |a: usize, b: usize| -> f64 {
            let product =
                |row: &[f32]| (f64::from(row[a]) - means[a]) * (f64::from(row[b]) - means[b]);
            rows.iter().map(product).sum::<f64>() / count as f64
        };
        for (axis, variance) in found.axes.chunks_exact(width).zip(&found.variances) {
            for a in 0..width {
                let turned: f64 = (0..width)
                    .map(|b| covariance(a, b) * f64::from(axis[b]))
                    .sum();
                let off = (turned - variance * f64::from(axis[a])).abs();
                assert!(off < 1e-3 * found.variances[0], "{off}");
            }
        }
        assert!(found.variances.is_sorted_by(|a, b| a >= b));
        let share = found.variances[..4].iter().sum::<f64>() / found.total_variance;
        assert!((share - 1.0).abs() < 1e-4, "{share}");
    }

    #[test]
    fn rows_come_back_from_their_places() {
        let values = slanted(90, 21);
        let rows = Rows::new(&values, 21).unwrap();
        let found = pca(rows, 4);
        let places = found.project(rows);
        assert_eq!(places.len(), 90 * 4);
        for (row, place) in rows.iter().zip(places.chunks_exact(4)) {
            for (back, value) in found.restore(place).iter().zip(row) {
                assert!((back - value).abs() < 1e-2, "{back} {value}");
            }
        }
    }

    #[test]
    fn no_more_axes_than_numbers_and_none_of_nothing() {
        let values = noise(30, 1);
        assert_eq!(pca(Rows::new(&values, 3).unwrap(), 9).dims(), 3);
        let none = pca(Rows::new(&[], 3).unwrap(), 2);
        assert_eq!((none.dims(), none.total_variance), (2, 0.0));
        assert!(none.project(Rows::new(&[], 3).unwrap()).is_empty());
    }
}
