//! The smooth curve above a needed one: a running maximum, then a running mean of the same reach.
//!
//! Each mean is over maxima that all include the needed value in the middle, so the curve is never
//! below it; the Hann-shaped mean makes its speed and acceleration continuous. Cost: frames × reach.

use std::f32::consts::PI;
use std::ops::Range;

/// Lays some frames of the smallest such curve for a reach of `reach` frames to either side; what is
/// needed just outside of the ends is what is needed at them.
pub fn lay_envelope(curve: &mut [f32], needed: &[f32], reach: usize, frames: Range<usize>) {
    let bears = envelope_reach(&frames, reach, needed.len());
    if needed[bears].iter().all(|value| *value == 0.0) {
        curve[frames].fill(0.0);
        return;
    }
    let last = needed.len() - 1;
    let first = frames.start.saturating_sub(reach);
    let highest: Vec<f32> = (first..=(frames.end + reach).min(last))
        .map(|frame| highest_near(needed, frame, reach))
        .collect();
    let weights = hann(reach);
    for frame in frames {
        let at = |offset: usize| highest[(frame + offset).saturating_sub(reach).min(last) - first];
        let weighted = weights.iter().enumerate();
        curve[frame] = weighted.map(|(offset, weight)| weight * at(offset)).sum();
    }
}

/// The frames of a curve that what is needed in some frames bears on.
pub fn envelope_reach(frames: &Range<usize>, reach: usize, end: usize) -> Range<usize> {
    frames.start.saturating_sub(2 * reach)..(frames.end + 2 * reach).min(end)
}

fn highest_near(values: &[f32], frame: usize, reach: usize) -> f32 {
    let end = (frame + reach + 1).min(values.len());
    let near = &values[frame.saturating_sub(reach)..end];
    near.iter().fold(0.0, |a: f32, b| a.max(*b))
}

/// Weights of 2·reach + 1 frames that sum to 1.
fn hann(reach: usize) -> Vec<f32> {
    let count = 2 * reach + 1;
    let raw = |index: usize| 1.0 - (2.0 * PI * (index + 1) as f32 / (count + 1) as f32).cos();
    let sum: f32 = (0..count).map(raw).sum();
    (0..count).map(|index| raw(index) / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_envelope_is_above_and_smooth() {
        let mut needed = vec![0.0; 100];
        needed[40] = 0.03;
        needed[44] = 0.01;
        needed[99] = 0.02;
        let mut curve = vec![0.0; 100];
        lay_envelope(&mut curve, &needed, 6, 0..100);
        for (frame, (curve, needed)) in curve.iter().zip(&needed).enumerate() {
            assert!(
                *curve >= needed - 1e-6,
                "frame {frame}: {curve} under {needed}"
            );
        }
        let bend = |w: &[f32]| (w[2] - 2.0 * w[1] + w[0]).abs();
        let sharpest = curve.windows(3).map(bend).fold(0.0, f32::max);
        assert!(sharpest < 0.0025, "{sharpest}");
        assert!(curve[..28].iter().all(|v| *v == 0.0));

        // A part of it laid anew is the same.
        let whole = curve.clone();
        needed[60] = 0.02;
        lay_envelope(&mut curve, &needed, 6, envelope_reach(&(60..61), 6, 100));
        assert_ne!(curve, whole);
        let mut anew = vec![0.0; 100];
        lay_envelope(&mut anew, &needed, 6, 0..100);
        assert_eq!(curve, anew);
    }
}
