//! The reference pose of a skeleton: upright, facing +z, arms out, feet flat.
//!
//! Retargeting and mirroring compare poses with the rest pose, so a rest pose must be such a pose.
//! Files bring others: facing another way, lying, every bone along one axis, or the pose the figure
//! happened to be in. One that is a standing figure, turned, is turned upright. Else the reference is
//! derived: a first frame in T-pose is one; without it, upright frames are averaged in the body's
//! heading, trunk, head and limbs are straightened along the T-pose's directions and twisted until elbows
//! bend forward and knees back, feet and toes are taken where they are lowest, and frames on the right
//! are made the images of those on the left. Rotations stay as they are: only what counts as rest changes, and where joints that slide are then (`anchors`).
//! Then the root's frame is turned upright (`stem`). Weakness: spines are taken as straight, and a head
//! that looks aside all the time as looking ahead.

use std::sync::Arc;

use glam::{Quat, Vec3};

use crate::anchors::offsets_at_rest;
use crate::clip::Clip;
use crate::index::{FrameId, JointId};
use crate::kinematics::{Positions, forward_kinematics, pose_kinematics};
use crate::mirror::{mirror_partners, reflect};
use crate::pairs::{hanging_pairs, shortest_turn, turn_onto};
use crate::roles::{Role, Side};
use crate::skeleton::Skeleton;
use crate::stance::{Stance, nearest_quarter_turn};
use crate::stem::turn_root_frame;

/// Where a skeleton's reference pose came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReferencePose {
    /// The file's rest pose as it is, or nothing is known that is better.
    Rest,
    /// The file's rest pose, turned upright or to face +z.
    TurnedRest,
    /// The first frame, which is a T-pose.
    FirstFrame,
    /// The mean of upright frames, straightened.
    Motion,
}

/// Gives a clip whose joints have roles a skeleton at rest in a reference pose, and a root whose
/// frame is upright then. Says where the pose came from.
pub fn set_reference(clip: &mut Clip) -> ReferencePose {
    let found = find_reference(clip);
    let kind = match found {
        None => ReferencePose::Rest,
        Some((world, kind)) => {
            let offsets = offsets_at_rest(clip, &world, &telling_frames(clip, kind));
            let rest = local_rotations(&clip.skeleton, &world);
            let skeleton = Skeleton::clone(&clip.skeleton).with_rest(&rest);
            clip.skeleton = Arc::new(skeleton.with_offsets(&offsets));
            kind
        }
    };
    set_root_upright(clip);
    kind
}

/// The frames that tell where sliding joints are in a reference pose; none where the file's own rest pose does.
fn telling_frames(clip: &Clip, kind: ReferencePose) -> Vec<FrameId> {
    match kind {
        ReferencePose::Rest | ReferencePose::TurnedRest => Vec::new(),
        ReferencePose::FirstFrame => vec![FrameId(0)],
        ReferencePose::Motion => spread_frames(clip).map(FrameId::from).collect(),
    }
}

/// Turns of less than this from the reference are a figure's posture. [cos of the half-angle, 35°]
const UPRIGHT: f32 = 0.954;

/// Turns the root's frame so that it is upright at rest, by quarter turns where they do.
fn set_root_upright(clip: &mut Clip) {
    let known = clip.skeleton.with_role(Role::UpLeg(Side::Left)).is_some();
    let rest = clip.skeleton.joints()[0].rest;
    if !known || rest.w.abs() > UPRIGHT {
        return;
    }
    let exact = rest.conjugate();
    let quarter = nearest_quarter_turn(exact);
    let turn = if quarter.dot(exact).abs() > UPRIGHT {
        quarter
    } else {
        exact
    };
    turn_root_frame(clip, turn);
}

/// World rotations of the reference pose, where it is another than the rest pose.
fn find_reference(clip: &Clip) -> Option<(Vec<Quat>, ReferencePose)> {
    let skeleton = &*clip.skeleton;
    let pose = skeleton.rest_pose();
    let (rest, points) = pose_kinematics(skeleton, Vec3::ZERO, &pose.rotations);
    if let Some(stance) = Stance::of(skeleton, &points)
        && stance.is_standing(skeleton, &points)
    {
        let exact = stance.turn().conjugate();
        let turn = nearest_quarter_turn(exact);
        return match turn.w.abs() > 1.0 - 1e-6 {
            true => None,
            false => Some((
                rest.iter().map(|q| turn * *q).collect(),
                ReferencePose::TurnedRest,
            )),
        };
    }
    let frames = upright_frames(clip);
    let first = frames
        .first()
        .filter(|frame| frame.number == 0 && is_t_pose(skeleton, frame));
    if let Some(first) = first {
        return Some((first.rotations.clone(), ReferencePose::FirstFrame));
    }
    match frames.is_empty() {
        true => None,
        false => Some((Derivation::new(clip, &frames).run(), ReferencePose::Motion)),
    }
}

