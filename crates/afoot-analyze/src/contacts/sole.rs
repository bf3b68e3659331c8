//! One foot's contacts with the floor: its points against the thresholds, de-bounced, pinned.

use std::ops::Range;

use afoot_core::{Clip, Contacts, Ground, Side};
use glam::Vec3;

use super::limits::Limits;
use crate::feet::SoleTracks;
use crate::series::{quantile, runs};
use crate::speed::{is_frozen, point_speeds, size};

/// One point of a sole over time.
pub struct Point {
    pub track: Vec<Vec3>,
    pub speed: Vec<f32>,
    /// Above the point's own rest height. [m]
    pub height: Vec<f32>,
    /// The bit it sets.
    pub part: Contacts,
}

/// One foot's points and the bits found so far.
pub struct Sole {
    side: Side,
    pub points: Vec<Point>,
    /// Tracks of the joints, about which the foot may turn too, and the part that each belongs to.
    joints: Vec<(Vec<Vec3>, Contacts)>,
    /// Whether the whole figure is frozen, so that a foot at rest tells nothing; a frame each.
    pub frozen: Vec<bool>,
    /// How far the foot reaches beyond its points: the toes ahead of an ankle without a ball joint. [m]
    pub unseen: f32,
    /// A frame each.
    pub bits: Vec<Contacts>,
}

/// A pinned foot that moves faster than so many times the limit of pinned ones has left.
const LEAVING: f32 = 4.0;
/// How far an adult's toes reach ahead of the ankle. [m]
const TOES_AHEAD: f32 = 0.2;

impl Sole {
    pub fn new(clip: &Clip, tracks: &SoleTracks, side: Side, limits: &Limits) -> Self {
        let (heel, ball) = (Contacts::heel(side), Contacts::ball(side));
        let parts = [
            (&tracks.heel_sole, heel),
            (&tracks.ball_sole, ball),
            (&tracks.tip_sole, ball),
        ];
        let expected = clip.ground.map(|ground| sole_height(&ground, tracks, side));
        let frozen: Vec<bool> = (0..clip.len()).map(|f| is_frozen(clip, f)).collect();
        let flat = tracks.flat_frames(limits.settle_height).into_iter();
        let settled: Vec<bool> = flat
            .zip(&frozen)
            .map(|(flat, frozen)| flat && !frozen)
            .collect();
        let point = |(track, part): (&Vec<Vec3>, Contacts)| {
            let speed = point_speeds(clip, track);
            let height = rest_heights(clip.ground, track, &speed, &settled, expected, limits);
            Point {
                track: track.clone(),
                speed,
                height,
                part,
            }
        };
        let known = parts.into_iter().filter(|(track, _)| !track.is_empty());
        let ball_joint = tracks.joints.ball.map(|_| (&tracks.ball, ball));
        let joints = [Some((&tracks.ankle, heel)), ball_joint];
        let joints = joints.into_iter().flatten();
        Self {
            side,
            joints: joints.map(|(track, part)| (track.clone(), part)).collect(),
            points: known.map(point).collect(),
            unseen: match tracks.joints.ball {
                Some(_) => 0.0,
                None => TOES_AHEAD * size(clip),
            },
            frozen,
            bits: vec![Contacts::NONE; clip.len()],
        }
    }

    /// Sets the bits of every run below the release thresholds that gets below the settling ones.
    pub fn touch_floor(&mut self, limits: &Limits) {
        for point in &self.points {
            let loose = |f: usize| {
                point.speed[f] < limits.release_speed[f] && point.height[f] < limits.release_height
            };
            let firm = |f: usize| {
                point.speed[f] < limits.settle_speed[f] && point.height[f] < limits.settle_height
            };
            for run in runs(self.bits.len(), loose) {
                if run.clone().any(firm) {
                    run.for_each(|f| self.bits[f] = self.bits[f].with(point.part));
                }
            }
        }
    }

    /// Closes short gaps of the foot, drops short plants, then does the same to heel and ball where
    /// that leaves the foot's plants as they are.
    pub fn debounce(&mut self, limits: &Limits) {
        let (count, foot) = (self.bits.len(), Contacts::foot(self.side));
        for gap in short_runs(count, limits.shortest, |f| !self.bits[f].any(foot)) {
            if gap.start > 0 && gap.end < count {
                let around = Contacts(self.bits[gap.start - 1].0 | self.bits[gap.end].0);
                gap.for_each(|f| self.bits[f] = around);
            }
        }
        for plant in short_runs(count, limits.shortest, |f| self.bits[f].any(foot)) {
            if plant.start > 0 && plant.end < count {
                plant.for_each(|f| self.bits[f] = Contacts::NONE);
            }
        }
        for part in [Contacts::heel(self.side), Contacts::ball(self.side)] {
            self.debounce_part(part, limits);
        }
    }

    fn debounce_part(&mut self, part: Contacts, limits: &Limits) {
        let count = self.bits.len();
        for gap in short_runs(count, limits.shortest, |f| !self.bits[f].any(part)) {
            let inside = gap.start > 0 && gap.end < count;
            if inside && gap.clone().all(|f| self.bits[f] != Contacts::NONE) {
                gap.for_each(|f| self.bits[f] = self.bits[f].with(part));
            }
        }
        for run in short_runs(count, limits.shortest, |f| self.bits[f].any(part)) {
            let inside = run.start > 0 && run.end < count;
            let other_holds = |f: usize| self.bits[f].without(part) != Contacts::NONE;
            if inside && run.clone().all(other_holds) {
                run.for_each(|f| self.bits[f] = self.bits[f].without(part));
            }
        }
    }

