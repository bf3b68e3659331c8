//! Where a transition can be left before it has ended.
//!
//! In the second half of a blend the motion is nearly that of the clip it leads to. At that clip's
//! nodes another transition may start then, out of what is left of the blend instead of the clip.
//! It saves up to half a transition when the wish changes, or a turn takes several in a row.

use afoot_graph::{Edge, EdgeKind, MotionGraph, NodeId};

/// A node that a transition passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leave {
    /// How many frames of the transition have played then.
    pub(super) frames: u32,
    /// The node of the clip that it leads to.
    pub(super) node: NodeId,
}

/// The nodes at which an edge can be left, last to first; those from which its clip plays on.
pub(super) fn leaves<'a>(
    graph: &'a MotionGraph,
    edge: &Edge,
) -> impl Iterator<Item = Leave> + use<'a> {
    let end = edge.to;
    let end_frame = graph.nodes[end.0 as usize].frame.0;
    let first = match edge.kind {
        EdgeKind::Jump(_) => (end_frame + graph.window.div_ceil(2)).saturating_sub(graph.window),
        EdgeKind::Play => end_frame,
    };
    (0..end.0)
        .rev()
        .map(NodeId)
        .take_while(move |&node| {
            let next = graph.edges_from(node).first();
            let plays_on = next.is_some_and(|e| e.kind == EdgeKind::Play && e.to.0 == node.0 + 1);
            plays_on && graph.nodes[node.0 as usize].frame.0 >= first
        })
        .map(move |node| Leave {
            frames: graph.window + graph.nodes[node.0 as usize].frame.0 - end_frame,
            node,
        })
}
