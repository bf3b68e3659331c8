//! What a person should know about a graph: the trade-off of thresholds, and what is badly connected.

use rayon::prelude::*;

use crate::assemble::{Footage, hold_ends};
use crate::auto::{Loosened, extent, frames_of_sets, goals, loosen};
use crate::possible::{Material, PossibleTransition};
use crate::reach::reach;
use crate::thresholds::Thresholds;

/// What one threshold for all pairs would give.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TradeOff {
    /// The threshold. [cm]
    pub threshold_cm: f32,
    /// Transitions in the graph.
    pub transitions: u64,
    /// Share of all frames that the graph holds.
    pub share: f64,
    /// Mean error of its transitions. [cm]
    pub mean_error_cm: f64,
}

/// A label set's part in a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct SetExtent {
    /// The set's words, joined by `+`.
    pub labels: String,
    /// Frames that carry exactly these.
    pub frames: u64,
    /// Those of them that the graph plays.
    pub kept: u64,
}

/// Rows of the trade-off.
const ROWS: u32 = 12;
/// Sets of which less than this share is kept are warned about.
const ENOUGH: f64 = 0.5;
/// Most sets that are warned about.
const MOST_WARNINGS: usize = 8;

/// What thresholds from a twelfth of the ceiling up to it would give.
pub(crate) fn trade_off(material: &Material<'_>, ceiling_cm: f32) -> Vec<TradeOff> {
    let rows: Vec<u32> = (1..=ROWS).collect();
    let row = |row: &u32| {
        let threshold_cm = ceiling_cm * *row as f32 / ROWS as f32;
        let reached = reach(material, |transition| transition.error_cm <= threshold_cm);
        let mut held: Vec<Vec<bool>> = material.footage.iter().map(nothing_of).collect();
        for (clip, frames) in reached.stretches() {
            held[clip][frames].fill(true);
        }
        let (mut transitions, mut errors) = (0, 0.0);
        let within = |transition: &&PossibleTransition| {
            transition.error_cm <= threshold_cm && reached.holds(transition)
        };
        for transition in material.possible.iter().filter(within) {
            hold_ends(&mut held, transition);
            (transitions, errors) = (transitions + 1, errors + f64::from(transition.error_cm));
        }
        let frames = held.iter().flatten();
        let count = frames.clone().filter(|held| **held).count();
        TradeOff {
            threshold_cm,
            transitions,
            share: count as f64 / frames.count().max(1) as f64,
            mean_error_cm: errors / transitions.max(1) as f64,
        }
    };
    rows.par_iter().map(row).collect()
}

fn nothing_of(clip: &Footage) -> Vec<bool> {
    vec![false; clip.usable.len()]
}

/// The mean error of transitions; 0 of none. [cm]
pub(crate) fn mean_error(possible: &[PossibleTransition]) -> f64 {
    let sum = possible
        .iter()
        .fold(0.0, |sum, transition| sum + f64::from(transition.error_cm));
    sum / possible.len().max(1) as f64
}

/// How much of each label set is kept.
pub(crate) fn set_extents(
    material: &Material<'_>,
    thresholds: &Thresholds,
    vocabulary: &[String],
) -> Vec<SetExtent> {
    let (frames, kept) = (frames_of_sets(material), extent(material, thresholds));
    let extents = material.sets.iter().zip(frames).zip(kept);
    let extents = extents.map(|((set, frames), kept)| {
        let labels = set.describe(vocabulary);
        SetExtent {
            labels,
            frames,
            kept,
        }
    });
    extents.collect()
}

/// Warnings about sets of a second or more of which too little is kept, with what would help.
pub(crate) fn warn_of_sets(
    material: &Material<'_>,
    thresholds: &Thresholds,
    extents: &[SetExtent],
    ceiling_cm: f32,
    second: u64,
) -> Vec<String> {
    let poor = |extent: &SetExtent| {
        extent.frames >= second && (extent.kept as f64) < extent.frames as f64 * ENOUGH
    };
    let mut sets: Vec<usize> = (0..extents.len())
        .filter(|set| poor(&extents[*set]))
        .collect();
    sets.sort_by_key(|set| std::cmp::Reverse(extents[*set].frames));
    sets.truncate(MOST_WARNINGS);
    if sets.is_empty() {
        return Vec::new();
    }
    let goals = goals(material, ENOUGH, ceiling_cm);
    let warning = |set: usize| {
        let kept = extents[set].kept;
        let wanted = Some(set as u16);
        let looser = (goals[set] > kept)
            .then(|| loosen(material, thresholds, &goals, wanted, ceiling_cm))
            .flatten();
        let help = match looser {
            Some(Loosened { pairs, .. }) => {
                let name = |set: u16| &extents[usize::from(set)].labels;
                let pair = |([a, b], cm): &([u16; 2], f32)| {
                    format!("{cm} cm between {:?} and {:?}", name(*a), name(*b))
                };
                let pairs: Vec<String> = pairs.iter().map(pair).collect();
                format!("a threshold of {} would help", pairs.join(", of "))
            }
            None => format!("no threshold up to {ceiling_cm} cm would help"),
        };
        format!("{}; {help}", kept_words(&extents[set]))
    };
    sets.into_par_iter().map(warning).collect()
}

fn kept_words(extent: &SetExtent) -> String {
    let SetExtent {
        labels,
        frames,
        kept,
    } = extent;
    match kept {
        0 => format!("none of the {frames} frames of {labels:?} is in the graph"),
        _ => format!("only {kept} of the {frames} frames of {labels:?} are in the graph"),
    }
}
