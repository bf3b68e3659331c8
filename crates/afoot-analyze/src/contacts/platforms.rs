//! Feet at rest on other things than the floor: steps, beams, boxes.
//!
//! Where a foot rests high above the floor, only physics says that it stands: neither foot is on
//! the floor, and yet the body is borne, at a centre of pressure within the sole (see `weight`). A
//! foot that is merely held up is so while the other one stands, while the body flies, or while a
//! seat, the hands or the knees bear it, and then that centre is elsewhere. Feet at rest side by
//! side at one height stand together. Weakness: a foot on a step that never bears more than the
//! other one on the floor does not count.

use std::ops::Range;

use afoot_core::{Clip, Contacts, Positions, Side};
use glam::{Vec2, Vec3};

use super::limits::Limits;
use super::sole::{Point, Sole};
use super::weight::{Support, supports};
use crate::series::{quantile, runs};

/// Adds rests off the floor that bear the body.
pub fn touch_platforms(
    clip: &Clip,
    positions: &Positions,
    soles: &mut [Option<Sole>; 2],
    limits: &Limits,
) {
    let rests = [0, 1].map(|foot| {
        let sole = soles[foot].as_ref();
        sole.map_or_else(Vec::new, |sole| sole.raised_rests(limits))
    });
    if rests.iter().all(Vec::is_empty) {
        return;
    }
    let scene = Scene {
        soles,
        supports: supports(clip, positions),
        at_rest: [0, 1].map(|foot| marked(clip.len(), &rests[foot])),
        limits,
    };
    let mut bearing = rests;
    for (side, rests) in Side::BOTH.into_iter().zip(&mut bearing) {
        rests.retain(|rest| scene.bears_in(side, rest));
    }
    for (sole, rests) in soles.iter_mut().zip(bearing) {
        let Some(sole) = sole else { continue };
        rests.into_iter().for_each(|rest| sole.accept(rest, limits));
        sole.debounce(limits);
        sole.tell_parts(limits);
    }
}

/// Which frames are in one of the ranges.
fn marked(frames: usize, ranges: &[Range<usize>]) -> Vec<bool> {
    let mut marks = vec![false; frames];
    for range in ranges {
        marks[range.clone()].fill(true);
    }
    marks
}

/// What one frame says about a foot at rest off the floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Evidence {
    Bears,
    /// The other foot, at rest off the floor too, bears more of the body.
    Less,
    /// The other foot stands on the floor, or the figure is frozen.
    Unknown,
    /// Something else bears the body, or nothing does.
    Idle,
}

struct Scene<'a> {
    soles: &'a [Option<Sole>; 2],
    supports: Vec<Support>,
    /// Per foot and frame: at rest off the floor.
    at_rest: [Vec<bool>; 2],
    limits: &'a Limits,
}

impl Scene<'_> {
    /// Whether the foot bears the body for most of the time for which that can be told, or for as
    /// long as a step takes and not idle for longer.
    fn bears_in(&self, side: Side, rest: &Range<usize>) -> bool {
        let told: Vec<Evidence> = rest.clone().map(|f| self.evidence(side, f)).collect();
        let count = |of: Evidence| told.iter().filter(|one| **one == of).count();
        let [bears, less, idle] = [Evidence::Bears, Evidence::Less, Evidence::Idle].map(count);
        let steps = runs(told.len(), |at| told[at] == Evidence::Bears);
        let long = steps.iter().any(|step| step.len() >= self.limits.step);
        let mostly = bears >= self.limits.shortest && bears >= less + idle;
        mostly || long && bears >= idle
    }

    fn evidence(&self, side: Side, frame: usize) -> Evidence {
        let (own, other) = (&self.soles[side.index()], &self.soles[side.other().index()]);
        let Some(own) = own.as_ref().filter(|own| !own.frozen[frame]) else {
            return Evidence::Unknown;
        };
        if other
            .as_ref()
            .is_some_and(|other| other.bits[frame] != Contacts::NONE)
        {
            return Evidence::Unknown;
        }
        let touching = own.touching(frame, self.limits);
        let height = lowest(&touching);
        let support = self.supports[frame];
        // half of the weight tells stances from flights, which the fitted parabola blurs
        if support.load < 0.5 || support.centre <= height {
            return Evidence::Idle;
        }
        let other_rests = self.at_rest[side.other().index()][frame];
        let other = other.as_ref().filter(|_| other_rests);
        let others = other.map_or_else(Vec::new, |other| other.touching(frame, self.limits));
        let beside = (lowest(&others) - height).abs() < self.limits.release_height;
        let pressure = support.pressure(height);
        let to_own = distance_to(&touching, pressure);
        let to_other = distance_to(&others, pressure);
        let to_either = distance_to(&[touching, others].concat(), pressure);
        let reach = self.limits.pressure_reach + own.unseen;
        if to_either > reach {
            Evidence::Idle
        } else if beside || to_own <= to_other.min(reach) {
            Evidence::Bears
        } else {
            Evidence::Less
        }
    }
}

