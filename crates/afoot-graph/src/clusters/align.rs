//! Alignment frames: one frame of each sequence of a node, alike all through (Shanbhag 2006, §4.2.4).
//!
//! Neighbouring sequences are compared pair by pair for their k most similar frames, and the lists
//! chained where they share a frame; if no chain reaches the last sequence, k is doubled. Of all
//! chains the least total error is taken, which a table of the best chain to each frame finds
//! without listing them. The exact best pair of two sequences is [`best_pair`]. Cost: the pairs of
//! frames of neighbouring sequences, once for every k that is tried.

use std::cmp::Ordering;

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
    let best = pairs(a, b, frames).reduce(|best, pair| match worth(&pair, &best) {
        Ordering::Less => pair,
        _ => best,
    });
    best.expect("sequences hold frames")
}

/// The `k` most similar pairs of frames, best first.
fn similar_pairs(a: &Sequence, b: &Sequence, frames: &LibraryFrames, k: usize) -> Vec<FramePair> {
    let mut pairs: Vec<FramePair> = pairs(a, b, frames).collect();
    if k < pairs.len() {
        pairs.select_nth_unstable_by(k, worth);
        pairs.truncate(k);
    }
    pairs.sort_by(worth);
    pairs
}

/// All pairs of frames of two sequences.
fn pairs<'a>(
    a: &'a Sequence,
    b: &'a Sequence,
    frames: &'a LibraryFrames,
) -> impl Iterator<Item = FramePair> + 'a {
    let at = move |clip: ClipId, frame: u32| frames.index(clip, FrameId(frame));
    a.frames.clone().flat_map(move |i| {
        b.frames.clone().map(move |j| FramePair {
            a: FrameId(i),
            b: FrameId(j),
            error: frames.error(at(a.clip, i), at(b.clip, j)),
        })
    })
}

/// The more similar first; of equals, the earlier.
fn worth(x: &FramePair, y: &FramePair) -> Ordering {
    let ties = (x.a, x.b).cmp(&(y.a, y.b));
    x.error.total_cmp(&y.error).then(ties)
}

/// The best chain that ends with a frame.
#[derive(Clone, Copy)]
struct Chained {
    end: FrameId,
    /// Of all its pairs. [m]
    total: f32,
    /// The chain that it goes on from: a position in the list before.
    before: usize,
}

/// The chain of least total error: a frame of each sequence, if one goes through all lists.
fn best_chain(lists: &[Vec<FramePair>]) -> Option<Vec<FrameId>> {
    let mut levels = vec![starts(lists.first()?)];
    for list in lists {
        let longer = extend(levels.last()?, list);
        levels.push(longer);
    }
    let last = levels.last()?.iter().enumerate();
    let best = last.min_by(|(_, x), (_, y)| x.total.total_cmp(&y.total))?;
    Some(trace_back(&levels, best.0))
}

/// Chains of one frame: any that the first list begins with.
fn starts(list: &[FramePair]) -> Vec<Chained> {
    let mut ends: Vec<FrameId> = list.iter().map(|pair| pair.a).collect();
    ends.sort_unstable();
    ends.dedup();
    let chained = |end| Chained {
        end,
        total: 0.0,
        before: 0,
    };
    ends.into_iter().map(chained).collect()
}

/// Chains longer by a pair of `list`; of those with one end the best.
fn extend(chains: &[Chained], list: &[FramePair]) -> Vec<Chained> {
    let mut longer: Vec<Chained> = Vec::new();
    for pair in list {
        let Ok(before) = chains.binary_search_by_key(&pair.a, |chain| chain.end) else {
            continue;
        };
        longer.push(Chained {
            end: pair.b,
            total: chains[before].total + pair.error,
            before,
        });
    }
    longer.sort_by(|x, y| x.end.cmp(&y.end).then(x.total.total_cmp(&y.total)));
    longer.dedup_by_key(|chain| chain.end);
    longer
}

fn trace_back(levels: &[Vec<Chained>], last: usize) -> Vec<FrameId> {
    let mut at = last;
    let mut frames: Vec<FrameId> = Vec::with_capacity(levels.len());
    for level in levels.iter().rev() {
        frames.push(level[at].end);
        at = level[at].before;
    }
    frames.reverse();
    frames
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(a: u32, b: u32, error: f32) -> FramePair {
        FramePair {
            a: FrameId(a),
            b: FrameId(b),
            error,
        }
    }

    /// Every tuple through the lists, as figure 4.6 lists them.
    fn all_chains(lists: &[Vec<FramePair>]) -> Vec<(f32, Vec<FrameId>)> {
        let first = lists[0].iter();
        let mut chains: Vec<(f32, Vec<FrameId>)> = first
            .map(|pair| (pair.error, vec![pair.a, pair.b]))
            .collect();
        for list in &lists[1..] {
            let longer = chains.iter().flat_map(|(total, frames)| {
                let fits = list.iter().filter(|pair| frames.last() == Some(&pair.a));
                fits.map(move |pair| {
                    let frames = frames.iter().copied().chain([pair.b]).collect();
                    (total + pair.error, frames)
                })
            });
            chains = longer.collect();
        }
        chains
    }

    fn check(lists: &[Vec<FramePair>]) {
        let all = all_chains(lists);
        let least = all.iter().map(|(total, _)| *total).reduce(f32::min);
        match best_chain(lists) {
            None => assert!(all.is_empty(), "{all:?}"),
            Some(chain) => {
                let own = all.iter().filter(|(_, frames)| *frames == chain);
                let own = own.map(|(total, _)| *total).reduce(f32::min);
                assert_eq!(own, least, "{chain:?}");
            }
        }
    }

    #[test]
    fn the_best_chain_is_the_best_of_all_tuples() {
        check(&[vec![pair(1, 5, 0.5), pair(2, 6, 0.1)]]);
        // The best first pair leads nowhere.
        check(&[
            vec![pair(1, 5, 0.1), pair(2, 6, 0.4)],
            vec![pair(6, 9, 0.25), pair(7, 9, 0.125)],
        ]);
        // Nothing goes through.
        check(&[vec![pair(1, 5, 0.1)], vec![pair(6, 9, 0.2)]]);
        // A worse beginning with a better end.
        check(&[
            vec![pair(1, 5, 0.0), pair(2, 6, 0.25), pair(3, 6, 0.5)],
            vec![pair(5, 8, 1.0), pair(6, 8, 0.5), pair(6, 7, 0.125)],
            vec![pair(8, 2, 0.0), pair(7, 2, 0.25), pair(7, 3, 0.25)],
        ]);
    }
}
