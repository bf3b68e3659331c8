//! Legs as tracks over time: read from a clip, and written back with the feet elsewhere.

use afoot_core::{Clip, FootRest, FrameId, JointId, Side, Skeleton, SlidingJoint};
use glam::{Quat, Vec3};

use super::knee::{Bend, Hinge};
use super::{CleanupReport, Floor, SettleOptions};
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
    /// From the ankle to the heel's sole, in the foot's frame. [m]
    heel_in_foot: Vec3,
    /// How far the leg is bent.
    pub bends: Vec<Bend>,
    /// Distance of the sole under the ball joint. [m]
    pub sole: f32,
    /// Share of its length by which the leg may be lengthened.
    pub lengthen: f32,
    /// World rotations that the leg is written with.
    rotations: Vec<Rotations>,
    /// Thigh and shank. [m]
    pub bones: (f32, f32),
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
    pub fn new(
        clip: &Clip,
        side: Side,
        (floor, options): (&Floor, &SettleOptions),
    ) -> Option<Self> {
        let rest = floor.rest[side.index()];
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
            heel_in_foot: Vec3::ZERO,
            bends: Vec::with_capacity(frames),
            sole: 0.0,
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
        track.read(clip);
        track.find_sole(clip, rest);
        Some(track)
    }

    /// How many frames there are.
    pub fn len(&self) -> usize {
        self.hip.len()
    }

    /// Where the heel's sole is, a frame each.
    pub fn heels(&self) -> Vec<Vec3> {
        let pairs = self.ankle.iter().zip(&self.foot);
        pairs
            .map(|(ankle, foot)| *ankle + *foot * self.heel_in_foot)
            .collect()
    }

    /// By how much the leg is lengthened to reach a target at a distance from the hip.
    fn length_factor(&self, frame: usize, distance: f32) -> f32 {
        let own = self.hip[frame].distance(self.ankle[frame]);
        (distance / own.max(1e-6)).clamp(1.0, 1.0 + self.lengthen)
    }

    fn solve(&self, frame: usize, target: Vec3, shift: Vec3) -> LimbSolution {
        let hip = self.hip[frame] + shift;
        let factor = self.length_factor(frame, hip.distance(target));
        let limb = Limb {
            hip,
            knee: hip + (self.knee[frame] - self.hip[frame]) * factor,
            ankle: hip + (self.ankle[frame] - self.hip[frame]) * factor,
            pole: self.pole[frame],
        };
        solve_limb(&limb, target, &LimbOptions::default())
    }

    fn read(&mut self, clip: &Clip) {
        let hinge = Hinge::new(self.bones);
        for frame in 0..clip.len() {
            let at = self.place(clip, frame);
            let hip_to_ankle = at[0].position - at[2].position;
            self.bends.push(Bend::new(&hinge, hip_to_ankle));
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
    }

    /// Finds the foot's sole: what is down in its frame while it lies flat, its ankle as high above its
    /// ball as they rest on the floor. The frames themselves are not asked, so that a clip and its
    /// parts have the same sole.
    fn find_sole(&mut self, clip: &Clip, rest: FootRest) {
        let joint = |id: JointId| clip.skeleton.joint(id);
        let above = self.path.iter().take_while(|(id, _)| *id != self.toe_joint);
        let turned = above.fold(joint(JointId(0)).rest, |turned, (id, _)| {
            turned * joint(*id).rest
        });
        let below = turned.inverse() * Vec3::NEG_Y;
        let to_ball = match self.has_ball {
            true => joint(self.toe_joint).offset,
            false => Vec3::ZERO,
        };
        let down = tilted(below, to_ball, rest.ankle - rest.ball);
        let drop = to_ball.dot(down);
        let ahead = to_ball - down * drop;
        self.sole = SOLE * ahead.length();
        self.heel_in_foot = down * (drop + self.sole) - ahead * HEEL_BEHIND;
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
    fn lengthen(&self, clip: &mut Clip, frame: usize, (target, shift): (Vec3, Vec3)) {
        let hip = self.hip[frame] + shift;
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

    /// Writes the leg of a frame whose root was shifted; says how far the ankle is off.
    fn write(&self, clip: &mut Clip, frame: usize, (step, shift): (&Step, Vec3)) -> f32 {
        if self.lengthen > 0.0 {
            self.lengthen(clip, frame, (step.ankle, shift));
        }
        let solution = self.solve(frame, step.ankle, shift);
        let Rotations { hip, knee, parents } = self.rotations[frame];
        let local = clip.frame_rotations_mut(FrameId::from(frame));
        let mut set = |joint: JointId, parent: Quat, world: Quat| {
            local[joint.index()] = (parent.inverse() * world).normalize();
        };
        let (upper, lower) = (solution.upper, solution.lower);
        set(self.joints.upper, parents[0], upper * hip);
        set(self.joints.lower, upper * parents[1], lower * knee);
        set(self.joints.end, lower * parents[2], step.foot);
        if self.has_ball {
            let turned = step.foot * self.foot[frame].inverse();
            set(self.toe_joint, turned * parents[3], step.toe);
        }
        solution.ankle.distance(step.ankle)
    }

    /// Whether the foot is to be elsewhere than it is, by more than a hundredth of a millimetre.
    fn differs(&self, frame: usize, step: &Step) -> bool {
        step.ankle.distance_squared(self.ankle[frame]) > 1e-10
            || step.foot.dot(self.foot[frame]).abs() < 1.0 - 1e-7
            || step.toe.dot(self.toe[frame]).abs() < 1.0 - 1e-7
    }
}

/// The direction nearest to `down` along which `along` goes by `drop`, as near as its length allows.
fn tilted(down: Vec3, along: Vec3, drop: f32) -> Vec3 {
    let Some(ahead) = along.try_normalize() else {
        return down;
    };
    let Some(across) = (down - ahead * down.dot(ahead)).try_normalize() else {
        return down;
    };
    let share = (drop / along.length()).clamp(-0.95, 0.95);
    ahead * share + across * (1.0 - share * share).sqrt()
}

/// Thickness of the sole under the ball joint, as a part of the level distance from ankle to ball:
/// about 3 cm for an adult.
const SOLE: f32 = 0.22;
/// How far the heel touches the floor behind the ankle, as a part of the same: about 3 cm.
const HEEL_BEHIND: f32 = 0.25;

/// Where a foot and its toes shall be in a frame, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    pub ankle: Vec3,
    pub foot: Quat,
    pub toe: Quat,
}

/// The clip with its root shifted and its feet where they shall go, a list of steps a leg.
pub fn write_legs(
    clip: &Clip,
    (legs, steps): (&[LegTrack], &[Vec<Step>]),
    root: &[Vec3],
    report: &mut CleanupReport,
) -> Clip {
    let mut cleaned = clip.clone();
    for (frame, shift) in root.iter().copied().enumerate() {
        let mut pairs = legs.iter().zip(steps);
        let still = shift.length_squared() < 1e-10;
        if still && !pairs.any(|(leg, steps)| leg.differs(frame, &steps[frame])) {
            continue;
        }
        report.frames += 1;
        report.largest_sink = report.largest_sink.max(-shift.y);
        cleaned.root[frame] += shift;
        for (leg, steps) in legs.iter().zip(steps) {
            let step = &steps[frame];
            let moved = step.ankle.distance(leg.ankle[frame]);
            let miss = leg.write(&mut cleaned, frame, (step, shift));
            report.largest_shift = report.largest_shift.max(moved);
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
