//! Equally long rows of numbers, borrowed, one after the other: what everything here learns from.

use thiserror::Error;

/// Rows of `width` numbers, all of them finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rows<'a> {
    values: &'a [f32],
    width: usize,
}

/// Why numbers are no rows.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum RowsError {
    #[error("{values} numbers are no whole rows of {width}")]
    Uneven { values: usize, width: usize },
    #[error("number {column} of row {row} is {value}, expected a finite one")]
    NotFinite {
        row: usize,
        column: usize,
        value: f32,
    },
}

impl<'a> Rows<'a> {
    /// Takes numbers as rows of `width`. [numbers a row, > 0]
    pub fn new(values: &'a [f32], width: usize) -> Result<Self, RowsError> {
        if width == 0 || !values.len().is_multiple_of(width) {
            let values = values.len();
            return Err(RowsError::Uneven { values, width });
        }
        match values.iter().position(|value| !value.is_finite()) {
            None => Ok(Self { values, width }),
            Some(at) => Err(RowsError::NotFinite {
                row: at / width,
                column: at % width,
                value: values[at],
            }),
        }
    }

    /// How many rows there are.
    pub fn len(self) -> usize {
        self.values.len() / self.width
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.values.is_empty()
    }

    /// Numbers a row.
    pub fn width(self) -> usize {
        self.width
    }

    /// All numbers, row by row.
    pub fn values(self) -> &'a [f32] {
        self.values
    }

    /// One row.
    pub fn row(self, row: usize) -> &'a [f32] {
        &self.values[row * self.width..][..self.width]
    }

    /// The rows in turn.
    pub fn iter(self) -> std::slice::ChunksExact<'a, f32> {
        self.values.chunks_exact(self.width)
    }

    /// The rows from `from` on, at most `count` of them.
    pub fn part(self, from: usize, count: usize) -> Self {
        let end = (from + count).min(self.len());
        Self {
            values: &self.values[from * self.width..end * self.width],
            ..self
        }
    }

    /// The mean of each column; zeros where there is no row.
    pub fn means(self) -> Vec<f64> {
        let mut sums = vec![0f64; self.width];
        for row in self.iter() {
            sums.iter_mut()
                .zip(row)
                .for_each(|(sum, value)| *sum += f64::from(*value));
        }
        let count = self.len().max(1) as f64;
        sums.iter_mut().for_each(|sum| *sum /= count);
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_row_is_said() {
        let message = |values: &[f32], width| Rows::new(values, width).unwrap_err().to_string();
        assert_eq!(message(&[1.0; 5], 2), "5 numbers are no whole rows of 2");
        assert_eq!(message(&[1.0; 5], 0), "5 numbers are no whole rows of 0");
        let broken = [0.0, 1.0, 2.0, f32::NAN];
        assert_eq!(
            message(&broken, 2),
            "number 1 of row 1 is NaN, expected a finite one"
        );
    }

    #[test]
    fn rows_and_parts_are_where_they_are() {
        let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let rows = Rows::new(&values, 2).unwrap();
        assert_eq!((rows.len(), rows.row(1)), (3, &[3.0, 4.0][..]));
        assert_eq!(rows.part(2, 9).values(), [5.0, 6.0]);
        assert_eq!(rows.means(), [3.0, 4.0]);
    }
}
