//! Where a walk along a path may begin, what that costs, and whether it begins and ends in a stand.

use afoot_core::{FrameId, Planar};
use afoot_graph::{Edge, EdgeKind, NodeId, Place};
use afoot_search::{Random, Walk};
use rayon::prelude::*;

use super::problem::{Following, stretch_of};
use super::sections::{Part, SectionPlan};
use super::spot::{Spot, Step};
use super::{FollowError, FollowOptions};
use crate::edges::Edges;
use crate::fan::STRETCH;
use crate::stand::{Stand, has_stand};
use crate::steps::start_at;

/// Starts that are weighed at a time.
const STARTS: usize = 8192;
/// Who stands at an end has stood, or goes on standing, for so long. [s]
const STOOD: f64 = 0.2;
/// Greatest whim about a start, and about a transition. [m²]
const START_WHIM: f64 = 0.3;

impl<G: Edges> Following<'_, G> {
    /// Every place that a walk may start from, on the path's start and facing along it.
    pub(crate) fn starts(&self) -> Result<Vec<Spot>, FollowError> {
        let nodes = self.start_nodes()?.into_iter();
        Ok(nodes.map(|node| self.start_at(node)).collect())
    }

    /// The nodes that a walk may start from.
    pub(crate) fn start_nodes(&self) -> Result<Vec<NodeId>, FollowError> {
        let allowed = &self.plan.parts[0].allowed;
        let mut nodes: Vec<NodeId> = match (self.options.start, self.start) {
            (None, _) => (0..self.graph.layout().places.len() as u32)
                .map(NodeId)
                .collect(),
            (Some(_), Some(node)) => vec![node],
            (Some((clip, frame)), None) => {
                let clip = self.graph.layout().clips[clip.index()].name.clone();
                return Err(FollowError::NoStart {
                    clip,
                    frame: frame.0,
                });
            }
        };
        nodes.retain(|&node| allowed.is_alive(node) && !self.plan.misses_switch(0, node, 0.0));
        Ok(nodes)
    }

    /// Of the places that a walk may start from, the `count` that can go on best by their estimate, the
    /// best first: those that a beam of that width would choose of all, for less than it takes to
    /// hand them over. Of most nodes' fans one place in four is looked at.
    pub(crate) fn best_starts(&self, nodes: &[NodeId], count: usize) -> Vec<Spot> {
        let parts = nodes.par_chunks(STARTS);
        let parts: Vec<Vec<(f64, Spot)>> = parts.map(|nodes| self.best_of(nodes, count)).collect();
        let mut best = parts.concat();
        // Stable, so that of equal ones the first is first, however they were parted.
        best.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        best.truncate(count.max(1));
        best.into_iter().map(|(_, spot)| spot).collect()
    }

    /// The same of some of them, with their estimates. Those that cost nothing by themselves come first: what they
    /// need is soon less than what the others cost, whose fans are then not read.
    pub(super) fn best_of(&self, nodes: &[NodeId], count: usize) -> Vec<(f64, Spot)> {
        let ahead = self.guide_ahead(0.0);
        let mut best: Vec<(f64, Spot)> = Vec::with_capacity(count + 1);
        let mut limit = f64::INFINITY;
        let prices = nodes.iter().map(|&node| (self.start_price(node), node));
        let (free, dear): (Vec<_>, Vec<_>) = prices.partition(|(price, _)| *price <= 0.0);
        for (price, node) in free.into_iter().chain(dear) {
            if price > limit {
                continue;
            }
            let spot = self.start_at(node);
            let goals = self.goals_towards(&spot, &ahead);
            let estimate = self.estimate_below(&spot, &goals, limit);
            if !(estimate.is_finite() && estimate <= limit) {
                continue;
            }
            let at = best.partition_point(|(kept, start)| {
                kept.total_cmp(&estimate)
                    .then(start.node.cmp(&node))
                    .is_le()
            });
            best.insert(at, (estimate, spot));
            best.truncate(count.max(1));
            if best.len() == count.max(1) {
                limit = best[best.len() - 1].0;
            }
        }
        best
    }

    /// The node's first stretch of travel laid along the guide's.
    pub(crate) fn start_at(&self, node: NodeId) -> Spot {
        let (first, ahead) = (self.guide.point_at(0.0), self.guide.point_at(STRETCH));
        let wanted = (ahead[0] - first[0]).atan2(ahead[1] - first[1]);
        let to = Planar::new(first[0], first[1], wanted);
        let at = start_at(self.graph, node, STRETCH, to);
        Spot {
            node,
            section: 0,
            done: false,
            spare: 0,
            late: 0,
            owed: self.start_price(node) as f32,
            along: 0.0,
            at,
        }
    }

    /// What it costs to start at a node: where nobody stands, and by whim.
    pub(super) fn start_price(&self, node: NodeId) -> f64 {
        let place = self.graph.layout().places[node.0 as usize];
        let stands = self.stays(place);
        let whim = match self.options.variety > 0.0 {
            true => {
                self.options.variety
                    * START_WHIM
                    * start_whim(self.options.seed, stretch_of(place, self.rate()))
            }
            false => 0.0,
        };
        whim + if stands { 0.0 } else { self.stand_prices[0] }
    }

    /// Whether a walk begins and ends in a stand.
    pub(crate) fn stands(&self, start: &Spot, best: &Walk<Step, Spot>) -> [bool; 2] {
        let first = self.graph.layout().places[start.node.0 as usize];
        let ends = best.steps.last().is_some_and(|step| {
            let edge = self.graph.edge(step.edge);
            let last = self.graph.frames(edge).saturating_sub(best.end.spare + 1);
            self.stands_in(edge, last)
        });
        [self.stays(first), ends]
    }

    /// Whether its sections' motion has stands at all, for the first frame and for the last.
    pub(crate) fn could_stand(&self) -> [bool; 2] {
        let has =
            |part: Option<&Part>| part.is_some_and(|part| has_stand(self.graph, &part.allowed));
        [has(self.plan.parts.first()), has(self.plan.parts.last())]
    }

    /// Whether a figure stands in a frame and goes on standing.
    pub(super) fn stays(&self, place: Place) -> bool {
        let later = FrameId(place.frame.0 + self.rate().frames_in(STOOD) as u32);
        let then = Place {
            frame: later,
            ..place
        };
        self.graph.stands(place) && self.graph.stands(then)
    }

    /// Whether a figure stands in the frame of an edge with this number.
    pub(super) fn stands_in(&self, edge: &Edge, frame: u32) -> bool {
        let Place { clip, frame: first } = self.graph.layout().places[edge.from.0 as usize];
        let place = Place {
            clip,
            frame: FrameId(first.0 + frame),
        };
        let stood = self.rate().frames_in(STOOD) as u32;
        let before = Place {
            clip,
            frame: FrameId(place.frame.0.saturating_sub(stood)),
        };
        edge.kind() == EdgeKind::Play && self.graph.stands(place) && self.graph.stands(before)
    }
}

