//! Candidates as an artefact: found in pieces (`search`), kept as bytes, merged.
//!
//! What a pair of clips contributes depends on those two clips and the search's options alone, so
//! pieces found at other times or places fit together to the same bytes. Twelve bytes a candidate.

use afoot_codec::{Artefact, ContentHash, Kind, Malformed, Reader, Writer};
use afoot_core::{Range32, runs};
use thiserror::Error;

use crate::minima::Candidate;
use crate::tiles::{Tile, merge_candidates};

/// Candidates of some pairs of a library's clips.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidates {
    /// The options that they were found with.
    pub options: ContentHash,
    /// The clips, in order.
    pub clips: Vec<ContentHash>,
    /// The pairs that were searched: a single tile once all are.
    pub searched: Vec<Tile>,
    /// Sorted by clips, then frames.
    pub list: Vec<Candidate>,
}

/// Why pieces don't fit together.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[allow(missing_docs)] // the messages say it
pub enum MergeError {
    #[error("there is nothing to merge")]
    Nothing,
    #[error("part {0} was searched with other options than the first")]
    OtherOptions(usize),
    #[error("part {0} was searched over other clips than the first")]
    OtherClips(usize),
    #[error("some pairs of clips are in no part: tile {0:?} is missing")]
    Incomplete(Tile),
}

/// Puts pieces of one search together, which must hold every pair of clips.
pub fn merge(parts: &[Candidates]) -> Result<Candidates, MergeError> {
    let first = parts.first().ok_or(MergeError::Nothing)?;
    for (index, part) in parts.iter().enumerate() {
        if part.options != first.options {
            return Err(MergeError::OtherOptions(index));
        }
        if part.clips != first.clips {
            return Err(MergeError::OtherClips(index));
        }
    }
    let searched = parts
        .iter()
        .flat_map(|part| part.searched.iter().copied())
        .collect();
    let mut merged = Candidates {
        searched,
        list: Vec::new(),
        ..first.clone()
    };
    if let Some(tile) = merged.missing().first() {
        return Err(MergeError::Incomplete(*tile));
    }
    merged.list = merge_candidates(parts.iter().map(|part| part.list.clone()).collect());
    merged.list.dedup_by_key(|candidate| candidate.key());
    merged.searched = vec![Tile::all(merged.clips.len())];
    Ok(merged)
}

impl Candidates {
    /// No candidates of no clips.
    pub fn none() -> Self {
        let options = ContentHash::default();
        Self {
            options,
            clips: Vec::new(),
            searched: Vec::new(),
            list: Vec::new(),
        }
    }

    /// The pairs that were not searched.
    pub fn missing(&self) -> Vec<Tile> {
        let mut tiles: Vec<Tile> = Vec::new();
        for col in 0..self.clips.len() as u32 {
            for rows in self.missing_rows(col) {
                // A run up to the diagonal grows with the columns, any other stays as it is.
                let open = rows.end > col;
                let goes_on = |tile: &&mut Tile| {
                    let end = if open { col } else { rows.end };
                    tile.cols.end == col && tile.rows.start == rows.start && tile.rows.end == end
                };
                let cols = Range32 {
                    start: col,
                    end: col + 1,
                };
                match tiles.iter_mut().find(goes_on) {
                    Some(tile) => (tile.cols.end, tile.rows.end) = (col + 1, rows.end),
                    None => tiles.push(Tile { rows, cols }),
                }
            }
        }
        tiles
    }

    /// Rows of a column that were not searched, as runs.
    fn missing_rows(&self, col: u32) -> Vec<Range32> {
        let mut covered = vec![false; col as usize + 1];
        for tile in self.searched.iter().filter(|tile| tile.cols.contains(col)) {
            let end = (tile.rows.end as usize).min(covered.len());
            covered[(tile.rows.start as usize).min(end)..end].fill(true);
        }
        runs((0..=col).filter(|row| !covered[*row as usize]))
    }
}

impl Artefact for Candidates {
    const KIND: Kind = Kind {
        magic: *b"afootcan",
        version: 2,
        // The clips of older ones are known by another hash, so that nothing of them could be used.
        oldest: 2,
        other_hash: 1,
        name: "candidates",
        what: "list of candidates",
    };

    fn write(&self, writer: &mut Writer) {
        writer.bytes.extend(self.options.0);
        writer.count(self.clips.len());
        self.clips
            .iter()
            .for_each(|clip| writer.bytes.extend(clip.0));
        writer.count(self.searched.len());
        for tile in &self.searched {
            let Tile { rows, cols } = tile;
            writer.u32s([rows.start, rows.end, cols.start, cols.end]);
        }
        let pairs: Vec<&[Candidate]> = self
            .list
            .chunk_by(|x, y| (x.a, x.b) == (y.a, y.b))
            .collect();
        writer.count(pairs.len());
        for pair in pairs {
            writer.u32s([pair[0].a, pair[0].b, pair.len() as u32]);
            for candidate in pair {
                writer.u32s([candidate.i, candidate.s]);
                writer.f32(candidate.error_cm);
            }
        }
    }

    fn read(reader: &mut Reader<'_>, _version: u32) -> Result<Self, Malformed> {
        let mut read = Self {
            options: ContentHash(reader.array()?),
            clips: reader.list(16, |r| r.array().map(ContentHash))?,
            searched: Vec::new(),
            list: Vec::new(),
        };
        for _ in 0..reader.count(16)? {
            let tile = read_tile(reader, read.clips.len() as u32)?;
            read.searched.push(tile);
        }
        for _ in 0..reader.count(12)? {
            read_pair(reader, &mut read)?;
        }
        let sorted = read.list.is_sorted_by(|x, y| x.key() < y.key());
        reader.require(sorted, "its candidates are not in order")?;
        Ok(read)
    }
}

fn read_tile(reader: &mut Reader<'_>, clips: u32) -> Result<Tile, Malformed> {
    let mut range = || {
        let range = Range32 {
            start: reader.u32()?,
            end: reader.u32()?,
        };
        reader.require(
            range.start <= range.end && range.end <= clips,
            "a tile is outside",
        )?;
        Ok(range)
    };
    Ok(Tile {
        rows: range()?,
        cols: range()?,
    })
}

fn read_pair(reader: &mut Reader<'_>, read: &mut Candidates) -> Result<(), Malformed> {
    let (a, b) = (reader.u32()?, reader.u32()?);
    let inside = a <= b && (b as usize) < read.clips.len();
    reader.require(inside, "a candidate has no clip")?;
    for _ in 0..reader.count(12)? {
        let (i, s, error_cm) = (reader.u32()?, reader.u32()?, reader.finite()?);
        read.list.push(Candidate {
            a,
            b,
            i,
            s,
            error_cm,
        });
    }
    Ok(())
}
