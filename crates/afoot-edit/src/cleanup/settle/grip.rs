//! What holds a foot from frame to frame, and where it is below the floor.
//!
//! While heel and ball are both held, the stiller of them counts more, so that the one hands over to
//! the other as the foot rolls.

use std::ops::Range;

use glam::Vec3;

use super::Floor;
use super::holds::Holds;
use super::legs::LegTrack;

/// What holds a foot, a frame each.
pub struct Grip {
    /// How firmly heel, ankle and ball are held from each frame to the next, 0 to 1.
    pub hold: [Vec<f32>; 3],
    /// The height that each should have while it is held, less the one it has. [m]
    pub rise: [Vec<f32>; 3],
    /// Whether any point is held.
    pub held: Vec<bool>,
    /// How still the stillest of them is by itself, 0 to 1.
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
        (floor, time): (&Floor, f64),
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
                    let (from, to) = (frame.max(1) - 1, (frame + 1).min(frames - 1));
                    let way = track[to].distance(track[from]) / (to - from).max(1) as f32;
                    let speed = way / time as f32 / STILL_SPEED;
                    (1.0 + speed * speed).recip()
                };
                for frame in hold.frames.clone() {
                    grip.still[frame] = grip.still[frame].max(still(frame));
                    grip.rise[part][frame] = hold.height - track[frame].y;
                    grip.held[frame] = true;
                }
                let steps: Range<usize> = hold.frames.start..hold.frames.end - 1;
                grip.hold[part][steps].fill(1.0);
            }
        }
        grip.hand_over(points, time as f32);
        grip
    }

    /// A heel holds until its ankle does; of ankle and ball the stiller one counts more.
    fn hand_over(&mut self, points: &[Vec<Vec3>; 3], time: f32) {
        for frame in 0..self.held.len() {
            let [heel, ankle, ball] = self.hold.each_ref().map(|hold| hold[frame] > 0.0);
            let part = if ankle { 1 } else { 0 };
            if ankle && heel {
                self.hold[0][frame] = 0.0;
            }
            if (ankle || heel) && ball {
                let pace = |track: &[Vec3]| {
                    let speed = track[frame].distance_squared(track[frame + 1]) / (time * time);
                    (speed + STILL_SPEED * STILL_SPEED).powi(2)
                };
                let paces = (pace(&points[part]), pace(&points[2]));
                self.hold[part][frame] = paces.1 / (paces.0 + paces.1);
                self.hold[2][frame] = 1.0 - self.hold[part][frame];
            }
        }
    }
}

/// Points of a sole slower than this are equally still. [m/s]
const STILL_SPEED: f32 = 0.05;
