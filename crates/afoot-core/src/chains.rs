//! Independent kinematic chains: the limbs that can be grafted one by one (Shanbhag 2006, §5.2).
//!
//! A chain runs from below a joint that branches to the next such joint or a leaf; six on a person:
//! legs, torso, head, arms. We depart from the thesis in three things: the branching joint itself
//! belongs only to the chain that ends with it, so that every joint moves in one chain; where roles
//! are known, what has none (fingers, twist joints, a jaw) goes with the limb it hangs on; and
//! joints from the root down to the first fork carry the whole body and belong to no chain.

use crate::index::JointId;
use crate::roles::{Role, Side};
use crate::skeleton::Skeleton;

/// A limb that moves by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// `left_leg`, `right_leg`, `torso`, `head`, `left_arm`, `right_arm`, else its first joint's
    /// name.
    pub name: String,
    /// The joint it hangs on, which is not part of it.
    pub base: JointId,
    /// Its joints, parents first.
    pub joints: Vec<JointId>,
}

/// The chains of a skeleton in the order of their first joints; none if there is only a root.
pub fn kinematic_chains(skeleton: &Skeleton) -> Vec<Chain> {
    let counts = joints_that_count(skeleton);
    let forks: Vec<bool> = (0..skeleton.len())
        .map(|joint| {
            skeleton
                .children(JointId::from(joint))
                .filter(|child| counts[child.index()])
                .count()
                > 1
        })
        .collect();
    let body = joints_that_carry_all(skeleton, &counts, &forks);
    let mut chains: Vec<Chain> = Vec::new();
    let mut chain_of: Vec<Option<usize>> = vec![None; skeleton.len()];
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let Some(base) = joint.parent.filter(|_| !body[index]) else {
            continue;
        };
        let starts = counts[index] && forks[base.index()];
        let chain = match chain_of[base.index()].filter(|_| !starts) {
            Some(chain) => chain,
            None => {
                chains.push(Chain {
                    name: joint.name.clone(),
                    base,
                    joints: Vec::new(),
                });
                chains.len() - 1
            }
        };
        chain_of[index] = Some(chain);
        chains[chain].joints.push(JointId::from(index));
    }
    name_by_roles(skeleton, &mut chains);
    chains
}

/// Joints that have a role or carry one that has; all where no legs are known. Fingers do not
/// count.
fn joints_that_count(skeleton: &Skeleton) -> Vec<bool> {
    if Side::BOTH
        .into_iter()
        .all(|side| skeleton.leg(side).is_none())
    {
        return vec![true; skeleton.len()];
    }
    let has_role = |joint: &crate::Joint| joint.role.is_some_and(|role| !role.is_shared());
    let mut counts: Vec<bool> = skeleton.joints().iter().map(has_role).collect();
    for index in (1..skeleton.len()).rev() {
        if let Some(parent) = skeleton.joints()[index].parent.filter(|_| counts[index]) {
            counts[parent.index()] = true;
        }
    }
    counts
}

/// From the root down to the first fork; the root alone where nothing forks.
fn joints_that_carry_all(skeleton: &Skeleton, counts: &[bool], forks: &[bool]) -> Vec<bool> {
    let mut body = vec![false; skeleton.len()];
    body[0] = true;
    let Some(fork) = forks.iter().position(|fork| *fork) else {
        return body;
    };
    for joint in skeleton
        .ancestors(JointId::from(fork))
        .chain([JointId::from(fork)])
    {
        body[joint.index()] = counts[joint.index()];
    }
    body
}

