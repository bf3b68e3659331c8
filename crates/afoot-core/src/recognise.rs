//! Recognises body parts: the method behind `roles`.
//!
//! Each name gives a part and a side (`joint_names`); the parts are then settled against each other
//! and the hierarchy, the limbs first, then the middle of the body by what carries them.

use crate::index::JointId;
use crate::joint_names::{Named, Part, part_of, words_of_all};
use crate::roles::{Role, Side};
use crate::skeleton::Skeleton;

/// The role of every joint that has one, by its name and place in the hierarchy.
pub fn recognise_roles(skeleton: &Skeleton) -> Vec<Option<Role>> {
    let names: Vec<Vec<String>> = words_of_all(skeleton);
    let parts: Vec<Option<Named>> = names.iter().map(|words| part_of(words)).collect();
    let mut roles = vec![None; skeleton.len()];
    for side in Side::BOTH {
        if settle_numbered(skeleton, &parts, side, &mut roles) {
            continue;
        }
        settle_leg(skeleton, &parts, side, &mut roles);
        settle_arm(skeleton, &parts, side, &mut roles);
    }
    settle_middle(skeleton, &parts, &mut roles);
    roles
}

/// Limbs whose joints all have the limb's name and a number (`leg_joint_L_1` to `5`): who is who
/// follows from their order from the body outwards. Whether there are such legs.
fn settle_numbered(
    skeleton: &Skeleton,
    parts: &[Option<Named>],
    side: Side,
    roles: &mut [Option<Role>],
) -> bool {
    let chain = |part: Part| -> Vec<JointId> {
        let all = joints_where(parts, |named| *named == Some((part, Some(side))));
        let hangs = all
            .windows(2)
            .all(|pair| is_below(skeleton, pair[1], pair[0]));
        if hangs { all } else { Vec::new() }
    };
    let (leg, arm) = (chain(Part::Shank), chain(Part::UpperArm));
    let named = |part| first_of(parts, (part, Some(side))).is_some();
    if leg.len() < 3 || named(Part::Thigh) || named(Part::Foot) {
        return false;
    }
    let leg_roles = [
        Role::UpLeg(side),
        Role::Leg(side),
        Role::Foot(side),
        Role::Toe(side),
    ];
    leg.iter()
        .zip(leg_roles)
        .for_each(|(&joint, role)| give(roles, Some(joint), role));
    let arm_roles = [
        Role::Shoulder(side),
        Role::Arm(side),
        Role::ForeArm(side),
        Role::Hand(side),
    ];
    let first = if arm.len() > 3 { 0 } else { 1 };
    let clavicle = first_of(parts, (Part::Shoulder, Some(side)));
    give(roles, clavicle.filter(|_| first == 1), Role::Shoulder(side));
    arm.iter()
        .zip(&arm_roles[first..])
        .for_each(|(&joint, &role)| give(roles, Some(joint), role));
    true
}

fn settle_leg(
    skeleton: &Skeleton,
    parts: &[Option<Named>],
    side: Side,
    roles: &mut [Option<Role>],
) {
    let first = |part| first_of(parts, (part, Some(side)));
    let (ankle, foot) = (first(Part::Ankle), first(Part::Foot));
    let ball_named_foot = match (ankle, foot) {
        (Some(ankle), Some(foot)) if is_below(skeleton, foot, ankle) => Some(foot),
        _ => None,
    };
    let at_ankle = match ball_named_foot {
        Some(_) => ankle,
        None => foot.or(ankle),
    };
    give(
        roles,
        first(Part::Thigh).or(first(Part::Hip)),
        Role::UpLeg(side),
    );
    give(roles, first(Part::Shank), Role::Leg(side));
    give(roles, at_ankle, Role::Foot(side));
    give(roles, first(Part::Toe).or(ball_named_foot), Role::Toe(side));
}

fn settle_arm(
    skeleton: &Skeleton,
    parts: &[Option<Named>],
    side: Side,
    roles: &mut [Option<Role>],
) {
    let first = |part| first_of(parts, (part, Some(side)));
    let (clavicle, shoulder) = (first(Part::Clavicle), first(Part::Shoulder));
    let shoulder_is_arm = first(Part::UpperArm).is_none();
    let hand = first(Part::Hand);
    let arm = if shoulder_is_arm {
        shoulder
    } else {
        first(Part::UpperArm)
    };
    give(
        roles,
        clavicle.or(shoulder.filter(|_| !shoulder_is_arm)),
        Role::Shoulder(side),
    );
    give(roles, arm, Role::Arm(side));
    give(roles, first(Part::ForeArm), Role::ForeArm(side));
    give(roles, hand, Role::Hand(side));
    // A second hand (`lwrist`, then `lhand`) is where the fingers begin.
    for (index, part) in parts.iter().enumerate() {
        let joint = JointId::from(index);
        let second_hand = *part == Some((Part::Hand, Some(side)))
            && hand.is_some_and(|hand| is_below(skeleton, joint, hand));
        if second_hand || *part == Some((Part::Finger, Some(side))) {
            roles[index] = Some(Role::Finger(side));
        }
    }
}

