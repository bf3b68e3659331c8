//! From chosen transitions to nodes and edges, and the measures that pruning goes by.
//!
//! Kovar et al. 2002, §3: nodes where transitions leave and arrive and where labels change, play
//! edges between neighbours, others for transitions. What to keep of it is decided in `prune`.

use std::ops::Range;

use afoot_core::{ClipId, FrameId};

use crate::motion_graph::{Edge, EdgeKind, LabelSet, MotionGraph, NodeId, Place, TransitionId};
use crate::possible::PossibleTransition;
use afoot_search::{HeaviestComponent, Weighed, heaviest_component, strong_components};

/// What of each clip may be played, and what its frames are called.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Footage {
    /// Labels of each frame.
    pub labels: Vec<LabelSet>,
    /// Whether each frame may be played.
    pub usable: Vec<bool>,
}

/// Nodes and edges over footage.
pub(crate) struct Network {
    pub nodes: Vec<Place>,
    pub edges: Vec<Edge>,
    pub first_edge: Vec<u32>,
}

/// All nodes and edges; `possible` must be sorted by `from`, then `to`. Transition edges count them through.
pub(crate) fn assemble(footage: &[Footage], possible: &[PossibleTransition]) -> Network {
    let starts = node_flags(footage, possible);
    let (nodes, index) = number_nodes(&starts);
    let mut network = Network {
        first_edge: Vec::with_capacity(nodes.len() + 1),
        edges: Vec::new(),
        nodes,
    };
    let mut next = 0;
    for (number, &place) in network.nodes.iter().enumerate() {
        network.first_edge.push(network.edges.len() as u32);
        network
            .edges
            .extend(play_edge(footage, &network.nodes, number));
        while let Some(transition) = possible
            .get(next)
            .filter(|transition| transition.from <= place)
        {
            network.edges.push(Edge::new(
                NodeId(number as u32),
                NodeId(index[transition.to.clip.index()][transition.to.frame.index()]),
                EdgeKind::Transition(TransitionId(next as u32)),
                transition.labels,
            ));
            next += 1;
        }
    }
    network.first_edge.push(network.edges.len() as u32);
    network
}

/// Captured frames that the network holds: those that it plays, and those at which its transitions
/// leave and arrive (A_i and B_j of Kovar et al. 2002, §3.3; the blend shows them all but unmixed).
pub(crate) fn held_frames(footage: &[Footage], possible: &[PossibleTransition]) -> u64 {
    let mut held: Vec<Vec<bool>> = footage.iter().map(|clip| clip.usable.clone()).collect();
    possible
        .iter()
        .for_each(|transition| hold_ends(&mut held, transition));
    held.iter().flatten().filter(|held| **held).count() as u64
}

/// Counts the frames at which a transition leaves and arrives.
pub(crate) fn hold_ends(
    held: &mut [Vec<bool>],
    PossibleTransition { from, to, .. }: &PossibleTransition,
) {
    held[from.clip.index()][from.frame.index()] = true;
    held[to.clip.index()][to.frame.index() - 1] = true;
}

/// The component that plays the most frames, by edges where `allow` holds.
pub(crate) fn largest_component(network: &Network, allow: &[bool]) -> HeaviestComponent {
    let Network {
        nodes,
        first_edge,
        edges,
    } = network;
    component_of_most_frames(nodes, first_edge, edges, allow)
}

/// The component that plays the most frames, by edges where `allow` holds; `first` is where each node's edges
/// start, with one more entry than nodes.
pub fn component_of_most_frames(
    nodes: &[Place],
    first: &[u32],
    edges: &[Edge],
    allow: &[bool],
) -> HeaviestComponent {
    let allowed = |range: Range<usize>| {
        let range = range.filter(|edge| allow[*edge]);
        range.map(|edge| &edges[edge])
    };
    let (mut starts, mut targets) = (vec![0u32], Vec::new());
    for node in 0..nodes.len() {
        let own = first[node] as usize..first[node + 1] as usize;
        targets.extend(allowed(own).map(|edge| edge.to.0));
        starts.push(targets.len() as u32);
    }
    let plays = allowed(0..edges.len()).filter(|edge| edge.kind() == EdgeKind::Play);
    let frame = |node: NodeId| nodes[node.0 as usize].frame.0;
    let frames = plays.map(|edge| Weighed {
        from: edge.from.0,
        to: edge.to.0,
        weight: u64::from(frame(edge.to) - frame(edge.from)),
    });
    heaviest_component(&strong_components(&starts, &targets), frames)
}

