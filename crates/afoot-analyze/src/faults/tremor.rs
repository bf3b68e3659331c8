//! Told apart: motion that was captured, and motion that somebody keyed.
//!
//! A captured joint trembles in every frame. A keyed curve is smooth between its keys, or holds still, and what
//! looks like a fault of capture in it (a blow within a frame, a limb that stops dead) was meant. Measured at
//! 30 frames a second on each joint that moves: the calm quarter of the fourth differences of its turning,
//! over the median of the second ones; then the median over the joints. Captures have 0.53 and
//! more (156 clips of CMU, eight of Bandai-Namco; the limit was set on them), baked animations of a game pack below 0.47 (75 of 76).
//! Weakness: a capture smoothed like a drawn curve counts as keyed; its faults are then told, not mended.

use std::ops::Range;

use afoot_core::{Clip, FrameRate, Quat, Vec3};

use super::flips::body_joints;
use crate::series::quantile;

/// Between the two kinds. [ratio]
const TREMBLING: f32 = 0.5;
/// What is looked at: tremor of a frame means less at higher rates. [frames/s]
const RATE: f64 = 30.0;
/// Joints that turn less in their largest step tell nothing. [rad]
const MOVING: f32 = 0.017;
/// Fewer frames tell nothing, [`RATE`] of them a second.
const FEWEST: usize = 10;

/// Whether a clip moves as only drawn curves do.
pub(crate) fn is_keyed(clip: &Clip, kept: Range<usize>, rate: FrameRate) -> bool {
    let step = (rate.fps() / RATE).round().max(1.0) as usize;
    let frames: Vec<usize> = kept.step_by(step).collect();
    if frames.len() < FEWEST {
        return false;
    }
    let joints = clip.joint_count();
    let tremors = body_joints(&clip.skeleton).into_iter().filter_map(|joint| {
        let at = |frame: &usize| clip.rotations[frame * joints + joint.index()];
        let turns = frames
            .windows(2)
            .map(|pair| turn(at(&pair[0]), at(&pair[1])));
        tremor(&turns.collect::<Vec<_>>())
    });
    let mut tremors: Vec<f32> = tremors.collect();
    quantile(&mut tremors, 0.5).is_some_and(|tremor| tremor < TREMBLING)
}

/// The turn from one rotation to the next, in the joint's own frame. [rad]
fn turn(from: Quat, to: Quat) -> Vec3 {
    let step = from.conjugate() * to;
    let step = if step.w < 0.0 { -step } else { step };
    2.0 * Vec3::new(step.x, step.y, step.z)
}

/// How much a joint trembles beyond what its motion asks; `None` if it hardly moves.
fn tremor(turns: &[Vec3]) -> Option<f32> {
    let moves = turns.iter().any(|turn| turn.length() > MOVING);
    let differences =
        |from: &[Vec3]| -> Vec<Vec3> { from.windows(2).map(|pair| pair[1] - pair[0]).collect() };
    let second = differences(turns);
    let fourth = differences(&differences(&second));
    if !moves {
        return None;
    }
    let lengths = |of: &[Vec3]| -> Vec<f32> { of.iter().map(|value| value.length()).collect() };
    let calm = quantile(&mut lengths(&fourth), 0.25)?;
    Some(calm / quantile(&mut lengths(&second), 0.5)?.max(1e-6))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::fixture::{ARM, LEG, swaying};
    use crate::faults::{FaultOptions, Remedy, find_faults};

    /// A figure whose arm and leg follow a drawn curve, with tremor on top. [rad]
    fn drawn(tremor: f32) -> Clip {
        let mut clip = swaying(90, 30);
        let joints = clip.joint_count();
        clip.rotations.fill(Quat::IDENTITY);
        let mut noise = 12_345_u32;
        for frame in 0..90 {
            for (joint, phase) in [(ARM, 0.0), (LEG, 1.5)] {
                noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let shake = tremor * ((noise >> 8) as f32 / (1 << 23) as f32 - 1.0);
                let angle = 0.5 * (frame as f32 / 15.0 * 3.0 + phase).sin() + shake;
                clip.rotations[frame * joints + joint] = Quat::from_rotation_x(angle);
            }
        }
        clip
    }

    #[test]
    fn drawn_curves_are_keyed_and_curves_that_tremble_are_captured() {
        assert!(is_keyed(&drawn(0.0), 0..90, FrameRate::FPS_30));
        assert!(!is_keyed(&drawn(0.01), 0..90, FrameRate::FPS_30));
    }

    #[test]
    fn a_keyed_blow_keeps_all_its_frames_and_a_captured_flip_is_mended() {
        let with_blow = |tremor| {
            let mut clip = drawn(tremor);
            let joints = clip.joint_count();
            for frame in 0..6 {
                clip.rotations[frame * joints + ARM] *= Quat::from_rotation_z(2.0);
            }
            clip
        };
        let options = FaultOptions {
            may_be_keyed: true,
            ..FaultOptions::default()
        };
        let found = |clip: &Clip| find_faults(clip, None, &options);
        let keyed = found(&with_blow(0.0));
        assert!(!keyed.is_empty());
        assert!(
            keyed.iter().all(|f| f.remedy == Remedy::None && !f.certain),
            "{keyed:?}"
        );
        let captured = found(&with_blow(0.01));
        assert!(
            captured.iter().any(|f| f.remedy == Remedy::Drop),
            "{captured:?}"
        );
    }
}
