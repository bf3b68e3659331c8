//! Moves that a reader can draw.

use afoot_core::{FrameRate, Planar};
use afoot_graph::{LabelSet, NodeId};
use afoot_world::{ChoiceId, Move, Moves};

pub const WALK: LabelSet = LabelSet(1);
pub const STEP: LabelSet = LabelSet(3);

/// An arc of some length that turns so far, walked in so many frames.
pub fn arc(
    [from, to]: [u32; 2],
    length: f64,
    degrees: f64,
    frames: usize,
    labels: LabelSet,
) -> Move {
    let turn = degrees.to_radians();
    let pose = |frame: usize| {
        let share = frame as f64 / frames as f64;
        let yaw = turn * share;
        match turn.abs() < 1e-9 {
            true => Planar::new(0.0, length * share, 0.0),
            false => {
                let radius = length / turn;
                Planar::new(radius * (1.0 - yaw.cos()), radius * yaw.sin(), yaw)
            }
        }
    };
    Move {
        from: ChoiceId(from),
        to: ChoiceId(to),
        poses: (0..=frames).map(pose).collect(),
        labels: vec![labels; frames],
        slack: 1.0,
        edges: Vec::new(),
    }
}

/// Straight on, left and right from one choice; a step over things and a walk back to the first from
/// another.
pub fn walker() -> Moves {
    let rate = FrameRate::new(30, 1).unwrap();
    let list = vec![
        arc([0, 0], 0.6, 0.0, 15, WALK),
        arc([0, 0], 0.7, 50.0, 18, WALK),
        arc([0, 1], 0.7, -50.0, 18, WALK),
        arc([1, 0], 0.9, 0.0, 24, STEP),
        arc([1, 1], 0.5, 20.0, 12, WALK),
    ];
    let words = ["walk", "step"].map(String::from).to_vec();
    Moves::new(rate, words, vec![NodeId(0), NodeId(7)], list)
}