fn local_rotations(skeleton: &Skeleton, world: &[Quat]) -> Vec<Quat> {
    let local = |(index, joint): (usize, &crate::Joint)| {
        let above = joint
            .parent
            .map_or(Quat::IDENTITY, |parent| world[parent.index()]);
        (above.conjugate() * world[index]).normalize()
    };
    skeleton.joints().iter().enumerate().map(local).collect()
}

/// A frame as seen by one who stands behind the figure: its heading taken out.
struct UprightFrame {
    number: usize,
    /// World rotations without the heading.
    rotations: Vec<Quat>,
    /// World places without the heading.
    points: Vec<Vec3>,
}

/// Frames looked at, at most; they are spread evenly over the clip.
const FRAMES: usize = 96;

fn spread_frames(clip: &Clip) -> impl Iterator<Item = usize> {
    let step = clip.len().div_ceil(FRAMES).max(1);
    (0..clip.len()).step_by(step)
}

/// Frames in which the figure is upright within 37°.
fn upright_frames(clip: &Clip) -> Vec<UprightFrame> {
    let positions = forward_kinematics(clip);
    spread_frames(clip)
        .filter_map(|number| upright_frame(clip, &positions, number))
        .collect()
}

fn upright_frame(clip: &Clip, positions: &Positions, number: usize) -> Option<UprightFrame> {
    let frame = FrameId::from(number);
    let rotations = pose_kinematics(&clip.skeleton, Vec3::ZERO, clip.frame_rotations(frame)).0;
    let points = &positions.frame(frame)[..clip.joint_count()];
    let stance = Stance::of(&clip.skeleton, points)?;
    if stance.up.y < 0.8 {
        return None;
    }
    let back = stance.upright()?.turn().conjugate();
    Some(UprightFrame {
        number,
        rotations: rotations
            .iter()
            .map(|turn| (back * *turn).normalize())
            .collect(),
        points: points.iter().map(|point| back * *point).collect(),
    })
}

/// Legs down and arms out to both sides, each within 20°.
fn is_t_pose(skeleton: &Skeleton, frame: &UprightFrame) -> bool {
    let along = |from, to, direction: Vec3| {
        let ends = skeleton.with_role(from).zip(skeleton.with_role(to));
        ends.is_some_and(|(from, to)| {
            let bone = frame.points[to.index()] - frame.points[from.index()];
            bone.normalize_or_zero().dot(direction) > 0.94
        })
    };
    Side::BOTH.into_iter().all(|side| {
        along(Role::UpLeg(side), Role::Leg(side), Vec3::NEG_Y)
            && along(Role::Leg(side), Role::Foot(side), Vec3::NEG_Y)
            && along(Role::Arm(side), Role::ForeArm(side), outwards(side))
            && along(Role::ForeArm(side), Role::Hand(side), outwards(side))
    })
}

fn outwards(side: Side) -> Vec3 {
    match side {
        Side::Left => Vec3::X,
        Side::Right => Vec3::NEG_X,
    }
}

/// Bones that bend less than this tell no axis. [mean sine of the bend, 6°]
const LEAST_BEND: f32 = 0.1;

/// An elbow or a knee in a T-pose.
struct Hinge {
    /// Where its two bones start and end.
    bones: [Role; 3],
    /// Whether it is the upper bone that is asked for.
    upper: bool,
    /// Where both bones point.
    direction: Vec3,
    /// Upper bone cross lower bone when it bends.
    axis: Vec3,
}

impl Hinge {
    /// Forearms bend forward.
    fn elbow(side: Side, upper: bool) -> Self {
        Self {
            bones: [Role::Arm(side), Role::ForeArm(side), Role::Hand(side)],
            upper,
            direction: outwards(side),
            axis: outwards(side).cross(Vec3::Z),
        }
    }

    /// Shanks bend back.
    fn knee(side: Side, upper: bool) -> Self {
        Self {
            bones: [Role::UpLeg(side), Role::Leg(side), Role::Foot(side)],
            upper,
            direction: Vec3::NEG_Y,
            axis: Vec3::X,
        }
    }
}

