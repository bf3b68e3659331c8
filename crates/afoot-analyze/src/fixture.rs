//! A figure for tests whose feet go exactly where a script says.
//!
//! The ankles hang on the root with offsets that slide, so that a foot's path needs no leg.

use std::sync::Arc;

use afoot_core::{
    Clip, EndSite, FrameRate, Joint, JointId, Quat, Role, Side, Skeleton, SlidingJoint, Vec3,
};

use crate::gait::Token;

/// Height of the ankle joint above the ball joint with the foot flat. [m]
pub const ANKLE_ABOVE_BALL: f32 = 0.05;

/// Where a foot is: the ball joint, and how far the heel is raised.
#[derive(Clone, Copy, Debug)]
pub struct FootAt {
    pub ball: Vec3,
    /// Turn about the ball joint. [rad]
    pub heel_up: f32,
}

pub fn flat(x: f32, y: f32, z: f32) -> FootAt {
    FootAt {
        ball: Vec3::new(x, y, z),
        heel_up: 0.0,
    }
}

/// A figure with feet (and toes, if so) but without knees.
pub fn skeleton(toes: bool) -> Skeleton {
    let mut joints = vec![Joint::new("hips", None, Vec3::ZERO)];
    let mut sites = Vec::new();
    let mut roles = vec![Some(Role::Hips)];
    for (side, word) in Side::BOTH.into_iter().zip(["left", "right"]) {
        let hips = Some(JointId(0));
        let ankle = JointId::from(joints.len());
        joints.push(Joint::new(format!("{word} foot"), hips, Vec3::NEG_Y));
        roles.push(Some(Role::Foot(side)));
        if toes {
            let to_ball = Vec3::new(0.0, -ANKLE_ABOVE_BALL, 0.12);
            let ball = JointId::from(joints.len());
            joints.push(Joint::new(format!("{word} toe"), Some(ankle), to_ball));
            roles.push(Some(Role::Toe(side)));
            let offset = Vec3::new(0.0, 0.0, 0.06);
            sites.push(EndSite {
                parent: ball,
                offset,
            });
        }
    }
    Skeleton::new(joints, sites).unwrap().with_roles(&roles)
}

/// The clip in which root and feet (left, right) are where `script` puts them at each time. [s]
pub fn scripted((seconds, fps): (f64, u32), script: impl Fn(f64) -> (Vec3, [FootAt; 2])) -> Clip {
    scripted_on(skeleton(true), (seconds, fps), script)
}

pub fn scripted_on(
    skeleton: Skeleton,
    (seconds, fps): (f64, u32),
    script: impl Fn(f64) -> (Vec3, [FootAt; 2]),
) -> Clip {
    let skeleton = Arc::new(skeleton);
    let rate = FrameRate::new(fps, 1).unwrap();
    let mut clip = Clip::empty("scripted", skeleton.clone(), rate);
    let ankles = Side::BOTH.map(|side| skeleton.with_role(Role::Foot(side)).unwrap());
    let mut offsets = [Vec::new(), Vec::new()];
    for frame in 0..rate.frames_in(seconds) {
        let (root, feet) = script(frame as f64 / f64::from(fps));
        let mut rotations = vec![Quat::IDENTITY; skeleton.len()];
        for (side, foot) in Side::BOTH.into_iter().zip(feet) {
            let turn = Quat::from_rotation_x(foot.heel_up);
            let to_ankle = Vec3::new(0.0, ANKLE_ABOVE_BALL, -0.12);
            offsets[side.index()].push(foot.ball + turn * to_ankle - root);
            rotations[ankles[side.index()].index()] = turn;
        }
        clip.root.push(root);
        clip.rotations.extend(rotations);
    }
    for (joint, offsets) in ankles.into_iter().zip(offsets) {
        clip.sliding.push(SlidingJoint { joint, offsets });
    }
    clip.check().unwrap();
    clip
}

/// A walk along z on a floor whose height is `floor(x, z)`, from standing with both feet at z = 0:
/// the feet are planted `stance` seconds, move `stride` metres in `swing` seconds, and take turns.
pub fn walk(
    (seconds, fps): (f64, u32),
    floor: impl Fn(f32, f32) -> f32,
    (stance, swing, stride): (f64, f64, f32),
) -> Clip {
    let cycle = stance + swing;
    let foot = |time: f64, x: f32, late: f64| {
        let phase = (time + late).rem_euclid(cycle);
        let steps = ((time + late) / cycle).floor() as f32;
        let share = ((phase - stance) / swing).clamp(0.0, 1.0) as f32;
        let eased = share * share * (3.0 - 2.0 * share);
        let z = (steps + eased) * stride;
        let lift = 0.4 * share * (1.0 - share);
        flat(x, floor(x, z) + lift, z)
    };
    scripted((seconds, fps), |time| {
        let feet = [foot(time, 0.1, 0.0), foot(time, -0.1, cycle / 2.0)];
        let phase = (time - stance / 2.0) / cycle;
        let z = phase as f32 * stride;
        // over each foot in the middle of its stance, with the sway that puts the pressure there
        let x = 0.02 * (std::f64::consts::TAU * phase).cos() as f32;
        let along = (0..=20).map(|part| z + stride * (part as f32 / 20.0 - 0.5));
        let level = along.map(|z| floor(0.0, z)).sum::<f32>() / 21.0;
        (Vec3::new(x, level + 0.95, z), feet)
    })
}

/// White noise from a counter, within ±1, the same in every run.
pub fn noise(counter: usize) -> f32 {
    let mut bits = (counter as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits ^= bits >> 29;
    bits = bits.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits ^= bits >> 32;
    (bits & 0xffff) as f32 / 32768.0 - 1.0
}

/// Shakes both ankles by up to `size` in each direction. [m]
pub fn shake(clip: &mut Clip, size: f32) {
    for (index, sliding) in clip.sliding.iter_mut().enumerate() {
        for (frame, offset) in sliding.offsets.iter_mut().enumerate() {
            let part = |axis: usize| size * noise(6 * frame + 3 * index + axis);
            *offset += Vec3::new(part(0), part(1), part(2));
        }
    }
}

/// What bears at each frame, written like "B30 N12": left, right, both or none, and for how many frames.
pub fn tokens(words: &str) -> Vec<Token> {
    let spread = |word: &str| {
        let token = match &word[..1] {
            "L" => Token::Left,
            "R" => Token::Right,
            "B" => Token::Both,
            _ => Token::None,
        };
        vec![token; word[1..].parse().unwrap()]
    };
    words.split(' ').flat_map(spread).collect()
}
