//! Foot contacts: when the heel and the ball of each foot rest on the floor or on something else.
//!
//! After Shanbhag 2006, §3.1 (height and speed of ankle and toe, then de-bouncing), with three
//! departures: points of the sole instead of joints (see `feet`), thresholds with hysteresis that
//! follow from the clip instead of trial and error, and de-bouncing in both directions. A point's
//! contact is a run of frames slower and lower than the release thresholds in which it also gets
//! below the settling ones. In: a clip, its `ground` if known. Out: bits per frame, plants.
//! Cost: linear. Hands and seat: `touch`. Weakness: a foot that slides slowly along the floor
//! (moonwalk) counts as planted; a foot held still in the air counts only if it bears the body.

mod limits;
mod platforms;
mod sole;
#[cfg(test)]
mod tests;
mod weight;

use std::ops::Range;

use afoot_core::{Clip, Contacts, Positions, Range32, Side, forward_kinematics};
use glam::Vec3;
use thiserror::Error;

use self::limits::{Limits, Noise};
use self::platforms::touch_platforms;
use self::sole::Sole;
use crate::feet::{foot_joints, sole_tracks};
use crate::series::{median_point, runs};

/// Thresholds of [`detect_contacts`] for an adult who walks; `limits` fits them to the clip.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactOptions {
    /// A point that gets slower than this is at rest: half of the release speed, three times what
    /// a resting ball joint shows in captured walks (up to 0.1 m/s). [m/s, > 0]
    pub settle_speed: f32,
    /// It stays in contact until it is faster than this. A swinging foot speeds up by some 20 m/s²
    /// (to 4 m/s in half a swing, 0.2 s), so that it is found within a frame of 1/30 s; gait
    /// laboratories use 0.5 m/s (Ghoussayni et al. 2004). [m/s, >= settle_speed]
    pub release_speed: f32,
    /// A point that gets lower than this above its rest height is on the floor: three times the
    /// scatter of rest heights in captured motion (up to 8 mm). [m, > 0]
    pub settle_height: f32,
    /// It stays on the floor until it is higher than this: toes wobble by 2 to 3 cm in a stance,
    /// which comes on top. [m, >= settle_height]
    pub release_height: f32,
    /// A foot slower than this for most of a plant is pinned, as in made motion, and planted
    /// exactly while it is: 17 µm a frame at 30 fps is above what rounding in files gives and far
    /// below what capture leaves. 0 never believes it. [m/s, >= 0]
    pub pinned_speed: f32,
    /// Shorter gaps within a plant are closed, shorter plants dropped: the width of the window in
    /// which speeds are measured, since nothing shorter can be told. [s, >= 0]
    pub shortest: f64,
    /// Whether feet may rest at other heights than the floor's, on steps and platforms.
    pub platforms: bool,
}

impl Default for ContactOptions {
    fn default() -> Self {
        Self {
            settle_speed: 0.3,
            release_speed: 0.6,
            settle_height: 0.025,
            release_height: 0.05,
            pinned_speed: 0.0005,
            shortest: 1.0 / 15.0,
            platforms: true,
        }
    }
}

/// Which feet touch when.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactReport {
    /// Heel and ball bits of both feet, a frame each.
    pub contacts: Vec<Contacts>,
    /// The same as intervals, sorted by their start, left before right.
    pub plants: Vec<Plant>,
    /// Noise alone moves a resting point slower than this for 99 of 100 frames: what the speeds
    /// were widened by. [m/s]
    pub noise_speed: f32,
}

/// A foot at rest from its first to its last touch.
#[derive(Clone, Debug, PartialEq)]
pub struct Plant {
    /// Which foot.
    pub side: Side,
    /// Half-open.
    pub frames: Range32,
    /// Where the ankle joint is (its median) while the heel is down, if ever. [m]
    pub ankle: Option<Vec3>,
    /// Where the ball joint is (its median) while the ball is down, if ever. [m]
    pub ball: Option<Vec3>,
}

/// Why there are no contacts.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[allow(missing_docs)] // the messages say it
pub enum ContactError {
    #[error("clip {clip:?}: no joint is known as a foot; animals and machines have none")]
    NoFeet { clip: String },
}

/// Finds the foot contacts of a clip. An empty clip has none; a figure that stands still in a
/// one-frame clip is planted.
pub fn detect_contacts(
    clip: &Clip,
    options: &ContactOptions,
) -> Result<ContactReport, ContactError> {
    let positions = forward_kinematics(clip);
    detect_contacts_at(clip, &positions, options)
}

/// [`detect_contacts`] for positions that are at hand.
pub fn detect_contacts_at(
    clip: &Clip,
    positions: &Positions,
    options: &ContactOptions,
) -> Result<ContactReport, ContactError> {
    let feet = Side::BOTH.map(|side| sole_tracks(clip, positions, side));
    if feet.iter().all(Option::is_none) {
        let clip = clip.name.clone();
        return Err(ContactError::NoFeet { clip });
    }
    let noise = Noise::of_feet(clip, &feet);
    let limits = Limits::new(clip, options, noise);
    let mut soles = Side::BOTH.map(|side| {
        let tracks = feet[side.index()].as_ref()?;
        Some(Sole::new(clip, tracks, side, &limits))
    });
    for sole in soles.iter_mut().flatten() {
        sole.touch_floor(&limits);
        sole.debounce(&limits);
        sole.tell_parts(&limits);
    }
    if options.platforms {
        touch_platforms(clip, positions, &mut soles, &limits);
    }
    let contacts = join_bits(clip.len(), &soles);
    let plants = plants_at(clip, positions, &contacts);
    Ok(ContactReport {
        contacts,
        plants,
        noise_speed: noise.speed,
    })
}

/// The plants in a clip's own `contacts`; empty where these are not known.
pub fn plants_of(clip: &Clip) -> Vec<Plant> {
    if clip.contacts.len() != clip.len() {
        return Vec::new();
    }
    plants_at(clip, &forward_kinematics(clip), &clip.contacts)
}

/// The plants in `contacts`, with positions from the clip's kinematics.
pub fn plants_at(clip: &Clip, positions: &Positions, contacts: &[Contacts]) -> Vec<Plant> {
    let mut plants = Vec::new();
    for side in Side::BOTH {
        let Some(joints) = foot_joints(&clip.skeleton, side) else {
            continue;
        };
        let middle = |point: usize, frames: Range<usize>, part: Contacts| {
            let held = frames.filter(|frame| contacts[*frame].any(part));
            let at = |frame: usize| positions.frame(frame.into())[point];
            median_point(held.map(at))
        };
        for frames in runs(contacts.len(), |frame| {
            contacts[frame].any(Contacts::foot(side))
        }) {
            plants.push(Plant {
                side,
                frames: Range32 {
                    start: frames.start as u32,
                    end: frames.end as u32,
                },
                ankle: middle(joints.ankle.index(), frames.clone(), Contacts::heel(side)),
                ball: joints
                    .ball
                    .and_then(|ball| middle(ball.index(), frames, Contacts::ball(side))),
            });
        }
    }
    plants.sort_by_key(|plant| (plant.frames, plant.side));
    plants
}

fn join_bits(frames: usize, soles: &[Option<Sole>; 2]) -> Vec<Contacts> {
    let joined = |frame: usize| {
        let bits = soles.iter().flatten().map(|sole| sole.bits[frame]);
        bits.fold(Contacts::NONE, Contacts::with)
    };
    (0..frames).map(joined).collect()
}
