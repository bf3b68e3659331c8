//! How a foot and its toes are turned: no more than it takes to lie still while they are flat.
//!
//! A turn in the world, a rotation vector a frame, minimises ∫ (ω/ω₀)² + (φ/φ₀)² + (φ″/φ₂)² dt: the
//! angular speed of what is held, the turn itself, its acceleration. A foot that rolls while it is
//! held, its heel rising, is left to roll: frames count the less the faster they turn by themselves.

use std::ops::Range;

use glam::{DVec3, Quat, Vec3};

use super::band::EvenBand;
use super::pace::GLANCE;

/// What weighs as much as one: angular speed of a flat foot, turn, acceleration of the turn.
const SPEED: f64 = 0.03; // [rad/s]
const TURN: f64 = 0.05; // [rad]
const BEND: f64 = 8.0; // [rad/s²]
/// A foot that turns this fast by itself rolls: it counts a quarter. [rad/s]
const ROLLING: f32 = 0.6;

/// What is to be turned.
pub struct Turning<'a> {
    /// World rotations, a frame each.
    pub rotations: &'a [Quat],
    /// Frames over which they shall stay the same.
    pub held: &'a [Range<usize>],
    /// Whether what turns by itself is left to.
    pub rolls: bool,
    pub frame_time: f64,
}

impl Turning<'_> {
    /// How fast it turns from a frame to the next, seen over a [`GLANCE`]. [rad/s]
    fn speed(&self, frame: usize) -> f32 {
        let fps = (1.0 / self.frame_time) as f32;
        let steps = ((GLANCE * fps).round() as usize).max(1);
        let from = frame.saturating_sub((steps - 1) / 2);
        let to = (from + steps).min(self.rotations.len() - 1);
        let turn = turn_between(self.rotations[from], self.rotations[to]);
        turn.length() * fps / (to - from) as f32
    }
}

/// The turns, a frame each, to be put before the rotations.
pub fn find_turns(turning: &Turning, band: &mut EvenBand<DVec3>) -> Vec<Quat> {
    let frames = turning.rotations.len();
    let time = turning.frame_time;
    band.reset(frames);
    for frame in 0..frames {
        band.add_point(frame, 1.0 / (TURN * TURN), DVec3::ZERO);
    }
    let bend = 1.0 / (BEND * time * time).powi(2);
    (2..frames).for_each(|frame| band.add_bend(frame - 2, bend));
    let hold = 1.0 / (SPEED * time).powi(2);
    for frame in turning
        .held
        .iter()
        .flat_map(|held| held.start..held.end - 1)
    {
        let step = turn_between(turning.rotations[frame], turning.rotations[frame + 1]);
        let share = match turning.rolls {
            true => {
                let speed = turning.speed(frame) / ROLLING;
                (1.0 / (1.0 + speed * speed)).powi(2)
            }
            false => 1.0,
        };
        band.add_step(frame, f64::from(share) * hold, -step.as_dvec3());
    }
    let mut turns = vec![DVec3::ZERO; frames];
    band.solve(&mut turns);
    let quat = |turn: DVec3| Quat::from_scaled_axis(turn.as_vec3());
    turns.into_iter().map(quat).collect()
}

/// The rotation vector that leads from one rotation to the other in the world.
fn turn_between(from: Quat, to: Quat) -> Vec3 {
    let turn = to * from.inverse();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    turn.to_scaled_axis()
}
