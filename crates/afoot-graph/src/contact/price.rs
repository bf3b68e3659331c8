//! What a frame costs: independent of any task, so that ways can be compared beforehand.
//!
//! Scaled so that a second of the library's average motion costs 1, whichever objective; a twentieth of
//! that at least, so that every step costs something.

use afoot_core::{Clip, FrameId};
use afoot_physics::{BodyModel, clip_effort};
use rayon::prelude::*;

use super::phases::ClipFacts;

/// What is to be least, beside transitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Objective {
    /// Squared joint torques by inverse dynamics (Safonova and Hodgins 2007, §3).
    #[default]
    Torques,
    /// Squared accelerations of all points of the body.
    Acceleration,
    /// Time.
    Time,
    /// Way over ground.
    Distance,
}

/// Of the average, at least.
const LEAST: f64 = 0.05;

/// The cost of each frame of each clip in a row.
pub(super) fn frame_prices(clips: &[Clip], facts: &[ClipFacts], objective: Objective) -> Vec<f64> {
    let Some(first) = clips.first() else {
        return Vec::new();
    };
    let body = BodyModel::of_skeleton(&first.skeleton);
    let price = |(clip, facts): (&Clip, &ClipFacts)| match objective {
        Objective::Torques => clip_effort(&body, clip),
        Objective::Acceleration => accelerations(facts),
        Objective::Time => vec![1.0; clip.len()],
        Objective::Distance => ways(clip),
    };
    let raw: Vec<Vec<f64>> = clips.par_iter().zip(facts).map(price).collect();
    let raw = raw.concat();
    let mean = raw.iter().sum::<f64>() / raw.len().max(1) as f64;
    let step = first.rate.frame_time();
    raw.into_iter()
        .map(|value| (value / mean.max(1e-12)).max(LEAST) * step)
        .collect()
}

fn accelerations(facts: &ClipFacts) -> Vec<f64> {
    let frames = facts.positions.frames();
    let at = |frame: usize| {
        let around = [-1isize, 0, 1].map(|step| {
            let frame = (frame as isize + step).clamp(0, frames as isize - 1) as usize;
            facts.positions.frame(FrameId::from(frame))
        });
        let points = around[0].iter().zip(around[1]).zip(around[2]);
        points
            .map(|((a, b), c)| f64::from((*a - 2.0 * *b + *c).length_squared()))
            .sum()
    };
    (0..frames).map(at).collect()
}

fn ways(clip: &Clip) -> Vec<f64> {
    let step = |frame: usize| {
        let (from, to) = (clip.root[frame.saturating_sub(1)], clip.root[frame]);
        f64::from((to - from).with_y(0.0).length())
    };
    (0..clip.len()).map(step).collect()
}
