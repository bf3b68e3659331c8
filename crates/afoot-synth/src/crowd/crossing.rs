//! One character's way among the others as a search problem, in space and time at once.
//!
//! A state knows its frame, so that each edge's root trace is held against where everyone is at
//! those very frames. The error of an edge: ground not won towards the goal against the greatest
//! pace, so that detours and waits cost what they lose; being near others; another pace than the
//! character's, another manner than is wished; the transition's own; and a whim by seed, so that no two walk alike. [m]

use afoot_core::Planar;
use afoot_graph::{Edge, EdgeId, LabelSet, NodeId};
use afoot_search::{Problem, Staged};

use super::others::Others;
use crate::allowed::Allowed;
use crate::edges::{EdgeCosts, Edges};
use crate::rigid::Rigid;
use crate::steps::{FASTEST, start_at, whim};
use afoot_world::{Field, Ground};

/// A goal counts as reached from here: who must turn at it can't do so on a spot. [m]
const REACHED: f64 = 0.7;
/// Error of a second spent at the least distance from someone. [m]
const CROWDED: f64 = 1.0;
/// Error of a second at a pace off by one metre a second; at eight times this, twice as many plans
/// for a dense crowd fail: who may not hurry or dawdle finds fewer gaps. [m]
const OFF_PACE: f64 = 0.5;
/// Error of a transition per metre of its own error. [m]
const JOIN: f64 = 1.0;
/// Error of a cost by preference: a second of hopping is as bad as two metres that are not won. [1/m]
const MANNER: f64 = 1.7;
/// Greatest whim, per second. [m]
const WHIM: f64 = 0.3;
/// Travel whose direction is that of a start. [m]
const FIRST_TRAVEL: f64 = 0.3;
/// States this close can stand for each other. [m, rad]
const SAME_PLACE: f64 = 0.12;
const SAME_HEADING: f64 = 0.25;

/// What stays away from whom. [m]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// From root to root at least.
    pub(crate) apart: f64,
    /// From root to root where nearness stops to matter.
    pub(crate) ease: f64,
    /// From the root to obstacles at least.
    pub(crate) clear: f64,
}

/// What one character is about.
pub(crate) struct Errand<'a> {
    pub(crate) start: [f64; 2],
    pub(crate) goals: Vec<&'a Field>,
    /// [m/s]
    pub(crate) pace: f64,
    pub(crate) variety: f64,
    pub(crate) seed: u64,
    pub(crate) frames: u32,
}

/// What the rest of a walk depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    node: NodeId,
    frame: u32,
    goal: u32,
    /// To the goal. [m]
    left: f64,
    at: Rigid,
}

impl Spot {
    pub(crate) fn node(&self) -> NodeId {
        self.node
    }

    pub(crate) fn placement(&self) -> Planar {
        self.at.planar()
    }

    /// Goals reached.
    pub(crate) fn goals(&self) -> usize {
        self.goal as usize
    }

    pub(crate) fn frame(&self) -> u32 {
        self.frame
    }
}

pub(crate) struct Crossing<'a, G> {
    pub(crate) repertoire: &'a G,
    pub(crate) allowed: &'a Allowed,
    /// What edges cost by how they move.
    pub(crate) costs: &'a EdgeCosts<'a>,
    pub(crate) ground: &'a Ground<'a>,
    pub(crate) others: &'a Others,
    pub(crate) rules: &'a [Rule],
    pub(crate) room: Room,
    pub(crate) errand: Errand<'a>,
}

/// A region with what may be done in it.
pub(crate) struct Rule {
    pub(crate) region: afoot_world::Region,
    /// One of these; `None` allows all.
    pub(crate) only: Option<LabelSet>,
    pub(crate) never: LabelSet,
}

impl Rule {
    fn forbids(&self, labels: LabelSet, point: [f64; 2]) -> bool {
        let meets = |set: LabelSet| set.0 & labels.0 != 0;
        let wrong = self.only.is_some_and(|only| !meets(only)) || meets(self.never);
        wrong && self.region.covers(point)
    }
}

