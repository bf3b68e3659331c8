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
mod by_the_way;
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

use std::sync::atomic::{AtomicU64, Ordering};

use afoot_core::{Clip, ClipMismatch};
use afoot_run::{Run, Stopped};
use rayon::prelude::*;
use thiserror::Error;

pub use agglomerate::{Centre, Merge, agglomerate, agglomerate_while};
pub use align::{FramePair, best_pair};
pub use as_candidates::cluster_candidates;
pub use blends::{BlendFit, fit_blend};
pub use cluster_graph::{ClusterGraph, ClusterId, ClusterNode, Sequence, SequenceId};
pub use frame_vectors::{FrameMetric, MetricError, USUAL_TAU, Weights};
pub use leaps::{Leap, Stretch, aligned_leap, leap_between, synthetic_leap};
pub use library_frames::LibraryFrames;
pub use loops::{Cycle, Loop, find_cycle, find_loops};
pub use passages::{ReachTime, ThroughOptions, find_loops_through, reach_times};
pub use routes::{Route, RouteKind, Wish, direct_routes, find_routes, lost, through_routes};
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
    #[error(transparent)]
    Mismatch(#[from] ClipMismatch),
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
    for clip in clips {
        first.check_same_rate(clip)?;
    }
    let usual = FrameMetric::of_body(&first.skeleton);
    let metric = metric.unwrap_or(&usual);
    let named = |source| ClusterError::Metric {
        clip: first.name.clone(),
        source,
    };
    LibraryFrames::new(clips, first.rate, metric).map_err(named)
}

/// How the frames merge, each state by itself; tells how far it is.
pub fn cluster_frames(
    frames: &LibraryFrames,
    centre: Centre,
    run: &Run,
) -> Result<ClusterTree, Stopped> {
    let (done, all) = (AtomicU64::new(0), 2 * frames.len() as u64);
    let goes_on = |rows: usize| {
        let now = done.fetch_add(rows as u64, Ordering::Relaxed);
        run.progress("clustering", now.min(all), all);
        run.check()
    };
    let merges: Result<Vec<Vec<Merge>>, Stopped> = PlantState::ALL
        .par_iter()
        .map(|state| merges_of(frames, *state, centre, goes_on))
        .collect();
    Ok(ClusterTree {
        frames: frames.len() as u32,
        merges: merges?.concat(),
    })
}

/// The merges of the frames of one state, which call them by their places among all.
fn merges_of(
    frames: &LibraryFrames,
    state: PlantState,
    centre: Centre,
    goes_on: impl Fn(usize) -> Result<(), Stopped>,
) -> Result<Vec<Merge>, Stopped> {
    let members = frames.in_state(state);
    let columns = by_variance(frames, &members);
    let values = |index: &u32| {
        let vector = frames.vector(*index as usize);
        columns.iter().map(|column| vector[*column])
    };
    let vectors: Vec<f32> = members.iter().flat_map(values).collect();
    let rows = Rows::new(frames.width(), &vectors);
    let mut merges = agglomerate_while(&rows, centre, goes_on)?;
    for merge in &mut merges {
        (merge.a, merge.b) = (members[merge.a as usize], members[merge.b as usize]);
    }
    Ok(merges)
}

/// The columns of some frames' vectors, those that vary most first: what is far shows soonest by them.
fn by_variance(frames: &LibraryFrames, members: &[u32]) -> Vec<usize> {
    let mut sums = vec![[0f64; 2]; frames.width()];
    for index in members {
        for (sum, value) in sums.iter_mut().zip(frames.vector(*index as usize)) {
            let value = f64::from(*value);
            *sum = [sum[0] + value, sum[1] + value * value];
        }
    }
    let count = members.len().max(1) as f64;
    let variance = |column: &usize| sums[*column][1] - sums[*column][0].powi(2) / count;
    let mut columns: Vec<usize> = (0..frames.width()).collect();
    columns.sort_by(|a, b| variance(b).total_cmp(&variance(a)).then(a.cmp(b)));
    columns
}
