//! A graph with its clips, and what every search asks of them: where each edge takes the root.
//!
//! Root traces are kept per edge as ground positions in the coordinates of the clip that the edge
//! leaves, so that one planar transform places them. Those of transitions come from blending the
//! roots alone: thirty times cheaper than whole poses. Cost: some 200 ns per transition frame.

use std::sync::Arc;

use afoot_core::{Clip, FrameId, Joint, Planar, Skeleton, Vec3};
use afoot_edit::blend::{Blend, BlendError, BlendOptions, blend_transition};
use afoot_graph::{Edge, EdgeId, EdgeKind, MotionGraph, NodeId, TransitionId};
use thiserror::Error;

/// A motion graph ready to be searched and played.
#[derive(Debug)]
pub struct Repertoire<'a> {
    graph: &'a MotionGraph,
    clips: &'a [Clip],
    /// Root positions: all clips' frames, then all transitions'. [m]
    points: Vec<[f32; 2]>,
    edges: Vec<EdgeTrace>,
    exits: Vec<Planar>,
    node_roots: Vec<Planar>,
}

/// Where an edge's root positions lie.
#[derive(Clone, Copy, Debug)]
struct EdgeTrace {
    first: u32,
    frames: u32,
}

/// Why graph and clips don't belong together.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum RepertoireError {
    #[error(
        "the graph is empty: no motion can go on in it; a higher threshold or more clips would help"
    )]
    NoGraph,
    #[error("the graph was built from {expected} clips, {found} were given")]
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

impl<'a> Repertoire<'a> {
    /// `clips` in the order of the graph's, level and on one floor.
    pub fn new(graph: &'a MotionGraph, clips: &'a [Clip]) -> Result<Self, RepertoireError> {
        check(graph, clips)?;
        let roots: Vec<Clip> = clips.iter().map(root_alone).collect();
        let mut points: Vec<[f32; 2]> = Vec::new();
        let mut clip_first = Vec::with_capacity(clips.len());
        for clip in clips {
            clip_first.push(points.len() as u32);
            points.extend(clip.root.iter().map(|root| [root.x, root.z]));
        }
        let transition_first = points.len() as u32;
        let mut exits = Vec::with_capacity(graph.transitions.len());
        for index in 0..graph.transitions.len() {
            let blend = blend(graph, &roots, TransitionId(index as u32))?;
            points.extend(blend.clip.root.iter().map(|root| [root.x, root.z]));
            exits.push(blend.placement);
        }
        let trace = |edge: &Edge| {
            let from = graph.nodes[edge.from.0 as usize];
            let first = match edge.kind {
                EdgeKind::Play => clip_first[from.clip.index()] + from.frame.0,
                EdgeKind::Jump(TransitionId(index)) => transition_first + index * graph.window,
            };
            EdgeTrace {
                first,
                frames: graph.edge_frames(edge),
            }
        };
        let edges = graph.edges.iter().map(trace).collect();
        let node_roots = graph.nodes.iter().map(|place| {
            let clip = &clips[place.clip.index()];
            let frame = place.frame.index().min(clip.len() - 1);
            Planar::of_root(
                clip.root[frame],
                clip.frame_rotations(FrameId::from(frame))[0],
            )
        });
        let node_roots = node_roots.collect();
        Ok(Self {
            graph,
            clips,
            points,
            edges,
            exits,
            node_roots,
        })
    }

    /// The graph.
    pub fn graph(&self) -> &'a MotionGraph {
        self.graph
    }

    /// The clips, in the graph's order.
    pub fn clips(&self) -> &'a [Clip] {
        self.clips
    }

    /// The root's ground positions over an edge's frames, in the coordinates of the clip it leaves.
    pub fn trace(&self, edge: EdgeId) -> &[[f32; 2]] {
        let trace = self.edges[edge.0 as usize];
        &self.points[trace.first as usize..][..trace.frames as usize]
    }

    /// Carries the coordinates of the clip that an edge leads to into those of the one it leaves.
    pub fn exit(&self, edge: &Edge) -> Option<Planar> {
        match edge.kind {
            EdgeKind::Play => None,
            EdgeKind::Jump(TransitionId(index)) => Some(self.exits[index as usize]),
        }
    }

    /// The root's place and heading at a node, in its clip's coordinates.
    pub fn root_at(&self, node: NodeId) -> Planar {
        self.node_roots[node.0 as usize]
    }

    /// The frames of a transition.
    pub fn blend(&self, transition: TransitionId) -> Blend {
        blend(self.graph, self.clips, transition)
            .expect("the same roots were blended when the repertoire was made")
    }
}

fn check(graph: &MotionGraph, clips: &[Clip]) -> Result<(), RepertoireError> {
    if graph.edges.is_empty() {
        return Err(RepertoireError::NoGraph);
    }
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

fn blend(
    graph: &MotionGraph,
    clips: &[Clip],
    TransitionId(index): TransitionId,
) -> Result<Blend, BlendError> {
    let transition = &graph.transitions[index as usize];
    let (from, to) = (transition.from, transition.to);
    let options = BlendOptions {
        window: graph.window,
        turn: None,
    };
    let (a, b) = (&clips[from.clip.index()], &clips[to.clip.index()]);
    blend_transition((a, from.frame), (b, to.frame), &options)
}

/// A clip's root as a clip of one joint.
fn root_alone(clip: &Clip) -> Clip {
    let root = Joint::new("root", None, Vec3::ZERO);
    let skeleton = Skeleton::new(vec![root], Vec::new()).expect("one joint is a skeleton");
    let mut alone = Clip::empty(clip.name.clone(), Arc::new(skeleton), clip.rate);
    alone.root = clip.root.clone();
    alone.rotations = clip
        .rotations
        .iter()
        .step_by(clip.joint_count())
        .copied()
        .collect();
    alone
}
