//! Foot contacts: when the heel and the ball of each foot rest on the floor or on something else.
//!
//! After Shanbhag 2006, §3.1 (height and speed of ankle and toe, then de-bouncing), with three
//! departures: points of the sole instead of joints (see `feet`), thresholds with hysteresis that
//! follow from the clip instead of trial and error, and de-bouncing in both directions. A point's
//! contact is a run of frames slower and lower than the release thresholds in which it also gets
//! below the settling ones. In: a clip, its `ground` if known. Out: bits per frame, plants.
//! Cost: linear. Hands and seat: `touch`. Weakness: a foot that slides slowly along the floor
//! (moonwalk) counts as planted; a foot held still in the air counts only if it bears the body.

use std::ops::Range;

use afoot_core::{Clip, Contacts, Ground, Positions, Range32, Side, forward_kinematics};
use glam::Vec3;
use thiserror::Error;

use crate::feet::{SoleTracks, point_speeds, quantile, root_speeds, runs, sole_tracks};

/// Thresholds of [`detect_contacts`], for an adult; lengths and speeds scale with leg length.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactOptions {
    /// A point that gets slower than this is at rest. [m/s, > 0]
    pub settle_speed: f32,
    /// It stays in contact until it is faster than this: the sole peels off over about a tenth of
    /// a second, in which its last point speeds up to walking pace. [m/s, >= settle_speed]
    pub release_speed: f32,
    /// A point that gets lower than this above its rest height is on the floor. [m, > 0]
    pub settle_height: f32,
    /// It stays on the floor until it is higher than this. Three times the scatter of rest heights
    /// (6 mm), and the wobble of toes (2 cm). [m, >= settle_height]
    pub release_height: f32,
    /// A foot slower than this for most of a plant is pinned, as in made motion, and planted
    /// exactly while it is. Captured feet are never so still. 0 never believes it. [m/s, >= 0]
    pub pinned_speed: f32,
    /// Shorter gaps within a plant are closed. [s, >= 0]
    pub longest_gap: f64,
    /// Shorter plants are dropped. [s, >= 0]
    pub shortest_plant: f64,
    /// Whether feet may rest at other heights than the floor's, on steps and platforms.
    pub platforms: bool,
}

