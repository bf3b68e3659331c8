//! What was done to a walk, measured on what was made.

use afoot_core::{Clip, Contacts, Side};
use glam::Vec3;

use super::plan::Plan;
use super::surface::Heights;
use super::swing::FootTrack;

/// A changed walk.
#[derive(Clone)]
pub struct Strode {
    /// The motion.
    pub clip: Clip,
    /// Its frames, as those of the clip it was made of.
    pub frames: std::ops::Range<u32>,
    /// How many frames of a stand are held before those.
    pub held: u32,
    /// What it walks on, over the floor that it was captured on; none where that is it.
    pub heights: Option<Heights>,
    /// What was done.
    pub report: StrideReport,
}

impl std::fmt::Debug for Strode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut told = f.debug_struct("Strode");
        told.field("frames", &self.frames);
        told.field("report", &self.report).finish_non_exhaustive()
    }
}

/// What was done to a walk.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StrideReport {
    /// Every step.
    pub steps: Vec<StepMade>,
    /// Mean factor of the steps.
    pub factor: f32,
    /// Factor of the lift.
    pub lift: f32,
    /// Most that the root was lowered below where the model has it, so that legs reach. [m]
    pub lowered: f32,
    /// Farthest that a planted ankle is from where it should be. [m]
    pub miss: f32,
    /// Farthest that the ball of a planted foot is from the surface. [m]
    pub planted_off: f32,
    /// Deepest that a point of a swinging sole is below what it passes, beyond the captured. [m]
    pub through: f32,
    /// The change of rise that the model asks for: how much farther the root rises and falls with each
    /// step than before, as a factor.
    pub rise: f32,
    /// What the model itself asks of hips and knees.
    pub asked: LegsAsked,
    /// Where the first edge of stairs is, from where the walk begins along its direction. [m]
    pub first_edge: Option<f32>,
    /// The direction of the walk on the whole, x and z.
    pub ahead: [f32; 2],
}

/// How far hips and knees have to be from the captured ones for the steps that were asked for, before anything is
/// lowered or rolled because legs are short.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LegsAsked {
    /// Height of the hips, in the mean and at most. [m]
    pub hips: [f32; 2],
    /// Angles of the knees. [rad]
    pub knees: [f32; 2],
}

impl LegsAsked {
    /// The mean of changes and the largest of them.
    pub(super) fn of(changes: impl Iterator<Item = f32>) -> [f32; 2] {
        let (mut sum, mut most, mut count) = (0.0, 0.0f32, 0);
        for change in changes {
            sum += change.abs();
            most = most.max(change.abs());
            count += 1;
        }
        [sum / count.max(1) as f32, most]
    }
}

/// A step, from a footfall to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepMade {
    /// The foot that steps.
    pub side: Side,
    /// How long it was. [m]
    pub captured: f32,
    /// How long it was to be; `None` of footprints. [m]
    pub asked: Option<f32>,
    /// How long it is, on the surface. [m]
    pub made: f32,
}

impl Plan<'_> {
    /// How far soles are from the surface: planted ones either way, swinging ones below it.
    pub fn measure(&self, tracks: &[FootTrack; 2], report: &mut StrideReport) {
        for (side, track) in Side::BOTH.into_iter().zip(tracks) {
            let sole = self.walk.sole(side);
            for frame in 0..self.walk.clip.len() {
                let pose = &self.walk.poses[side.index()][frame];
                let [heel, ball, tip] = sole.points(pose);
                let foot = track.foot[frame] * pose.foot.inverse();
                let toes = track.toes[frame] * pose.toes.inverse();
                let ankle = track.ankle[frame];
                let ball_at = ankle + foot * ball;
                let over = |at: Vec3, height: f32| at.y - self.walk.floor(at) - height;
                if track.planted[frame] {
                    if self.walk.clip.contacts[frame].any(Contacts::ball(side)) {
                        let off = over(ball_at, self.lie.height(ball_at)).abs();
                        report.planted_off = report.planted_off.max(off);
                    }
                    continue;
                }
                let points = [
                    (heel, ankle + foot * heel),
                    (ball, ball_at),
                    (tip, ball_at + toes * (tip - ball)),
                ];
                for (point, at) in points {
                    let own = pose.ankle + point;
                    let captured = over(own, 0.0).min(0.0);
                    let below = captured - over(at, self.lie.height_to_clear(at));
                    report.through = report.through.max(below);
                }
            }
        }
    }

    pub fn report(&self, heights: &[f32]) -> StrideReport {
        let steps: Vec<StepMade> = self.steps().collect();
        let [made, captured] = [0, 1].map(|which| {
            let lengths = steps.iter().map(|step| [step.made, step.captured][which]);
            lengths.sum::<f32>()
        });
        StrideReport {
            steps,
            factor: made / captured.max(1e-3),
            rise: rise_ratio(&self.walk.clip.root, heights),
            first_edge: Some(self.lie.first_edge).filter(|edge| edge.is_finite()),
            ahead: [self.lie.ahead.x, self.lie.ahead.z],
            ..StrideReport::default()
        }
    }
}

/// How much more a root rises and falls with `heights` on top of its own.
fn rise_ratio(root: &[Vec3], heights: &[f32]) -> f32 {
    let range = |values: &mut dyn Iterator<Item = f32>| {
        let (low, high) = values.fold((f32::MAX, f32::MIN), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        high - low
    };
    let own = range(&mut root.iter().map(|root| root.y));
    let new = range(
        &mut root
            .iter()
            .zip(heights)
            .map(|(root, height)| root.y + height),
    );
    new / own.max(1e-3)
}
