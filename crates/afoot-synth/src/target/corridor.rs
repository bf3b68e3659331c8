//! The last stretch before a clip that (nearly) every way to it goes through.
//!
//! Some clips have few transitions into them, and these come from clips that have few as well: the
//! rest of the walk is then fixed long before the clip begins. Each node's shortest chain of edges
//! into the clip (in frames) forms a tree; the nodes that the chains of at least half of all nodes
//! go through are the corridor. A search has to aim at its far end, not at the clip.

use std::cmp::Reverse;

use afoot_graph::{Edge, EdgeId, EdgeKind, NodeId};
use afoot_search::Start;

use crate::allowed::Allowed;
use crate::edges::Edges;
use crate::steps::least_sums_to;

/// The corridor before a clip.
pub(crate) struct Corridor {
    /// From the clip backwards; empty where there is none.
    pub(crate) nodes: Vec<NodeId>,
    /// How many nodes lead into the clip.
    pub(crate) reaching: usize,
    /// The first edge of each node's chain.
    first: Vec<Option<First>>,
}

/// Where a node's chain goes first.
#[derive(Clone, Copy)]
struct First {
    edge: EdgeId,
    to: NodeId,
    /// Whether that leads into the clip.
    last: bool,
}

impl Corridor {
    /// Before the nodes that `entry_of` numbers, which are entered by transitions.
    pub(crate) fn new(graph: &impl Edges, allowed: &Allowed, entry_of: &[Option<u32>]) -> Self {
        let layout = graph.layout();
        let frames = |edge: &Edge| graph.frames(edge) as f32;
        let enters =
            |edge: &Edge| edge.kind() != EdgeKind::Play && entry_of[edge.to.0 as usize].is_some();
        let ends = layout.edges.iter().filter(|edge| enters(edge));
        let ends = ends.map(|edge| Start {
            node: edge.from.0,
            sum: frames(edge),
        });
        let sums = least_sums_to(graph, allowed, ends, frames);
        // A node's first edge: the one with the least frames from there on.
        let first = |node: usize| {
            let on = |(id, edge): (EdgeId, &Edge)| {
                let last = enters(edge);
                let rest = if last { 0.0 } else { sums[edge.to.0 as usize] };
                (last || allowed.allows(id)).then(|| (frames(edge) + rest, id, edge.to, last))
            };
            let edges = graph.edges_from(NodeId(node as u32)).filter_map(on);
            let (_, edge, to, last) = edges.min_by(|a, b| a.0.total_cmp(&b.0))?;
            sums[node].is_finite().then_some(First { edge, to, last })
        };
        let mut corridor = Self {
            nodes: Vec::new(),
            reaching: 0,
            first: (0..layout.places.len()).map(first).collect(),
        };
        corridor.find_nodes(&sums, allowed, entry_of);
        corridor
    }

    /// The edges from a node into the clip.
    pub(crate) fn chain(&self, node: NodeId) -> Vec<EdgeId> {
        let mut chain = Vec::new();
        let mut at = node;
        while let Some(first) = self.first[at.0 as usize] {
            chain.push(first.edge);
            if first.last {
                break;
            }
            at = first.to;
        }
        chain
    }

    /// Counts how many nodes' chains go through each node, from the farthest on.
    fn find_nodes(&mut self, sums: &[f32], allowed: &Allowed, entry_of: &[Option<u32>]) {
        let mut order: Vec<usize> = (0..sums.len()).filter(|&n| sums[n].is_finite()).collect();
        order.sort_by_key(|&node| Reverse((sums[node].to_bits(), node)));
        let starts = |node: usize| usize::from(sums[node].is_finite() && allowed.alive()[node]);
        let mut through: Vec<usize> = (0..sums.len()).map(starts).collect();
        self.reaching = through.iter().sum();
        for &node in &order {
            if let Some(first) = self.first[node].filter(|first| !first.last) {
                through[first.to.0 as usize] += through[node];
            }
        }
        let narrow = |node: &usize| 2 * through[*node] > self.reaching && entry_of[*node].is_none();
        let nodes = order.into_iter().rev().filter(narrow);
        self.nodes = nodes.map(|node| NodeId(node as u32)).collect();
    }
}