fn name_by_roles(skeleton: &Skeleton, chains: &mut [Chain]) {
    let names = [
        (Role::Leg(Side::Left), "left_leg"),
        (Role::Leg(Side::Right), "right_leg"),
        (Role::ForeArm(Side::Left), "left_arm"),
        (Role::ForeArm(Side::Right), "right_arm"),
        (Role::Chest, "torso"),
        (Role::Head, "head"),
    ];
    for (role, name) in names {
        let Some(joint) = skeleton.with_role(role) else {
            continue;
        };
        let taken = chains.iter().any(|chain| chain.name == name);
        if let Some(chain) = chains
            .iter_mut()
            .find(|chain| chain.joints.contains(&joint) && !taken)
        {
            chain.name = name.into();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::tests::skeleton_of;

    /// `expected` lists "name: base > first .. last".
    fn check(tree: &[&str], expected: &[&str]) {
        let skeleton = skeleton_of(tree).with_recognised_roles();
        let name = |joint: &JointId| skeleton.joint(*joint).name.as_str();
        let chains = kinematic_chains(&skeleton);
        let found: Vec<String> = chains
            .iter()
            .map(|chain| {
                let ends = [&chain.joints[0], &chain.joints[chain.joints.len() - 1]].map(name);
                format!(
                    "{}: {} > {} .. {}",
                    chain.name,
                    name(&chain.base),
                    ends[0],
                    ends[1]
                )
            })
            .collect();
        assert_eq!(found, expected);
        let mut all: Vec<JointId> = chains.into_iter().flat_map(|chain| chain.joints).collect();
        all.sort();
        let distinct = all.windows(2).all(|pair| pair[0] < pair[1]);
        assert!(distinct, "a joint is in two chains");
    }

    #[test]
    fn six_on_the_skeleton_of_the_thesis() {
        check(
            &[
                "root",
                "lhipjoint",
                "lfemur",
                "ltibia",
                "lfoot",
                "ltoes",
                "rhipjoint<root",
                "rfemur",
                "rtibia",
                "rfoot",
                "rtoes",
                "lowerback<root",
                "upperback",
                "thorax",
                "lowerneck",
                "upperneck",
                "head",
                "lclavicle<thorax",
                "lhumerus",
                "lradius",
                "lwrist",
                "rclavicle<thorax",
                "rhumerus",
                "rradius",
                "rwrist",
            ],
            &[
                "left_leg: root > lhipjoint .. ltoes",
                "right_leg: root > rhipjoint .. rtoes",
                "torso: root > lowerback .. thorax",
                "head: thorax > lowerneck .. head",
                "left_arm: thorax > lclavicle .. lwrist",
                "right_arm: thorax > rclavicle .. rwrist",
            ],
        );
    }

    #[test]
    fn fingers_and_twists_go_with_their_limb_and_the_root_with_none() {
        check(
            &[
                "root",
                "pelvis",
                "spine_01",
                "spine_02",
                "neck_01",
                "head",
                "jaw",
                "clavicle_l<spine_02",
                "upperarm_l",
                "upperarm_twist_01_l",
                "lowerarm_l<upperarm_l",
                "hand_l",
                "index_01_l",
                "thumb_01_l<hand_l",
                "thigh_l<pelvis",
                "thigh_twist_01_l",
                "calf_l<thigh_l",
                "foot_l",
                "ball_l",
                "thigh_r<pelvis",
                "calf_r",
                "foot_r",
                "ball_r",
            ],
            &[
                "torso: pelvis > spine_01 .. spine_02",
                "head: spine_02 > neck_01 .. jaw",
                "left_arm: spine_02 > clavicle_l .. thumb_01_l",
                "left_leg: pelvis > thigh_l .. ball_l",
                "right_leg: pelvis > thigh_r .. ball_r",
            ],
        );
    }

    #[test]
    fn without_roles_the_hierarchy_alone_decides() {
        check(
            &[
                "body",
                "front",
                "horn",
                "ear<front",
                "tail<body",
                "tail_end",
            ],
            &[
                "front: body > front .. front",
                "horn: front > horn .. horn",
                "ear: front > ear .. ear",
                "tail: body > tail .. tail_end",
            ],
        );
        check(
            &["snake", "ring", "rattle"],
            &["ring: snake > ring .. rattle"],
        );
        check(&["ball"], &[]);
    }
}