/// Hips, spine, neck and head, once the limbs are known.
fn settle_middle(skeleton: &Skeleton, parts: &[Option<Named>], roles: &mut [Option<Role>]) {
    let with = |roles: &[Option<Role>], wanted: &[Role]| -> Vec<JointId> {
        let is_wanted = |role: &Option<Role>| role.is_some_and(|role| wanted.contains(&role));
        joints_where(roles, is_wanted)
    };
    let sided = |part: fn(Side) -> Role| Side::BOTH.map(part);
    let thighs = with(roles, &sided(Role::UpLeg));
    let arms = with(roles, &[sided(Role::Shoulder), sided(Role::Arm)].concat());
    let necks = joints_where(parts, |part| *part == Some((Part::Neck, None)));
    let heads = joints_where(parts, |part| *part == Some((Part::Head, None)));
    let spines = joints_where(parts, |part| *part == Some((Part::Spine, None)));

    let hips = find_hips(skeleton, parts, &thighs, &spines);
    give(roles, hips, Role::Hips);
    let above: Vec<JointId> = [&arms[..], &necks, &heads].concat();
    let carries = |spine: &JointId| above.iter().any(|&top| is_below(skeleton, top, *spine));
    let spines: Vec<JointId> = spines
        .into_iter()
        .filter(|spine| Some(*spine) != hips && (above.is_empty() || carries(spine)))
        .collect();
    // Rigify calls everything a spine: what carries no arm is neck, and the last of it the head.
    let carries_arm = |spine: &JointId| arms.iter().any(|&arm| is_below(skeleton, arm, *spine));
    let trunk_end = spines
        .iter()
        .rposition(carries_arm)
        .map_or(spines.len(), |last| last + 1);
    if trunk_end > 1 {
        give(roles, spines.first().copied(), Role::Spine);
    }
    give(roles, spines[..trunk_end].last().copied(), Role::Chest);
    give(roles, necks.first().copied(), Role::Neck);
    let last_neck = necks.last().filter(|_| necks.len() > 1);
    give(roles, heads.first().or(last_neck).copied(), Role::Head);
    if necks.is_empty() && heads.is_empty() {
        settle_spine_head(skeleton, parts, roles);
    }
}

/// Neck and head of a skeleton that calls both a spine.
fn settle_spine_head(skeleton: &Skeleton, parts: &[Option<Named>], roles: &mut [Option<Role>]) {
    let Some(chest) = joints_where(roles, |role| *role == Some(Role::Chest))
        .first()
        .copied()
    else {
        return;
    };
    let above: Vec<JointId> = joints_where(parts, |part| *part == Some((Part::Spine, None)))
        .into_iter()
        .filter(|&joint| is_below(skeleton, joint, chest))
        .collect();
    give(roles, above.last().copied(), Role::Head);
    if above.len() > 1 {
        give(roles, above.first().copied(), Role::Neck);
    }
}

/// The deepest joint named hips that carries both legs and the spine, else the joint that does.
fn find_hips(
    skeleton: &Skeleton,
    parts: &[Option<Named>],
    thighs: &[JointId],
    spines: &[JointId],
) -> Option<JointId> {
    let named = joints_where(parts, |part| *part == Some((Part::Hips, None)));
    if thighs.len() < 2 {
        return named.first().copied();
    }
    let common = |a, b| lowest_common_ancestor(skeleton, a, b);
    let legs = common(thighs[0], thighs[1]);
    let fork = spines.first().map_or(legs, |&spine| common(legs, spine));
    let carries = |joint: &&JointId| **joint == fork || is_below(skeleton, fork, **joint);
    named.iter().rev().find(carries).copied().or(Some(fork))
}

fn give(roles: &mut [Option<Role>], joint: Option<JointId>, role: Role) {
    if let Some(joint) = joint {
        roles[joint.index()] = Some(role);
    }
}

fn first_of(parts: &[Option<Named>], wanted: Named) -> Option<JointId> {
    parts
        .iter()
        .position(|part| *part == Some(wanted))
        .map(JointId::from)
}

fn joints_where<T>(items: &[T], holds: impl Fn(&T) -> bool) -> Vec<JointId> {
    let indices = items.iter().enumerate().filter(|(_, item)| holds(item));
    indices.map(|(index, _)| JointId::from(index)).collect()
}

fn is_below(skeleton: &Skeleton, joint: JointId, ancestor: JointId) -> bool {
    skeleton.ancestors(joint).any(|above| above == ancestor)
}

pub(crate) fn lowest_common_ancestor(skeleton: &Skeleton, a: JointId, b: JointId) -> JointId {
    let (mut a, mut b) = (a, b);
    while a != b {
        // Parents have smaller numbers, so the larger one is never the common ancestor.
        let deeper = if a > b { &mut a } else { &mut b };
        *deeper = skeleton.joint(*deeper).parent.unwrap_or(JointId(0));
    }
    a
}
