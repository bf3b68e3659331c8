//! How long it takes to get from doing one thing to doing another: the expected time between labels.
//!
//! Safonova and Hodgins (2007) wish for it, Reitsma and Pollard (2007) call it manoeuvrability. From every
//! frame that carries the one word, along the quickest moves to the first frame that carries the other;
//! the mean over these frames. In the graph alone: obstacles and dead ends are left out.

use afoot_graph::LabelSet;
use serde::Serialize;

use crate::moves::{Move, Moves};

/// The time from one label to another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SwitchTime {
    /// What is done.
    pub from: String,
    /// What is wanted.
    pub to: String,
    /// In the mean. [s]
    pub seconds: f64,
    /// At worst. [s]
    pub most: f64,
}

/// The times between all labels that moves carry; those that lead nowhere are left out.
pub fn switch_times(moves: &Moves) -> Vec<SwitchTime> {
    let carried = moves.list.iter().flat_map(|step| &step.labels);
    let carried = carried.fold(0, |all, set| all | set.0);
    let words: Vec<usize> = (0..moves.vocabulary.len())
        .filter(|bit| carried >> bit & 1 == 1)
        .collect();
    let mut times = Vec::new();
    for &to in &words {
        let wanted = LabelSet(1 << to);
        let from_choice = frames_until(moves, wanted);
        for &from in words.iter().filter(|from| **from != to) {
            let found = mean_time(moves, LabelSet(1 << from), wanted, &from_choice);
            let Some([mean, most]) = found else {
                continue;
            };
            let second = moves.rate.frame_time();
            times.push(SwitchTime {
                from: moves.vocabulary[from].clone(),
                to: moves.vocabulary[to].clone(),
                seconds: mean * second,
                most: most * second,
            });
        }
    }
    times
}

/// The fewest frames from each choice to a frame with a word.
fn frames_until(moves: &Moves, wanted: LabelSet) -> Vec<f64> {
    let mut frames = vec![f64::INFINITY; moves.nodes.len()];
    loop {
        let mut changed = false;
        for step in &moves.list {
            let through = time_in(step, 0, wanted, &frames);
            if through < frames[step.from.0 as usize] {
                frames[step.from.0 as usize] = through;
                changed = true;
            }
        }
        if !changed {
            return frames;
        }
    }
}

/// Frames from a frame of a move to one with a word, in it or after it.
fn time_in(step: &Move, from: usize, wanted: LabelSet, after: &[f64]) -> f64 {
    let there = step.labels[from..]
        .iter()
        .position(|set| set.0 & wanted.0 != 0);
    match there {
        Some(frames) => frames as f64,
        None => (step.labels.len() - from) as f64 + after[step.to.0 as usize],
    }
}

fn mean_time(moves: &Moves, from: LabelSet, wanted: LabelSet, after: &[f64]) -> Option<[f64; 2]> {
    let (mut sum, mut count, mut most) = (0.0, 0u64, 0.0f64);
    for step in &moves.list {
        for frame in 0..step.labels.len() {
            let set = step.labels[frame].0;
            if set & from.0 == 0 || set & wanted.0 != 0 {
                continue;
            }
            let frames = time_in(step, frame, wanted, after);
            if frames.is_finite() {
                (sum, count, most) = (sum + frames, count + 1, most.max(frames));
            }
        }
    }
    (count > 0).then(|| [sum / count as f64, most])
}
