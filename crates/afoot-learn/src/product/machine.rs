//! The tile of products on the registers that the machine has.
//!
//! AVX-512: 24 of 32 registers hold the tile, as 12 by two of 16. AVX2: four quarters of 6 by two of 8.
//! Elsewhere plain code, whose fused multiply-adds may be slow: the bits are worth more than the
//! time there.

use std::sync::OnceLock;

/// Rows in a left panel.
pub(crate) const LEFT: usize = 12;
/// Rows in a right panel.
pub(crate) const RIGHT: usize = 32;
/// The products of a left panel's rows with a right panel's.
pub(crate) type Tile = [[f32; RIGHT]; LEFT];

/// What the machine can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Machine {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Portable,
}

fn machine() -> Machine {
    static MACHINE: OnceLock<Machine> = OnceLock::new();
    *MACHINE.get_or_init(|| {
        #[cfg(target_arch = "x86_64")]
        {
            if has_avx512() {
                return Machine::Avx512;
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                return Machine::Avx2;
            }
        }
        Machine::Portable
    })
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    let wide = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq");
    let parts = is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vl");
    wide && parts && is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

/// All products of two panels of equal width.
pub(crate) fn dot_tile(left: &[f32], right: &[f32], tile: &mut Tile) {
    assert_eq!(
        left.len() / LEFT,
        right.len() / RIGHT,
        "panels of one width"
    );
    dot_tile_on(machine(), left, right, tile);
}

#[allow(unsafe_code)] // each call: on a machine whose features were detected
fn dot_tile_on(machine: Machine, left: &[f32], right: &[f32], tile: &mut Tile) {
    match machine {
        // SAFETY: the features that the functions are compiled for were detected.
        #[cfg(target_arch = "x86_64")]
        Machine::Avx512 => unsafe { wide::dot_tile_512(left, right, tile) },
        #[cfg(target_arch = "x86_64")]
        Machine::Avx2 => unsafe { wide::dot_tile_256(left, right, tile) },
        Machine::Portable => dot_tile_plain(left, right, tile),
    }
}

fn dot_tile_plain(left: &[f32], right: &[f32], tile: &mut Tile) {
    *tile = [[0.0; RIGHT]; LEFT];
    let (left, right) = (left.as_chunks::<LEFT>().0, right.as_chunks::<RIGHT>().0);
    for (left, right) in left.iter().zip(right) {
        for (row, left) in tile.iter_mut().zip(left) {
            for (sum, right) in row.iter_mut().zip(right) {
                *sum = left.mul_add(*right, *sum);
            }
        }
    }
}

/// Loops over numbers that are worth compiling for wide registers: mark `run` with
/// `#[inline(always)]`, and fuse by `mul_add` or not at all, so that the bits stay the same.
pub(crate) trait Wide {
    /// What comes of it.
    type Output;
    /// Does the work.
    fn run(self) -> Self::Output;
}

/// Runs a loop on the widest registers there are.
pub(crate) fn run_wide<W: Wide>(work: W) -> W::Output {
    run_wide_on(machine(), work)
}

#[allow(unsafe_code)] // each call: on a machine whose features were detected
fn run_wide_on<W: Wide>(machine: Machine, work: W) -> W::Output {
    match machine {
        // SAFETY: the features that the functions are compiled for were detected.
        #[cfg(target_arch = "x86_64")]
        Machine::Avx512 => unsafe { wide::run_512(work) },
        #[cfg(target_arch = "x86_64")]
        Machine::Avx2 => unsafe { wide::run_256(work) },
        Machine::Portable => work.run(),
    }
}

/// exp(x) = 2ⁿ·exp(r), |r| ≤ ln 2 / 2, with n by rounding (adding 1.5·2²³ leaves it in the low bits) and
/// exp(r) by its series to r⁷, which is off by 5·10⁻⁹ there. For x at most 0; below −87 as at −87.
#[inline(always)]
pub(crate) fn exponential(x: f32) -> f32 {
    const ROUND: f32 = 12_582_912.0;
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    const SERIES: [f32; 6] = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0];
    let x = if x < -87.0 { -87.0 } else { x };
    let shifted = x.mul_add(std::f32::consts::LOG2_E, ROUND);
    let n = shifted - ROUND;
    let r = (-n).mul_add(LN2_LOW, (-n).mul_add(LN2_HIGH, x));
    let mut sum = 1.0 / 5040.0;
    for term in SERIES {
        sum = r.mul_add(sum, term);
    }
    sum = r.mul_add(sum, 1.0);
    let power = shifted.to_bits().wrapping_sub(ROUND.to_bits());
    f32::from_bits(sum.to_bits().wrapping_add(power << 23))
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)] // loads and stores: each within a chunk of the length that is read
mod wide {
    use std::arch::x86_64::*;
    use std::array::from_fn;

    use super::{LEFT, RIGHT, Tile, Wide};

    #[target_feature(enable = "avx512f")]
    pub(super) fn dot_tile_512(left: &[f32], right: &[f32], tile: &mut Tile) {
        let (left, right) = (left.as_chunks::<LEFT>().0, right.as_chunks::<RIGHT>().0);
        let mut sums = [[_mm512_setzero_ps(); 2]; LEFT];
        for (left, right) in left.iter().zip(right) {
            // SAFETY: 32 numbers are two of 16.
            let right = unsafe {
                [
                    _mm512_loadu_ps(right.as_ptr()),
                    _mm512_loadu_ps(right.as_ptr().add(16)),
                ]
            };
            for (sum, left) in sums.iter_mut().zip(left) {
                let left = _mm512_set1_ps(*left);
                sum[0] = _mm512_fmadd_ps(left, right[0], sum[0]);
                sum[1] = _mm512_fmadd_ps(left, right[1], sum[1]);
            }
        }
        for (row, sum) in tile.iter_mut().zip(sums) {
            // SAFETY: a row has 32 numbers.
            unsafe {
                _mm512_storeu_ps(row.as_mut_ptr(), sum[0]);
                _mm512_storeu_ps(row.as_mut_ptr().add(16), sum[1]);
            }
        }
    }

