//! A walk with other steps: stride, lift, slope, stairs, obstacles, footprints (Shanbhag 2006, ch. 6).
//!
//! Every footfall is moved by a rigid motion (`place`); swings go from one to the next (`swing`), the root
//! goes with them along its way (`field`) and is carried by the legs (`height`); the two-link solver
//! writes the legs; upper body, turns and step widths stay. We depart from the thesis where it slips:
//! what the model changes is added to the captured height, so that factors of 1 give the clip back; a
//! climb rises in swings alone; displacements are scaled along the way and not across. In: a clip with
//! contacts and floor, best with settled feet, since plants that slide slide on. Cost: linear, see the
//! benchmark. Frame by frame, without a look ahead: `stream`.

mod apart;
mod body;
mod distance;
mod error;
mod field;
mod height;
mod options;
mod place;
mod plan;
mod report;
mod rest;
mod roll;
mod stand;
mod straight;
pub mod stream;
mod surface;
mod swing;
mod walk;
mod way;

use afoot_core::{Clip, Side, cut_clip};

pub use error::StrideError;
pub use options::{Footprint, Measure, StrideOptions};
pub use report::{LegsAsked, StepMade, StrideReport, Strode};
pub use rest::stand_span;
pub use stream::{StepWish, StrideFilter};
pub use surface::{Heights, Obstacle, Stairs, Surface};

use body::{Carried, write};
use distance::{goes, to_distance};
use options::check;
use plan::Plan;
use stand::{frames_between, stand_upright};
use walk::Walk;

/// The most that hips are lowered so that legs reach, in leg lengths: thighs are level then when the other leg is straight.
const LOWEST: f32 = 0.4;

/// Changes a walk.
pub fn change_stride(clip: &Clip, options: &StrideOptions) -> Result<Strode, StrideError> {
    check(options)?;
    let walk = Walk::of(clip)?;
    match between_stands(&walk, options)? {
        Some((between, first)) => {
            let upright = stand_upright(&Walk::of(&between)?, options);
            change(&Walk::of(&upright)?, options, first)
        }
        None => change(&walk, options, 0),
    }
}

/// How far a walk would go from its first frame to its last if it were changed so, whatever distance is asked for. [m]
pub fn distance_of(clip: &Clip, options: &StrideOptions) -> Result<f32, StrideError> {
    check(options)?;
    let walk = Walk::of(clip)?;
    match between_stands(&walk, options)? {
        Some((between, _)) => goes(&Walk::of(&between)?, options),
        None => goes(&walk, options),
    }
}

/// The part of a walk between the stands that are asked for, and where it begins; none if there are none.
fn between_stands(
    walk: &Walk,
    options: &StrideOptions,
) -> Result<Option<(Clip, u32)>, StrideError> {
    if options.ease_in == 0 && options.ease_out == 0 {
        return Ok(None);
    }
    let frames = frames_between(walk, options)?;
    let frames = frames.start as u32..frames.end as u32;
    let first = frames.start;
    let between = cut_clip(walk.clip, frames).expect("the frames are the clip's own");
    Ok(Some((between, first)))
}

/// Changes a walk whose first frame is another clip's `first`.
fn change(walk: &Walk, options: &StrideOptions, first: u32) -> Result<Strode, StrideError> {
    let options = match options.distance {
        Some(metres) => &to_distance(walk, options, metres)?,
        None => options,
    };
    let plan = Plan::of(walk, options)?;
    plan.check_reach()?;
    let lift = lift_factor(walk, options.lift);
    let mut best = Carried::with_least_sinking(&plan, lift);
    let most = LOWEST * walk.legs[0].length();
    if best.lowered > most {
        let lowered = best.lowered;
        return Err(StrideError::TooLow { lowered, most });
    }
    if best.come_to_rest(&plan, options) {
        best.lower(walk);
    }
    let mut report = plan.report(&best.body.heights);
    report.lift = lift;
    report.lowered = best.lowered;
    report.asked = best.asked;
    let mut made = write(walk, &best, &mut report);
    plan.measure(&best.tracks, &mut report);
    made.ground = plan.ground();
    let taken = made.len() as u32;
    let (made, held) = rest::hold(made, options);
    Ok(Strode {
        held,
        frames: first..first + taken,
        clip: made,
        heights: plan.lie.heights(),
        report,
    })
}

/// The factor that makes the mean of the swings' highest lifts what is asked for.
fn lift_factor(walk: &Walk, lift: Measure) -> f32 {
    let metres = match lift {
        Measure::Factor(factor) => return factor,
        Measure::Metres(metres) => metres,
    };
    let mut lifts = Vec::new();
    for side in Side::BOTH {
        let own = walk.falls.iter().filter(|fall| fall.plant.side == side);
        let own: Vec<_> = own.map(|fall| fall.plant.frames.clone()).collect();
        for pair in own.windows(2) {
            let swing = pair[0].end..pair[1].start;
            let heights = swing.map(|frame| walk.clearance(side, frame));
            lifts.push(heights.fold(0.0, f32::max));
        }
    }
    let mean = lifts.iter().sum::<f32>() / lifts.len().max(1) as f32;
    metres / mean.max(0.01)
}
