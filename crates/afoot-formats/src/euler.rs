//! Euler angles to quaternions and back, for any list of rotation axes.
//!
//! A list of axes c₁ c₂ … with angles means the rotation R(c₁)·R(c₂)·…, column vectors. Forwards,
//! [`LANES`] frames of one joint at a time, with Taylor polynomials of the half angle in f32 after
//! range reduction in f64 (error below 10⁻⁶ rad). Backwards with the direct formula of Bernardes and Viollet 2022 (PLoS ONE
//! 17(11)), which serves all twelve orders and is exact near the singular ones; of the two
//! solutions and their whole turns the one nearest to the frame before is taken. Fewer than three
//! axes can't say every rotation: the caller gets the nearest on their circle and the error.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use afoot_core::Quat;

/// An axis of rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Axis {
    X = 0,
    Y = 1,
    Z = 2,
}

impl Axis {
    /// The third axis beside two different ones.
    fn third(self, other: Self) -> Self {
        [Self::X, Self::Y, Self::Z][3 - self as usize - other as usize]
    }
}

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

/// A quaternion in f64: x, y, z, w.
pub type Quat64 = [f64; 4];

/// `rotation` in f64, of unit length; identity if it has none.
pub fn unit_quat64(rotation: Quat) -> Quat64 {
    let q = rotation.to_array().map(f64::from);
    let length = q.iter().map(|v| v * v).sum::<f64>().sqrt();
    match length > 1e-12 && length.is_finite() {
        true => q.map(|v| v / length),
        false => [0.0, 0.0, 0.0, 1.0],
    }
}

/// Angles about three axes, neighbours different, that make `q`; the solution nearest to
/// `previous`, whole turns included. [rad]
pub fn three_angles(q: Quat64, axes: [Axis; 3], previous: [f64; 3]) -> [f64; 3] {
    let [first, second, third] = axes;
    let proper = first == third;
    // The formula is for turns about fixed axes, which come in the opposite order.
    let (i, j) = (third as usize, second as usize);
    let k = if proper {
        third.third(second) as usize
    } else {
        first as usize
    };
    let sign = if (i + 1) % 3 == j { 1.0 } else { -1.0 };
    let (qi, qj, qk, w) = (q[i], q[j], q[k] * sign, q[3]);
    let (a, b, c, d) = match proper {
        true => (w, qi, qj, qk),
        false => (w - qj, qi + qk, qj + w, qk - qi),
    };
    let (even, odd) = ((a * a + b * b).sqrt(), (c * c + d * d).sqrt());
    let middle = 2.0 * odd.atan2(even);
    let (sum, difference) = (b.atan2(a), d.atan2(c));
    // At the singular ends one of the two is noise: keep the first angle as it was instead.
    const SINGULAR: f64 = 1e-7;
    let previous_outer = if proper {
        previous[0]
    } else {
        previous[0] * sign
    };
    let (sum, difference) = match (even < SINGULAR, odd < SINGULAR) {
        (true, _) => (previous_outer - difference, difference),
        (_, true) => (sum, previous_outer - sum),
        _ => (sum, difference),
    };
    let (outer, inner) = (sum + difference, sum - difference);
    let angles = match proper {
        true => [outer, middle, inner],
        false => [outer * sign, middle - FRAC_PI_2, inner],
    };
    nearest_solution(angles, proper, previous)
}

/// Of the two solutions, each up to whole turns, the one nearer to `previous`.
fn nearest_solution(angles: [f64; 3], proper: bool, previous: [f64; 3]) -> [f64; 3] {
    let flipped_middle = if proper { -angles[1] } else { PI - angles[1] };
    let flipped = [angles[0] + PI, flipped_middle, angles[2] + PI];
    let near = |angles: [f64; 3]| {
        let mut near = angles;
        (0..3).for_each(|i| near[i] = nearest_turn(angles[i], previous[i]));
        near
    };
    let distance = |angles: &[f64; 3]| -> f64 {
        angles
            .iter()
            .zip(&previous)
            .map(|(a, b)| (a - b).abs())
            .sum()
    };
    let (one, other) = (near(angles), near(flipped));
    // A margin, so that rounding doesn't choose between equals.
    if distance(&other) + 1e-9 < distance(&one) {
        other
    } else {
        one
    }
}

/// `angle` plus the whole turns that bring it nearest to `previous`.
pub fn nearest_turn(angle: f64, previous: f64) -> f64 {
    match angle - previous {
        // The usual case, without the cost of rounding.
        near if near.abs() <= PI => angle,
        far => angle - TAU * (far / TAU).round(),
    }
}

/// Angles about two different axes that come nearest to `q`: the third of [`three_angles`] left
/// out, of whichever solution has it smaller; that error comes second. [rad]
pub fn two_angles(q: Quat64, axes: [Axis; 2], previous: [f64; 2]) -> ([f64; 2], f64) {
    let all = [axes[0], axes[1], axes[0].third(axes[1])];
    let [a, b, c] = three_angles(q, all, [previous[0], previous[1], 0.0]);
    let flipped = [a + PI, PI - b, c + PI];
    let error = |c: f64| nearest_turn(c, 0.0).abs();
    let [a, b, c] = if error(flipped[2]) < error(c) {
        flipped
    } else {
        [a, b, c]
    };
    (
        [nearest_turn(a, previous[0]), nearest_turn(b, previous[1])],
        error(c),
    )
}

