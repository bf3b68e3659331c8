//! What was laid of moves before: as clips arrive, most moves of a graph are those that it had.
//!
//! Where a move may start depends on its way, its words, the world and the options, and on nothing else
//! of the graph; so it is found by a hash of these, and taken up again by a graph that holds the
//! move anywhere. As an artefact it outlives the program: a word for every 64 cells of a stencil.

use afoot_codec::{Artefact, ContentHash, Digest, Kind, Malformed, Reader, Writer};

use super::EmbedOptions;
use super::lay::{Hindered, Laid};
use crate::moves::{Move, MoveId, Moves};
use crate::stencil::Stencils;
use crate::world::World;

/// Moves that were laid in a world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LaidMoves {
    /// The hash of where and how they were laid.
    place: [u8; 16],
    words: usize,
    /// Each move with a heading, by its hash, and its first row. Sorted.
    first: Vec<([u8; 16], u32, u32)>,
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
    pub(super) fn of(
        moves: &Moves,
        world: &World,
        options: &EmbedOptions,
        stencils: &Stencils,
        laid: &Laid,
    ) -> Self {
        let keys = keys(moves, stencils).into_iter().enumerate();
        let mut first: Vec<([u8; 16], u32, u32)> = keys
            .map(|(row, (hash, heading))| (hash, heading, row as u32))
            .collect();
        first.sort_unstable();
        first.dedup_by_key(|(hash, heading, _)| (*hash, *heading));
        Self {
            place: place_of(moves, world, options),
            words: laid.layout.words,
            first,
            starts: laid.starts.clone(),
            lengths: laid.lengths.clone(),
            hindered: laid.hindered.clone(),
        }
    }

    /// How much memory it takes. [bytes]
    pub fn bytes(&self) -> u64 {
        (self.starts.len() * 8 + self.lengths.len() * 20 + self.first.len() * 24) as u64
    }

    /// Whether they were laid in the same world in the same way.
    pub(super) fn fits(&self, moves: &Moves, world: &World, options: &EmbedOptions) -> bool {
        self.place == place_of(moves, world, options)
    }

    pub(super) fn known(&self, moves: &Moves, stencils: &Stencils) -> Known<'_> {
        let mut rows = Vec::with_capacity(stencils.list.len());
        let (mut of, mut nth) = (None, 0);
        for (stencil, key) in stencils.list.iter().zip(keys(moves, stencils)) {
            let this = Some((stencil.step, stencil.heading));
            nth = if of == this { nth + 1 } else { 0 };
            of = this;
            let at = self.first.binary_search_by_key(&key, |row| (row.0, row.1));
            let row = at.map_or(UNKNOWN, |at| self.first[at].2 + nth);
            rows.push(if row < self.lengths.len() as u32 {
                row
            } else {
                UNKNOWN
            });
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

    /// How many stencils are new.
    pub(super) fn fresh(&self) -> usize {
        self.rows.iter().filter(|row| **row == UNKNOWN).count()
    }
}

/// For each stencil the hash of its move, with its heading.
fn keys(moves: &Moves, stencils: &Stencils) -> Vec<([u8; 16], u32)> {
    let hashes: Vec<[u8; 16]> = moves.list.iter().map(hash_of).collect();
    let hash = |step: MoveId| hashes[step.0 as usize];
    let each = stencils.list.iter();
    each.map(|stencil| (hash(stencil.step), stencil.heading))
        .collect()
}

/// Of all that decides where any move may start.
fn place_of(moves: &Moves, world: &World, options: &EmbedOptions) -> [u8; 16] {
    let options = EmbedOptions {
        memory: 0,
        ..*options
    };
    let all = format!(
        "{world:?} {options:?} {:?}",
        (moves.rate, &moves.vocabulary)
    );
    ContentHash::of(all.as_bytes()).0
}

/// Of all that decides where a move may start, in one place.
fn hash_of(step: &Move) -> [u8; 16] {
    let mut digest = Digest::default();
    for pose in &step.poses {
        for value in [pose.x, pose.z, pose.yaw] {
            digest.add(&value.to_le_bytes());
        }
    }
    for set in &step.labels {
        digest.add(&set.0.to_le_bytes());
    }
    digest.add(&step.slack.to_le_bytes());
    digest.finish().0
}

impl Artefact for LaidMoves {
    const KIND: Kind = Kind {
        magic: *b"AFOOTLAY",
        version: 2,
        oldest: 2, // before, moves were bent otherwise
        other_hash: 0,
        name: "laid moves",
        what: "moves laid in a world",
    };

    fn write(&self, writer: &mut Writer) {
        writer.bytes.extend(self.place);
        writer.count(self.words);
        writer.count(self.first.len());
        for (hash, heading, row) in &self.first {
            writer.bytes.extend(hash);
            writer.u32s([*heading, *row]);
        }
        writer.count(self.lengths.len());
        for (row, length) in self.lengths.iter().enumerate() {
            writer.f32(*length);
            let by = self.hindered[row];
            writer.u32s([by.no_start, by.no_end, by.collision, by.rule]);
        }
        self.starts.iter().for_each(|word| writer.u64(*word));
    }

    fn read(reader: &mut Reader<'_>, _version: u32) -> Result<Self, Malformed> {
        let place = reader.array::<16>()?;
        let words = reader.count(0)?;
        let first = reader.list(24, |reader| {
            Ok((reader.array::<16>()?, reader.u32()?, reader.u32()?))
        })?;
        let rows = reader.list(20, |reader| {
            let length = reader.finite()?;
            let mut count = || reader.u32();
            let hindered = Hindered {
                no_start: count()?,
                no_end: count()?,
                collision: count()?,
                rule: count()?,
            };
            Ok((length, hindered))
        })?;
        let (lengths, hindered): (Vec<f32>, Vec<Hindered>) = rows.into_iter().unzip();
        reader.require(first.is_sorted(), "its moves are not in order")?;
        let total = lengths.len().checked_mul(words);
        let starts = (0..total.unwrap_or(usize::MAX)).map(|_| reader.u64());
        Ok(Self {
            place,
            words,
            first,
            starts: starts.collect::<Result<_, _>>()?,
            lengths,
            hindered,
        })
    }
}