    /// Where heel and ball are both down, takes one away that is about to lift or still to come
    /// down, since it has not settled yet or no longer is.
    fn roll(&mut self, limits: &Limits) {
        for part in [Contacts::heel(self.side), Contacts::ball(self.side)] {
            let of_part = |point: &&Point| point.part == part;
            let firm = |f: usize| {
                self.points.iter().filter(of_part).any(|point| {
                    point.speed[f] < limits.settle_speed[f]
                        && point.height[f] < limits.settle_height
                })
            };
            let shared = |f: &usize| self.bits[*f].without(part) != Contacts::NONE && !firm(*f);
            let held = runs(self.bits.len(), |f| self.bits[f].any(part));
            let ends = held.into_iter().flat_map(|run| {
                let start = run.clone().take_while(shared);
                let end = run.clone().rev().take_while(shared);
                start.chain(end).collect::<Vec<_>>()
            });
            for frame in ends.collect::<Vec<_>>() {
                self.bits[frame] = self.bits[frame].without(part);
            }
        }
    }

    /// Heel and ball told apart: by pins where the foot is pinned for most of a plant, which is also
    /// cut down to when it is, else by how it rolls.
    pub fn tell_parts(&mut self, limits: &Limits) {
        let down = self.bits.clone();
        self.roll(limits);
        self.keep_pinned(&down, limits);
    }

    fn keep_pinned(&mut self, down: &[Contacts], limits: &Limits) {
        let (count, foot) = (self.bits.len(), Contacts::foot(self.side));
        let within = |limit: f32| -> Vec<Contacts> {
            (0..count).map(|f| self.pinned_parts(f, limit)).collect()
        };
        // Whether a foot is pinned is told strictly, until when loosely: it leaves by far more, and a step near the strict
        // limit would be told by how a file rounds.
        let (strict, pinned) = (
            within(limits.pinned_step),
            within(LEAVING * limits.pinned_step),
        );
        for plant in runs(count, |f| self.bits[f].any(foot)) {
            let told: Vec<usize> = plant.clone().filter(|f| !self.frozen[*f]).collect();
            let held = told.iter().filter(|f| strict[**f].any(foot)).count();
            if held == 0 || 2 * held < told.len() {
                continue;
            }
            for gap in runs(plant.len(), |f| !pinned[plant.start + f].any(foot)) {
                let at_end = gap.start == 0 || gap.end == plant.len();
                if at_end || gap.len() >= limits.shortest {
                    gap.for_each(|f| self.bits[plant.start + f] = Contacts::NONE);
                }
            }
            for frame in plant {
                // a raised heel may be pinned too, in the air
                match Contacts(pinned[frame].0 & down[frame].0) {
                    Contacts::NONE => {}
                    held => self.bits[frame] = held,
                }
            }
        }
    }

    /// The parts of which anything that the foot may turn about stays where it is, from the frame
    /// before or to the frame after: it moves by less than `limit`. [m]
    fn pinned_parts(&self, frame: usize, limit: f32) -> Contacts {
        let stays = |track: &[Vec3], from: usize| track[from].distance(track[from + 1]) < limit;
        let before = frame.checked_sub(1);
        let after = (frame + 1 < self.bits.len()).then_some(frame);
        let held = |track: &[Vec3]| {
            before
                .into_iter()
                .chain(after)
                .any(|from| stays(track, from))
        };
        let parts = self.turned_about().filter(|(track, _)| held(track));
        parts.fold(Contacts::NONE, |sum, (_, part)| sum.with(part))
    }

    /// The points that the foot may turn about, and the part of it that each belongs to.
    fn turned_about(&self) -> impl Iterator<Item = (&[Vec3], Contacts)> {
        let of_joints = self.joints.iter().map(|(track, part)| (&track[..], *part));
        let of_sole = self
            .points
            .iter()
            .map(|point| (&point.track[..], point.part));
        of_joints.chain(of_sole)
    }
}

/// The runs of fewer than `limit` frames for which `holds`.
fn short_runs(count: usize, limit: usize, holds: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut found = runs(count, holds);
    found.retain(|run| run.len() < limit);
    found
}

/// Height of the sole's points above the plane with the foot flat on the floor.
fn sole_height(ground: &Ground, tracks: &SoleTracks, side: Side) -> f32 {
    let rest = ground.rest[side.index()];
    match tracks.joints.ball {
        Some(_) => rest.ball - tracks.sole,
        None => rest.ankle,
    }
}

/// Heights above the point's own rest height, which differs between the points of a sole by a few
/// centimetres (marker placement, shoes): the median where the point is slow and low and the foot
/// `settled`, flat and not frozen, since one that is held up is so on its toes; but no farther from
/// what the ground says than a settled point may be.
fn rest_heights(
    ground: Option<Ground>,
    track: &[Vec3],
    speed: &[f32],
    settled: &[bool],
    expected: Option<f32>,
    limits: &Limits,
) -> Vec<f32> {
    let level = |p: &Vec3| p.y - ground.map_or(0.0, |ground| ground.height_at(p.x, p.z));
    let mut heights: Vec<f32> = track.iter().map(level).collect();
    let low = expected
        .or_else(|| quantile(&mut heights.clone(), 0.05))
        .unwrap_or(0.0);
    let at_rest = |f: &usize| {
        settled[*f]
            && speed[*f] < limits.settle_speed[*f]
            && (heights[*f] - low).abs() < limits.release_height
    };
    let mut rests: Vec<f32> = (0..track.len())
        .filter(at_rest)
        .map(|f| heights[f])
        .collect();
    let rest = quantile(&mut rests, 0.5).unwrap_or(low);
    let rest = rest.clamp(low - limits.settle_height, low + limits.settle_height);
    heights.iter_mut().for_each(|height| *height -= rest);
    heights
}