/// The turn about one axis that comes nearest to `q`, and the angle it is off by. [rad]
pub fn one_angle(q: Quat64, axis: Axis, previous: f64) -> (f64, f64) {
    let (along, w) = (q[axis as usize], q[3]);
    let rest = (0..3)
        .filter(|&i| i != axis as usize)
        .map(|i| q[i] * q[i])
        .sum::<f64>();
    let angle = nearest_turn(2.0 * along.atan2(w), previous);
    (angle, 2.0 * rest.sqrt().min(1.0).asin())
}

#[cfg(test)]
mod tests {
    use super::*;
    use afoot_core::Vec3;

    const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

    /// Axis rotations multiplied out in f64.
    fn reference(axes: &[Axis], angles: &[f64]) -> Quat64 {
        let mut q = [0.0, 0.0, 0.0, 1.0];
        for (&axis, &angle) in axes.iter().zip(angles) {
            let mut turn = [0.0, 0.0, 0.0, (angle / 2.0).cos()];
            turn[axis as usize] = (angle / 2.0).sin();
            let ([x, y, z, w], [a, b, c, d]) = (q, turn);
            q = [
                w * a + x * d + y * c - z * b,
                w * b + y * d + z * a - x * c,
                w * c + z * d + x * b - y * a,
                w * d - x * a - y * b - z * c,
            ];
        }
        q
    }

    /// Angle between two rotations.
    fn apart(a: Quat64, b: Quat64) -> f64 {
        let minus: f64 = a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum();
        let plus: f64 = a.iter().zip(b).map(|(x, y)| (x + y).powi(2)).sum();
        2.0 * minus.min(plus).sqrt()
    }

    fn all_orders() -> Vec<[Axis; 3]> {
        let all = AXES
            .into_iter()
            .flat_map(|a| AXES.into_iter().map(move |b| (a, b)));
        let all = all.flat_map(|(a, b)| AXES.into_iter().map(move |c| [a, b, c]));
        all.filter(|[a, b, c]| a != b && b != c).collect()
    }

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

    #[test]
    fn angles_in_all_twelve_orders_make_the_rotation_again() {
        for axes in all_orders() {
            for step in 0..4000 {
                let s = f64::from(step);
                let angles = [s * 0.171, (s * 0.05).sin() * PI, s * -0.313];
                let q = reference(&axes, &angles);
                let found = three_angles(q, axes, [0.1, 0.2, 0.3]);
                let error = apart(q, reference(&axes, &found));
                assert!(
                    error < 1e-7,
                    "{axes:?} {angles:?} gave {found:?}, off by {error:e}"
                );
            }
        }
    }

    #[test]
    fn singular_rotations_keep_the_first_angle() {
        for axes in all_orders() {
            let middles = if axes[0] == axes[2] {
                [0.0, PI]
            } else {
                [FRAC_PI_2, -FRAC_PI_2]
            };
            for middle in middles {
                let angles = [0.4, middle, -0.9];
                let q = reference(&axes, &angles);
                let found = three_angles(q, axes, [0.35, middle, -0.8]);
                assert!(
                    apart(q, reference(&axes, &found)) < 1e-7,
                    "{axes:?} {middle}"
                );
                assert!(
                    (found[0] - 0.35).abs() < 1e-6,
                    "{axes:?} {middle}: {found:?}"
                );
            }
        }
    }

    #[test]
    fn a_turning_joint_never_jumps() {
        for axes in all_orders() {
            let mut previous = [0.0; 3];
            for step in 0..2000 {
                let t = f64::from(step) * 0.01;
                // The middle angle passes its singular place slowly in no order: it stays inside.
                let middle = if axes[0] == axes[2] { 1.5 } else { 0.0 } + 0.8 * (t * 0.7).sin();
                let angles = [t * 1.9, middle, -t * 1.1];
                let found = three_angles(reference(&axes, &angles), axes, previous);
                let jump = (0..3)
                    .map(|i| (found[i] - previous[i]).abs())
                    .fold(0.0, f64::max);
                assert!(
                    step == 0 || jump < 0.05,
                    "{axes:?} at {step}: {previous:?} {found:?}"
                );
                previous = found;
            }
        }
    }

    #[test]
    fn fewer_axes_say_what_they_can_and_how_much_they_can_not() {
        for axis in AXES {
            let (angle, error) = one_angle(reference(&[axis], &[2.5]), axis, 2.0 + TAU);
            assert!(
                (angle - 2.5 - TAU).abs() < 1e-9 && error < 1e-7,
                "{angle} {error}"
            );
        }
        let (_, error) = one_angle(reference(&[Axis::Y], &[0.5]), Axis::X, 0.0);
        assert!((error - 0.5).abs() < 1e-9);
        for [a, b, _] in all_orders() {
            for pair in [[0.4, -2.9], [-3.0, 1.2], [2.0, 2.0]] {
                let q = reference(&[a, b], &pair);
                let (found, error) = two_angles(q, [a, b], [0.0, 0.0]);
                assert!(error < 1e-7, "{a:?}{b:?} {pair:?}: {error}");
                assert!(
                    apart(q, reference(&[a, b], &found)) < 1e-7,
                    "{a:?}{b:?} {pair:?}"
                );
            }
        }
    }
}
