//! Which edges a request may use: those that carry the wanted words and never strand it.

use afoot_codec::Table;
use afoot_core::Locomotion;
use afoot_graph::{Edge, EdgeId, LabelSet, NodeId, component_of_most_frames};
use thiserror::Error;

use crate::edges::{Edges, Layout, play_runs};

/// Words that frames must carry: all of them, but of locomotion types, which exclude each other,
/// any one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    all: LabelSet,
    any: LabelSet,
}

/// A word that no frame of the graph carries.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("no motion is labelled {label:?}; expected one of: {}", known.join(", "))]
pub struct UnknownLabel {
    /// The word asked for.
    pub label: String,
    /// The words there are.
    pub known: Vec<String>,
}

impl Wanted {
    /// Everything will do.
    pub const ANYTHING: Self = Self {
        all: LabelSet(0),
        any: LabelSet(0),
    };

    /// The frames that carry `labels`.
    pub fn labels(graph: &impl Edges, labels: &[String]) -> Result<Self, UnknownLabel> {
        let layout = graph.layout();
        let mut wanted = Self::ANYTHING;
        for label in labels {
            let Some(LabelSet(bit)) = layout.label(label) else {
                let (label, known) = (label.clone(), layout.vocabulary.to_vec());
                return Err(UnknownLabel { label, known });
            };
            match Locomotion::from_name(label) {
                Some(_) => wanted.any.0 |= bit,
                None => wanted.all.0 |= bit,
            }
        }
        Ok(wanted)
    }

    /// The same or, where types are wanted, a stand.
    pub(crate) fn or_stand(self, graph: &impl Edges) -> Self {
        match graph.layout().label(Locomotion::Stand.name()) {
            Some(LabelSet(bit)) if self.any.0 != 0 => Self {
                any: LabelSet(self.any.0 | bit),
                ..self
            },
            _ => self,
        }
    }

    /// Whether frames with these labels will do.
    pub fn allows(self, labels: LabelSet) -> bool {
        labels.contains(self.all) && (self.any.0 == 0 || labels.meets(self.any))
    }
}

/// The edges of a graph that a request may use, and the nodes from which it can go on for ever.
#[derive(Clone, Debug)]
pub struct Allowed {
    edges: Vec<bool>,
    alive: Vec<bool>,
    /// Frames that play edges play in one go from each node.
    run: Table<u32>,
    everything: bool,
}

/// The edges that a request may use, as rows of tables: 1 where they are marked.
#[derive(Clone, Debug, Default)]
pub(crate) struct AllowedRows {
    pub(crate) edges: Table<u8>,
    pub(crate) alive: Table<u8>,
    pub(crate) runs: Table<u32>,
}

impl Allowed {
    /// The edges with the wanted words that lead to others, without end.
    pub fn new(graph: &impl Edges, wanted: Wanted) -> Self {
        Self::leading_to(graph, wanted, &[])
    }

    /// The same, where a walk may also end at the nodes marked in `exits` (none if empty).
    pub fn leading_to(graph: &impl Edges, wanted: Wanted, exits: &[bool]) -> Self {
        let layout = graph.layout();
        match wanted == Wanted::ANYTHING {
            true => Self::everything(layout),
            false => Self::without_dead_ends(layout, wanted_edges(layout, wanted), exits),
        }
    }

    /// What [`Allowed::rows`] gave; `None` if it is not of this graph.
    pub(crate) fn from_rows(graph: &impl Edges, rows: &AllowedRows) -> Option<Self> {
        let layout = graph.layout();
        let fits = rows.edges.len() == layout.edges.len()
            && rows.alive.len() == layout.places.len()
            && rows.runs.len() == layout.places.len();
        let marked = |rows: &[u8]| rows.iter().map(|mark| *mark != 0).collect();
        fits.then(|| Self {
            edges: marked(&rows.edges),
            alive: marked(&rows.alive),
            run: rows.runs.clone(),
            everything: false,
        })
    }

    /// All of it as rows of tables.
    pub(crate) fn rows(&self) -> AllowedRows {
        let marks = |marked: &[bool]| marked.iter().map(|mark| u8::from(*mark)).collect();
        AllowedRows {
            edges: marks(&self.edges),
            alive: marks(&self.alive),
            runs: self.run.clone(),
        }
    }

    /// All edges: a graph is pruned to where every node leads to every other.
    fn everything(layout: Layout) -> Self {
        Self {
            edges: vec![true; layout.edges.len()],
            alive: vec![true; layout.places.len()],
            run: layout.runs.clone(),
            everything: true,
        }
    }

