//! A graph with its clips, and what every search asks of them: where each edge takes the root.
//!
//! Made of the graph, the root's way through it (`roots`), the clips (`clips`: level, loaded when they
//! are played) and what motion made of them is finished with. Made from clips, or opened from tables
//! that were made before (`tables`), which costs next to nothing whatever the graph's size.

mod clips;
mod manners;
mod roots;
mod tables;

use std::sync::{Arc, OnceLock};

use afoot_analyze::SourceStatistics;
use afoot_codec::Table;
use afoot_core::{Clip, ClipId, FrameId, Ground, LabelSpan, Planar, Skeleton};
use afoot_edit::blend::{Blend, BlendError};
use afoot_graph::{
    ClipSet, Edge, EdgeId, EdgeKind, MotionGraph, NodeId, Place, TransitionId, blend_of, level_clip,
};
use rayon::prelude::*;
use thiserror::Error;

use crate::fan::FanTable;
use crate::floor::shared_floor;
use crate::rigid::Rigid;
use clips::Clips;
pub(crate) use manners::FrameManner;
use roots::Roots;

/// A motion graph ready to be searched and played.
#[derive(Clone, Debug)]
pub struct Repertoire {
    graph: MotionGraph,
    roots: Roots,
    clips: Clips,
    /// What its nodes lead to, where that was kept.
    fans: Option<FanTable>,
    /// What they stand on together.
    floor: Option<Ground>,
    /// How smooth the clips are, once it was asked for.
    source: OnceLock<Option<SourceStatistics>>,
    /// How the figure moves in each frame of all clips, once it was asked for.
    manners: OnceLock<Table<FrameManner>>,
}

/// Why graph and clips don't belong together.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum RepertoireError {
    #[error("the graph was built from {expected} clips, {found} were given")]
    OtherClips { expected: usize, found: usize },
    #[error("the graph knows clip {name:?} with {expected} frames, it has {found}")]
    OtherLength {
        name: String,
        expected: u32,
        found: usize,
    },
    #[error(transparent)]
    Blend(#[from] BlendError),
}

impl Repertoire {
    /// `clips` are those that the graph was built from, in its order; they are stood on one level
    /// floor here, as the graph did.
    pub fn new(graph: MotionGraph, clips: &[Clip]) -> Result<Self, RepertoireError> {
        Self::of_level(graph, clips.par_iter().map(level_clip).collect())
    }

    /// [`Repertoire::new`] of clips that are level.
    pub fn of_level(graph: MotionGraph, clips: Vec<Clip>) -> Result<Self, RepertoireError> {
        check(&graph, &clips)?;
        let graph = graph.with_traces(&clips)?;
        Ok(Self {
            roots: Roots::new(&graph, &clips),
            graph,
            floor: shared_floor(&clips),
            clips: Clips::of_clips(clips),
            fans: None,
            source: OnceLock::new(),
            manners: OnceLock::new(),
        })
    }

    /// The first clip whose contacts are not known: its name, how many there are, and its frames.
    pub(crate) fn clips_without_contacts(&self) -> Option<(String, usize, usize)> {
        self.clips.without_contacts()
    }

    /// How smooth the clips are as captured: what made motion is judged by.
    pub fn source(&self) -> Option<&SourceStatistics> {
        let all = || SourceStatistics::of_clips(&self.captured().collect::<Vec<_>>());
        self.source.get_or_init(all).as_ref()
    }

    /// All clips as captured, level.
    fn captured(&self) -> impl Iterator<Item = &Clip> {
        (0..self.clips.len()).map(|clip| self.clips.raw(ClipId::from(clip)))
    }

    /// The graph.
    pub fn graph(&self) -> &MotionGraph {
        &self.graph
    }

    /// A clip, level, with its feet as they are played.
    pub fn clip(&self, clip: ClipId) -> &Clip {
        self.clips.clip(clip)
    }

    /// A clip as captured, level.
    pub fn captured_clip(&self, clip: ClipId) -> &Clip {
        self.clips.raw(clip)
    }

    /// The skeleton, whose shape all clips share; `None` without clips.
    pub fn skeleton(&self) -> Option<&Arc<Skeleton>> {
        self.clips.skeleton()
    }

    /// How the figure moves in each frame of a clip.
    pub(crate) fn manners(&self, clip: ClipId) -> &[FrameManner] {
        &self.all_manners()[self.roots.frames_of(clip)]
    }

    /// The labels of a clip.
    pub(crate) fn labels(&self, clip: ClipId) -> &[LabelSpan] {
        self.clips.labels(clip)
    }

    fn all_manners(&self) -> &Table<FrameManner> {
        self.manners.get_or_init(|| {
            let clips: Vec<&Clip> = self.captured().collect();
            let each: Vec<_> = clips.into_par_iter().map(manners::of_clip).collect();
            each.concat().into()
        })
    }

    /// The level floor that motion made of the clips stands on, if they know theirs.
    pub fn floor(&self) -> Option<Ground> {
        self.floor
    }

    /// An edge of the graph.
    pub fn edge(&self, edge: EdgeId) -> &Edge {
        &self.graph.edges[edge.0 as usize]
    }

