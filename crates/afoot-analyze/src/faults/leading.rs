//! Frames in front of the motion: a calibration pose (T-pose), frames that were never tracked, and a first
//! pose that is repeated until tracking sets in.
//!
//! A T-pose is a first frame that differs from the second by many times more than the clip ever
//! moves, and whose root tells that it was made, not captured: no rotation at all, or the very
//! position of the next frame, or the skeleton at rest. Empty frames have every joint at rest and the
//! root at the origin, exactly. A repeated pose is one that the root leaves by a leap, not by setting
//! off. Weakness: a calibration pose that is held for several frames, or that
//! the motion itself starts in, is not seen; `drop_first` is for those.

use afoot_core::{Clip, FrameId, Range32, Vec3};

use super::flips::turn_between;
use super::{FaultKind, FaultOptions, Finding, Remedy};
use crate::speed::pose_repeats;

/// How many times the clip's usual fastest pose change the first step must be.
const T_POSE_RATIO: f32 = 4.0;
/// And how far it turns at least, as a mean over the joints. [rad]
const T_POSE_TURN: f32 = 0.05;
/// How near to rest counts as exactly at rest. [rad]
const AT_REST: f32 = 1e-4;

/// How far the root leaps out of a repeated first pose at least, [m]
const LEAST_LEAP: f32 = 0.02;
/// and how many times its next step: who sets off goes faster and faster.
const LEAP_RATIO: f32 = 2.0;

/// What to leave out at the start, as one or two findings.
pub fn find_leading(clip: &Clip, options: &FaultOptions) -> Vec<Finding> {
    match options.drop_first {
        Some(0) => Vec::new(),
        Some(count) => vec![dropped_as_told(clip, count)],
        None => find_t_pose_and_empty_frames(clip),
    }
}

/// Whether no frame shows a pose: the figure was never tracked.
pub fn is_never_tracked(clip: &Clip) -> bool {
    (0..clip.len()).all(|frame| is_empty_frame(clip, frame))
}

fn dropped_as_told(clip: &Clip, count: u32) -> Finding {
    let end = count.min(clip.len() as u32);
    finding(FaultKind::AsAsked, 0..end, "as asked".into())
}

fn find_t_pose_and_empty_frames(clip: &Clip) -> Vec<Finding> {
    // A pose in front of empty frames can't be told by its distance from the motion: what
    // comes before nothing goes with it.
    let posed = !is_empty_frame(clip, 0) && is_empty_frame(clip, 1);
    let first = usize::from(posed);
    let empty = (first..clip.len())
        .take_while(|&frame| is_empty_frame(clip, frame))
        .count();
    if first + empty == clip.len() {
        return Vec::new(); // nothing but empty frames: leave it to the importer to refuse
    }
    let mut findings = Vec::new();
    if empty > 0 && posed || empty == 0 && is_t_pose(clip) {
        let words = "T-pose".into();
        findings.push(finding(FaultKind::TPose, 0..1, words));
    }
    if empty > 0 {
        let frames = first as u32..(first + empty) as u32;
        let words = format!("{empty} empty frames before the motion");
        findings.push(finding(FaultKind::EmptyFrames, frames, words));
    }
    let first = findings.last().map_or(0, |last| last.frames.end as usize);
    findings.extend(find_held(clip, first));
    findings
}

/// A pose that is repeated, to the last digit, before the motion leaps in.
fn find_held(clip: &Clip, first: usize) -> Option<Finding> {
    let repeated = (first + 1..clip.len()).take_while(|&frame| pose_repeats(clip, frame - 1));
    let (held, moves) = (repeated.count(), first + 1);
    let moves = moves + held;
    if held == 0 || moves + 1 >= clip.len() {
        return None;
    }
    let step = |frame: usize| clip.root[frame].distance(clip.root[frame - 1]);
    let leaps = step(moves) > LEAST_LEAP && step(moves) > LEAP_RATIO * step(moves + 1);
    let words = format!(
        "{} frames repeat the first pose before the motion",
        held + 1
    );
    leaps.then(|| finding(FaultKind::Freeze, first as u32..moves as u32, words))
}

fn finding(kind: FaultKind, frames: std::ops::Range<u32>, words: String) -> Finding {
    Finding {
        kind,
        frames: Range32 {
            start: frames.start,
            end: frames.end,
        },
        joint: None,
        flips: Vec::new(),
        joints: Vec::new(),
        remedy: Remedy::Drop,
        words,
        certain: true,
    }
}

fn is_empty_frame(clip: &Clip, frame: usize) -> bool {
    frame < clip.len() && clip.root[frame] == Vec3::ZERO && rest_distance(clip, frame) < AT_REST
}

/// The farthest any joint is turned from rest. [rad]
fn rest_distance(clip: &Clip, frame: usize) -> f32 {
    let joints = clip.skeleton.joints().iter();
    joints
        .zip(clip.frame_rotations(FrameId::from(frame)))
        .map(|(joint, &rotation)| turn_between(joint.rest, rotation))
        .fold(0.0, f32::max)
}

