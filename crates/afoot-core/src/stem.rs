//! What a file has above the hips, set aside while its motion is worked with.
//!
//! Inside, the root of a figure is its hips, whose frame is upright at rest and looks along +z: only
//! then is the root's path the body's, and its yaw the body's heading. Files put other joints above
//! the hips (a constant `joint_Root`, an engine's `root` with targets of inverse kinematics) and give
//! the hips any frame. [`root_at_hips`] and [`turn_root_frame`] bring a clip here and remember what
//! they changed as the skeleton's [`Stem`]; [`with_file_structure`] brings it back. What stood still
//! in the file comes back as it was. A carrier that travelled comes back as the hips' shadow on the
//! ground, and other joints beside the hips as they were in the first frame.

use std::borrow::Cow;
use std::sync::Arc;

use glam::{Quat, Vec3};

use crate::clip::{Clip, SlidingJoint};
use crate::index::{FrameId, JointId};
use crate::planar::Planar;
use crate::roles::Role;
use crate::skeleton::{EndSite, Joint, Skeleton};
use crate::surface::SurfacePoint;

/// A file's own structure around a root that became the hips.
#[derive(Clone, Debug, PartialEq)]
pub struct Stem {
    /// The file's joints that are not below its hips, parents first; their rests are where they
    /// stand. Empty where the hips are the file's root.
    pub joints: Vec<Joint>,
    /// Which of them the hips hang on.
    pub carrier: usize,
    /// The hips' offset from it, as the file has it. [m]
    pub hips_offset: Vec3,
    /// The hips' frame here, seen from their frame in the file.
    pub turn: Quat,
    /// Whether the first of the joints goes along with the hips; it is then given relative to them.
    pub travels: bool,
}

impl Stem {
    /// Nothing above the hips, whose frame is the file's own.
    fn none() -> Self {
        Self {
            joints: Vec::new(),
            carrier: 0,
            hips_offset: Vec3::ZERO,
            turn: Quat::IDENTITY,
            travels: false,
        }
    }

    /// With every length multiplied by `factor`.
    pub(crate) fn scaled(mut self, factor: f32) -> Self {
        self.joints
            .iter_mut()
            .for_each(|joint| joint.offset *= factor);
        self.hips_offset *= factor;
        self
    }
}

/// A carrier that moves less stands still. [m]
const STILL: f32 = 1e-3;
/// A carrier that turns less stands still: the half-angle's cosine at 0.5°.
const STILL_TURN: f32 = 0.999_99;

/// Makes the hips the root of a clip. Nothing happens where they are, where there are none, and
/// where a body part hangs beside them.
pub fn root_at_hips(clip: &mut Clip) {
    let skeleton = clip.skeleton.clone();
    let Some(hips) = skeleton.with_role(Role::Hips).filter(|hips| hips.0 > 0) else {
        return;
    };
    let below = below(&skeleton, hips);
    let is_body = |joint: &Joint| joint.role.is_some();
    let mut joints = skeleton.joints().iter().zip(&below);
    if joints.any(|(joint, below)| is_body(joint) && !below) {
        return;
    }
    let carrier = skeleton.joint(hips).parent.unwrap_or(JointId(0));
    let worlds: Vec<Vec<(Quat, Vec3)>> = (0..clip.len())
        .map(|frame| path_to(clip, FrameId::from(frame), hips))
        .collect();
    let stem = stem_of(clip, hips, carrier, &below, &worlds);
    let subtree = Subtree::new(&skeleton, &below);
    clip.sliding
        .retain(|sliding| sliding.joint != hips && below[sliding.joint.index()]);
    for sliding in &mut clip.sliding {
        sliding.joint = subtree.renumbered(sliding.joint);
    }
    let frames = clip.rotations.chunks_exact(skeleton.len());
    let kept = frames.flat_map(|frame| subtree.kept.iter().map(|joint| frame[joint.index()]));
    let mut rotations: Vec<Quat> = kept.collect();
    for (frame, world) in rotations.chunks_exact_mut(subtree.kept.len()).zip(&worlds) {
        frame[0] = world[0].0;
    }
    clip.rotations = rotations;
    clip.root = worlds.iter().map(|world| world[0].1).collect();
    clip.skeleton = Arc::new(subtree.skeleton(&skeleton, carrier).with_stem(Some(stem)));
}

/// Which joints are `top` or hang below it.
fn below(skeleton: &Skeleton, top: JointId) -> Vec<bool> {
    let mut below = vec![false; skeleton.len()];
    for (index, joint) in skeleton.joints().iter().enumerate() {
        below[index] = index == top.index() || joint.parent.is_some_and(|p| below[p.index()]);
    }
    below
}

