//! How believable a graft is, as numbers: accelerations, limbs in each other, balance, and one figure of all.

use afoot_core::{Clip, FrameId, JointId, Role, forward_kinematics};

use super::balance::balance_shift;
use super::capsules::self_penetration;

/// What a graft does to a body, against the clips it is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GraftScore {
    /// 1 for a graft that no measure tells from its sources, towards 0 as they are left behind.
    pub value: f32,
    /// The largest step of a joint in the root's frame, over the largest in base and donors.
    pub jump_ratio: f32,
    /// Deepest that limbs pass into each other. [m]
    pub penetration: f32,
    /// How much of that is beyond base and donors. [m]
    pub penetration_beyond: f32,
    /// Farthest that the centre of mass is from the base's, over ground. [m]
    pub balance_shift: f32,
    /// How far the donor was slowed down or sped up at most: 1 is as captured.
    pub hurry: f32,
}

/// What takes a score down to a third, one by one: steps half as large again, three centimetres of flesh,
/// twelve of balance, and limbs at three times their pace. [-, m, m, ln]
const SCALES: [f32; 4] = [0.5, 0.03, 0.12, 1.1];

/// Scores a graft.
pub(crate) fn score_graft(made: &Clip, base: &Clip, donors: &[&Clip], hurry: f32) -> GraftScore {
    let sources = || donors.iter().copied().chain([base]);
    let usual = sources().map(largest_step).fold(1e-6, f32::max);
    let deepest = sources().map(self_penetration).fold(0.0, f32::max);
    let penetration = self_penetration(made);
    let mut score = GraftScore {
        value: 0.0,
        jump_ratio: largest_step(made) / usual,
        penetration,
        penetration_beyond: (penetration - deepest).max(0.0),
        balance_shift: balance_shift(made, base),
        hurry,
    };
    let faults = [
        (score.jump_ratio - 1.0).max(0.0),
        score.penetration_beyond,
        score.balance_shift,
        hurry.max(1e-3).ln().abs(),
    ];
    let sum: f32 = faults
        .iter()
        .zip(SCALES)
        .map(|(fault, scale)| fault / scale)
        .sum();
    score.value = (-sum).exp();
    score
}

/// The largest step of a joint from frame to frame in the root's frame, without hands and toes. [m]
fn largest_step(clip: &Clip) -> f32 {
    let points = forward_kinematics(clip);
    let left_out = |role| matches!(role, Some(Role::Hand(_) | Role::Finger(_) | Role::Toe(_)));
    let joints = clip.skeleton.joints().iter().enumerate();
    let counted: Vec<usize> = joints
        .filter(|(_, j)| !left_out(j.role))
        .map(|(i, _)| i)
        .collect();
    let seen = |frame: usize, joint: usize| {
        let frame = FrameId::from(frame);
        let back = clip.rotation(frame, JointId(0)).inverse();
        back * (points.frame(frame)[joint] - points.frame(frame)[0])
    };
    let step = |frame: usize| {
        let far = |joint: &usize| seen(frame, *joint).distance(seen(frame + 1, *joint));
        counted.iter().map(far).fold(0.0, f32::max)
    };
    (0..clip.len().saturating_sub(1))
        .map(step)
        .fold(0.0, f32::max)
}
