//! The floor that a motion is judged on.
//!
//! Its feet tell where they rest, but a figure that floats throughout rests on air: so the floor must be
//! where the library's is, or at height 0, where made motion stands.

use afoot_core::{Clip, FootRest, Ground, Positions, Side};

use super::JudgeOptions;
use super::statistics::{Floor, middle_height};
use crate::feet::foot_joints;
use crate::ground::{GroundOptions, estimate_ground_at};

/// How far a floor may be off the library's before it is not believed: the worst that captured
/// floors of one studio differ by from day to day, and a few times what an estimate is off by. [m]
const SLACK: f32 = 0.03;

/// The floor under a motion: its own, as far as the known one allows; `None` without feet.
pub(super) fn judged_ground(
    clip: &Clip,
    positions: &Positions,
    library: Option<Floor>,
    level: Option<f32>,
) -> Option<Ground> {
    let estimate = || estimate_ground_at(clip, positions, &GroundOptions::default());
    let own = clip.ground.or_else(|| Some(estimate().ok()?.ground));
    let heights = allowed_heights(library, level);
    let Some(own) = own else {
        return library
            .filter(|_| has_feet(clip))
            .map(|known| level_floor(&known, level));
    };
    let height = middle_height(clip, &own);
    let allowed = heights
        .into_iter()
        .map(|[low, high]| height.clamp(low - SLACK, high + SLACK))
        .min_by(|a, b| (a - height).abs().total_cmp(&(b - height).abs()))
        .unwrap_or(height);
    Some(match allowed == height {
        true => own,
        false => Ground {
            height: allowed,
            slope_x: 0.0,
            slope_z: 0.0,
            ..own
        },
    })
}

/// The floor with the heights at which joints rest on it, where these were known before the motion was: rest heights
/// found in the motion itself follow what they are to measure, and feet that sink throughout would rest there.
pub(super) fn known_floor(options: &JudgeOptions) -> Option<Ground> {
    let unknown = [FootRest::default(); 2];
    options.ground.filter(|ground| ground.rest != unknown)
}

/// Where the floor may be: as said, else as in the library, else anywhere.
fn allowed_heights(library: Option<Floor>, level: Option<f32>) -> Vec<[f32; 2]> {
    match (level, library) {
        (Some(level), _) => vec![[level; 2]],
        (None, Some(library)) => vec![library.heights, [0.0; 2]],
        (None, None) => Vec::new(),
    }
}

fn has_feet(clip: &Clip) -> bool {
    let foot = |side| foot_joints(&clip.skeleton, side);
    Side::BOTH.into_iter().any(|side| foot(side).is_some())
}

fn level_floor(library: &Floor, level: Option<f32>) -> Ground {
    Ground {
        rest: library.rest.map(|[ankle, ball]| FootRest { ankle, ball }),
        ..Ground::level(level.unwrap_or(library.usual))
    }
}
