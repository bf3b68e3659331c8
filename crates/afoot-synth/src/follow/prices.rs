//! What a step along a path costs beside its distance from it: its transition, its manner, its pace, a whim.

use afoot_core::Locomotion;
use afoot_graph::{Edge, EdgeId, EdgeKind};

use super::problem::Following;
use super::pursuit::Pursuit;
use super::sections::Part;
use super::spot::{Spot, Step};
use crate::edges::{EdgeCosts, Edges, Join};
use crate::steps::whim;

/// Farther off the path a walk is given up. [m]
const LOST: f64 = 1.5;
/// Stands that are asked for at the ends of a path lie this near to them, and there slowness costs less, so that
/// who stops does it soon. [m]
pub(super) const END_ZONE: f64 = 1.0;
const END_SHARE: f64 = 0.25;
/// From which share of the usual pace on a walker slows down, and at which he all but halts.
const SLOW: [f64; 2] = [0.6, 0.3];
/// The guide is looked at so far before and behind a place, and turns there if the cosine is less: 35°. [m]
const BESIDE: f64 = 0.4;
const TURNS: f64 = 0.82;
/// Slower than this nobody travels. [m/s]
const TRAVELS: f64 = 0.5;
/// Edges that the usual pace is taken from, at most.
const PACED: usize = 20_000;
const JOIN_WHIM: f64 = 0.05;

impl<G: Edges> Following<'_, G> {
    /// What a step costs in all; `None` if it strays off. [m²]
    #[inline]
    pub(super) fn error_of(&self, spot: &Spot, step: Step, pursuit: &Pursuit) -> Option<f64> {
        if pursuit.farthest_off > LOST * LOST {
            return None;
        }
        let edge = self.graph.edge(step.edge);
        let section = usize::from(step.section);
        let manner = self.costs[section](edge) + self.slowness(spot, section, pursuit);
        let error = pursuit.error * self.whim(step.edge) + self.join_error(edge) + manner;
        Some(error + self.join_whim(step.edge, edge) + f64::from(spot.owed))
    }

    /// What it costs to go slowly where the guide leads straight on: as an odd frame, where one all but halts.
    /// Else whoever waits on the path pays nothing. Of the last edge only what plays up to the guide's end counts. [m²]
    #[inline]
    fn slowness(&self, spot: &Spot, section: usize, pursuit: &Pursuit) -> f64 {
        let Some(usual) = self.paces[section] else {
            return 0.0;
        };
        let (along, frames) = (pursuit.along, pursuit.frames as u32);
        let seconds = f64::from(frames.max(1)) * self.rate().frame_time();
        let pace = (along - spot.along) / seconds / usual;
        let slow = ((pace - SLOW[0]) / (SLOW[1] - SLOW[0])).clamp(0.0, 1.0);
        let ends = spot.along < END_ZONE || along > self.guide.length() - END_ZONE;
        if slow == 0.0 || (!ends && self.guide_turns(along)) {
            return 0.0;
        }
        let share = if ends { END_SHARE } else { 1.0 };
        self.options.preference.weight * share * slow * f64::from(frames)
    }

    fn guide_turns(&self, along: f64) -> bool {
        let way = |along: f64| self.guide.frame_at(along.clamp(0.0, self.guide.length())).1;
        let ([a, b], [c, d]) = (way(along - BESIDE), way(along + BESIDE));
        a * c + b * d < TURNS
    }

    /// How little a transition pleases, by seed. [m²]
    #[inline]
    fn join_whim(&self, id: EdgeId, edge: &Edge) -> f64 {
        match edge.kind() {
            EdgeKind::Transition(_) if self.options.variety > 0.0 => {
                self.options.variety * JOIN_WHIM * whim(self.options.seed, id)
            }
            _ => 0.0,
        }
    }

    /// A transition's price and its error over its window, as that of the path is counted. [m²]
    #[inline]
    fn join_error(&self, edge: &Edge) -> f64 {
        let Some(Join { error: metres, .. }) = self.graph.join(edge) else {
            return 0.0;
        };
        let own = metres * metres * f64::from(self.graph.frames(edge));
        self.options.join_cost + self.options.join_weight * own
    }

    #[inline]
    fn whim(&self, edge: EdgeId) -> f64 {
        if self.options.variety <= 0.0 {
            return 1.0;
        }
        1.0 + self.options.variety * whim(self.options.seed, edge)
    }
}

/// How fast motion that may be played, and does what is meant, goes as a rule: the median over its frames.
pub(super) fn usual_pace<G: Edges>(
    graph: &G,
    part: &Part,
    costs: &EdgeCosts,
    weight: f64,
) -> Option<f64> {
    let is_gait = |label: &String| Locomotion::from_name(label).is_some();
    if weight <= 0.0 || !part.labels.iter().all(is_gait) {
        return None;
    }
    let layout = graph.layout();
    let frame_time = layout.rate.frame_time();
    let stride = layout.edges.len().div_ceil(PACED).max(1);
    let paced = |(id, edge): (EdgeId, &Edge)| {
        let frames = graph.frames(edge).max(1);
        let meant = costs(edge) < 0.5 * weight * f64::from(frames);
        let plays = edge.kind() == EdgeKind::Play && part.allowed.allows(id);
        let pace = graph.edge_length(edge) / (f64::from(frames) * frame_time);
        (plays && meant && pace > TRAVELS).then_some((pace, frames))
    };
    let edges = (0..).map(EdgeId).zip(layout.edges.iter()).step_by(stride);
    let mut paces: Vec<(f64, u32)> = edges.filter_map(paced).collect();
    paces.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = paces
        .iter()
        .map(|(_, frames)| u64::from(*frames))
        .sum::<u64>()
        / 2;
    let mut seen = 0;
    paces.iter().find_map(|(pace, frames)| {
        seen += u64::from(*frames);
        (seen > half).then_some(*pace)
    })
}
