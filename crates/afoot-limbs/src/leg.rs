//! A leg in one pose: where its joints are, and its ankle taken elsewhere.
//!
//! One walk down from the root gives hip, knee, ankle and ball; the two-link solver (`afoot_edit::ik`,
//! Shanbhag 2006, §6.3) gives the rotations of hip and knee that bring the ankle to its target, in the
//! plane that the leg has, or that its knee's axis says where it is straight. Toes go with the foot.

use afoot_core::{Clip, JointId, Side, Skeleton};
use afoot_edit::ik::{Limb, LimbJoints, LimbOptions, solve_limb};
use glam::{Quat, Vec3};

/// A leg of a skeleton.
#[derive(Clone, Debug)]
pub(crate) struct LegPath {
    /// Whose.
    pub side: Side,
    /// Thigh and shank. [m]
    pub bones: (f32, f32),
    /// From the ball joint to the tip of the toes, in the ball's frame. [m]
    pub tip: Vec3,
    joints: LimbJoints,
    ball: JointId,
    has_ball: bool,
    /// From below the root down to the ball: joint, offset, and its slot if it is one of the four.
    path: Vec<(JointId, Vec3, Option<usize>)>,
}

/// A leg in the world.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LegPose {
    pub hip: Vec3,
    pub knee: Vec3,
    pub ankle: Vec3,
    pub ball: Vec3,
    /// World rotation of the foot.
    pub foot: Quat,
    /// World rotation of the toes.
    pub toes: Quat,
    hip_rotation: Quat,
    knee_rotation: Quat,
    /// Of the parents of hip, knee, ankle and ball.
    parents: [Quat; 4],
}

/// Where a foot shall be, in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FootGoal {
    pub ankle: Vec3,
    pub foot: Quat,
    pub toes: Quat,
}

/// Share of its bones' length that a leg may span unless it was captured longer: the solver eases from
/// 0.997 on.
pub(crate) const REACH: f32 = 0.996;

impl LegPath {
    /// The leg of a side, where the skeleton has one.
    pub fn new(skeleton: &Skeleton, side: Side) -> Option<Self> {
        let leg = skeleton.leg(side)?;
        let wanted = [leg.hip, leg.knee, leg.ankle, leg.ball];
        let entry = |joint: JointId| {
            let slot = wanted.iter().rposition(|wanted| *wanted == joint);
            (joint, skeleton.joint(joint).offset, slot)
        };
        let mut path: Vec<_> = skeleton.ancestors(leg.ball).map(entry).collect();
        path.pop();
        path.reverse();
        path.push(entry(leg.ball));
        Some(Self {
            side,
            bones: (
                skeleton.path_length(leg.hip, leg.knee)?,
                skeleton.path_length(leg.knee, leg.ankle)?,
            ),
            tip: toe_tip(skeleton, leg.ball),
            joints: LimbJoints::leg(skeleton, side)?,
            ball: leg.ball,
            has_ball: leg.has_ball(),
            path,
        })
    }

    /// Thigh and shank together. [m]
    pub fn length(&self) -> f32 {
        self.bones.0 + self.bones.1
    }

    /// The angle hip, knee, ankle at a span; π is straight. [m to rad]
    pub fn knee_at(&self, span: f32) -> f32 {
        let (thigh, shank) = self.bones;
        let cosine = (thigh * thigh + shank * shank - span * span) / (2.0 * thigh * shank);
        cosine.clamp(-1.0, 1.0).acos()
    }

    /// The span at an angle hip, knee, ankle. [rad to m]
    pub fn span_at(&self, knee: f32) -> f32 {
        let (thigh, shank) = self.bones;
        let square = thigh * thigh + shank * shank - 2.0 * thigh * shank * knee.cos();
        square.max(0.0).sqrt()
    }

    /// The leg of a pose given by its root and local rotations.
    pub fn place(&self, root: Vec3, local: &[Quat]) -> LegPose {
        self.walk(root, local, |_, offset| offset)
    }

    /// The leg of a clip's frame, whose joints may slide.
    pub fn of_frame(&self, clip: &Clip, frame: usize) -> LegPose {
        let local = clip.frame_rotations(frame.into());
        if clip.sliding.is_empty() {
            return self.place(clip.root[frame], local);
        }
        self.walk(clip.root[frame], local, |joint, offset| {
            let sliding = clip.sliding.iter().find(|sliding| sliding.joint == joint);
            sliding.map_or(offset, |sliding| sliding.offsets[frame])
        })
    }

    fn walk(&self, root: Vec3, local: &[Quat], offset: impl Fn(JointId, Vec3) -> Vec3) -> LegPose {
        let (mut at, mut rotation) = (root, local[0]);
        let mut found = [(Vec3::ZERO, Quat::IDENTITY, Quat::IDENTITY); 4];
        for &(joint, rest, slot) in &self.path {
            let parent = rotation;
            at += parent * offset(joint, rest);
            rotation = parent * local[joint.index()];
            if let Some(slot) = slot {
                found[slot] = (at, rotation, parent);
            }
        }
        if !self.has_ball {
            found[2] = found[3];
        }
        let [hip, knee, ankle, ball] = found;
        LegPose {
            hip: hip.0,
            knee: knee.0,
            ankle: ankle.0,
            ball: ball.0,
            foot: ankle.1,
            toes: ball.1,
            hip_rotation: hip.1,
            knee_rotation: knee.1,
            parents: [hip.2, knee.2, ankle.2, ball.2],
        }
    }

