//! Holds a foot for more frames where it would linger beside a plant.
//!
//! A contact ends where the captured foot is fast; the planned one, faded and eased, may be slower
//! there, neither at rest nor under way, which is seen as skating. Such frames are held too, as far as
//! the leg lets them: `relax` comes after. Speeds are central differences of the planned joints.

use std::ops::Range;

use super::foot_path::{Changes, FootPlan};
use super::legs::LegTrack;
use super::pins::Pin;
use super::{CleanupOptions, Part};

/// Most frames that a plant gains at each end.
pub const ROUNDS: usize = 2;
/// Fewest frames that are left free between two plants: it leaves in the first and arrives in the last.
const FEWEST_FREE: usize = 2;

/// Lengthens plants by a frame at the ends beside which the foot lingers; says which.
pub fn extend_runs(
    foot: &mut FootPlan,
    leg: &LegTrack,
    (options, fps): (&CleanupOptions, f32),
) -> Changes {
    let mut changes = Changes::default();
    let planted = foot.pins.planted.clone();
    for (index, plant) in planted.iter().enumerate() {
        let before = index.checked_sub(1).map_or(0, |index| planted[index].end);
        let after = planted.get(index + 1).map_or(leg.len(), |next| next.start);
        let lingers = |edge: usize, beyond: usize| {
            let speed = held_speed(foot, leg, (edge, beyond)) * fps / 2.0;
            speed < options.hold_speed
        };
        let start = before + FEWEST_FREE < plant.start && lingers(plant.start, plant.start - 2);
        let end = plant.end + FEWEST_FREE < after && lingers(plant.end - 1, plant.end + 1);
        if start || end {
            widen(foot, plant, [start, end]);
            let widened = plant.start - usize::from(start)..plant.end + usize::from(end);
            changes.plants.push(widened);
        }
    }
    changes
}

/// How far the slower of the parts that are held at a frame gets until another. [m]
fn held_speed(foot: &FootPlan, leg: &LegTrack, (edge, beyond): (usize, usize)) -> f32 {
    let held = |part: &Part| {
        foot.pins
            .of(*part)
            .iter()
            .any(|pin| pin.run.frames.contains(&edge))
    };
    let way = |part: Part| {
        foot.path
            .place(leg, part, edge)
            .distance(foot.path.place(leg, part, beyond))
    };
    let parts = [Part::Heel, Part::Ball].into_iter().filter(held);
    parts.map(way).fold(f32::INFINITY, f32::min)
}

/// Lengthens the runs that begin or end a plant.
fn widen(foot: &mut FootPlan, plant: &Range<usize>, [start, end]: [bool; 2]) {
    let widen = |pin: &mut Pin| {
        let frames = &mut pin.run.frames;
        if start && frames.start == plant.start {
            frames.start -= 1;
        }
        if end && frames.end == plant.end {
            frames.end += 1;
        }
    };
    for part in [Part::Heel, Part::Ball] {
        foot.pins.of_mut(part).iter_mut().for_each(widen);
    }
}
