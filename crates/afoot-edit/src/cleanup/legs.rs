//! Legs as tracks over time: read from a clip, and written back with the feet elsewhere.

use std::f32::consts::PI;
use std::ops::Range;

use afoot_core::{Clip, FrameId, JointId, Side, Skeleton, SlidingJoint};
use glam::{Quat, Vec3};

use super::foot_path::FootPath;
use super::{CleanupOptions, CleanupReport};
use crate::ik::{Limb, LimbJoints, LimbOptions, LimbSolution, solve_limb};

/// One leg's joints in the world, a frame each.
pub struct LegTrack {
    pub side: Side,
    /// Whether the foot has a ball joint; else `ball` is the ankle.
    pub has_ball: bool,
    pub hip: Vec<Vec3>,
    pub knee: Vec<Vec3>,
    pub ankle: Vec<Vec3>,
    pub ball: Vec<Vec3>,
    /// World rotation of the ankle joint.
    pub foot: Vec<Quat>,
    /// World rotation of the ball joint.
    pub toe: Vec<Quat>,
    /// The knee's bending direction in the world.
    pub pole: Vec<Vec3>,
    /// From the ball joint to the toe tip in the toe's frame, if there is a tip. [m]
    pub tip: Option<Vec3>,
    /// How far the ankle has come, neither too slowly nor too fast. [m]
    pub travel: Vec<f32>,
    /// How far it goes while a correction fades. [m]
    pub fade: f32,
    /// The angle between thigh and shank. [rad]
    pub angle: Vec<f32>,
    /// How far the ankle may be from the hip, wherever it was. [m]
    reach: Vec<f32>,
    /// Share of its length by which the leg may be lengthened beyond that.
    lengthen: f32,
    /// World rotations that the leg is written with.
    rotations: Vec<Rotations>,
    /// Thigh and shank. [m]
    bones: (f32, f32),
    joints: LimbJoints,
    toe_joint: JointId,
    /// From below the root down to the ball, with the places of hip, knee, ankle and ball.
    path: Vec<(JointId, Option<usize>)>,
}

/// World rotations of a leg's joints, and of what they hang from.
#[derive(Clone, Copy)]
struct Rotations {
    hip: Quat,
    knee: Quat,
    /// Of the parents of hip, knee, ankle and ball.
    parents: [Quat; 4],
}

/// A joint's place while a chain is walked.
#[derive(Clone, Copy)]
struct Placed {
    position: Vec3,
    rotation: Quat,
    parent: Quat,
}

impl LegTrack {
    /// The leg of that side, if the skeleton has one.
    pub fn new(clip: &Clip, side: Side, options: &CleanupOptions) -> Option<Self> {
        let skeleton = &*clip.skeleton;
        let leg = skeleton.leg(side)?;
        let joints = LimbJoints::leg(skeleton, side)?;
        let wanted = [leg.hip, leg.knee, leg.ankle, leg.ball];
        let slot = |joint: JointId| (joint, wanted.iter().rposition(|wanted| *wanted == joint));
        let mut path: Vec<(JointId, Option<usize>)> =
            skeleton.ancestors(leg.ball).map(slot).collect();
        path.pop();
        path.reverse();
        path.push(slot(leg.ball));
        let frames = clip.len();
        let mut track = Self {
            side,
            has_ball: leg.has_ball(),
            hip: Vec::with_capacity(frames),
            knee: Vec::with_capacity(frames),
            ankle: Vec::with_capacity(frames),
            ball: Vec::with_capacity(frames),
            foot: Vec::with_capacity(frames),
            toe: Vec::with_capacity(frames),
            pole: Vec::with_capacity(frames),
            tip: toe_tip(skeleton, leg.ball).filter(|_| leg.has_ball()),
            travel: Vec::new(),
            fade: options.fade.max(1e-3),
            angle: Vec::new(),
            reach: Vec::new(),
            lengthen: options.lengthen.max(0.0),
            rotations: Vec::with_capacity(frames),
            bones: (
                skeleton.path_length(leg.hip, leg.knee)?,
                skeleton.path_length(leg.knee, leg.ankle)?,
            ),
            joints,
            toe_joint: leg.ball,
            path,
        };
        track.read(clip, options);
        Some(track)
    }

    /// How many frames there are.
    pub fn len(&self) -> usize {
        self.hip.len()
    }

    /// The angle between thigh and shank with the ankle at a target and the hip lowered. [rad]
    pub fn knee_angle(&self, frame: usize, ankle: Vec3, sink: f32) -> f32 {
        let (upper, lower) = self.bones;
        let hip = self.hip[frame] - Vec3::Y * sink;
        let factor = self.length_factor(frame, hip.distance(ankle));
        let span = hip.distance_squared(ankle) / (factor * factor);
        let cosine = (upper * upper + lower * lower - span) / (2.0 * upper * lower).max(1e-9);
        cosine.clamp(-1.0, 1.0).acos()
    }