    #[target_feature(enable = "avx2,fma")]
    pub(super) fn dot_tile_256(left: &[f32], right: &[f32], tile: &mut Tile) {
        for (half, rows) in tile.chunks_exact_mut(LEFT / 2).enumerate() {
            for side in [0, RIGHT / 2] {
                let sums = quarter(left, right, [half * (LEFT / 2), side]);
                for (row, sum) in rows.iter_mut().zip(sums) {
                    let row = &mut row[side..side + RIGHT / 2];
                    // SAFETY: half a row has 16 numbers.
                    unsafe {
                        _mm256_storeu_ps(row.as_mut_ptr(), sum[0]);
                        _mm256_storeu_ps(row.as_mut_ptr().add(8), sum[1]);
                    }
                }
            }
        }
    }

    /// Six by sixteen products, from a row and a column of the tile on.
    #[target_feature(enable = "avx2,fma")]
    fn quarter(left: &[f32], right: &[f32], [row, column]: [usize; 2]) -> [[__m256; 2]; LEFT / 2] {
        let (left, right) = (left.as_chunks::<LEFT>().0, right.as_chunks::<RIGHT>().0);
        let mut sums = [[_mm256_setzero_ps(); 2]; LEFT / 2];
        for (left, right) in left.iter().zip(right) {
            let right = &right[column..column + RIGHT / 2];
            // SAFETY: 16 numbers are two of 8.
            let right = unsafe {
                [
                    _mm256_loadu_ps(right.as_ptr()),
                    _mm256_loadu_ps(right.as_ptr().add(8)),
                ]
            };
            let left: [f32; LEFT / 2] = from_fn(|lane| left[row + lane]);
            for (sum, left) in sums.iter_mut().zip(left) {
                let left = _mm256_set1_ps(left);
                sum[0] = _mm256_fmadd_ps(left, right[0], sum[0]);
                sum[1] = _mm256_fmadd_ps(left, right[1], sum[1]);
            }
        }
        sums
    }

    #[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx2,fma")]
    pub(super) fn run_512<W: Wide>(work: W) -> W::Output {
        work.run()
    }

    #[target_feature(enable = "avx2,fma")]
    pub(super) fn run_256<W: Wide>(work: W) -> W::Output {
        work.run()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::product::Panels;
    use afoot_search::Random;

    /// Every machine that this one can be.
    fn machines() -> Vec<Machine> {
        let mut all = vec![Machine::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                all.push(Machine::Avx2);
            }
            if has_avx512() {
                all.push(Machine::Avx512);
            }
        }
        all
    }

    #[test]
    fn products_are_sums_and_the_same_bits_everywhere() {
        for width in [1, 3, 8, 270] {
            let mut random = Random::new(width as u64);
            let mut rows = |count: usize| -> Vec<f32> {
                let value = |_| random.between(-2.0, 2.0) as f32;
                (0..count * width).map(value).collect()
            };
            let (left, right) = (rows(LEFT), rows(RIGHT - 3));
            let origin = vec![0.0; width];
            let lefts = Panels::<LEFT>::new(left.chunks_exact(width), &origin);
            let rights = Panels::<RIGHT>::new(right.chunks_exact(width), &origin);
            let mut plain = [[9.0; RIGHT]; LEFT];
            dot_tile_plain(lefts.panel(0), rights.panel(0), &mut plain);
            for (row, values) in plain.iter().enumerate() {
                for (column, value) in values.iter().enumerate() {
                    let exact: f64 = match column < RIGHT - 3 {
                        false => 0.0,
                        true => (0..width)
                            .map(|k| {
                                f64::from(left[row * width + k])
                                    * f64::from(right[column * width + k])
                            })
                            .sum(),
                    };
                    assert!((f64::from(*value) - exact).abs() < 1e-3, "{row} {column}");
                }
            }
            for machine in machines() {
                let mut tile = [[7.0; RIGHT]; LEFT];
                dot_tile_on(machine, lefts.panel(0), rights.panel(0), &mut tile);
                assert_eq!(tile, plain, "{machine:?}, width {width}");
            }
        }
    }

    struct Exponentials<'a>(&'a mut [f32]);

    impl Wide for Exponentials<'_> {
        type Output = ();
        #[inline(always)]
        fn run(self) {
            self.0.iter_mut().for_each(|x| *x = exponential(*x));
        }
    }

    #[test]
    fn exponentials_are_right_and_the_same_bits_everywhere() {
        let inputs: Vec<f32> = (0..20_000).map(|step| -0.005 * step as f32).collect();
        let mut plain = inputs.clone();
        Exponentials(&mut plain).run();
        for (x, found) in inputs.iter().zip(&plain) {
            let exact = f64::from(*x).exp();
            let off = (f64::from(*found) - exact).abs();
            assert!(off <= 4e-7 * exact + 2e-38, "exp({x}) = {found}");
        }
        assert_eq!(plain[0], 1.0);
        for machine in machines() {
            let mut values = inputs.clone();
            run_wide_on(machine, Exponentials(&mut values));
            assert_eq!(values, plain, "{machine:?}");
        }
    }
}