    /// The edges that leave a node, with their numbers.
    pub fn edges_from(&self, node: NodeId) -> impl Iterator<Item = (EdgeId, &Edge)> {
        let first = self.graph.first_edge[node.0 as usize];
        self.graph
            .edges_from(node)
            .iter()
            .enumerate()
            .map(move |(index, edge)| (EdgeId(first + index as u32), edge))
    }

    /// The root's ground positions over an edge's frames, in the coordinates of the clip it leaves.
    pub fn trace(&self, edge: &Edge) -> &[[f32; 2]] {
        self.roots.edge(&self.graph, edge).0
    }

    /// How far the root comes from an edge's first frame to the next edge's. [m]
    pub fn edge_length(&self, edge: &Edge) -> f64 {
        let frames = self.graph.edge_frames(edge) as usize;
        match edge.kind() {
            EdgeKind::Play => {
                let from = self.graph.nodes[edge.from.0 as usize];
                let left = self.graph.clips[from.clip.index()].frames - from.frame.0;
                let (_, arcs) = self.roots.clip(from, (frames + 1).min(left as usize));
                f64::from(arcs[arcs.len() - 1] - arcs[0])
            }
            // The step out of a transition is as long as the last one in it, near enough.
            EdgeKind::Jump(_) => {
                let last = f64::from(self.edge_arcs(edge)[frames - 1]);
                last * frames as f64 / (frames - 1).max(1) as f64
            }
        }
    }

    /// The root's place and heading at a node, in its clip's coordinates.
    pub fn root_at(&self, node: NodeId) -> Planar {
        self.roots.nodes[node.0 as usize]
    }

    /// The frames of a transition.
    pub fn blend(&self, transition: TransitionId) -> Blend {
        let (graph, clips) = (&self.graph, &self.clips);
        blend_of(graph, clips, transition)
            .expect("the same roots were blended when the repertoire was made")
    }

    /// The first node of `clip` at or after `frame`.
    pub fn node_from(&self, clip: ClipId, frame: FrameId) -> Option<NodeId> {
        let at = self
            .graph
            .nodes
            .partition_point(|place| *place < Place { clip, frame });
        let found = self.graph.nodes.get(at)?;
        (found.clip == clip).then_some(NodeId(at as u32))
    }

    /// The clip of that name.
    pub fn clip_named(&self, name: &str) -> Option<ClipId> {
        self.graph
            .clips
            .iter()
            .position(|clip| clip.name == name)
            .map(ClipId::from)
    }

    /// Carries the coordinates of the clip that a transition leads to into those it leaves.
    pub(crate) fn exit(&self, TransitionId(index): TransitionId) -> &Rigid {
        &self.roots.exits[index as usize]
    }

    /// Where `at` has moved to at the end of an edge.
    pub(crate) fn after(&self, edge: &Edge, at: &Rigid) -> Rigid {
        match edge.kind() {
            EdgeKind::Play => *at,
            EdgeKind::Jump(transition) => at.then_after(self.exit(transition)),
        }
    }

    /// The clip's root positions from a node's frame on, and how far the root has come at each.
    pub(crate) fn clip_from(&self, node: NodeId, frames: usize) -> (&[[f32; 2]], &[f32]) {
        self.roots.clip(self.graph.nodes[node.0 as usize], frames)
    }

    /// The root's positions in the clip just before a node, `frames` of them if there are.
    pub(crate) fn clip_before(&self, node: NodeId, frames: usize) -> &[[f32; 2]] {
        let Place { clip, frame } = self.graph.nodes[node.0 as usize];
        let count = frames.min(frame.index());
        let frame = FrameId(frame.0 - count as u32);
        self.roots.clip(Place { clip, frame }, count).0
    }

    /// How the root moves over the next `distance` of its clip, or to the clip's end. [m]
    pub(crate) fn travel_from(&self, node: NodeId, distance: f64) -> [f64; 2] {
        let place = self.graph.nodes[node.0 as usize];
        let left = (self.graph.clips[place.clip.index()].frames - place.frame.0) as usize;
        let (points, arcs) = self.clip_from(node, left);
        let Some(&start) = arcs.first() else {
            return [0.0; 2];
        };
        let end = arcs.partition_point(|&arc| f64::from(arc - start) < distance);
        let ([a, b], [c, d]) = (points[0], points[end.min(left - 1)]);
        [f64::from(c - a), f64::from(d - b)]
    }

    /// The fans of all nodes, where they were kept.
    pub(crate) fn fans(&self) -> Option<&FanTable> {
        self.fans.as_ref()
    }

    /// How many frames a clip plays on from each node without a transition.
    pub(crate) fn runs(&self) -> Table<u32> {
        self.roots.runs.clone()
    }

    /// How far the root has come at each frame of an edge.
    pub(crate) fn edge_arcs(&self, edge: &Edge) -> &[f32] {
        self.roots.edge(&self.graph, edge).1
    }
}

fn check(graph: &MotionGraph, clips: &[Clip]) -> Result<(), RepertoireError> {
    if graph.clips.len() != clips.len() {
        let (expected, found) = (graph.clips.len(), clips.len());
        return Err(RepertoireError::OtherClips { expected, found });
    }
    for (known, clip) in graph.clips.iter().zip(clips) {
        if known.frames as usize != clip.len() {
            let (name, expected, found) = (known.name.clone(), known.frames, clip.len());
            return Err(RepertoireError::OtherLength {
                name,
                expected,
                found,
            });
        }
    }
    Ok(())
}
