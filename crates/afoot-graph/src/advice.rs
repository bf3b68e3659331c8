//! What a person should know about a graph: the trade-off of thresholds, and what is badly connected.

use rayon::prelude::*;

use crate::assemble::{assemble, held_frames, largest_component, restrict};
use crate::auto::{extent, frames_of_sets, goals, joining_threshold};
use crate::jumps::{Jump, Material};
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
        let thresholds = Thresholds::uniform(material.sets.len(), threshold_cm);
        let jumps = material.choose(&thresholds);
        let network = assemble(material.footage, &jumps);
        let (component, _) = largest_component(&network, &vec![true; network.edges.len()]);
        let keep = network.within(&component);
        let (footage, kept) = restrict(&network, &keep, material.footage, &jumps);
        let frames: usize = footage.iter().map(|clip| clip.usable.len()).sum();
        TradeOff {
            threshold_cm,
            transitions: kept.len() as u64,
            share: held_frames(&footage, &kept) as f64 / frames.max(1) as f64,
            mean_error_cm: mean_error(&kept),
        }
    };
    rows.par_iter().map(row).collect()
}

/// The mean error of jumps; 0 of none. [cm]
pub(crate) fn mean_error(jumps: &[Jump]) -> f64 {
    let sum = jumps
        .iter()
        .fold(0.0, |sum, jump| sum + f64::from(jump.error_cm));
    sum / jumps.len().max(1) as f64
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
    (ceiling_cm, second): (f32, u64),
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
        let join = (goals[set] > kept)
            .then(|| joining_threshold(material, thresholds, (set as u16, goals[set]), ceiling_cm));
        let labels = &extents[set].labels;
        let help = match join.flatten() {
            Some((partner, cm)) => {
                let other = &extents[usize::from(partner)].labels;
                format!("a threshold of {cm} cm between {labels:?} and {other:?} would help")
            }
            None => format!("no threshold up to {ceiling_cm} cm between two labels would help"),
        };
        format!("{}; {help}", kept_words(&extents[set]))
    };
    sets.into_iter().map(warning).collect()
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
