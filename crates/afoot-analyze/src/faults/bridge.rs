//! Bridges over spoilt frames, and whether they are an improvement.
//!
//! Joints turn evenly from the frame before to the frame after, and the root's place goes along if
//! the root is among them. A bridge is only worth having if what it moves then accelerates less than
//! in the raw frames: where a joint hardly moved, or where honest motion leads fast across, an even
//! turn starts and stops harder than the fault did. Then the frames are better marked. Accelerations
//! are second differences of joint positions. Cost: kinematics of the stretch, twice.

use std::ops::Range;

use afoot_core::{Clip, JointId, Skeleton, Vec3, cut_clip, forward_kinematics};

/// Frames on either side that a bridge bears on.
const BESIDE: usize = 2;
/// How much harder than before a single joint may accelerate: less can't be told by eye.
const TOLERANCE: f32 = 1.1;
/// Unless it is small beside the fault.
const SMALL: f32 = 0.25;

/// Turns `joints`, with all that hangs on them, evenly over `frames`, which have a frame to either
/// side.
pub fn bridge(clip: &mut Clip, frames: &Range<usize>, joints: &[JointId]) {
    let count = clip.joint_count();
    for joint in with_children(&clip.skeleton, joints) {
        let from = clip.rotations[(frames.start - 1) * count + joint];
        let to = clip.rotations[frames.end * count + joint];
        for frame in frames.clone() {
            clip.rotations[frame * count + joint] = from.slerp(to, share(frames, frame));
        }
    }
    if joints.contains(&JointId(0)) {
        let (from, to) = (clip.root[frames.start - 1], clip.root[frames.end]);
        for frame in frames.clone() {
            clip.root[frame] = from.lerp(to, share(frames, frame));
        }
    }
}

/// Whether everything that such a bridge moves accelerates less than before.
pub fn calms(clip: &Clip, frames: &Range<usize>, joints: &[JointId]) -> bool {
    if frames.is_empty() || frames.start == 0 || frames.end >= clip.len() {
        return false;
    }
    let from = frames.start.saturating_sub(1 + BESIDE);
    let to = (frames.end + 1 + BESIDE).min(clip.len());
    let Ok(mut part) = cut_clip(clip, from as u32..to as u32) else {
        return false;
    };
    let moved = with_children(&clip.skeleton, joints);
    let before = peaks(&part, &moved);
    bridge(&mut part, &(frames.start - from..frames.end - from), joints);
    let after = peaks(&part, &moved);
    let highest = |peaks: &[f32]| peaks.iter().copied().fold(0.0, f32::max);
    let fault = highest(&before);
    let mut each = before.iter().zip(&after);
    highest(&after) < fault && each.all(|(b, &a)| a <= TOLERANCE * b || a < SMALL * fault)
}

/// The largest second difference of each joint's position. [m]
fn peaks(clip: &Clip, joints: &[usize]) -> Vec<f32> {
    let positions = forward_kinematics(clip);
    let peak = |&joint: &usize| {
        let track: Vec<Vec3> = positions.track(joint).collect();
        let bends = track
            .windows(3)
            .map(|p| (p[2] - 2.0 * p[1] + p[0]).length());
        bends.fold(0.0, f32::max)
    };
    joints.iter().map(peak).collect()
}

/// The numbers of `joints` and of all that hangs on them.
pub(super) fn with_children(skeleton: &Skeleton, joints: &[JointId]) -> Vec<usize> {
    let mut chosen = vec![false; skeleton.len()];
    joints.iter().for_each(|joint| chosen[joint.index()] = true);
    for (index, joint) in skeleton.joints().iter().enumerate() {
        chosen[index] |= joint.parent.is_some_and(|parent| chosen[parent.index()]);
    }
    (0..chosen.len()).filter(|&index| chosen[index]).collect()
}

/// How far `frame` is on the way from the frame before `frames` to the one after.
fn share(frames: &Range<usize>, frame: usize) -> f32 {
    (frame + 1 - frames.start) as f32 / (frames.len() + 1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::fixture::{ARM, swaying, turn};

    #[test]
    fn a_bridge_calms_a_flip_and_not_a_fast_swing() {
        let mut clip = swaying(200, 120);
        (100..103).for_each(|frame| turn(&mut clip, frame, ARM, 50.0));
        assert!(calms(&clip, &(100..103), &[JointId::from(ARM)]));
        // An honest swing there and back: an even turn would stop it dead.
        let mut clip = swaying(200, 120);
        for frame in 60..140 {
            let phase = (frame - 60) as f32 / 80.0 * std::f32::consts::TAU;
            turn(&mut clip, frame, ARM, 40.0 * (1.0 - phase.cos()));
        }
        assert!(!calms(&clip, &(90..110), &[JointId::from(ARM)]));
    }

    #[test]
    fn a_bridge_needs_a_frame_to_either_side() {
        let clip = swaying(20, 120);
        for frames in [0..3, 18..20, 5..5, 0..20] {
            assert!(!calms(&clip, &frames, &[JointId(0)]), "{frames:?}");
        }
    }
}
