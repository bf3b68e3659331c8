//! What holds a foot from frame to frame, and where it is below the floor.
//!
//! While heel and ball are both held, the stiller of them counts more, so that the one hands over to
//! the other as the foot rolls.

use std::ops::Range;

use glam::Vec3;

use super::Floor;
use super::holds::Holds;
use super::legs::LegTrack;
use super::pace::{step_speed, velocity};

/// What holds a foot, a frame each.
pub struct Grip {
    /// How firmly heel, ankle and ball are held from each frame to the next, 0 to 1.
    pub hold: [Vec<f32>; 3],
    /// The height that each should have while it is held, less the one it has. [m]
    pub rise: [Vec<f32>; 3],
    /// Whether any point is held.
    pub held: Vec<bool>,
    /// How firmly a held foot is tied to where it was: the more, the stiller it is by itself.
    pub still: Vec<f32>,
    /// How far the ankle must be raised for ankle and ball to be on the floor. [m]
    pub sunk: Vec<f32>,
}

impl Grip {
    /// The grip of a foot whose points, turned but not moved, are at `points`.
    pub fn new(
        leg: &LegTrack,
        holds: &Holds,
        points: &[Vec<Vec3>; 3],
        (floor, fps): (&Floor, f32),
    ) -> Self {
        let frames = leg.len();
        let rest = floor.rest[leg.side.index()];
        let depth = |point: Vec3, rest: f32| (floor.height)(point.x, point.z) + rest - point.y;
        let sunk = |frame: usize| {
            let ball = depth(points[2][frame], rest.ball);
            match leg.has_ball {
                true => ball.max(depth(leg.ankle[frame], rest.ankle)),
                false => depth(leg.ankle[frame], rest.ankle),
            }
        };
        let mut grip = Self {
            hold: [0; 3].map(|_| vec![0.0; frames]),
            rise: [0; 3].map(|_| vec![0.0; frames]),
            held: vec![false; frames],
            still: vec![0.0; frames],
            sunk: (0..frames).map(sunk).collect(),
        };
        for (part, holds) in holds.parts().into_iter().enumerate() {
            for hold in holds {
                let track = &points[part];
                let still = |frame: usize| {
                    let speed = velocity(track, frame as f32, fps).length() / STILL_SPEED;
                    (1.0 + speed * speed).recip()
                };
                let mean = hold.frames.clone().map(still).sum::<f32>() / hold.frames.len() as f32;
                let firmly = (LEAST_STILL / mean.max(1e-6)).max(1.0);
                for frame in hold.frames.clone() {
                    grip.still[frame] = grip.still[frame].max(firmly * still(frame));
                    grip.rise[part][frame] = hold.height - track[frame].y;
                    grip.held[frame] = true;
                }
                let steps: Range<usize> = hold.frames.start..hold.frames.end - 1;
                grip.hold[part][steps].fill(1.0);
            }
        }
        grip.hand_over(points, fps);
        grip
    }

    /// A heel holds until its ankle does; of ankle and ball the stiller one counts more.
    fn hand_over(&mut self, points: &[Vec<Vec3>; 3], fps: f32) {
        for frame in 0..self.held.len() {
            let [heel, ankle, ball] = self.hold.each_ref().map(|hold| hold[frame] > 0.0);
            let part = if ankle { 1 } else { 0 };
            if ankle && heel {
                self.hold[0][frame] = 0.0;
            }
            if (ankle || heel) && ball {
                let pace = |track: &[Vec3]| {
                    let speed = step_speed(track, frame, fps);
                    (speed * speed + STILL_SPEED * STILL_SPEED).powi(HAND_OVER)
                };
                let paces = (pace(&points[part]), pace(&points[2]));
                self.hold[part][frame] = paces.1 / (paces.0 + paces.1);
                self.hold[2][frame] = 1.0 - self.hold[part][frame];
            }
        }
    }
}

/// How sharply one hands over to the other: of two that both move, holding each a little lets both slide.
const HAND_OVER: i32 = 4;
/// Points of a sole slower than this are equally still. [m/s]
const STILL_SPEED: f32 = 0.05;
/// Frames of a hold count this much on average at least, so that a foot that slides through all of its
/// plant is tied to a place too.
const LEAST_STILL: f32 = 0.3;
