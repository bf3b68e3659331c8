//! What searches over the graph's edges share, whatever they are after: where a walk may start, what
//! is left to go from each node, and a whim by seed.
//!
//! States, stages and errors are each search's own: a place along a path (`follow`, and `target` on
//! top of it) and a frame among others (`crowd`) have no common state to be kept in.

use afoot_core::Planar;
use afoot_graph::{Edge, EdgeId, NodeId};
use afoot_search::{Arc, Arcs, Random, Start, least_sums};

use crate::allowed::Allowed;
use crate::edges::Edges;
use crate::rigid::Rigid;

/// Fastest that anyone gets ahead: a sprint. [m/s]
pub(crate) const FASTEST: f64 = 9.0;

/// Carries a node's clip so that its root is at `to` and its first `stretch` of travel goes the way
/// that `to` faces; who stands there faces it. [m]
pub(crate) fn start_at(graph: &impl Edges, node: NodeId, stretch: f64, to: Planar) -> Rigid {
    let root = graph.root_at(node);
    let [x, z] = graph.travel_from(node, stretch);
    let heading = if x.hypot(z) > 0.1 * stretch {
        x.atan2(z)
    } else {
        root.yaw
    };
    Planar::carrying(Planar::new(root.x, root.z, heading), to).into()
}

/// The least sum of `of`, not negative, over allowed edges from every node to one of `ends`, with
/// what is left there; infinite where none is reached.
pub(crate) fn least_sums_to(
    graph: &impl Edges,
    allowed: &Allowed,
    ends: impl IntoIterator<Item = Start>,
    of: impl Fn(&Edge) -> f32,
) -> Vec<f32> {
    let layout = graph.layout();
    let edges = (0..).map(EdgeId).zip(layout.edges);
    let backwards = edges
        .filter(|(id, _)| allowed.allows(*id))
        .map(|(_, edge)| Arc {
            from: edge.to.0,
            to: edge.from.0,
            length: of(edge),
        });
    least_sums(&Arcs::new(layout.places.len(), backwards), ends)
}

/// How little an edge pleases, by seed, the same each time. [0 to 1]
pub(crate) fn whim(seed: u64, edge: EdgeId) -> f64 {
    Random::new(seed).fork(u64::from(edge.0)).unit()
}