    /// The edges with the wanted words of the largest part in which every node leads to every other:
    /// who stays there never runs out of new motion.
    pub fn connected(graph: &impl Edges, wanted: Wanted) -> Self {
        let layout = graph.layout();
        if wanted == Wanted::ANYTHING {
            return Self::everything(layout);
        }
        let mut edges = wanted_edges(layout, wanted);
        keep_largest_component(layout, &mut edges);
        Self::without_dead_ends(layout, edges, &[])
    }

    /// The same of edges that `also` lets pass.
    pub(crate) fn connected_where(
        graph: &impl Edges,
        wanted: Wanted,
        also: impl Fn(&Edge) -> bool,
    ) -> Self {
        let layout = graph.layout();
        let mut edges = wanted_edges(layout, wanted);
        for (allowed, edge) in edges.iter_mut().zip(layout.edges) {
            *allowed = *allowed && also(edge);
        }
        keep_largest_component(layout, &mut edges);
        Self::without_dead_ends(layout, edges, &[])
    }

    fn without_dead_ends(graph: Layout, mut edges: Vec<bool>, exits: &[bool]) -> Self {
        let alive = prune_dead_ends(graph, &mut edges, exits);
        let run = play_runs(graph.places, graph.first_edge, graph.edges, |edge| {
            edges[edge]
        });
        Self {
            edges,
            alive,
            run: run.into(),
            everything: false,
        }
    }

    /// Whether the edge may be used.
    #[inline]
    pub fn allows(&self, edge: EdgeId) -> bool {
        self.edges[edge.0 as usize]
    }

    /// Whether some allowed edge leaves the node.
    #[inline]
    pub fn is_alive(&self, node: NodeId) -> bool {
        self.alive[node.0 as usize]
    }

    /// For every node, whether some allowed edge leaves it.
    pub fn alive(&self) -> &[bool] {
        &self.alive
    }

    /// Whether every edge is.
    pub(crate) fn is_everything(&self) -> bool {
        self.everything
    }

    /// Whether nothing is allowed.
    pub fn is_empty(&self) -> bool {
        !self.alive.contains(&true)
    }

    /// How many frames the clip plays on from a node without a transition.
    pub(crate) fn run(&self, node: NodeId) -> u32 {
        self.run[node.0 as usize]
    }
}

/// The edges whose frames will do.
fn wanted_edges(graph: Layout, wanted: Wanted) -> Vec<bool> {
    let edges = graph.edges.iter();
    edges.map(|edge| wanted.allows(edge.labels)).collect()
}

/// Forbids the edges that do not lie within the component that plays the most frames.
fn keep_largest_component(graph: Layout, edges: &mut [bool]) {
    let largest = component_of_most_frames(graph.places, graph.first_edge, graph.edges, edges);
    let inside = |node: NodeId| largest.nodes[node.0 as usize];
    for (edge, allowed) in graph.edges.iter().zip(edges) {
        *allowed &= inside(edge.from) && inside(edge.to);
    }
}

/// Forbids the edges that end in nodes without a way on; tells which nodes have one.
fn prune_dead_ends(graph: Layout, edges: &mut [bool], exits: &[bool]) -> Vec<bool> {
    let nodes = graph.places.len();
    let mut ways = vec![0u32; nodes];
    // The edges into each node, one node after the other.
    let mut first_into = vec![0u32; nodes + 1];
    let allowed = |edges: &[bool], index: &usize| edges[*index];
    for index in (0..edges.len()).filter(|index| allowed(edges, index)) {
        let edge = &graph.edges[index];
        ways[edge.from.0 as usize] += 1;
        first_into[edge.to.0 as usize + 1] += 1;
    }
    for node in 0..nodes {
        first_into[node + 1] += first_into[node];
    }
    let mut into = vec![0u32; first_into[nodes] as usize];
    let mut next = first_into.clone();
    for index in (0..edges.len()).filter(|index| allowed(edges, index)) {
        let place = &mut next[graph.edges[index].to.0 as usize];
        into[*place as usize] = index as u32;
        *place += 1;
    }
    let is_exit = |node: usize| exits.get(node).copied().unwrap_or(false);
    let mut dead: Vec<usize> = (0..nodes)
        .filter(|&n| ways[n] == 0 && !is_exit(n))
        .collect();
    while let Some(node) = dead.pop() {
        let range = first_into[node] as usize..first_into[node + 1] as usize;
        for index in into[range].iter().map(|index| *index as usize) {
            if std::mem::replace(&mut edges[index], false) {
                let from = graph.edges[index].from.0 as usize;
                ways[from] -= 1;
                if ways[from] == 0 && !is_exit(from) {
                    dead.push(from);
                }
            }
        }
    }
    ways.into_iter().map(|count| count > 0).collect()
}
