//! Which states and which transitions look well: where the path leads on, held against the look-ahead (`fan`).

use std::sync::atomic::Ordering;

use afoot_graph::{EdgeId, EdgeKind};

use super::problem::Following;
use super::spot::Spot;
use crate::edges::Edges;
use crate::fan::{SAMPLES, STRETCH, Way};

/// Transitions of a node that a beam tries. Two leave it to other kinds of walk: with all of them,
/// near copies of a few crowd it, which took twice the time and, on 24 walks and on an hour of motion, had
/// half as much error again (`docs/following.md`).
const MOST_TRIED: usize = 2;

/// Where the guide goes on from a state, in the axes of its node's clip.
pub(super) struct Goals {
    places: Way,
    /// How many of them lie before the guide's end.
    pub(super) count: usize,
}

impl Goals {
    /// Those before the guide's end.
    fn ahead(&self) -> &[[f32; 2]] {
        &self.places[..self.count]
    }
}

/// Transitions of a node that are tried, by their look-ahead.
pub(super) struct Promising {
    first: EdgeId,
    /// Of each from the first on; empty where all are tried.
    errors: Vec<f32>,
    limit: f32,
}

impl Promising {
    #[inline]
    pub(super) fn contains(&self, edge: EdgeId) -> bool {
        let number = edge.0.checked_sub(self.first.0);
        let error = number.and_then(|number| self.errors.get(number as usize));
        error.is_none_or(|error| *error <= self.limit)
    }
}

impl<G: Edges> Following<'_, G> {
    /// Where the guide goes on from a state.
    #[inline]
    pub(super) fn goals(&self, spot: &Spot) -> Goals {
        self.goals_towards(spot, &self.guide_ahead(spot.along))
    }

    /// The guide's next places, a stretch apart.
    #[inline]
    pub(super) fn guide_ahead(&self, along: f64) -> [[f64; 2]; SAMPLES] {
        std::array::from_fn(|index| self.guide.point_at(along + (index + 1) as f64 * STRETCH))
    }

    #[inline]
    pub(super) fn goals_towards(&self, spot: &Spot, ahead: &[[f64; 2]; SAMPLES]) -> Goals {
        let root = self.graph.root_at(spot.node);
        let here = spot.at.point([root.x, root.z]);
        let relative = |ahead: [f64; 2]| {
            let apart = spot.at.undo_turn([ahead[0] - here[0], ahead[1] - here[1]]);
            apart.map(|value| value as f32)
        };
        let left = (self.guide.length() - spot.along) / STRETCH;
        Goals {
            places: ahead.map(relative),
            count: (left as usize).min(SAMPLES),
        }
    }

    /// What is owed and the best way of the node's fan adds; infinite if that is surely more than `limit`.
    #[inline]
    pub(super) fn estimate_below(&self, spot: &Spot, goals: &Goals, limit: f64) -> f64 {
        let owed = f64::from(spot.owed);
        // A little more, for what is lost by rounding.
        let below = ((limit - owed) / self.stretch_frames * (1.0 + 1e-6) + 1e-9) as f32;
        let fans = &self.fans[usize::from(spot.section)];
        let least = fans.least_error(spot.node, goals.ahead(), self.quartic as f32, below);
        match least < below {
            true => self.stretch_frames * f64::from(least) + owed,
            false => f64::INFINITY,
        }
    }

    /// Which edges are worth being held against the path frame by frame: those that play on, and of
    /// the transitions the [`MOST_TRIED`] whose next stretches lie nearest to it. Nodes of a large
    /// library have dozens that lead to much the same. All, where a change of section may need others.
    #[inline]
    pub(super) fn promising(&self, spot: &Spot, section: usize) -> Promising {
        let edges = self.graph.layout().edges_from(spot.node);
        let first = EdgeId(self.graph.layout().first_edge[spot.node.0 as usize]);
        let plays = edges.partition_point(|edge| edge.kind() == EdgeKind::Play);
        let all = Promising {
            first: EdgeId(first.0 + plays as u32),
            errors: Vec::new(),
            limit: f32::INFINITY,
        };
        let count = edges.len() - plays;
        let last = section + 1 == self.plan.parts.len();
        if !(self.choosy.load(Ordering::Relaxed) && last && count > MOST_TRIED) {
            return all;
        }
        let goals = self.goals(spot);
        if goals.count == 0 {
            return all;
        }
        let fans = &self.fans[section];
        let errors = fans.errors_of_own(spot.node, goals.ahead(), self.quartic as f32);
        let mut least = [f32::INFINITY; MOST_TRIED];
        for &error in &errors {
            if error < least[MOST_TRIED - 1] {
                let at = least.partition_point(|kept| *kept <= error);
                least[at..].rotate_right(1);
                least[at] = error;
            }
        }
        Promising {
            limit: least[MOST_TRIED - 1],
            errors,
            ..all
        }
    }
}
