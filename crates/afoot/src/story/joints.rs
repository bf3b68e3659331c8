//! Joints and chains by the names that scripts use: those of the skeleton, of ASF files, or of body parts.

use afoot_core::{JointId, Role, Side, Skeleton, kinematic_chains};
use afoot_script::program::ProgramChain;

use crate::failure::Failure;

/// A body part that there are two of.
type Paired = fn(Side) -> Role;

/// What ASF files call body parts, without the letter of a side.
const ASF: [(&str, Paired); 10] = [
    ("hipjoint", Role::UpLeg),
    ("femur", Role::UpLeg),
    ("tibia", Role::Leg),
    ("foot", Role::Foot),
    ("toes", Role::Toe),
    ("clavicle", Role::Shoulder),
    ("humerus", Role::Arm),
    ("radius", Role::ForeArm),
    ("wrist", Role::Hand),
    ("hand", Role::Hand),
];

/// The same for those that have no side.
const ASF_MIDDLE: [(&str, Role); 7] = [
    ("root", Role::Hips),
    ("lowerback", Role::Spine),
    ("upperback", Role::Chest),
    ("thorax", Role::Chest),
    ("lowerneck", Role::Neck),
    ("upperneck", Role::Neck),
    ("head", Role::Head),
];

/// The joint of that name: its own, whatever the case, or that of the body part which the name stands for.
pub(super) fn joint_called(skeleton: &Skeleton, name: &str) -> Option<JointId> {
    let same = |joint: &afoot_core::Joint| joint.name.eq_ignore_ascii_case(name);
    if let Some(index) = skeleton.joints().iter().position(same) {
        return Some(JointId::from(index));
    }
    let role = Role::from_name(name).or_else(|| asf_role(name))?;
    skeleton.with_role(role)
}

fn asf_role(name: &str) -> Option<Role> {
    let name = name.to_lowercase();
    if let Some((_, role)) = ASF_MIDDLE.iter().find(|(known, _)| *known == name) {
        return Some(*role);
    }
    let (side, part) = match name.split_at_checked(1)? {
        ("l", part) => (Side::Left, part),
        ("r", part) => (Side::Right, part),
        _ => return None,
    };
    let found = ASF.iter().find(|(known, _)| *known == part)?;
    Some(found.1(side))
}

/// What the skeleton's own chain is called that a script's chain means: the one with most of its joints.
pub(super) fn chain_meant(skeleton: &Skeleton, chain: &ProgramChain) -> Result<String, Failure> {
    let mut joints = Vec::new();
    for name in &chain.joints {
        let known = joint_called(skeleton, name);
        joints.push(known.ok_or_else(|| {
            let words = format!("chain `{}`: the skeleton has no joint {name:?}", chain.name);
            Failure::bad_request(words)
        })?);
    }
    let chains = kinematic_chains(skeleton);
    let shared = |own: &afoot_core::Chain| {
        let both = joints.iter().filter(|joint| own.joints.contains(joint));
        both.count()
    };
    let best = chains.iter().rev().max_by_key(|own| shared(own));
    let best = best.filter(|own| shared(own) > 0);
    best.map(|own| own.name.clone()).ok_or_else(|| {
        let words = format!("chain `{}` is no limb of the skeleton", chain.name);
        Failure::bad_request(words)
    })
}
