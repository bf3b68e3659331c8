//! Frames that move as nothing else in the library does.
//!
//! A limb that darts away and back within a few frames is a fault of the capture that no single clip
//! shows for sure: a kick may be as fast. Against the whole library it stands out: joint speeds and
//! accelerations, in the root's frame, fall off steadily towards the rare, and a dart lies beyond
//! where that leads. Such frames are neither played nor blended. Cost: one forward kinematics of
//! every clip.

use afoot_analyze::{Smoothness, measure_smoothness};
use afoot_core::Clip;
use rayon::prelude::*;

/// For every frame of every clip, whether it is one.
pub(crate) fn outlier_frames(clips: &[Clip]) -> Vec<Vec<bool>> {
    let measured: Vec<Smoothness> = clips.par_iter().map(measure_smoothness).collect();
    let sound = |part: fn(&Smoothness) -> &Vec<f32>, reach: usize| -> Vec<f32> {
        let of_clip = |(own, clip)| sound_values(part(own), clip, reach);
        measured.iter().zip(clips).flat_map(of_clip).collect()
    };
    // A step is between two frames, a second difference around three.
    let speed = natural_limit(sound(|own| &own.speeds, 2));
    let acceleration = natural_limit(sound(|own| &own.accelerations, 3));
    let outliers = |(own, clip): (&Smoothness, &Clip)| {
        let mut found = vec![false; clip.len()];
        for (values, most, reach) in [
            (&own.speeds, speed, 2),
            (&own.accelerations, acceleration, 3),
        ] {
            let too_much = |(_, value): &(usize, &f32)| **value > most;
            for (frame, _) in values.iter().enumerate().filter(too_much) {
                found[frame..frame + reach].fill(true);
            }
        }
        found
    };
    measured.iter().zip(clips).map(outliers).collect()
}

/// The values that no faulty frame takes part in.
fn sound_values(values: &[f32], clip: &Clip, reach: usize) -> Vec<f32> {
    let faulty = |first: usize| {
        let frames = first as u32..(first + reach) as u32;
        let meets =
            |fault: &std::ops::Range<u32>| fault.start < frames.end && frames.start < fault.end;
        clip.faults.iter().any(meets)
    };
    let sound = (0..values.len()).filter(|first| !faulty(*first));
    sound.map(|first| values[first]).collect()
}

/// How much a value grows, at least and at most, from what is met once in a hundred frames to once in
/// a thousand. In captured libraries speeds grow 1.04 to 1.5 times, accelerations to 2.3, the more the
/// more faults are among them; motion as even as a pendulum has no tail to go by.
const TAIL: [f32; 2] = [1.2, 1.5];

/// What the library's motion would reach once in a hundred thousand frames, an hour: its tail from the
/// 99th to the 99.9th percentile, carried on for as many tenfolds. Infinite if nothing moves.
fn natural_limit(mut values: Vec<f32>) -> f32 {
    values.sort_by(f32::total_cmp);
    let at = |share: f64| {
        let last = values.len().checked_sub(1)?;
        Some(values[(share * last as f64).round() as usize])
    };
    match (at(0.99), at(0.999)) {
        (Some(usual), Some(rare)) if usual > 0.0 => {
            let growth = (rare / usual).clamp(TAIL[0], TAIL[1]);
            rare * growth * growth
        }
        _ => f32::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use afoot_core::{FrameRate, Joint, JointId, Quat, Skeleton, Vec3};
    use std::sync::Arc;

    /// A leg that swings, and darts aside for one frame if told to.
    fn swinging(frames: usize, dart: Option<usize>) -> Clip {
        let joints = vec![
            Joint::new("hips", None, Vec3::ZERO),
            Joint::new("thigh", Some(JointId(0)), Vec3::ZERO),
            Joint::new("shin", Some(JointId(1)), Vec3::new(0.0, -0.8, 0.0)),
        ];
        let skeleton = Arc::new(Skeleton::new(joints, Vec::new()).unwrap());
        let mut clip = Clip::empty("leg", skeleton, FrameRate::FPS_30);
        for frame in 0..frames {
            let swing = Quat::from_rotation_x(0.6 * (frame as f32 * 0.2).sin());
            let aside = if Some(frame) == dart { 0.5 } else { 0.0 };
            clip.root.push(Vec3::Y);
            clip.rotations.extend([
                Quat::IDENTITY,
                Quat::from_rotation_z(aside) * swing,
                Quat::IDENTITY,
            ]);
        }
        clip
    }

    #[test]
    fn a_dart_stands_out_against_the_library() {
        let clips = [swinging(3000, None), swinging(100, Some(40))];
        let outliers = outlier_frames(&clips);
        assert!(!outliers[0].contains(&true));
        let found: Vec<usize> = (0..100).filter(|frame| outliers[1][*frame]).collect();
        assert_eq!(found, [38, 39, 40, 41, 42]);
    }

    #[test]
    fn what_is_usual_is_none() {
        for clips in [
            vec![swinging(50, None)],
            vec![swinging(1, None)],
            Vec::new(),
        ] {
            assert!(!outlier_frames(&clips).concat().contains(&true));
        }
    }
}
