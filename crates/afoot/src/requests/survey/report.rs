//! What a survey tells, as data.

use afoot_world::{
    Coverage, Culled, Embedding, Estimated, Hole, PathQuality, SampledPath, Suggestion, SwitchTime,
};
use serde::Serialize;

use crate::rounding::to_millionths;

/// A survey that was made.
#[derive(Clone, Debug, Serialize)]
pub struct SurveyMade {
    /// The library as a whole, or the clips that were asked for.
    #[serde(flatten)]
    pub main: SetSurveyed,
    /// Places and headings that no motion comes near, worst first.
    pub holes: Vec<HoleFound>,
    /// Where what can be done.
    pub capabilities: Vec<Capability>,
    /// How long it takes to get from doing one thing to another.
    pub switches: Vec<SwitchTime>,
    /// What to capture next, best first.
    pub suggestions: Vec<Suggestion>,
    /// Other clips or libraries in the same world, with the same pairs of places.
    pub compare: Vec<SetSurveyed>,
    /// The same with other editing sizes.
    pub edits: Vec<EditSurveyed>,
    /// The same on other grids.
    pub cells: Vec<CellSurveyed>,
    /// What a person should know.
    pub warnings: Vec<String>,
}

/// One set of clips in the world.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SetSurveyed {
    /// What it is called.
    pub name: String,
    /// Frames of its clips.
    pub source_frames: u64,
    /// Captured frames that its graph plays.
    pub graph_frames: u64,
    /// Places of the graph where one may choose.
    pub choices: usize,
    /// Ways from choice to choice.
    pub moves: usize,
    /// States of the embedded graph: cell, heading and choice.
    pub nodes: u64,
    /// Its links.
    pub links: u64,
    /// States of the components that are not kept, largest first.
    pub other_components: Vec<u64>,
    /// Links that are not there, and why.
    pub culled: Culled,
    /// Share of edit regions that hold no cell's middle.
    pub empty_edit_share: f64,
    /// What it was said to take at most. [MB]
    pub memory_mb: f64,
    /// Covered share of the free places.
    pub coverage_xz: f64,
    /// Covered share of the free places with headings.
    pub coverage_xza: f64,
    /// How much longer paths are than they need be.
    pub paths: PathsTold,
    /// Time taken. [s]
    pub seconds: SurveySeconds,
}

/// How good paths are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PathsTold {
    /// Half of the relative lengths are below.
    pub median: f64,
    /// 95 % of them are below.
    pub p95: f64,
    /// Share above 1.1.
    pub above_1_1: f64,
    /// Share above 1.25.
    pub above_1_25: f64,
    /// Pairs of places that a free way joins.
    pub samples: usize,
    /// Of them, pairs that no motion joins.
    pub unreached: usize,
    /// Pairs that no free way joins.
    pub closed_off: usize,
    /// Between which values the true ones lie, with 95 %.
    pub intervals: Intervals,
    /// States that a search looked at, in the mean.
    pub expanded: f64,
}

/// Intervals of what is estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs)] // as in `PathsTold`
pub struct Intervals {
    pub median: [f64; 2],
    pub p95: [f64; 2],
    pub above_1_1: [f64; 2],
    pub above_1_25: [f64; 2],
}

/// Where time went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct SurveySeconds {
    pub graph: f64,
    pub embed: f64,
    pub coverage: f64,
    pub paths: f64,
}

/// A hole in coverage.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HoleFound {
    /// Where. [m]
    pub x: f64,
    /// Where. [m]
    pub z: f64,
    /// The heading. [degrees]
    pub heading: f64,
    /// How far the nearest motion is, turns counted as the options say. [m]
    pub distance_m: f64,
}

/// Where motion that carries a word passes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Capability {
    /// The word.
    pub label: String,
    /// Share of the free ground.
    pub share: f64,
}

/// The same library with another editing size.
#[derive(Clone, Debug, Default, Serialize)]
pub struct EditSurveyed {
    /// In cm and degrees, for a metre.
    pub edit: f64,
    /// Where all motion is linked to the nearest cell at least.
    pub always: EditCoverage,
    /// Where limits are respected.
    pub within: EditCoverage,
    /// Share of edit regions that hold no cell's middle.
    pub empty_edit_share: f64,
}

/// The same library on another grid: what cells that are too large lose (§5.4, figure 4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct CellSurveyed {
    /// Width of a cell. [m]
    pub cell_m: f64,
    /// Angle between headings, in proportion. [degrees]
    pub yaw_deg: f64,
    /// What it gives.
    #[serde(flatten)]
    pub found: EditCoverage,
    /// Share of edit regions that hold no cell's middle.
    pub empty_edit_share: f64,
}

/// What an editing size gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs)] // as in `SetSurveyed`
pub struct EditCoverage {
    pub coverage_xz: f64,
    pub coverage_xza: f64,
    pub nodes: u64,
    pub links: u64,
}

impl EditCoverage {
    pub(super) fn new(embedding: &Embedding, coverage: &Coverage) -> Self {
        Self {
            coverage_xz: to_millionths(coverage.xz),
            coverage_xza: to_millionths(coverage.xza),
            nodes: embedding.nodes,
            links: embedding.links,
        }
    }
}

impl From<&Hole> for HoleFound {
    fn from(hole: &Hole) -> Self {
        let heading = afoot_core::wrap_angle(hole.yaw).to_degrees();
        Self {
            x: to_millionths(hole.x),
            z: to_millionths(hole.z),
            heading: to_millionths(heading),
            distance_m: to_millionths(hole.distance),
        }
    }
}

impl From<&PathQuality> for PathsTold {
    fn from(quality: &PathQuality) -> Self {
        let ends = |of: &Estimated| [to_millionths(of.low), to_millionths(of.high)];
        Self {
            median: to_millionths(quality.median.value),
            p95: to_millionths(quality.p95.value),
            above_1_1: to_millionths(quality.above_1_1.value),
            above_1_25: to_millionths(quality.above_1_25.value),
            samples: quality.samples,
            unreached: quality.unreached,
            closed_off: quality.closed_off,
            intervals: Intervals {
                median: ends(&quality.median),
                p95: ends(&quality.p95),
                above_1_1: ends(&quality.above_1_1),
                above_1_25: ends(&quality.above_1_25),
            },
            expanded: quality.expanded.round(),
        }
    }
}

/// Four paths to look at: the median, and three near the 95th percentile that start far from each other.
pub(super) fn telling_paths(paths: &[SampledPath]) -> Vec<usize> {
    let mut ranked: Vec<(f64, usize)> = paths
        .iter()
        .enumerate()
        .filter_map(|(index, path)| Some((path.ratio()?, index)))
        .filter(|(ratio, _)| ratio.is_finite())
        .collect();
    ranked.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    if ranked.is_empty() {
        return Vec::new();
    }
    let at = |share: f64| ((ranked.len() - 1) as f64 * share).round() as usize;
    let mut told = vec![ranked[at(0.5)].1];
    for share in [0.95, 0.945, 0.955, 0.94, 0.96] {
        let index = ranked[at(share)].1;
        let long = paths[index].free > 1.0;
        if told.len() < 4 && !told.contains(&index) && (long || share > 0.955) {
            told.push(index);
        }
    }
    told
}
