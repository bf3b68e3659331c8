//! Cluster graphs: like frames of all clips in one node, whose clips say where it leads
//! (Shanbhag 2006, ch. 4).
//!
//! `states` and `frame_vectors` say which frames may be compared and by what; `agglomerate` merges the
//! nearest, and `tree` keeps every merge, so that another error costs a moment; `cluster_graph` has the
//! nodes at one error, with their sequences, alignment frames (`align`) and edges; `leaps` change from
//! one clip to another, `routes` are ways from clip to clip, `loops` those of a clip into itself, and
//! `passages` finds both through other clips; `blends` says how long to blend. As a motion graph, to be followed, reached and crowded:
//! `as_candidates`.

mod agglomerate;
mod align;
mod as_candidates;
mod blends;
mod cluster_graph;
mod frame_vectors;
mod leaps;
mod library_frames;
mod loops;
mod passages;
mod routes;
mod rows;
mod states;
mod tree;

use afoot_core::{Clip, FrameRate};
use afoot_run::{Run, Stopped};
use rayon::prelude::*;
use thiserror::Error;

pub use agglomerate::{Centre, Merge, agglomerate};
pub use align::{FramePair, best_pair};
pub use as_candidates::cluster_candidates;
pub use blends::{BlendFit, fit_blend};
pub use cluster_graph::{ClusterGraph, ClusterId, ClusterNode, Sequence, SequenceId};
pub use frame_vectors::{FrameMetric, MetricError, USUAL_TAU, Weights};
pub use leaps::{Leap, Stretch, aligned_leap, leap_between, synthetic_leap};
pub use library_frames::LibraryFrames;
pub use loops::{Cycle, Loop, find_cycle, find_loops};
pub use passages::{ReachTime, find_loops_through, reach_times};
pub use routes::{Route, RouteKind, Wish, direct_routes, find_routes, through_routes};
pub use rows::Rows;
pub use states::{PlantState, plant_states};
pub use tree::{ClusterTree, Cut};

/// The error of a cluster that is asked for by default: a cycle of a walk goes through five to ten nodes
/// then, as in the thesis's §4.2. [cm]
pub const USUAL_ERROR_CM: f32 = 10.0;

/// Why clips can't be clustered.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum ClusterError {
    #[error("there are no clips to cluster")]
    NoClips,
    #[error(
        "clips {a:?} ({a_rate}) and {b:?} ({b_rate}) differ in rate; resample one of them first"
    )]
    OtherRate {
        a: String,
        a_rate: FrameRate,
        b: String,
        b_rate: FrameRate,
    },
    #[error("clip {clip:?}: {source}")]
    Metric { clip: String, source: MetricError },
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// The frames of `clips` by `metric`, or by what it is for the first one's body.
pub fn library_frames(
    clips: &[Clip],
    metric: Option<&FrameMetric>,
) -> Result<LibraryFrames, ClusterError> {
    let first = clips.first().ok_or(ClusterError::NoClips)?;
    if let Some(other) = clips.iter().find(|clip| clip.rate != first.rate) {
        return Err(ClusterError::OtherRate {
            a: first.name.clone(),
            a_rate: first.rate,
            b: other.name.clone(),
            b_rate: other.rate,
        });
    }
    let usual = FrameMetric::of_body(&first.skeleton);
    let metric = metric.unwrap_or(&usual);
    let named = |source| ClusterError::Metric {
        clip: first.name.clone(),
        source,
    };
    LibraryFrames::new(clips, first.rate, metric).map_err(named)
}

/// How the frames merge, each state by itself.
pub fn cluster_frames(
    frames: &LibraryFrames,
    centre: Centre,
    run: &Run,
) -> Result<ClusterTree, Stopped> {
    let merges: Result<Vec<Vec<Merge>>, Stopped> = PlantState::ALL
        .par_iter()
        .map(|state| {
            run.check()?;
            Ok(merges_of(frames, *state, centre))
        })
        .collect();
    Ok(ClusterTree {
        frames: frames.len() as u32,
        merges: merges?.concat(),
    })
}

/// The merges of the frames of one state, which call them by their places among all.
fn merges_of(frames: &LibraryFrames, state: PlantState, centre: Centre) -> Vec<Merge> {
    let members = frames.in_state(state);
    let vectors: Vec<f32> = members
        .iter()
        .flat_map(|index| frames.vector(*index as usize))
        .copied()
        .collect();
    let mut merges = agglomerate(&Rows::new(frames.width(), &vectors), centre);
    for merge in &mut merges {
        (merge.a, merge.b) = (members[merge.a as usize], members[merge.b as usize]);
    }
    merges
}
