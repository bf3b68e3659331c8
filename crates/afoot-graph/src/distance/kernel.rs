//! The block operations that everything rests on: products, sums over windows, errors.
//!
//! A block has `ROWS` by `COLS` frames or windows: twelve vectors of sums and four of operands fill
//! the sixteen registers. Written once for any `Machine`; `sweep` chooses it.

use super::features::{COLS, ROWS};
use super::lanes::Machine;

/// One vector per row of a block.
pub(super) type Square<M> = [<M as Machine>::Lanes; ROWS];

/// Sums over the points of x·x' + z·z', of x·z' − z·x', and of y·y'.
#[inline(always)]
pub(super) fn body_products<M: Machine>(m: M, rows: &[f32], cols: &[f32]) -> [Square<M>; 3] {
    let zero = [m.splat(0.0); ROWS];
    let (mut dot, mut cross, mut height) = (zero, zero, zero);
    let rows = rows.as_chunks::<{ 3 * ROWS }>().0;
    let cols = cols.as_chunks::<{ 3 * COLS }>().0;
    for (row, col) in rows.iter().zip(cols) {
        let (x, z) = (m.load(col, 0), m.load(col, COLS));
        for r in 0..ROWS {
            let factor = m.splat(row[3 * r]);
            dot[r] = m.mul_add(factor, x, dot[r]);
            cross[r] = m.mul_add(factor, z, cross[r]);
            let factor = m.splat(row[3 * r + 1]);
            dot[r] = m.mul_add(factor, z, dot[r]);
            cross[r] = m.neg_mul_add(factor, x, cross[r]);
        }
        let y = m.load(col, 2 * COLS);
        for r in 0..ROWS {
            height[r] = m.mul_add(m.splat(row[3 * r + 2]), y, height[r]);
        }
    }
    [dot, cross, height]
}

/// Sums over the frames of a window of x·x' + z·z' and of x·z' − z·x'.
#[inline(always)]
pub(super) fn path_products<M: Machine>(m: M, rows: &[f32], cols: &[f32]) -> [Square<M>; 2] {
    let zero = [m.splat(0.0); ROWS];
    let (mut dot, mut cross) = (zero, zero);
    let rows = rows.as_chunks::<{ 2 * ROWS }>().0;
    let cols = cols.as_chunks::<{ 2 * COLS }>().0;
    for (row, col) in rows.iter().zip(cols) {
        let (x, z) = (m.load(col, 0), m.load(col, COLS));
        for r in 0..ROWS {
            let factor = m.splat(row[2 * r]);
            dot[r] = m.mul_add(factor, x, dot[r]);
            cross[r] = m.mul_add(factor, z, cross[r]);
            let factor = m.splat(row[2 * r + 1]);
            dot[r] = m.mul_add(factor, z, dot[r]);
            cross[r] = m.neg_mul_add(factor, x, cross[r]);
        }
    }
    [dot, cross]
}

/// Sums of `window` vectors one step apart, starting at each of the first `ROWS` steps.
#[inline(always)]
pub(super) fn window_sums<M: Machine>(
    m: M,
    window: usize,
    load: impl Fn(usize) -> M::Lanes,
) -> Square<M> {
    let mut sums = [m.splat(0.0); ROWS];
    if window < ROWS {
        for (row, sum) in sums.iter_mut().enumerate() {
            *sum = load(row);
            for step in row + 1..row + window {
                *sum = m.add(*sum, load(step));
            }
        }
        return sums;
    }
    // The vectors that all sums share, then one more on the left and on the right for each row.
    let mut shared = load(ROWS - 1);
    for step in ROWS..window {
        shared = m.add(shared, load(step));
    }
    sums[ROWS - 1] = shared;
    for row in (0..ROWS - 1).rev() {
        sums[row] = m.add(sums[row + 1], load(row));
    }
    let mut right = load(window);
    sums[1] = m.add(sums[1], right);
    for (row, sum) in sums.iter_mut().enumerate().skip(2) {
        right = m.add(right, load(window + row - 1));
        *sum = m.add(*sum, right);
    }
    sums
}

/// The same with a weight for each step of the window.
#[inline(always)]
pub(super) fn weighted_sums<M: Machine>(
    m: M,
    weights: &[f32],
    load: impl Fn(usize) -> M::Lanes,
) -> Square<M> {
    let mut sums = [m.splat(0.0); ROWS];
    for (row, sum) in sums.iter_mut().enumerate() {
        for (step, weight) in weights.iter().enumerate() {
            *sum = m.mul_add(m.splat(*weight), load(row + step), *sum);
        }
    }
    sums
}

/// The least squared error over all turns, at least `floor`; `base` has what no turn changes.
#[inline(always)]
pub(super) fn errors<M: Machine>(
    m: M,
    base: M::Lanes,
    [dot, cross]: [M::Lanes; 2],
    floor: f32,
) -> M::Lanes {
    let aligned = m.sqrt(m.mul_add(dot, dot, m.mul(cross, cross)));
    m.max(m.mul_add(m.splat(-2.0), aligned, base), m.splat(floor))
}
