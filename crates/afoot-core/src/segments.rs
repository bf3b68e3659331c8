//! Where two segments come nearest, by clamping each line's nearest point in turn (Ericson 2005, §5.1.9).

use glam::Vec3;

/// The shortest way between two segments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentGap {
    /// From the second segment to the first. [m]
    pub way: Vec3,
    /// How far along each it ends. [0 to 1]
    pub shares: [f32; 2],
}

impl SegmentGap {
    /// How far apart the segments are. [m]
    pub fn length(&self) -> f32 {
        self.way.length()
    }
}

/// The shortest way between two segments, which may be points. Of parallel ones, which are equally far apart
/// along a stretch, it is taken from the first one's middle, or from the end nearest to it that has one.
pub fn segment_gap([a, b]: [Vec3; 2], [c, d]: [Vec3; 2]) -> SegmentGap {
    let (u, v, w) = (b - a, d - c, a - c);
    let (uu, uv, vv, uw, vw) = (u.dot(u), u.dot(v), v.dot(v), u.dot(w), v.dot(w));
    let share = |along: f32, length: f32| match length > SHORT {
        true => (along / length).clamp(0.0, 1.0),
        false => 0.0,
    };
    let across = uu * vv - uv * uv;
    let first = match across > PARALLEL * uu * vv {
        true => ((uv * vw - vv * uw) / across).clamp(0.0, 1.0),
        false => 0.5,
    };
    // The second segment's nearest point to that, then the first one's to this.
    let second = share(uv * first + vw, vv);
    let first = share(uv * second - uw, uu);
    SegmentGap {
        way: w + u * first - v * second,
        shares: [first, second],
    }
}

/// A segment whose squared length is below is a point: 0.03 mm. [m²]
const SHORT: f32 = 1e-9;
/// Squared sine of an angle below which lines count as parallel, since f32 does not tell: 0.06°.
const PARALLEL: f32 = 1e-6;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The least over many pairs of points.
    fn slow_gap([a, b]: [Vec3; 2], [c, d]: [Vec3; 2]) -> f32 {
        let shares = || (0..=200).map(|part| part as f32 / 200.0);
        let pairs = shares().flat_map(|s| shares().map(move |t| (s, t)));
        pairs
            .map(|(s, t)| a.lerp(b, s).distance(c.lerp(d, t)))
            .fold(f32::INFINITY, f32::min)
    }

    fn point() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-1.0f32..1.0).prop_map(Vec3::from)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]
        #[test]
        fn it_is_the_least_over_all_pairs_of_points(a in point(), b in point(), c in point(), d in point()) {
            let (gap, slow) = (segment_gap([a, b], [c, d]), slow_gap([a, b], [c, d]));
            prop_assert!((gap.length() - slow).abs() < 0.02, "{} m, {slow} m by trying", gap.length());
            prop_assert!(gap.length() <= slow + 1e-5, "{} m, {slow} m by trying", gap.length());
            let ends = a.lerp(b, gap.shares[0]) - c.lerp(d, gap.shares[1]);
            prop_assert!(ends.distance(gap.way) < 1e-5);
        }
    }

    #[test]
    fn points_and_parallels() {
        let gap = |one, two| segment_gap(one, two).length();
        let (o, x, y) = (Vec3::ZERO, Vec3::X, Vec3::Y);
        assert_eq!(gap([o, o], [y, y]), 1.0);
        assert_eq!(gap([o, x], [y, y + x]), 1.0);
        assert_eq!(gap([o, x], [3.0 * x, 5.0 * x]), 2.0);
        assert_eq!(gap([o, o], [x - y, x + y]), 1.0);
        assert_eq!(segment_gap([o, x], [y, y + x]).shares, [0.5, 0.5]);
    }
}