/// World rotation and place of a joint and, in order, of all above it.
fn path_to(clip: &Clip, frame: FrameId, joint: JointId) -> Vec<(Quat, Vec3)> {
    let mut path: Vec<JointId> = clip.skeleton.ancestors(joint).collect();
    path.insert(0, joint);
    let mut worlds: Vec<(Quat, Vec3)> = Vec::with_capacity(path.len());
    let (mut turn, mut place) = (Quat::IDENTITY, Vec3::ZERO);
    for &at in path.iter().rev() {
        place += turn * local_place(clip, frame, at);
        turn = (turn * clip.rotation(frame, at)).normalize();
        worlds.push((turn, place));
    }
    worlds.reverse();
    worlds
}

/// A joint's offset at a frame; the root's place in the world.
fn local_place(clip: &Clip, frame: FrameId, joint: JointId) -> Vec3 {
    if joint.0 == 0 {
        return clip.root[frame.index()];
    }
    clip.offset(frame, joint)
}

fn stem_of(
    clip: &Clip,
    hips: JointId,
    carrier: JointId,
    below: &[bool],
    worlds: &[Vec<(Quat, Vec3)>],
) -> Stem {
    let skeleton = &clip.skeleton;
    let kept: Vec<JointId> = joints_where(below, false);
    let first = FrameId(0);
    let standing = |&id: &JointId| {
        let mut joint = skeleton.joint(id).clone();
        joint.parent = joint.parent.and_then(|parent| position(&kept, parent));
        if !clip.is_empty() {
            joint.offset = local_place(clip, first, id);
            joint.rest = clip.rotation(first, id);
        }
        joint
    };
    let mut joints: Vec<Joint> = kept.iter().map(standing).collect();
    let moves = |world: &Vec<(Quat, Vec3)>| {
        let (now, then) = (world[1], worlds[0][1]);
        now.1.distance(then.1) > STILL || now.0.dot(then.0).abs() < STILL_TURN
    };
    let travels = worlds.iter().any(moves);
    if travels {
        let back = Planar::of_root(worlds[0][0].1, worlds[0][0].0).inverse();
        joints[0].offset = back.point3(joints[0].offset);
        joints[0].rest = back.rotate(joints[0].rest).normalize();
    }
    Stem {
        joints,
        carrier: position(&kept, carrier).map_or(0, JointId::index),
        hips_offset: skeleton.joint(hips).offset,
        turn: Quat::IDENTITY,
        travels,
    }
}

fn joints_where(flags: &[bool], wanted: bool) -> Vec<JointId> {
    let indices = (0..flags.len()).filter(|&index| flags[index] == wanted);
    indices.map(JointId::from).collect()
}

fn position(joints: &[JointId], wanted: JointId) -> Option<JointId> {
    let at = joints.iter().position(|&joint| joint == wanted);
    at.map(JointId::from)
}

/// The joints below the hips, renumbered.
struct Subtree {
    kept: Vec<JointId>,
    numbers: Vec<Option<JointId>>,
}

impl Subtree {
    fn new(skeleton: &Skeleton, below: &[bool]) -> Self {
        let kept = joints_where(below, true);
        let mut numbers = vec![None; skeleton.len()];
        for (index, joint) in kept.iter().enumerate() {
            numbers[joint.index()] = Some(JointId::from(index));
        }
        Self { kept, numbers }
    }

    fn renumbered(&self, joint: JointId) -> JointId {
        self.numbers[joint.index()].unwrap_or(JointId(0))
    }

    /// The skeleton of these joints alone, its root where the carrier's rest has it.
    fn skeleton(&self, whole: &Skeleton, carrier: JointId) -> Skeleton {
        let above = whole.world_rest_rotations()[carrier.index()];
        let renumber = |joint: &JointId| {
            let joint = whole.joint(*joint);
            let parent = joint.parent.and_then(|parent| self.numbers[parent.index()]);
            Joint {
                parent,
                ..joint.clone()
            }
        };
        let mut joints: Vec<Joint> = self.kept.iter().map(renumber).collect();
        joints[0].rest = (above * joints[0].rest).normalize();
        joints[0].offset = Vec3::ZERO;
        let site = |site: &EndSite| {
            let parent = self.numbers[site.parent.index()]?;
            Some(EndSite {
                parent,
                ..site.clone()
            })
        };
        let point = |point: &SurfacePoint| {
            let joint = self.numbers[point.joint.index()]?;
            Some(SurfacePoint { joint, ..*point })
        };
        let sites = whole.end_sites().iter().filter_map(site).collect();
        let surface = whole.surface().iter().filter_map(point).collect();
        Skeleton::new(joints, sites)
            .and_then(|skeleton| skeleton.with_surface(surface))
            .expect("a part of a valid skeleton is valid")
    }
}

