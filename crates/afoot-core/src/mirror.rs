//! Mirror images of clips, across the sagittal plane x = 0.
//!
//! Left joints take over from right ones and the reverse, each rotation reflected about its rest,
//! so that rests other than identity work. With M the reflection and m(j) the partner of j,
//! local'(j) = C(p)·M·local(m(j))·M·C(j)⁻¹, where p is j's parent and C(j) =
//! rest(j)⁻¹·M·rest(m(j))·M in world space. Where a rest pose is not the same on both sides (animals and
//! machines get no reference pose), C(j) is turned on until what hangs on j is the image of what hangs on m(j).
//! The skeleton stays the same: where its sides differ in length, feet end up off by that difference. The
//! name stays too; a library needs another one.

use glam::{Quat, Vec3};

use crate::clip::{Clip, SlidingJoint};
use crate::ground::Ground;
use crate::index::{FrameId, JointId};
use crate::joint_names::{split_side, words_of_all};
use crate::pairs::{Pair, hanging_pairs, turn_onto};
use crate::skeleton::Skeleton;

/// The mirror image of a clip, facts and floor included.
pub fn mirror_clip(clip: &Clip) -> Clip {
    let skeleton = &*clip.skeleton;
    let partners = mirror_partners(skeleton);
    let turns = rest_turns(skeleton, &partners);
    let mut out = clip.clone();
    out.root.iter_mut().for_each(|root| root.x = -root.x);
    for frame in (0..clip.len()).map(FrameId::from) {
        let source = clip.frame_rotations(frame);
        let target = out.frame_rotations_mut(frame);
        for (index, joint) in skeleton.joints().iter().enumerate() {
            let reflected = reflect(source[partners[index].index()]);
            target[index] = match &turns {
                None => reflected,
                Some(turns) => {
                    let above = joint.parent.map_or(Quat::IDENTITY, |p| turns[p.index()]);
                    (above * reflected * turns[index].conjugate()).normalize()
                }
            };
        }
    }
    out.sliding = clip
        .sliding
        .iter()
        .map(|sliding| mirror_sliding(skeleton, &partners, turns.as_deref(), sliding))
        .collect();
    out.contacts
        .iter_mut()
        .for_each(|contacts| *contacts = contacts.mirrored());
    out.ground = clip.ground.map(|ground| Ground {
        slope_x: -ground.slope_x,
        rest: [ground.rest[1], ground.rest[0]],
        ..ground
    });
    out
}

/// The joint on the other side for every joint; itself in the middle and where there is none.
///
/// Found by name (the same words, the other side), else by role; one that is left over on a limb is the partner of the
/// one that is left over on the other (`LeftHandRingPinky1` and `RightHandPinky1`). Partners always hang on partners.
pub fn mirror_partners(skeleton: &Skeleton) -> Vec<JointId> {
    let names: Vec<_> = words_of_all(skeleton)
        .iter()
        .map(|words| split_side(words))
        .collect();
    let mut partners: Vec<JointId> = (0..skeleton.len()).map(JointId::from).collect();
    for index in 0..skeleton.len() {
        let joint = &skeleton.joints()[index];
        if partners[index].index() != index {
            continue; // found from the other side
        }
        let opposite_parent = joint.parent.map(|parent| partners[parent.index()]);
        let is_free = |other: &usize| {
            *other > index
                && partners[*other].index() == *other
                && skeleton.joints()[*other].parent == opposite_parent
        };
        let (side, words) = &names[index];
        let by_name = |other: &usize| {
            let (other_side, other_words) = &names[*other];
            side.is_some() && *other_side == side.map(|side| side.other()) && other_words == words
        };
        let by_role = |other: &usize| {
            let sided = joint
                .role
                .filter(|role| role.side().is_some() && !role.is_shared());
            sided.is_some_and(|role| skeleton.joints()[*other].role == Some(role.mirrored()))
        };
        let all = || (0..skeleton.len()).filter(is_free);
        let found = all().find(by_name).or_else(|| all().find(by_role));
        let found = found.or_else(|| left_over(skeleton, &partners, index));
        if let Some(other) = found {
            (partners[index], partners[other]) = (JointId::from(other), JointId::from(index));
        }
    }
    partners
}