impl<G: Edges> Crossing<'_, G> {
    /// A state at the errand's start whose first travel goes that way. [rad]
    pub(crate) fn start_at(&self, node: NodeId, yaw: f64) -> Spot {
        let [x, z] = self.errand.start;
        Spot {
            node,
            frame: 0,
            goal: 0,
            left: self.ground.distance(self.goal(0), self.errand.start),
            at: start_at(self.repertoire, node, FIRST_TRAVEL, Planar::new(x, z, yaw)),
        }
    }

    /// They come again after the last.
    fn goal(&self, index: u32) -> &Field {
        self.errand.goals[index as usize % self.errand.goals.len()]
    }

    fn take(&self, spot: &Spot, id: EdgeId, edge: &Edge) -> Option<(f64, Spot)> {
        let trace = self.repertoire.trace(edge).points;
        let crowded = self.crowding(spot, trace, edge.labels)?;
        let at = self.repertoire.after(edge, &spot.at);
        let root = self.repertoire.root_at(edge.to);
        let here = at.point([root.x, root.z]);
        let mut left = self.ground.distance(self.goal(spot.goal), here);
        if !left.is_finite() {
            return None;
        }
        let seconds = trace.len() as f64 * self.repertoire.layout().rate.frame_time();
        // Against the fastest, so that no error is below 0.
        let lost = (FASTEST * seconds - (spot.left - left)).max(0.0);
        let off = self.repertoire.edge_length(edge) / seconds - self.errand.pace;
        let error = lost
            + CROWDED * crowded
            + OFF_PACE * off * off * seconds
            + MANNER * (self.costs)(edge)
            + JOIN * self.repertoire.join(edge).map_or(0.0, |join| join.error)
            + WHIM * (self.errand.variety * whim(self.errand.seed, id)) * seconds;
        let mut goal = spot.goal;
        if left < REACHED {
            goal += 1;
            left = self.ground.distance(self.goal(goal), here);
        }
        let frame = spot.frame + trace.len() as u32;
        let node = edge.to;
        Some((
            error,
            Spot {
                node,
                frame,
                goal,
                left,
                at,
            },
        ))
    }

    /// Seconds near others, each as much as it is near; `None` where the way is blocked.
    fn crowding(&self, spot: &Spot, trace: &[[f32; 2]], labels: LabelSet) -> Option<f64> {
        let Room { apart, ease, clear } = self.room;
        let mut crowded = 0.0;
        for (frame, &point) in (spot.frame..self.errand.frames).zip(trace) {
            let point = spot.at.point32(point);
            let nearest = self.others.nearest_squared(frame as usize, point);
            let blocked = nearest < apart * apart || !self.ground.is_free(point, clear);
            if blocked || self.rules.iter().any(|rule| rule.forbids(labels, point)) {
                return None;
            }
            if nearest < ease * ease {
                crowded += ((ease - nearest.sqrt()) / (ease - apart)).powi(2);
            }
        }
        Some(crowded * self.repertoire.layout().rate.frame_time())
    }
}

impl<G: Edges> Problem for Crossing<'_, G> {
    type State = Spot;
    type Step = EdgeId;

    fn successors(&self, spot: &Spot, mut out: impl FnMut(EdgeId, f64, Spot)) {
        for (id, edge) in self.repertoire.edges_from(spot.node) {
            let allowed = self.allowed.allows(id);
            let taken = allowed.then(|| self.take(spot, id, edge)).flatten();
            if let Some((error, next)) = taken {
                out(id, error, next);
            }
        }
    }

    fn is_complete(&self, spot: &Spot) -> bool {
        spot.frame >= self.errand.frames
    }
}

impl<G: Edges> Staged for Crossing<'_, G> {
    /// Errors compare among walks of equal length only.
    fn stage(&self, spot: &Spot) -> u64 {
        u64::from(spot.frame)
    }

    /// Without the node: the beam should spread over the ground rather than over the clips.
    fn bucket(&self, spot: &Spot) -> u64 {
        let root = self.repertoire.root_at(spot.node);
        let [x, z] = spot.at.point([root.x, root.z]);
        let heading = spot.at.planar().yaw + root.yaw;
        let cell = |value: f64, size: f64| (value / size).round() as i64 as u64;
        (cell(x, SAME_PLACE) & 0xff_ffff) << 40
            | (cell(z, SAME_PLACE) & 0xff_ffff) << 16
            | (cell(heading.sin(), SAME_HEADING) & 0xf) << 12
            | (cell(heading.cos(), SAME_HEADING) & 0xf) << 8
            | u64::from(spot.goal & 0xff)
    }
}
