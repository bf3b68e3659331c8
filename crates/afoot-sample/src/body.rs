//! The performer: an adult of 1.75 m with MotionBuilder's joint names, at rest with arms out.

use std::sync::Arc;

use afoot_core::{EndSite, Joint, JointId, Role, Side, Skeleton, Vec3};

/// Thigh and shank each. [m]
pub const LEG_BONE: f64 = 0.425;
/// From the root down to the hip joints, and sideways. [m]
pub const HIP_DROP: f64 = 0.04;
/// Half the distance of the hip joints. [m]
pub const HIP_HALF: f64 = 0.09;
/// Height of the ankle joint above the sole. [m]
pub const ANKLE_HEIGHT: f64 = 0.08;
/// Height of the ball joint above the sole. [m]
pub const BALL_HEIGHT: f64 = 0.02;
/// From the ankle forward to the ball joint. [m]
pub const BALL_FORWARD: f64 = 0.13;
/// From the ball joint forward to the tip of the toes. [m]
pub const TOE_LENGTH: f64 = 0.07;
/// Upper arm. [m]
pub const UPPER_ARM: f64 = 0.29;
/// Forearm. [m]
pub const FOREARM: f64 = 0.25;
/// Wrist to finger tips. [m]
pub const HAND: f64 = 0.17;
/// Height of the root when standing with soft knees. [m]
pub const STAND_HEIGHT: f64 = ANKLE_HEIGHT + 2.0 * LEG_BONE * 0.9948 + HIP_DROP;

/// Joints by their place in the skeleton; limbs of the left side, the right side's follow.
pub mod joint {
    pub const HIPS: usize = 0;
    pub const UP_LEG: [usize; 2] = [1, 5];
    pub const LEG: [usize; 2] = [2, 6];
    pub const FOOT: [usize; 2] = [3, 7];
    pub const TOE: [usize; 2] = [4, 8];
    pub const SPINE: [usize; 3] = [9, 10, 11];
    pub const NECK: usize = 12;
    pub const HEAD: usize = 13;
    pub const SHOULDER: [usize; 2] = [14, 18];
    pub const ARM: [usize; 2] = [15, 19];
    pub const FOREARM: [usize; 2] = [16, 20];
    pub const HAND: [usize; 2] = [17, 21];
    pub const COUNT: usize = 22;
}

/// The skeleton that all sample motion is made on.
pub fn sample_skeleton() -> Arc<Skeleton> {
    let mut builder = Builder::default();
    let hips = builder.add("Hips", None, [0.0; 3], Role::Hips);
    for side in Side::BOTH {
        builder.add_leg(side, hips);
    }
    let spine = builder.add("Spine", Some(hips), [0.0, 0.07, 0.0], Role::Spine);
    let middle = builder.add_plain("Spine1", spine, [0.0, 0.12, 0.0]);
    let chest = builder.add("Spine2", Some(middle), [0.0, 0.13, 0.0], Role::Chest);
    let neck = builder.add("Neck", Some(chest), [0.0, 0.19, 0.0], Role::Neck);
    let head = builder.add("Head", Some(neck), [0.0, 0.09, 0.015], Role::Head);
    builder.end(head, [0.0, 0.19, 0.0]);
    for side in Side::BOTH {
        builder.add_arm(side, chest);
    }
    debug_assert_eq!(builder.joints.len(), joint::COUNT);
    let skeleton = Skeleton::new(builder.joints, builder.end_sites);
    Arc::new(skeleton.expect("parents come first, names are unique, numbers finite"))
}

#[derive(Default)]
struct Builder {
    joints: Vec<Joint>,
    end_sites: Vec<EndSite>,
}

impl Builder {
    fn add(
        &mut self,
        name: &str,
        parent: Option<JointId>,
        offset: [f64; 3],
        role: Role,
    ) -> JointId {
        let mut joint = Joint::new(name, parent, offset.map(|x| x as f32).into());
        joint.role = Some(role);
        self.joints.push(joint);
        JointId::from(self.joints.len() - 1)
    }

    fn add_plain(&mut self, name: &str, parent: JointId, offset: [f64; 3]) -> JointId {
        self.joints.push(Joint::new(
            name,
            Some(parent),
            offset.map(|x| x as f32).into(),
        ));
        JointId::from(self.joints.len() - 1)
    }

    fn end(&mut self, parent: JointId, offset: [f64; 3]) {
        let offset: Vec3 = offset.map(|x| x as f32).into();
        self.end_sites.push(EndSite { parent, offset });
    }

    fn add_leg(&mut self, side: Side, hips: JointId) {
        let (word, out) = (word(side), out(side));
        let hip = [out * HIP_HALF, -HIP_DROP, 0.0];
        let thigh = self.add(&format!("{word}UpLeg"), Some(hips), hip, Role::UpLeg(side));
        let bone = [0.0, -LEG_BONE, 0.0];
        let shank = self.add(&format!("{word}Leg"), Some(thigh), bone, Role::Leg(side));
        let foot = self.add(&format!("{word}Foot"), Some(shank), bone, Role::Foot(side));
        let ball = [0.0, BALL_HEIGHT - ANKLE_HEIGHT, BALL_FORWARD];
        let toe = self.add(&format!("{word}ToeBase"), Some(foot), ball, Role::Toe(side));
        self.end(toe, [0.0, 0.0, TOE_LENGTH]);
    }

    fn add_arm(&mut self, side: Side, chest: JointId) {
        let (word, out) = (word(side), out(side));
        let clavicle = [out * 0.03, 0.13, 0.01];
        let shoulder = self.add(
            &format!("{word}Shoulder"),
            Some(chest),
            clavicle,
            Role::Shoulder(side),
        );
        let along = |length: f64| [out * length, 0.0, 0.0];
        let arm = self.add(
            &format!("{word}Arm"),
            Some(shoulder),
            along(0.15),
            Role::Arm(side),
        );
        let fore = self.add(
            &format!("{word}ForeArm"),
            Some(arm),
            along(UPPER_ARM),
            Role::ForeArm(side),
        );
        let hand = self.add(
            &format!("{word}Hand"),
            Some(fore),
            along(FOREARM),
            Role::Hand(side),
        );
        self.end(hand, along(HAND));
    }
}

fn word(side: Side) -> &'static str {
    match side {
        Side::Left => "Left",
        Side::Right => "Right",
    }
}

/// +1 for the left side, which is towards +x, else −1.
pub fn out(side: Side) -> f64 {
    match side {
        Side::Left => 1.0,
        Side::Right => -1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joints_are_where_their_constants_say() {
        let skeleton = sample_skeleton();
        let name = |index: usize| skeleton.joints()[index].name.as_str();
        assert_eq!(skeleton.len(), joint::COUNT);
        assert_eq!(joint::TOE.map(name), ["LeftToeBase", "RightToeBase"]);
        assert_eq!(joint::HAND.map(name), ["LeftHand", "RightHand"]);
        assert_eq!(joint::SPINE.map(name), ["Spine", "Spine1", "Spine2"]);
        assert_eq!([name(joint::HEAD), name(joint::NECK)], ["Head", "Neck"]);
        assert_eq!(joint::FOREARM.map(name), ["LeftForeArm", "RightForeArm"]);
    }
}
