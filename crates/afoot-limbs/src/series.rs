//! Values over time: evened, spread, eased.

/// The mean over `reach` values to either side, of which the first and last go on for ever.
pub(crate) fn averaged(values: &[f32], reach: usize) -> Vec<f32> {
    let last = values.len() as isize - 1;
    let at = |index: isize| values[index.clamp(0, last) as usize];
    let reach = reach as isize;
    let mean = |index: isize| {
        let around = index - reach..=index + reach;
        around.map(at).sum::<f32>() / (2 * reach + 1) as f32
    };
    (0..=last).map(mean).collect()
}

/// The largest of `reach` values to either side.
pub(crate) fn largest_around(values: &[f32], reach: usize) -> Vec<f32> {
    let largest = |index: usize| {
        let around = index.saturating_sub(reach)..(index + reach + 1).min(values.len());
        values[around].iter().copied().fold(0.0, f32::max)
    };
    (0..values.len()).map(largest).collect()
}

/// From 0 to 1 with slopes of 0 at both ends.
pub(crate) fn smooth_step(share: f32) -> f32 {
    let share = share.clamp(0.0, 1.0);
    share * share * (3.0 - 2.0 * share)
}
