//! How high the root is carried: the legs as pendulums (§6.2.1, eq. 6.1), then as far as they reach.
//!
//! A standing leg keeps the span that it was captured with, so that the hip over it is at √(l² − d²) for
//! the new distance d of its foot instead of the old one: nothing at the crossover stance, and the
//! thesis's √(l² − (S'/2)²) − √(l² − (S/2)²) at double support. What that changes is added to the captured
//! height, each standing leg counting as it bears. Last, the root is lowered where a leg would be longer
//! than it is, over some frames around, so that nothing jerks, and a little more where a knee would snap
//! straight: near that, a centimetre of span is ten degrees.

use afoot_core::FrameRate;
use glam::Vec3;

use super::swing::FootTrack;
use super::walk::Walk;
use crate::leg::{LegPath, REACH};
use crate::series::{averaged, largest_around, smooth_step};

/// The shares of a plant in which a leg takes over the body, and hands it on.
const TAKES_OVER: f32 = 0.3;
/// Pendulum heights are evened over this much to either side. [s]
const EVEN: f64 = 0.1;
/// Lowering begins this much before it is needed, and ends as much after. [s]
const AROUND: f64 = 0.2;

/// How much sharper than captured a knee may turn from stretching to bending.
const CALM: f32 = 1.1;
/// How often spans are shortened for that: each time half of what is left.
const CALMED: usize = 8;

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

/// By how much the root has to be lower so that both legs reach and no knee snaps straight, a frame each; at
/// least what is needed, and without kinks. [m]
pub(crate) fn lowering(
    walk: &Walk,
    tracks: &[FootTrack; 2],
    hips: &Hips,
    heights: &[f32],
) -> Vec<f32> {
    let frames = walk.clip.len();
    let mut spans = [0, 1].map(|side| {
        let longest = walk.legs[side].length() * REACH;
        let captured = walk.poses[side].iter().map(|pose| pose.span());
        captured.map(|span| longest.max(span)).collect::<Vec<f32>>()
    });
    let away = |side: usize, frame: usize| {
        hips[side][frame] + Vec3::Y * heights[frame] - tracks[side].ankle[frame]
    };
    let lowered_to = |spans: &[Vec<f32>; 2]| {
        let over = |side: usize, frame: usize| {
            let (away, most) = (away(side, frame), spans[side][frame]);
            let level = away.with_y(0.0).length_squared();
            (away.y - (most * most - level).max(0.0).sqrt()).max(0.0)
        };
        let needed = (0..frames).map(|frame| over(0, frame).max(over(1, frame)));
        without_kinks(&needed.collect::<Vec<f32>>(), walk.clip.rate)
    };
    let mut lowered = lowered_to(&spans);
    let calmest = CALM * captured_snap(walk);
    for _ in 0..CALMED {
        let mut snaps = false;
        for (side, spans) in spans.iter_mut().enumerate() {
            let span = |frame: usize| (away(side, frame) - Vec3::Y * lowered[frame]).length();
            let own: Vec<f32> = (0..frames).map(span).collect();
            snaps |= hold_knees(&walk.legs[side], &own, calmest, spans);
        }
        if !snaps {
            break;
        }
        lowered = lowered_to(&spans);
    }
    lowered
}

/// At least as much in every frame, coming and going softly.
fn without_kinks(needed: &[f32], rate: FrameRate) -> Vec<f32> {
    if needed.iter().all(|needed| *needed < 1e-5) {
        return vec![0.0; needed.len()];
    }
    let half = rate.frames_in(AROUND).max(2) / 2;
    let most = largest_around(needed, 2 * half);
    averaged(&averaged(&most, half), half)
}

/// The sharpest that a captured knee turns from stretching to bending: half of that second difference is what
/// it is straighter by than between its neighbours. [rad]
fn captured_snap(walk: &Walk) -> f32 {
    let sharpest = |side: usize| {
        let leg = &walk.legs[side];
        let knees = walk.poses[side].iter().map(|pose| leg.knee_at(pose.span()));
        snaps(&knees.collect::<Vec<f32>>()).fold(0.0, f32::max)
    };
    sharpest(0).max(sharpest(1))
}

/// Shortens the spans that a leg may have where its knee would snap straight; says whether it would anywhere.
fn hold_knees(leg: &LegPath, own: &[f32], calmest: f32, spans: &mut [f32]) -> bool {
    let knees: Vec<f32> = own.iter().map(|span| leg.knee_at(*span)).collect();
    let mut any = false;
    for (before, snap) in snaps(&knees).enumerate().filter(|(_, by)| *by > calmest) {
        let frame = before + 1;
        let held = leg.span_at(knees[frame] - 0.5 * (snap - calmest));
        spans[frame] = spans[frame].min(held);
        any = true;
    }
    any
}

/// How much straighter than half-way between its neighbours each angle is, twice; from the second on. [rad]
fn snaps(angles: &[f32]) -> impl Iterator<Item = f32> + '_ {
    angles.windows(3).map(|at| 2.0 * at[1] - at[0] - at[2])
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
        let lowered = without_kinks(&needed, FrameRate::FPS_30);
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
    fn a_knee_that_snaps_straight_is_held() {
        let skeleton = afoot_sample::sample_skeleton();
        let leg = LegPath::new(&skeleton, afoot_core::Side::Left).unwrap();
        let knees = [130f32, 145.0, 160.0, 170.0, 158.0, 150.0].map(f32::to_radians);
        let own = knees.map(|knee| leg.span_at(knee));
        assert!((leg.knee_at(own[2]) - knees[2]).abs() < 1e-3);
        let mut spans = own;
        assert!(hold_knees(&leg, &own, 0.2, &mut spans));
        assert!(spans[3] < own[3] - 1e-3);
        assert_eq!((spans[2], spans[4]), (own[2], own[4]));
        assert!(!hold_knees(&leg, &own, 0.5, &mut spans));
    }

    #[test]
    fn a_leg_takes_over_and_hands_on_softly() {
        let planted: Vec<bool> = (0..40).map(|i| (10..30).contains(&i)).collect();
        let bears = bearing(&planted);
        assert_eq!((bears[9], bears[20], bears[30]), (0.0, 1.0, 0.0));
        assert!(bears[10] > 0.0 && bears[10] < 0.2 && bears[29] < 0.2);
    }
}
