//! A graph with its clips, and what every search asks of them: where each edge takes the root.
//!
//! Made of the graph, the root's way through it (`roots`), the clips (`clips`: level, loaded when they
//! are played) and what motion made of them is finished with. Made from clips, or opened from tables
//! that were made before (`tables`), which costs next to nothing whatever the graph's size.

mod clips;
mod manners;
mod roots;
mod swivel;
mod tables;

use std::sync::{Arc, OnceLock};

use afoot_analyze::SourceStatistics;
use afoot_codec::{ContentHash, Table};
use afoot_core::{Clip, ClipId, Ground, LabelSpan, Planar, Skeleton};
use afoot_edit::blend::{Blend, BlendError, BlendInto};
use afoot_graph::{
    Edge, EdgeKind, MotionGraph, NodeId, Place, TransitionId, blend_frames_of, blend_of, level_clip,
};
use rayon::prelude::*;
use thiserror::Error;

use crate::allowed::{Allowed, AllowedRows};
use crate::edges::{EdgeCosts, Edges, Join, Layout, OddFrames, Trace};
use crate::fan::FanTable;
use crate::floor::shared_floor;
use crate::preference::{Costs, Preference};
use crate::stand::stands_at;
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
    /// What wandering may usually use, where that was kept.
    usual: Option<AllowedRows>,
    /// What stands for its graph and clips, where that was kept.
    key: Option<ContentHash>,
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
            usual: None,
            key: None,
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

    /// What stands for its graph and clips, if it was opened from tables that are kept under it.
    pub fn key(&self) -> Option<ContentHash> {
        self.key
    }

    /// The graph.
    pub fn graph(&self) -> &MotionGraph {
        &self.graph
    }

    /// A clip as captured, level.
    pub fn clip(&self, clip: ClipId) -> &Clip {
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

    /// The frames of a transition.
    pub fn blend(&self, transition: TransitionId) -> Blend {
        let (graph, clips) = (&self.graph, &self.clips);
        blend_of(graph, clips, transition)
            .expect("the same roots were blended when the repertoire was made")
    }

    /// The same into memory that is there, with contacts as the only facts; gives the blend's placement.
    pub(crate) fn blend_frames(&self, transition: TransitionId, into: &mut BlendInto) -> Planar {
        blend_frames_of(&self.graph, &self.clips, transition, into)
            .expect("the same roots were blended when the repertoire was made")
    }

    /// The clip of that name.
    pub fn clip_named(&self, name: &str) -> Option<ClipId> {
        self.graph
            .clips
            .iter()
            .position(|clip| clip.name == name)
            .map(ClipId::from)
    }
}

impl Edges for Repertoire {
    #[inline]
    fn layout(&self) -> Layout<'_> {
        Layout {
            rate: self.graph.rate,
            vocabulary: &self.graph.vocabulary,
            clips: &self.graph.clips,
            places: &self.graph.nodes,
            first_edge: &self.graph.first_edge,
            edges: &self.graph.edges,
            runs: &self.roots.runs,
        }
    }

    fn root(&self, place: Place) -> Planar {
        self.clip(place.clip).placement(place.frame)
    }

    #[inline]
    fn root_at(&self, node: NodeId) -> Planar {
        self.roots.nodes[node.0 as usize]
    }

    #[inline]
    fn trace(&self, edge: &Edge) -> Trace<'_> {
        self.roots.edge(&self.graph, edge)
    }

    fn along(&self, from: Place, frames: usize) -> Trace<'_> {
        let left = self.graph.clips[from.clip.index()].frames - from.frame.0;
        self.roots.clip(from, frames.min(left as usize))
    }

    #[inline]
    fn join(&self, edge: &Edge) -> Option<Join<'_>> {
        match edge.kind() {
            EdgeKind::Play => None,
            EdgeKind::Transition(TransitionId(index)) => Some(Join {
                exit: &self.roots.exits[index as usize],
                error: f64::from(self.graph.transitions[index as usize].error_cm) / 100.0,
            }),
        }
    }

    fn costs(&self, preference: &Preference, labels: &[String]) -> EdgeCosts<'_> {
        let costs = Costs::new(self, preference, labels);
        Box::new(move |edge| costs.of(self, edge))
    }

    fn odd_frames(&self, preference: &Preference, labels: &[String]) -> OddFrames<'_> {
        let costs = Costs::new(self, preference, labels);
        Box::new(move |edge| costs.odd_frames(self, edge))
    }

    fn stands(&self, place: Place) -> bool {
        stands_at(self, place)
    }

    fn swivel(&self, edge: &Edge) -> f64 {
        swivel::swivel_of(self, edge)
    }

    fn fans(&self) -> Option<&FanTable> {
        self.fans.as_ref()
    }

    fn usual(&self) -> Option<Allowed> {
        let rows = self.usual.as_ref()?;
        Allowed::from_rows(self, rows)
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
