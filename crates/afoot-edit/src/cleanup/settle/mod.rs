//! Foot-skate cleanup as one least-squares problem: feet stand still, legs and hips stay as captured.
//!
//! Held points come from the contacts (`holds`): the heel as a foot comes down, its ankle once that is
//! slow, the ball as the heel rises. Then shifts of root r and ankles a, a vector a frame, minimise
//!   ∫ (slide/s)² + (lift/l)² + (level/e)² + (a/p)² [held] + (a−r)²/g² [free] + (a″/A)² [free]
//!     + (Δknee/k)² + (Δknee″/K)² + (r.y/h)² + (r.xz/x)² + (r″/R)² + (sink/m)² + (overreach/m)² dt,
//! each over what weighs as much as one ([`SettleOptions`]); a faultless pose is the optimum. Bones keep
//! their lengths unless asked. After Kovar, Schreiner and Gleicher 2002, with a root that also moves
//! sideways and feet that roll. Cost: linear, some 4.5 µs a frame. Weaknesses: root and feet are solved in
//! turn, and three rounds stop short of the optimum where legs are far out of reach; above 45 frames a
//! second, and where a solution strays, the plan of `clean_feet` is taken instead.

use afoot_core::{Clip, Side};

use super::{CleanupError, CleanupOptions, CleanupReport, Floor, clean_feet_on, floor};

mod band;
mod foot;
mod grip;
mod holds;
mod knee;
mod legs;
mod motion;
mod turns;

#[cfg(test)]
mod tests;

use foot::Foot;
use legs::{LegTrack, Step};
use motion::{Motion, minimise};

/// How feet are cleaned: of each fault, how much of it weighs as much as one of the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SettleOptions {
    /// A point at the edge of a contact is held while it is slower than this; more for a figure that
    /// moves fast. [m/s, > 0]
    pub hold_speed: f32,
    /// Speed of a held point along the floor. [m/s, > 0]
    pub slide: f32,
    /// Its speed up or down. [m/s, > 0]
    pub lift: f32,
    /// Distance of a held point from the floor's height. [m, > 0]
    pub level: f32,
    /// Distance of a held foot from where it was captured. [m, > 0]
    pub place: f32,
    /// Distance of a free foot from where it was, seen from the root. [m, > 0]
    pub leg: f32,
    /// Acceleration of an ankle beyond the captured. [m/s², > 0]
    pub ankle_acceleration: f32,
    /// Change of a knee's angle. [rad, > 0]
    pub knee: f32,
    /// Acceleration of a knee's angle beyond the captured. [rad/s², > 0]
    pub knee_acceleration: f32,
    /// Change of the hips' height. [m, > 0]
    pub hip: f32,
    /// Shift of the root along the ground. [m, > 0]
    pub shift: f32,
    /// Acceleration of the root beyond the captured. [m/s², > 0]
    pub root_acceleration: f32,
    /// Depth below the floor, and length beyond a leg's reach. [m, > 0]
    pub limit: f32,
    /// Share of their length by which legs may be lengthened before knees straighten, as in Kovar et
    /// al. 2002: the clip then has sliding joints, which BVH files show as position channels. [0..0.1]
    pub lengthen: f32,
}

impl Default for SettleOptions {
    fn default() -> Self {
        Self {
            hold_speed: 0.6,
            slide: 0.0005,
            lift: 0.015,
            level: 0.003,
            place: 0.015,
            leg: 0.03,
            ankle_acceleration: 7.0,
            knee: 1f32.to_radians(),
            knee_acceleration: 1000f32.to_radians(),
            hip: 0.01,
            shift: 0.03,
            root_acceleration: 0.6,
            limit: 0.001,
            lengthen: 0.0,
        }
    }
}

/// Holds the planted feet of a clip in place, on the clip's own floor, as `clean_feet` does.
pub fn settle_feet(
    clip: &Clip,
    options: &SettleOptions,
) -> Result<(Clip, CleanupReport), CleanupError> {
    let ground = match clip.ground {
        Some(ground) => floor::with_rests(ground, clip),
        None => floor::ground_under(clip),
    };
    let height = |x: f32, z: f32| ground.height_at(x, z);
    let floor = Floor {
        height: &height,
        rest: ground.rest,
    };
    settle_feet_on(clip, &floor, options)
}

/// [`settle_feet`] on any floor.
pub fn settle_feet_on(
    clip: &Clip,
    floor: &Floor,
    options: &SettleOptions,
) -> Result<(Clip, CleanupReport), CleanupError> {
    if clip.contacts.len() != clip.len() {
        let (clip, found, expected) = (clip.name.clone(), clip.contacts.len(), clip.len());
        return Err(CleanupError::NoContacts {
            clip,
            found,
            expected,
        });
    }
    let legs: Vec<LegTrack> = Side::BOTH
        .into_iter()
        .filter_map(|side| LegTrack::new(clip, side, (floor, options)))
        .collect();
    if legs.is_empty() {
        return Err(CleanupError::NoLegs {
            clip: clip.name.clone(),
        });
    }
    if clip.rate.fps() > FASTEST_RATE {
        return clean_feet_on(clip, floor, &planned(options));
    }
    let setting = (floor, options);
    let feet: Vec<Foot> = legs
        .iter()
        .map(|leg| Foot::new(clip, leg, setting))
        .collect();
    let Motion { root, ankles } = minimise(&feet, options, clip.rate.frame_time());
    let shifts = root.iter().chain(ankles.iter().flatten());
    if !shifts.into_iter().all(|shift| shift.length() < FARTHEST) {
        return clean_feet_on(clip, floor, &planned(options));
    }
    let pairs = feet.iter().zip(&ankles);
    let steps: Vec<Vec<Step>> = pairs
        .map(|(foot, ankles)| foot.steps(ankles, floor))
        .collect();
    let mut report = CleanupReport {
        plants: feet.iter().map(|foot| foot.holds.plants()).sum(),
        ..Default::default()
    };
    let cleaned = legs::write_legs(clip, (&legs, &steps), &root, &mut report);
    Ok((cleaned, report))
}

/// Above this the plan is taken. Seen to diverge at 120, for a reason not yet found; good at 30, and not
/// tried between. [frames/s]
const FASTEST_RATE: f64 = 45.0;
/// Nothing is shifted by this much but by a solution that went astray. [m]
const FARTHEST: f64 = 0.4;

/// The plan's options that mean the same.
fn planned(options: &SettleOptions) -> CleanupOptions {
    CleanupOptions {
        lengthen: options.lengthen,
        ..CleanupOptions::default()
    }
}
