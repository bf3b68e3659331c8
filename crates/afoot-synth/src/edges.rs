//! What searches see of a graph: who leads where, where an edge takes the root, what it costs.
//!
//! Following, reaching, wandering, crowds and steering ask for nothing else, so that whatever answers
//! this (a motion graph with its clips: [`crate::Repertoire`]; a lattice of strides in the tests) is searched by the same code. A graph is rows of numbered nodes and edges, the root's way over
//! them lies in tables: a few questions, answered by slices. Searches are generic over it, so that they
//! cost what they would if they knew the graph; only an edge's manner, a few nanoseconds against the
//! hundred that holding it against a path takes, is asked for through a pointer.
//! What an edge's frames look like is not here: playing is each graph's own (`walk`).

use afoot_codec::Table;
use afoot_core::{ClipId, FrameId, FrameRate, Planar};
use afoot_graph::{Edge, EdgeId, EdgeKind, GraphClip, LabelSet, NodeId, Place};

use crate::allowed::Allowed;
use crate::fan::FanTable;
use crate::preference::Preference;
use crate::rigid::Rigid;

/// A graph that can be searched.
pub trait Edges: Sync {
    /// Its nodes and edges.
    fn layout(&self) -> Layout<'_>;

    /// The root's place and heading at a place, in its clip's coordinates.
    fn root(&self, place: Place) -> Planar;

    /// The root's way over an edge's frames, in the coordinates of the clip that it leaves.
    fn trace(&self, edge: &Edge) -> Trace<'_>;

    /// The root's way through a clip from a place on, over `frames` frames or as many as there are.
    fn along(&self, from: Place, frames: usize) -> Trace<'_>;

    /// What an edge joins; `None` where captured motion plays on.
    fn join(&self, edge: &Edge) -> Option<Join<'_>>;

    /// What edges cost a request that prefers some motion and must carry some words.
    fn costs(&self, preference: &Preference, labels: &[String]) -> EdgeCosts<'_>;

    /// How many frames of edges do what such a request does not ask for; none, where nobody knows.
    fn odd_frames(&self, _preference: &Preference, _labels: &[String]) -> OddFrames<'_> {
        Box::new(|_| 0)
    }

    /// Whether a figure stands still in a frame, so that motion can begin or end there; nowhere, where
    /// nobody knows.
    fn stands(&self, _place: Place) -> bool {
        false
    }

    /// How far an edge turns a foot that stands beyond what captured frames do; nowhere, where nobody knows. [rad, ≥ 0]
    fn swivel(&self, _edge: &Edge) -> f64 {
        0.0
    }

    /// The look-ahead of all nodes, where it is kept; else it is made as it is needed.
    fn fans(&self) -> Option<&FanTable> {
        None
    }

    /// What wandering may use where nothing else is asked for, where that is kept; else it is found as it
    /// is needed.
    fn usual(&self) -> Option<Allowed> {
        None
    }

    /// [`Edges::root`] at a node.
    #[inline]
    fn root_at(&self, node: NodeId) -> Planar {
        self.root(self.layout().places[node.0 as usize])
    }

    /// An edge, by its number.
    #[inline]
    fn edge(&self, edge: EdgeId) -> &Edge {
        &self.layout().edges[edge.0 as usize]
    }

    /// The edges that leave a node, with their numbers.
    #[inline]
    fn edges_from(&self, node: NodeId) -> impl Iterator<Item = (EdgeId, &Edge)> {
        let layout = self.layout();
        let first = layout.first_edge[node.0 as usize];
        let edges = layout.edges_from(node).iter();
        edges
            .enumerate()
            .map(move |(index, edge)| (EdgeId(first + index as u32), edge))
    }

    /// How many frames an edge plays.
    #[inline]
    fn frames(&self, edge: &Edge) -> u32 {
        self.trace(edge).points.len() as u32
    }

    /// Where `at` has moved to at the end of an edge.
    #[inline]
    fn after(&self, edge: &Edge, at: &Rigid) -> Rigid {
        match self.join(edge) {
            None => *at,
            Some(join) => at.then_after(join.exit),
        }
    }

    /// How far an edge turns the figure. [rad]
    fn turn(&self, edge: &Edge) -> f64 {
        self.join(edge).map_or(0.0, |join| join.exit.planar().yaw)
    }

    /// How far the root comes from an edge's first frame to the next edge's. [m]
    fn edge_length(&self, edge: &Edge) -> f64 {
        let arcs = self.trace(edge).arcs;
        match edge.kind() {
            EdgeKind::Play => {
                let from = self.layout().places[edge.from.0 as usize];
                let arcs = self.along(from, arcs.len() + 1).arcs;
                f64::from(arcs[arcs.len() - 1] - arcs[0])
            }
            // The step out of a transition is as long as the last one in it, near enough.
            EdgeKind::Transition(_) => {
                let frames = arcs.len();
                f64::from(arcs[frames - 1] - arcs[0]) * frames as f64 / (frames - 1).max(1) as f64
            }
        }
    }

    /// How the root moves over the next `distance` of its clip, or to the clip's end. [m]
    fn travel_from(&self, node: NodeId, distance: f64) -> [f64; 2] {
        let place = self.layout().places[node.0 as usize];
        let Trace { points, arcs } = self.along(place, usize::MAX);
        let Some(&start) = arcs.first() else {
            return [0.0; 2];
        };
        let end = arcs.partition_point(|&arc| f64::from(arc - start) < distance);
        let ([a, b], [c, d]) = (points[0], points[end.min(points.len() - 1)]);
        [f64::from(c - a), f64::from(d - b)]
    }

    /// The first node of `clip` at or after `frame`.
    fn node_from(&self, clip: ClipId, frame: FrameId) -> Option<NodeId> {
        let places = self.layout().places;
        let at = places.partition_point(|place| *place < Place { clip, frame });
        let found = places.get(at)?;
        (found.clip == clip).then_some(NodeId(at as u32))
    }
}

