//! Foot-skate cleanup as one least-squares problem: feet stand still, legs and hips stay as captured.
//!
//! Held points come from the contacts (`holds`): the heel as a foot comes down, its ankle once that is
//! slow, the ball as the heel rises. The body is carried to its floor as a whole (`carry`), and held points keep
//! the heights that they were captured at within what feet give (`heights`). Then shifts of root r and ankles a, a vector a frame, minimise
//!   ∫ (slide/s)² + (lift/l)² + (level/e)² + (a/p)² [held] + (a−r)²/g² [free] + (a″/A)² [free]
//!     + (Δknee/k)² + (Δknee″/K)² + (r.y/h)² + (r.xz/x)² + (r″/R)² + (sink, overreach, gap/m)² dt,
//! each over what weighs as much as one ([`SettleOptions`]), all unknowns at once (`joint`, `motion`); a
//! faultless pose is the optimum. Bones keep their lengths unless asked. After Kovar, Schreiner and
//! Gleicher 2002, with a root that also moves sideways and feet that roll. Above some 30 frames a second
//! every n-th is settled and the others follow (`thin`). Cost: linear, some 8 µs a frame. Weakness: a
//! foot that stands for many seconds feels a cut of the clip as long as it stands.

use afoot_core::{Clip, FootRest, Side};
use glam::Vec3;
use thiserror::Error;

mod apart;
mod band;
mod carry;
mod floor;
mod foot;
mod grip;
mod heights;
mod holds;
mod joint;
mod knee;
mod legs;
mod motion;
mod pace;
mod ramp;
mod thin;
mod turns;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod whole_tests;

pub(crate) use ramp::fade_softly;

use foot::Foot;
use joint::{ROOT, Shifts};
use legs::{LegTrack, Step};
use motion::minimise;

/// How feet are cleaned: of each fault, how much of it weighs as much as one of the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SettleOptions {
    /// A point at the edge of a contact is held while it is slower than this; more for a figure that
    /// moves fast. [m/s, > 0]
    pub hold_speed: f32,
    /// Speed of a held point along the floor. [m/s, > 0]
    pub slide: f32,
    /// Its speed up or down beyond the captured. [m/s, > 0]
    pub lift: f32,
    /// How far a held point is from where its height on the floor and what it may be off by leave it. [m, > 0]
    pub level: f32,
    /// How far below its height on the floor a held point keeps the height that was captured, once the body is
    /// carried to its floor: joints lie within feet that give. [m, >= 0]
    pub dip: f32,
    /// How far above it. [m, >= 0]
    pub hover: f32,
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
    /// Change of the hips' height, beyond the rise that carries the whole body. [m, > 0]
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
            hold_speed: 0.65,
            slide: 0.001,
            lift: 0.08,
            level: 0.005,
            dip: 0.005,
            hover: 0.012,
            place: 0.014,
            leg: 0.03,
            ankle_acceleration: 5.0,
            knee: 2f32.to_radians(),
            knee_acceleration: 600f32.to_radians(),
            hip: 0.0015,
            shift: 0.003,
            root_acceleration: 0.3,
            limit: 0.001,
            lengthen: 0.0,
        }
    }
}

/// What a cleanup did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CleanupReport {
    /// Feet held in place, both sides.
    pub plants: usize,
    /// Frames whose pose was changed.
    pub frames: usize,
    /// Farthest an ankle was moved. [m]
    pub largest_shift: f32,
    /// Farthest the root was lowered. [m]
    pub largest_sink: f32,
    /// Farthest an ankle stays away from where it should be. [m]
    pub largest_miss: f32,
}

/// Why a clip can't be cleaned.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[allow(missing_docs)] // the messages say it
pub enum CleanupError {
    #[error(
        "clip {clip:?}: no leg is known by hip, knee and ankle: animals and machines have none; a person's are \
         known once its joints have roles"
    )]
    NoLegs { clip: String },
    #[error("clip {clip:?}: {found} contacts for {expected} frames; detect the contacts first")]
    NoContacts {
        clip: String,
        found: usize,
        expected: usize,
    },
}

/// The floor that feet stand on: where ball joints rest at a place, and how much higher each foot's
/// joints rest there.
#[derive(Clone, Copy)]
pub struct Floor<'a> {
    /// Height at x, z. [m]
    pub height: &'a dyn Fn(f32, f32) -> f32,
    /// Rest heights above that, left then right.
    pub rest: [FootRest; 2],
}

/// Holds the planted feet of a clip in place, on the clip's own floor. Without a known floor, a level one
/// is taken from the planted frames; so are rest heights that are all zero.
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

/// [`settle_feet`] on any floor: steps, ramps, hills. Feet that stand more than 6 cm above it are on
/// something that it does not know of, and keep their height.
pub fn settle_feet_on(
    clip: &Clip,
    floor: &Floor,
    options: &SettleOptions,
) -> Result<(Clip, CleanupReport), CleanupError> {
    let no_legs = || CleanupError::NoLegs {
        clip: clip.name.clone(),
    };
    if Side::BOTH
        .iter()
        .all(|side| clip.skeleton.leg(*side).is_none())
    {
        return Err(no_legs());
    }
    if clip.contacts.len() != clip.len() {
        let (clip, found, expected) = (clip.name.clone(), clip.contacts.len(), clip.len());
        return Err(CleanupError::NoContacts {
            clip,
            found,
            expected,
        });
    }
    let setting = (floor, options);
    let legs = legs_of(clip, setting);
    if legs.is_empty() {
        return Err(no_legs());
    }
    let feet = feet_of(clip, &legs, setting);
    let shifts = find_shifts(clip, &feet, setting);
    let of = |part: usize| shifts.iter().map(move |shifts| shifts[part].as_vec3());
    let steps: Vec<Vec<Step>> = (feet.iter().enumerate())
        .map(|(index, foot)| foot.steps(of(index), floor))
        .collect();
    let root: Vec<Vec3> = of(ROOT).collect();
    let mut report = CleanupReport {
        plants: feet.iter().map(|foot| foot.holds.plants()).sum(),
        ..Default::default()
    };
    let cleaned = legs::write_legs(clip, (&legs, &steps), &root, &mut report);
    Ok((cleaned, report))
}

/// What is settled on, and how.
type Setting<'a> = (&'a Floor<'a>, &'a SettleOptions);

fn legs_of(clip: &Clip, setting: Setting) -> Vec<LegTrack> {
    let leg = |side: Side| LegTrack::new(clip, side, setting);
    Side::BOTH.into_iter().filter_map(leg).collect()
}

fn feet_of<'a>(clip: &Clip, legs: &'a [LegTrack], setting: Setting) -> Vec<Foot<'a>> {
    let foot = |leg: &'a LegTrack| Foot::new(clip, leg, setting);
    legs.iter().map(foot).collect()
}

/// The shifts of least cost, a frame each.
fn find_shifts(clip: &Clip, feet: &[Foot], setting: Setting) -> Vec<Shifts> {
    let stride = thin::stride_of(clip.rate);
    let thinned = (stride > 1).then(|| thin::thinned(clip, stride)).flatten();
    let Some(thin) = thinned else {
        return minimise(feet, setting.1, clip.rate.frame_time());
    };
    let legs = legs_of(&thin, setting);
    let few = minimise(
        &feet_of(&thin, &legs, setting),
        setting.1,
        thin.rate.frame_time(),
    );
    let mut shifts = thin::spread(&few, stride, clip.len());
    for (index, foot) in feet.iter().enumerate() {
        thin::still(foot, index, &mut shifts, clip.rate.frame_time());
    }
    shifts
}
