//! The stride of a walk changed frame by frame as it plays, without a look ahead (§6.4's "online").
//!
//! Displacements along the way are scaled as they come (eq. 6.3, 6.6): the root's add up; a swinging foot
//! goes to where the same scale takes it as seen from the root, which at its strike is where the model of
//! whole clips puts it; a planted one stays. Root height and legs are those of the model of whole clips,
//! evened by what came before alone; lift scales the foot's own. No stairs, edges or ends: those need to
//! know what comes. Cost: two legs; see the benchmark.

use afoot_core::{Contacts, FrameRate, Ground, Side, Skeleton};
use glam::{Quat, Vec3};

use crate::leg::{FootGoal, LegPath, LegPose, REACH, legs_of};
use crate::series::smooth_step;

/// What a walk's next steps shall be like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepWish {
    /// Length of steps, in parts of the captured. [0.05 to 2]
    pub stride: f32,
    /// Lift of feet, in parts of the captured. [0 to 5]
    pub lift: f32,
    /// Slope of the ground ahead, up where it is positive. [rad, -0.6 to 0.6]
    pub incline: f32,
}

impl Default for StepWish {
    fn default() -> Self {
        Self {
            stride: 1.0,
            lift: 1.0,
            incline: 0.0,
        }
    }
}

/// Changes a walk as it plays.
#[derive(Clone, Debug)]
pub struct StrideFilter {
    legs: [LegPath; 2],
    ground: Ground,
    frame_time: f32,
    wish: StepWish,
    /// The factor in use: wishes are come to over some frames.
    factor: f32,
    lift: f32,
    last_root: Option<Vec3>,
    /// The root's mean velocity, which tells the way. [m/s]
    velocity: Vec3,
    /// How far the root is from where it was captured, over ground. [m]
    shift: Vec3,
    slope: Slope,
    slope_changes: bool,
    feet: [FootState; 2],
    /// What legs add to the root's height, evened. [m]
    height: f32,
    lowered: f32,
}

/// The plane that feet come to next: so high at a place, rising along a direction.
#[derive(Clone, Copy, Debug, Default)]
struct Slope {
    at: Vec3,
    height: f32,
    /// [m/m]
    rise: Vec3,
}

#[derive(Clone, Copy, Debug, Default)]
struct FootState {
    planted: bool,
    /// Seconds since it struck, or lifted off.
    since: f32,
    /// Where it is from where it was captured, and where it was as it lifted off. [m]
    shift: Vec3,
    held: Vec3,
    tilt: Quat,
    held_tilt: Quat,
}

/// Wishes are come to over about this long. [s]
const COME_TO: f32 = 0.3;
/// The way is the root's mean velocity over about this long: a step. [s]
const MEAN: f32 = 0.4;
/// A foot that has lifted off comes to its new way within this. [s]
const LET_GO: f32 = 0.22;
/// A leg bears all of the body this long after its strike. [s]
const TAKES_OVER: f32 = 0.15;
/// Heights are evened over about this long, and lowered hips rise again over about the second. [s]
const EVEN: f32 = 0.05;
const RISE_AGAIN: f32 = 0.15;
/// Slower is standing: it tells no way. [m/s]
const SLOW: f32 = 0.1;

impl StrideFilter {
    /// For motion of a skeleton on a floor; `None` where a leg is not known.
    pub fn new(skeleton: &Skeleton, ground: Ground, rate: FrameRate) -> Option<Self> {
        Some(Self {
            legs: legs_of(skeleton)?,
            ground,
            frame_time: rate.frame_time() as f32,
            wish: StepWish::default(),
            factor: 1.0,
            lift: 1.0,
            last_root: None,
            velocity: Vec3::ZERO,
            shift: Vec3::ZERO,
            slope: Slope::default(),
            slope_changes: false,
            feet: [FootState::default(); 2],
            height: 0.0,
            lowered: 0.0,
        })
    }

    /// From now on.
    pub fn wish(&mut self, wish: StepWish) {
        let wish = StepWish {
            stride: wish.stride.clamp(0.05, 2.0),
            lift: wish.lift.clamp(0.0, 5.0),
            incline: wish.incline.clamp(-0.6, 0.6),
        };
        self.slope_changes |= wish.incline != self.wish.incline;
        self.wish = wish;
    }

    /// Lets the ground rise anew from where the root is, as soon as its way is known.
    fn change_slope(&mut self) {
        if !self.slope_changes || self.velocity.length() < SLOW {
            return;
        }
        let at = self.last_root.unwrap_or(Vec3::ZERO) + self.shift;
        self.slope = Slope {
            height: self.slope.height_at(at),
            at,
            rise: self.velocity.with_y(0.0).normalize_or_zero() * self.wish.incline.tan(),
        };
        self.slope_changes = false;
    }

