//! Which body part a joint is, recognised from its name.
//!
//! Names are cut into words (`joint_names`), each name gives a part and a side, and the parts are
//! then settled against each other and the hierarchy, because conventions disagree: a `LeftFoot` is
//! an ankle, but the ball where there is a `LeftAnkle` too. Knows CMU (BVH and ASF), MotionBuilder,
//! Mixamo, Unreal, Rokoko, VRM, Rigify, Biped, Xsens, SMPL and their like, with namespaces and
//! common prefixes. What a name does not tell is left out, never guessed from geometry;
//! [`roles_from_map`] is for the rest.

use std::fmt;

use thiserror::Error;

use crate::index::JointId;
use crate::skeleton::Skeleton;

pub use crate::joint_names::name_side;
pub use crate::recognise::recognise_roles;

/// One side of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Side {
    Left,
    Right,
}

impl Side {
    /// Left, then right.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// 0 for left, 1 for right.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side.
    pub const fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// A body part that the analysis and the edits ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The pelvis: the joint that both legs and the spine hang on.
    Hips,
    /// The lowest moving spine joint.
    Spine,
    /// The highest spine joint, which arms and neck hang on; also a spine's only joint.
    Chest,
    /// The lowest neck joint.
    Neck,
    /// The head.
    Head,
    /// Clavicle.
    Shoulder(Side),
    /// Upper arm, at the shoulder.
    Arm(Side),
    /// Forearm, at the elbow.
    ForeArm(Side),
    /// Hand, at the wrist.
    Hand(Side),
    /// Any joint of a finger or thumb.
    Finger(Side),
    /// Thigh, at the hip.
    UpLeg(Side),
    /// Shank, at the knee.
    Leg(Side),
    /// Foot, at the ankle.
    Foot(Side),
    /// Toes, at the ball of the foot.
    Toe(Side),
}

/// What is wrong with a map from joint names to roles.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum RoleMapError {
    #[error("the joint map names {name:?}, which is not a joint; the joints are {known}")]
    UnknownJoint { name: String, known: String },
    #[error(
        "the joint map calls {name:?} a {word:?}, which is no body part; expected one of {known}"
    )]
    UnknownRole {
        name: String,
        word: String,
        known: String,
    },
    #[error(
        "the joint map names both {first:?} and {second:?} as {role}; only one joint may be it"
    )]
    TwoJoints {
        first: String,
        second: String,
        role: Role,
    },
}

impl Role {
    /// Every role, from the hips up, then each side.
    pub fn all() -> impl Iterator<Item = Self> {
        use Role::*;
        let sided = |side| {
            [
                Shoulder(side),
                Arm(side),
                ForeArm(side),
                Hand(side),
                Finger(side),
                UpLeg(side),
                Leg(side),
                Foot(side),
                Toe(side),
            ]
        };
        [Hips, Spine, Chest, Neck, Head]
            .into_iter()
            .chain(Side::BOTH.into_iter().flat_map(sided))
    }

    /// The side, if it has one.
    pub const fn side(self) -> Option<Side> {
        match self {
            Self::Hips | Self::Spine | Self::Chest | Self::Neck | Self::Head => None,
            Self::Shoulder(side)
            | Self::Arm(side)
            | Self::ForeArm(side)
            | Self::Hand(side)
            | Self::Finger(side)
            | Self::UpLeg(side)
            | Self::Leg(side)
            | Self::Foot(side)
            | Self::Toe(side) => Some(side),
        }
    }

    /// The same part on the other side; itself in the middle.
    pub const fn mirrored(self) -> Self {
        match self {
            Self::Shoulder(side) => Self::Shoulder(side.other()),
            Self::Arm(side) => Self::Arm(side.other()),
            Self::ForeArm(side) => Self::ForeArm(side.other()),
            Self::Hand(side) => Self::Hand(side.other()),
            Self::Finger(side) => Self::Finger(side.other()),
            Self::UpLeg(side) => Self::UpLeg(side.other()),
            Self::Leg(side) => Self::Leg(side.other()),
            Self::Foot(side) => Self::Foot(side.other()),
            Self::Toe(side) => Self::Toe(side.other()),
            middle => middle,
        }
    }

