//! Figures and limbs that freeze: tracking was lost, and the file repeats the last pose.
//!
//! No body stands still to the last digit, but made motion does where it holds a pose; that comes to
//! rest, though, and a figure that was lost stops dead. So a stretch of equal poses is a fault if some
//! joint was moving just before it, or is just after. The frames are marked, with some to either side,
//! since markers drop out one by one: a figure in mid-stride that hangs in the air is not to be
//! played, nor blended with. A limb alone that repeats its rotations while the figure moves, and then
//! jumps to where it should be, is bridged from before the freeze to after the jump where that is
//! calmer, else marked. Cost: linear in frames and joints.

use std::ops::Range;

use afoot_core::{Clip, FrameRate, JointId, Range32, Role, Side, forward_kinematics};

use super::bridge::calms;
use super::flips::turn_between;
use super::{FaultKind, FaultOptions, Finding, Remedy};
use crate::series::runs;
use crate::speed::pose_repeats;

/// Turn of a joint from one frame to the next that counts as none: what rounding in text files makes
/// of a repeated rotation. [rad]
const REPEATED: f32 = 2e-4;
/// Longest frozen stretch of a limb that is bridged: about a swing. [s]
const BRIDGED: f64 = 0.3;

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
        let stops = root_stop(clip, kept.start, first, rate) > options.freeze_stop;
        let seconds = (last + 1 - first) as f64 * rate.frame_time();
        (stops || speed > options.freeze_speed).then(|| Finding {
            kind: FaultKind::Freeze,
            frames: Range32 {
                start: first.saturating_sub(beside).max(kept.start) as u32,
                end: (last + 1 + beside).min(kept.end) as u32,
            },
            joint: None,
            joints: Vec::new(),
            flips: Vec::new(),
            remedy: Remedy::Mark,
            words: format!("frozen for {seconds:.2} s, out of a motion at {speed:.1} m/s"),
            certain: true,
        })
    };
    frozen.into_iter().filter_map(finding).collect()
}

/// One finding per stretch within `kept` in which an arm or a leg is frozen, limb by limb.
pub fn find_frozen_limbs(
    clip: &Clip,
    kept: Range<usize>,
    rate: FrameRate,
    options: &FaultOptions,
) -> Vec<Finding> {
    let of_limb = |limb: Vec<JointId>| {
        let frozen = frozen_stretches(clip, &limb, &kept, rate, options);
        frozen
            .into_iter()
            .map(move |(frames, jump)| limb_finding(clip, &limb, frames, jump, rate))
            .collect::<Vec<_>>()
    };
    limbs(clip).into_iter().flat_map(of_limb).collect()
}

/// Thigh and shin, upper arm and forearm, each with what hangs on it that turns at all.
fn limbs(clip: &Clip) -> Vec<Vec<JointId>> {
    let roles = |side| {
        [
            vec![Role::UpLeg(side), Role::Leg(side), Role::Foot(side)],
            vec![Role::Arm(side), Role::ForeArm(side)],
        ]
    };
    let joints = |roles: Vec<Role>| -> Option<Vec<JointId>> {
        let joints = roles.into_iter().map(|role| clip.skeleton.with_role(role));
        joints.collect()
    };
    let all = Side::BOTH.into_iter().flat_map(roles);
    all.filter_map(joints).collect()
}

/// The stretches in which a limb repeats its rotations though the root moves, and then jumps; with
/// the speed of the jump. [frames, m/s]
fn frozen_stretches(
    clip: &Clip,
    limb: &[JointId],
    kept: &Range<usize>,
    rate: FrameRate,
    options: &FaultOptions,
) -> Vec<(Range<usize>, f32)> {
    let turn = |joint: JointId, frame: usize| {
        let at = |frame: usize| clip.rotation(frame.into(), joint);
        turn_between(at(frame), at(frame + 1))
    };
    let repeats = |step: usize| {
        let frame = kept.start + step;
        let still = limb.iter().all(|&joint| turn(joint, frame) < REPEATED);
        still && !pose_repeats(clip, frame)
    };
    let least = rate.frames_in(f64::from(options.freeze_seconds)).max(3);
    let tip = limb[limb.len() - 1];
    let jump = |frame: usize| {
        let known = frame > kept.start && frame < kept.end;
        known.then_some(()).map_or(0.0, |()| {
            let turned = limb.iter().map(|&joint| turn(joint, frame - 1));
            let reach = clip.skeleton.path_length(limb[0], tip).unwrap_or(0.0);
            turned.fold(0.0, f32::max) * reach * rate.fps() as f32
        })
    };
    runs(kept.len().saturating_sub(1), repeats)
        .into_iter()
        .filter(|run| run.len() + 1 >= least)
        .map(|run| (kept.start + run.start + 1)..(kept.start + run.end + 1))
        .map(|frozen| (jump(frozen.end).max(jump(frozen.start - 1)), frozen))
        .filter(|(speed, _)| *speed > options.freeze_jump)
        .map(|(speed, frozen)| (frozen, speed))
        .collect()
}

