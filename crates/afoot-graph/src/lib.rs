//! The motion graph: which frames of a library may follow which, and how.

pub mod distance;
pub mod minima;
pub mod motion_graph;

pub use minima::{Candidate, find_minima};
pub use motion_graph::{
    Edge, EdgeId, EdgeKind, GraphClip, LabelSet, MotionGraph, NodeId, Place, Transition,
    TransitionId,
};
