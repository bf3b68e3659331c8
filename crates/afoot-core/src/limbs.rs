//! Legs, arms and feet of a skeleton whose joints have roles.

use crate::index::JointId;
use crate::roles::{Role, Side};
use crate::skeleton::Skeleton;

/// The joints of a leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leg {
    /// The thigh's joint.
    pub hip: JointId,
    /// The shank's joint.
    pub knee: JointId,
    /// The foot's joint.
    pub ankle: JointId,
    /// The toes' joint; the ankle again where the foot has none ([`Leg::has_ball`]).
    pub ball: JointId,
}

impl Leg {
    /// Whether the foot has a joint at its ball.
    pub fn has_ball(self) -> bool {
        self.ball != self.ankle
    }
}

/// The joints of an arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arm {
    /// The upper arm's joint.
    pub shoulder: JointId,
    /// The forearm's joint.
    pub elbow: JointId,
    /// The hand's joint.
    pub wrist: JointId,
}

impl Skeleton {
    /// A leg whose hip, knee and ankle are known and hang on each other.
    pub fn leg(&self, side: Side) -> Option<Leg> {
        let hip = self.with_role(Role::UpLeg(side))?;
        let knee = self.with_role(Role::Leg(side))?;
        let ankle = self.with_role(Role::Foot(side))?;
        let toes = self.with_role(Role::Toe(side));
        let ball = toes.filter(|&ball| self.path_length(ankle, ball).is_some());
        self.path_length(hip, knee)
            .and(self.path_length(knee, ankle))?;
        Some(Leg {
            hip,
            knee,
            ankle,
            ball: ball.unwrap_or(ankle),
        })
    }

    /// An arm whose three joints are known and hang on each other.
    pub fn arm(&self, side: Side) -> Option<Arm> {
        let shoulder = self.with_role(Role::Arm(side))?;
        let elbow = self.with_role(Role::ForeArm(side))?;
        let wrist = self.with_role(Role::Hand(side))?;
        self.path_length(shoulder, elbow)
            .and(self.path_length(elbow, wrist))?;
        Some(Arm {
            shoulder,
            elbow,
            wrist,
        })
    }

    /// Thigh and shank together, the mean of both sides; `None` without legs. [m]
    pub fn leg_length(&self) -> Option<f32> {
        let length = |leg: Leg| self.path_length(leg.hip, leg.ankle);
        let lengths: Vec<f32> = Side::BOTH
            .into_iter()
            .filter_map(|side| self.leg(side).and_then(length))
            .collect();
        let mean = lengths.iter().sum::<f32>() / lengths.len() as f32;
        (!lengths.is_empty() && mean > 0.0).then_some(mean)
    }

    /// Lengths of the bones from `above` down to `below`; `None` if it does not hang there. [m]
    pub fn path_length(&self, above: JointId, below: JointId) -> Option<f32> {
        let mut length = 0.0;
        let mut at = below;
        while at != above {
            length += self.joint(at).offset.length();
            at = self.joint(at).parent?;
        }
        Some(length)
    }

    /// The point (as forward kinematics numbers them) at the tip of a foot's toes: the end site
    /// farthest from the ball, or the last joint below it, whichever there is.
    pub fn toe_tip(&self, side: Side) -> Option<usize> {
        let ball = self.leg(side)?.ball;
        let from_ball = |point: usize| match point.checked_sub(self.len()) {
            None => self.path_length(ball, JointId::from(point)),
            Some(site) => {
                let site = &self.end_sites()[site];
                Some(self.path_length(ball, site.parent)? + site.offset.length())
            }
        };
        (0..self.point_count())
            .filter(|&point| point != ball.index())
            .filter_map(|point| Some((point, from_ball(point)?)))
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(point, _)| point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::tests::skeleton_of;
    use crate::skeleton::{EndSite, Joint};
    use glam::Vec3;

    #[test]
    fn a_leg_is_measured_over_the_joints_between() {
        let tree = [
            "Hips",
            "LeftUpLeg",
            "LeftUpLegRoll",
            "LeftLeg",
            "LeftFoot",
            "LeftToeBase",
        ];
        let skeleton = skeleton_of(&tree).with_recognised_roles();
        let leg = skeleton.leg(Side::Left).unwrap();
        assert_eq!((leg.hip, leg.ball), (JointId(1), JointId(5)));
        assert!((skeleton.leg_length().unwrap() - 0.3).abs() < 1e-6);
        assert_eq!(skeleton.leg(Side::Right), None);
    }

    #[test]
    fn a_foot_without_toes_ends_at_the_ankle() {
        let joints = [
            ("Hips", None),
            ("LeftHip", Some(0)),
            ("LeftKnee", Some(1)),
            ("LeftAnkle", Some(2)),
        ];
        let joints =
            joints.map(|(name, parent)| Joint::new(name, parent.map(JointId), Vec3::NEG_Y));
        let tip = EndSite {
            parent: JointId(3),
            offset: Vec3::Z,
        };
        let skeleton = Skeleton::new(joints.to_vec(), vec![tip])
            .unwrap()
            .with_recognised_roles();
        let leg = skeleton.leg(Side::Left).unwrap();
        assert!(!leg.has_ball());
        assert_eq!(skeleton.toe_tip(Side::Left), Some(4));
    }

    #[test]
    fn joints_that_do_not_hang_together_are_no_leg() {
        let tree = ["Hips", "LeftUpLeg", "LeftLeg<Hips", "LeftFoot"];
        assert_eq!(
            skeleton_of(&tree).with_recognised_roles().leg(Side::Left),
            None
        );
    }

    #[test]
    fn a_skeleton_without_legs_has_no_leg_length() {
        assert_eq!(
            skeleton_of(&["snake", "ring"])
                .with_recognised_roles()
                .leg_length(),
            None
        );
    }
}
