//! Where a transition can be left before it has ended.
//!
//! In the second half of a blend the motion is nearly that of the clip it leads to. At that clip's
//! nodes another transition may start then, out of what is left of the blend instead of the clip.
//! It saves up to half a transition when the wish changes, or a turn takes several in a row.
//! Weakness: feet that two blends disagree about slide a little more before they are cleaned.

use afoot_graph::{Edge, EdgeKind, NodeId};

use crate::edges::Layout;

/// A node that a transition passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leave {
    /// How many frames of the transition have played then.
    pub(super) frames: u32,
    /// The node of the clip that it leads to.
    pub(super) node: NodeId,
}

/// The nodes at which an edge of so many frames can be left, last to first; those from which its clip plays on.
pub(super) fn leaves<'a>(
    layout: Layout<'a>,
    edge: &Edge,
    frames: u32,
) -> impl Iterator<Item = Leave> + use<'a> {
    let end = edge.to;
    let end_frame = layout.places[end.0 as usize].frame.0;
    let first = match edge.kind() {
        EdgeKind::Transition(_) => end_frame.saturating_sub(frames / 2),
        EdgeKind::Play => end_frame,
    };
    (0..end.0)
        .rev()
        .map(NodeId)
        .take_while(move |&node| {
            let next = layout.edges_from(node).first();
            let plays_on = next.is_some_and(|e| e.kind() == EdgeKind::Play && e.to.0 == node.0 + 1);
            plays_on && layout.places[node.0 as usize].frame.0 >= first
        })
        .map(move |node| Leave {
            frames: frames + layout.places[node.0 as usize].frame.0 - end_frame,
            node,
        })
}

#[cfg(test)]
mod tests {
    use afoot_core::{ClipId, FrameId, FrameRate};
    use afoot_graph::{GraphClip, LabelSet, MotionGraph, Place, Transition, TransitionId};

    use super::*;

    /// Clips of 100 frames; clip 1 has nodes at the frames given and plays from each to the next,
    /// clip 0 has one node, whose transition of 10 frames resumes clip 1 at frame 40.
    fn graph(frames: &[u32]) -> MotionGraph {
        let place = |clip: usize, frame: u32| Place {
            clip: ClipId::from(clip),
            frame: FrameId(frame),
        };
        let mut nodes = vec![place(0, 50)];
        nodes.extend(frames.iter().map(|&frame| place(1, frame)));
        let to = nodes.iter().position(|&n| n == place(1, 40));
        let edge = |from: usize, to: usize, kind: EdgeKind| {
            let [from, to] = [from, to].map(|node| NodeId(node as u32));
            Edge::new(from, to, kind, LabelSet(0))
        };
        let jump = EdgeKind::Transition(TransitionId(0));
        let mut edges = vec![edge(0, to.unwrap_or(0), jump)];
        edges.extend((1..frames.len()).map(|node| edge(node, node + 1, EdgeKind::Play)));
        let mut first_edge: Vec<u32> = (0..edges.len() as u32 + 1).collect();
        first_edge.push(edges.len() as u32);
        let clip = || GraphClip {
            name: String::new(),
            frames: 100,
        };
        MotionGraph {
            clips: vec![clip(), clip()],
            rate: FrameRate::FPS_30,
            window: 10,
            vocabulary: Vec::new(),
            transitions: vec![Transition::new(nodes[0], place(1, 40), 1.0)].into(),
            nodes: nodes.into(),
            edges: edges.into(),
            first_edge: first_edge.into(),
            traces: Default::default(),
        }
    }

    fn left(graph: &MotionGraph, edge: usize) -> Vec<Leave> {
        let layout = Layout {
            rate: graph.rate,
            vocabulary: &graph.vocabulary,
            clips: &graph.clips,
            places: &graph.nodes,
            first_edge: &graph.first_edge,
            edges: &graph.edges,
            runs: &Default::default(),
        };
        let edge = &graph.edges[edge];
        leaves(layout, edge, graph.edge_frames(edge)).collect()
    }

    fn check(frames: &[u32], expected: &[(u32, u32)]) {
        let graph = graph(frames);
        let found = left(&graph, 0);
        let found = found.iter().map(|leave| (leave.frames, leave.node.0));
        assert_eq!(found.collect::<Vec<_>>(), expected, "{frames:?}");
    }

    #[test]
    fn transitions_are_left_in_their_second_half() {
        check(&[30, 34, 35, 38, 40, 44], &[(8, 4), (5, 3)]);
        check(&[40], &[]);
        check(&[10, 40, 41], &[]);
        check(&[39, 40], &[(9, 1)]);
    }

    #[test]
    fn captured_motion_is_left_at_its_nodes_alone() {
        let graph = graph(&[35, 38, 40]);
        assert!(left(&graph, 2).is_empty());
    }
}
