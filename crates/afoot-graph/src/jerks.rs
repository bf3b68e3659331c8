//! Frames that jerk as nothing else in the library does.
//!
//! A limb that darts away and back within a few frames is a fault of the capture that no single clip
//! shows for sure: a kick may be as fast. Against the whole library it stands out. Whatever plays
//! such frames breaks the bar for smoothness by itself, so they are neither played nor blended.
//! Cost: one forward kinematics of every clip.

use afoot_analyze::{SourceStatistics, measure_smoothness};
use afoot_core::Clip;
use rayon::prelude::*;

/// How much more than the library's 99.9th percentile speed and acceleration may be: the quality
/// report's bar.
const MOST: f32 = 1.5;

/// For every frame of every clip, whether it jerks.
pub(crate) fn jerky_frames(clips: &[Clip]) -> Vec<Vec<bool>> {
    let borrowed: Vec<&Clip> = clips.iter().collect();
    let Some(usual) = SourceStatistics::of_clips(&borrowed) else {
        return clips.iter().map(|clip| vec![false; clip.len()]).collect();
    };
    let jerks = |clip: &Clip| {
        let own = measure_smoothness(clip);
        let mut jerky = vec![false; clip.len()];
        // A step is between two frames, a second difference around three.
        for (values, most, reach) in [
            (&own.speeds, usual.speed, 2),
            (&own.accelerations, usual.acceleration, 3),
        ] {
            let too_much = |(_, value): &(usize, &f32)| **value > MOST * most && most > 0.0;
            for (frame, _) in values.iter().enumerate().filter(too_much) {
                jerky[frame..frame + reach].fill(true);
            }
        }
        jerky
    };
    clips.par_iter().map(jerks).collect()
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
        let jerky = jerky_frames(&clips);
        assert!(!jerky[0].contains(&true));
        let found: Vec<usize> = (0..100).filter(|frame| jerky[1][*frame]).collect();
        assert_eq!(found, [38, 39, 40, 41, 42]);
    }

    #[test]
    fn what_is_usual_does_not_jerk() {
        for clips in [
            vec![swinging(50, None)],
            vec![swinging(1, None)],
            Vec::new(),
        ] {
            assert!(!jerky_frames(&clips).concat().contains(&true));
        }
    }
}
