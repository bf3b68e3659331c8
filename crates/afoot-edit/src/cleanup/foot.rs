//! A foot on its way through the cleanup: its plants, its turns, and where it ends up.

use std::ops::Range;

use afoot_core::Clip;
use glam::{Quat, Vec3};

use super::band::EvenBand;
use super::grip::Grip;
use super::holds::{Holds, find_holds};
use super::legs::{LegTrack, Step};
use super::turns::{Turning, find_turns};
use super::{Floor, SettleOptions};

/// A leg, what its foot is turned by, and what holds the foot.
pub struct Foot<'a> {
    pub leg: &'a LegTrack,
    pub holds: Holds,
    pub grip: Grip,
    /// Heel, ankle and ball, turned but not moved yet.
    pub points: [Vec<Vec3>; 3],
    /// Turns of foot and toes in the world, a frame each.
    foot_turns: Vec<Quat>,
    toe_turns: Vec<Quat>,
    /// How far below their height on the floor its joints may be. [m]
    dip: f32,
}

impl<'a> Foot<'a> {
    /// Finds the plants of a foot and how it is turned to lie still in them.
    pub fn new(clip: &Clip, leg: &'a LegTrack, (floor, options): (&Floor, &SettleOptions)) -> Self {
        let frame_time = clip.rate.frame_time();
        let captured = [leg.heels(), leg.ankle.clone(), leg.ball.clone()];
        let holds = find_holds(clip, leg, &captured, (floor, options));
        let mut band = EvenBand::default();
        let flat = Turning {
            rotations: &leg.foot,
            held: &holds.flat(),
            rolls: true,
            frame_time,
        };
        let foot_turns = find_turns(&flat, &mut band);
        let toes: Vec<Quat> = (leg.toe.iter().zip(&foot_turns))
            .map(|(toe, turn)| *turn * *toe)
            .collect();
        let pressed = Turning {
            rotations: &toes,
            held: &holds.balls(),
            rolls: false,
            frame_time,
        };
        let toe_turns = match leg.has_ball {
            true => find_turns(&pressed, &mut band),
            false => vec![Quat::IDENTITY; leg.len()],
        };
        let points = captured.map(|points| turned_about(&leg.ankle, &foot_turns, points));
        Self {
            grip: Grip::new(leg, &holds, &points, (floor, clip.rate.fps() as f32)),
            holds,
            points,
            foot_turns,
            toe_turns,
            dip: options.dip,
            leg,
        }
    }

    /// Where foot and toes go if the ankle is shifted, a frame each; nothing goes below the floor.
    pub fn steps(&self, ankles: impl Iterator<Item = Vec3>, floor: &Floor) -> Vec<Step> {
        let leg = self.leg;
        let mut steps: Vec<Step> = ankles
            .enumerate()
            .map(|(frame, shift)| {
                let turn = self.foot_turns[frame];
                Step {
                    ankle: leg.ankle[frame] + shift + Vec3::Y * self.lift(frame, shift),
                    foot: (turn * leg.foot[frame]).normalize(),
                    toe: (self.toe_turns[frame] * turn * leg.toe[frame]).normalize(),
                }
            })
            .collect();
        if let Some(tip) = leg.tip {
            self.raise_tips(&mut steps, tip, floor);
        }
        steps
    }

    /// What is left to be lifted out of the floor. [m]
    fn lift(&self, frame: usize, shift: Vec3) -> f32 {
        lift_out(self.grip.sunk[frame] - (self.dip - RISE).max(0.0) - shift.y)
    }

    /// Turns toes up whose tips are lower than they lie in the plants around.
    fn raise_tips(&self, steps: &mut [Step], tip: Vec3, floor: &Floor) {
        let low = self.lowest_tips(steps, tip);
        let rest = floor.rest[self.leg.side.index()].ball;
        for (frame, step) in steps.iter_mut().enumerate() {
            let to_tip = step.toe * tip;
            let ball = step.ankle + self.points[2][frame] - self.leg.ankle[frame];
            let at = ball + to_tip;
            let lift = lift_out((floor.height)(at.x, at.z) + rest + low[frame] - at.y);
            if lift > 0.0 {
                step.toe = (pitch_to(to_tip, to_tip.y + lift) * step.toe).normalize();
            }
        }
    }

    /// How low the tip lies against the ball in the plants before and after each frame, at most 0. [m]
    fn lowest_tips(&self, steps: &[Step], tip: Vec3) -> Vec<f32> {
        let height = |frame: usize| (steps[frame].toe * tip).y;
        let plants: Vec<(&Range<usize>, f32)> = (self.holds.ball.iter())
            .map(|hold| {
                (
                    &hold.frames,
                    hold.frames.clone().map(height).fold(0.0, f32::min),
                )
            })
            .collect();
        let mut low = vec![0.0; steps.len()];
        let (mut at, mut before) = (0, None);
        for (frame, low) in low.iter_mut().enumerate() {
            while let Some((_, height)) = plants.get(at).filter(|(held, _)| held.end <= frame) {
                (at, before) = (at + 1, Some(*height));
            }
            let after = plants.get(at).map(|(_, height)| *height);
            *low = before.into_iter().chain(after).fold(0.0, f32::min);
        }
        low
    }
}

fn turned_about(centres: &[Vec3], turns: &[Quat], mut points: Vec<Vec3>) -> Vec<Vec3> {
    for ((point, centre), turn) in points.iter_mut().zip(centres).zip(turns) {
        *point = *centre + *turn * (*point - *centre);
    }
    points
}

/// Feet are lifted so much before the end of what they may dip. [m]
const RISE: f32 = 0.001;
/// How far below the floor something may be before it is lifted. [m]
const GIVE: f32 = 0.003;

/// How far something at a depth is lifted: not at all above the floor, nearly wholly when deep, with
/// no kink between. [m]
fn lift_out(depth: f32) -> f32 {
    if depth <= 0.0 {
        return 0.0;
    }
    depth - GIVE * (1.0 - (-depth / GIVE).exp())
}

/// The rotation about a level axis that gives `along` the height difference `rise`; as near as its
/// length allows.
fn pitch_to(along: Vec3, rise: f32) -> Quat {
    let length = along.length();
    let level = Vec3::new(along.x, 0.0, along.z);
    let Some(ahead) = level.try_normalize().filter(|_| length > 1e-6) else {
        return Quat::IDENTITY;
    };
    let rise = rise.clamp(-0.95 * length, 0.95 * length);
    let wanted = ahead * (length * length - rise * rise).sqrt() + Vec3::Y * rise;
    Quat::from_rotation_arc(along / length, wanted / length)
}
