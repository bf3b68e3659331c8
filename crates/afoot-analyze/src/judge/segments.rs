//! The least distance between two segments, by clamping each line's nearest point in turn.

use glam::Vec3;

/// The distance between two segments, which may be points. [m]
pub(super) fn segment_gap([a, b]: [Vec3; 2], [c, d]: [Vec3; 2]) -> f32 {
    let (along, across, between) = (b - a, d - c, a - c);
    let (aa, cc, ac) = (
        along.length_squared(),
        across.length_squared(),
        along.dot(across),
    );
    let clamp = |share: f32| {
        if share.is_finite() {
            share.clamp(0.0, 1.0)
        } else {
            0.0
        }
    };
    let spread = aa * cc - ac * ac;
    // parallel lines are equally far apart everywhere, so any start will do
    let first = match spread > 1e-6 * aa * cc {
        true => clamp((ac * across.dot(between) - cc * along.dot(between)) / spread),
        false => 0.0,
    };
    // the second segment's nearest point to that, then the first one's to this
    let second = clamp((ac * first + across.dot(between)) / cc);
    let first = clamp((ac * second - along.dot(between)) / aa);
    (between + first * along - second * across).length()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::noise;

    /// The least over many pairs of points.
    fn slow_gap([a, b]: [Vec3; 2], [c, d]: [Vec3; 2]) -> f32 {
        let shares = || (0..=200).map(|part| part as f32 / 200.0);
        let pairs = shares().flat_map(|s| shares().map(move |t| (s, t)));
        pairs
            .map(|(s, t)| a.lerp(b, s).distance(c.lerp(d, t)))
            .fold(f32::INFINITY, f32::min)
    }

    #[test]
    fn it_is_the_least_over_all_pairs_of_points() {
        for case in 0..300 {
            let point = |k: usize| {
                let part = |axis: usize| noise(100 * case + 3 * k + axis);
                Vec3::new(part(0), part(1), part(2))
            };
            let (one, other) = ([point(0), point(1)], [point(2), point(3)]);
            let (fast, slow) = (segment_gap(one, other), slow_gap(one, other));
            assert!(
                (fast - slow).abs() < 0.02,
                "case {case}: {fast}, not {slow}"
            );
            assert!(fast <= slow + 1e-5, "case {case}: {fast} above {slow}");
        }
    }

    #[test]
    fn points_and_parallels() {
        let (o, x, y) = (Vec3::ZERO, Vec3::X, Vec3::Y);
        assert_eq!(segment_gap([o, o], [y, y]), 1.0);
        assert_eq!(segment_gap([o, x], [y, y + x]), 1.0);
        assert_eq!(segment_gap([o, x], [3.0 * x, 5.0 * x]), 2.0);
        assert_eq!(segment_gap([o, o], [x - y, x + y]), 1.0);
    }
}