impl Default for ContactOptions {
    fn default() -> Self {
        Self {
            settle_speed: 0.25,
            release_speed: 0.6,
            settle_height: 0.03,
            release_height: 0.045,
            pinned_speed: 0.0005,
            longest_gap: 0.06,
            shortest_plant: 0.05,
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
    /// Speed that noise alone gives a resting point: what the thresholds were widened by. [m/s]
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
    #[error("clip {clip:?}: the skeleton has no joint known as a foot; set the roles first")]
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
    let noise_speed = noise_speed(clip, &feet);
    let limits = Limits::new(clip, options, noise_speed);
    let mut soles = Side::BOTH.map(|side| {
        let tracks = feet[side.index()].as_ref()?;
        Some(Sole::new(clip, tracks, side, &limits))
    });
    for sole in soles.iter_mut().flatten() {
        sole.touch_floor(&limits);
        sole.debounce(&limits);
        sole.keep_pinned(&limits);
    }
    if options.platforms {
        touch_platforms(&mut soles, &limits);
    }
    let contacts = join_bits(clip.len(), &soles);
    let plants = plants_at(clip, positions, &contacts);
    Ok(ContactReport {
        contacts,
        plants,
        noise_speed,
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
        let Some(joints) = crate::feet::foot_joints(&clip.skeleton, side) else {
            continue;
        };
        let middle = |point: usize, frames: Range<usize>, part: Contacts| {
            let held = frames.filter(|frame| contacts[*frame].any(part));
            let at = |frame: usize| positions.frame(frame.into())[point];
            median_of(held.map(at).collect())
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

/// The thresholds as they hold for one clip.
struct Limits {
    /// Per frame. [m/s]
    settle_speed: Vec<f32>,
    release_speed: Vec<f32>,
    settle_height: f32,
    release_height: f32,
    /// A pinned point moves less from frame to frame. [m]
    pinned_step: f32,
    /// Gaps of fewer frames are closed.
    gap: usize,
    /// Plants of fewer frames are dropped.
    plant: usize,
    /// A rest on a platform lasts at least as many frames.
    platform: usize,
}

/// Leg length for which the options are meant. [m]
const ADULT_LEG: f32 = 0.8;

impl Limits {
    /// A planted foot moves backwards under the body at the root's speed, and its marker fit drags
    /// it along: the faster the body, the faster a foot that is still planted. An eighth of the
    /// root's speed to settle and a quarter to release overtake the constants at 2.0 and 2.4 m/s,
    /// where walking has turned into running.
    fn new(clip: &Clip, options: &ContactOptions, noise_speed: f32) -> Self {
        let size = clip
            .skeleton
            .leg_length()
            .map_or(1.0, |leg| leg / ADULT_LEG);
        let root = root_speeds(clip);
        let widened = |base: f32, share: f32| -> Vec<f32> {
            let limit = |root: &f32| (base * size).max(root * share).hypot(1.5 * noise_speed);
            root.iter().map(limit).collect()
        };
        let noise_height = noise_speed * 2.0 / 30.0;
        Self {
            settle_speed: widened(options.settle_speed, 0.125),
            release_speed: widened(options.release_speed, 0.25),
            settle_height: (options.settle_height * size).hypot(noise_height),
            release_height: (options.release_height * size).hypot(noise_height),
            pinned_step: options.pinned_speed * clip.rate.frame_time() as f32,
            gap: frames_at_least(clip, options.longest_gap),
            plant: frames_at_least(clip, options.shortest_plant),
            platform: frames_at_least(clip, 0.12),
        }
    }
}

/// The least number of frames, at least 2, that last `seconds`.
fn frames_at_least(clip: &Clip, seconds: f64) -> usize {
    ((seconds * clip.rate.fps() - 1e-6).ceil() as usize).max(2)
}

/// One point of a sole over time.
struct Point {
    speed: Vec<f32>,
    /// Above the point's own rest height. [m]
    height: Vec<f32>,
    /// The bit it sets.
    part: Contacts,
}

/// One foot's points and the bits found so far.
struct Sole {
    side: Side,
    points: Vec<Point>,
    /// Tracks of all that the foot may turn about: the sole's points and the joints.
    pivots: Vec<Vec<Vec3>>,
    bits: Vec<Contacts>,
}

impl Sole {
    fn new(clip: &Clip, tracks: &SoleTracks, side: Side, limits: &Limits) -> Self {
        let (heel, ball) = (Contacts::heel(side), Contacts::ball(side));
        let parts = [
            (&tracks.heel_sole, heel),
            (&tracks.ball_sole, ball),
            (&tracks.tip_sole, ball),
        ];
        let expected = clip.ground.map(|ground| sole_height(&ground, tracks, side));
        let point = |(track, part): (&Vec<Vec3>, Contacts)| {
            let speed = point_speeds(clip, track);
            let height = rest_heights(clip.ground, track, &speed, (expected, limits));
            Point {
                speed,
                height,
                part,
            }
        };
        let known = parts.into_iter().filter(|(track, _)| !track.is_empty());
        let pivots = [
            &tracks.ankle,
            &tracks.ball,
            &tracks.heel_sole,
            &tracks.ball_sole,
            &tracks.tip_sole,
        ];
        let there = pivots.into_iter().filter(|track| !track.is_empty());
        Self {
            side,
            pivots: there.cloned().collect(),
            points: known.map(point).collect(),
            bits: vec![Contacts::NONE; clip.len()],
        }
    }

    /// Sets the bits of every run below the release thresholds that gets below the settling ones.
    fn touch_floor(&mut self, limits: &Limits) {
        for point in &self.points {
            let loose = |f: usize| {
                point.speed[f] < limits.release_speed[f] && point.height[f] < limits.release_height
            };
            let firm = |f: usize| {
                point.speed[f] < limits.settle_speed[f] && point.height[f] < limits.settle_height
            };
            // a plant that the clip's end cuts off may have settled outside of it
            let last = self.bits.len().saturating_sub(1);
            let cut_off = |f: usize| {
                let speed = 0.5 * (limits.settle_speed[f] + limits.release_speed[f]);
                (f == 0 || f == last)
                    && point.speed[f] < speed
                    && point.height[f] < limits.settle_height
            };
            for run in runs(self.bits.len(), loose) {
                if run.clone().any(|f| firm(f) || cut_off(f)) {
                    run.for_each(|f| self.bits[f] = self.bits[f].with(point.part));
                }
            }
        }
    }

    /// Closes short gaps of the foot, drops short plants, then does the same to heel and ball where
    /// that leaves the foot's plants as they are.
    fn debounce(&mut self, limits: &Limits) {
        let (count, foot) = (self.bits.len(), Contacts::foot(self.side));
        for gap in short_runs(count, limits.gap, |f| !self.bits[f].any(foot)) {
            if gap.start > 0 && gap.end < count {
                let around = Contacts(self.bits[gap.start - 1].0 | self.bits[gap.end].0);
                gap.for_each(|f| self.bits[f] = around);
            }
        }
        for plant in short_runs(count, limits.plant, |f| self.bits[f].any(foot)) {
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
        for gap in short_runs(count, limits.gap, |f| !self.bits[f].any(part)) {
            let inside = gap.start > 0 && gap.end < count;
            if inside && gap.clone().all(|f| self.bits[f] != Contacts::NONE) {
                gap.for_each(|f| self.bits[f] = self.bits[f].with(part));
            }
        }
        for run in short_runs(count, limits.plant, |f| self.bits[f].any(part)) {
            let inside = run.start > 0 && run.end < count;
            let other_holds = |f: usize| self.bits[f].without(part) != Contacts::NONE;
            if inside && run.clone().all(other_holds) {
                run.for_each(|f| self.bits[f] = self.bits[f].without(part));
            }
        }
    }

    /// Cuts plants in which the foot is pinned for most of the time down to when it is.
    fn keep_pinned(&mut self, limits: &Limits) {
        let (count, foot) = (self.bits.len(), Contacts::foot(self.side));
        let pinned: Vec<bool> = (0..count).map(|f| self.is_pinned(f, limits)).collect();
        for plant in runs(count, |f| self.bits[f].any(foot)) {
            let held = plant.clone().filter(|f| pinned[*f]).count();
            if 2 * held < plant.len() {
                continue;
            }
            for gap in runs(plant.len(), |f| !pinned[plant.start + f]) {
                let at_end = gap.start == 0 || gap.end == plant.len();
                if at_end || gap.len() >= limits.gap {
                    gap.for_each(|f| self.bits[plant.start + f] = Contacts::NONE);
                }
            }
        }
    }

    /// Whether anything that the foot may turn about stays where it is, from the frame before or
    /// to the frame after.
    fn is_pinned(&self, frame: usize, limits: &Limits) -> bool {
        let stays = |track: &Vec<Vec3>, from: usize| {
            track[from].distance(track[from + 1]) < limits.pinned_step
        };
        let before = frame.checked_sub(1);
        let after = (frame + 1 < self.bits.len()).then_some(frame);
        let mut steps = before.into_iter().chain(after);
        steps.any(|from| self.pivots.iter().any(|track| stays(track, from)))
    }

    /// Speed of the slowest point.
    fn slowest(&self, frame: usize) -> f32 {
        let speeds = self.points.iter().map(|point| point.speed[frame]);
        speeds.fold(f32::INFINITY, f32::min)
    }

    /// Runs of frames at rest off the floor, long enough to be a stance.
    fn raised_rests(&self, limits: &Limits) -> Vec<Range<usize>> {
        let still = |f: usize| {
            self.bits[f] == Contacts::NONE && self.slowest(f) < 0.6 * limits.settle_speed[f]
        };
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
        for frame in start.unwrap_or(rest.start)..end.map_or(rest.end, |f| f + 1) {
            let slow = |p: &&Point| p.speed[frame] < limits.release_speed[frame];
            let parts = self.points.iter().filter(slow).map(|point| point.part.0);
            self.bits[frame] = Contacts(parts.fold(0, |sum, part| sum | part));
        }
    }
}

/// The runs of fewer than `limit` frames for which `holds`.
fn short_runs(count: usize, limit: usize, holds: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut found = runs(count, holds);
    found.retain(|run| run.len() < limit);
    found
}

/// Accepts rests off the floor that must bear the body, since for some of their time the other
/// foot is off the floor too. A foot that is merely held up is so while the other one stands.
fn touch_platforms(soles: &mut [Option<Sole>; 2], limits: &Limits) {
    let bearing = Side::BOTH.map(|side| {
        let Some(sole) = &soles[side.index()] else {
            return Vec::new();
        };
        let other_is_up = |f: usize| match &soles[side.other().index()] {
            Some(other) => other.bits[f] == Contacts::NONE,
            None => true,
        };
        let mut rests = sole.raised_rests(limits);
        rests.retain(|rest| rest.clone().any(other_is_up));
        rests
    });
    for (sole, rests) in soles.iter_mut().zip(bearing) {
        let Some(sole) = sole else { continue };
        rests.into_iter().for_each(|rest| sole.accept(rest, limits));
        sole.debounce(limits);
        sole.keep_pinned(limits);
    }
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
/// centimetres (marker placement, shoes): the median where the point is slow and low, but no
/// farther than 3 cm from what the ground says.
fn rest_heights(
    ground: Option<Ground>,
    track: &[Vec3],
    speed: &[f32],
    (expected, limits): (Option<f32>, &Limits),
) -> Vec<f32> {
    let level = |p: &Vec3| p.y - ground.map_or(0.0, |ground| ground.height_at(p.x, p.z));
    let mut heights: Vec<f32> = track.iter().map(level).collect();
    let low = expected
        .or_else(|| quantile(&mut heights.clone(), 0.05))
        .unwrap_or(0.0);
    let at_rest = |f: &usize| {
        speed[*f] < limits.settle_speed[*f]
            && (heights[*f] - low).abs() < 2.0 * limits.settle_height
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

/// The mean speed that white noise gives a resting ball joint, from third differences, in which
/// smooth motion nearly vanishes; the lower quartile leaves the swing phases out. [m/s]
fn noise_speed(clip: &Clip, feet: &[Option<SoleTracks>; 2]) -> f32 {
    let thirds = |track: &[Vec3]| -> Vec<f32> {
        let third = |p: &[Vec3]| (p[3] - p[0] - 3.0 * (p[2] - p[1])).length();
        track.windows(4).map(third).collect()
    };
    let mut all: Vec<f32> = feet
        .iter()
        .flatten()
        .flat_map(|foot| thirds(&foot.ball))
        .collect();
    let quartile = quantile(&mut all, 0.25).unwrap_or(0.0);
    // a third difference has 20 times the variance; 1.10 is the lower quartile of a 3-D normal length
    let deviation = quartile / (20f32.sqrt() * 1.10);
    let window = (2.0 / 30.0f64).max(2.0 * clip.rate.frame_time()) as f32;
    // 1.60 is the mean of a 3-D normal length
    1.60 * deviation * 2f32.sqrt() / window
}

fn join_bits(frames: usize, soles: &[Option<Sole>; 2]) -> Vec<Contacts> {
    let joined = |frame: usize| {
        let bits = soles.iter().flatten().map(|sole| sole.bits[frame]);
        bits.fold(Contacts::NONE, Contacts::with)
    };
    (0..frames).map(joined).collect()
}

fn median_of(points: Vec<Vec3>) -> Option<Vec3> {
    let middle = |part: fn(&Vec3) -> f32| {
        let mut values: Vec<f32> = points.iter().map(part).collect();
        quantile(&mut values, 0.5)
    };
    Some(Vec3::new(
        middle(|p| p.x)?,
        middle(|p| p.y)?,
        middle(|p| p.z)?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{FootAt, flat, scripted, scripted_on, shake, skeleton, walk};
    use crate::ground::{GroundOptions, estimate_ground};

    const GAIT: (f64, f64, f32) = (0.6, 0.4, 1.2);

    fn found(clip: &mut Clip) -> ContactReport {
        let ground = estimate_ground(clip, &GroundOptions::default());
        clip.ground = ground.ok().map(|estimate| estimate.ground);
        detect_contacts(clip, &ContactOptions::default()).unwrap()
    }

    /// Checks one foot's plants against times in seconds, to one frame.
    fn check(clip: &Clip, report: &ContactReport, side: Side, expected: &[(f64, f64)]) {
        let fps = clip.rate.fps();
        let plants: Vec<(f64, f64)> = report
            .plants
            .iter()
            .filter(|plant| plant.side == side)
            .map(|plant| (f64::from(plant.frames.start), f64::from(plant.frames.end)))
            .collect();
        // a 30th of a second is the resolution of speeds, whatever the rate
        let slack = (fps / 30.0).max(1.0) + 1e-6;
        let near = |(a, b): (&(f64, f64), &(f64, f64))| {
            (a.0 - (b.0 * fps).ceil()).abs() <= slack && (a.1 - (b.1 * fps).ceil()).abs() <= slack
        };
        let same = plants.len() == expected.len() && plants.iter().zip(expected).all(near);
        assert!(
            same,
            "{fps} fps: {plants:?} are not the frames of {expected:?}"
        );
    }

    const LEFT: [(f64, f64); 4] = [(0.0, 0.6), (1.0, 1.6), (2.0, 2.6), (3.0, 3.6)];

    #[test]
    fn a_walk_at_any_rate() {
        for fps in [30, 60, 120] {
            let mut clip = walk((4.0, fps), |_, _| 0.04, GAIT);
            let report = found(&mut clip);
            check(&clip, &report, Side::Left, &LEFT);
            let right = [(0.0, 0.1), (0.5, 1.1), (1.5, 2.1), (2.5, 3.1), (3.5, 4.0)];
            check(&clip, &report, Side::Right, &right);
        }
    }

    #[test]
    fn the_floor_may_be_tilted_or_unknown_and_the_joints_noisy() {
        let mut tilted = walk((4.0, 30), |_, z| 0.02 * z, GAIT);
        let report = found(&mut tilted);
        check(&tilted, &report, Side::Left, &LEFT);
        let level = walk((4.0, 30), |_, _| 0.7, GAIT);
        let report = detect_contacts(&level, &ContactOptions::default()).unwrap();
        check(&level, &report, Side::Left, &LEFT);
        for size in [0.003, 0.01] {
            let mut noisy = walk((4.0, 30), |_, _| 0.04, GAIT);
            shake(&mut noisy, size);
            let report = found(&mut noisy);
            check(&noisy, &report, Side::Left, &LEFT);
        }
    }

    #[test]
    fn plants_are_where_the_foot_stands() {
        let mut clip = walk((4.0, 30), |_, _| 0.04, GAIT);
        let report = found(&mut clip);
        let left = report
            .plants
            .iter()
            .filter(|plant| plant.side == Side::Left);
        for (index, plant) in left.enumerate() {
            let ball = Vec3::new(0.1, 0.04, 1.2 * index as f32);
            assert!(plant.ball.unwrap().distance(ball) < 0.01, "{plant:?}");
            let ankle = ball + Vec3::new(0.0, 0.05, -0.12);
            assert!(plant.ankle.unwrap().distance(ankle) < 0.01, "{plant:?}");
        }
        clip.contacts = report.contacts.clone();
        assert_eq!(plants_of(&clip), report.plants);
    }

    #[test]
    fn heel_and_ball_are_told_apart() {
        // from 1 s to 2 s on the toes, the other foot flat throughout
        let rise = |time: f64| {
            let up = ((time - 1.0).min(2.0 - time) * 4.0).clamp(0.0, 0.7) as f32;
            let left = FootAt {
                heel_up: up,
                ..flat(0.1, 0.04, 0.0)
            };
            (Vec3::Y, [left, flat(-0.1, 0.04, 0.0)])
        };
        let report = found(&mut scripted((3.0, 30), rise));
        let bits = |frame: usize| report.contacts[frame];
        assert!(bits(10).any(Contacts::heel(Side::Left)));
        assert!(!bits(45).any(Contacts::heel(Side::Left)));
        assert!((0..90).all(|frame| bits(frame).any(Contacts::ball(Side::Left))));
        assert!((0..90).all(|frame| bits(frame).any(Contacts::heel(Side::Right))));
    }

    #[test]
    fn steps_of_stairs_are_touched_and_a_raised_foot_is_not() {
        let stairs = |_: f32, z: f32| 0.04 + 0.18 * ((z - 1.0) / 0.6).floor().clamp(0.0, 4.0);
        let mut climb = walk((4.0, 30), stairs, GAIT);
        let report = found(&mut climb);
        check(&climb, &report, Side::Left, &LEFT);
        // stands on the right foot and holds the left one up
        let hold = |time: f64| {
            let up = ((time - 1.0).min(3.0 - time)).clamp(0.0, 0.3) as f32;
            (Vec3::Y, [flat(0.1, 0.04 + up, 0.0), flat(-0.1, 0.04, 0.0)])
        };
        let mut held = scripted((4.0, 30), hold);
        let report = found(&mut held);
        check(&held, &report, Side::Left, &[(0.0, 1.0), (3.0, 4.0)]);
        check(&held, &report, Side::Right, &[(0.0, 4.0)]);
    }

    #[test]
    fn short_gaps_and_touches_do_not_count() {
        // the foot twitches for a frame at 1 s and pauses for a frame in mid-air at 2.5 s
        let twitch = |time: f64| {
            let frame = (time * 30.0).round() as i32;
            let z = match frame {
                30 => 0.05,
                ..60 => 0.0,
                60..90 => 0.05 * (frame - 60 - i32::from(frame > 75)) as f32,
                _ => 1.45,
            };
            (Vec3::Y, [flat(0.1, 0.04, z), flat(-0.1, 0.04, 0.0)])
        };
        let mut clip = scripted((4.0, 30), twitch);
        let report = found(&mut clip);
        check(&clip, &report, Side::Left, &[(0.0, 2.0), (3.0, 4.0)]);
    }

    #[test]
    fn a_lost_pose_at_the_start_is_no_plant() {
        let clip = walk((2.0, 30), |_, _| 0.04, GAIT);
        // cut in the middle of the left foot's swing, with the first pose repeated
        let mut moments: Vec<f64> = vec![24.0; 3];
        moments.extend((25..60).map(f64::from));
        let mut cut = afoot_core::clip_at(&clip, &moments, clip.rate);
        let report = found(&mut cut);
        assert!(!report.contacts[0].any(Contacts::foot(Side::Left)));
    }

    #[test]
    fn feet_without_toes_have_heels() {
        let stand = |_: f64| (Vec3::Y, [flat(0.1, 0.03, 0.0), flat(-0.1, 0.03, 0.0)]);
        let mut clip = scripted_on(skeleton(false), (1.0, 30), stand);
        let report = found(&mut clip);
        let heels = Contacts::heel(Side::Left).with(Contacts::heel(Side::Right));
        assert_eq!(report.contacts, vec![heels; 30]);
    }

    #[test]
    fn tiny_clips_and_footless_figures() {
        let stand = |_: f64| (Vec3::Y, [flat(0.1, 0.03, 0.0), flat(-0.1, 0.03, 0.0)]);
        let one = found(&mut scripted((0.034, 30), stand));
        let all = Contacts::foot(Side::Left).with(Contacts::foot(Side::Right));
        assert_eq!(one.contacts, [all]);
        assert!(found(&mut scripted((0.0, 30), stand)).contacts.is_empty());
        let mut bare = scripted((1.0, 30), stand);
        bare.skeleton = std::sync::Arc::new(skeleton(true).with_roles(&[None; 5]));
        let error = detect_contacts(&bare, &ContactOptions::default());
        assert_eq!(
            error,
            Err(ContactError::NoFeet {
                clip: "scripted".into()
            })
        );
    }
}
