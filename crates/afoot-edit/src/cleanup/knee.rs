//! Knee angles as the least squares see them: linear in the hip's shift as seen from the ankle.
//!
//! A leg that may be lengthened keeps its angle while that lasts.

use std::f64::consts::PI;

use glam::{DVec3, Vec3};

use super::legs::LegTrack;

/// A knee's angle beyond the captured one as a function of the root's shift less the ankle's, and
/// how far the leg is stretched beyond its length.
#[derive(Clone, Copy, Default)]
pub struct Knee {
    /// [rad/m]
    pub slope: DVec3,
    /// Its value at no shift. [rad]
    pub rest: f64,
    /// Points from ankle to hip.
    pub along: DVec3,
    /// How far the leg is beyond its reach, if it is, at no shift. [m]
    pub over: Option<f64>,
}

/// Legs nearer to straight than this answer to length as one of this angle does: 172°. [sine]
const LEAST_SINE: f64 = 0.14;
/// Share of its bones' length that a leg may span. Solving a limb eases from there on.
const REACH: f64 = 0.997;

/// Works the knees of a leg out anew around shifts of its hip as seen from its ankle, a frame each.
pub fn linearise(knees: &mut Vec<Knee>, leg: &LegTrack, shifts: impl Iterator<Item = DVec3>) {
    let hinge = Hinge::new(leg.bones);
    let longest = 1.0 + f64::from(leg.lengthen);
    knees.clear();
    knees.extend(shifts.enumerate().map(|(frame, shift)| {
        let axis = (leg.hip[frame] - leg.ankle[frame]).as_dvec3() + shift;
        let Bend { span: own, angle } = leg.bends[frame];
        let span = axis.length().max(1e-6);
        let along = axis / span;
        let factor = (span / own.max(1e-6)).clamp(1.0, longest);
        let (now, slope) = hinge.angle(span / factor);
        let slope = match factor > 1.0 && factor < longest {
            true => DVec3::ZERO,
            false => along * (slope / factor),
        };
        let reach = (REACH * hinge.length).max(own) * factor;
        Knee {
            slope,
            rest: now - angle - slope.dot(shift),
            along,
            over: (span > reach).then(|| span - reach - along.dot(shift)),
        }
    }));
}

/// A knee between thigh and shank.
#[derive(Clone, Copy, Debug)]
pub struct Hinge {
    /// Of thigh and shank: the sum of their squares, and twice their product. [m²]
    squares: f64,
    product: f64,
    length: f64,
    /// The longest span whose angle is told as it is, and that angle: `LEAST_SINE` from straight.
    last: (f64, f64),
}

impl Hinge {
    /// Of these bones. [m]
    pub fn new((upper, lower): (f32, f32)) -> Self {
        let (upper, lower) = (f64::from(upper), f64::from(lower));
        let (squares, product) = (
            upper * upper + lower * lower,
            (2.0 * upper * lower).max(1e-9),
        );
        let angle = PI - LEAST_SINE.asin();
        Self {
            squares,
            product,
            length: upper + lower,
            last: ((squares - product * angle.cos()).sqrt(), angle),
        }
    }

    /// The angle of a leg that spans some distance, and its slope. A leg so near to straight that its
    /// angle tells nothing of its length any more goes on as it began, without a kink. [rad, rad/m]
    fn angle(&self, span: f64) -> (f64, f64) {
        let (last, straight) = self.last;
        let near = span.min(last);
        let cosine = ((self.squares - near * near) / self.product).clamp(-1.0, 1.0);
        let sine = (1.0 - cosine * cosine).sqrt().max(LEAST_SINE);
        let slope = 2.0 * near / (self.product * sine);
        match span < last {
            true => (cosine.acos(), slope),
            false => (straight + slope * (span - last), slope),
        }
    }
}

/// A leg as captured.
#[derive(Clone, Copy, Debug)]
pub struct Bend {
    /// From hip to ankle. [m]
    span: f64,
    /// Between thigh and shank, as [`Hinge`] tells it. [rad]
    angle: f64,
}

impl Bend {
    /// Of a leg that lies like that.
    pub fn new(hinge: &Hinge, hip_to_ankle: Vec3) -> Self {
        let span = hip_to_ankle.as_dvec3().length();
        let (angle, _) = hinge.angle(span);
        Self { span, angle }
    }
}
