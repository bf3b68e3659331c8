//! Figures that freeze: tracking was lost, and the file repeats the last pose.
//!
//! No body stands still to the last digit, but made motion does where it holds a pose; that comes to
//! rest, though, and a figure that was lost stops dead. So a stretch of equal poses is a fault if some
//! joint was moving just before it, or is just after. The frames are marked, with some to either side,
//! since markers drop out one by one: a figure in mid-stride that hangs in the air is not to be
//! played, nor blended with. Cost: linear in frames and joints.

use std::ops::Range;

use afoot_core::{Clip, FrameRate, Range32, forward_kinematics};

use super::{FaultKind, FaultOptions, Finding, Remedy};
use crate::series::runs;
use crate::speed::pose_repeats;

/// One finding per frozen stretch within `kept`, in order.
pub fn find_freezes(
    clip: &Clip,
    kept: Range<usize>,
    rate: FrameRate,
    options: &FaultOptions,
) -> Vec<Finding> {
    let steps = kept.len().saturating_sub(1);
    let least = rate.frames_in(f64::from(options.freeze_seconds)).max(2);
    let mut frozen = runs(steps, |step| pose_repeats(clip, kept.start + step));
    frozen.retain(|run| run.len() + 1 >= least);
    let beside = rate.frames_in(f64::from(options.edge_seconds));
    let finding = |run: Range<usize>| {
        let (first, last) = (kept.start + run.start, kept.start + run.end);
        let before = (first > kept.start).then(|| speed_into(clip, first, rate));
        let after = (last + 1 < kept.end).then(|| speed_into(clip, last + 1, rate));
        let speed = before.into_iter().chain(after).fold(0.0, f32::max);
        let stops = root_stop(clip, (kept.start, first), rate) > options.freeze_stop;
        let seconds = (last + 1 - first) as f64 * rate.frame_time();
        (stops || speed > options.freeze_speed).then(|| Finding {
            kind: FaultKind::Freeze,
            frames: Range32 {
                start: first.saturating_sub(beside).max(kept.start) as u32,
                end: (last + 1 + beside).min(kept.end) as u32,
            },
            joint: None,
            flips: Vec::new(),
            remedy: Remedy::Mark,
            words: format!("frozen for {seconds:.2} s, out of a motion at {speed:.1} m/s"),
            certain: true,
        })
    };
    frozen.into_iter().filter_map(finding).collect()
}

/// Speed of the fastest joint from the frame before into a frame. [m/s]
fn speed_into(clip: &Clip, frame: usize, rate: FrameRate) -> f32 {
    let pair = (frame - 1) as u32..frame as u32 + 1;
    let Ok(pair) = afoot_core::cut_clip(clip, pair) else {
        return 0.0;
    };
    let positions = forward_kinematics(&pair);
    let [from, to] = [0, 1].map(|frame: usize| positions.frame(frame.into()));
    let steps = from.iter().zip(to).map(|(from, to)| from.distance(*to));
    steps.fold(0.0, f32::max) * rate.fps() as f32
}

/// How hard the root brakes into a frame or the one before, in which a freeze shows if the rate was
/// changed since. [m/s²]
fn root_stop(clip: &Clip, (start, first): (usize, usize), rate: FrameRate) -> f32 {
    let frames = first.saturating_sub(1).max(start + 1)..first + 1;
    let bend = |f: usize| (clip.root[f + 1] - 2.0 * clip.root[f] + clip.root[f - 1]).length();
    let fps = rate.fps() as f32;
    frames.map(bend).fold(0.0, f32::max) * fps * fps
}

#[cfg(test)]
mod tests {
    use std::slice::from_ref;

    use super::super::fixture::swaying;
    use super::super::{find_faults, repair_faults};
    use super::*;

    /// Repeats one frame's pose over others.
    fn freeze(clip: &mut Clip, from: usize, frames: Range<usize>) {
        let pose = clip.pose(from.into());
        for frame in frames {
            clip.root[frame] = pose.root;
            let rotations = clip.frame_rotations_mut(frame.into());
            rotations.copy_from_slice(&pose.rotations);
        }
    }

    fn found(clip: &Clip) -> Vec<Range<u32>> {
        let faults = find_faults(clip, None, &FaultOptions::default());
        let freezes = faults.into_iter().filter(|f| f.kind == FaultKind::Freeze);
        freezes.map(|f| f.frames.start..f.frames.end).collect()
    }

    #[test]
    fn a_lost_figure_is_marked() {
        let mut clip = swaying(120, 30);
        freeze(&mut clip, 80, 81..120);
        assert_eq!(found(&clip), from_ref(&(72..120)));
        let findings = find_faults(&clip, None, &FaultOptions::default());
        repair_faults(&mut clip, &findings);
        assert_eq!((clip.len(), &clip.faults[..]), (120, from_ref(&(72..120))));
        // in between, and found again elsewhere
        let mut clip = swaying(120, 30);
        freeze(&mut clip, 40, 41..60);
        assert_eq!(found(&clip), from_ref(&(32..68)));
    }

    #[test]
    fn a_freeze_blurred_by_another_rate_is_found() {
        let mut clip = swaying(120, 30);
        let (before, mut pose) = (clip.pose(79.into()), clip.pose(80.into()));
        pose.root = before.root.lerp(pose.root, 0.08);
        let pairs = pose.rotations.iter_mut().zip(&before.rotations);
        pairs.for_each(|(own, before)| *own = before.slerp(*own, 0.08));
        clip.root[80] = pose.root;
        clip.frame_rotations_mut(80.into())
            .copy_from_slice(&pose.rotations);
        freeze(&mut clip, 80, 81..120);
        assert!(speed_into(&clip, 80, clip.rate) < 0.25);
        assert_eq!(found(&clip), from_ref(&(72..120)));
    }

    #[test]
    fn a_pose_that_is_held_is_not() {
        let still = swaying(1, 30);
        let mut clip = still.clone();
        (0..40).for_each(|_| clip.push_pose(&still.pose(0.into())));
        assert_eq!(found(&clip), []);
        // slowing down into it
        let moving = swaying(60, 30);
        let mut clip = swaying(1, 30);
        let mut time = 0.0;
        for frame in 0..90 {
            time += (1.0 - frame as f32 / 60.0).max(0.0);
            let (at, share) = (time as usize, time.fract());
            let mut pose = moving.pose(at.into());
            let next = moving.pose((at + 1).into());
            pose.root = pose.root.lerp(next.root, share);
            let pairs = pose.rotations.iter_mut().zip(&next.rotations);
            pairs.for_each(|(own, next)| *own = own.slerp(*next, share));
            clip.push_pose(&pose);
        }
        assert_eq!(found(&clip), []);
    }

    #[test]
    fn a_frame_or_two_written_twice_are_no_freeze() {
        let mut clip = swaying(120, 30);
        freeze(&mut clip, 50, 51..52);
        assert_eq!(found(&clip), []);
    }
}
