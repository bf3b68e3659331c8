//! Mirror images of clips, across the sagittal plane x = 0.
//!
//! Left joints take over from right ones and the reverse, each rotation reflected about its rest,
//! so that rests other than identity work. With M the reflection and m(j) the partner of j,
//! local'(j) = C(p)·M·local(m(j))·M·C(j)⁻¹, where p is j's parent and C(j) =
//! rest(j)⁻¹·M·rest(m(j))·M in world space. The skeleton stays the same: where its sides differ in
//! length, feet end up off by that difference. The name stays too; a library needs another one.

use glam::{Quat, Vec3};

use crate::clip::{Clip, SlidingJoint};
use crate::ground::Ground;
use crate::index::{FrameId, JointId};
use crate::joint_names::{split_side, words_of_all};
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
/// Found by name (the same words, the other side), else by role. Partners always hang on partners.
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
        if let Some(other) = found {
            (partners[index], partners[other]) = (JointId::from(other), JointId::from(index));
        }
    }
    partners
}

/// M·q·M for the reflection in x: the turn's axis is mirrored and its sense reversed.
pub(crate) fn reflect(rotation: Quat) -> Quat {
    Quat::from_xyzw(rotation.x, -rotation.y, -rotation.z, rotation.w)
}

/// C(j) of the header; `None` where all are the identity.
fn rest_turns(skeleton: &Skeleton, partners: &[JointId]) -> Option<Vec<Quat>> {
    if skeleton
        .joints()
        .iter()
        .all(|joint| joint.rest == Quat::IDENTITY)
    {
        return None;
    }
    let rest = skeleton.world_rest_rotations();
    let turn = |(index, partner): (usize, &JointId)| {
        (rest[index].conjugate() * reflect(rest[partner.index()])).normalize()
    };
    Some(partners.iter().enumerate().map(turn).collect())
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
