//! Single poses between frames, and blends of poses.
//!
//! Exact slerp and lerp, one pose at a time, in the coordinates the poses have: clips that are
//! apart glide when blended so; place them first, or blend steps (`relative`). Many poses at once:
//! `pose_batch`.

use glam::{Quat, Vec3};
use thiserror::Error;

use crate::clip::{Clip, Pose};
use crate::index::FrameId;

/// A time in a clip.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// May be empty, which counts as resting at the origin.
    pub clip: &'a Clip,
    /// From the first frame; times outside count as the clip's ends. [s]
    pub seconds: f64,
}

/// Why poses can't be blended.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum PoseBlendError {
    #[error(
        "pose {index} has {found} joints, the first one {expected}; blend poses of one skeleton"
    )]
    OtherSkeleton {
        index: usize,
        found: usize,
        expected: usize,
    },
    #[error("the weights add up to {0}; expected a number above 0")]
    NoWeight(f32),
}

/// The pose at any time; a clip's ends hold before and after it.
pub fn sample_pose(clip: &Clip, seconds: f64) -> Pose {
    let Some(([before, after], fraction)) = frames_around(clip, seconds) else {
        return clip.skeleton.rest_pose();
    };
    if fraction == 0.0 {
        return clip.pose(before);
    }
    let turns = clip
        .frame_rotations(before)
        .iter()
        .zip(clip.frame_rotations(after));
    Pose {
        root: clip.root[before.index()].lerp(clip.root[after.index()], fraction),
        rotations: turns
            .map(|(a, b)| a.slerp(*b, fraction).normalize())
            .collect(),
    }
}

/// From `a` at weight 0 to `b` at 1; both of one skeleton.
pub fn blend_poses(a: &Pose, b: &Pose, weight: f32) -> Pose {
    assert_eq!(
        a.rotations.len(),
        b.rotations.len(),
        "poses of one skeleton"
    );
    let turns = a.rotations.iter().zip(&b.rotations);
    Pose {
        root: a.root.lerp(b.root, weight),
        rotations: turns
            .map(|(a, b)| a.slerp(*b, weight).normalize())
            .collect(),
    }
}

/// The weighted mean of poses; weights are scaled to add up to 1.
///
/// Rotations are summed as quaternions, each with the sign nearest to the heaviest pose's, and
/// normalised: near to the mean turn as long as the poses are within about 90° of each other.
pub fn blend_many_poses(poses: &[(&Pose, f32)]) -> Result<Pose, PoseBlendError> {
    let total: f32 = poses.iter().map(|(_, weight)| weight).sum();
    let heaviest = poses.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    let Some((guide, _)) = heaviest.filter(|_| total > 0.0 && total.is_finite()) else {
        return Err(PoseBlendError::NoWeight(total));
    };
    let expected = poses[0].0.rotations.len();
    if let Some(index) = poses
        .iter()
        .position(|(pose, _)| pose.rotations.len() != expected)
    {
        let found = poses[index].0.rotations.len();
        return Err(PoseBlendError::OtherSkeleton {
            index,
            found,
            expected,
        });
    }
    let mean = |joint: usize| {
        let near = guide.rotations[joint];
        let signed = |(pose, weight): &(&Pose, f32)| {
            let turn = pose.rotations[joint];
            turn * weight.copysign(near.dot(turn) * weight.signum())
        };
        let sum = poses
            .iter()
            .map(signed)
            .fold(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), |a, b| a + b);
        if sum.length_squared() > 1e-12 {
            sum.normalize()
        } else {
            near
        }
    };
    Ok(Pose {
        root: poses
            .iter()
            .map(|(pose, weight)| pose.root * (weight / total))
            .sum::<Vec3>(),
        rotations: (0..expected).map(mean).collect(),
    })
}

/// The frames before and after a time and how far it is from the first to the second; `None` for an
/// empty clip.
pub(crate) fn frames_around(clip: &Clip, seconds: f64) -> Option<([FrameId; 2], f32)> {
    let last = clip.len().checked_sub(1)?;
    let moment = (seconds * clip.rate.fps()).max(0.0).min(last as f64);
    let before = moment as usize;
    let frames = [before, (before + 1).min(last)].map(FrameId::from);
    Some((frames, (moment - before as f64) as f32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::swinging_clip;

    fn same(a: &Pose, b: &Pose) -> bool {
        let turns = a.rotations.iter().zip(&b.rotations);
        (a.root - b.root).length() < 1e-5
            && turns.into_iter().all(|(a, b)| a.dot(*b).abs() > 1.0 - 1e-6)
    }

    #[test]
    fn on_a_frame_it_is_the_frame_and_outside_the_nearest_end() {
        let clip = swinging_clip(4);
        assert_eq!(sample_pose(&clip, 0.0), clip.pose(FrameId(0)));
        assert!(same(
            &sample_pose(&clip, 2.0 / 30.0),
            &clip.pose(FrameId(2))
        ));
        assert_eq!(sample_pose(&clip, 99.0), clip.pose(FrameId(3)));
        assert_eq!(sample_pose(&clip, f64::NAN), clip.pose(FrameId(0)));
        assert_eq!(
            sample_pose(&swinging_clip(1), 0.5),
            swinging_clip(1).pose(FrameId(0))
        );
        let empty = swinging_clip(0);
        assert_eq!(sample_pose(&empty, 0.5), empty.skeleton.rest_pose());
    }

    #[test]
    fn many_way_blends_agree_with_two_way_ones_and_with_their_parts() {
        let clip = swinging_clip(30);
        let (a, mut b) = (clip.pose(FrameId(0)), clip.pose(FrameId(9)));
        b.rotations.iter_mut().for_each(|turn| *turn = -*turn);
        assert!(same(
            &blend_many_poses(&[(&a, 3.0), (&b, 0.0)]).unwrap(),
            &a
        ));
        let half = blend_many_poses(&[(&a, 0.5), (&b, 0.5)]).unwrap();
        assert!(same(&half, &blend_poses(&a, &b, 0.5)));
        assert!(same(
            &blend_many_poses(&[(&a, 1.0), (&a, 2.0), (&a, 4.0)]).unwrap(),
            &a
        ));
    }

    #[test]
    fn impossible_blends_are_refused() {
        let clip = swinging_clip(1);
        let (pose, short) = (
            clip.pose(FrameId(0)),
            Pose {
                root: Vec3::ZERO,
                rotations: vec![],
            },
        );
        assert_eq!(blend_many_poses(&[]), Err(PoseBlendError::NoWeight(0.0)));
        assert_eq!(
            blend_many_poses(&[(&pose, 0.0)]),
            Err(PoseBlendError::NoWeight(0.0))
        );
        let mixed = blend_many_poses(&[(&pose, 1.0), (&short, 1.0)]).unwrap_err();
        assert!(mixed.to_string().contains("pose 1 has 0 joints"));
    }
}
