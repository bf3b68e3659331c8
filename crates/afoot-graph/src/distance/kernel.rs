//! The two small products that everything rests on, for blocks of `ROWS` by `COLS` frames.
//!
//! Plain lane code on `[f32; 8]`; `sweep` compiles it once for AVX2 with fused multiply-add and
//! once for any machine. `mul_add` rounds once on both, so the bytes are the same.

use super::features::{COLS, ROWS};

/// A vector of columns.
pub(super) type Lanes = [f32; COLS];

/// One number per frame pair of a block.
pub(super) type Square = [Lanes; ROWS];

/// Sums over the points of x·x' + z·z', of x·z' − z·x', and of y·y'.
#[inline(always)]
pub(super) fn body_products(rows: &[f32], cols: &[f32]) -> [Square; 3] {
    let (mut dot, mut cross, mut height) = (
        [[0.0; COLS]; ROWS],
        [[0.0; COLS]; ROWS],
        [[0.0; COLS]; ROWS],
    );
    let rows = rows.as_chunks::<{ 3 * ROWS }>().0;
    let cols = cols.as_chunks::<{ 3 * COLS }>().0;
    for (row, col) in rows.iter().zip(cols) {
        let (x, z, y) = (lanes(col, 0), lanes(col, 1), lanes(col, 2));
        for r in 0..ROWS {
            add_product(&mut dot[r], row[r], &x);
            add_product(&mut cross[r], row[r], &z);
            add_product(&mut dot[r], row[ROWS + r], &z);
            add_product(&mut cross[r], -row[ROWS + r], &x);
            add_product(&mut height[r], row[2 * ROWS + r], &y);
        }
    }
    [dot, cross, height]
}

/// `dot` and `cross` with the window's sums of x·x' + z·z' and of x·z' − z·x' added.
#[inline(always)]
pub(super) fn with_path_products(
    rows: &[f32],
    cols: &[f32],
    [mut dot, mut cross]: [Square; 2],
) -> [Square; 2] {
    let rows = rows.as_chunks::<{ 2 * ROWS }>().0;
    let cols = cols.as_chunks::<{ 2 * COLS }>().0;
    for (row, col) in rows.iter().zip(cols) {
        let (x, z) = (lanes(col, 0), lanes(col, 1));
        for r in 0..ROWS {
            add_product(&mut dot[r], row[r], &x);
            add_product(&mut cross[r], row[r], &z);
            add_product(&mut dot[r], row[ROWS + r], &z);
            add_product(&mut cross[r], -row[ROWS + r], &x);
        }
    }
    [dot, cross]
}

#[inline(always)]
fn lanes<const N: usize>(panel: &[f32; N], number: usize) -> Lanes {
    let mut out = [0.0; COLS];
    out.copy_from_slice(&panel[number * COLS..][..COLS]);
    out
}

#[inline(always)]
fn add_product(sum: &mut Lanes, factor: f32, with: &Lanes) {
    for (sum, with) in sum.iter_mut().zip(with) {
        *sum = factor.mul_add(*with, *sum);
    }
}
