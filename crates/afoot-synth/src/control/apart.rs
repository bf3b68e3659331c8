//! Legs that don't pass through each other: a free foot is pushed aside where the offsets of the two
//! feet would bring their shins nearer than the played frame has them.

use afoot_core::{Vec3, segment_gap};

use super::leg::PlacedLeg;

/// Shins this far apart are far enough, measured from axis to axis; captured walkers come to 6 to 9
/// cm. [m]
const ENOUGH: f32 = 0.1;

/// Knee, ankle and ball of a leg, as its frame has them and as they are to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct MovedLeg {
    played: [Vec3; 3],
    moved: [Vec3; 3],
}

impl MovedLeg {
    /// With its ankle and ball where they are to be; the knee goes half as far as the ankle.
    pub(super) fn new(leg: &PlacedLeg, ankle: Vec3, ball: Vec3) -> Self {
        let knee = leg.knee + 0.5 * (ankle - leg.ankle);
        Self {
            played: [leg.knee, leg.ankle, leg.ball],
            moved: [knee, ankle, ball],
        }
    }
}

/// How far a free foot is to be pushed along the ground, away from the other leg: what shin or foot of one
/// needs most from shin or foot of the other. [m]
pub(super) fn push_apart(free: &MovedLeg, other: &MovedLeg) -> Vec3 {
    let pushes = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(a, b)| {
        let played = (bone(&free.played, a), bone(&other.played, b));
        push(played, (bone(&free.moved, a), bone(&other.moved, b)))
    });
    let longer = |a: Vec3, b: Vec3| if b.length() > a.length() { b } else { a };
    pushes.into_iter().fold(Vec3::ZERO, longer)
}

fn push(played: (Segment, Segment), moved: (Segment, Segment)) -> Vec3 {
    let level = |v: Vec3| Vec3::new(v.x, 0.0, v.z);
    let gap = |(one, two): (Segment, Segment)| segment_gap(one, two).way;
    let (captured, now) = (gap(played), gap(moved));
    // What passes over or under the other needs no room aside.
    if captured.y.abs() > ENOUGH {
        return Vec3::ZERO;
    }
    let (captured, now) = (level(captured), level(now));
    let Some(way) = captured.try_normalize() else {
        return Vec3::ZERO;
    };
    way * (captured.length().min(ENOUGH) - now.dot(way)).max(0.0)
}

type Segment = [Vec3; 2];

/// Shin or foot.
fn bone(points: &[Vec3; 3], first: usize) -> Segment {
    [points[first], points[first + 1]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foot_that_would_pass_through_the_other_leg_is_pushed_back() {
        let leg = |x: f32| PlacedLeg {
            knee: Vec3::new(x, 0.5, 0.0),
            ankle: Vec3::new(x, 0.1, 0.0),
            ball: Vec3::new(x, 0.05, 0.15),
            ..PlacedLeg::default()
        };
        let moved = |x: f32, by: f32| {
            let leg = leg(x);
            MovedLeg::new(&leg, leg.ankle + Vec3::X * by, leg.ball + Vec3::X * by)
        };
        let other = moved(0.0, 0.0);
        assert_eq!(push_apart(&moved(0.08, 0.01), &other), Vec3::ZERO);
        let push = push_apart(&moved(0.08, -0.06), &other);
        assert!((push - Vec3::X * 0.06).length() < 1e-5, "{push}");
    }

    #[test]
    fn a_foot_that_is_turned_into_the_other_is_pushed_back_too() {
        let leg = |x: f32| PlacedLeg {
            knee: Vec3::new(x, 0.5, 0.0),
            ankle: Vec3::new(x, 0.1, 0.0),
            ball: Vec3::new(x, 0.05, 0.15),
            ..PlacedLeg::default()
        };
        let (free, other) = (leg(0.09), leg(0.0));
        let still = MovedLeg::new(&other, other.ankle, other.ball);
        let turned = MovedLeg::new(&free, free.ankle, free.ball - Vec3::X * 0.05);
        let push = push_apart(&turned, &still);
        assert!((push - Vec3::X * 0.05).length() < 5e-3, "{push}");
    }
}
