//! A cluster graph's leaps as candidates, of which a motion graph is built as of any others.
//!
//! Every two sequences of a node give one candidate, a window around their best pair of frames. With
//! it a cluster graph is followed, reached, wandered and crowded by the code that there is (§4.4).

use afoot_run::{Run, Stopped};

use super::align::best_pair;
use super::cluster_graph::{ClusterGraph, Sequence, SequenceId};
use super::library_frames::LibraryFrames;
use crate::candidates::Candidates;
use crate::minima::Candidate;
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

/// The windows around the best pair of two sequences, where both clips are long enough.
fn candidate(
    [a, b]: [&Sequence; 2],
    frames: &LibraryFrames,
    search: &CandidateSearch,
    window: u32,
) -> Option<Candidate> {
    let pair = best_pair(a, b, frames);
    // Leaving after `pair.a` and entering after `pair.b` is the middle of the blend.
    let start = |frame: u32| (frame + 1).checked_sub(window / 2);
    let (i, s) = (start(pair.a.0)?, start(pair.b.0)?);
    let fits = |sequence: &Sequence, start: u32| start + window <= frames.frames_of(sequence.clip);
    if !fits(a, i) || !fits(b, s) || (a.clip == b.clip && s < i + window) {
        return None;
    }
    let place = |sequence: &Sequence, frame: u32| (sequence.clip.index(), frame as usize);
    let error_cm = search.features().error_cm(place(a, i), place(b, s));
    (error_cm <= search.ceiling_cm()).then_some(Candidate {
        a: a.clip.0,
        b: b.clip.0,
        i,
        s,
        error_cm,
    })
}
