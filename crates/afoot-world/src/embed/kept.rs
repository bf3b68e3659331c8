//! What was laid of moves before: as clips arrive, most moves of a graph are those that it had.
//!
//! Where a move may start depends on its way, its words, the world and the options, and on nothing else
//! of the graph; so it is kept by a hash of these, and taken up again by a graph that holds the
//! move anywhere.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::lay::{Hindered, Laid};
use crate::moves::{Move, MoveId, Moves};
use crate::stencil::Stencils;

/// Moves that were laid in a world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LaidMoves {
    words: usize,
    /// The first row of each move with a heading; only looked up, so its order reaches nothing.
    first: HashMap<(u64, u32), u32>,
    starts: Vec<u64>,
    lengths: Vec<f32>,
    hindered: Vec<Hindered>,
}

/// A stencil that was laid before.
pub(super) struct KnownRow<'a> {
    pub(super) starts: &'a [u64],
    pub(super) length: f32,
    pub(super) hindered: Hindered,
}

/// Which stencils were laid before.
pub(super) struct Known<'a> {
    laid: &'a LaidMoves,
    /// For each stencil its row; [`UNKNOWN`] of those that are new.
    rows: Vec<u32>,
}

const UNKNOWN: u32 = u32::MAX;

impl LaidMoves {
    /// What lies now.
    pub(super) fn of(moves: &Moves, stencils: &Stencils, laid: &Laid) -> Self {
        let mut first = HashMap::new();
        for (row, key) in keys(moves, stencils).into_iter().enumerate() {
            first.entry(key).or_insert(row as u32);
        }
        Self {
            words: laid.layout.words,
            first,
            starts: laid.starts.clone(),
            lengths: laid.lengths.clone(),
            hindered: laid.hindered.clone(),
        }
    }

    pub(super) fn known(&self, moves: &Moves, stencils: &Stencils) -> Known<'_> {
        let mut rows = Vec::with_capacity(stencils.list.len());
        let (mut of, mut nth) = (None, 0);
        for (stencil, key) in stencils.list.iter().zip(keys(moves, stencils)) {
            let this = Some((stencil.step, stencil.heading));
            nth = if of == this { nth + 1 } else { 0 };
            of = this;
            rows.push(self.first.get(&key).map_or(UNKNOWN, |first| first + nth));
        }
        Known { laid: self, rows }
    }
}

impl Known<'_> {
    pub(super) fn row(&self, stencil: usize) -> Option<KnownRow<'_>> {
        let row = self.rows[stencil];
        (row != UNKNOWN).then(|| {
            let (row, words) = (row as usize, self.laid.words);
            KnownRow {
                starts: &self.laid.starts[row * words..(row + 1) * words],
                length: self.laid.lengths[row],
                hindered: self.laid.hindered[row],
            }
        })
    }
}

/// For each stencil the hash of its move, with its heading.
fn keys(moves: &Moves, stencils: &Stencils) -> Vec<(u64, u32)> {
    let hashes: Vec<u64> = moves.list.iter().map(hash_of).collect();
    let hash = |step: MoveId| hashes[step.0 as usize];
    let each = stencils.list.iter();
    each.map(|stencil| (hash(stencil.step), stencil.heading))
        .collect()
}

/// Of all that decides where a move may start.
fn hash_of(step: &Move) -> u64 {
    let mut hasher = DefaultHasher::new();
    for pose in &step.poses {
        [pose.x, pose.z, pose.yaw]
            .map(f64::to_bits)
            .hash(&mut hasher);
    }
    step.labels.iter().for_each(|set| set.0.hash(&mut hasher));
    step.slack.to_bits().hash(&mut hasher);
    hasher.finish()
}