/// The one joint of the other limb that no other joint of this one's is like, if there is exactly one.
fn left_over(skeleton: &Skeleton, partners: &[JointId], index: usize) -> Option<usize> {
    let parent = skeleton.joints()[index].parent?;
    let opposite = partners[parent.index()];
    let names = words_of_all(skeleton);
    let key = |joint: usize| split_side(&names[joint]).1;
    let alone = |of: JointId, other: JointId| -> Option<usize> {
        let like = |joint: &JointId| {
            skeleton
                .children(other)
                .any(|across| key(across.index()) == key(joint.index()))
        };
        let mut all = skeleton.children(of).filter(|joint| !like(joint));
        let first = all.next()?;
        all.next().is_none().then_some(first.index())
    };
    let (own, other) = (alone(parent, opposite)?, alone(opposite, parent)?);
    (parent != opposite && own == index).then_some(other)
}

/// M·q·M for the reflection in x: the turn's axis is mirrored and its sense reversed.
pub(crate) fn reflect(rotation: Quat) -> Quat {
    Quat::from_xyzw(rotation.x, -rotation.y, -rotation.z, rotation.w)
}

/// Sides of two captured skeletons differ by up to 7° where bodies or markers do; beyond this a rest pose is not
/// the same on both sides. Weakness: a pose that is uneven by less is taken for such a body. [cos of 10°]
const EVEN: f32 = 0.985;

/// C(j) of the header; `None` where all are the identity.
fn rest_turns(skeleton: &Skeleton, partners: &[JointId]) -> Option<Vec<Quat>> {
    let rest = skeleton.world_rest_rotations();
    let turn = |(index, partner): (usize, &JointId)| {
        let found = (rest[index].conjugate() * reflect(rest[partner.index()])).normalize();
        if partner.index() == index {
            return found;
        }
        let pairs = hanging_pairs(skeleton, partners, JointId::from(index));
        let is_even = |(from, to): &Pair| (found * *from).normalize().dot(to.normalize()) > EVEN;
        match pairs.first().is_none_or(is_even) {
            true => found,
            false => turn_onto(&pairs, found).normalize(),
        }
    };
    let turns: Vec<Quat> = partners.iter().enumerate().map(turn).collect();
    let all_same = turns.iter().all(|turn| *turn == Quat::IDENTITY);
    (!all_same).then_some(turns)
}

