//! The same motion under two names, whatever its place, direction and performer.
//!
//! A fingerprint samples the clip at a few times and takes, of each sampled pose, some fixed sums of
//! the joints' directions in their parents' frames. The root is left out, so a clip that was shifted
//! or turned has the same print; bone lengths do not enter. Two clips are the same motion if they
//! have equally many frames and their prints agree to the rounding of text files. Weakness: a copy
//! that was trimmed or resampled is not recognised.

use afoot_core::{Clip, FrameId, Quat, Vec3};

/// Poses sampled per clip.
const SAMPLES: usize = 24;
/// Sums taken of each pose.
const SUMS: usize = 4;
/// How far two prints of one motion may differ: joints of text files are rounded to 10⁻⁵ rad, and
/// the first and last frames of two conversions differ a little.
const TOLERANCE: f32 = 2e-3;

/// What a motion looks like, in little space.
#[derive(Clone, Debug, PartialEq)]
pub struct Fingerprint {
    /// Frames of the clip.
    pub frames: u32,
    /// Joints of the skeleton.
    pub joints: u32,
    /// The sums, pose by pose.
    pub sums: Vec<f32>,
}

impl Fingerprint {
    /// The print of a clip at the rate and length it has.
    pub fn of(clip: &Clip) -> Self {
        let (frames, joints) = (clip.len(), clip.joint_count());
        let mut sums = Vec::with_capacity(SAMPLES * SUMS);
        for sample in 0..if frames == 0 { 0 } else { SAMPLES } {
            let frame = FrameId::from((frames - 1) * sample / (SAMPLES - 1));
            sums.extend(pose_sums(clip.frame_rotations(frame)));
        }
        Self {
            frames: frames as u32,
            joints: joints as u32,
            sums,
        }
    }

    /// Whether both show the same motion. A clip in which nothing moves resembles none.
    pub fn same_motion(&self, other: &Self) -> bool {
        let close = |(a, b): (&f32, &f32)| (a - b).abs() < TOLERANCE;
        self.frames == other.frames
            && self.joints == other.joints
            && self.moves()
            && self.sums.len() == other.sums.len()
            && self.sums.iter().zip(&other.sums).all(close)
    }

    fn moves(&self) -> bool {
        let poses = self.sums.chunks_exact(SUMS);
        poses.clone().zip(poses.skip(1)).any(|(a, b)| {
            a.iter()
                .zip(b)
                .any(|(a, b)| (a - b).abs() > 10.0 * TOLERANCE)
        })
    }
}

/// Sums over all joints but the root of one coordinate of a turned axis each. Both signs of a
/// quaternion give the same sums.
fn pose_sums(rotations: &[Quat]) -> [f32; SUMS] {
    let mut sums = [0.0; SUMS];
    for (index, &rotation) in rotations.iter().enumerate().skip(1) {
        let directions = [rotation * Vec3::X, rotation * Vec3::Y];
        for (sum_index, sum) in sums.iter_mut().enumerate() {
            // Spread-out weights in [-1, 1], different for every joint and sum.
            let weight = ((index * SUMS + sum_index) as f32 * 2.399).sin();
            *sum += weight * directions[sum_index % 2][(index + sum_index / 2) % 3];
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::fixture::{LEG, swaying, turn};

    fn check(a: &Clip, b: &Clip, same: bool) {
        assert_eq!(Fingerprint::of(a).same_motion(&Fingerprint::of(b)), same);
    }

    #[test]
    fn a_shifted_and_turned_copy_is_the_same_motion() {
        let clip = swaying(200, 60);
        let mut copy = clip.clone();
        copy.root
            .iter_mut()
            .for_each(|p| *p += Vec3::new(3.0, 0.1, -2.0));
        let joints = copy.joint_count();
        for rotation in copy.rotations.iter_mut().step_by(joints) {
            *rotation = -(Quat::from_rotation_y(1.0) * *rotation);
        }
        check(&clip, &copy, true);
    }

    #[test]
    fn other_motion_and_other_lengths_are_not() {
        let clip = swaying(200, 60);
        check(&clip, &swaying(199, 60), false);
        check(&clip, &swaying(200, 50), false);
        let mut other = clip.clone();
        (0..200).for_each(|frame| turn(&mut other, frame, LEG, 3.0));
        check(&clip, &other, false);
    }

    #[test]
    fn clips_in_which_nothing_moves_are_not_called_copies() {
        let mut still = swaying(50, 60);
        still.rotations.fill(Quat::IDENTITY);
        check(&still, &still, false);
        check(&swaying(0, 60), &swaying(0, 60), false);
    }
}
