//! Where the soles of the feet are: heel, ball and toe-tip tracks from ankle and toe joints.
//!
//! A joint rests a few centimetres above the floor and circles about the point of the sole under
//! it when the foot rolls; the sole's points are the ones that stand still. The foot's own "down"
//! is learnt from the frames in which ankle and ball are slowest (flat on the floor in nearly every
//! clip), else taken from the rest pose. Where it then points elsewhere than the pitch of the line
//! from ankle to ball says, the foot's roll is wrong, as it is in some captures, and the pitch is
//! believed. Metres, metres a second. Cost: linear in the frames. Weakness: a clip whose only slow
//! frames have the foot off the floor learns a tilted sole; more than 45° off the rest pose's is
//! not believed.

use std::ops::Range;

use afoot_core::{Clip, FrameId, JointId, Positions, Role, Side, Skeleton, pose_kinematics};
use glam::{Quat, Vec3};

/// Thickness of the sole under the ball joint, as a part of the distance from ankle to ball: about
/// 3 cm for an adult, whose ball joint rests 2.5 to 5.5 cm above the floor in captured motion.
const SOLE: f32 = 0.22;
/// How far the heel lies behind the ankle, as a part of the horizontal distance to the ball.
const HEEL_BEHIND: f32 = 0.4;
/// The speed window on either side of a frame. At 30 fps, the library's rate, one frame. [s]
const SPEED_WINDOW: f64 = 1.0 / 30.0;

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

