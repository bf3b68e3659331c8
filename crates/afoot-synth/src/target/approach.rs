//! Coming into a clip as a search problem: a path followed, with the clip's entries as its end.

use afoot_search::{Problem, Staged};

use super::dubins::OVERSHOOT;
use super::goal::Goal;
use crate::edges::Edges;
use crate::follow::FollowOptions;
use crate::follow::problem::Following;
use crate::follow::spot::{Spot, Step};
use crate::guide::Guide;
use crate::walk::GraphWalk;

/// Travel beyond the place after which nobody comes in. [m]
const LATEST: f64 = 0.4;

/// A spot on the way, or the end of it in an entry.
#[derive(Clone, Debug)]
pub(crate) struct Spotted {
    spot: Spot,
    arrived: Option<u32>,
}

impl Spotted {
    /// The number of the entry that a complete walk ends in.
    pub(crate) fn entry(&self) -> u32 {
        self.arrived.expect("complete walks have arrived")
    }
}

/// Following a way that passes the place.
pub(crate) struct Approach<'a, G> {
    graph: &'a G,
    following: Following<'a, G>,
    goal: &'a Goal,
    /// Where along the way nobody comes in any more. [m]
    latest: f64,
    /// What each node has to go at the least. [m]
    left: &'a [f32],
}

/// Who is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Patience {
    /// Those who would pass the place if they went straight on.
    Brisk,
    /// Only those who would pass it whatever they do, shuffle to and fro or stand.
    Patient,
}

impl<'a, G: Edges> Approach<'a, G> {
    pub(crate) fn new(
        graph: &'a G,
        guide: &'a Guide,
        options: &'a FollowOptions,
        goal: &'a Goal,
        patience: Patience,
    ) -> Self {
        let place_along = guide.length() - OVERSHOOT;
        Self {
            graph,
            following: Following::new(graph, guide, &goal.plan, options),
            goal,
            latest: match patience {
                Patience::Brisk => place_along + LATEST,
                Patience::Patient => guide.length(),
            },
            left: match patience {
                Patience::Brisk => &goal.left.travel,
                Patience::Patient => &goal.left.creep,
            },
        }
    }

    pub(crate) fn starts(&self) -> Vec<Spotted> {
        let spots = self.following.starts().unwrap_or_default();
        let spotted = spots.into_iter().map(|spot| Spotted {
            spot,
            arrived: None,
        });
        spotted.filter(|start| !self.misses(&start.spot)).collect()
    }

    /// The walk of a list of steps.
    pub(crate) fn walk(&self, starts: &[Spotted], steps: &[Step]) -> GraphWalk {
        let first = steps.first().map(|step| self.following.edge_start(step));
        let start = starts.iter().find(|s| Some(s.spot.node()) == first);
        let start = &start.unwrap_or(&starts[0]).spot;
        GraphWalk {
            start: start.node(),
            placement: start.placement(),
            edges: steps.iter().map(|step| step.edge).collect(),
            spare: 0,
        }
    }

    /// Whether the place will be passed before any entry can be reached, by what `left` assumes.
    fn misses(&self, spot: &Spot) -> bool {
        let left = self.latest - spot.along();
        f64::from(self.left[spot.node().0 as usize]) > left
    }
}

impl<G: Edges> Problem for Approach<'_, G> {
    type State = Spotted;
    type Step = Step;

    fn successors(&self, state: &Spotted, mut out: impl FnMut(Step, f64, Spotted)) {
        self.following.successors(&state.spot, |step, error, spot| {
            if !spot.is_done() {
                let arrived = None;
                out(step, error, Spotted { spot, arrived });
            }
        });
        for (id, edge) in self.graph.edges_from(state.spot.node()) {
            let Some(number) = self.goal.entered_by(edge) else {
                continue;
            };
            let step = Step {
                edge: id,
                section: 0,
            };
            let Some((error, spot)) = self.following.take(&state.spot, step) else {
                continue;
            };
            if let Some(end) = self.goal.arrival_error(spot.placement(), number) {
                let arrived = Some(number);
                out(step, error + end, Spotted { spot, arrived });
            }
        }
    }

    fn is_complete(&self, state: &Spotted) -> bool {
        state.arrived.is_some()
    }

    /// That of the path followed; infinite for who will pass the place.
    fn estimate(&self, state: &Spotted) -> f64 {
        match self.misses(&state.spot) {
            true => f64::INFINITY,
            false => self.following.estimate(&state.spot),
        }
    }

    fn estimate_within(&self, state: &Spotted, limit: f64) -> f64 {
        match self.misses(&state.spot) {
            true => f64::INFINITY,
            false => self.following.estimate_within(&state.spot, limit),
        }
    }
}

impl<G: Edges> Staged for Approach<'_, G> {
    fn stage(&self, state: &Spotted) -> u64 {
        self.following.stage(&state.spot)
    }

    fn bucket(&self, state: &Spotted) -> u64 {
        self.following.bucket(&state.spot)
    }
}
