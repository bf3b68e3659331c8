//! Foot-skate cleanup: planted feet stand still, and nothing else jumps.
//!
//! After Kovar, Schreiner and Gleicher 2002 ("Footskate cleanup for motion capture editing"): a
//! fixed place for every plant (`pins`), ankle position and rotation from heel and ball constraints
//! (`foot_path`), a root trajectory from which the legs reach (`root_path`), legs solved in closed
//! form (`legs`), all blended into the free frames. We depart from it in what a file of rotations
//! can hold: bones keep their lengths unless asked, the root is lowered by a smooth envelope, and
//! plant edges that would make a leg snap are given up (`relax`), and only what that bears on is
//! planned anew.
//! In: a clip with `contacts`, on its `ground`. Out: the clip with other root heights and leg
//! rotations; frames that need no change keep their bits. Cost: linear, about 1 µs a frame and leg.
//! Not here: finding contacts and the floor. Weakness: hands and seat are not held in place.

use afoot_core::{Clip, FootRest, Side};
use thiserror::Error;

mod contact_runs;
mod creeps;
mod envelope;
mod floor;
mod foot_path;
mod free_foot;
mod gaps;
mod held_foot;
mod legs;
mod pins;
mod ramp;
mod relax;
mod root_path;
pub mod settle;
mod toes;

#[cfg(test)]
mod tests;

pub(crate) use ramp::fade_softly;
pub use relax::LegLimits;

use foot_path::FootPlan;
use legs::{LegTrack, Steps};
use relax::Limits;
use root_path::Sink;

/// How feet are cleaned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CleanupOptions {
    /// How far an ankle travels while a correction fades in before a plant, or out after it; less
    /// between plants that are nearer. [m, > 0]
    pub fade: f32,
    /// A joint at the edge of a contact is held while it is slower than this, and not held while it
    /// is faster; more for a figure that moves fast. [m/s, > 0]
    pub hold_speed: f32,
    /// A contact is widened by at most this much over frames in which the joint is still slow and
    /// near. [s, >= 0]
    pub widen: f64,
    /// Legs are stretched no further than this share of their length, unless they were. [0.9..1]
    pub reach: f32,
    /// Nor are knees opened by more than this; else the root sinks. [rad, 0..1]
    pub stretch: f32,
    /// Share of their length by which legs may be lengthened before the root sinks, as in Kovar et
    /// al. 2002: the clip then has sliding joints, which BVH files show as position channels. [0..0.1]
    pub lengthen: f32,
    /// How long the root takes to sink and rise again where legs don't reach. [s, > 0]
    pub sink_time: f64,
    /// The root sinks no deeper than this for the first and last frames of a plant; these are given
    /// up instead. [m, >= 0]
    pub easy_sink: f32,
    /// Nor deeper than this at all. [m, >= 0]
    pub max_sink: f32,
    /// How far a foot may go below the floor before it is lifted. [m, >= 0]
    pub floor_give: f32,
    /// What legs may do; `None` takes it from the clip itself, which may show little.
    pub limits: Option<LegLimits>,
}

