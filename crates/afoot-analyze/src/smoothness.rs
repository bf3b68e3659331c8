//! How smooth a motion is: the fastest joint of every frame, and the one that accelerates most, in the root's frame.
//!
//! Speeds and accelerations are first and second differences of joint positions in the root joint's
//! own frame, over the frame time. Hands, fingers, toes and what hangs on them are left out, as is
//! the root, which rests in its own frame. [m/s, m/s²]. Cost: linear.

use afoot_core::{Clip, FrameId, Role, Skeleton, forward_kinematics};
use glam::{Quat, Vec3};

/// The fastest joint of every frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Smoothness {
    /// From each frame to the next. [m/s]
    pub speeds: Vec<f32>,
    /// Around each frame but the first and last. [m/s²]
    pub accelerations: Vec<f32>,
}

impl Smoothness {
    /// The same without what faulty frames take part in.
    pub(crate) fn without_faults(self, clip: &Clip) -> Self {
        let faulty = |frame: usize| {
            clip.faults
                .iter()
                .any(|fault| fault.contains(&(frame as u32)))
        };
        let keep = |values: Vec<f32>, reach: usize| -> Vec<f32> {
            let sound = |first: &usize| !(*first..=*first + reach).any(faulty);
            let kept = (0..values.len()).filter(sound);
            kept.map(|index| values[index]).collect()
        };
        Self {
            speeds: keep(self.speeds, 1),
            accelerations: keep(self.accelerations, 2),
        }
    }
}

/// Measures a clip.
pub fn measure_smoothness(clip: &Clip) -> Smoothness {
    let joints = counted_joints(&clip.skeleton);
    let frame_time = clip.rate.frame_time() as f32;
    let positions = forward_kinematics(&with_root_at_rest(clip));
    let at = |frame: usize, joint: usize| positions.frame(FrameId::from(frame))[joint];
    let largest = |length: &dyn Fn(usize) -> f32| {
        let lengths = joints.iter().map(|joint| length(*joint));
        lengths.fold(0.0, f32::max)
    };
    let speed = |f: usize| largest(&|joint| at(f, joint).distance(at(f + 1, joint)));
    let second = |f: usize, j: usize| at(f, j) - 2.0 * at(f + 1, j) + at(f + 2, j);
    let acceleration = |f: usize| largest(&|joint| second(f, joint).length());
    let (steps, bends) = (clip.len().saturating_sub(1), clip.len().saturating_sub(2));
    Smoothness {
        speeds: (0..steps).map(|f| speed(f) / frame_time).collect(),
        accelerations: (0..bends)
            .map(|f| acceleration(f) / (frame_time * frame_time))
            .collect(),
    }
}

/// The clip seen from its root. Taking the root away before the kinematics instead of after keeps
/// the differences exact far from the origin.
fn with_root_at_rest(clip: &Clip) -> Clip {
    let mut still = Clip::empty("still", clip.skeleton.clone(), clip.rate);
    still.root = vec![Vec3::ZERO; clip.len()];
    still.rotations = clip.rotations.clone();
    still.sliding = clip.sliding.clone();
    let roots = still.rotations.iter_mut().step_by(clip.joint_count());
    roots.for_each(|rotation| *rotation = Quat::IDENTITY);
    still
}

/// All joints but the root, hands, fingers, toes and what hangs on these.
fn counted_joints(skeleton: &Skeleton) -> Vec<usize> {
    let mut left_out = vec![false; skeleton.len()];
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let by_role = matches!(
            joint.role,
            Some(Role::Hand(_) | Role::Finger(_) | Role::Toe(_))
        );
        // the root rests in its own frame, but what hangs on it counts
        let by_parent = joint
            .parent
            .is_some_and(|p| p.index() > 0 && left_out[p.index()]);
        left_out[index] = index == 0 || by_role || by_parent;
    }
    (0..skeleton.len())
        .filter(|joint| !left_out[*joint])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::SourceStatistics;
    use afoot_core::{FrameRate, Joint, JointId, Side};
    use std::sync::Arc;

    /// A root with an arm of 1 m, its hand 1 m farther, that turns by `angles`, a frame each.
    fn arm(angles: &[f32], fps: u32) -> Clip {
        let joints = vec![
            Joint::new("hips", None, Vec3::ZERO),
            Joint::new("shoulder", Some(JointId(0)), Vec3::ZERO),
            Joint::new("elbow", Some(JointId(1)), Vec3::X),
            Joint::new("hand", Some(JointId(2)), Vec3::X),
            Joint::new("finger", Some(JointId(3)), Vec3::X),
        ];
        let roles = [None, None, None, Some(Role::Hand(Side::Left)), None];
        let skeleton = Skeleton::new(joints, Vec::new())
            .unwrap()
            .with_roles(&roles);
        let mut clip = Clip::empty("arm", Arc::new(skeleton), FrameRate::new(fps, 1).unwrap());
        for (frame, angle) in angles.iter().enumerate() {
            // the root tumbles, which must not show
            let tumble = Quat::from_rotation_x(0.3 * frame as f32);
            clip.root.push(Vec3::splat(frame as f32));
            clip.rotations
                .extend([tumble, Quat::from_rotation_z(*angle)]);
            clip.rotations.extend([Quat::IDENTITY; 3]);
        }
        clip
    }

    #[test]
    fn the_elbow_counts_and_the_hand_does_not() {
        let found = measure_smoothness(&arm(&[0.0, 0.0, 0.1, 0.1], 30));
        let step = 2.0 * 0.05f32.sin() * 30.0;
        let near = |a: f32, b: f32| (a - b).abs() < 2e-3;
        assert!(near(found.speeds[1], step), "{found:?}");
        assert!(
            near(found.speeds[0], 0.0) && near(found.speeds[2], 0.0),
            "{found:?}"
        );
        assert!(
            (found.accelerations[0] - step * 30.0).abs() < 0.05,
            "{found:?}"
        );
    }

    #[test]
    fn the_same_motion_at_another_rate_is_as_fast() {
        let turn = |fps: usize| -> Vec<f32> {
            (0..2 * fps)
                .map(|f| (f as f32 / fps as f32 * 3.0).sin())
                .collect()
        };
        let (slow, fast) = (
            measure_smoothness(&arm(&turn(30), 30)),
            measure_smoothness(&arm(&turn(120), 120)),
        );
        let largest = |values: &[f32]| values.iter().copied().fold(0.0, f32::max);
        let ratio = largest(&fast.speeds) / largest(&slow.speeds);
        assert!((ratio - 1.0).abs() < 0.02, "{ratio}");
        let ratio = largest(&fast.accelerations) / largest(&slow.accelerations);
        assert!((ratio - 1.0).abs() < 0.02, "{ratio}");
    }

    #[test]
    fn faults_and_single_frames_leave_the_statistics_alone() {
        let mut angles = vec![0.0; 60];
        angles[30] = 2.0;
        let mut clip = arm(&angles, 30);
        let spoilt = SourceStatistics::of_clips(&[&clip]).unwrap();
        assert!(spoilt.speed > 10.0, "{spoilt:?}");
        clip.faults.push(30..31);
        let sound = SourceStatistics::of_clips(&[&clip]).unwrap();
        assert!(sound.speed < 1e-3 && sound.frames == 57, "{sound:?}");
        assert_eq!(SourceStatistics::of_clips(&[&arm(&[0.0], 30)]), None);
        assert_eq!(SourceStatistics::of_clips(&[]), None);
    }
}
