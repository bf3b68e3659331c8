//! Eigenvalues and eigenvectors of a symmetric matrix, all of them.
//!
//! To a tridiagonal matrix by Householder's reflections, from there by QL steps with implicit shifts
//! (Golub and Van Loan 2013, §8.3). Cost: about 4·width³, in f64. For some hundred rows.

/// Most QL steps for one eigenvalue: two or three are usual.
const MOST_STEPS: usize = 64;

/// Replaces a symmetric matrix (row by row) by its eigenvectors, a column each; gives their values, in
/// no order.
pub(crate) fn symmetric_eigen(matrix: &mut [f64], width: usize) -> Vec<f64> {
    assert_eq!(matrix.len(), width * width, "a square matrix");
    let (mut diagonal, mut beside) = tridiagonalise(matrix, width);
    for at in 0..width {
        settle(matrix, &mut diagonal, &mut beside, at);
    }
    diagonal
}

/// Turns the matrix into the orthogonal one that makes it tridiagonal; gives the diagonal, and what
/// stands beside it (entry i between i and i + 1, the last zero).
fn tridiagonalise(matrix: &mut [f64], width: usize) -> (Vec<f64>, Vec<f64>) {
    let mut basis = vec![0.0; width * width];
    (0..width).for_each(|at| basis[at * width + at] = 1.0);
    let mut beside = vec![0.0; width];
    for at in 0..width.saturating_sub(2) {
        let mirror = reflector(matrix, width, at, &mut beside);
        if let Some(mirror) = mirror {
            reflect_both_sides(matrix, width, at + 1, &mirror);
            reflect_columns(&mut basis, width, at + 1, &mirror);
        }
    }
    if width > 1 {
        beside[width - 2] = matrix[(width - 1) * width + width - 2];
    }
    let diagonal = (0..width).map(|at| matrix[at * width + at]).collect();
    matrix.copy_from_slice(&basis);
    (diagonal, beside)
}

/// The unit normal whose mirror takes column `at` below the diagonal to its first entry, which goes to
/// `beside`; none where it is there already.
fn reflector(matrix: &[f64], width: usize, at: usize, beside: &mut [f64]) -> Option<Vec<f64>> {
    let mut column: Vec<f64> = (at + 1..width)
        .map(|row| matrix[row * width + at])
        .collect();
    let rest: f64 = column[1..].iter().map(|value| value * value).sum();
    beside[at] = column[0];
    if rest == 0.0 {
        return None;
    }
    let length = (rest + column[0] * column[0]).sqrt();
    let end = if column[0] > 0.0 { -length } else { length };
    beside[at] = end;
    column[0] -= end;
    let norm = (rest + column[0] * column[0]).sqrt();
    column.iter_mut().for_each(|value| *value /= norm);
    Some(column)
}

/// H·A·H for the mirror with normal v on the rows and columns from `first` on: A − 2·(v·wᵀ + w·vᵀ)
/// with w = A·v − (vᵀ·A·v)·v.
fn reflect_both_sides(matrix: &mut [f64], width: usize, first: usize, v: &[f64]) {
    let size = width - first;
    let row_of = |row: usize| (first + row) * width + first;
    let mut w: Vec<f64> = (0..size)
        .map(|row| dot(&matrix[row_of(row)..][..size], v))
        .collect();
    let along = dot(&w, v);
    w.iter_mut().zip(v).for_each(|(w, v)| *w -= along * v);
    for row in 0..size {
        let (v_row, w_row) = (2.0 * v[row], 2.0 * w[row]);
        let values = matrix[row_of(row)..][..size].iter_mut();
        for (value, (v, w)) in values.zip(v.iter().zip(&w)) {
            *value -= v_row * w + w_row * v;
        }
    }
}