    /// By how much the leg is lengthened to reach a target at a distance from the hip.
    fn length_factor(&self, frame: usize, distance: f32) -> f32 {
        match self.reach.get(frame) {
            Some(reach) => (distance / reach.max(1e-6)).clamp(1.0, 1.0 + self.lengthen),
            None => 1.0, // not known yet: the leg is being read
        }
    }

    /// The thigh's length. [m]
    pub fn thigh(&self) -> f32 {
        self.bones.0
    }

    /// Where knee and ankle get to with the ankle sent to a target and the hip lowered. [m]
    pub fn knee_and_ankle(&self, frame: usize, target: Vec3, sink: f32) -> (Vec3, Vec3) {
        let solution = self.solve(frame, target, sink);
        (solution.knee, solution.ankle)
    }

    fn solve(&self, frame: usize, target: Vec3, sink: f32) -> LimbSolution {
        let hip = self.hip[frame] - Vec3::Y * sink;
        let factor = self.length_factor(frame, hip.distance(target));
        let limb = Limb {
            hip,
            knee: hip + (self.knee[frame] - self.hip[frame]) * factor,
            ankle: hip + (self.ankle[frame] - self.hip[frame]) * factor,
            pole: self.pole[frame],
        };
        solve_limb(&limb, target, &LimbOptions::default())
    }

    /// Some frames, and those around them in which a correction made there may still be felt.
    pub fn within_fade(&self, frames: Range<usize>) -> Range<usize> {
        let (Some(first), Some(last)) = (
            self.travel.get(frames.start),
            self.travel.get(frames.end.saturating_sub(1)),
        ) else {
            return frames;
        };
        let start = self.travel.partition_point(|at| first - at >= self.fade);
        let end = self.travel.partition_point(|at| at - last < self.fade);
        start..end
    }

    /// How far the ankle may be from the hip: opening the knee by no more than `stretch`, up to a
    /// share of the leg's length. [m]
    fn reach(&self, frame: usize, options: &CleanupOptions) -> f32 {
        let (upper, lower) = self.bones;
        let angle = (self.angle[frame] + options.stretch).min(PI);
        let square = upper * upper + lower * lower - 2.0 * upper * lower * angle.cos();
        square.max(0.0).sqrt().min(options.reach * (upper + lower))
    }

    /// How far the ankle may be from the hip on its way to a place. A leg that was straighter may stay
    /// so, but not far from where it was: beside frames that bend it, its knee would pop. [m]
    pub fn reach_to(&self, frame: usize, ankle: Vec3) -> f32 {
        let own = self.hip[frame].distance(self.ankle[frame]);
        let reach = self.reach[frame].max(own - ankle.distance(self.ankle[frame]));
        reach * (1.0 + self.lengthen)
    }

    fn read(&mut self, clip: &Clip, options: &CleanupOptions) {
        for frame in 0..clip.len() {
            let at = self.place(clip, frame);
            self.hip.push(at[0].position);
            self.knee.push(at[1].position);
            self.ankle.push(at[2].position);
            self.ball.push(at[3].position);
            self.pole.push(at[0].rotation * self.joints.pole);
            self.foot.push(at[2].rotation);
            self.toe.push(at[3].rotation);
            self.rotations.push(Rotations {
                hip: at[0].rotation,
                knee: at[1].rotation,
                parents: at.map(|joint| joint.parent),
            });
        }
        let step = |seconds: f64| self.fade / (seconds * clip.rate.fps()) as f32;
        let [idle, most] = [LONGEST_FADE, SHORTEST_FADE].map(step);
        self.travel = travel(&self.ankle, idle..most);
        let frames = 0..clip.len();
        self.angle = frames
            .clone()
            .map(|f| self.knee_angle(f, self.ankle[f], 0.0))
            .collect();
        self.reach = frames.map(|f| self.reach(f, options)).collect();
    }

    /// Hip, knee, ankle and ball of a frame.
    fn place(&self, clip: &Clip, frame: usize) -> [Placed; 4] {
        let local = clip.frame_rotations(FrameId::from(frame));
        let root = clip.root[frame];
        let mut at = Placed {
            position: root,
            rotation: local[0],
            parent: Quat::IDENTITY,
        };
        let mut found = [at; 4];
        for &(joint, slot) in &self.path {
            at = Placed {
                position: at.position + at.rotation * offset(clip, joint, frame),
                rotation: at.rotation * local[joint.index()],
                parent: at.rotation,
            };
            if let Some(slot) = slot {
                found[slot] = at;
            }
        }
        if !self.has_ball {
            found[2] = found[3];
        }
        found
    }

    /// Lengthens thigh and shank of a frame as far as the target is out of reach and it is allowed.
    fn lengthen(&self, clip: &mut Clip, frame: usize, (target, sink): (Vec3, f32)) {
        let hip = self.hip[frame] - Vec3::Y * sink;
        let factor = self.length_factor(frame, hip.distance(target));
        if factor <= 1.0 {
            return;
        }
        let (upper, end) = (self.joints.upper, self.joints.end);
        let below = self
            .path
            .iter()
            .map(|(joint, _)| *joint)
            .skip_while(|joint| *joint != upper);
        for joint in below
            .skip(1)
            .take_while(|joint| joint.index() <= end.index())
        {
            let offset = offset(clip, joint, frame) * factor;
            sliding_offsets(clip, joint)[frame] = offset;
        }
    }

