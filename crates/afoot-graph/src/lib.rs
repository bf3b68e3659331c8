//! The motion graph: which frames of a library may follow which, and how.

pub mod distance;
pub mod motion_graph;

pub use motion_graph::{
    Edge, EdgeId, EdgeKind, GraphClip, LabelSet, MotionGraph, NodeId, Place, Transition,
    TransitionId,
};
