//! How high the root is carried: the legs as pendulums (§6.2.1, eq. 6.1), then as far as they reach.
//!
//! A standing leg keeps the span that it was captured with, so that the hip over it is at √(l² − d²) for
//! the new distance d of its foot instead of the old one: nothing at the crossover stance, and the
//! thesis's √(l² − (S'/2)²) − √(l² − (S/2)²) at double support. What that changes is added to the captured
//! height, each standing leg counting as it bears. Last, the root is lowered where a leg would be longer
//! than it is, over some frames around, so that nothing jerks.

use glam::Vec3;

use super::swing::FootTrack;
use super::walk::Walk;
use crate::leg::REACH;
use crate::series::{averaged, largest_around, smooth_step};

/// The shares of a plant in which a leg takes over the body, and hands it on.
const TAKES_OVER: f32 = 0.3;
/// Pendulum heights are evened over this much to either side. [s]
const EVEN: f64 = 0.1;
/// Lowering begins this much before it is needed, and ends as much after. [s]
const AROUND: f64 = 0.2;

/// Where the hips of both legs are before anything is lowered, a frame each.
pub(crate) type Hips = [Vec<Vec3>; 2];

/// By how much the root is carried higher than it was captured, less where it was moved to. [m]
pub(crate) fn pendulum(walk: &Walk, tracks: &[FootTrack; 2], hips: &Hips) -> Vec<f32> {
    let frames = walk.clip.len();
    let (mut sum, mut weight) = (vec![0.0; frames], vec![0.0; frames]);
    for side in 0..2 {
        let bears = bearing(&tracks[side].planted);
        for frame in (0..frames).filter(|frame| bears[*frame] > 0.0) {
            let pose = &walk.poses[side][frame];
            let away = |hip: Vec3, ankle: Vec3| (hip - ankle).with_y(0.0).length_squared();
            let span = pose.span() * pose.span();
            let least = 0.1 * span;
            let was = (span - away(pose.hip, pose.ankle)).max(least).sqrt();
            let moved = away(hips[side][frame], tracks[side].ankle[frame]);
            let is = (span - moved).max(least).sqrt();
            sum[frame] += bears[frame] * (is - was);
            weight[frame] += bears[frame];
        }
    }
    let known = |frame: usize| (weight[frame] > 0.0).then(|| sum[frame] / weight[frame]);
    let mut heights: Vec<Option<f32>> = (0..frames).map(known).collect();
    bridge(&mut heights);
    let heights: Vec<f32> = heights.into_iter().map(Option::unwrap_or_default).collect();
    averaged(&heights, walk.clip.rate.frames_in(EVEN))
}

/// By how much the root has to be lower so that both legs reach, a frame each; at least what is needed,
/// and without kinks. [m]
pub(crate) fn lowering(
    walk: &Walk,
    tracks: &[FootTrack; 2],
    hips: &Hips,
    heights: &[f32],
) -> Vec<f32> {
    let needed = |frame: usize| {
        let over = |side: usize| {
            let span = walk.poses[side][frame].span();
            let most = (walk.legs[side].length() * REACH).max(span);
            let hip = hips[side][frame] + Vec3::Y * heights[frame];
            let away = hip - tracks[side].ankle[frame];
            let level = away.with_y(0.0).length_squared();
            let highest = (most * most - level).max(0.0).sqrt();
            (away.y - highest).max(0.0)
        };
        over(0).max(over(1))
    };
    let needed: Vec<f32> = (0..walk.clip.len()).map(needed).collect();
    if needed.iter().all(|needed| *needed < 1e-5) {
        return vec![0.0; needed.len()];
    }
    let reach = walk.clip.rate.frames_in(AROUND).max(2);
    let half = reach / 2;
    let most = largest_around(&needed, 2 * half);
    averaged(&averaged(&most, half), half)
}

/// How much a leg bears in each frame, 0 to 1: it takes over softly as it comes down, and hands on.
fn bearing(planted: &[bool]) -> Vec<f32> {
    let mut bears = vec![0.0; planted.len()];
    let mut start = 0;
    for stretch in planted.chunk_by(|a, b| a == b) {
        let frames = start..start + stretch.len();
        start = frames.end;
        if !stretch[0] {
            continue;
        }
        // A plant that the clip cuts off is borne by to the end.
        let length = stretch.len() as f32;
        for (index, frame) in frames.clone().enumerate() {
            let taken = match frames.start {
                0 => 1.0,
                _ => smooth_step((index as f32 + 1.0) / (TAKES_OVER * length + 1.0)),
            };
            let left = match frames.end == planted.len() {
                true => 1.0,
                false => smooth_step((length - index as f32) / (TAKES_OVER * length + 1.0)),
            };
            bears[frame] = taken.min(left);
        }
    }
    bears
}

/// What is not known lies evenly between what is.
fn bridge(values: &mut [Option<f32>]) {
    let known: Vec<usize> = (0..values.len()).filter(|i| values[*i].is_some()).collect();
    let (Some(first), Some(last)) = (known.first().copied(), known.last().copied()) else {
        return;
    };
    let (head, tail) = (values[first], values[last]);
    values[..first].fill(head);
    values[last + 1..].fill(tail);
    for pair in known.windows(2) {
        let (a, b) = (
            values[pair[0]].unwrap_or(0.0),
            values[pair[1]].unwrap_or(0.0),
        );
        let span = (pair[1] - pair[0]) as f32;
        for (index, value) in values[pair[0]..pair[1]].iter_mut().enumerate().skip(1) {
            *value = Some(a + (b - a) * index as f32 / span);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lowering_never_falls_short_of_what_is_needed() {
        let needed: Vec<f32> = (0..60)
            .map(|i| if i % 17 == 3 { 0.04 } else { 0.0 })
            .collect();
        let most = largest_around(&needed, 4);
        let lowered = averaged(&averaged(&most, 2), 2);
        assert!(
            needed
                .iter()
                .zip(&lowered)
                .all(|(need, got)| got + 1e-6 >= *need)
        );
        let bend = |w: &[f32]| (w[0] - 2.0 * w[1] + w[2]).abs();
        assert!(lowered.windows(3).map(bend).fold(0.0, f32::max) < 0.01);
    }

    #[test]
    fn a_leg_takes_over_and_hands_on_softly() {
        let planted: Vec<bool> = (0..40).map(|i| (10..30).contains(&i)).collect();
        let bears = bearing(&planted);
        assert_eq!((bears[9], bears[20], bears[30]), (0.0, 1.0, 0.0));
        assert!(bears[10] > 0.0 && bears[10] < 0.2 && bears[29] < 0.2);
    }
}
