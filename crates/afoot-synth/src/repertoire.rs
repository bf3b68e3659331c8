//! A graph with its clips, and what every search asks of them: where each edge takes the root.
//!
//! Root traces are kept per edge as ground positions in the coordinates of the clip that the edge
//! leaves, so that one planar transform places them. Those of transitions come from blending the
//! roots alone: thirty times cheaper than whole poses. Cost: a few microseconds per transition.

use std::sync::{Arc, OnceLock};

use afoot_analyze::{Manner, measure_manner};
use afoot_core::{Clip, ClipId, FrameId, Ground, Joint, Planar, Skeleton, Vec3};
use afoot_edit::blend::{Blend, BlendError};
use afoot_edit::cleanup::LegLimits;
use afoot_graph::{
    CleanTransitions, Edge, EdgeId, EdgeKind, MotionGraph, NodeId, Place, TransitionId, blend_of,
    clean_blend_of, level_clip, plant_clips,
};
use rayon::prelude::*;
use thiserror::Error;

use crate::finish::FinishOptions;
use crate::floor::shared_floor;
use crate::rigid::Rigid;

/// A motion graph ready to be searched and played.
#[derive(Clone, Debug)]
pub struct Repertoire {
    graph: MotionGraph,
    clips: Vec<Clip>,
    /// What they stand on together.
    floor: Option<Ground>,
    /// Root positions: all clips' frames, then all transitions'. [m]
    points: Vec<[f32; 2]>,
    /// How far the root has come at each of the points, from the clip's or transition's start. [m]
    arcs: Vec<f32>,
    /// Where each clip's points start.
    clip_first: Vec<u32>,
    transition_first: u32,
    exits: Vec<Rigid>,
    node_roots: Vec<Planar>,
    feet: Feet,
    /// What the legs of the clips do, once it was asked for.
    limits: OnceLock<LegLimits>,
    /// How the figure moves in each frame of each clip, once it was asked for.
    manners: OnceLock<Vec<Vec<Manner>>>,
}

/// How the feet of clips and transitions are.
#[derive(Clone, Debug)]
enum Feet {
    /// As captured and blended.
    Raw,
    /// Held in place; transitions as kept, or cleaned when they are played.
    Planted(Option<CleanTransitions>),
}