/// What it costs to begin and to end without a stand: nothing where there is none to be had.
pub(super) fn stand_prices(
    graph: &impl Edges,
    plan: &SectionPlan,
    options: &FollowOptions,
) -> [f64; 2] {
    let has = |part: Option<&Part>| part.is_some_and(|part| has_stand(graph, &part.allowed));
    let price = |stand: Stand, part| match stand {
        Stand::Never => 0.0,
        _ if !has(part) => 0.0,
        wanted => wanted.price(),
    };
    let from = match options.start {
        Some(_) => Stand::Never,
        None => options.from_stand,
    };
    let (first, last) = (plan.parts.first(), plan.parts.last());
    [price(from, first), price(options.to_stand, last)]
}

/// How little a start pleases, by seed, the same for all of half a second. [0 to 1]
fn start_whim(seed: u64, stretch: u64) -> f64 {
    Random::new(seed).fork(stretch).unit()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::path::GroundPath;
    use crate::repertoire::Repertoire;
    use afoot_core::Clip;
    use afoot_graph::{GraphOptions, build_graph};
    use afoot_run::Run;
    use afoot_sample::{SampleOptions, sample_library};
    use afoot_search::Problem;

    fn sampled() -> Repertoire {
        let mut clips: Vec<Clip> = sample_library(&SampleOptions::default());
        let names = ["walk", "start", "stop", "stand", "walk_turn_left"];
        clips.retain(|clip| names.contains(&clip.name.as_str()));
        let options = GraphOptions {
            threshold_cm: 8.0,
            ..GraphOptions::default()
        };
        let graph = build_graph(&clips, &options, &Run::quiet()).unwrap().0;
        Repertoire::new(graph, &clips).unwrap()
    }

    #[test]
    fn the_best_starts_are_the_best_of_all() {
        let graph = sampled();
        let bend = (0..60).map(|step| [0.002 * f64::from(step * step), 0.1 * f64::from(step)]);
        let path = GroundPath::new(bend.collect()).unwrap();
        for from_stand in [Stand::Never, Stand::IfItCan, Stand::Always] {
            let options = FollowOptions {
                from_stand,
                ..FollowOptions::default()
            };
            let plan = SectionPlan::new(&graph, &path, &options).unwrap();
            let guide = path.guide(&options.guide);
            let problem = Following::new(&graph, &guide, &plan, &options);
            let nodes = problem.start_nodes().unwrap();
            let mut all: Vec<(f64, NodeId)> = nodes
                .iter()
                .map(|node| (problem.estimate(&problem.start_at(*node)), *node))
                .collect();
            all.sort_by(|(a, _), (b, _)| a.total_cmp(b));
            for count in [1, 10, 100] {
                let expected: Vec<NodeId> = all.iter().take(count).map(|(_, node)| *node).collect();
                let found = problem.best_starts(&nodes, count);
                let found: Vec<NodeId> = found.iter().map(Spot::node).collect();
                assert_eq!(found, expected, "{from_stand:?} {count}");
            }
        }
    }
}
