//! Stretches that carry a label, from what is said of every frame.
//!
//! The likeliest way through the clip in which every stretch, with or without the label, lasts a least
//! time and every change costs something: exact, by dynamic programming over where stretches end. The first
//! and the last may be shorter, since what they show may go on beyond the clip. Cost: linear.

use std::ops::Range;

/// How frames are made into stretches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmoothOptions {
    /// No stretch lasts less. [s, ≥ 0]
    pub least_seconds: f64,
    /// What a change costs, as log-odds of a tenth of a second. [≥ 0]
    pub change_cost: f64,
}

impl Default for SmoothOptions {
    fn default() -> Self {
        Self {
            least_seconds: 0.25,
            change_cost: 2.0,
        }
    }
}

/// Odds of a frame count no more than this, either way. [log-odds]
const SURE: f64 = 4.0;

/// The stretches of frames that carry a label, half-open, in order.
pub fn smooth_labels(
    probabilities: &[f32],
    fps: f64,
    options: &SmoothOptions,
) -> Vec<Range<usize>> {
    let least = ((options.least_seconds * fps).round() as usize).max(1);
    // Frames of a tenth of a second say the same thing.
    let share = (10.0 / fps).min(1.0);
    let odds: Vec<f64> = probabilities.iter().map(|p| share * log_odds(*p)).collect();
    let changes = best_changes(&odds, least, options.change_cost);
    let mut stretches: Vec<Range<usize>> = Vec::new();
    for (start, end, is) in changes {
        if is {
            stretches.push(start..end);
        }
    }
    stretches
}

fn log_odds(probability: f32) -> f64 {
    let p = f64::from(probability).clamp(1e-6, 1.0 - 1e-6);
    (p / (1.0 - p)).ln().clamp(-SURE, SURE)
}

/// The best way to cut frames into stretches that carry and do not carry the label in turn.
fn best_changes(odds: &[f64], least: usize, cost: f64) -> Vec<(usize, usize, bool)> {
    let len = odds.len();
    // What frames before each say, for the label and against it.
    let mut sums = vec![[0f64; 2]; len + 1];
    for (index, odds) in odds.iter().enumerate() {
        sums[index + 1] = [sums[index][0] - 0.5 * odds, sums[index][1] + 0.5 * odds];
    }
    // best[end][side]: of all ways in which a stretch of that side ends there; where it began.
    let mut best = vec![[(f64::NEG_INFINITY, 0usize); 2]; len + 1];
    let mut entry = [(0.0, 0usize); 2]; // the best beginning so far, at the clip's start
    for end in 1..=len {
        for side in [0, 1] {
            // A beginning within the clip counts once the stretch lasts long enough, or at the end.
            let is_last = end == len;
            let from = if is_last {
                end - least.min(end)..end
            } else {
                end.saturating_sub(least)..(end + 1).saturating_sub(least)
            };
            for start in from {
                if start == 0 {
                    continue;
                }
                let value = best[start][1 - side].0 - sums[start][side] - cost;
                if value > entry[side].0 {
                    entry[side] = (value, start);
                }
            }
            let (value, start) = entry[side];
            best[end][side] = (value + sums[end][side], start);
        }
    }
    trace(&best)
}

fn trace(best: &[[(f64, usize); 2]]) -> Vec<(usize, usize, bool)> {
    let mut stretches = Vec::new();
    let mut end = best.len() - 1;
    let mut side = usize::from(best[end][1].0 > best[end][0].0);
    while end > 0 {
        let (_, start) = best[end][side];
        stretches.push((start, end, side == 1));
        (end, side) = (start, 1 - side);
    }
    stretches.reverse();
    stretches
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All ways to label a few frames, and their worth.
    fn best_of_all(odds: &[f64], least: usize, cost: f64) -> f64 {
        let len = odds.len();
        let worth = |bits: u32| -> Option<f64> {
            let label = |index: usize| bits >> index & 1 == 1;
            let mut sum = 0.0;
            let mut start = 0;
            for (index, odds) in odds.iter().enumerate() {
                sum += if label(index) { 0.5 } else { -0.5 } * odds;
                if index > 0 && label(index) != label(index - 1) {
                    sum -= cost;
                    if start > 0 && index - start < least {
                        return None;
                    }
                    start = index;
                }
            }
            Some(sum)
        };
        (0..1u32 << len)
            .filter_map(worth)
            .fold(f64::NEG_INFINITY, f64::max)
    }

    #[test]
    fn no_other_way_is_worth_more() {
        let mut random = afoot_sample_random(5);
        for step in 0..200 {
            let len = 1 + step % 12;
            let odds: Vec<f64> = (0..len).map(|_| random() * 6.0 - 3.0).collect();
            let (least, cost) = (1 + step % 4, 0.3 * (step % 5) as f64);
            let found = best_changes(&odds, least, cost);
            let mut sum = -cost * (found.len() - 1) as f64;
            for (index, (start, end, is)) in found.iter().enumerate() {
                let inner = index > 0 && index + 1 < found.len();
                assert!(!inner || end - start >= least, "{found:?}, least {least}");
                sum += odds[*start..*end].iter().sum::<f64>() * if *is { 0.5 } else { -0.5 };
            }
            let best = best_of_all(&odds, least, cost);
            assert!(
                (sum - best).abs() < 1e-9,
                "{sum} against {best}: {odds:?} {found:?}"
            );
        }
    }

    /// Numbers in 0 to 1.
    fn afoot_sample_random(mut state: u64) -> impl FnMut() -> f64 {
        move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / (1u64 << 31) as f64
        }
    }

    #[test]
    fn a_flicker_is_no_stretch_and_a_clip_may_end_in_one() {
        let mut told = vec![0.1f32; 60];
        told[20..22].fill(0.9);
        told[30..45].fill(0.9);
        told[58..].fill(0.99);
        let found = smooth_labels(&told, 30.0, &SmoothOptions::default());
        assert_eq!(found[0], 30..45);
        assert!(found.iter().all(|stretch| !stretch.contains(&20)));
        assert!(smooth_labels(&[], 30.0, &SmoothOptions::default()).is_empty());
        let one = smooth_labels(&[0.9], 30.0, &SmoothOptions::default());
        assert_eq!((one.len(), one[0].clone()), (1, 0..1));
    }
}