fn is_t_pose(clip: &Clip) -> bool {
    if clip.len() < 3 {
        return false;
    }
    let mut steps: Vec<f32> = (1..clip.len()).map(|to| mean_turn(clip, to)).collect();
    let first = steps.remove(0);
    // The 90th percentile: a clip full of spikes still has an honest usual step.
    let rank = (steps.len() * 9 / 10).min(steps.len() - 1);
    let (_, usual, _) = steps.select_nth_unstable_by(rank, f32::total_cmp);
    first > T_POSE_TURN && first > T_POSE_RATIO * *usual && is_made_up(clip)
}

/// The mean turn of all joints from the frame before. [rad]
fn mean_turn(clip: &Clip, frame: usize) -> f32 {
    let before = clip.frame_rotations(FrameId::from(frame - 1));
    let after = clip.frame_rotations(FrameId::from(frame));
    let sum: f32 = before
        .iter()
        .zip(after)
        .map(|(&a, &b)| turn_between(a, b))
        .sum();
    sum / before.len() as f32
}

/// Whether frame 0 was written by a program, not captured.
fn is_made_up(clip: &Clip) -> bool {
    let root_rest = clip.skeleton.joints()[0].rest;
    let unturned = turn_between(clip.rotations[0], root_rest) < AT_REST;
    let copied = clip.root[0] == clip.root[1];
    unturned || copied || rest_distance(clip, 0) < AT_REST
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::fixture::swaying;
    use afoot_core::{Clip, Quat};

    fn check(clip: &Clip, expected: &[(FaultKind, u32, u32)]) {
        let found: Vec<_> = find_leading(clip, &FaultOptions::default())
            .iter()
            .map(|f| (f.kind, f.frames.start, f.frames.end))
            .collect();
        assert_eq!(found, expected);
    }

    /// Puts a pose in front, whose root is a copy of the next frame's.
    fn with_first(mut clip: Clip, pose: impl Fn(usize) -> Quat) -> Clip {
        clip.root.insert(0, clip.root[0]);
        let pose: Vec<Quat> = (0..clip.joint_count()).map(pose).collect();
        clip.rotations.splice(0..0, pose);
        clip
    }

    fn t_pose(joint: usize) -> Quat {
        Quat::from_rotation_x(if joint == 0 { 0.0 } else { 1.0 })
    }

    #[test]
    fn a_t_pose_is_found_and_motion_alone_is_not_one() {
        check(&swaying(200, 60), &[]);
        let clip = with_first(swaying(200, 60), t_pose);
        check(&clip, &[(FaultKind::TPose, 0, 1)]);
    }

    #[test]
    fn a_captured_jump_in_the_first_step_is_no_t_pose() {
        let mut clip = with_first(swaying(200, 60), |_| Quat::from_rotation_x(1.0));
        clip.root[0].x += 0.01;
        check(&clip, &[]);
    }

    #[test]
    fn empty_frames_are_found_with_and_without_a_t_pose_before_them() {
        let mut clip = swaying(100, 60);
        for _ in 0..7 {
            clip = with_first(clip, |_| Quat::IDENTITY);
            clip.root[0] = Vec3::ZERO;
        }
        check(&clip, &[(FaultKind::EmptyFrames, 0, 7)]);
        let clip = with_first(clip, t_pose);
        check(
            &clip,
            &[(FaultKind::TPose, 0, 1), (FaultKind::EmptyFrames, 1, 8)],
        );
    }

    #[test]
    fn a_first_pose_repeated_before_a_leap_is_left_out() {
        let held = |leap: f32| {
            let mut clip = swaying(100, 60);
            let pose = clip.pose(0.into());
            for _ in 0..5 {
                clip.root.insert(0, pose.root - Vec3::X * leap);
                clip.rotations.splice(0..0, pose.rotations.iter().copied());
            }
            clip
        };
        check(&held(0.09), &[(FaultKind::Freeze, 0, 5)]);
        check(&held(0.0), &[]);
        let clip = with_first(held(0.09), t_pose);
        check(
            &clip,
            &[(FaultKind::TPose, 0, 1), (FaultKind::Freeze, 1, 6)],
        );
    }

    #[test]
    fn a_clip_of_nothing_else_and_tiny_clips_are_left_alone() {
        let mut clip = swaying(3, 60);
        clip.root.fill(Vec3::ZERO);
        clip.rotations.fill(Quat::IDENTITY);
        check(&clip, &[]);
        assert!(is_never_tracked(&clip) && !is_never_tracked(&swaying(3, 60)));
        check(&swaying(0, 60), &[]);
        check(&swaying(1, 60), &[]);
    }

    #[test]
    fn the_number_of_frames_can_be_told() {
        let told = |count| FaultOptions {
            drop_first: Some(count),
            ..FaultOptions::default()
        };
        let clip = with_first(swaying(50, 60), t_pose);
        assert!(find_leading(&clip, &told(0)).is_empty());
        assert_eq!(find_leading(&clip, &told(5))[0].frames.end, 5);
        assert_eq!(find_leading(&clip, &told(500))[0].frames.end, 51);
    }
}
