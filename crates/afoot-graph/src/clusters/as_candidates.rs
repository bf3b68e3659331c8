//! A cluster graph's leaps as candidates, of which a motion graph is built as of any others.
//!
//! Every two sequences of a node give one candidate, a window around their best pair of frames. With
//! it a cluster graph is followed, reached, wandered and crowded by the code that there is (§4.4).

use afoot_core::FrameId;
use afoot_run::{Run, Stopped};

use super::align::best_pair;
use super::cluster_graph::{ClusterGraph, Sequence, SequenceId};
use super::library_frames::LibraryFrames;
use crate::candidates::Candidates;
use crate::minima::Candidate;
use crate::motion_graph::Place;
use crate::search::CandidateSearch;

/// The candidates that a cluster graph of the search's clips gives, at most as bad as the search allows.
pub fn cluster_candidates(
    graph: &ClusterGraph,
    frames: &LibraryFrames,
    search: &CandidateSearch,
    run: &Run,
) -> Result<Candidates, Stopped> {
    let window = search.features().window() as u32;
    let mut list = Vec::new();
    for node in &graph.nodes {
        run.check()?;
        for a in node.sequences.clone() {
            for b in a + 1..node.sequences.end {
                let pair = [a, b].map(|id| graph.sequence(SequenceId(id)));
                list.extend(candidate(pair, frames, search, window));
            }
        }
    }
    list.sort_by_key(Candidate::key);
    list.dedup_by_key(|candidate| candidate.key());
    Ok(search.found_otherwise(list))
}

/// The windows around the best pair of two sequences, where both clips are long enough; next to a clip's ends as near
/// to it as they fit.
fn candidate(
    [a, b]: [&Sequence; 2],
    frames: &LibraryFrames,
    search: &CandidateSearch,
    window: u32,
) -> Option<Candidate> {
    let pair = best_pair(a, b, frames);
    // Leaving after `pair.a` and entering after `pair.b` is the middle of the blend.
    let starts = [pair.a.0 + 1, pair.b.0 + 1].map(|frame| i64::from(frame) - i64::from(window / 2));
    let latest = [a, b].map(|own| i64::from(frames.frames_of(own.clip)) - i64::from(window));
    let [early, late] = [
        (-starts[0]).max(-starts[1]).max(0),
        (starts[0] - latest[0]).max(starts[1] - latest[1]).max(0),
    ];
    if early > 0 && late > 0 {
        return None;
    }
    let fits = |side: usize| {
        let start = starts[side] + early - late;
        u32::try_from(start).ok().filter(|_| start <= latest[side])
    };
    let (i, s) = (fits(0)?, fits(1)?);
    if a.clip == b.clip && s < i + window {
        return None;
    }
    let place = |sequence: &Sequence, frame: u32| Place {
        clip: sequence.clip,
        frame: FrameId(frame),
    };
    let error_cm = search.features().error_cm(place(a, i), place(b, s));
    (error_cm <= search.ceiling_cm()).then_some(Candidate {
        a: a.clip.0,
        b: b.clip.0,
        i,
        s,
        error_cm,
    })
}