fn mirror_sliding(
    skeleton: &Skeleton,
    partners: &[JointId],
    turns: Option<&[Quat]>,
    sliding: &SlidingJoint,
) -> SlidingJoint {
    let joint = partners[sliding.joint.index()];
    let parent = skeleton.joint(joint).parent;
    let turn = turns
        .zip(parent)
        .map_or(Quat::IDENTITY, |(turns, parent)| turns[parent.index()]);
    let mirror = |offset: &Vec3| turn * Vec3::new(-offset.x, offset.y, offset.z);
    SlidingJoint {
        joint,
        offsets: sliding.offsets.iter().map(mirror).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contacts::Contacts;
    use crate::fixture::{small_figure, swinging_clip};
    use crate::kinematics::forward_kinematics;
    use crate::roles::Side;
    use std::sync::Arc;

    /// Every joint's place is its partner's place in the mirror.
    fn check(clip: &Clip) {
        let mirrored = mirror_clip(clip);
        let (before, after) = (forward_kinematics(clip), forward_kinematics(&mirrored));
        let partners = mirror_partners(&clip.skeleton);
        for frame in (0..clip.len()).map(FrameId::from) {
            for (index, partner) in partners.iter().enumerate() {
                let expected = before.joint(frame, *partner) * Vec3::new(-1.0, 1.0, 1.0);
                let off = (after.joint(frame, JointId::from(index)) - expected).length();
                assert!(
                    off < 1e-5,
                    "{} is off by {off}",
                    clip.skeleton.joints()[index].name
                );
            }
        }
        let twice = mirror_clip(&mirrored);
        let same = |(a, b): (&Quat, &Quat)| a.dot(*b).abs() > 1.0 - 1e-6;
        assert!(twice.rotations.iter().zip(&clip.rotations).all(same));
    }

    #[test]
    fn the_image_is_the_image() {
        check(&swinging_clip(5));
        check(&swinging_clip(1));
        check(&swinging_clip(0));
    }

    #[test]
    fn rest_rotations_are_taken_into_account() {
        let figure = small_figure();
        let mut joints = figure.joints().to_vec();
        for (index, joint) in joints.iter_mut().enumerate() {
            joint.rest =
                Quat::from_rotation_z(0.3 * index as f32) * Quat::from_rotation_y(index as f32);
        }
        // Offsets that make the rest pose the same figure in spite of the turned frames.
        let turned = Skeleton::new(joints.clone(), vec![]).unwrap();
        let rest = turned.world_rest_rotations();
        for joint in &mut joints {
            if let Some(parent) = joint.parent {
                joint.offset = rest[parent.index()].conjugate() * joint.offset;
            }
        }
        let turned = Skeleton::new(joints, vec![])
            .unwrap()
            .with_recognised_roles();
        check(&Clip {
            skeleton: Arc::new(turned),
            ..swinging_clip(4)
        });
    }

    #[test]
    fn sliding_joints_are_mirrored_too() {
        let mut clip = swinging_clip(3);
        let joint = clip.skeleton.find("LeftHand").unwrap();
        clip.sliding.push(SlidingJoint {
            joint,
            offsets: vec![Vec3::new(0.3, 0.1, -0.2); 3],
        });
        check(&clip);
    }

    #[test]
    fn contacts_and_floor_change_sides() {
        let mut clip = swinging_clip(1);
        clip.contacts = vec![Contacts::ball(Side::Left).with(Contacts::hand(Side::Right))];
        let mut ground = Ground::level(0.1);
        (ground.slope_x, ground.rest[0].ball) = (0.02, 0.01);
        clip.ground = Some(ground);
        let mirrored = mirror_clip(&clip);
        assert_eq!(
            mirrored.contacts[0],
            Contacts::ball(Side::Right).with(Contacts::hand(Side::Left))
        );
        let floor = mirrored.ground.unwrap();
        assert_eq!((floor.slope_x, floor.rest[1].ball), (-0.02, 0.01));
    }

    #[test]
    fn one_left_over_finds_the_one_left_over() {
        let tree = [
            "root",
            "LeftHand",
            "LeftThumb",
            "LeftRingPinky<LeftHand",
            "RightHand<root",
            "RightThumb",
            "RightPinky<RightHand",
            "LeftSword<root",
        ];
        let skeleton = crate::skeleton::tests::skeleton_of(&tree);
        let partners = mirror_partners(&skeleton);
        let partners: Vec<u16> = partners.iter().map(|joint| joint.0).collect();
        assert_eq!(partners, [0, 4, 5, 6, 1, 2, 3, 7]);
    }

    /// A machine at rest with one arm down and the other one out, which no reference pose evens.
    #[test]
    fn uneven_rests_are_images_too() {
        let mut clip = swinging_clip(4);
        let figure = small_figure();
        let mut joints = figure.joints().to_vec();
        let arm = figure.find("LeftArm").unwrap();
        let turn = Quat::from_rotation_z(-1.0) * Quat::from_rotation_y(0.4);
        joints[arm.index()].rest = turn;
        for joint in joints.iter_mut().filter(|joint| joint.parent == Some(arm)) {
            joint.rest = Quat::from_rotation_x(0.7);
        }
        let sites = figure.end_sites().to_vec();
        clip.skeleton = Arc::new(
            Skeleton::new(joints, sites)
                .unwrap()
                .with_recognised_roles(),
        );
        check(&clip);
    }

    #[test]
    fn partners_hang_on_partners() {
        let tree = [
            "root",
            "lfemur",
            "ltibia",
            "rfemur<root",
            "rtibia",
            "LeftSword<ltibia",
            "tail<root",
        ];
        let skeleton = crate::skeleton::tests::skeleton_of(&tree);
        let partners: Vec<u16> = mirror_partners(&skeleton)
            .iter()
            .map(|joint| joint.0)
            .collect();
        assert_eq!(partners, [0, 3, 4, 1, 2, 5, 6]);
    }
}
