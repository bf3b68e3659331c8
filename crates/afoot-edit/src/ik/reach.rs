//! The two-link solver on a skeleton: changes the hip's and the knee's local rotations.
//!
//! Joints between the limb's three (twist bones) are carried rigidly. What hangs on the end joint
//! keeps its local rotations. Cost: the chain from the root to the end joint, then one solve.

use afoot_core::{JointId, Role, Side, Skeleton};
use glam::{Quat, Vec3};
use thiserror::Error;

use super::limb::{Limb, LimbOptions, solve_limb};

/// A limb of a skeleton.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimbJoints {
    /// Hip or shoulder.
    pub upper: JointId,
    /// Knee or elbow; below `upper`.
    pub lower: JointId,
    /// Ankle or wrist; below `lower`.
    pub end: JointId,
    /// The way the hinge bends, in the upper joint's frame.
    pub pole: Vec3,
}

/// What becomes of the end joint's rotation in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EndRotation {
    /// As it was before.
    Keep,
    /// This.
    Set(Quat),
    /// Turns with the shank.
    Follow,
}

/// What a limb is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimbGoal {
    /// Where the end joint should go, in the world. [m]
    pub target: Vec3,
    /// What becomes of its rotation.
    pub rotation: EndRotation,
    /// Limits of the hinge.
    pub options: LimbOptions,
}

impl LimbGoal {
    /// To `target`, the end's rotation in the world kept.
    pub fn to(target: Vec3) -> Self {
        let options = LimbOptions::default();
        Self {
            target,
            rotation: EndRotation::Keep,
            options,
        }
    }
}

/// Where the limb got to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimbReach {
    /// The end joint now. [m]
    pub end: Vec3,
    /// Its distance from the target. [m]
    pub miss: f32,
}

/// Why a limb can't be solved.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum ReachError {
    #[error("{lower:?} does not hang on {upper:?}; a limb's joints must lie on one chain")]
    NotAChain { upper: String, lower: String },
    #[error("the pose has {found} rotations, the skeleton {expected} joints")]
    WrongPose { found: usize, expected: usize },
    #[error("the target {0} is not finite")]
    NotFinite(Vec3),
}

impl LimbJoints {
    /// The leg of a side, where thigh, shank and foot are known; knees bend forward.
    pub fn leg(skeleton: &Skeleton, side: Side) -> Option<Self> {
        let roles = [Role::UpLeg(side), Role::Leg(side), Role::Foot(side)];
        Self::by_roles(skeleton, roles, Vec3::Z)
    }

    /// The arm of a side, where upper arm, forearm and hand are known; elbows bend backward.
    pub fn arm(skeleton: &Skeleton, side: Side) -> Option<Self> {
        let roles = [Role::Arm(side), Role::ForeArm(side), Role::Hand(side)];
        Self::by_roles(skeleton, roles, Vec3::NEG_Z)
    }

    /// The limb between three joints, bending towards `pole` in the rest pose's world.
    pub fn new(skeleton: &Skeleton, joints: [JointId; 3], pole: Vec3) -> Result<Self, ReachError> {
        let [upper, lower, end] = joints;
        for (above, below) in [(upper, lower), (lower, end)] {
            if !hangs_on(skeleton, below, above) {
                let name = |id| skeleton.joint(id).name.clone();
                return Err(ReachError::NotAChain {
                    upper: name(above),
                    lower: name(below),
                });
            }
        }
        let rest = rest_rotation(skeleton, upper);
        Ok(Self {
            upper,
            lower,
            end,
            pole: rest.inverse() * pole,
        })
    }

    fn by_roles(skeleton: &Skeleton, roles: [Role; 3], pole: Vec3) -> Option<Self> {
        let [upper, lower, end] = roles.map(|role| skeleton.with_role(role));
        Self::new(skeleton, [upper?, lower?, end?], pole).ok()
    }
}

/// Moves the limb's end joint to its goal in a pose given by its root position [m] and local
/// rotations. A target out of reach gives the nearest pose allowed and a `miss`.
pub fn reach_with_limb(
    skeleton: &Skeleton,
    (root, local): (Vec3, &mut [Quat]),
    limb: &LimbJoints,
    goal: &LimbGoal,
) -> Result<LimbReach, ReachError> {
    if local.len() != skeleton.len() {
        let (found, expected) = (local.len(), skeleton.len());
        return Err(ReachError::WrongPose { found, expected });
    }
    if !goal.target.is_finite() {
        return Err(ReachError::NotFinite(goal.target));
    }
    let upper = place_joint(skeleton, root, local, limb.upper);
    let lower = place_joint(skeleton, root, local, limb.lower);
    let end = place_joint(skeleton, root, local, limb.end);
    let before = Limb {
        hip: upper.position,
        knee: lower.position,
        ankle: end.position,
        pole: upper.rotation * limb.pole,
    };
    let solution = solve_limb(&before, goal.target, &goal.options);

    let upper_rotation = solution.upper * upper.rotation;
    let lower_rotation = solution.lower * lower.rotation;
    let end_rotation = match goal.rotation {
        EndRotation::Keep => end.rotation,
        EndRotation::Set(rotation) => rotation,
        EndRotation::Follow => solution.lower * end.rotation,
    };
    let lower_parent = solution.upper * lower.parent;
    let end_parent = solution.lower * end.parent;
    local[limb.upper.index()] = (upper.parent.inverse() * upper_rotation).normalize();
    local[limb.lower.index()] = (lower_parent.inverse() * lower_rotation).normalize();
    local[limb.end.index()] = (end_parent.inverse() * end_rotation).normalize();
    Ok(LimbReach {
        end: solution.ankle,
        miss: solution.ankle.distance(goal.target),
    })
}