/// B·H on the columns from `first` on.
fn reflect_columns(basis: &mut [f64], width: usize, first: usize, v: &[f64]) {
    for row in basis.chunks_exact_mut(width) {
        let row = &mut row[first..];
        let along = 2.0 * dot(row, v);
        row.iter_mut()
            .zip(v)
            .for_each(|(value, v)| *value -= along * v);
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// QL steps until nothing stands beside diagonal entry `at`.
fn settle(basis: &mut [f64], diagonal: &mut [f64], beside: &mut [f64], at: usize) {
    let width = diagonal.len();
    for _ in 0..MOST_STEPS {
        let is_small = |k: &usize| {
            let sum = diagonal[*k].abs() + diagonal[k + 1].abs();
            beside[*k].abs() <= f64::EPSILON * sum
        };
        let end = (at..width - 1).find(is_small).unwrap_or(width - 1);
        if end == at {
            return;
        }
        ql_step(basis, diagonal, beside, at..end);
    }
}

/// One QL step with an implicit shift on the block from `block.start` to `block.end`, both within.
fn ql_step(
    basis: &mut [f64],
    diagonal: &mut [f64],
    beside: &mut [f64],
    block: std::ops::Range<usize>,
) {
    let width = diagonal.len();
    let (start, end) = (block.start, block.end);
    // Wilkinson's shift: the eigenvalue of the first two by two that is nearer to its corner.
    let half = (diagonal[start + 1] - diagonal[start]) / (2.0 * beside[start]);
    let root = half.hypot(1.0);
    let mut g = diagonal[end] - diagonal[start] + beside[start] / (half + root.copysign(half));
    let (mut sin, mut cos, mut shift) = (1.0, 1.0, 0.0);
    for k in (start..end).rev() {
        let (f, b) = (sin * beside[k], cos * beside[k]);
        let length = f.hypot(g);
        beside[k + 1] = length;
        if length == 0.0 {
            // The block has come apart.
            diagonal[k + 1] -= shift;
            beside[end] = 0.0;
            return;
        }
        (sin, cos) = (f / length, g / length);
        g = diagonal[k + 1] - shift;
        let turned = (diagonal[k] - g) * sin + 2.0 * cos * b;
        shift = sin * turned;
        diagonal[k + 1] = g + shift;
        g = cos * turned - b;
        for row in basis.chunks_exact_mut(width) {
            let (low, high) = (row[k], row[k + 1]);
            row[k + 1] = sin * low + cos * high;
            row[k] = cos * low - sin * high;
        }
    }
    diagonal[start] -= shift;
    beside[start] = g;
    beside[end] = 0.0;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::noise;

    fn check(matrix: &[f64], width: usize) {
        let mut vectors = matrix.to_vec();
        let values = symmetric_eigen(&mut vectors, width);
        let scale = matrix.iter().fold(1e-30f64, |most, v| most.max(v.abs()));
        let column = |index: usize| -> Vec<f64> {
            (0..width).map(|row| vectors[row * width + index]).collect()
        };
        for (index, value) in values.iter().enumerate() {
            let own = column(index);
            for (row, entry) in matrix.chunks_exact(width).zip(&own) {
                let off = (dot(row, &own) - value * entry).abs();
                assert!(off < 1e-10 * scale * width as f64, "{off}");
            }
            for other in 0..width {
                let expected = f64::from(u8::from(other == index));
                assert!((dot(&own, &column(other)) - expected).abs() < 1e-10);
            }
        }
    }

    #[test]
    fn every_vector_is_stretched_by_its_value_and_square_to_the_others() {
        for width in [0, 1, 2, 3, 5, 40] {
            let half = noise(width * width, width as u64);
            let symmetric = |at: usize| {
                let (row, column) = (at / width, at % width);
                f64::from(half[row * width + column] + half[column * width + row])
            };
            check(
                &(0..width * width).map(symmetric).collect::<Vec<_>>(),
                width,
            );
        }
    }

    #[test]
    fn diagonal_equal_and_zero_matrices() {
        let mut diagonal = vec![0.0; 16];
        check(&diagonal, 4);
        (0..4).for_each(|at| diagonal[at * 5] = [3.0, 3.0, -1.0, 0.0][at]);
        check(&diagonal, 4);
        check(&[1.0; 25], 5);
    }
}
