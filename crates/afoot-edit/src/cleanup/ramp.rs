//! How a change fades with the distance from where it is whole.

/// What is left of a change `away` frames from where it is whole, if it fades over `length`, with
/// speed zero at both ends.
pub(crate) fn fade_softly(away: usize, length: usize) -> f32 {
    let left = 1.0 - (away as f32 / length.max(1) as f32).min(1.0);
    left * left * (3.0 - 2.0 * left)
}