/// Everything the derivation of a reference pose looks at.
struct Derivation<'a> {
    skeleton: &'a Skeleton,
    frames: &'a [UprightFrame],
    partners: Vec<JointId>,
    /// Joints that have no fixed place on what carries them.
    sliding: Vec<JointId>,
    /// Mean local rotations.
    local: Vec<Quat>,
    /// Reference rotations in the world, as far as they are found.
    world: Vec<Quat>,
}

impl<'a> Derivation<'a> {
    fn new(clip: &'a Clip, frames: &'a [UprightFrame]) -> Self {
        let joints = 0..clip.skeleton.len();
        let numbers = || frames.iter().map(|frame| FrameId::from(frame.number));
        let local = |joint| mean_turn(numbers().map(|frame| clip.rotation(frame, joint)));
        Self {
            skeleton: &clip.skeleton,
            frames,
            partners: mirror_partners(&clip.skeleton),
            sliding: clip.sliding.iter().map(|sliding| sliding.joint).collect(),
            local: joints.map(|joint| local(JointId::from(joint))).collect(),
            world: Vec::new(),
        }
    }

    fn run(mut self) -> Vec<Quat> {
        for index in 0..self.skeleton.len() {
            let joint = JointId::from(index);
            let found = self.reference_of(joint);
            let turn = match self.is_middle(joint) {
                true => self.unleaning(joint, found),
                false => found,
            };
            self.world.push(turn);
        }
        for index in 0..self.skeleton.len() {
            let (joint, partner) = (JointId::from(index), self.partners[index]);
            let role = self.skeleton.joint(joint).role;
            if partner != joint && role.and_then(Role::side) == Some(Side::Left) {
                self.world[partner.index()] = self.image_of(joint, partner);
            }
        }
        for (index, joint) in self.skeleton.joints().iter().enumerate() {
            let sided = !self.is_middle(JointId::from(index));
            if let (None, Some(parent), true) = (joint.role, joint.parent, sided) {
                self.world[index] = self.world[parent.index()] * self.local[index];
            }
        }
        self.world
    }

    /// Whether a joint and all above it are their own images.
    fn is_middle(&self, joint: JointId) -> bool {
        let mut path = self.skeleton.ancestors(joint).chain([joint]);
        path.all(|at| self.partners[at.index()] == at)
    }

    fn reference_of(&self, joint: JointId) -> Quat {
        let bone = |end: Role| self.bone(joint, end);
        let carried = || match self.skeleton.joint(joint).parent {
            Some(parent) => self.world[parent.index()] * self.local[joint.index()],
            None => self.mean(joint),
        };
        match self.skeleton.joint(joint).role {
            Some(Role::Hips) => along(self.mean(joint), bone(Role::Chest), Vec3::Y),
            Some(Role::Spine) => along(carried(), bone(Role::Chest), Vec3::Y),
            Some(Role::Chest) => along(carried(), bone(Role::Neck), Vec3::Y),
            Some(Role::Neck) => self.unbent_neck(joint, carried()),
            Some(Role::Head) => along(carried(), self.tip(joint), Vec3::Y),
            Some(Role::UpLeg(side)) => {
                self.hinged(joint, self.mean(joint), Hinge::knee(side, true))
            }
            Some(Role::Leg(side)) => self.hinged(joint, carried(), Hinge::knee(side, false)),
            Some(Role::Arm(side)) => self.hinged(joint, self.mean(joint), Hinge::elbow(side, true)),
            Some(Role::ForeArm(side)) => self.hinged(joint, carried(), Hinge::elbow(side, false)),
            Some(Role::Shoulder(_)) => self.on_chest(joint).unwrap_or_else(carried),
            Some(Role::Foot(side)) => self.flat_foot(joint, side).unwrap_or_else(carried),
            Some(Role::Toe(side)) => self.flat_toes(joint, side).unwrap_or_else(carried),
            _ => carried(),
        }
    }

    /// The mean of a collar bone on the chest, where it hangs on the neck (3ds Max's Biped), with which it does not nod.
    fn on_chest(&self, joint: JointId) -> Option<Quat> {
        let neck = self.skeleton.with_role(Role::Neck)?;
        let chest = self.skeleton.with_role(Role::Chest)?.index();
        if self.skeleton.joint(joint).parent != Some(neck) {
            return None;
        }
        let seen = |frame: &UprightFrame| {
            frame.rotations[chest].conjugate() * frame.rotations[joint.index()]
        };
        let mean = mean_turn(self.frames.iter().map(seen));
        Some((*self.world.get(chest)? * mean).normalize())
    }

