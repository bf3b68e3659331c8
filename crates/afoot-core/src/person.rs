//! Tells people from other figures whose joints have people's names: foxes, horses, machines.
//!
//! Methods that need legs need two that bear an upright body and end in feet. Names alone don't
//! tell: a fox has hands and forearms too. Who stands upright at rest is a person, whatever the
//! motion (people crawl). Else a figure whose limbs all hang down from a level trunk in most frames
//! stands on four; one whose names tell of no whole leg does where four limbs or more come near to the
//! ground; and feet that do not hang on their legs are driven from elsewhere.

use std::fmt;

use glam::Vec3;

use crate::clip::Clip;
use crate::index::{FrameId, JointId};
use crate::kinematics::pose_kinematics;
use crate::roles::{Role, Side};
use crate::skeleton::Skeleton;
use crate::stance::Stance;
use crate::topology::ground_limbs;

/// Why a figure is no person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoPerson {
    /// It stands on more than two feet; one of those that a person has not.
    FourFeet(String),
    /// A foot that does not hang on its leg.
    FeetApart {
        /// The foot.
        foot: String,
        /// The leg.
        leg: String,
    },
}

impl fmt::Display for NoPerson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FourFeet(joint) => write!(f, "it stands on {joint:?} too"),
            Self::FeetApart { foot, leg } => write!(f, "{foot:?} does not hang on {leg:?}"),
        }
    }
}

/// Why the figure of a clip, y up and with roles by its names, is no person; `None` for people.
pub fn why_no_person(clip: &Clip) -> Option<NoPerson> {
    let skeleton = &*clip.skeleton;
    if let Some(apart) = Side::BOTH
        .into_iter()
        .find_map(|side| feet_apart(skeleton, side))
    {
        return Some(apart);
    }
    if stands_at_rest(skeleton) {
        return None;
    }
    let name = |joint: JointId| NoPerson::FourFeet(skeleton.joint(joint).name.clone());
    if Side::BOTH.iter().all(|side| skeleton.leg(*side).is_none()) {
        let limbs = ground_limbs(clip);
        return (limbs.len() > 3).then(|| name(limbs[0]));
    }
    let hand = skeleton.with_role(Role::Hand(Side::Left))?;
    is_four_footed(clip).then(|| name(hand))
}

fn feet_apart(skeleton: &Skeleton, side: Side) -> Option<NoPerson> {
    let foot = skeleton.with_role(Role::Foot(side))?;
    let leg = skeleton.with_role(Role::Leg(side))?;
    let name = |joint: JointId| skeleton.joint(joint).name.clone();
    skeleton
        .path_length(leg, foot)
        .is_none()
        .then(|| NoPerson::FeetApart {
            foot: name(foot),
            leg: name(leg),
        })
}

fn stands_at_rest(skeleton: &Skeleton) -> bool {
    let pose = skeleton.rest_pose();
    let points = pose_kinematics(skeleton, Vec3::ZERO, &pose.rotations).1;
    Stance::of(skeleton, &points).is_some_and(|stance| stance.is_standing(skeleton, &points))
}

/// Frames looked at, at most.
const FRAMES: usize = 32;

fn is_four_footed(clip: &Clip) -> bool {
    let step = clip.len().div_ceil(FRAMES).max(1);
    let frames: Vec<usize> = (0..clip.len()).step_by(step).collect();
    let stands_so = |frame: &&usize| {
        let local = clip.frame_rotations(FrameId::from(**frame));
        let points = pose_kinematics(&clip.skeleton, Vec3::ZERO, local).1;
        limbs_hang_from_level_trunk(&clip.skeleton, &points).unwrap_or(false)
    };
    2 * frames.iter().filter(stands_so).count() > frames.len()
}

/// Arms and legs within 45° of straight down, and the trunk within 45° of level.
fn limbs_hang_from_level_trunk(skeleton: &Skeleton, points: &[Vec3]) -> Option<bool> {
    let at = |role| {
        let joint = skeleton.with_role(role)?;
        Some(points[joint.index()])
    };
    let rise = |from, to| Some((at(to)? - at(from)?).normalize_or_zero().y);
    let mut hang = rise(Role::Hips, Role::Chest)?.abs() < 0.7;
    for side in Side::BOTH {
        hang &= rise(Role::UpLeg(side), Role::Foot(side))? < -0.7;
        hang &= rise(Role::Arm(side), Role::Hand(side))? < -0.7;
    }
    Some(hang)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::Quat;

    use super::*;
    use crate::fixture::{small_figure, swinging_clip};

    /// A figure that bends forward until its trunk is level, arms hanging, legs as they are.
    fn on_all_fours() -> Clip {
        let mut clip = swinging_clip(6);
        let skeleton = clip.skeleton.clone();
        let quarter = std::f32::consts::FRAC_PI_2;
        for frame in 0..clip.len() {
            for (index, joint) in skeleton.joints().iter().enumerate() {
                let bend = match joint.role {
                    Some(Role::Hips) => Quat::from_rotation_x(quarter),
                    Some(Role::UpLeg(_)) => Quat::from_rotation_x(-quarter),
                    Some(Role::Arm(Side::Left)) => {
                        Quat::from_rotation_x(-quarter) * Quat::from_rotation_z(-quarter)
                    }
                    Some(Role::Arm(Side::Right)) => {
                        Quat::from_rotation_x(-quarter) * Quat::from_rotation_z(quarter)
                    }
                    _ => Quat::IDENTITY,
                };
                clip.frame_rotations_mut(FrameId::from(frame))[index] = bend;
            }
        }
        clip
    }

    #[test]
    fn who_stands_at_rest_is_a_person_even_on_all_fours() {
        assert_eq!(why_no_person(&swinging_clip(3)), None);
        assert_eq!(why_no_person(&on_all_fours()), None);
    }

    #[test]
    fn a_body_made_for_four_feet_is_no_person() {
        let mut clip = on_all_fours();
        let rest = clip.frame_rotations(FrameId(0)).to_vec();
        let skeleton = Skeleton::clone(&clip.skeleton).with_rest(&rest);
        clip.skeleton = Arc::new(skeleton);
        let why = why_no_person(&clip);
        assert_eq!(why, Some(NoPerson::FourFeet("LeftHand".into())));
    }

    #[test]
    fn feet_that_hang_elsewhere_are_no_persons() {
        let mut joints = small_figure().joints().to_vec();
        let foot = joints.iter().position(|joint| joint.name == "LeftFoot");
        joints[foot.unwrap()].parent = Some(JointId(0));
        let skeleton = Skeleton::new(joints, vec![]).unwrap();
        let clip = Clip {
            skeleton: Arc::new(skeleton),
            ..swinging_clip(2)
        };
        let why = why_no_person(&clip).unwrap().to_string();
        assert_eq!(why, "\"LeftFoot\" does not hang on \"LeftLeg\"");
    }
}
