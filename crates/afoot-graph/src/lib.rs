//! The motion graph: which frames of a library may follow which, and how.

pub mod build;
pub mod components;
pub mod distance;
pub mod labels;
pub mod level;
pub mod minima;
pub mod motion_graph;
pub mod tiles;
pub mod transitions;

mod assemble;

pub use build::{
    GraphError, GraphOptions, GraphReport, OnProgress, PairThreshold, Progress, Stage, build_graph,
    window_frames,
};
pub use components::strong_components;
pub use level::level_clip;
pub use minima::{Candidate, find_minima};
pub use motion_graph::{
    Edge, EdgeId, EdgeKind, GraphClip, LabelSet, MotionGraph, NodeId, Place, Transition,
    TransitionId,
};
pub use tiles::{Tile, merge_candidates, plan_tiles, run_tiles};
pub use transitions::blend_of;