/// What edges cost beside what is asked of them. [m²]
pub type EdgeCosts<'a> = Box<dyn Fn(&Edge) -> f64 + Send + Sync + 'a>;

/// How many of edges' frames are odd.
pub type OddFrames<'a> = Box<dyn Fn(&Edge) -> u32 + Send + Sync + 'a>;

/// The nodes and edges of a graph, as rows.
#[derive(Clone, Copy, Debug)]
pub struct Layout<'a> {
    /// Frames per second.
    pub rate: FrameRate,
    /// The words that the label sets' bits mean.
    pub vocabulary: &'a [String],
    /// What can be played on and on: names and lengths.
    pub clips: &'a [GraphClip],
    /// Where each node lies in them, rising.
    pub places: &'a [Place],
    /// Where each node's edges start in `edges`; one more entry than nodes.
    pub first_edge: &'a [u32],
    /// Sorted by `from`; a play edge comes first and leads to the next node of its clip.
    pub edges: &'a [Edge],
    /// Frames that play edges play in one go from each node: [`play_runs`].
    pub runs: &'a Table<u32>,
}

impl<'a> Layout<'a> {
    /// The edges that leave a node.
    #[inline]
    pub fn edges_from(&self, node: NodeId) -> &'a [Edge] {
        let index = node.0 as usize;
        &self.edges[self.first_edge[index] as usize..self.first_edge[index + 1] as usize]
    }

    /// The bit of a word; `None` if no frame carries it.
    pub fn label(&self, word: &str) -> Option<LabelSet> {
        let bit = self.vocabulary.iter().position(|known| known == word);
        bit.map(|bit| LabelSet(1 << bit))
    }
}

/// Where the root goes.
#[derive(Clone, Copy, Debug)]
pub struct Trace<'a> {
    /// Its ground positions, a frame each. [m]
    pub points: &'a [[f32; 2]],
    /// How far it has come at each, counted from anywhere. [m]
    pub arcs: &'a [f32],
}

/// Where an edge leaves one clip for another.
#[derive(Clone, Copy, Debug)]
pub struct Join<'a> {
    /// Carries the coordinates of the clip that it leads to into those of the one it leaves.
    pub exit: &'a Rigid,
    /// How far bodies are apart where they are blended. [m]
    pub error: f64,
}

/// How many frames play edges that are allowed play in one go from each node.
pub fn play_runs(
    places: &[Place],
    first_edge: &[u32],
    edges: &[Edge],
    allows: impl Fn(usize) -> bool,
) -> Vec<u32> {
    let mut run = vec![0; places.len()];
    // A play edge leads to the next node of the same clip, so later nodes are known first.
    for node in (0..places.len()).rev() {
        let first = first_edge[node] as usize;
        let play = edges[first..first_edge[node + 1] as usize].first();
        if let Some(edge) = play.filter(|e| e.kind() == EdgeKind::Play && allows(first)) {
            let to = edge.to.0 as usize;
            run[node] = places[to].frame.0 - places[node].frame.0 + run[to];
        }
    }
    run
}