    /// How far the root is from where it was captured. [m]
    pub fn shift(&self) -> Vec3 {
        self.shift
    }

    /// How high the ground is that feet come to now, over the floor at x, z. [m]
    pub fn height(&self, x: f32, z: f32) -> f32 {
        self.slope.height_at(Vec3::new(x, 0.0, z))
    }

    /// Changes the next frame: root and local rotations, of which its contacts are known.
    pub fn change(&mut self, root: &mut Vec3, local: &mut [Quat], contacts: Contacts) {
        let captured = *root;
        let poses = [0, 1].map(|side: usize| self.legs[side].place(captured, local));
        self.follow_root(captured);
        self.change_slope();
        let ahead = self.velocity.with_y(0.0).normalize_or_zero();
        let targets = [0, 1]
            .map(|side: usize| self.follow_foot(side, &poses[side], (captured, ahead), contacts));
        let up = Vec3::Y * self.slope.height_at(captured + self.shift);
        let moved = captured + self.shift + up;
        let height = self.carry(&poses, &targets, moved - captured);
        *root = moved + Vec3::Y * height;
        for (side, (target, tilt)) in targets.into_iter().enumerate() {
            let pose = poses[side].shifted(*root - captured);
            let goal = FootGoal {
                ankle: target,
                foot: (tilt * pose.foot).normalize(),
                toes: (tilt * pose.toes).normalize(),
            };
            if !pose.is_at(&goal) {
                self.legs[side].reach(&pose, &goal, local);
            }
        }
    }

    fn follow_root(&mut self, root: Vec3) {
        let step = self
            .last_root
            .map_or(Vec3::ZERO, |last| (root - last).with_y(0.0));
        let first = self.last_root.is_none();
        self.last_root = Some(root);
        let velocity = step / self.frame_time;
        if self.velocity == Vec3::ZERO {
            self.velocity = velocity;
        }
        self.velocity += (velocity - self.velocity) * (self.frame_time / MEAN).min(1.0);
        let come = (self.frame_time / COME_TO).min(1.0);
        let approach = |now: f32, wish: f32| match first || (wish - now).abs() < 1e-4 {
            true => wish,
            false => now + (wish - now) * come,
        };
        self.factor = approach(self.factor, self.wish.stride);
        self.lift = approach(self.lift, self.wish.lift);
        if self.velocity.length() > SLOW {
            let ahead = self.velocity.normalize();
            self.shift += ahead * ((self.factor - 1.0) * step.dot(ahead));
        }
    }

    /// Where a foot goes, and how far it is tilted.
    fn follow_foot(
        &mut self,
        side: usize,
        pose: &LegPose,
        (root, ahead): (Vec3, Vec3),
        contacts: Contacts,
    ) -> (Vec3, Quat) {
        let planted = contacts.any(Contacts::foot(Side::BOTH[side]));
        let slope = self.slope;
        let state = &mut self.feet[side];
        if planted != state.planted {
            (state.planted, state.since) = (planted, 0.0);
            (state.held, state.held_tilt) = (state.shift, state.tilt);
        }
        state.since += self.frame_time;
        if !planted {
            let scaled = ahead * ((self.factor - 1.0) * (pose.ankle - root).dot(ahead));
            let over = self.shift + scaled;
            let wanted = over + Vec3::Y * slope.height_at(pose.ankle + over);
            let share = smooth_step(state.since / LET_GO);
            state.shift = state.held.lerp(wanted, share);
            state.tilt = state.held_tilt.slerp(slope.tilt(), share);
        }
        let mut ankle = pose.ankle + state.shift;
        if !planted && self.lift != 1.0 {
            let rest = self.ground.rest[side];
            let over = |at: Vec3, rest: f32| at.y - self.ground.height_at(at.x, at.z) - rest;
            let own = over(pose.ankle, rest.ankle).min(over(pose.ball, rest.ball));
            ankle.y += (self.lift - 1.0) * own.max(0.0);
        }
        (ankle, state.tilt)
    }