/// Turns the root's own frame: its rotation becomes rotation · turn, and nothing moves in the world.
pub fn turn_root_frame(clip: &mut Clip, turn: Quat) {
    let mut stem = clip.skeleton.stem().cloned().unwrap_or_else(Stem::none);
    stem.turn = (stem.turn * turn).normalize();
    let placement = |clip: &Clip| match clip.is_empty() {
        true => Planar::IDENTITY,
        false => clip.placement(FrameId(0)),
    };
    let before = placement(clip);
    reframe(clip, turn);
    if stem.travels {
        let change = placement(clip).inverse().then_after(before);
        stem.joints[0].offset = change.point3(stem.joints[0].offset);
        stem.joints[0].rest = change.rotate(stem.joints[0].rest).normalize();
    }
    clip.skeleton = Arc::new(Skeleton::clone(&clip.skeleton).with_stem(Some(stem)));
}

pub(crate) fn reframe(clip: &mut Clip, turn: Quat) {
    let back = turn.conjugate();
    let children: Vec<JointId> = clip.skeleton.children(JointId(0)).collect();
    for frame in clip.rotations.chunks_exact_mut(clip.skeleton.len()) {
        frame[0] = (frame[0] * turn).normalize();
        for child in &children {
            frame[child.index()] = (back * frame[child.index()]).normalize();
        }
    }
    let moved = clip
        .sliding
        .iter_mut()
        .filter(|sliding| children.contains(&sliding.joint));
    for offset in moved.flat_map(|sliding| &mut sliding.offsets) {
        *offset = back * *offset;
    }
    clip.skeleton = Arc::new(reframed_skeleton(&clip.skeleton, turn));
}

fn reframed_skeleton(skeleton: &Skeleton, turn: Quat) -> Skeleton {
    let back = turn.conjugate();
    let mut joints = skeleton.joints().to_vec();
    joints[0].rest = (joints[0].rest * turn).normalize();
    for joint in joints
        .iter_mut()
        .filter(|joint| joint.parent == Some(JointId(0)))
    {
        joint.offset = back * joint.offset;
        joint.rest = (back * joint.rest).normalize();
    }
    let mut sites = skeleton.end_sites().to_vec();
    for site in sites.iter_mut().filter(|site| site.parent == JointId(0)) {
        site.offset = back * site.offset;
    }
    let mut surface = skeleton.surface().to_vec();
    for point in surface.iter_mut().filter(|point| point.joint == JointId(0)) {
        point.offset = back * point.offset;
    }
    Skeleton::new(joints, sites)
        .and_then(|turned| turned.with_surface(surface))
        .expect("a turned frame keeps names, parents and finite numbers")
        .with_stem(skeleton.stem().cloned())
}

/// The clip as its file had it: the hips' own frame, and what stands above them.
pub fn with_file_structure(clip: &Clip) -> Cow<'_, Clip> {
    let Some(stem) = clip.skeleton.stem() else {
        return Cow::Borrowed(clip);
    };
    let mut out = clip.clone();
    reframe(&mut out, stem.turn.conjugate());
    if stem.joints.is_empty() {
        out.skeleton = Arc::new(Skeleton::clone(&out.skeleton).with_stem(None));
        return Cow::Owned(out);
    }
    let skeleton = expanded_skeleton(&out.skeleton, stem);
    let joints = out.skeleton.len();
    let (mut root, mut offsets) = (Vec::new(), Vec::new());
    let mut rotations = Vec::with_capacity(clip.len() * skeleton.len());
    for frame in 0..clip.len() {
        let local = &out.rotations[frame * joints..][..joints];
        let travel = match stem.travels {
            true => clip.placement(FrameId::from(frame)),
            false => Planar::IDENTITY,
        };
        let first = (
            travel.rotate(stem.joints[0].rest).normalize(),
            travel.point3(stem.joints[0].offset),
        );
        let (turn, place) = carrier_world(stem, first);
        root.push(first.1);
        offsets.push(turn.conjugate() * (out.root[frame] - place));
        rotations.push(first.0);
        rotations.extend(stem.joints[1..].iter().map(|joint| joint.rest));
        rotations.push((turn.conjugate() * local[0]).normalize());
        rotations.extend(&local[1..]);
    }
    let above = stem.joints.len() as u16;
    out.sliding
        .iter_mut()
        .for_each(|sliding| sliding.joint.0 += above);
    let joint = JointId(above);
    out.sliding.insert(0, SlidingJoint { joint, offsets });
    (out.root, out.rotations, out.skeleton) = (root, rotations, Arc::new(skeleton));
    Cow::Owned(out)
}

