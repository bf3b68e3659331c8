//! Legs that don't pass through each other: a free foot is pushed aside where the offsets of the two
//! feet would bring their shins nearer than the played frame has them.

use afoot_core::Vec3;

use super::leg::PlacedLeg;

/// Shins this far apart are far enough, measured from axis to axis; captured walkers come to 6 to 9
/// cm. [m]
const ENOUGH: f32 = 0.1;

/// A leg, and how far its foot is moved.
pub(super) type MovedLeg<'a> = (&'a PlacedLeg, Vec3);

/// How far a free foot is to be pushed along the ground, away from the other leg. [m]
pub(super) fn push_apart(free: MovedLeg, other: MovedLeg) -> Vec3 {
    let level = |v: Vec3| Vec3::new(v.x, 0.0, v.z);
    let captured = level(gap(shin((free.0, Vec3::ZERO)), shin((other.0, Vec3::ZERO))));
    let now = level(gap(shin(free), shin(other)));
    let Some(way) = captured.try_normalize() else {
        return Vec3::ZERO;
    };
    way * (captured.length().min(ENOUGH) - now.dot(way)).max(0.0)
}

type Segment = (Vec3, Vec3);

/// Knee and ankle; the knee goes half as far as the foot.
fn shin((leg, offset): MovedLeg) -> Segment {
    (leg.knee + offset * 0.5, leg.ankle + offset)
}

/// The shortest way from the second segment to the first.
fn gap((a, b): Segment, (c, d): Segment) -> Vec3 {
    let (u, v, w) = (b - a, d - c, a - c);
    let (uu, uv, vv, uw, vw) = (u.dot(u), u.dot(v), v.dot(v), u.dot(w), v.dot(w));
    let across = uu * vv - uv * uv;
    let along = match across > 1e-9 {
        true => ((uv * vw - vv * uw) / across).clamp(0.0, 1.0),
        false => 0.5,
    };
    let other = ((uv * along + vw) / vv.max(1e-9)).clamp(0.0, 1.0);
    let along = ((uv * other - uw) / uu.max(1e-9)).clamp(0.0, 1.0);
    (a + u * along) - (c + v * other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gap_is_the_least_of_many_tried() {
        let p = |x: f32, y: f32, z: f32| Vec3::new(x, y, z);
        let pairs = [
            (
                (p(0.0, 0.5, 0.0), p(0.0, 0.1, 0.1)),
                (p(0.2, 0.5, 0.1), p(0.1, 0.1, -0.2)),
            ),
            (
                (p(0.0, 0.5, 0.0), p(0.3, 0.1, 0.1)),
                (p(0.2, 0.5, 0.1), p(0.0, 0.1, 0.0)),
            ),
            (
                (p(0.0, 0.5, 0.0), p(0.0, 0.1, 0.0)),
                (p(0.1, 0.9, 0.0), p(0.1, 0.3, 0.0)),
            ),
        ];
        for (one, two) in pairs {
            let mut least = f32::INFINITY;
            for i in 0..=200 {
                for j in 0..=200 {
                    let a = one.0.lerp(one.1, i as f32 / 200.0);
                    let b = two.0.lerp(two.1, j as f32 / 200.0);
                    least = least.min(a.distance(b));
                }
            }
            let found = gap(one, two).length();
            assert!(
                (found - least).abs() < 2e-3,
                "{found} m, {least} m by trying"
            );
        }
    }

    #[test]
    fn a_foot_that_would_pass_through_the_other_leg_is_pushed_back() {
        let leg = |x: f32| PlacedLeg {
            knee: Vec3::new(x, 0.5, 0.0),
            ankle: Vec3::new(x, 0.1, 0.0),
            ..PlacedLeg::default()
        };
        let (free, other) = (leg(0.08), leg(0.0));
        assert_eq!(
            push_apart((&free, Vec3::X * 0.01), (&other, Vec3::ZERO)),
            Vec3::ZERO
        );
        let push = push_apart((&free, Vec3::X * -0.06), (&other, Vec3::ZERO));
        assert!((push - Vec3::X * 0.06).length() < 1e-5, "{push}");
    }
}