impl Default for CleanupOptions {
    fn default() -> Self {
        Self {
            fade: 0.4,
            hold_speed: 0.8,
            widen: 0.1,
            reach: 0.995,
            stretch: 4f32.to_radians(),
            lengthen: 0.0,
            sink_time: 0.25,
            easy_sink: 0.05,
            max_sink: 0.08,
            floor_give: 0.003,
            limits: None,
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
        "clip {clip:?}: no leg is known by hip, knee and ankle; set the roles of the skeleton first"
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

/// Holds the planted feet of a clip in place, on the clip's own floor. Without a known floor, a
/// level one is taken from the planted frames; so are rest heights that are all zero.
pub fn clean_feet(
    clip: &Clip,
    options: &CleanupOptions,
) -> Result<(Clip, CleanupReport), CleanupError> {
    let ground = match clip.ground {
        Some(ground) => floor::with_rests(ground, clip),
        None => floor::ground_under(clip),
    };
    let height = |x: f32, z: f32| ground.height_at(x, z);
    clean_feet_on(
        clip,
        &Floor {
            height: &height,
            rest: ground.rest,
        },
        options,
    )
}

/// [`clean_feet`] on any floor: steps, ramps, hills. Feet that stand more than 6 cm above it are on
/// something that it does not know of, and keep their height.
pub fn clean_feet_on(
    clip: &Clip,
    floor: &Floor,
    options: &CleanupOptions,
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
        .filter_map(|side| LegTrack::new(clip, side, options))
        .collect();
    if legs.is_empty() {
        return Err(CleanupError::NoLegs {
            clip: clip.name.clone(),
        });
    }
    let timing = Timing::new(clip, options);
    let setting = (floor, options, &timing);
    let own = || LegLimits::of_legs(&legs, timing.fps);
    let limits = options.limits.unwrap_or_else(own).per_frame(timing.fps);
    let mut plan = Plan::new(clip, &legs, setting);
    for _ in 0..relax::ROUNDS {
        if !plan.relax(&legs, limits, setting) && !plan.unsettle() {
            break;
        }
    }
    let mut report = CleanupReport {
        plants: plan.feet.iter().map(|foot| foot.pins.planted.len()).sum(),
        ..Default::default()
    };
    let steps: Vec<Steps> = legs
        .iter()
        .zip(plan.feet)
        .map(|(leg, FootPlan { path, pins, .. })| {
            let path = path.sunk(&plan.sink.depth);
            let toes = toes::plan_toes(&path, leg, &pins.ball, setting);
            Steps { path, toes }
        })
        .collect();
    let cleaned = legs::write_legs(clip, (&legs, &steps), &plan.sink.depth, &mut report);
    Ok((cleaned, report))
}

/// What a plan is made on.
type Setting<'a> = (&'a Floor<'a>, &'a CleanupOptions, &'a Timing);

/// Where feet and root shall go.
struct Plan {
    feet: Vec<FootPlan>,
    sink: Sink,
}

impl Plan {
    fn new(clip: &Clip, legs: &[LegTrack], setting: Setting) -> Self {
        let (_, options, timing) = setting;
        let foot = |leg: &LegTrack| {
            let runs = contact_runs::find_runs(clip, leg, setting);
            FootPlan::new(leg, runs, setting)
        };
        let feet: Vec<FootPlan> = legs.iter().map(foot).collect();
        let sink = Sink::new(legs, &feet, (options, timing));
        Self { feet, sink }
    }

    /// Gives way wherever a leg does more than it may, and plans that anew; says whether it did.
    fn relax(&mut self, legs: &[LegTrack], limits: Limits, setting: Setting) -> bool {
        let (_, options, timing) = setting;
        let mut stale = Vec::new();
        for (foot, leg) in self.feet.iter_mut().zip(legs) {
            let track = (leg, self.sink.depth.as_slice());
            let changes = relax::relax_runs(foot, track, (limits, options, timing.fps));
            if !changes.is_empty() {
                stale.extend(foot.update(leg, changes, setting));
            }
        }
        if stale.is_empty() {
            return false;
        }
        let stale = foot_path::united(stale);
        let feet = (legs, self.feet.as_slice());
        let stale = self.sink.update(feet, stale, (options, timing));
        for foot in &mut self.feet {
            relax::doubt(&mut foot.pins, &stale);
        }
        true
    }

    /// Has what was settled early looked at again, if it may feel what came later beside it.
    fn unsettle(&mut self) -> bool {
        let feet = self.feet.iter_mut();
        feet.fold(false, |any, foot| relax::unsettle(&mut foot.pins) | any)
    }
}

/// The options' times in frames.
struct Timing {
    fps: f32,
    widen: usize,
    sink: usize,
}

impl Timing {
    fn new(clip: &Clip, options: &CleanupOptions) -> Self {
        let frames = |seconds: f64| clip.rate.frames_in(seconds);
        Self {
            fps: clip.rate.fps() as f32,
            widen: frames(options.widen),
            sink: frames(options.sink_time).max(1),
        }
    }
}

/// The joints of a foot that can be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Heel,
    Ball,
}

impl Part {
    fn rest(self, floor: &Floor, side: Side) -> f32 {
        let rest = floor.rest[side.index()];
        match self {
            Self::Heel => rest.ankle,
            Self::Ball => rest.ball,
        }
    }
}