/// The sole tracks of one foot; `None` if the skeleton has no such foot.
pub fn sole_tracks(clip: &Clip, positions: &Positions, side: Side) -> Option<SoleTracks> {
    let joints = foot_joints(&clip.skeleton, side)?;
    let ankle: Vec<Vec3> = positions.track(joints.ankle.index()).collect();
    let Some(ball_joint) = joints.ball else {
        return Some(SoleTracks {
            ball: ankle.clone(),
            heel_sole: ankle.clone(),
            ankle,
            joints,
            ball_sole: Vec::new(),
            tip_sole: Vec::new(),
            sole: 0.0,
        });
    };
    let ball: Vec<Vec3> = positions.track(ball_joint.index()).collect();
    let rotations = world_rotations(clip, joints.ankle);
    let axes = FootAxes::learn(
        clip,
        (joints.ankle, ball_joint),
        &rotations,
        (&ankle, &ball),
    );
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

/// Speed at each frame over a window of about 1/30 s to either side, cut at the clip's ends, so
/// that a clip's speeds mean the same at any rate. A track of one frame stands still. [m/s]
pub fn speeds(track: &[Vec3], frame_time: f64) -> Vec<f32> {
    let reach = ((SPEED_WINDOW / frame_time).round() as usize).max(1);
    let last = track.len().saturating_sub(1);
    let speed = |frame: usize| {
        let (from, to) = (frame.saturating_sub(reach), (frame + reach).min(last));
        let seconds = ((to - from).max(1) as f64 * frame_time) as f32;
        track[from].distance(track[to]) / seconds
    };
    (0..track.len()).map(speed).collect()
}

/// [`speeds`] of a point of the figure, except where the whole pose is repeated for up to a fifth
/// of a second, as where capture lost track: there it is the speed at which the repetition ends,
/// since nothing at all, breath included, stands still in captured motion.
pub fn point_speeds(clip: &Clip, track: &[Vec3]) -> Vec<f32> {
    let mut speed = speeds(track, clip.rate.frame_time());
    for held in repeated_poses(clip) {
        let step = |from: usize, to: usize| {
            track[from].distance(track[to]) / clip.rate.frame_time() as f32
        };
        let before = held.start.checked_sub(1).map(|f| step(f, held.start));
        let after = (held.end < track.len()).then(|| step(held.end - 1, held.end));
        let through = before.unwrap_or(0.0).max(after.unwrap_or(0.0));
        held.for_each(|frame| speed[frame] = speed[frame].max(through));
    }
    speed
}

/// Maximal runs of identical poses that last 2 frames to a fifth of a second, but not the clip.
fn repeated_poses(clip: &Clip) -> Vec<Range<usize>> {
    let same = |f: usize| {
        let (a, b) = (FrameId::from(f), FrameId::from(f + 1));
        clip.root[f] == clip.root[f + 1] && clip.frame_rotations(a) == clip.frame_rotations(b)
    };
    let mut found = runs(clip.len().saturating_sub(1), same);
    found.iter_mut().for_each(|run| run.end += 1);
    found.retain(|run| run.len() < clip.len() && run.len() <= clip.rate.frames_in(0.2));
    found
}

/// Ground speed of the root, averaged over about a quarter of a second to either side, so that the
/// bob of single steps does not show. [m/s]
pub fn root_speeds(clip: &Clip) -> Vec<f32> {
    let reach = clip.rate.frames_in(0.1).max(1);
    let last = clip.len().saturating_sub(1);
    let level = |frame: usize| clip.root[frame] * Vec3::new(1.0, 0.0, 1.0);
    let speed = |frame: usize| {
        let (from, to) = (frame.saturating_sub(reach), (frame + reach).min(last));
        let seconds = ((to - from).max(1) as f64 * clip.rate.frame_time()) as f32;
        level(from).distance(level(to)) / seconds
    };
    (0..clip.len()).map(speed).collect()
}

/// The value below which `share` of `values` lie; `None` of none. Reorders `values`.
pub(crate) fn quantile(values: &mut [f32], share: f64) -> Option<f32> {
    let last = values.len().checked_sub(1)?;
    let index = (share.clamp(0.0, 1.0) * last as f64).round() as usize;
    let (_, value, _) = values.select_nth_unstable_by(index, f32::total_cmp);
    Some(*value)
}

/// The maximal runs of frames below `frames` for which `holds`.
pub(crate) fn runs(frames: usize, holds: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = None;
    for frame in 0..=frames {
        let inside = frame < frames && holds(frame);
        match (start, inside) {
            (None, true) => start = Some(frame),
            (Some(first), false) => {
                found.push(first..frame);
                start = None;
            }
            _ => {}
        }
    }
    found
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
        (ankle, ball): (JointId, JointId),
        rotations: &[Quat],
        tracks: (&[Vec3], &[Vec3]),
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
        let slow = slow_frames(clip, tracks).into_iter().map(own_down);
        let learnt = slow.sum::<Vec3>().normalize_or(at_rest);
        let down = if learnt.dot(at_rest) > 0.7 {
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
        let heading = Vec3::new(to_ball.x, 0.0, to_ball.z).normalize_or_zero();
        let pitch = to_ball.y.atan2(to_ball.x.hypot(to_ball.z));
        let (sin, cos) = (pitch + self.drop.atan2(self.forward)).sin_cos();
        let by_pitch = heading * sin - Vec3::Y * cos;
        let down = rotation * self.down;
        // the heading of a steep foot is unsure
        if pitch.abs() < std::f32::consts::FRAC_PI_4 && down.dot(by_pitch) < 0.5 {
            let forward = heading * cos + Vec3::Y * sin;
            return Directions {
                down: by_pitch,
                forward,
            };
        }
        let forward = (to_ball - down * to_ball.dot(down)).normalize_or_zero();
        Directions { down, forward }
    }
}

/// The tenth of the frames in which ankle and ball together are slowest.
fn slow_frames(clip: &Clip, (ankle, ball): (&[Vec3], &[Vec3])) -> Vec<usize> {
    let frame_time = clip.rate.frame_time();
    let (ankle, ball) = (speeds(ankle, frame_time), speeds(ball, frame_time));
    let sum = |frame: usize| ankle[frame] + ball[frame];
    let mut frames: Vec<usize> = (0..ankle.len()).collect();
    frames.sort_by(|a, b| sum(*a).total_cmp(&sum(*b)));
    frames.truncate((frames.len() / 10).max(3));
    frames
}