/// A joint in the world, with its parent's rotation.
struct Placed {
    position: Vec3,
    rotation: Quat,
    parent: Quat,
}

/// Where a joint is, from the joints above it alone.
fn place_joint(skeleton: &Skeleton, root: Vec3, local: &[Quat], joint: JointId) -> Placed {
    match skeleton.joint(joint).parent {
        None => Placed {
            position: root,
            rotation: local[joint.index()],
            parent: Quat::IDENTITY,
        },
        Some(parent) => {
            let above = place_joint(skeleton, root, local, parent);
            Placed {
                position: above.position + above.rotation * skeleton.joint(joint).offset,
                rotation: above.rotation * local[joint.index()],
                parent: above.rotation,
            }
        }
    }
}

fn hangs_on(skeleton: &Skeleton, joint: JointId, ancestor: JointId) -> bool {
    let mut above = skeleton.joint(joint).parent;
    while let Some(id) = above {
        if id == ancestor {
            return true;
        }
        above = skeleton.joint(id).parent;
    }
    false
}

fn rest_rotation(skeleton: &Skeleton, joint: JointId) -> Quat {
    let rest = skeleton.joint(joint).rest;
    match skeleton.joint(joint).parent {
        None => rest,
        Some(parent) => rest_rotation(skeleton, parent) * rest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::biped;
    use afoot_core::pose_kinematics;

    const ROOT: Vec3 = Vec3::new(0.3, 0.9, -0.2);

    /// Solves and compares what the answer says with forward kinematics.
    fn check(local: &mut [Quat], goal: LimbGoal) -> (LimbReach, Vec<Quat>) {
        let skeleton = biped();
        let limb = LimbJoints::leg(&skeleton, Side::Left).unwrap();
        let reach = reach_with_limb(&skeleton, (ROOT, local), &limb, &goal).unwrap();
        let (rotations, points) = pose_kinematics(&skeleton, ROOT, local);
        assert!(points[limb.end.index()].distance(reach.end) < 1e-5);
        assert!(local.iter().all(|q| q.is_normalized()));
        (reach, rotations)
    }

    fn bent_pose() -> Vec<Quat> {
        let mut local = vec![Quat::IDENTITY; biped().len()];
        local[0] = Quat::from_rotation_y(0.8) * Quat::from_rotation_x(0.1);
        local[1] = Quat::from_rotation_x(-0.5);
        local[2] = Quat::from_rotation_x(0.9);
        local
    }

    #[test]
    fn the_foot_goes_there_and_keeps_its_rotation() {
        let mut local = bent_pose();
        let (before, _) = pose_kinematics(&biped(), ROOT, &local);
        let target = Vec3::new(0.5, 0.25, 0.1);
        let (reach, after) = check(&mut local, LimbGoal::to(target));
        assert!(reach.miss < 1e-4, "{reach:?}");
        assert!(after[3].angle_between(before[3]) < 1e-3);
        let set = Quat::from_rotation_z(0.4);
        let goal = LimbGoal {
            rotation: EndRotation::Set(set),
            ..LimbGoal::to(target)
        };
        let (_, after) = check(&mut local, goal);
        assert!(after[3].angle_between(set) < 1e-3);
    }

    #[test]
    fn out_of_reach_says_how_far() {
        let target = ROOT - Vec3::Y * 2.0;
        let (reach, _) = check(&mut bent_pose(), LimbGoal::to(target));
        assert!((reach.miss - 1.15).abs() < 0.01, "{reach:?}");
    }

    #[test]
    fn bad_requests_are_named() {
        let skeleton = biped();
        let leg = LimbJoints::leg(&skeleton, Side::Left).unwrap();
        let mut local = bent_pose();
        let ask = |local: &mut [Quat], target| {
            reach_with_limb(&skeleton, (ROOT, local), &leg, &LimbGoal::to(target)).unwrap_err()
        };
        assert!(matches!(
            ask(&mut local, Vec3::NAN),
            ReachError::NotFinite(_)
        ));
        let short = ReachError::WrongPose {
            found: 2,
            expected: 10,
        };
        assert_eq!(ask(&mut local[..2], Vec3::ZERO), short);
        let (left, right) = (
            leg.lower,
            LimbJoints::leg(&skeleton, Side::Right).unwrap().end,
        );
        let error = LimbJoints::new(&skeleton, [leg.upper, left, right], Vec3::Z).unwrap_err();
        assert_eq!(
            error.to_string(),
            "\"RightFoot\" does not hang on \"LeftLeg\"; a limb's joints must lie on one chain"
        );
        let nameless = Skeleton::clone(&skeleton).with_roles(&[None; 10]);
        assert_eq!(LimbJoints::leg(&nameless, Side::Left), None);
    }
}
