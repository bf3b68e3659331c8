//! A simple body for a skeleton: a tapered capsule along every bone, as thick as a person is there.
//!
//! Points are numbered as kinematics gives them: joints, then end sites. Thickness goes by what a joint is,
//! and by a bone's length where that is not known.

use afoot_core::{Role, Side, Skeleton, Vec3};

use crate::figure::{Figure, joint_sides};

/// A limb between two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    /// One end.
    pub from: usize,
    /// The other.
    pub to: usize,
    /// The side of the body; `None` in the middle.
    pub side: Option<Side>,
    /// Radius at both ends. [m]
    pub radii: [f32; 2],
}

/// The limbs of a skeleton.
pub fn capsules(skeleton: &Skeleton) -> Vec<Capsule> {
    let sides = joint_sides(skeleton);
    let size = Figure::new(skeleton).stature() / 1.75;
    let joints = skeleton.joints();
    let roles = middle_roles(skeleton, &sides);
    let capsule = |[from, to]: [usize; 2], side, radii: [f32; 2]| Capsule {
        from,
        to,
        side,
        radii: radii.map(|radius| size * radius),
    };
    let inner = joints.iter().enumerate().filter_map(|(to, joint)| {
        let from = joint.parent?.index();
        // A neck stays a neck up to the head.
        let end = roles[to].filter(|role| *role != Role::Head);
        let ends = [roles[from], end.or(roles[from])];
        let radii = ends.map(|role| radius(role, joint.offset));
        Some(capsule([from, to], sides[to], radii))
    });
    let sites = skeleton.end_sites().iter().zip(skeleton.len()..);
    let ends = sites.map(|(site, to)| {
        let from = site.parent.index();
        let first = radius(joints[from].role, site.offset);
        // Only heads end as wide as they begin.
        let second = match joints[from].role {
            Some(Role::Head) => first,
            _ => 0.6 * first,
        };
        capsule([from, to], sides[from], [first, second])
    });
    inner.chain(ends).collect()
}

/// The role of each joint; along the spine and the neck, of nameless ones, that of the one below.
fn middle_roles(skeleton: &Skeleton, sides: &[Option<Side>]) -> Vec<Option<Role>> {
    let mut roles: Vec<Option<Role>> = Vec::with_capacity(skeleton.len());
    for (joint, side) in skeleton.joints().iter().zip(sides) {
        let below = joint.parent.filter(|_| side.is_none());
        roles.push(
            joint
                .role
                .or(below.and_then(|parent| roles[parent.index()])),
        );
    }
    roles
}

/// Thickness of a person of 1.75 m at a joint; of other joints by the length of what hangs there. [m]
fn radius(role: Option<Role>, offset: Vec3) -> f32 {
    use Role::{Arm, Finger, Foot, ForeArm, Hand, Head, Hips, Leg, Neck, Shoulder, Toe, UpLeg};
    match role {
        Some(Hips) => 0.100,
        Some(UpLeg(_)) => 0.075,
        Some(Leg(_)) => 0.054,
        Some(Foot(_)) => 0.038,
        Some(Toe(_)) => 0.030,
        Some(Shoulder(_)) => 0.050,
        Some(Arm(_)) => 0.048,
        Some(ForeArm(_)) => 0.038,
        Some(Hand(_)) => 0.028,
        Some(Finger(_)) => 0.014,
        Some(Neck) => 0.050,
        Some(Head) => 0.075,
        Some(_) => 0.105,
        None => (0.2 * offset.length()).clamp(0.012, 0.06),
    }
}
