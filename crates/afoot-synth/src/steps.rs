//! What searches over the graph's edges share, whatever they are after: where a walk may start, what
//! a transition costs, and a whim by seed.
//!
//! States, stages and errors are each search's own: a place along a path (`follow`, and `target` on
//! top of it) and a frame among others (`crowd`) have no common state to be kept in.

use afoot_core::Planar;
use afoot_graph::{Edge, EdgeId, EdgeKind, NodeId};
use afoot_search::Random;

use crate::repertoire::Repertoire;
use crate::rigid::Rigid;

/// Fastest that anyone gets ahead: a sprint. [m/s]
pub(crate) const FASTEST: f64 = 9.0;

/// Carries a node's clip so that its root is at `to` and its first `stretch` of travel goes the way
/// that `to` faces; who stands there faces it. [m]
pub(crate) fn start_at(repertoire: &Repertoire, node: NodeId, stretch: f64, to: Planar) -> Rigid {
    let root = repertoire.root_at(node);
    let [x, z] = repertoire.travel_from(node, stretch);
    let heading = if x.hypot(z) > 0.1 * stretch {
        x.atan2(z)
    } else {
        root.yaw
    };
    Planar::carrying(Planar::new(root.x, root.z, heading), to).into()
}

/// The error of an edge's transition; `None` of captured motion that plays on. [m]
pub(crate) fn join_error(repertoire: &Repertoire, edge: &Edge) -> Option<f64> {
    match edge.kind() {
        EdgeKind::Play => None,
        EdgeKind::Jump(transition) => {
            let transition = &repertoire.graph().transitions[transition.0 as usize];
            Some(f64::from(transition.error_cm) / 100.0)
        }
    }
}

/// How little an edge pleases, by seed, the same each time. [0 to 1]
pub(crate) fn whim(seed: u64, edge: EdgeId) -> f64 {
    Random::new(seed).fork(u64::from(edge.0)).unit()
}
