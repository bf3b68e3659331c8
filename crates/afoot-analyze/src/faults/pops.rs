//! Pelvis pops: the root darts aside between two frames, less far than a leap.
//!
//! How far the root is off the middle of its neighbours, in place and in direction, is half a second
//! difference. Bodies land and turn with up to 50 m/s²; a root that is off by more than a centimetre
//! that no such landing explains, and by several times what is usual in the clip, popped. A few
//! frames around it are bridged as a whole where that is calmer, else marked; near an end of the clip
//! they are cut off. Cost: linear in frames.

use std::ops::Range;

use afoot_core::{Clip, FrameRate, JointId, Range32};
use glam::Quat;

use super::bridge::calms;
use super::{FaultKind, FaultOptions, Finding, Remedy};
use crate::series::{quantile, runs};

/// Least distance off the neighbours' middle: less is not seen. [m]
const LEAST: f32 = 0.01;
/// And least acceleration. [m/s²]
const ACCELERATION: f32 = 80.0;
/// The same of direction. [rad, rad/s²]
const LEAST_TURN: f32 = 0.09;
const TURN_ACCELERATION: f32 = 700.0;
/// How many times the clip's usual largest, its 97th percentile.
const RATIO: f32 = 6.0;
const USUAL: f64 = 0.97;

/// One finding per pop within `kept`, in order.
pub fn find_pops(
    clip: &Clip,
    kept: Range<usize>,
    rate: FrameRate,
    options: &FaultOptions,
) -> Vec<Finding> {
    if kept.len() < 3 {
        return Vec::new();
    }
    let seconds = rate.frame_time() as f32;
    let off = |least: f32, acceleration: f32, values: Vec<f32>| {
        let usual = quantile(&mut values.clone(), USUAL).unwrap_or(0.0);
        let limit = least
            .max(acceleration * seconds * seconds / 2.0)
            .max(RATIO * usual);
        values.into_iter().map(move |value| value / limit)
    };
    let places = off(LEAST, ACCELERATION, offsets(clip, &kept));
    let turns = off(LEAST_TURN, TURN_ACCELERATION, bends(clip, &kept));
    let strength: Vec<f32> = places.zip(turns).map(|(a, b)| a.max(b)).collect();
    let near = rate
        .frames_in(f64::from(options.bridge_seconds / 2.0))
        .max(1);
    let popped = |frame: usize| {
        let around = &strength[frame.saturating_sub(near)..strength.len().min(frame + near + 1)];
        around.iter().any(|&value| value >= 1.0)
    };
    runs(strength.len(), popped)
        .into_iter()
        .map(|wide| finding(clip, &kept, wide, &strength, near, options, rate))
        .collect()
}

fn finding(
    clip: &Clip,
    kept: &Range<usize>,
    wide: Range<usize>,
    strength: &[f32],
    near: usize,
    options: &FaultOptions,
    rate: FrameRate,
) -> Finding {
    // Strengths begin at the second frame.
    let first = kept.start + 1;
    let popped = |&frame: &usize| strength[frame] >= 1.0;
    let core = wide.clone().filter(popped);
    let (low, high) = core.fold((usize::MAX, 0), |(l, h), f| (l.min(f), h.max(f)));
    let narrow = first + low..first + high + 1;
    let wide = first + wide.start..(first + wide.end).min(kept.end - 1);
    let worst = (low..=high).max_by(|&a, &b| strength[a].total_cmp(&strength[b]));
    let frame = first + worst.unwrap_or(low);
    let bridged = [narrow.clone(), wide.clone()]
        .into_iter()
        .find(|frames| calms(clip, frames, &[JointId(0)]));
    let edge = rate.frames_in(f64::from(options.edge_seconds));
    let (frames, remedy) = match bridged {
        Some(frames) => (frames, Remedy::Bridge),
        None if narrow.end - kept.start <= edge => (kept.start..narrow.end + near, Remedy::Drop),
        None if kept.end - narrow.start <= edge => (narrow.start - 1..kept.end, Remedy::Drop),
        None => (wide, Remedy::Mark),
    };
    let middle = (clip.root[frame - 1] + clip.root[frame + 1]) / 2.0;
    let words = format!(
        "pelvis pops by {:.1} cm and {:.0}° in frame {frame}",
        100.0 * clip.root[frame].distance(middle),
        bend(clip, frame).to_degrees(),
    );
    Finding {
        kind: FaultKind::Pop,
        frames: Range32 {
            start: frames.start as u32,
            end: frames.end.min(kept.end) as u32,
        },
        joint: Some(JointId(0)),
        joints: vec![JointId(0)],
        flips: Vec::new(),
        remedy,
        words,
        certain: true,
    }
}