    /// What the legs add to the height of a root that was moved so far. [m]
    fn carry(&mut self, poses: &[LegPose; 2], targets: &[(Vec3, Quat); 2], by: Vec3) -> f32 {
        let away = |hip: Vec3, ankle: Vec3| (hip - ankle).with_y(0.0).length_squared();
        let (mut sum, mut weight) = (0.0, 0.0);
        for side in 0..2 {
            let (state, pose) = (&self.feet[side], &poses[side]);
            if state.planted {
                let span = pose.span() * pose.span();
                let height = |level: f32| (span - level).max(0.1 * span).sqrt();
                let is = height(away(pose.hip + by, targets[side].0));
                let bears = smooth_step(state.since / TAKES_OVER).max(1e-3);
                sum += bears * (is - height(away(pose.hip, pose.ankle)));
                weight += bears;
            }
        }
        if weight > 0.0 {
            self.height += (sum / weight - self.height) * (self.frame_time / EVEN).min(1.0);
        }
        let over = |side: usize| {
            let most = (self.legs[side].length() * REACH).max(poses[side].span());
            let hip = poses[side].hip + by + Vec3::Y * self.height;
            let level = away(hip, targets[side].0);
            hip.y - targets[side].0.y - (most * most - level).max(0.0).sqrt()
        };
        let needed = over(0).max(over(1)).max(0.0);
        let rises = self.lowered * (1.0 - (self.frame_time / RISE_AGAIN).min(1.0));
        self.lowered = if needed > 1e-5 {
            needed.max(rises)
        } else {
            rises
        };
        if self.lowered < 1e-6 {
            self.lowered = 0.0;
        }
        self.height - self.lowered
    }
}

impl Slope {
    fn height_at(&self, point: Vec3) -> f32 {
        self.height + (point - self.at).dot(self.rise)
    }

    fn tilt(&self) -> Quat {
        match self.rise == Vec3::ZERO {
            true => Quat::IDENTITY,
            false => {
                let normal = Vec3::new(-self.rise.x, 1.0, -self.rise.z).normalize();
                Quat::from_rotation_arc(Vec3::Y, normal)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use afoot_core::Clip;

    use super::*;
    use crate::stride::walk::Walk;

    fn clip() -> Clip {
        let clips = afoot_sample::sample_library(&Default::default());
        clips.into_iter().find(|clip| clip.name == "walk").unwrap()
    }

    fn filtered(clip: &Clip, wish: StepWish) -> Clip {
        let ground = clip.ground.unwrap();
        let mut filter = StrideFilter::new(&clip.skeleton, ground, clip.rate).unwrap();
        filter.wish(wish);
        let mut made = clip.clone();
        for frame in 0..clip.len() {
            if frame == 20 {
                filter.wish(wish);
            }
            let mut root = clip.root[frame];
            let local = made.frame_rotations_mut(frame.into());
            filter.change(&mut root, local, clip.contacts[frame]);
            made.root[frame] = root;
        }
        made
    }

    #[test]
    fn nothing_asked_changes_nothing() {
        let [was, is] = [clip(), filtered(&clip(), StepWish::default())]
            .map(|clip| afoot_core::forward_kinematics(&clip));
        let pairs = was.as_slice().iter().zip(is.as_slice());
        let off = pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(off < 1e-4, "{off} m");
    }

    #[test]
    fn steps_are_scaled_and_planted_feet_stay() {
        let clip = clip();
        for stride in [0.7, 1.2] {
            let made = filtered(
                &clip,
                StepWish {
                    stride,
                    ..StepWish::default()
                },
            );
            let [own, new] = [&clip, &made].map(|clip| Walk::of(clip).unwrap());
            let steps = |walk: &Walk| -> Vec<f32> {
                let falls = &walk.falls;
                falls
                    .windows(2)
                    .map(|pair| pair[1].pivot.z - pair[0].pivot.z)
                    .collect()
            };
            let pairs = steps(&own).into_iter().zip(steps(&new)).skip(2);
            for (was, is) in pairs.take(6) {
                assert!(
                    (is / was - stride).abs() < 0.03,
                    "{was} became {is}, not {stride} times"
                );
            }
            for (a, b) in own.falls.iter().zip(&new.falls) {
                let side = a.plant.side.index();
                let moved =
                    |frame: usize| new.poses[side][frame].ball - own.poses[side][frame].ball;
                let first = moved(b.plant.frames.start);
                let slid = b
                    .plant
                    .frames
                    .clone()
                    .map(|frame| moved(frame).distance(first));
                assert!(slid.fold(0.0, f32::max) < 0.002);
            }
        }
    }

    #[test]
    fn a_slope_is_climbed() {
        let clip = clip();
        let wish = StepWish {
            incline: 0.15,
            ..StepWish::default()
        };
        let made = filtered(&clip, wish);
        let last = clip.len() - 1;
        let from = 40;
        let gone = made.root[last].z - made.root[from].z;
        let rise =
            (made.root[last].y - made.root[from].y) - (clip.root[last].y - clip.root[from].y);
        assert!(
            (rise / gone - 0.15f32.tan()).abs() < 0.03,
            "{rise} on {gone}"
        );
    }
}