/// The kept edges' part of the network: their transitions, and the footage that they play.
pub(crate) fn restrict(
    network: &Network,
    keep: &[bool],
    footage: &[Footage],
    possible: &[PossibleTransition],
) -> (Vec<Footage>, Vec<PossibleTransition>) {
    let unused = |clip: &Footage| Footage {
        labels: clip.labels.clone(),
        usable: vec![false; clip.usable.len()],
    };
    let mut kept: Vec<Footage> = footage.iter().map(unused).collect();
    let mut kept_transitions = Vec::new();
    for (edge, _) in network.edges.iter().zip(keep).filter(|(_, keep)| **keep) {
        match edge.kind() {
            EdgeKind::Transition(TransitionId(index)) => {
                kept_transitions.push(possible[index as usize])
            }
            EdgeKind::Play => {
                let [from, to] = [edge.from, edge.to].map(|node| network.nodes[node.0 as usize]);
                let range = from.frame.index()..to.frame.index();
                kept[from.clip.index()].usable[range].fill(true);
            }
        }
    }
    (kept, kept_transitions)
}

impl Network {
    /// Whether both ends of each edge are among `nodes`.
    pub(crate) fn within(&self, nodes: &[bool]) -> Vec<bool> {
        let inside = |edge: &Edge| nodes[edge.from.0 as usize] && nodes[edge.to.0 as usize];
        self.edges.iter().map(inside).collect()
    }

    /// The network as a graph, without nodes that no edge touches.
    pub(crate) fn into_graph(self, frame: MotionGraph) -> MotionGraph {
        let mut touched = vec![false; self.nodes.len()];
        for edge in &self.edges {
            touched[edge.from.0 as usize] = true;
            touched[edge.to.0 as usize] = true;
        }
        let mut number = vec![0u32; self.nodes.len()];
        let (mut nodes, mut first_edge) = (Vec::new(), Vec::new());
        for node in (0..self.nodes.len()).filter(|node| touched[*node]) {
            number[node] = nodes.len() as u32;
            nodes.push(self.nodes[node]);
            first_edge.push(self.first_edge[node]);
        }
        first_edge.push(self.edges.len() as u32);
        let renumber = |node: NodeId| NodeId(number[node.0 as usize]);
        let edges = self.edges.iter();
        let edges = edges.map(|edge| Edge {
            from: renumber(edge.from),
            to: renumber(edge.to),
            ..*edge
        });
        MotionGraph {
            nodes: nodes.into(),
            edges: edges.collect(),
            first_edge: first_edge.into(),
            ..frame
        }
    }
}

/// Per clip and frame (and its end), whether a node is there.
fn node_flags(footage: &[Footage], possible: &[PossibleTransition]) -> Vec<Vec<bool>> {
    let borders = |clip: &Footage| {
        let frames = clip.usable.len();
        let changes = |frame: usize| {
            clip.usable[frame] != clip.usable[frame - 1]
                || clip.usable[frame] && clip.labels[frame] != clip.labels[frame - 1]
        };
        (0..=frames)
            .map(|f| f == 0 || f == frames || changes(f))
            .collect()
    };
    let mut flags: Vec<Vec<bool>> = footage.iter().map(borders).collect();
    for place in possible
        .iter()
        .flat_map(|transition| [transition.from, transition.to])
    {
        flags[place.clip.index()][place.frame.index()] = true;
    }
    flags
}

/// The nodes in order, and each place's number where it has one.
fn number_nodes(flags: &[Vec<bool>]) -> (Vec<Place>, Vec<Vec<u32>>) {
    let mut nodes = Vec::new();
    let mut index: Vec<Vec<u32>> = flags.iter().map(|clip| vec![0; clip.len()]).collect();
    for (clip, flags) in flags.iter().enumerate() {
        for frame in (0..flags.len()).filter(|frame| flags[*frame]) {
            index[clip][frame] = nodes.len() as u32;
            nodes.push(Place {
                clip: ClipId::from(clip),
                frame: FrameId::from(frame),
            });
        }
    }
    (nodes, index)
}

/// The edge that plays from a node to the next of its clip.
fn play_edge(footage: &[Footage], nodes: &[Place], number: usize) -> Option<Edge> {
    let place = nodes[number];
    let next = nodes
        .get(number + 1)
        .filter(|next| next.clip == place.clip)?;
    let clip = &footage[place.clip.index()];
    debug_assert!(next.frame > place.frame);
    // Between two nodes neither labels nor usability change.
    clip.usable[place.frame.index()].then(|| {
        let [from, to] = [number, number + 1].map(|node| NodeId(node as u32));
        Edge::new(from, to, EdgeKind::Play, clip.labels[place.frame.index()])
    })
}
