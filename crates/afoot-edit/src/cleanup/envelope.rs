//! The smooth curve above a needed one: a running maximum, then a running mean of the same reach.
//!
//! Each mean is over maxima that all include the needed value in the middle, so the curve is never
//! below it; the Hann-shaped mean makes its speed and acceleration continuous. Cost: frames × reach.

use std::f32::consts::PI;

/// The smallest such curve for a reach of `reach` frames to either side; what is needed just outside
/// of the ends is what is needed at them.
pub fn smooth_envelope(needed: &[f32], reach: usize) -> Vec<f32> {
    if needed.iter().all(|value| *value == 0.0) {
        return needed.to_vec();
    }
    let highest = running_maximum(needed, reach);
    let weights = hann(reach);
    let last = needed.len() - 1;
    let mean = |frame: usize| {
        let at = |offset: usize| highest[(frame + offset).saturating_sub(reach).min(last)];
        weights
            .iter()
            .enumerate()
            .map(|(offset, weight)| weight * at(offset))
            .sum()
    };
    (0..needed.len()).map(mean).collect()
}

fn running_maximum(values: &[f32], reach: usize) -> Vec<f32> {
    let highest = |frame: usize| {
        let end = (frame + reach + 1).min(values.len());
        values[frame.saturating_sub(reach)..end]
            .iter()
            .fold(0.0, |a: f32, b| a.max(*b))
    };
    (0..values.len()).map(highest).collect()
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
        let curve = smooth_envelope(&needed, 6);
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
    }
}