    /// The neck's share of what straightens the head that it carries.
    fn unbent_neck(&self, neck: JointId, turn: Quat) -> Quat {
        let head = self.skeleton.with_role(Role::Head);
        let Some(head) = head.filter(|head| self.skeleton.joint(*head).parent == Some(neck)) else {
            return turn;
        };
        let bent = turn * self.local[head.index()];
        let straight = along(bent, self.tip(head), Vec3::Y);
        let half = Quat::IDENTITY.slerp(straight * bent.conjugate(), 0.5);
        (half * turn).normalize()
    }

    /// From a joint to the end site or child that is farthest, in its frame. [m]
    fn tip(&self, joint: JointId) -> Option<Vec3> {
        let children = self.skeleton.children(joint);
        let offsets = children.map(|child| self.skeleton.joint(child).offset);
        let sites = self.skeleton.end_sites().iter();
        let ends = sites
            .filter(|site| site.parent == joint)
            .map(|site| site.offset);
        offsets
            .chain(ends)
            .max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))
    }

    /// `turn`, and then the turns that point the bone at a hinge along its direction and its axis
    /// along the axis of a T-pose.
    fn hinged(&self, joint: JointId, turn: Quat, hinge: Hinge) -> Quat {
        let next = hinge.bones[if hinge.upper { 1 } else { 2 }];
        let turn = along(turn, self.bone(joint, next), hinge.direction);
        match self.hinge_axis(joint, hinge.bones) {
            Some(axis) => (twist(turn * axis, hinge.axis, hinge.direction) * turn).normalize(),
            None => turn,
        }
    }

    /// The axis about which the joint between two bones bends, in the frame of `joint`; `None` where
    /// it hardly does.
    fn hinge_axis(&self, joint: JointId, bones: [Role; 3]) -> Option<Vec3> {
        let [start, middle, end] = bones.map(|role| self.skeleton.with_role(role));
        let (start, middle, end) = (start?.index(), middle?.index(), end?.index());
        let (mut sum, mut lengths) = (Vec3::ZERO, 0.0);
        for frame in self.frames {
            let upper = frame.points[middle] - frame.points[start];
            let lower = frame.points[end] - frame.points[middle];
            sum += frame.rotations[joint.index()].conjugate() * upper.cross(lower);
            lengths += upper.length() * lower.length();
        }
        (sum.length() > LEAST_BEND * lengths).then(|| sum.normalize())
    }

    /// The mean of a joint's rotations, seen from behind the figure.
    fn mean(&self, joint: JointId) -> Quat {
        mean_turn(
            self.frames
                .iter()
                .map(|frame| frame.rotations[joint.index()]),
        )
    }

    /// From `joint` to the joint of a role, in the frame of `joint`: the mean over the frames. [m]
    fn bone(&self, joint: JointId, end: Role) -> Option<Vec3> {
        let end = self.skeleton.with_role(end)?;
        let seen = |frame: &UprightFrame| {
            let bone = frame.points[end.index()] - frame.points[joint.index()];
            frame.rotations[joint.index()].conjugate() * bone
        };
        Some(self.frames.iter().map(seen).sum::<Vec3>() / self.frames.len() as f32)
    }

    /// The rotation of a joint in the middle, turned until the body's two sides are images of each
    /// other: what hangs on it in pairs is level, and what hangs on it alone leans to no side.
    fn unleaning(&self, joint: JointId, turn: Quat) -> Quat {
        let offset = |child: JointId| self.skeleton.joint(child).offset;
        let (mut across, mut along_middle) = (Vec3::ZERO, Vec3::ZERO);
        let fixed = |child: &JointId| !self.sliding.contains(child);
        for child in self.skeleton.children(joint).filter(fixed) {
            let partner = self.partners[child.index()];
            match partner == child {
                true => along_middle += offset(child),
                false => {
                    let apart = offset(child) - offset(partner);
                    across += apart * (turn * apart).x.signum();
                }
            }
        }
        let ends = self
            .skeleton
            .end_sites()
            .iter()
            .filter(|site| site.parent == joint);
        along_middle += ends.map(|site| site.offset).sum::<Vec3>();
        let across = match across.length() > 1e-3 {
            true => across,
            false => across_axis(turn.conjugate() * Vec3::X, along_middle),
        };
        along(turn, Some(across), Vec3::X)
    }

    /// The foot's rotation where it is lowest, its toes pointing ahead.
    fn flat_foot(&self, joint: JointId, side: Side) -> Option<Quat> {
        let toe = self.skeleton.with_role(Role::Toe(side))?;
        let ahead = |frame: &UprightFrame| {
            let foot = frame.points[toe.index()] - frame.points[joint.index()];
            let yaw = crate::planar::yaw_between(foot, Vec3::Z);
            Quat::from_rotation_y(yaw) * frame.rotations[joint.index()]
        };
        Some(mean_turn(
            self.flat_frames(joint, toe).into_iter().map(ahead),
        ))
    }

    /// The toes' rotation on the foot where it is flat.
    fn flat_toes(&self, toe: JointId, side: Side) -> Option<Quat> {
        let foot = self.skeleton.with_role(Role::Foot(side))?;
        let on_foot = |frame: &UprightFrame| {
            frame.rotations[foot.index()].conjugate() * frame.rotations[toe.index()]
        };
        let bend = mean_turn(self.flat_frames(foot, toe).into_iter().map(on_foot));
        let known = self.world.get(foot.index())?;
        Some((*known * bend).normalize())
    }

    /// The sixth of the frames in which ankle and ball together are lowest: a quarter has some of a runner's
    /// landing and push-off.
    fn flat_frames(&self, ankle: JointId, ball: JointId) -> Vec<&UprightFrame> {
        let height =
            |frame: &UprightFrame| frame.points[ball.index()].y + frame.points[ankle.index()].y;
        let mut order: Vec<&UprightFrame> = self.frames.iter().collect();
        order.sort_by(|a, b| height(a).total_cmp(&height(b)));
        order.truncate(self.frames.len().div_ceil(6));
        order
    }

    /// The rotation of `partner` that makes its frame the image of the frame of `joint`: exactly so
    /// for what hangs on them, else in whole quarters of a turn where that is near.
    fn image_of(&self, joint: JointId, partner: JointId) -> Quat {
        let (own, other) = (self.world[joint.index()], self.world[partner.index()]);
        let found = own.conjugate() * reflect(other);
        let quarter = nearest_quarter_turn(found);
        let pairs = hanging_pairs(self.skeleton, &self.partners, joint);
        let fits = |(from, to): &(Vec3, Vec3)| (quarter * *from).distance(*to) < 2e-3 * to.length();
        let is_meant =
            quarter.dot(found).abs() > UPRIGHT && !pairs.is_empty() && pairs.iter().all(fits);
        let near = if is_meant { quarter } else { found };
        let turn = turn_onto(&pairs, near);
        reflect(own * turn).normalize()
    }
}

