//! Euler angles of many frames to quaternions at once.
//!
//! [`LANES`] frames of one joint at a time, in plain arrays that compile to vector instructions:
//! Taylor polynomials of the half angle in f32 after range reduction in f64. Off by less than
//! 10⁻⁶ rad from exact sines and cosines.

use std::f64::consts::{FRAC_PI_2, PI};

use afoot_core::Quat;

use crate::euler::Axis;

/// How many frames are converted at once.
pub const LANES: usize = 8;

/// One number for each of [`LANES`] frames, as read.
pub type Lanes = [f64; LANES];

/// The same, as computed with.
type Lanes32 = [f32; LANES];

/// Rotations of [`LANES`] frames: x, y, z, w.
#[derive(Clone, Copy, Debug)]
pub struct QuatLanes([Lanes32; 4]);

impl QuatLanes {
    /// No rotation.
    pub const IDENTITY: Self = Self([[0.0; LANES], [0.0; LANES], [0.0; LANES], [1.0; LANES]]);

    /// Then, in the turned frame, a turn about `axis` by `degrees`; up to sign, as quaternions are.
    #[inline(always)]
    pub fn turn(&mut self, axis: Axis, degrees: &Lanes) {
        let (sin, cos) = half_angle(degrees);
        let [x, y, z, w] = self.0;
        self.0 = match axis {
            Axis::X => {
                let (w, [x, y, z]) = turn_first(w, [x, y, z], &sin, &cos);
                [x, y, z, w]
            }
            Axis::Y => {
                let (w, [y, z, x]) = turn_first(w, [y, z, x], &sin, &cos);
                [x, y, z, w]
            }
            Axis::Z => {
                let (w, [z, x, y]) = turn_first(w, [z, x, y], &sin, &cos);
                [x, y, z, w]
            }
        };
    }

    /// The rotation of one frame.
    #[inline(always)]
    pub fn get(&self, lane: usize) -> Quat {
        let [x, y, z, w] = &self.0;
        Quat::from_xyzw(x[lane], y[lane], z[lane], w[lane])
    }
}

/// (w; a, b, c)·(cos; sin, 0, 0), where a, b, c is the axis and its followers in cyclic order.
#[inline(always)]
fn turn_first(
    w: Lanes32,
    [a, b, c]: [Lanes32; 3],
    sin: &Lanes32,
    cos: &Lanes32,
) -> (Lanes32, [Lanes32; 3]) {
    let turned_w = each(|i| w[i] * cos[i] - a[i] * sin[i]);
    let turned_a = each(|i| a[i] * cos[i] + w[i] * sin[i]);
    let turned_b = each(|i| b[i] * cos[i] + c[i] * sin[i]);
    let turned_c = each(|i| c[i] * cos[i] - b[i] * sin[i]);
    (turned_w, [turned_a, turned_b, turned_c])
}

/// Sine and cosine of half the angles, both with the same arbitrary sign.
#[inline(always)]
fn half_angle(degrees: &Lanes) -> (Lanes32, Lanes32) {
    // Adding and taking away 1.5·2⁵² rounds to whole numbers without an instruction for it.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let x = each(|i| {
        let turns = degrees[i] * (1.0 / 360.0);
        // A whole turn changes both signs. Angles beyond 10¹⁷ degrees have no meaning; the clamp
        // keeps their quaternions of unit length.
        let part = turns - ((turns + ROUND) - ROUND);
        (part * PI).clamp(-FRAC_PI_2, FRAC_PI_2) as f32
    });
    let xx = each(|i| x[i] * x[i]);
    let (sin, cos) = (polynomial(&xx, &SIN), polynomial(&xx, &COS));
    (each(|i| x[i] * sin[i]), cos)
}

/// Taylor coefficients in x², highest first; beyond them less than 6·10⁻⁸ is left on ±π/2.
const SIN: [f32; 6] = [
    -1.0 / 39_916_800.0,
    1.0 / 362_880.0,
    -1.0 / 5_040.0,
    1.0 / 120.0,
    -1.0 / 6.0,
    1.0,
];
const COS: [f32; 7] = [
    1.0 / 479_001_600.0,
    -1.0 / 3_628_800.0,
    1.0 / 40_320.0,
    -1.0 / 720.0,
    1.0 / 24.0,
    -1.0 / 2.0,
    1.0,
];

#[inline(always)]
fn polynomial<const N: usize>(x: &Lanes32, coefficients: &[f32; N]) -> Lanes32 {
    let mut sum = [coefficients[0]; LANES];
    for &coefficient in &coefficients[1..] {
        sum = each(|i| sum[i] * x[i] + coefficient);
    }
    sum
}

/// The lanes computed one by one, in a form that compiles to vector instructions.
#[inline(always)]
fn each(lane: impl Fn(usize) -> f32) -> Lanes32 {
    std::array::from_fn(lane)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::euler::tests::{all_orders, apart, reference};
    use afoot_core::Vec3;

    #[test]
    fn lanes_agree_with_sines_and_cosines() {
        let mut worst = 0.0_f64;
        for step in -2000..2000 {
            let degrees = f64::from(step) * 0.731;
            for axes in all_orders() {
                let angles = [degrees, degrees * 0.37 - 50.0, 111.0 - degrees * 1.7];
                let mut lanes = QuatLanes::IDENTITY;
                for (&axis, &angle) in axes.iter().zip(&angles) {
                    lanes.turn(axis, &[angle; LANES]);
                }
                let found = [0, 1, 2, 3].map(|i| f64::from(lanes.0[i][5]));
                worst = worst.max(apart(found, reference(&axes, &angles.map(f64::to_radians))));
            }
        }
        assert!(worst < 1e-6, "off by {worst:e} rad");
    }

    #[test]
    fn huge_angles_stay_unit_quaternions() {
        for degrees in [1e17, -3e29, 1e30] {
            let mut lanes = QuatLanes::IDENTITY;
            lanes.turn(Axis::Y, &[degrees; LANES]);
            assert!((lanes.get(0).length() - 1.0).abs() < 1e-6, "{degrees:e}");
        }
    }

    #[test]
    fn the_axes_turn_as_glam_turns_them() {
        let mut lanes = QuatLanes::IDENTITY;
        lanes.turn(Axis::Z, &[30.0; LANES]);
        lanes.turn(Axis::X, &[-70.0; LANES]);
        let glam = Quat::from_rotation_z(30_f32.to_radians())
            * Quat::from_rotation_x(-70_f32.to_radians());
        let v = Vec3::new(0.3, -1.0, 2.0);
        assert!((lanes.get(3) * v - glam * v).length() < 1e-6);
    }
}
