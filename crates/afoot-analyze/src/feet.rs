//! Where the soles of the feet are: heel, ball and toe-tip tracks from ankle and toe joints.
//!
//! A joint rests a few centimetres above the floor and circles about the point of the sole under
//! it when the foot rolls; the sole's points are the ones that stand still. The foot's own "down"
//! is learnt from the frames in which ankle and ball are slowest (flat on the floor in nearly every
//! clip), else taken from the rest pose. Metres, metres a second. Cost: linear in the frames.
//! Weakness: a clip whose only slow frames have the foot off the floor learns a tilted sole; more
//! than 45° off the rest pose's is not believed.

use afoot_core::{Clip, FrameId, JointId, Positions, Role, Side, Skeleton, pose_kinematics};
use glam::{Quat, Vec3};

use crate::series::median_point;
use crate::speed::speeds;

/// Thickness of the sole under the ball joint, as a part of the distance from ankle to ball: about
/// 3 cm for an adult, whose ball joint rests 2.5 to 5.5 cm above the floor in captured motion.
const SOLE: f32 = 0.22;
/// How far the heel lies behind the ankle, as a part of the horizontal distance to the ball: about
/// 5 cm to 13 cm for an adult.
const HEEL_BEHIND: f32 = 0.4;

/// The joints of one foot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FootJoints {
    /// The joint at the ankle.
    pub ankle: JointId,
    /// The joint at the ball, where the skeleton has one.
    pub ball: Option<JointId>,
    /// The toe tip among the points of [`Positions`]: a joint or an end site beyond the ball.
    pub tip: Option<usize>,
}

/// The foot of that side, found by its roles; `None` if the skeleton has no ankle there.
pub fn foot_joints(skeleton: &Skeleton, side: Side) -> Option<FootJoints> {
    let ankle = skeleton.with_role(Role::Foot(side))?;
    let ball = skeleton.with_role(Role::Toe(side));
    let tip = ball.and_then(|_| skeleton.toe_tip(side));
    Some(FootJoints { ankle, ball, tip })
}

/// The sole of one foot over time.
#[derive(Clone, Debug)]
pub struct SoleTracks {
    /// The joints it was made from.
    pub joints: FootJoints,
    /// The ankle joint, a position per frame.
    pub ankle: Vec<Vec3>,
    /// The ball joint (the ankle where there is none), a position per frame.
    pub ball: Vec<Vec3>,
    /// Back of the heel, on the sole.
    pub heel_sole: Vec<Vec3>,
    /// Under the ball; empty without a ball joint.
    pub ball_sole: Vec<Vec3>,
    /// Under the toe tip; empty without one.
    pub tip_sole: Vec<Vec3>,
    /// Distance of the ball's sole point under the ball joint with the foot flat. [m]
    pub sole: f32,
}

impl SoleTracks {
    /// Whether heel and ball are at one height to `tolerance`, a frame each; without a ball joint
    /// they always are. [m]
    pub fn flat_frames(&self, tolerance: f32) -> Vec<bool> {
        if self.ball_sole.is_empty() {
            return vec![true; self.ankle.len()];
        }
        let pairs = self.heel_sole.iter().zip(&self.ball_sole);
        pairs
            .map(|(heel, ball)| (heel.y - ball.y).abs() < tolerance)
            .collect()
    }

    /// A foot without a ball joint: the ankle is all there is.
    fn of_ankle(joints: FootJoints, ankle: Vec<Vec3>) -> Self {
        Self {
            joints,
            ball: ankle.clone(),
            heel_sole: ankle.clone(),
            ankle,
            ball_sole: Vec::new(),
            tip_sole: Vec::new(),
            sole: 0.0,
        }
    }
}

