//! How good the paths of an embedded graph are: relative lengths by Monte Carlo (§4.1, eq. 1).
//!
//! Starts and goals are drawn from all free cells of the world, whether motion reaches them or not, by a
//! seed alone: graphs of other clips are asked for the same pairs, so that they can be compared pair by
//! pair. E_P is the length of the shortest path over that of the shortest free way; pairs that no free way
//! joins are left out, pairs that no motion joins are counted. Intervals hold the true value with 95 %:
//! of quantiles by ranks, of shares after Wilson.

use std::collections::BTreeMap;

use afoot_run::{Run, Stopped};
use afoot_search::Random;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::embed::{Embedding, StateId};
use crate::grid::CellId;
use crate::paths::{EmbeddedPath, Ends, PathSearch};
use crate::shortest::{FreeWays, WayLengths};

/// How paths are sampled.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QualityOptions {
    /// Pairs of places. [≥ 1]
    pub samples: usize,
    /// Of the draws.
    pub seed: u64,
}

impl Default for QualityOptions {
    fn default() -> Self {
        Self {
            samples: 500,
            seed: 1,
        }
    }
}

/// A pair of places, and how one gets from one to the other.
#[derive(Clone, Debug)]
pub struct SampledPath {
    /// Where it starts.
    pub start: CellId,
    /// Where it ends.
    pub goal: CellId,
    /// Of the shortest free way. [m]
    pub free: f64,
    /// The shortest path that motion has.
    pub path: Option<EmbeddedPath>,
}

impl SampledPath {
    /// The relative length, if there is a path.
    pub fn ratio(&self) -> Option<f64> {
        self.path.as_ref().map(|path| path.length / self.free)
    }
}

/// A value and the interval that holds the true one with 95 %.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Estimated {
    /// As measured.
    pub value: f64,
    /// From.
    pub low: f64,
    /// To.
    pub high: f64,
}

/// How good paths are.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PathQuality {
    /// Pairs that a free way joins.
    pub samples: usize,
    /// Of them, pairs that no motion joins.
    pub unreached: usize,
    /// Pairs that no free way joins.
    pub closed_off: usize,
    /// Half of the relative lengths are below.
    pub median: Estimated,
    /// 95 % of them are below.
    pub p95: Estimated,
    /// Share above 1.1, of those that are reached. [0 to 1]
    pub above_1_1: Estimated,
    /// Share above 1.25. [0 to 1]
    pub above_1_25: Estimated,
    /// States that a search looked at, in the mean.
    pub expanded: f64,
}

/// Samples paths; those to one goal are found together.
pub fn sample_paths(
    embedding: &Embedding,
    ways: &FreeWays,
    options: &QualityOptions,
    run: &Run,
) -> Result<(Vec<SampledPath>, PathQuality), Stopped> {
    let groups = by_goal(&draw_pairs(embedding, ways, options));
    let sample = |search: &mut PathSearch, group: &OneGoal| {
        run.check()?;
        Ok(group.sample(search, embedding, &ways.to(group.goal)))
    };
    let threads = rayon::current_num_threads();
    let pieces = match embedding.searches_at_once() {
        few if few < threads => few,
        _ => 2 * threads,
    };
    let found: Result<Vec<Vec<_>>, Stopped> = groups
        .par_iter()
        .with_min_len(groups.len().div_ceil(pieces))
        .map_init(|| PathSearch::new(embedding), sample)
        .collect();
    let mut found: Vec<Sampled> = found?.into_iter().flatten().collect();
    found.sort_unstable_by_key(|sampled| sampled.pair);
    let expanded: f64 = found.iter().map(|sampled| sampled.expanded as f64).sum();
    let count = found.len().max(1) as f64;
    let paths: Vec<SampledPath> = found.into_iter().map(|sampled| sampled.path).collect();
    let quality = PathQuality {
        expanded: expanded / count,
        ..quality_of(&paths)
    };
    Ok((paths, quality))
}

/// Pairs that end in one cell.
struct OneGoal {
    goal: CellId,
    /// Which pairs, and where they start.
    starts: Vec<(usize, CellId)>,
}

/// A sampled path, of which pair, and the states that its search looked at.
struct Sampled {
    pair: usize,
    path: SampledPath,
    expanded: u64,
}