    /// Writes the leg of a frame whose root was lowered by `sink`; says how far the ankle is off.
    fn write(&self, clip: &mut Clip, frame: usize, (steps, sink): (&Steps, f32)) -> f32 {
        let (target, foot) = (steps.path.ankle[frame], steps.path.foot[frame]);
        if self.lengthen > 0.0 {
            self.lengthen(clip, frame, (target, sink));
        }
        let solution = self.solve(frame, target, sink);
        let Rotations { hip, knee, parents } = self.rotations[frame];
        let local = clip.frame_rotations_mut(FrameId::from(frame));
        let mut set = |joint: JointId, parent: Quat, world: Quat| {
            local[joint.index()] = (parent.inverse() * world).normalize();
        };
        let (upper, lower) = (solution.upper, solution.lower);
        set(self.joints.upper, parents[0], upper * hip);
        set(self.joints.lower, upper * parents[1], lower * knee);
        set(self.joints.end, lower * parents[2], foot);
        if self.has_ball {
            let turned = foot * self.foot[frame].inverse();
            set(self.toe_joint, turned * parents[3], steps.toes[frame]);
        }
        solution.ankle.distance(target)
    }
}

/// A foot that hovers loses its correction all the same, over this long. [s]
const LONGEST_FADE: f64 = 3.0;
/// And one that swings takes this long at least, most of a step: its knee is at its fastest just then,
/// and has little room for more. [s]
const SHORTEST_FADE: f64 = 0.5;

/// The length of a track up to each frame, each step counted within limits. [m]
fn travel(track: &[Vec3], limits: Range<f32>) -> Vec<f32> {
    let mut sum = 0.0;
    let steps = track.windows(2).map(|pair| {
        let step = pair[0].distance(pair[1]);
        sum += step.clamp(limits.start, limits.end);
        sum
    });
    std::iter::once(0.0)
        .chain(steps)
        .take(track.len())
        .collect()
}

/// Where a foot and its toes shall go.
pub struct Steps {
    pub path: FootPath,
    /// World rotations of the ball joint, a frame each.
    pub toes: Vec<Quat>,
}

impl Steps {
    /// Whether the foot is to be elsewhere than it is, by more than a hundredth of a millimetre.
    fn differ(&self, leg: &LegTrack, frame: usize) -> bool {
        self.path.ankle[frame].distance_squared(leg.ankle[frame]) > 1e-10
            || self.path.foot[frame].dot(leg.foot[frame]).abs() < 1.0 - 1e-7
            || self.toes[frame].dot(leg.toe[frame]).abs() < 1.0 - 1e-7
    }
}

/// The clip with its root lowered and its feet where they shall go.
pub fn write_legs(
    clip: &Clip,
    (legs, steps): (&[LegTrack], &[Steps]),
    sink: &[f32],
    report: &mut CleanupReport,
) -> Clip {
    let mut cleaned = clip.clone();
    for (frame, &sink) in sink.iter().enumerate() {
        let moved = |(leg, steps): (&LegTrack, &Steps)| steps.differ(leg, frame);
        if sink == 0.0 && !legs.iter().zip(steps).any(moved) {
            continue;
        }
        report.frames += 1;
        report.largest_sink = report.largest_sink.max(sink);
        cleaned.root[frame].y -= sink;
        for (leg, steps) in legs.iter().zip(steps) {
            let shift = steps.path.ankle[frame].distance(leg.ankle[frame]);
            let miss = leg.write(&mut cleaned, frame, (steps, sink));
            report.largest_shift = report.largest_shift.max(shift);
            report.largest_miss = report.largest_miss.max(miss);
        }
    }
    cleaned
}

fn offset(clip: &Clip, joint: JointId, frame: usize) -> Vec3 {
    let sliding = clip.sliding.iter().find(|sliding| sliding.joint == joint);
    sliding.map_or(clip.skeleton.joint(joint).offset, |sliding| {
        sliding.offsets[frame]
    })
}

/// A joint's offsets, a frame each, made to slide if they did not.
fn sliding_offsets(clip: &mut Clip, joint: JointId) -> &mut [Vec3] {
    let found = clip
        .sliding
        .iter()
        .position(|sliding| sliding.joint == joint);
    let index = found.unwrap_or_else(|| {
        let offsets = vec![clip.skeleton.joint(joint).offset; clip.len()];
        clip.sliding.push(SlidingJoint { joint, offsets });
        clip.sliding.len() - 1
    });
    &mut clip.sliding[index].offsets
}

/// The end site or the next joint beyond the ball, in the ball's frame at rest.
fn toe_tip(skeleton: &Skeleton, ball: JointId) -> Option<Vec3> {
    let site = skeleton.end_sites().iter().find(|site| site.parent == ball);
    let child = || {
        skeleton
            .children(ball)
            .next()
            .map(|id| skeleton.joint(id).offset)
    };
    site.map(|site| site.offset)
        .or_else(child)
        .filter(|tip| tip.length() > 1e-3)
}
