//! How fast points move, seen over a thirtieth of a second whatever the rate: between closer frames
//! mostly noise would be seen.

use glam::Vec3;

/// What is looked at to tell a speed. [s]
pub const GLANCE: f32 = 1.0 / 30.0;

/// A point's velocity at a time, which may lie between frames. [m/s]
pub fn velocity(track: &[Vec3], at: f32, fps: f32) -> Vec3 {
    let last = track.len().saturating_sub(1) as f32;
    let half = 0.5 * GLANCE * fps;
    let (from, to) = ((at - half).max(0.0), (at + half).min(last));
    match to > from {
        true => (place(track, to) - place(track, from)) * (fps / (to - from)),
        false => Vec3::ZERO,
    }
}

/// Its speed from a frame to the next. [m/s]
pub fn step_speed(track: &[Vec3], frame: usize, fps: f32) -> f32 {
    velocity(track, frame as f32 + 0.5, fps).length()
}

fn place(track: &[Vec3], at: f32) -> Vec3 {
    let before = at as usize;
    let after = (before + 1).min(track.len() - 1);
    track[before].lerp(track[after], at - before as f32)
}
