//! What a build says about itself, while it runs and at its end.

use std::collections::BTreeSet;

use crate::advice::{SetExtent, TradeOff, set_extents, trade_off, warn_of_sets};
use crate::motion_graph::MotionGraph;
use crate::options::GraphOptions;
use crate::possible::Material;
use crate::thresholds::{PairThreshold, Thresholds};

/// What a build is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Comparing windows; counts pairs of frames.
    Distances,
    /// Choosing among the candidates; counts candidates.
    Choice,
    /// Blending; counts transitions.
    Transitions,
}

impl Stage {
    /// The word that a run is told.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Distances => "comparing",
            Self::Choice => "choosing",
            Self::Transitions => "blending",
        }
    }
}

/// What was built.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GraphReport {
    /// Frames of all clips.
    pub frames: u64,
    /// Pairs of frames that there are to compare.
    pub pairs: u64,
    /// Local minima of the error up to the ceiling.
    pub candidates: u64,
    /// Transitions under their threshold, before pruning.
    pub transitions: u64,
    /// Captured frames in the largest strongly connected component: those that its edges play, and
    /// those at which its transitions leave and arrive.
    pub component_frames: u64,
    /// Their share of all frames.
    pub component_share: f64,
    /// Mean error of the transitions in the graph. [cm]
    pub mean_error_cm: f64,
    /// What other thresholds would give.
    pub trade_off: Vec<TradeOff>,
    /// How much of each label set is kept.
    pub sets: Vec<SetExtent>,
    /// The thresholds between label sets that were found (`auto`).
    pub thresholds: Vec<PairThreshold>,
    /// What a person should know, a sentence each.
    pub warnings: Vec<String>,
}

/// Fills in what the report says beside the graph.
pub(crate) fn advise(
    material: &Material<'_>,
    thresholds: &Thresholds,
    frame: &MotionGraph,
    options: &GraphOptions,
    report: &mut GraphReport,
) {
    let ceiling_cm = options.ceiling_cm();
    report.trade_off = trade_off(material, ceiling_cm);
    report.sets = set_extents(material, thresholds, &frame.vocabulary);
    let second = frame.rate.frames_in(1.0) as u64;
    let poor = warn_of_sets(material, thresholds, &report.sets, ceiling_cm, second);
    report.warnings.extend(poor);
    for pair in &options.pairs {
        let unknown = [&pair.a, &pair.b]
            .into_iter()
            .find(|word| frame.label(word).is_none());
        if let Some(word) = unknown {
            report.warnings.push(format!(
                "no frame carries {word:?}: its threshold has no effect"
            ));
        }
    }
    if options.auto.is_some() {
        report.thresholds = describe_thresholds(material, thresholds, &frame.vocabulary);
    }
}

/// The thresholds between sets that have candidates.
fn describe_thresholds(
    material: &Material<'_>,
    thresholds: &Thresholds,
    vocabulary: &[String],
) -> Vec<PairThreshold> {
    let sorted = |[a, b]: [u16; 2]| [a.min(b), a.max(b)];
    let pairs: BTreeSet<[u16; 2]> = material
        .possible
        .iter()
        .map(|transition| sorted(transition.kinds))
        .collect();
    let name = |set: u16| material.sets[usize::from(set)].describe(vocabulary);
    let describe = |[a, b]: [u16; 2]| PairThreshold {
        a: name(a),
        b: name(b),
        threshold_cm: thresholds.between([a, b]),
    };
    pairs.into_iter().map(describe).collect()
}