fn lowest(points: &[Vec3]) -> f32 {
    points.iter().map(|p| p.y).fold(f32::INFINITY, f32::min)
}

/// Ground distance from the nearest of the lines between any two of the points: nearly the same as
/// from their hull where that is no larger than two feet. Infinite without points.
fn distance_to(points: &[Vec3], from: Vec2) -> f32 {
    let flat = |p: &Vec3| Vec2::new(p.x, p.z);
    let to_line = |a: Vec2, b: Vec2| {
        let along = b - a;
        let share = (from - a).dot(along) / along.length_squared().max(1e-12);
        from.distance(a + along * share.clamp(0.0, 1.0))
    };
    let pairs = points
        .iter()
        .flat_map(|a| points.iter().map(move |b| to_line(flat(a), flat(b))));
    pairs.fold(f32::INFINITY, f32::min)
}

impl Sole {
    /// Speed of the slowest point.
    fn slowest(&self, frame: usize) -> f32 {
        let speeds = self.points.iter().map(|point| point.speed[frame]);
        speeds.fold(f32::INFINITY, f32::min)
    }

    /// Height of the lowest point above where it rests on the floor. [m]
    fn lowest(&self, frame: usize) -> f32 {
        let heights = self.points.iter().map(|point| point.height[frame]);
        heights.fold(f32::INFINITY, f32::min)
    }

    /// The points that touch if the lowest one does.
    fn touching(&self, frame: usize, limits: &Limits) -> Vec<Vec3> {
        let level = self.lowest(frame) + limits.release_height;
        let low = |point: &&Point| point.height[frame] < level;
        let points = self.points.iter().filter(low);
        points.map(|point| point.track[frame]).collect()
    }

    /// Runs of frames at rest off the floor: as on it, below the release speed about frames below the
    /// settling one, at about their height.
    fn raised_rests(&self, limits: &Limits) -> Vec<Range<usize>> {
        let still =
            |f: usize| self.bits[f] == Contacts::NONE && self.slowest(f) < limits.settle_speed[f];
        let mut found: Vec<Range<usize>> = Vec::new();
        for run in runs(self.bits.len(), still) {
            let rest = self.widened(run, limits);
            match found.last_mut() {
                Some(last) if rest.start < last.end => last.end = last.end.max(rest.end),
                _ => found.push(rest),
            }
        }
        found.retain(|rest| rest.len() >= limits.shortest);
        found
    }

    /// Up to where the foot moves off.
    fn widened(&self, still: Range<usize>, limits: &Limits) -> Range<usize> {
        let height = self.middle_height(still.clone());
        let loose = |f: &usize| {
            self.bits[*f] == Contacts::NONE
                && self.slowest(*f) < limits.release_speed[*f]
                && (self.lowest(*f) - height).abs() < limits.release_height
        };
        let start = (0..still.start).rev().take_while(loose).last();
        let end = (still.end..self.bits.len()).take_while(loose).last();
        start.unwrap_or(still.start)..end.map_or(still.end, |f| f + 1)
    }

    fn middle_height(&self, frames: Range<usize>) -> f32 {
        let mut heights: Vec<f32> = frames.map(|f| self.lowest(f)).collect();
        quantile(&mut heights, 0.5).unwrap_or(0.0)
    }

    /// Takes a raised rest as a plant.
    fn accept(&mut self, rest: Range<usize>, limits: &Limits) {
        let height = self.middle_height(rest.clone());
        for point in &mut self.points {
            for frame in rest.clone() {
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
