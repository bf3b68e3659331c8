//! Where the root goes: over every clip, over every transition, and at every node.
//!
//! Ground positions in the coordinates of the clip that is played or left, so that one planar
//! transform places them; transitions' come with the graph. How far the root has come is kept beside
//! each position, counted from the clip's or transition's start.

use std::ops::Range;

use afoot_codec::Table;
use afoot_core::{Clip, ClipId, FrameId, Planar};
use afoot_graph::{Edge, EdgeKind, GraphClip, MotionGraph, Place, TransitionId};

use crate::edges::{Trace, play_runs};
use crate::rigid::Rigid;

/// The root's way through a graph.
#[derive(Clone, Debug)]
pub(super) struct Roots {
    /// Ground positions of all clips' frames, clip after clip. [m]
    pub(super) points: Table<[f32; 2]>,
    /// How far the root has come at each of them. [m]
    pub(super) arcs: Table<f32>,
    /// The same over the transitions' frames. [m]
    pub(super) transition_arcs: Table<f32>,
    /// What carries the clip that a transition leads to into the one it leaves.
    pub(super) exits: Table<Rigid>,
    /// The root's place and heading at each node, in its clip's coordinates.
    pub(super) nodes: Table<Planar>,
    /// Frames that a clip plays on from each node without a transition.
    pub(super) runs: Table<u32>,
    /// Where each clip's frames start.
    pub(super) first: Vec<u32>,
}

impl Roots {
    /// The rows of a clip's frames in tables of all clips.
    pub(super) fn frames_of(&self, clip: ClipId) -> Range<usize> {
        let end = self
            .first
            .get(clip.index() + 1)
            .map_or(self.points.len(), |next| *next as usize);
        self.first[clip.index()] as usize..end
    }

    /// Of a graph with its traces, and its clips, level.
    pub(super) fn new(graph: &MotionGraph, clips: &[Clip]) -> Self {
        let points: Vec<[f32; 2]> = clips.iter().flat_map(ground_trace).collect();
        let clip_lengths = clips.iter().map(Clip::len);
        let windows = graph.transitions.iter().map(|_| graph.window as usize);
        let exits = graph.transitions.iter().map(|t| t.placement.into());
        let nodes = graph.nodes.iter().map(|&place| root_at(clips, place));
        Self {
            arcs: arcs(&points, clip_lengths).into(),
            transition_arcs: arcs(&graph.traces, windows).into(),
            exits: exits.collect(),
            nodes: nodes.collect(),
            runs: play_runs(&graph.nodes, &graph.first_edge, &graph.edges, |_| true).into(),
            first: firsts(graph),
            points: points.into(),
        }
    }

    /// The same if these tables can have been made of the graph.
    pub(super) fn fitted_to(self, graph: &MotionGraph) -> Option<Self> {
        let Self {
            points,
            arcs,
            transition_arcs,
            exits,
            nodes,
            runs,
            ..
        } = &self;
        let frames: usize = graph.clips.iter().map(|clip| clip.frames as usize).sum();
        let blended = graph.transitions.len() * graph.window as usize;
        let whole = [points.len(), arcs.len()] == [frames; 2]
            && [transition_arcs.len(), graph.traces.len()] == [blended; 2]
            && exits.len() == graph.transitions.len()
            && [nodes.len(), runs.len()] == [graph.nodes.len(); 2]
            && graph.first_edge.len() == graph.nodes.len() + 1;
        whole.then(|| Self {
            first: firsts(graph),
            ..self
        })
    }

    /// Ground positions over an edge's frames, and how far the root has come at each.
    #[inline]
    pub(super) fn edge<'a>(&'a self, graph: &'a MotionGraph, edge: &Edge) -> Trace<'a> {
        match edge.kind() {
            EdgeKind::Play => {
                let from = graph.nodes[edge.from.0 as usize];
                self.clip(from, graph.edge_frames(edge) as usize)
            }
            EdgeKind::Transition(TransitionId(index)) => {
                let window = graph.window as usize;
                let first = index as usize * window;
                Trace {
                    points: &graph.traces[first..][..window],
                    arcs: &self.transition_arcs[first..][..window],
                }
            }
        }
    }

    /// The same over some frames of a clip.
    #[inline]
    pub(super) fn clip(&self, from: Place, frames: usize) -> Trace<'_> {
        let first = self.first[from.clip.index()] as usize + from.frame.index();
        Trace {
            points: &self.points[first..][..frames],
            arcs: &self.arcs[first..][..frames],
        }
    }
}

fn firsts(graph: &MotionGraph) -> Vec<u32> {
    let mut next = 0;
    let first = |clip: &GraphClip| {
        next += clip.frames;
        next - clip.frames
    };
    graph.clips.iter().map(first).collect()
}

/// How far along itself each of several traces, one after the other, has come.
fn arcs(points: &[[f32; 2]], lengths: impl Iterator<Item = usize>) -> Vec<f32> {
    let mut arcs = Vec::with_capacity(points.len());
    for frames in lengths {
        let trace = &points[arcs.len()..][..frames];
        let mut arc = 0.0;
        for frame in 0..frames {
            if frame > 0 {
                let ([a, b], [c, d]) = (trace[frame - 1], trace[frame]);
                arc += (a - c).hypot(b - d);
            }
            arcs.push(arc);
        }
    }
    arcs
}

fn ground_trace(clip: &Clip) -> impl Iterator<Item = [f32; 2]> + '_ {
    clip.root.iter().map(|root| [root.x, root.z])
}

fn root_at(clips: &[Clip], place: Place) -> Planar {
    let clip = &clips[place.clip.index()];
    let frame = FrameId::from(place.frame.index().min(clip.len().saturating_sub(1)));
    Planar::of_root(clip.root[frame.index()], clip.frame_rotations(frame)[0])
}
