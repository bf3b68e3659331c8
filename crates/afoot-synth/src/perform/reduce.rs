//! Long vectors made short: the leading principal components, of which there are twenty.

use afoot_codec::{Malformed, Reader, Writer};
use afoot_learn::{Pca, Rows, pca};

use super::footage::{DIMENSIONS, Feature};

/// Carries rows to their leading components, zeros where there are fewer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Projection(Pca);

impl Projection {
    /// Of rows of that width.
    pub fn of(rows: &[f32], width: usize) -> Self {
        let rows = Rows::new(rows, width).expect("whole rows of a width above 0");
        Self(pca(rows, DIMENSIONS))
    }

    pub fn width(&self) -> usize {
        self.0.mean.len()
    }

    /// Share of the variance that is kept.
    pub fn kept(&self) -> f64 {
        match self.0.total_variance > 0.0 {
            true => self.0.variances.iter().sum::<f64>() / self.0.total_variance,
            false => 1.0,
        }
    }

    /// The rows' components.
    pub fn project(&self, rows: &[f32]) -> Vec<Feature> {
        let rows = Rows::new(rows, self.width()).expect("whole rows of that width");
        let dims = self.0.dims();
        let feature = |part: &[f32]| {
            let mut feature = [0.0; DIMENSIONS];
            feature[..dims].copy_from_slice(part);
            feature
        };
        self.0
            .project(rows)
            .chunks_exact(dims)
            .map(feature)
            .collect()
    }

    pub fn write(&self, writer: &mut Writer) {
        let pca = &self.0;
        writer.count(pca.mean.len());
        writer.f32s(&pca.mean);
        writer.count(pca.dims());
        writer.f32s(&pca.axes);
        pca.variances.iter().for_each(|value| writer.f64(*value));
        writer.f64(pca.total_variance);
    }

    pub fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let mean = reader.list(4, Reader::finite)?;
        let dims = reader.count(4 * mean.len().max(1))?;
        let sound = !mean.is_empty() && (1..=DIMENSIONS).contains(&dims);
        reader.require(sound, "a projection onto nothing, or onto too much")?;
        let numbers = 0..mean.len() * dims;
        let axes = numbers.map(|_| reader.finite()).collect::<Result<_, _>>()?;
        let variances = (0..dims)
            .map(|_| reader.finite64())
            .collect::<Result<_, _>>()?;
        let total_variance = reader.finite64()?;
        Ok(Self(Pca {
            mean,
            axes,
            variances,
            total_variance,
        }))
    }
}