impl OneGoal {
    /// The paths of all pairs; `left` is the length of the free way from each cell.
    fn sample(
        &self,
        search: &mut PathSearch,
        embedding: &Embedding,
        left: &WayLengths,
    ) -> Vec<Sampled> {
        let one = |&(pair, start): &(usize, CellId)| {
            let free = f64::from(left[start.0 as usize]);
            let starts: Vec<StateId> = embedding.states_at(start).collect();
            let ends = Ends {
                starts: &starts,
                goal: self.goal,
                heading: None,
            };
            let is_joined = free.is_finite();
            let path = is_joined.then(|| search.find(&ends, left)).flatten();
            let path = SampledPath {
                start,
                goal: self.goal,
                free,
                path,
            };
            Sampled {
                pair,
                path,
                expanded: search.expanded,
            }
        };
        self.starts.iter().map(one).collect()
    }
}

/// Start and goal of each pair, gathered by goals.
fn by_goal(pairs: &[(CellId, CellId)]) -> Vec<OneGoal> {
    let mut groups: BTreeMap<CellId, Vec<(usize, CellId)>> = BTreeMap::new();
    for (index, (start, goal)) in pairs.iter().enumerate() {
        groups.entry(*goal).or_default().push((index, *start));
    }
    let groups = groups.into_iter();
    groups
        .map(|(goal, starts)| OneGoal { goal, starts })
        .collect()
}

/// Pairs of different free cells.
fn draw_pairs(
    embedding: &Embedding,
    ways: &FreeWays,
    options: &QualityOptions,
) -> Vec<(CellId, CellId)> {
    let cells = (0..embedding.free.len() as u32).map(CellId);
    let free: Vec<CellId> = cells.filter(|cell| ways.is_free(*cell)).collect();
    let mut random = Random::new(options.seed).fork(0x5eed);
    let mut pairs = Vec::with_capacity(options.samples);
    if free.len() < 2 {
        return pairs;
    }
    while pairs.len() < options.samples {
        let (a, b) = (random.below(free.len()), random.below(free.len()));
        if a != b {
            pairs.push((free[a], free[b]));
        }
    }
    pairs
}

/// What sampled paths say.
pub fn quality_of(paths: &[SampledPath]) -> PathQuality {
    let joined = paths.iter().filter(|path| path.free.is_finite());
    let mut ratios: Vec<f64> = joined.clone().filter_map(SampledPath::ratio).collect();
    ratios.sort_unstable_by(f64::total_cmp);
    let samples = joined.count();
    PathQuality {
        samples,
        unreached: samples - ratios.len(),
        closed_off: paths.len() - samples,
        median: quantile(&ratios, 0.5),
        p95: quantile(&ratios, 0.95),
        above_1_1: share_above(&ratios, 1.1),
        above_1_25: share_above(&ratios, 1.25),
        expanded: 0.0,
    }
}

/// Of two-sided 95 %.
const Z: f64 = 1.959_964;

/// A quantile of sorted values, and between which ranks the true one lies.
fn quantile(sorted: &[f64], share: f64) -> Estimated {
    if sorted.is_empty() {
        return Estimated::default();
    }
    let count = sorted.len() as f64;
    let spread = Z * (count * share * (1.0 - share)).sqrt();
    let at = |rank: f64| sorted[(rank.max(0.0) as usize).min(sorted.len() - 1)];
    let middle = share * (count - 1.0);
    let (below, part) = (middle.floor(), middle.fract());
    Estimated {
        value: at(below) * (1.0 - part) + at(below + 1.0) * part,
        low: at((share * count - spread).floor()),
        high: at((share * count + spread).ceil()),
    }
}

/// The share of sorted values above a limit (Wilson 1927).
fn share_above(sorted: &[f64], limit: f64) -> Estimated {
    let count = sorted.len() as f64;
    if sorted.is_empty() {
        return Estimated::default();
    }
    let above = count - sorted.partition_point(|value| *value <= limit) as f64;
    let share = above / count;
    let scale = 1.0 + Z * Z / count;
    let middle = (share + Z * Z / (2.0 * count)) / scale;
    let half = Z / scale * (share * (1.0 - share) / count + Z * Z / (4.0 * count * count)).sqrt();
    Estimated {
        value: share,
        low: (middle - half).max(0.0),
        high: (middle + half).min(1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_hold_what_they_should() {
        let even: Vec<f64> = (0..1001).map(|k| 1.0 + f64::from(k) / 1000.0).collect();
        let median = quantile(&even, 0.5);
        assert!((median.value - 1.5).abs() < 1e-9);
        assert!(median.low < 1.475 && median.low > 1.46 && median.high > 1.525);
        let above = share_above(&even, 1.9);
        assert!((above.value - 0.1).abs() < 1e-3);
        // Wilson's interval of 100 in 1001, worked out by hand.
        assert!((above.low - 0.0828).abs() < 1e-3 && (above.high - 0.1201).abs() < 1e-3);
        assert_eq!(quantile(&[], 0.5), Estimated::default());
    }
}