/// Why graph and clips don't belong together.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum RepertoireError {
    #[error("the graph was built from {expected} clips, {found} were given; rebuild the graph")]
    OtherClips { expected: usize, found: usize },
    #[error(
        "the graph knows clip {name:?} with {expected} frames, it has {found}; rebuild the graph"
    )]
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
        check(&graph, clips)?;
        let clips: Vec<Clip> = clips.par_iter().map(level_clip).collect();
        let roots: Vec<Clip> = clips.iter().map(root_alone).collect();
        let mut points: Vec<[f32; 2]> = Vec::new();
        let mut clip_first = Vec::with_capacity(clips.len());
        for clip in &clips {
            clip_first.push(points.len() as u32);
            points.extend(ground_trace(clip));
        }
        let transition_first = points.len() as u32;
        let blends = blend_roots(&graph, &roots)?;
        points.extend(blends.into_iter().flatten());
        let mut repertoire = Self {
            arcs: Vec::new(),
            exits: graph
                .transitions
                .iter()
                .map(|t| t.placement.into())
                .collect(),
            node_roots: graph
                .nodes
                .iter()
                .map(|&place| root_at(&clips, place))
                .collect(),
            graph,
            floor: shared_floor(&clips),
            clips,
            points,
            clip_first,
            transition_first,
            feet: Feet::Raw,
            limits: OnceLock::new(),
            manners: OnceLock::new(),
        };
        repertoire.arcs = repertoire.measure_arcs();
        Ok(repertoire)
    }

    /// The same with the feet of every clip and transition held in place, for motion that is shown
    /// as it is played. Transitions that `kept` has not are cleaned when they are played, 0.1 ms each.
    pub fn with_planted_feet(mut self, kept: Option<CleanTransitions>) -> Self {
        // Planted legs jerk a little more than captured ones, which remain the measure.
        self.limits = OnceLock::from(LegLimits::of_clips(&self.clips));
        self.clips = plant_clips(&self.clips);
        self.feet = Feet::Planted(kept.filter(|clean| clean.fits(&self.graph)));
        self
    }

    /// Finishing for motion made of these clips: legs do what they do here, unless told otherwise.
    pub fn finishing(&self, options: &FinishOptions) -> FinishOptions {
        let mut options = *options;
        if let Some(cleanup) = &mut options.cleanup {
            let usual = || *self.limits.get_or_init(|| LegLimits::of_clips(&self.clips));
            cleanup.limits = Some(cleanup.limits.unwrap_or_else(usual));
        }
        options
    }

    /// The graph.
    pub fn graph(&self) -> &MotionGraph {
        &self.graph
    }

    /// The clips, level, in the graph's order.
    pub fn clips(&self) -> &[Clip] {
        &self.clips
    }

    /// How the figure moves in each frame of a clip; empty if it has no legs.
    pub fn manners(&self, clip: ClipId) -> &[Manner] {
        let measure = || {
            let clips = self.clips.par_iter();
            clips.map(|clip| measure_manner(clip).unwrap_or_default()).collect()
        };
        &self.manners.get_or_init(measure)[clip.index()]
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
        let frames = self.graph.edge_frames(edge) as usize;
        &self.points[self.first_point(edge)..][..frames]
    }

    /// How far the root comes from an edge's first frame to the next edge's. [m]
    pub fn edge_length(&self, edge: &Edge) -> f64 {
        let first = self.first_point(edge);
        let frames = self.graph.edge_frames(edge) as usize;
        match edge.kind {
            EdgeKind::Play => f64::from(self.arcs[first + frames] - self.arcs[first]),
            // The step out of a transition is as long as the last one in it, near enough.
            EdgeKind::Jump(_) => {
                let last = f64::from(self.arcs[first + frames - 1]);
                last * frames as f64 / (frames - 1).max(1) as f64
            }
        }
    }

    /// The root's place and heading at a node, in its clip's coordinates.
    pub fn root_at(&self, node: NodeId) -> Planar {
        self.node_roots[node.0 as usize]
    }

    /// The frames of a transition.
    pub fn blend(&self, transition: TransitionId) -> Blend {
        let (graph, clips) = (&self.graph, &self.clips);
        let blend = match &self.feet {
            Feet::Raw => blend_of(graph, clips, transition),
            Feet::Planted(Some(clean)) => clean.blend_of(graph, clips, transition),
            Feet::Planted(None) => clean_blend_of(graph, clips, transition),
        };
        blend.expect("the same roots were blended when the repertoire was made")
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
        &self.exits[index as usize]
    }

    /// Where `at` has moved to at the end of an edge.
    pub(crate) fn after(&self, edge: &Edge, at: &Rigid) -> Rigid {
        match edge.kind {
            EdgeKind::Play => *at,
            EdgeKind::Jump(transition) => at.then_after(self.exit(transition)),
        }
    }

    /// The clip's root positions from a node's frame on, and how far the root has come at each.
    pub(crate) fn clip_from(&self, node: NodeId, frames: usize) -> (&[[f32; 2]], &[f32]) {
        let place = self.graph.nodes[node.0 as usize];
        let first = self.clip_first[place.clip.index()] as usize + place.frame.index();
        (
            &self.points[first..][..frames],
            &self.arcs[first..][..frames],
        )
    }

    /// How the root moves over the next `distance` of its clip, or to the clip's end. [m]
    pub(crate) fn travel_from(&self, node: NodeId, distance: f64) -> [f64; 2] {
        let place = self.graph.nodes[node.0 as usize];
        let left = self.clips[place.clip.index()].len() - place.frame.index();
        let (points, arcs) = self.clip_from(node, left);
        let Some(&start) = arcs.first() else {
            return [0.0; 2];
        };
        let end = arcs.partition_point(|&arc| f64::from(arc - start) < distance);
        let ([a, b], [c, d]) = (points[0], points[end.min(left - 1)]);
        [f64::from(c - a), f64::from(d - b)]
    }

    /// How far the root has come at each frame of an edge.
    pub(crate) fn edge_arcs(&self, edge: &Edge) -> &[f32] {
        let frames = self.graph.edge_frames(edge) as usize;
        &self.arcs[self.first_point(edge)..][..frames]
    }

    fn first_point(&self, edge: &Edge) -> usize {
        match edge.kind {
            EdgeKind::Play => {
                let from = self.graph.nodes[edge.from.0 as usize];
                self.clip_first[from.clip.index()] as usize + from.frame.index()
            }
            EdgeKind::Jump(TransitionId(index)) => {
                (self.transition_first + index * self.graph.window) as usize
            }
        }
    }

    fn measure_arcs(&self) -> Vec<f32> {
        let mut arcs = Vec::with_capacity(self.points.len());
        let clips = self.clips.iter().map(Clip::len);
        let transitions = self
            .graph
            .transitions
            .iter()
            .map(|_| self.graph.window as usize);
        for frames in clips.chain(transitions) {
            let trace = &self.points[arcs.len()..][..frames];
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

fn blend_roots(graph: &MotionGraph, roots: &[Clip]) -> Result<Vec<Vec<[f32; 2]>>, BlendError> {
    let numbers = (0..graph.transitions.len() as u32).into_par_iter();
    numbers
        .map(|index| {
            let blend = blend_of(graph, roots, TransitionId(index))?;
            Ok(ground_trace(&blend.clip).collect())
        })
        .collect()
}

fn ground_trace(clip: &Clip) -> impl Iterator<Item = [f32; 2]> + '_ {
    clip.root.iter().map(|root| [root.x, root.z])
}

fn root_at(clips: &[Clip], place: Place) -> Planar {
    let clip = &clips[place.clip.index()];
    let frame = FrameId::from(place.frame.index().min(clip.len().saturating_sub(1)));
    Planar::of_root(clip.root[frame.index()], clip.frame_rotations(frame)[0])
}

/// A clip's root as a clip of one joint.
fn root_alone(clip: &Clip) -> Clip {
    let root = Joint::new("root", None, Vec3::ZERO);
    let skeleton = Skeleton::new(vec![root], Vec::new()).expect("one joint is a skeleton");
    let mut alone = Clip::empty(String::new(), Arc::new(skeleton), clip.rate);
    alone.root = clip.root.clone();
    alone.rotations = clip
        .rotations
        .iter()
        .step_by(clip.joint_count())
        .copied()
        .collect();
    alone
}
