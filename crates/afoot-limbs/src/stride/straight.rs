//! Whether a walk goes straight on, a step after the other, as stairs need it.
//!
//! A foot to a tread means that every footfall lies ahead of the one before, about as far as the others do and in one
//! direction: a halt would climb on the spot, and a turn would walk off the side.

use std::ops::Range;

use afoot_core::cut_clip;
use glam::Vec3;

use super::error::StrideError;
use super::walk::{Footfall, Walk};

/// A step that goes less far ahead than so much of the mean one is none.
const LEAST_STEP: f32 = 0.3;
/// The most that a walk turns away from where it goes on the whole. [rad]
const MOST_TURN: f32 = 0.6;
/// Who has a foot down for longer stands. [s]
const STANDS: f64 = 1.4;
/// Fewer footfalls are no part to climb stairs with.
const LEAST_FALLS: usize = 4;
/// So many footfalls less one may be dropped at either end of the part that is offered.
const SHORTER: usize = 4;

/// Refuses walks that halt, turn, or go back, with the longest part that does not.
pub(super) fn check_straight(walk: &Walk) -> Result<(), StrideError> {
    let falls = &walk.falls;
    if is_straight(walk, falls, walk.way.direction()) {
        return Ok(());
    }
    Err(StrideError::NotStraightOn {
        clip: walk.clip.name.clone(),
        straight: longest_straight(walk),
    })
}

/// Whether footfalls follow each other in a direction.
fn is_straight(walk: &Walk, falls: &[Footfall], ahead: Vec3) -> bool {
    let typical = typical_step(walk);
    let steps_on = |pair: &[Footfall]| {
        let step = (pair[1].pivot - pair[0].pivot).dot(ahead);
        pair[0].plant.side != pair[1].plant.side && step > LEAST_STEP * typical
    };
    let goes_on = |fall: &Footfall| {
        let turned = walk.way.tangent(fall.flat).angle_between(ahead);
        let cut_off = fall.plant.frames.start == 0 || fall.plant.frames.end == walk.clip.len();
        let longest = walk.clip.rate.frames_in(STANDS);
        turned < MOST_TURN && (fall.plant.frames.len() < longest || cut_off)
    };
    falls.windows(2).all(steps_on) && falls.iter().all(goes_on)
}

/// The median of the distances between successive footfalls: halts and turns don't count for it as for a mean. [m]
fn typical_step(walk: &Walk) -> f32 {
    let step = |pair: &[Footfall]| (pair[1].pivot - pair[0].pivot).with_y(0.0).length();
    let mut steps: Vec<f32> = walk.falls.windows(2).map(step).collect();
    steps.sort_by(f32::total_cmp);
    steps[steps.len() / 2]
}

/// From when to when the most footfalls follow each other straight on, and how many. [s]
fn longest_straight(walk: &Walk) -> Option<(f64, f64, usize)> {
    let falls = &walk.falls;
    let straight_to = |from: usize, to: usize| {
        let part = &falls[from..to];
        let chord = (part[part.len() - 1].pivot - part[0].pivot).with_y(0.0);
        is_straight(walk, part, chord.normalize_or_zero())
    };
    let mut best = 0..0;
    for from in 0..falls.len() {
        let mut to = from + best.len().max(LEAST_FALLS - 1) + 1;
        while to <= falls.len() && straight_to(from, to) {
            best = from..to;
            to += 1;
        }
    }
    // What is cut off sees less of the way, so that its ends may have to be shorter.
    let shorter = (0..SHORTER * SHORTER).map(|drop| (drop / SHORTER, drop % SHORTER));
    let parts = shorter.filter_map(|(head, tail)| {
        let part = best.start + head..best.end.checked_sub(tail)?;
        (part.start + LEAST_FALLS <= part.end).then_some(part)
    });
    parts
        .into_iter()
        .find_map(|part| straight_by_itself(walk, part))
}

/// The frames of some footfalls and of no others, if they go straight on cut out of the clip too.
fn straight_by_itself(walk: &Walk, part: Range<usize>) -> Option<(f64, f64, usize)> {
    let falls = &walk.falls;
    let longest = walk.clip.rate.frames_in(STANDS);
    let (first, last) = (
        &falls[part.start].plant.frames,
        &falls[part.end - 1].plant.frames,
    );
    // Of a stand at either end only as much as a step has.
    let before = falls[..part.start].iter().map(|fall| fall.plant.frames.end);
    let after = falls[part.end..].iter().map(|fall| fall.plant.frames.start);
    let from = before.fold(
        first.start.max(first.end.saturating_sub(longest / 2)),
        usize::max,
    );
    let to = after.fold(last.end.min(last.start + longest / 2), usize::min);
    if from >= to {
        return None;
    }
    let cut = cut_clip(walk.clip, from as u32..to as u32).ok()?;
    let own = Walk::of(&cut).ok()?;
    let seconds = |frame: usize| frame as f64 * walk.clip.rate.frame_time();
    is_straight(&own, &own.falls, own.way.direction())
        .then(|| (seconds(from), seconds(to), own.falls.len()))
}