/// Where the joint is that the hips hang on, with the first joint there.
fn carrier_world(stem: &Stem, first: (Quat, Vec3)) -> (Quat, Vec3) {
    let mut worlds = vec![first];
    for joint in &stem.joints[1..] {
        let above = worlds[joint.parent.map_or(0, JointId::index)];
        let turn = (above.0 * joint.rest).normalize();
        worlds.push((turn, above.1 + above.0 * joint.offset));
    }
    worlds[stem.carrier]
}

fn expanded_skeleton(hips_down: &Skeleton, stem: &Stem) -> Skeleton {
    let above = stem.joints.len() as u16;
    let first = (stem.joints[0].rest, stem.joints[0].offset);
    let shifted = |joint: &Joint| {
        let parent = joint
            .parent
            .map_or(stem.carrier as u16, |parent| parent.0 + above);
        let parent = Some(JointId(parent));
        Joint {
            parent,
            ..joint.clone()
        }
    };
    let mut joints = stem.joints.clone();
    joints.extend(hips_down.joints().iter().map(shifted));
    let hips = &mut joints[usize::from(above)];
    hips.offset = stem.hips_offset;
    hips.rest = (carrier_world(stem, first).0.conjugate() * hips.rest).normalize();
    let site = |site: &EndSite| EndSite {
        parent: JointId(site.parent.0 + above),
        ..site.clone()
    };
    let point = |point: &SurfacePoint| SurfacePoint {
        joint: JointId(point.joint.0 + above),
        ..*point
    };
    Skeleton::new(joints, hips_down.end_sites().iter().map(site).collect())
        .and_then(|skeleton| skeleton.with_surface(hips_down.surface().iter().map(point).collect()))
        .expect("the file's joints and those below its hips have names of their own")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::swinging_clip;
    use crate::kinematics::forward_kinematics;

    /// The swinging figure under two more joints, and a target of inverse kinematics beside it.
    fn carried(moving: bool) -> Clip {
        let clip = swinging_clip(5);
        let stem = Stem {
            joints: vec![
                Joint {
                    rest: Quat::from_rotation_x(0.3),
                    ..Joint::new("root", None, Vec3::X)
                },
                Joint::new("ik_foot", Some(JointId(0)), Vec3::Y),
                Joint {
                    rest: Quat::from_rotation_z(1.0),
                    ..Joint::new("body", Some(JointId(0)), Vec3::Z)
                },
            ],
            carrier: 2,
            hips_offset: Vec3::Y * 0.9,
            turn: Quat::from_rotation_z(0.7),
            travels: moving,
        };
        let skeleton = Skeleton::clone(&clip.skeleton).with_stem(Some(stem));
        let clip = Clip {
            skeleton: Arc::new(skeleton),
            ..clip
        };
        with_file_structure(&clip).into_owned()
    }

    #[test]
    fn hips_become_the_root_and_the_file_comes_back() {
        for moving in [false, true] {
            let file = carried(moving);
            let mut clip = file.clone();
            root_at_hips(&mut clip);
            clip.check().unwrap();
            assert_eq!(clip.skeleton.joints()[0].name, "Hips");
            assert_eq!(clip.skeleton.stem().unwrap().travels, moving);
            turn_root_frame(&mut clip, Quat::from_rotation_y(1.3));
            let plain = swinging_clip(5);
            let (expected, found) = (forward_kinematics(&plain), forward_kinematics(&clip));
            for (a, b) in expected.as_slice().iter().zip(found.as_slice()) {
                assert!(a.distance(*b) < 1e-5, "{a} became {b}");
            }
            let back = with_file_structure(&clip);
            let (expected, found) = (forward_kinematics(&file), forward_kinematics(&back));
            assert!(back.skeleton.same_shape(&file.skeleton));
            // A shadow depends on how its hips' heading is measured; the body does not.
            let compared = if moving { 3 } else { 0 };
            for frame in (0..clip.len()).map(FrameId::from) {
                let pairs = expected.frame(frame).iter().zip(found.frame(frame));
                for (a, b) in pairs.skip(compared) {
                    assert!(a.distance(*b) < 1e-5, "{a} became {b}");
                }
            }
        }
    }

    #[test]
    fn a_plain_clip_stays_as_it_is() {
        let mut clip = swinging_clip(3);
        root_at_hips(&mut clip);
        assert_eq!(clip, swinging_clip(3));
        assert!(matches!(with_file_structure(&clip), Cow::Borrowed(_)));
    }
}
