//! Long vectors made short: the leading principal components of a set of rows.
//!
//! The components span what varies most, so distances of projected rows are those of the rows but for
//! what hardly varies. Found by subspace iteration on the covariance (f64), which for twenty of some two
//! hundred is a matter of milliseconds beside summing it up.

use afoot_codec::{Malformed, Reader, Writer};

use super::footage::{DIMENSIONS, Feature};

/// Rounds of the iteration; components that are still exchanged then vary alike.
const ROUNDS: usize = 40;

/// Carries rows to their leading components.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Projection {
    mean: Vec<f32>,
    /// `DIMENSIONS` rows of the width; zeros where there are fewer components.
    axes: Vec<f32>,
    /// Share of the variance that is kept.
    pub(crate) kept: f32,
}

impl Projection {
    /// Of rows of that width.
    pub fn of(rows: &[f32], width: usize) -> Self {
        let mean = mean_of(rows, width);
        let covariance = covariance_of(rows, &mean);
        let axes = leading_axes(&covariance, width);
        let total: f64 = (0..width).map(|k| covariance[k * width + k]).sum();
        let spanned: f64 = axes
            .chunks_exact(width)
            .map(|axis| quadratic(&covariance, axis))
            .sum();
        Self {
            mean: mean.iter().map(|value| *value as f32).collect(),
            axes: axes.iter().map(|value| *value as f32).collect(),
            kept: if total > 0.0 {
                (spanned / total) as f32
            } else {
                1.0
            },
        }
    }

    pub fn width(&self) -> usize {
        self.mean.len()
    }

    /// The rows' components.
    pub fn project(&self, rows: &[f32]) -> Vec<Feature> {
        let project = |row: &[f32]| {
            let mut feature = [0.0; DIMENSIONS];
            for (value, axis) in feature.iter_mut().zip(self.axes.chunks_exact(row.len())) {
                let parts = row.iter().zip(&self.mean).zip(axis);
                *value = parts
                    .map(|((value, mean), axis)| (value - mean) * axis)
                    .sum();
            }
            feature
        };
        rows.chunks_exact(self.width()).map(project).collect()
    }

    pub fn write(&self, writer: &mut Writer) {
        writer.count(self.mean.len());
        writer.f32s(&self.mean);
        writer.f32s(&self.axes);
        writer.f32(self.kept);
    }

    pub fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let width = reader.count(4)?;
        let mean = (0..width)
            .map(|_| reader.finite())
            .collect::<Result<_, _>>()?;
        let numbers = 0..width * DIMENSIONS;
        let axes = numbers.map(|_| reader.finite()).collect::<Result<_, _>>()?;
        let kept = reader.finite()?;
        Ok(Self { mean, axes, kept })
    }
}

fn mean_of(rows: &[f32], width: usize) -> Vec<f64> {
    let mut sums = vec![0.0; width];
    for row in rows.chunks_exact(width) {
        sums.iter_mut()
            .zip(row)
            .for_each(|(sum, value)| *sum += f64::from(*value));
    }
    let count = (rows.len() / width).max(1) as f64;
    sums.iter_mut().for_each(|sum| *sum /= count);
    sums
}

fn covariance_of(rows: &[f32], mean: &[f64]) -> Vec<f64> {
    let width = mean.len();
    let mut sums = vec![0.0; width * width];
    for row in rows.chunks_exact(width) {
        let centred: Vec<f64> = row
            .iter()
            .zip(mean)
            .map(|(v, m)| f64::from(*v) - m)
            .collect();
        for (i, &a) in centred.iter().enumerate() {
            let sums = &mut sums[i * width..][..=i];
            sums.iter_mut()
                .zip(&centred)
                .for_each(|(sum, b)| *sum += a * b);
        }
    }
    for i in 0..width {
        for j in 0..i {
            sums[j * width + i] = sums[i * width + j];
        }
    }
    sums
}

/// Orthonormal axes of most variance, largest first; zeros beyond the rank.
fn leading_axes(covariance: &[f64], width: usize) -> Vec<f64> {
    let count = DIMENSIONS.min(width);
    let mut axes = vec![0.0; DIMENSIONS * width];
    for (index, axis) in axes.chunks_exact_mut(width).take(count).enumerate() {
        // Any start that is not orthogonal to an axis will do; the same every time.
        for (k, value) in axis.iter_mut().enumerate() {
            *value = ((k * (index + 1)) as f64 * 0.7 + index as f64).sin()
                + f64::from(u8::from(k == index));
        }
    }
    orthonormalise(&mut axes, width);
    for _ in 0..ROUNDS {
        for axis in axes.chunks_exact_mut(width) {
            let turned: Vec<f64> = covariance
                .chunks_exact(width)
                .map(|row| row.iter().zip(&*axis).map(|(a, b)| a * b).sum())
                .collect();
            axis.copy_from_slice(&turned);
        }
        orthonormalise(&mut axes, width);
    }
    axes
}

/// Gram and Schmidt's, twice for accuracy; what depends on others becomes zero.
fn orthonormalise(axes: &mut [f64], width: usize) {
    let count = axes.len() / width;
    for index in 0..count {
        let (done, rest) = axes.split_at_mut(index * width);
        let axis = &mut rest[..width];
        let before = length(axis);
        for _ in 0..2 {
            for other in done.chunks_exact(width) {
                let share: f64 = other.iter().zip(&*axis).map(|(a, b)| a * b).sum();
                axis.iter_mut()
                    .zip(other)
                    .for_each(|(a, b)| *a -= share * b);
            }
        }
        let after = length(axis);
        let scale = if after > 1e-9 * before.max(1e-12) {
            1.0 / after
        } else {
            0.0
        };
        axis.iter_mut().for_each(|value| *value *= scale);
    }
}

fn length(axis: &[f64]) -> f64 {
    axis.iter().map(|value| value * value).sum::<f64>().sqrt()
}

fn quadratic(matrix: &[f64], axis: &[f64]) -> f64 {
    let row = |row: &[f64]| row.iter().zip(axis).map(|(a, b)| a * b).sum::<f64>();
    let turned = matrix.chunks_exact(axis.len()).map(row);
    turned.zip(axis).map(|(a, b)| a * b).sum()
}
