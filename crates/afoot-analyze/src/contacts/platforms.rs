//! Feet at rest on other things than the floor: steps, beams, boxes.
//!
//! Where a foot rests high above the floor, only physics says that it stands: neither foot is on
//! the floor, for longer than anything in flight could be so slow, and yet the body does not fall.
//! A foot that is merely held up is so while the other one stands, or while the body flies.

use std::ops::Range;

use afoot_core::{Clip, Contacts, Side};

use super::limits::{GRAVITY, Limits};
use super::sole::Sole;
use crate::series::{quantile, runs};

/// Adds rests off the floor that bear the body.
pub fn touch_platforms(clip: &Clip, soles: &mut [Option<Sole>; 2], limits: &Limits) {
    let bearing = Side::BOTH.map(|side| {
        let Some(sole) = &soles[side.index()] else {
            return Vec::new();
        };
        let other = soles[side.other().index()].as_ref();
        let other_is_up = |f: usize| other.is_none_or(|other| other.bits[f] == Contacts::NONE);
        let bears = |rest: &Range<usize>| {
            let alone = runs(rest.len(), |f| other_is_up(rest.start + f));
            let mut long = alone.into_iter().filter(|run| run.len() >= limits.platform);
            long.any(|run| !falls(clip, rest.start + run.start..rest.start + run.end))
        };
        let mut rests = sole.raised_rests(limits);
        rests.retain(bears);
        rests
    });
    for (sole, rests) in soles.iter_mut().zip(bearing) {
        let Some(sole) = sole else { continue };
        rests.into_iter().for_each(|rest| sole.accept(rest, limits));
        sole.debounce(limits);
        sole.tell_parts(limits);
    }
}

/// Whether the root comes down faster than half of gravity would have it, by the parabola through
/// the ends and the middle of the frames. Fewer than 3 frames do not tell.
fn falls(clip: &Clip, frames: Range<usize>) -> bool {
    let half = frames.len().saturating_sub(1) / 2;
    let height = |frame: usize| clip.root[frame].y;
    if half == 0 {
        return false;
    }
    let start = frames.start;
    let bend = height(start) - 2.0 * height(start + half) + height(start + 2 * half);
    let seconds = half as f32 * clip.rate.frame_time() as f32;
    bend / (seconds * seconds) < -0.5 * GRAVITY
}

impl Sole {
    /// Speed of the slowest point.
    fn slowest(&self, frame: usize) -> f32 {
        let speeds = self.points.iter().map(|point| point.speed[frame]);
        speeds.fold(f32::INFINITY, f32::min)
    }

    /// Runs of frames at rest off the floor, long enough to be a stance.
    fn raised_rests(&self, limits: &Limits) -> Vec<Range<usize>> {
        let still =
            |f: usize| self.bits[f] == Contacts::NONE && self.slowest(f) < limits.settle_speed[f];
        let mut found = runs(self.bits.len(), still);
        found.retain(|run| run.len() >= limits.platform);
        found
    }

    /// Takes a raised rest as a plant, widened to where the foot moves off.
    fn accept(&mut self, rest: Range<usize>, limits: &Limits) {
        let lowest = |f: usize| {
            let heights = self.points.iter().map(|point| point.height[f]);
            heights.fold(f32::INFINITY, f32::min)
        };
        let mut heights: Vec<f32> = rest.clone().map(lowest).collect();
        let height = quantile(&mut heights, 0.5).unwrap_or(0.0);
        let loose = |f: &usize| {
            self.bits[*f] == Contacts::NONE
                && self.slowest(*f) < limits.release_speed[*f]
                && (lowest(*f) - height).abs() < limits.release_height
        };
        let start = (0..rest.start).rev().take_while(loose).last();
        let end = (rest.end..self.bits.len()).take_while(loose).last();
        let plant = start.unwrap_or(rest.start)..end.map_or(rest.end, |f| f + 1);
        for point in &mut self.points {
            for frame in plant.clone() {
                // from here on the platform is this foot's floor
                point.height[frame] -= height;
                let slow = point.speed[frame] < limits.release_speed[frame];
                if slow && point.height[frame] < limits.release_height {
                    self.bits[frame] = self.bits[frame].with(point.part);
                }
            }
        }
    }
}
