//! The motion graph as data: nodes where motion may branch, edges that play frames.
//!
//! After Kovar et al. 2002, §3. A node is a frame boundary: at node (clip, f) frame f plays next.
//! A `Play` edge plays the clip's frames up to the next node of the same clip. A `Transition` edge plays
//! the `window` frames of a transition, which leaves clip A at frame i and resumes clip B at frame
//! r, blending A's frames i .. i+window with B's frames r−window .. r. All frames of one edge carry
//! the same label set (a transition: the union of both sides'). The long lists are tables of plain rows, so
//! that a kept graph is used where it lies (`afoot_codec::flat`) instead of being read.

use afoot_codec::Table;
use afoot_core::{ClipId, FrameId, FrameRate, Planar};
use bytemuck::{Pod, Zeroable};

/// A node of one graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
#[repr(transparent)]
pub struct NodeId(pub u32);

/// An edge of one graph: a position in [`MotionGraph::edges`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
#[repr(transparent)]
pub struct EdgeId(pub u32);

/// A transition of one graph: a position in [`MotionGraph::transitions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
#[repr(transparent)]
pub struct TransitionId(pub u32);

/// A set of words of the graph's vocabulary, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
#[repr(transparent)]
pub struct LabelSet(pub u64);

/// A clip that the graph plays.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphClip {
    /// Its name in the library.
    pub name: String,
    /// Its length.
    pub frames: u32,
}

/// A place in a clip; as a node, the frame that plays next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
#[repr(C)]
pub struct Place {
    /// Which clip.
    pub clip: ClipId,
    /// Which frame of it; may be its length only as the end of an edge.
    pub frame: FrameId,
}

/// A blend from one clip into another, or into another part of the same.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Transition {
    /// The first frame that is blended.
    pub from: Place,
    /// The first frame of the other clip that plays as captured again.
    pub to: Place,
    /// Root mean square distance of corresponding points over the window. [cm]
    pub error_cm: f32,
    /// Nothing: fills the row.
    pub(crate) unused: u32,
    /// Carries the second clip's coordinates to where the blend puts it in the first one's.
    pub placement: Planar,
}

/// What an edge plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// The frames from this node to the next of the same clip.
    Play,
    /// A transition.
    Transition(TransitionId),
}

/// A way on from a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Edge {
    /// Where it starts.
    pub from: NodeId,
    /// Where it leads.
    pub to: NodeId,
    /// The labels of its frames.
    pub labels: LabelSet,
    /// The transition that it plays, or [`PLAY`].
    pub(crate) transition: u32,
    /// Nothing: fills the row.
    pub(crate) unused: u32,
}

/// The number of no transition.
const PLAY: u32 = u32::MAX;

impl Transition {
    /// A blend from one place into another, not placed yet.
    pub fn new(from: Place, to: Place, error_cm: f32) -> Self {
        Self {
            from,
            to,
            error_cm,
            unused: 0,
            placement: Planar::IDENTITY,
        }
    }
}

impl Edge {
    /// A way that plays `kind`.
    pub fn new(from: NodeId, to: NodeId, kind: EdgeKind, labels: LabelSet) -> Self {
        let transition = match kind {
            EdgeKind::Play => PLAY,
            EdgeKind::Transition(TransitionId(index)) => index,
        };
        Self {
            from,
            to,
            labels,
            transition,
            unused: 0,
        }
    }

    /// What it plays.
    #[inline]
    pub fn kind(&self) -> EdgeKind {
        match self.transition {
            PLAY => EdgeKind::Play,
            index => EdgeKind::Transition(TransitionId(index)),
        }
    }
}

/// A pruned motion graph: from every node motion can go on for ever.
#[derive(Clone, Debug)]
pub struct MotionGraph {
    /// The clips, in the order of their ids.
    pub clips: Vec<GraphClip>,
    /// Frames per second of all clips.
    pub rate: FrameRate,
    /// Length of every transition. [frames]
    pub window: u32,
    /// The words that the label sets' bits mean; hand-made labels and locomotion types.
    pub vocabulary: Vec<String>,
    /// Sorted by `from`, then `to`.
    pub transitions: Table<Transition>,
    /// Sorted by clip and frame.
    pub nodes: Table<Place>,
    /// Sorted by `from`; a play edge first, then transitions.
    pub edges: Table<Edge>,
    /// Where each node's edges start in `edges`; one more entry than nodes.
    pub first_edge: Table<u32>,
    /// The root's ground positions over the frames of each transition, one after the other, in the
    /// coordinates of the clip it leaves; empty until they are blended. [m]
    pub traces: Table<[f32; 2]>,
}

/// Traces follow from the rest and the clips.
impl PartialEq for MotionGraph {
    fn eq(&self, other: &Self) -> bool {
        (self.rate, self.window) == (other.rate, other.window)
            && (&self.clips, &self.vocabulary) == (&other.clips, &other.vocabulary)
            && (&self.nodes, &self.edges) == (&other.nodes, &other.edges)
            && (&self.first_edge, &self.transitions) == (&other.first_edge, &other.transitions)
    }
}

impl MotionGraph {
    /// The edges that leave a node.
    pub fn edges_from(&self, node: NodeId) -> &[Edge] {
        let index = node.0 as usize;
        &self.edges[self.first_edge[index] as usize..self.first_edge[index + 1] as usize]
    }

    /// How many frames an edge plays.
    pub fn edge_frames(&self, edge: &Edge) -> u32 {
        match edge.kind() {
            EdgeKind::Transition(_) => self.window,
            EdgeKind::Play => {
                let (from, to) = (
                    self.nodes[edge.from.0 as usize],
                    self.nodes[edge.to.0 as usize],
                );
                to.frame.0 - from.frame.0
            }
        }
    }

    /// The bit of a word; `None` if no frame carries it.
    pub fn label(&self, word: &str) -> Option<LabelSet> {
        self.vocabulary
            .iter()
            .position(|w| w == word)
            .map(|bit| LabelSet(1 << bit))
    }
}
