//! Knee angles as the least squares see them: linear in the hip's shift as seen from the ankle.
//!
//! A leg that may be lengthened keeps its angle while that lasts.

use glam::DVec3;

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
    let angle_at = |span: f64| {
        let cosine =
            (upper * upper + lower * lower - span * span) / (2.0 * upper * lower).max(1e-9);
        cosine.clamp(-1.0, 1.0).acos()
    };
    knees.clear();
    knees.extend(shifts.enumerate().map(|(frame, shift)| {
        let own = (leg.hip[frame] - leg.ankle[frame]).as_dvec3();
        let (own_span, axis) = (own.length(), own + shift);
        let span = axis.length().max(1e-6);
        let along = axis / span;
        let factor = (span / own_span.max(1e-6)).clamp(1.0, 1.0 + f64::from(leg.lengthen));
        let angle = angle_at(span / factor);
        let stretched = factor > 1.0 && factor < 1.0 + f64::from(leg.lengthen);
        let sine = angle.sin().max(LEAST_SINE);
        let slope = match stretched {
            true => DVec3::ZERO,
            false => along * (span / (upper * lower * sine).max(1e-6)),
        };
        let reach = (REACH * (upper + lower)).max(own_span) * factor;
        Knee {
            slope,
            rest: angle - angle_at(own_span) - slope.dot(shift),
            along,
            over: (span > reach).then(|| span - reach - along.dot(shift)),
        }
    }));
}
