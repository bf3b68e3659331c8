//! Rotations as angles about any list of axes.
//!
//! A list of axes c₁ c₂ … with angles means the rotation R(c₁)·R(c₂)·…, column vectors. From angles
//! to rotations: see `lanes`. Back with the direct formula of Bernardes and Viollet 2022 (PLoS ONE
//! 17(11)), which serves all twelve orders and is exact near the singular ones; of the two
//! solutions and their whole turns the one nearest to the frame before is taken. Fewer than three
//! axes can't say every rotation: the caller gets the nearest they can say, and the error.

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
pub(crate) mod tests {
    use super::*;

    pub(crate) const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

    /// Axis rotations multiplied out in f64.
    pub(crate) fn reference(axes: &[Axis], angles: &[f64]) -> Quat64 {
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
    pub(crate) fn apart(a: Quat64, b: Quat64) -> f64 {
        let minus: f64 = a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum();
        let plus: f64 = a.iter().zip(b).map(|(x, y)| (x + y).powi(2)).sum();
        2.0 * minus.min(plus).sqrt()
    }

    pub(crate) fn all_orders() -> Vec<[Axis; 3]> {
        let all = AXES
            .into_iter()
            .flat_map(|a| AXES.into_iter().map(move |b| (a, b)));
        let all = all.flat_map(|(a, b)| AXES.into_iter().map(move |c| [a, b, c]));
        all.filter(|[a, b, c]| a != b && b != c).collect()
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
