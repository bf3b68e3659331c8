//! Alignment frames: one frame of each sequence of a node, alike all through (Shanbhag 2006, §4.2.4).
//!
//! Neighbouring sequences are compared pair by pair for their k most similar frames, and the lists
//! chained where they share a frame; if no chain reaches the last sequence, k is doubled. Of all
//! chains the least total error is taken, which a table of the best chain to each frame finds
//! without listing them. The exact best pair of two sequences is [`best_pair`].

use afoot_core::{ClipId, FrameId};

use super::cluster_graph::Sequence;
use super::library_frames::LibraryFrames;

/// Pairs that each list starts with.
const FIRST_K: usize = 5;

/// Two frames of two sequences, and how unlike they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FramePair {
    /// A frame of the first.
    pub a: FrameId,
    /// A frame of the second.
    pub b: FrameId,
    /// [m]
    pub error: f32,
}

/// The alignment frame of each sequence.
pub fn alignment_frames(sequences: &[Sequence], frames: &LibraryFrames) -> Vec<FrameId> {
    if let [only] = sequences {
        return vec![FrameId(only.frames.start.midpoint(only.frames.end))];
    }
    let mut k = FIRST_K;
    loop {
        let neighbours = sequences.windows(2);
        let lists: Vec<Vec<FramePair>> = neighbours
            .map(|pair| similar_pairs(&pair[0], &pair[1], frames, k))
            .collect();
        if let Some(chain) = best_chain(&lists) {
            return chain;
        }
        k *= 2;
    }
}

/// The two most similar frames of two sequences; the first of equals.
pub fn best_pair(a: &Sequence, b: &Sequence, frames: &LibraryFrames) -> FramePair {
    let pairs = similar_pairs(a, b, frames, 1);
    pairs[0]
}

/// The `k` most similar pairs of frames, best first.
fn similar_pairs(a: &Sequence, b: &Sequence, frames: &LibraryFrames, k: usize) -> Vec<FramePair> {
    let at = |clip: ClipId, frame: u32| frames.index(clip, FrameId(frame));
    let mut pairs = Vec::new();
    for i in a.frames.clone() {
        for j in b.frames.clone() {
            pairs.push(FramePair {
                a: FrameId(i),
                b: FrameId(j),
                error: frames.error(at(a.clip, i), at(b.clip, j)),
            });
        }
    }
    let worth = |x: &FramePair, y: &FramePair| {
        let ties = (x.a, x.b).cmp(&(y.a, y.b));
        x.error.total_cmp(&y.error).then(ties)
    };
    if k < pairs.len() {
        pairs.select_nth_unstable_by(k, worth);
        pairs.truncate(k);
    }
    pairs.sort_by(worth);
    pairs
}

/// The chain of least total error: a frame of each sequence, if one goes through all lists.
fn best_chain(lists: &[Vec<FramePair>]) -> Option<Vec<FrameId>> {
    // The best chains so far, by the frame they end with: total error, and all their frames.
    let mut chains: Vec<(FrameId, f32, Vec<FrameId>)> = Vec::new();
    for (index, list) in lists.iter().enumerate() {
        let mut longer: Vec<(FrameId, f32, Vec<FrameId>)> = Vec::new();
        for pair in list {
            let known = chains.iter().find(|(end, ..)| *end == pair.a);
            let (error, before) = match known {
                Some((_, error, before)) => (error + pair.error, before.clone()),
                None if index == 0 => (pair.error, vec![pair.a]),
                None => continue,
            };
            let frames = before.into_iter().chain([pair.b]).collect();
            match longer.iter_mut().find(|(end, ..)| *end == pair.b) {
                Some(known) if error < known.1 => *known = (pair.b, error, frames),
                Some(_) => {}
                None => longer.push((pair.b, error, frames)),
            }
        }
        chains = longer;
    }
    let best = chains.into_iter().min_by(|x, y| x.1.total_cmp(&y.1));
    best.map(|(_, _, frames)| frames)
}