/// The direction square to a bone in the middle of the body that is nearest to `across`; an axis of
/// the joint where one is as good.
fn across_axis(across: Vec3, bone: Vec3) -> Vec3 {
    let bone = bone.normalize_or_zero();
    let square = (across - across.dot(bone) * bone).normalize_or(across);
    let axes = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| axis * axis.dot(square).signum());
    let fits = |axis: &&Vec3| axis.dot(bone).abs() < 1e-3 && axis.dot(square) > 0.9;
    axes.iter().find(fits).copied().unwrap_or(square)
}

/// `turn`, and then the shortest turn that points a bone of it along `direction`.
fn along(turn: Quat, bone: Option<Vec3>, direction: Vec3) -> Quat {
    match bone {
        Some(bone) => (shortest_turn(turn * bone, direction) * turn).normalize(),
        None => turn,
    }
}

/// The turn about `axle` that brings `from` nearest to `to`.
fn twist(from: Vec3, to: Vec3, axle: Vec3) -> Quat {
    let angle = axle
        .dot(from.cross(to))
        .atan2(from.dot(to) - from.dot(axle) * to.dot(axle));
    Quat::from_axis_angle(axle, angle)
}

/// The mean of turns that are near each other, signs aside.
fn mean_turn(turns: impl Iterator<Item = Quat>) -> Quat {
    let mut sum = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    for turn in turns {
        sum = sum + if sum.dot(turn) < 0.0 { -turn } else { turn };
    }
    if sum.length_squared() > 1e-12 {
        sum.normalize()
    } else {
        Quat::IDENTITY
    }
}