    /// The word for it in joint maps: `hips`, `left_up_leg`, ...
    pub const fn name(self) -> &'static str {
        use Side::{Left, Right};
        match self {
            Self::Hips => "hips",
            Self::Spine => "spine",
            Self::Chest => "chest",
            Self::Neck => "neck",
            Self::Head => "head",
            Self::Shoulder(Left) => "left_shoulder",
            Self::Shoulder(Right) => "right_shoulder",
            Self::Arm(Left) => "left_arm",
            Self::Arm(Right) => "right_arm",
            Self::ForeArm(Left) => "left_fore_arm",
            Self::ForeArm(Right) => "right_fore_arm",
            Self::Hand(Left) => "left_hand",
            Self::Hand(Right) => "right_hand",
            Self::Finger(Left) => "left_finger",
            Self::Finger(Right) => "right_finger",
            Self::UpLeg(Left) => "left_up_leg",
            Self::UpLeg(Right) => "right_up_leg",
            Self::Leg(Left) => "left_leg",
            Self::Leg(Right) => "right_leg",
            Self::Foot(Left) => "left_foot",
            Self::Foot(Right) => "right_foot",
            Self::Toe(Left) => "left_toe",
            Self::Toe(Right) => "right_toe",
        }
    }

    /// The role of that word; case, `_`, `-` and blanks do not matter (`LeftUpLeg` works).
    pub fn from_name(word: &str) -> Option<Self> {
        let plain = |text: &str| -> String {
            text.chars()
                .filter(|c| c.is_alphanumeric())
                .flat_map(char::to_lowercase)
                .collect()
        };
        let word = plain(word);
        Self::all().find(|role| plain(role.name()) == word)
    }

    /// Whether several joints may have it.
    pub const fn is_shared(self) -> bool {
        matches!(self, Self::Finger(_))
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Roles by an explicit map from joint names to role words, on top of what the names tell.
///
/// A mapped joint has the role it is given; no other joint keeps that role (fingers excepted). The
/// word `none` takes a joint's role away.
pub fn roles_from_map<'a>(
    skeleton: &Skeleton,
    map: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<Vec<Option<Role>>, RoleMapError> {
    let recognised = recognise_roles(skeleton);
    change_roles(&skeleton.clone().with_roles(&recognised), map)
}

/// [`roles_from_map`] on top of the roles that the joints have.
pub fn change_roles<'a>(
    skeleton: &Skeleton,
    map: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<Vec<Option<Role>>, RoleMapError> {
    let mut given: Vec<(JointId, Option<Role>)> = Vec::new();
    for (name, word) in map {
        let (joint, role) = (find_joint(skeleton, name)?, parse_role(name, word)?);
        let same = |other: &&(JointId, Option<Role>)| other.1 == role && other.0 != joint;
        if let Some(role) = role.filter(|role| !role.is_shared())
            && let Some((other, _)) = given.iter().find(same)
        {
            return Err(RoleMapError::TwoJoints {
                first: skeleton.joint(*other).name.clone(),
                second: name.into(),
                role,
            });
        }
        given.push((joint, role));
    }
    let mut roles: Vec<Option<Role>> = skeleton.joints().iter().map(|joint| joint.role).collect();
    for (joint, role) in given {
        if role.is_some_and(|role| !role.is_shared()) {
            roles
                .iter_mut()
                .filter(|other| **other == role)
                .for_each(|other| *other = None);
        }
        roles[joint.index()] = role;
    }
    Ok(roles)
}

fn find_joint(skeleton: &Skeleton, name: &str) -> Result<JointId, RoleMapError> {
    let joints = || skeleton.joints().iter().map(|joint| joint.name.as_str());
    skeleton
        .find(name)
        .ok_or_else(|| RoleMapError::UnknownJoint {
            name: name.into(),
            known: joints().collect::<Vec<_>>().join(", "),
        })
}

fn parse_role(name: &str, word: &str) -> Result<Option<Role>, RoleMapError> {
    if word.eq_ignore_ascii_case("none") {
        return Ok(None);
    }
    let role = Role::from_name(word).ok_or_else(|| RoleMapError::UnknownRole {
        name: name.into(),
        word: word.into(),
        known: Role::all()
            .map(Role::name)
            .chain(["none"])
            .collect::<Vec<_>>()
            .join(", "),
    })?;
    Ok(Some(role))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::tests::skeleton_of;

    #[test]
    fn every_role_is_found_by_its_word() {
        for role in Role::all() {
            assert_eq!(Role::from_name(role.name()), Some(role));
            assert_eq!(role.mirrored().mirrored(), role);
            assert_eq!(role.mirrored() == role, role.side().is_none());
        }
        assert_eq!(Role::from_name("LeftUpLeg"), Some(Role::UpLeg(Side::Left)));
        assert_eq!(Role::from_name("tail"), None);
    }

    #[test]
    fn a_map_overrides_names() {
        let skeleton = skeleton_of(&["Hips", "Bone1", "Bone2", "Head"]);
        let map = [("Bone1", "spine"), ("Bone2", "Head"), ("Head", "none")];
        let roles = roles_from_map(&skeleton, map).unwrap();
        assert_eq!(
            roles,
            [Some(Role::Hips), Some(Role::Spine), Some(Role::Head), None]
        );
        let moved = roles_from_map(&skeleton, [("Bone2", "head")]).unwrap();
        assert_eq!(moved, [Some(Role::Hips), None, Some(Role::Head), None]);
    }

    #[test]
    fn a_wrong_map_is_refused_by_name() {
        let skeleton = skeleton_of(&["Hips", "Bone1", "Bone2"]);
        let message = |map: &[(&str, &str)]| {
            roles_from_map(&skeleton, map.iter().copied())
                .unwrap_err()
                .to_string()
        };
        assert!(message(&[("Bone9", "head")]).contains("\"Bone9\""));
        assert!(message(&[("Bone1", "tail")]).contains("left_up_leg"));
        assert!(
            message(&[("Bone1", "head"), ("Bone2", "head")])
                .contains("both \"Bone1\" and \"Bone2\"")
        );
    }
}
