//! Knee angles as the least squares see them: linear in the hip's shift as seen from the ankle.
//!
//! A leg that may be lengthened keeps its angle while that lasts.

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

/// Legs this near to straight answer to length as one of this angle: 172°. [sine]
const LEAST_SINE: f64 = 0.14;
/// Share of its bones' length that a leg may span. Solving a limb eases from there on.
const REACH: f64 = 0.997;

/// Works the knees of a leg out anew around shifts of its hip as seen from its ankle, a frame each.
pub fn linearise(knees: &mut Vec<Knee>, leg: &LegTrack, shifts: impl Iterator<Item = DVec3>) {
    let (upper, lower) = (f64::from(leg.bones.0), f64::from(leg.bones.1));
    let longest = 1.0 + f64::from(leg.lengthen);
    knees.clear();
    knees.extend(shifts.enumerate().map(|(frame, shift)| {
        let axis = (leg.hip[frame] - leg.ankle[frame]).as_dvec3() + shift;
        let Bend { span: own, angle } = leg.bends[frame];
        let span = axis.length().max(1e-6);
        let along = axis / span;
        let factor = (span / own.max(1e-6)).clamp(1.0, longest);
        let cosine = knee_cosine((upper, lower), span / factor);
        let sine = (1.0 - cosine * cosine).sqrt().max(LEAST_SINE);
        let slope = match factor > 1.0 && factor < longest {
            true => DVec3::ZERO,
            false => along * (span / (upper * lower * sine).max(1e-6)),
        };
        let reach = (REACH * (upper + lower)).max(own) * factor;
        Knee {
            slope,
            rest: cosine.acos() - angle - slope.dot(shift),
            along,
            over: (span > reach).then(|| span - reach - along.dot(shift)),
        }
    }));
}

/// A leg as captured.
#[derive(Clone, Copy, Debug)]
pub struct Bend {
    /// From hip to ankle. [m]
    span: f64,
    /// Between thigh and shank. [rad]
    angle: f64,
}

impl Bend {
    /// Of a leg of that thigh and shank.
    pub fn new((upper, lower): (f32, f32), hip_to_ankle: Vec3) -> Self {
        let span = hip_to_ankle.as_dvec3().length();
        let bones = (f64::from(upper), f64::from(lower));
        let angle = knee_cosine(bones, span).acos();
        Self { span, angle }
    }
}

/// The cosine of the angle between thigh and shank of a leg that spans some distance.
fn knee_cosine((upper, lower): (f64, f64), span: f64) -> f64 {
    let cosine = (upper * upper + lower * lower - span * span) / (2.0 * upper * lower).max(1e-9);
    cosine.clamp(-1.0, 1.0)
}
