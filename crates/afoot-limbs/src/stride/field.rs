//! How the body moves with its feet: the moves of the footfalls, spread along the way.
//!
//! Between two footfalls the body's move goes from the one's to the other's in proportion to the way; the
//! mean over a step's length of that has no kinks, is exact for evenly scaled steps, and evens out what
//! left and right do.

use afoot_core::{Planar, wrap_angle};
use glam::Vec3;

/// The moves of footfalls, in the order of the way.
pub(crate) struct Field {
    knots: Vec<Knot>,
    /// Half of the length that is averaged over. [m]
    reach: f32,
}

/// A footfall's move.
#[derive(Clone, Copy)]
pub(crate) struct Knot {
    /// How far along the way. [m]
    pub arc: f32,
    /// Over the ground.
    pub by: Planar,
    /// Up. [m]
    pub rise: f32,
}

/// Knots nearer than this are one. [m]
const NEAR: f32 = 0.02;

impl Field {
    /// Of moves, averaged over a step's length.
    pub fn new(mut knots: Vec<Knot>, step: f32) -> Self {
        knots.sort_by(|a, b| a.arc.total_cmp(&b.arc));
        // A way that turns on and on turns by more than half a turn: from knot to knot, not from -180 to 180 degrees.
        for next in 1..knots.len() {
            let before = knots[next - 1].by.yaw;
            knots[next].by.yaw = before + wrap_angle(knots[next].by.yaw - before);
        }
        let mut apart: Vec<Knot> = Vec::with_capacity(knots.len());
        for knot in knots {
            match apart.last_mut() {
                Some(last) if knot.arc - last.arc < NEAR => {
                    last.by.x = 0.5 * (last.by.x + knot.by.x);
                    last.by.z = 0.5 * (last.by.z + knot.by.z);
                    last.by.yaw = 0.5 * (last.by.yaw + knot.by.yaw);
                    last.rise = 0.5 * (last.rise + knot.rise);
                }
                _ => apart.push(knot),
            }
        }
        Self {
            knots: apart,
            reach: (0.5 * step).max(0.05),
        }
    }

    /// By how much a point of the body moves, and how far it turns, at a place along the way. [m, rad]
    pub fn shift(&self, arc: f32, point: Vec3) -> (Vec3, f32) {
        let (from, to) = (arc - self.reach, arc + self.reach);
        let first = self.knots.partition_point(|knot| knot.arc <= from);
        let end = self.knots.partition_point(|knot| knot.arc < to).max(first);
        let inside = self.knots[first..end].iter().map(|knot| knot.arc);
        let stops = std::iter::once(from).chain(inside).chain([to]);
        let (mut sum, mut turned, mut last) = (Vec3::ZERO, 0.0, None);
        for stop in stops {
            let here = self.at(stop, point);
            if let Some((before, (shift, yaw))) = last {
                let width: f32 = stop - before;
                sum += (here.0 + shift) * (0.5 * width);
                turned += (here.1 + yaw) * (0.5 * width);
            }
            last = Some((stop, here));
        }
        let length = 2.0 * self.reach;
        (sum / length, turned / length)
    }

    /// The same without the mean.
    pub fn at(&self, arc: f32, point: Vec3) -> (Vec3, f32) {
        let one = |knot: &Knot| {
            let moved = knot.by.point3(point) - point;
            (moved + Vec3::Y * knot.rise, knot.by.yaw as f32)
        };
        if self.knots.len() < 2 {
            return one(&self.knots[0]);
        }
        let next = self.knots.partition_point(|knot| knot.arc <= arc);
        let next = next.clamp(1, self.knots.len() - 1);
        let (a, b) = (&self.knots[next - 1], &self.knots[next]);
        let share = (arc - a.arc) / (b.arc - a.arc);
        let ((from, from_yaw), (to, to_yaw)) = (one(a), one(b));
        (
            from + (to - from) * share,
            from_yaw + (to_yaw - from_yaw) * share,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(knots: &[(f32, f64)]) -> Field {
        let knot = |&(arc, z)| Knot {
            arc,
            by: Planar::new(0.0, z, 0.0),
            rise: 0.0,
        };
        Field::new(knots.iter().map(knot).collect(), 0.6)
    }

    #[test]
    fn evenly_scaled_steps_move_the_body_evenly() {
        let field = field(&[(0.1, 0.02), (0.7, 0.14), (1.4, 0.28), (2.0, 0.4)]);
        for arc in [-0.5, 0.0, 0.3, 1.0, 1.9, 3.0] {
            let (shift, _) = field.shift(arc, Vec3::ZERO);
            assert!((shift.z - 0.2 * arc).abs() < 1e-5, "{arc}: {shift}");
        }
    }

    #[test]
    fn steps_that_change_leave_no_kink() {
        let field = field(&[(0.0, 0.0), (0.6, 0.0), (1.2, 0.3), (1.8, 0.3)]);
        let at = |step: usize| field.shift(0.005 * step as f32, Vec3::ZERO).0.z;
        let bend = |k: usize| (at(k + 2) - 2.0 * at(k + 1) + at(k)).abs();
        // A kink would bend by the whole change of slope, 0.5, in one step of 5 mm.
        assert!((0..400).map(bend).fold(0.0, f32::max) < 0.0025 * 0.05);
    }
}