/// How far each frame of `kept` but the first and last is off the middle of its neighbours. [m]
fn offsets(clip: &Clip, kept: &Range<usize>) -> Vec<f32> {
    let root = &clip.root[kept.clone()];
    root.windows(3)
        .map(|p| p[1].distance((p[0] + p[2]) / 2.0))
        .collect()
}

/// The same of direction. [rad]
fn bends(clip: &Clip, kept: &Range<usize>) -> Vec<f32> {
    (kept.start + 1..kept.end - 1)
        .map(|frame| bend(clip, frame))
        .collect()
}

fn bend(clip: &Clip, frame: usize) -> f32 {
    let at = |frame: usize| clip.rotation(frame.into(), JointId(0));
    let step = |from: Quat, to: Quat| {
        let step = from.inverse() * to;
        if step.w < 0.0 { -step } else { step }.to_scaled_axis()
    };
    let (before, after) = (
        step(at(frame - 1), at(frame)),
        step(at(frame), at(frame + 1)),
    );
    before.distance(after) / 2.0
}

#[cfg(test)]
mod tests {
    use super::super::fixture::swaying;
    use super::super::{find_faults, repair_faults};
    use super::*;
    use afoot_core::Vec3;

    fn pops(clip: &Clip) -> Vec<(Remedy, u32, u32)> {
        find_faults(clip, None, &FaultOptions::default())
            .iter()
            .filter(|finding| finding.kind == FaultKind::Pop)
            .map(|finding| (finding.remedy, finding.frames.start, finding.frames.end))
            .collect()
    }

    #[test]
    fn a_pelvis_that_pops_aside_is_bridged_to_where_it_was() {
        let good = swaying(300, 120);
        for shift in [Vec3::new(0.03, 0.0, 0.0), Vec3::new(0.0, 0.02, 0.02)] {
            let mut clip = good.clone();
            clip.root[150] += shift;
            // The neighbours are off their middle by half as much.
            assert_eq!(pops(&clip), [(Remedy::Bridge, 149, 152)]);
            let findings = find_faults(&clip, None, &FaultOptions::default());
            repair_faults(&mut clip, &findings);
            assert!(clip.root[150].distance(good.root[150]) < 1e-3);
        }
        let mut clip = good.clone();
        let root = 150 * clip.joint_count();
        clip.rotations[root] *= Quat::from_rotation_y(0.15);
        let [(Remedy::Bridge, start, end)] = pops(&clip)[..] else {
            panic!("{:?}", pops(&clip));
        };
        assert!((start..end).contains(&150));
    }

    #[test]
    fn a_step_aside_for_good_is_spread() {
        let mut clip = swaying(300, 120);
        clip.root[150..].iter_mut().for_each(|root| root.x += 0.04);
        let [(Remedy::Bridge, start, end)] = pops(&clip)[..] else {
            panic!("{:?}", pops(&clip));
        };
        assert!(start < 150 && end > 150, "{start}..{end}");
    }

    #[test]
    fn landings_and_what_is_usual_are_no_pops() {
        assert_eq!(pops(&swaying(300, 120)), []);
        // a landing with 5 g for a tenth of a second
        let mut clip = swaying(300, 30);
        for frame in 0..300 {
            let time = (frame as f32 - 150.0) / 30.0;
            clip.root[frame].y += match time {
                t if t < 0.0 => -2.5 * t - 4.9 * t * t,
                t if t < 0.1 => -2.5 * t + 12.5 * t * t,
                _ => -0.125,
            };
        }
        assert_eq!(pops(&clip), []);
        for frames in 0..4 {
            assert_eq!(pops(&swaying(frames, 120)), []);
        }
    }
}