/// The sole tracks of one foot; `None` if the skeleton has no such foot.
pub fn sole_tracks(clip: &Clip, positions: &Positions, side: Side) -> Option<SoleTracks> {
    let joints = foot_joints(&clip.skeleton, side)?;
    let ankle: Vec<Vec3> = positions.track(joints.ankle.index()).collect();
    let Some(ball_joint) = joints.ball else {
        return Some(SoleTracks::of_ankle(joints, ankle));
    };
    let ball: Vec<Vec3> = positions.track(ball_joint.index()).collect();
    let rotations = world_rotations(clip, joints.ankle);
    let axes = FootAxes::learn(clip, joints.ankle, ball_joint, &rotations, [&ankle, &ball]);
    let at = |frame: usize| axes.at(ball[frame] - ankle[frame], rotations[frame]);
    let feet: Vec<Directions> = (0..clip.len()).map(at).collect();
    let sole = SOLE * axes.forward;
    let under = |track: &[Vec3]| -> Vec<Vec3> {
        let pairs = track.iter().zip(&feet);
        pairs.map(|(p, foot)| *p + foot.down * sole).collect()
    };
    let heel = |(p, foot): (&Vec3, &Directions)| {
        *p + foot.down * (axes.drop + sole) - foot.forward * (HEEL_BEHIND * axes.forward)
    };
    let tip: Vec<Vec3> = joints
        .tip
        .map_or(Vec::new(), |tip| positions.track(tip).collect());
    Some(SoleTracks {
        heel_sole: ankle.iter().zip(&feet).map(heel).collect(),
        ball_sole: under(&ball),
        tip_sole: under(&tip),
        ankle,
        ball,
        joints,
        sole,
    })
}

/// World rotations of one joint, a frame each.
fn world_rotations(clip: &Clip, joint: JointId) -> Vec<Quat> {
    let mut chain = vec![joint];
    while let Some(parent) = clip.skeleton.joint(chain[chain.len() - 1]).parent {
        chain.push(parent);
    }
    let at = |frame: usize| {
        let local = clip.frame_rotations(FrameId::from(frame));
        let product = |sum: Quat, joint: &JointId| local[joint.index()] * sum;
        chain.iter().fold(Quat::IDENTITY, product)
    };
    (0..clip.len()).map(at).collect()
}

/// A foot's directions at one frame, in the world; unit length.
struct Directions {
    /// To the floor when it is flat.
    down: Vec3,
    /// Along the floor when it is flat.
    forward: Vec3,
}

/// The foot's shape.
struct FootAxes {
    /// To the floor when the foot is flat, in the ankle joint's frame; unit length.
    down: Vec3,
    /// From ankle to ball along the floor when it is flat. [m]
    forward: f32,
    /// Height of the ankle over the ball when it is flat. [m]
    drop: f32,
}

impl FootAxes {
    fn learn(
        clip: &Clip,
        ankle: JointId,
        ball: JointId,
        rotations: &[Quat],
        [ankle_track, ball_track]: [&[Vec3]; 2],
    ) -> Self {
        let rest: Vec<Quat> = clip
            .skeleton
            .joints()
            .iter()
            .map(|joint| joint.rest)
            .collect();
        let (resting, _) = pose_kinematics(&clip.skeleton, Vec3::ZERO, &rest);
        let at_rest = resting[ankle.index()].inverse() * Vec3::NEG_Y;
        let own_down = |frame: usize| rotations[frame].inverse() * Vec3::NEG_Y;
        let slow = slow_frames(clip, ankle_track, ball_track)
            .into_iter()
            .map(own_down);
        // the median, since a foot may also be held up still
        let learnt = median_point(slow).unwrap_or(at_rest).normalize_or(at_rest);
        let down = if learnt.dot(at_rest) > std::f32::consts::FRAC_1_SQRT_2 {
            learnt
        } else {
            at_rest
        };
        let to_ball = clip.skeleton.joint(ball).offset;
        let drop = to_ball.dot(down);
        Self {
            down,
            forward: (to_ball - down * drop).length(),
            drop,
        }
    }

    fn at(&self, to_ball: Vec3, rotation: Quat) -> Directions {
        let down = rotation * self.down;
        let forward = (to_ball - down * to_ball.dot(down)).normalize_or_zero();
        Directions { down, forward }
    }
}

/// The tenth of the frames in which ankle and ball together are slowest.
fn slow_frames(clip: &Clip, ankle: &[Vec3], ball: &[Vec3]) -> Vec<usize> {
    let frame_time = clip.rate.frame_time();
    let (ankle, ball) = (speeds(ankle, frame_time), speeds(ball, frame_time));
    let sum = |frame: usize| ankle[frame] + ball[frame];
    let mut frames: Vec<usize> = (0..ankle.len()).collect();
    frames.sort_by(|a, b| sum(*a).total_cmp(&sum(*b)));
    frames.truncate((frames.len() / 10).max(3));
    frames
}
