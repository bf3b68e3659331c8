//! What a clip costs that is played by the way, only because it leads from one clip to another.
//!
//! The thesis weighs error and time (Shanbhag 2006, §4.3.2). A short way may still do what nobody asked for: squat for
//! another jump, or turn away. So jumps, and whatever is no walk, run or stand, cost more than their time, and so does
//! turning. Headings sway with each step; they are averaged over a stride first.

use afoot_core::{Clip, Locomotion, headings};

/// A second of an action that nobody asked for is as bad as so many more of going on. [s/s]
const ACTION: f64 = 4.0;
/// A radian of turning is as bad as so many seconds more: a walk turns back in about that. [s/rad]
const SECONDS_PER_RADIAN: f64 = 1.0;
/// Half of the time that headings are averaged over, which is about a stride. [s]
const HALF_STRIDE: f64 = 0.5;

/// Of each frame, what its clip costs from its start up to it. [s]
pub(super) fn costs_by_the_way(clip: &Clip) -> Vec<f64> {
    let headings = smoothed(&headings(clip), clip.rate.frames_in(HALF_STRIDE));
    let time = clip.rate.frame_time();
    let mut cost = 0.0;
    let costs = (0..clip.len()).map(|frame| {
        let turned = headings[frame] - headings[frame.saturating_sub(1)];
        let acts = matches!(
            clip.types.get(frame),
            Some(Locomotion::Jump | Locomotion::Other)
        );
        cost += turned.abs() * SECONDS_PER_RADIAN + if acts { time * ACTION } else { 0.0 };
        cost + frame as f64 * time
    });
    costs.collect()
}

/// Means of as many values on either side, at most `half`.
fn smoothed(values: &[f64], half: usize) -> Vec<f64> {
    let mean = |at: usize| {
        let half = half.min(at).min(values.len() - 1 - at);
        let around = &values[at - half..=at + half];
        around.iter().sum::<f64>() / around.len() as f64
    };
    (0..values.len()).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sway_is_averaged_and_turns_stay() {
        let sway: Vec<f64> = (0..90)
            .map(|frame| 0.1 * (f64::from(frame) * std::f64::consts::TAU / 30.0).sin())
            .collect();
        let still = smoothed(&sway, 15);
        assert!(still[20..70].iter().all(|value| value.abs() < 0.01));
        let turn: Vec<f64> = (0..90).map(|frame| 0.02 * f64::from(frame)).collect();
        let kept = smoothed(&turn, 15);
        assert!((kept[89] - kept[0] - 1.78).abs() < 1e-9);
    }
}