    /// Brings the ankle of a pose to its goal; says how far it is off. [m]
    pub fn reach(&self, pose: &LegPose, goal: &FootGoal, local: &mut [Quat]) -> f32 {
        let FootGoal { ankle, foot, toes } = *goal;
        let limb = Limb {
            hip: pose.hip,
            knee: pose.knee,
            ankle: pose.ankle,
            pole: pose.hip_rotation * self.joints.pole,
        };
        let solution = solve_limb(&limb, ankle, &LimbOptions::default());
        let (upper, lower) = (solution.upper, solution.lower);
        let mut set = |joint: JointId, parent: Quat, world: Quat| {
            local[joint.index()] = (parent.inverse() * world).normalize();
        };
        set(
            self.joints.upper,
            pose.parents[0],
            upper * pose.hip_rotation,
        );
        set(
            self.joints.lower,
            upper * pose.parents[1],
            lower * pose.knee_rotation,
        );
        set(self.joints.end, lower * pose.parents[2], foot);
        if self.has_ball {
            let turned = foot * pose.foot.inverse();
            set(self.ball, turned * pose.parents[3], toes);
        }
        solution.ankle.distance(ankle)
    }
}

impl LegPose {
    /// Whether the foot is at its goal already, to a thirtieth of a millimetre.
    pub fn is_at(&self, goal: &FootGoal) -> bool {
        let same = |a: Quat, b: Quat| a.dot(b).abs() > (1.0 - 1e-7) * a.length() * b.length();
        self.ankle.distance_squared(goal.ankle) < 1e-9
            && same(self.foot, goal.foot)
            && same(self.toes, goal.toes)
    }

    /// The same leg elsewhere.
    pub fn shifted(mut self, by: Vec3) -> Self {
        for joint in [
            &mut self.hip,
            &mut self.knee,
            &mut self.ankle,
            &mut self.ball,
        ] {
            *joint += by;
        }
        self
    }

    /// From hip to ankle. [m]
    pub fn span(&self) -> f32 {
        self.hip.distance(self.ankle)
    }
}

/// The end site or the next joint beyond the ball, in the ball's frame; a third of the foot where there
/// is neither.
fn toe_tip(skeleton: &Skeleton, ball: JointId) -> Vec3 {
    let site = skeleton.end_sites().iter().find(|site| site.parent == ball);
    let child = || skeleton.children(ball).next();
    site.map(|site| site.offset)
        .or_else(|| child().map(|joint| skeleton.joint(joint).offset))
        .filter(|tip| tip.length() > 1e-3)
        .unwrap_or_else(|| Vec3::Z * (skeleton.joint(ball).offset.length() / 3.0))
}

/// Both legs, where there are both.
pub(crate) fn legs_of(skeleton: &Skeleton) -> Option<[LegPath; 2]> {
    let [left, right] = Side::BOTH.map(|side| LegPath::new(skeleton, side));
    Some([left?, right?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use afoot_core::pose_kinematics;
    use afoot_sample::{SampleOptions, sample_library};

    #[test]
    fn a_leg_is_where_forward_kinematics_says_and_goes_where_it_is_told() {
        let walk = &sample_library(&SampleOptions::default())[1];
        for leg in legs_of(&walk.skeleton).unwrap() {
            let frame = walk.len() / 2;
            let mut local = walk.frame_rotations(frame.into()).to_vec();
            let root = walk.root[frame];
            let pose = leg.place(root, &local);
            let joints = walk.skeleton.leg(leg.side).unwrap();
            let (_, points) = pose_kinematics(&walk.skeleton, root, &local);
            assert!(points[joints.knee.index()].distance(pose.knee) < 1e-5);
            assert!(points[joints.ball.index()].distance(pose.ball) < 1e-5);
            let target = pose.ankle + Vec3::new(0.02, 0.05, -0.03);
            let turned = Quat::from_rotation_x(0.2) * pose.foot;
            let goal = FootGoal {
                ankle: target,
                foot: turned,
                toes: pose.toes,
            };
            assert!(!pose.is_at(&goal));
            assert!(leg.reach(&pose, &goal, &mut local) < 1e-4);
            let reached = leg.place(root, &local);
            assert!(
                reached.ankle.distance(target) < 1e-4
                    && reached.toes.angle_between(goal.toes) < 1e-3
            );
            assert!(pose.is_at(&FootGoal {
                ankle: pose.ankle,
                foot: pose.foot,
                toes: pose.toes
            }));
            let (rotations, points) = pose_kinematics(&walk.skeleton, root, &local);
            assert!(points[joints.ankle.index()].distance(target) < 1e-4);
            assert!(rotations[joints.ankle.index()].angle_between(turned) < 1e-3);
        }
    }
}
