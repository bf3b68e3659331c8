//! How corrections fade with the distance from a plant.

/// What is left of a correction after a foot has travelled some way from where it is whole, if it
/// fades over `length`. [m]
///
/// By travel, not time: a foot that leaves slowly keeps its correction, or it would creep or twitch;
/// in a fast swing nobody sees it fade. Most goes early, so that a foot leaves the floor briskly, and
/// it ends with speed zero.
pub fn fade_by_travel(travelled: f32, length: f32) -> f32 {
    let left = 1.0 - (travelled / length.max(1e-6)).min(1.0);
    left * left
}

/// What is left of a change `away` frames from where it is whole, if it fades over `length`, with
/// speed zero at both ends.
pub(crate) fn fade_softly(away: usize, length: usize) -> f32 {
    let left = 1.0 - (away as f32 / length.max(1) as f32).min(1.0);
    left * left * (3.0 - 2.0 * left)
}
