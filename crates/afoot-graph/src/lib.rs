//! The motion graph: which frames of a library may follow which, and how (Kovar et al. 2002).
//!
//! From clips to a graph, stage by stage: `distance` (errors of all window pairs) → `minima` and
//! `tiles` → `search` and `candidates` (what is kept and extended) → `possible`, `thresholds`,
//! `auto`, `coalesce` (what becomes a transition) → `assemble` and `prune` (nodes, edges, components)
//! → `transitions` (blends) and `preview` (one to look at). `build` runs them all; `motion_graph`
//! is what comes out.
//!
//! ```
//! use afoot_graph::{GraphOptions, build_graph};
//! use afoot_run::Run;
//! use afoot_sample::{SampleOptions, sample_library};
//!
//! let walks = &sample_library(&SampleOptions::default())[..3];
//! let (graph, report) = build_graph(walks, &GraphOptions::default(), &Run::quiet())?;
//! assert!(graph.transitions.len() as u64 <= report.transitions);
//! # Ok::<(), afoot_graph::GraphError>(())
//! ```

pub mod advice;
pub mod auto;
pub mod build;
pub mod candidates;
pub mod clusters;
pub mod contact;
pub mod distance;
pub mod labels;
pub mod level;
pub mod like;
pub mod matrix;
pub mod minima;
pub mod motion_graph;
pub mod options;
pub mod preview;
pub mod prune;
pub mod report;
pub mod search;
pub mod thresholds;
pub mod tiles;
pub mod transitions;

mod assemble;
mod coalesce;
mod fingerprint;
mod graph_bytes;
mod outliers;
mod possible;
mod reach;
mod sparse_row;

pub use afoot_codec::{Artefact, CodecError};

pub use advice::{SetExtent, TradeOff};
pub use assemble::component_of_most_frames;
pub use auto::AutoOptions;
pub use build::{build_from_candidates, build_graph, find_candidates, prepare_search};
pub use candidates::{Candidates, MergeError, merge};
pub use level::level_clip;
pub use like::{LikeOptions, Likeness, find_like};
pub use matrix::{ErrorMatrix, error_matrix};
pub use minima::{Candidate, find_minima};
pub use motion_graph::{
    Edge, EdgeId, EdgeKind, GraphClip, LabelSet, MotionGraph, NodeId, Place, Transition,
    TransitionId,
};
pub use options::{GraphError, GraphOptions, window_frames};
pub use preview::{Preview, preview_transition, worst_transition};
pub use prune::Pruning;
pub use report::{GraphReport, Stage};
pub use search::{CandidateSearch, SearchOptions};
pub use thresholds::PairThreshold;
pub use tiles::{Tile, merge_candidates, plan_tiles, run_tiles};
pub use transitions::{ClipSet, blend_frames_of, blend_of};
