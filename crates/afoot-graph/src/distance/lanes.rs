//! Eight f32 at a time: the few operations that the kernels need, on AVX2 or on any machine.
//!
//! Both machines round the same way (`mul_add` once, `sqrt` correctly), so both give the same bytes;
//! without fused multiply-add in hardware that is paid for in time. Plain arrays alone would do,
//! but the compiler turns some of the kernels' loops into vectors of rows, four times slower.

/// Numbers in a vector.
pub(super) const WIDTH: usize = 8;

/// A way to compute with vectors; a value of it is the proof that it can be used.
pub(super) trait Machine: Copy {
    /// A vector.
    type Lanes: Copy;
    fn splat(self, value: f32) -> Self::Lanes;
    fn load(self, from: &[f32], at: usize) -> Self::Lanes;
    fn store(self, to: &mut [f32], at: usize, lanes: Self::Lanes);
    fn add(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes;
    fn mul(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes;
    /// a·b + c
    fn mul_add(self, a: Self::Lanes, b: Self::Lanes, c: Self::Lanes) -> Self::Lanes;
    /// c − a·b
    fn neg_mul_add(self, a: Self::Lanes, b: Self::Lanes, c: Self::Lanes) -> Self::Lanes;
    fn sqrt(self, a: Self::Lanes) -> Self::Lanes;
    /// a where it is larger, else b.
    fn max(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes;
}

/// Any machine.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl Machine for Portable {
    type Lanes = [f32; WIDTH];

    fn splat(self, value: f32) -> Self::Lanes {
        [value; WIDTH]
    }

    fn load(self, from: &[f32], at: usize) -> Self::Lanes {
        let mut lanes = [0.0; WIDTH];
        lanes.copy_from_slice(&from[at..at + WIDTH]);
        lanes
    }

    fn store(self, to: &mut [f32], at: usize, lanes: Self::Lanes) {
        to[at..at + WIDTH].copy_from_slice(&lanes);
    }

    fn add(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes {
        std::array::from_fn(|lane| a[lane] + b[lane])
    }

    fn mul(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes {
        std::array::from_fn(|lane| a[lane] * b[lane])
    }

    fn mul_add(self, a: Self::Lanes, b: Self::Lanes, c: Self::Lanes) -> Self::Lanes {
        std::array::from_fn(|lane| a[lane].mul_add(b[lane], c[lane]))
    }

    fn neg_mul_add(self, a: Self::Lanes, b: Self::Lanes, c: Self::Lanes) -> Self::Lanes {
        std::array::from_fn(|lane| (-a[lane]).mul_add(b[lane], c[lane]))
    }

    fn sqrt(self, a: Self::Lanes) -> Self::Lanes {
        a.map(f32::sqrt)
    }

    fn max(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes {
        std::array::from_fn(|lane| if a[lane] > b[lane] { a[lane] } else { b[lane] })
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Avx2;

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)] // each block: an `Avx2` exists only where both features were detected
mod avx2 {
    use std::arch::x86_64::*;

    use super::{Machine, WIDTH};

    /// A machine with AVX2 and fused multiply-add.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Avx2(());

    impl Avx2 {
        /// This machine, if it has both.
        pub fn detect() -> Option<Self> {
            (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"))
                .then_some(Self(()))
        }
    }

    impl Machine for Avx2 {
        type Lanes = __m256;

        #[inline(always)]
        fn splat(self, value: f32) -> __m256 {
            // SAFETY: `self` proves AVX.
            unsafe { _mm256_set1_ps(value) }
        }

        #[inline(always)]
        fn load(self, from: &[f32], at: usize) -> __m256 {
            let from = &from[at..at + WIDTH];
            // SAFETY: eight numbers were just sliced; `self` proves AVX.
            unsafe { _mm256_loadu_ps(from.as_ptr()) }
        }

        #[inline(always)]
        fn store(self, to: &mut [f32], at: usize, lanes: __m256) {
            let to = &mut to[at..at + WIDTH];
            // SAFETY: eight numbers were just sliced; `self` proves AVX.
            unsafe { _mm256_storeu_ps(to.as_mut_ptr(), lanes) }
        }

        #[inline(always)]
        fn add(self, a: __m256, b: __m256) -> __m256 {
            // SAFETY: `self` proves AVX.
            unsafe { _mm256_add_ps(a, b) }
        }

        #[inline(always)]
        fn mul(self, a: __m256, b: __m256) -> __m256 {
            // SAFETY: `self` proves AVX.
            unsafe { _mm256_mul_ps(a, b) }
        }

        #[inline(always)]
        fn mul_add(self, a: __m256, b: __m256, c: __m256) -> __m256 {
            // SAFETY: `self` proves FMA.
            unsafe { _mm256_fmadd_ps(a, b, c) }
        }

        #[inline(always)]
        fn neg_mul_add(self, a: __m256, b: __m256, c: __m256) -> __m256 {
            // SAFETY: `self` proves FMA.
            unsafe { _mm256_fnmadd_ps(a, b, c) }
        }

        #[inline(always)]
        fn sqrt(self, a: __m256) -> __m256 {
            // SAFETY: `self` proves AVX.
            unsafe { _mm256_sqrt_ps(a) }
        }

        #[inline(always)]
        fn max(self, a: __m256, b: __m256) -> __m256 {
            // SAFETY: `self` proves AVX.
            unsafe { _mm256_max_ps(a, b) }
        }
    }
}