fn limb_finding(
    clip: &Clip,
    limb: &[JointId],
    frozen: Range<usize>,
    speed: f32,
    rate: FrameRate,
) -> Finding {
    let seconds = (frozen.len() + 1) as f64 * rate.frame_time();
    let bridged = seconds <= BRIDGED && calms(clip, &frozen, &limb[..1]);
    let name = &clip.skeleton.joint(limb[0]).name;
    Finding {
        kind: FaultKind::Freeze,
        frames: Range32 {
            start: frozen.start as u32,
            end: frozen.end as u32 + u32::from(!bridged && frozen.end < clip.len()),
        },
        joint: Some(limb[0]),
        joints: vec![limb[0]],
        flips: Vec::new(),
        remedy: match bridged {
            true => Remedy::Bridge,
            false => Remedy::Mark,
        },
        words: format!("{name} frozen for {seconds:.2} s beside a jump at {speed:.1} m/s"),
        certain: true,
    }
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
fn root_stop(clip: &Clip, start: usize, first: usize, rate: FrameRate) -> f32 {
    let frames = first.saturating_sub(1).max(start + 1)..first + 1;
    let bend = |f: usize| (clip.root[f + 1] - 2.0 * clip.root[f] + clip.root[f - 1]).length();
    let fps = rate.fps() as f32;
    frames.map(bend).fold(0.0, f32::max) * fps * fps
}

#[cfg(test)]
mod tests {
    use std::slice::from_ref;

    use super::super::fixture::{THIGH, swaying};
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

    /// Keeps a leg's rotations from one frame on over some others, as the body goes on.
    fn freeze_leg(clip: &mut Clip, from: usize, frames: Range<usize>) {
        let pose = clip.pose(from.into());
        for frame in frames {
            let leg = THIGH..THIGH + 4;
            let rotations = clip.frame_rotations_mut(frame.into());
            rotations[leg.clone()].copy_from_slice(&pose.rotations[leg]);
        }
    }

    fn limb(clip: &Clip) -> Vec<(Remedy, u32, u32)> {
        find_faults(clip, None, &FaultOptions::default())
            .iter()
            .filter(|f| f.kind == FaultKind::Freeze && f.joint == Some(JointId::from(THIGH)))
            .map(|f| (f.remedy, f.frames.start, f.frames.end))
            .collect()
    }

    #[test]
    fn a_leg_that_freezes_and_then_jumps_is_bridged_from_end_to_end() {
        let good = swaying(400, 120);
        let mut clip = good.clone();
        freeze_leg(&mut clip, 100, 101..129);
        assert_eq!(limb(&clip), [(Remedy::Bridge, 101, 129)]);
        let findings = find_faults(&clip, None, &FaultOptions::default());
        repair_faults(&mut clip, &findings);
        assert_eq!(limb(&clip), []);
        let off = |frame: usize| {
            let at = |clip: &Clip| clip.rotation(frame.into(), JointId::from(THIGH));
            turn_between(at(&clip), at(&good))
        };
        assert!((101..129).all(|frame| off(frame) < 0.05), "near the truth");
    }

    #[test]
    fn a_leg_frozen_for_long_is_marked_and_one_at_rest_is_neither() {
        let mut clip = swaying(400, 120);
        freeze_leg(&mut clip, 100, 101..180);
        assert_eq!(limb(&clip), [(Remedy::Mark, 101, 181)]);
        let mut clip = swaying(400, 120);
        freeze_leg(&mut clip, 0, 0..400);
        assert_eq!(limb(&clip), []);
    }
}
