//! Tables one after the other in one run of bytes, to be used where they lie.
//!
//! A head, the tables each at a multiple of `ALIGNMENT`, then a hash of every `BLOCK` bytes and,
//! in the head, the hash of those. The head also names what the tables were made from (`key`). Numbers
//! are little-endian, as in memory on the machines that read it; others refuse it and make their own.
//! Checking all blocks at each opening would read what a request never touches, some gigabytes a second.
//! So the head, the list of hashes and the *vital* tables, whose rows say where others lie, are always
//! checked; of the rest, where a wrong number is no more than that, `IN_TURN` blocks each time.

use std::ops::Range;
use std::sync::Arc;
use std::thread;

use bytemuck::Pod;

use crate::artefact::{CodecError, Kind};
use crate::codec::{Malformed, Reader, Writer};
use crate::digest::ContentHash;
use crate::table::Table;

/// Bytes that several tables lie in: a mapped file, or memory.
pub type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// Where tables start: a cache line, and more than any row needs.
const ALIGNMENT: usize = 64;
/// What is hashed at a time: small enough for a core's cache.
const BLOCK: usize = 1 << 18;
/// Blocks that are not vital and checked at an opening: 8 MB, a few milliseconds.
const IN_TURN: usize = 32;
/// Magic, version, number of tables, key, lengths of all and of vital tables, hash of head and block
/// hashes.
const HEAD: usize = 8 + 4 + 4 + 16 + 8 + 8 + 16;

/// Collects tables.
#[derive(Default)]
pub struct FlatWriter {
    words: Vec<u64>,
    ends: Vec<[u64; 2]>,
    vital: usize,
}

/// Memory that tables can lie in.
pub(crate) struct Words(pub(crate) Vec<u64>);

impl Words {
    /// A copy of some bytes, of which there are eight times as many as words.
    fn of(bytes: &[u8]) -> Self {
        let (words, rest) = bytes.as_chunks::<8>();
        assert!(rest.is_empty(), "whole words");
        Self(words.iter().map(|word| u64::from_ne_bytes(*word)).collect())
    }
}

impl AsRef<[u8]> for Words {
    fn as_ref(&self) -> &[u8] {
        bytemuck::cast_slice(&self.0)
    }
}

impl FlatWriter {
    /// How many tables there are.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// All tables so far are vital: they are checked whole whenever they are opened.
    pub fn end_vital(&mut self) {
        self.vital = self.words.len() * 8;
    }

    /// The next table.
    pub fn table<T: Pod>(&mut self, rows: &[T]) {
        const { assert!(align_of::<T>() <= ALIGNMENT) };
        let bytes: &[u8] = bytemuck::cast_slice(rows);
        let start = self.words.len() * 8;
        let words = bytes.len().next_multiple_of(ALIGNMENT) / 8;
        self.words.resize(self.words.len() + words, 0);
        let to: &mut [u8] = bytemuck::cast_slice_mut(&mut self.words);
        to[start..start + bytes.len()].copy_from_slice(bytes);
        self.ends.push([start as u64, bytes.len() as u64]);
    }

    /// All of it, made from what `key` names.
    pub fn finish(self, kind: Kind, key: ContentHash) -> Bytes {
        let body: &[u8] = bytemuck::cast_slice(&self.words);
        let sums = block_sums(body);
        let head = (HEAD + 16 * self.ends.len()).next_multiple_of(ALIGNMENT);
        let length = head + body.len() + 16 * sums.len();
        let mut writer = Writer::default();
        writer.bytes.extend(kind.magic);
        writer.u32(kind.version);
        writer.count(self.ends.len());
        writer.bytes.extend(key.0);
        writer.u64(length as u64);
        writer.u64(self.vital as u64);
        let places = self.ends.as_flattened();
        let mut list = Writer::default();
        places.iter().for_each(|place| list.u64(*place));
        let sum = head_sum(&writer.bytes, &list.bytes, bytemuck::cast_slice(&sums));
        writer.bytes.extend(sum.0);
        writer.bytes.extend(list.bytes);
        writer.bytes.resize(head, 0);
        let mut words = Words::of(&writer.bytes).0;
        words.extend(self.words);
        words.extend(Words::of(sums.as_flattened()).0);
        assert_eq!(words.len() * 8, length, "head, tables and hashes");
        Arc::new(Words(words))
    }
}

/// Tables where they lie, checked as far as the header says.
#[derive(Clone)]
pub struct Flat {
    bytes: Bytes,
    what: &'static str,
    key: ContentHash,
    tables: Vec<Range<usize>>,
    /// Where the tables lie.
    body: Range<usize>,
    /// Blocks with vital tables.
    vital: usize,
}

impl Flat {
    /// Opens what [`FlatWriter::finish`] made of that kind and from that key; vital tables are checked.
    pub fn open(bytes: Bytes, kind: Kind, key: ContentHash) -> Result<Self, CodecError> {
        let invalid = |Malformed(why)| CodecError::Invalid {
            what: kind.what,
            why,
        };
        let all = (*bytes).as_ref();
        let mut reader = Reader::new(all);
        let magic = reader.array::<8>();
        if magic != Ok(kind.magic) || cfg!(target_endian = "big") {
            return Err(CodecError::OtherKind(kind.what));
        }
        kind.check_version(reader.u32().map_err(invalid)?)?;
        let count = reader.count(16).map_err(invalid)?;
        let made_from = ContentHash(reader.array().map_err(invalid)?);
        if made_from != key {
            return Err(CodecError::OtherSources(kind.what));
        }
        let length = reader.u64().map_err(invalid)?;
        let vital = reader.u64().map_err(invalid)? as usize;
        if length != all.len() as u64 {
            return Err(invalid(Malformed("it ends too early")));
        }
        let sum = ContentHash(reader.array().map_err(invalid)?);
        let list = reader.take(16 * count).map_err(invalid)?;
        let start = (HEAD + list.len()).next_multiple_of(ALIGNMENT);
        let damaged = CodecError::Damaged(kind.what);
        let Some(body) = all.get(start..).and_then(without_sums) else {
            return Err(damaged);
        };
        let (body, sums) = body;
        if head_sum(&all[..HEAD - 16], list, sums) != sum {
            return Err(damaged);
        }
        let body = start..start + body.len();
        let table = |place: &[u8; 16]| {
            let mut reader = Reader::new(place);
            let (from, size) = (reader.u64()? as usize, reader.u64()? as usize);
            let from = start.saturating_add(from);
            Ok(from..from.saturating_add(size))
        };
        let (places, _) = list.as_chunks::<16>();
        let tables = places.iter().map(table).collect::<Result<_, _>>();
        let flat = Self {
            what: kind.what,
            key,
            tables: tables.map_err(invalid)?,
            vital: vital.min(body.len()).div_ceil(BLOCK),
            body,
            bytes,
        };
        flat.check(0..flat.vital)?;
        Ok(flat)
    }

    /// What they were made from.
    pub fn key(&self) -> ContentHash {
        self.key
    }

    /// Checks every block.
    pub fn check_all(&self) -> Result<(), CodecError> {
        self.check(0..self.blocks())
    }

    /// Checks a few blocks that are not vital: those whose turn it is.
    pub fn check_in_turn(&self, turn: u64) -> Result<(), CodecError> {
        let turns = (self.blocks() - self.vital).div_ceil(IN_TURN).max(1);
        let first = self.vital + IN_TURN * (turn % turns as u64) as usize;
        self.check(first.min(self.blocks())..(first + IN_TURN).min(self.blocks()))
    }

    fn blocks(&self) -> usize {
        self.body.len().div_ceil(BLOCK)
    }

    fn check(&self, blocks: Range<usize>) -> Result<(), CodecError> {
        let all = (*self.bytes).as_ref();
        let (body, sums) = (&all[self.body.clone()], &all[self.body.end..]);
        let [from, to] = [blocks.start, blocks.end].map(|block| (block * BLOCK).min(body.len()));
        let part = &body[from..to];
        let whole = block_sums(part).as_flattened() == &sums[16 * blocks.start..16 * blocks.end];
        match whole {
            true => Ok(()),
            false => Err(CodecError::Damaged(self.what)),
        }
    }

    /// A table, by its number.
    pub fn table<T: Pod + Send + Sync>(&self, number: usize) -> Result<Table<T>, CodecError> {
        let range = self.tables.get(number).cloned();
        let table = range.and_then(|range| Table::within(&self.bytes, range));
        table.ok_or(CodecError::Invalid {
            what: self.what,
            why: "a table is missing or cut",
        })
    }
}

/// Tables and block hashes apart.
fn without_sums(all: &[u8]) -> Option<(&[u8], &[u8])> {
    // n bytes of tables have ceil(n / BLOCK) hashes of 16 bytes.
    let blocks = all.len().div_ceil(BLOCK + 16);
    all.split_at_checked(all.len().checked_sub(16 * blocks)?)
}

/// A hash of every block, on as many threads as there are cores.
fn block_sums(body: &[u8]) -> Vec<[u8; 16]> {
    let mut sums = vec![[0; 16]; body.len().div_ceil(BLOCK)];
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let share = sums.len().div_ceil(threads).max(1);
    if share >= sums.len() {
        // One core, a small file, or a machine without threads, as browsers are.
        sums_of_blocks(body, &mut sums);
        return sums;
    }
    thread::scope(|scope| {
        for (body, sums) in body.chunks(share * BLOCK).zip(sums.chunks_mut(share)) {
            scope.spawn(|| sums_of_blocks(body, sums));
        }
    });
    sums
}

fn sums_of_blocks(body: &[u8], sums: &mut [[u8; 16]]) {
    let (fours, rest) = sums.as_chunks_mut::<4>();
    let (whole, left) = body.split_at((fours.len() * 4 * BLOCK).min(body.len()));
    for (four, sums) in whole.chunks(4 * BLOCK).zip(fours) {
        sums_of_four(four, sums);
    }
    for (block, sum) in left.chunks(BLOCK).zip(rest) {
        *sum = ContentHash::of(block).0;
    }
}

/// The hashes of four blocks, the last of which may be shorter.
fn sums_of_four(blocks: &[u8], sums: &mut [[u8; 16]; 4]) {
    let mut parts = blocks.chunks(BLOCK);
    let parts = [(); 4].map(|()| parts.next().unwrap_or_default());
    let hashes = match parts[3].len() == BLOCK {
        true => ContentHash::of_four(parts),
        false => parts.map(ContentHash::of),
    };
    *sums = hashes.map(|hash| hash.0);
}

fn head_sum(head: &[u8], list: &[u8], sums: &[u8]) -> ContentHash {
    ContentHash::of_parts([head, list, sums])
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: Kind = Kind {
        magic: *b"afoottst",
        version: 1,
        oldest: 1,
        other_hash: 0,
        name: "test",
        what: "test",
    };

    fn made(rows: usize) -> Bytes {
        let mut writer = FlatWriter::default();
        writer.table(&[7u8, 8, 9]);
        writer.table::<u32>(&[]);
        let rows: Vec<[f64; 2]> = (0..rows).map(|row| [row as f64, 0.5]).collect();
        writer.table(&rows);
        writer.finish(KIND, ContentHash::of(b"key"))
    }

    fn copy(bytes: &Bytes) -> Vec<u64> {
        Words::of((**bytes).as_ref()).0
    }

    fn open(words: Vec<u64>) -> Result<Flat, CodecError> {
        Flat::open(Arc::new(Words(words)), KIND, ContentHash::of(b"key"))
    }

    fn open_all(words: Vec<u64>) -> Result<(), CodecError> {
        open(words)?.check_all()
    }

    #[test]
    fn small_files_are_checked_in_turn_too() {
        for rows in [0, 1, 100] {
            let flat = open(copy(&made(rows))).unwrap();
            (0..3).for_each(|turn| flat.check_in_turn(turn).unwrap());
        }
    }

    #[test]
    fn vital_tables_are_checked_at_once_and_the_rest_in_turn() {
        let rows = vec![1u64; 3 * BLOCK / 8];
        let mut writer = FlatWriter::default();
        writer.table(&rows);
        writer.end_vital();
        (0..50).for_each(|_| writer.table(&rows));
        let words = copy(&writer.finish(KIND, ContentHash::of(b"key")));
        let head = (HEAD + 51 * 16).next_multiple_of(ALIGNMENT) / 8;
        for block in [0, 1, 2, 3, 40, 100, 152] {
            let mut changed = words.clone();
            changed[head + block * BLOCK / 8 + 7] = 9;
            let opened = open(changed);
            assert_eq!(opened.is_ok(), block >= 3, "block {block}");
            // 150 blocks come in five turns, of which one meets it.
            let Ok(opened) = opened else { continue };
            let met = (0..10).filter(|&turn| opened.check_in_turn(turn).is_err());
            assert_eq!(met.count(), 2, "block {block}");
            assert!(opened.check_all().is_err());
        }
    }

    #[test]
    fn tables_lie_where_they_were_put() {
        for rows in [0, 1, 5, 16_383, 16_384, 16_385, 100_000] {
            let flat = Flat::open(made(rows), KIND, ContentHash::of(b"key")).unwrap();
            assert_eq!(*flat.table::<u8>(0).unwrap(), [7, 8, 9]);
            assert_eq!(flat.table::<u32>(1).unwrap().len(), 0);
            let table = flat.table::<[f64; 2]>(2).unwrap();
            assert_eq!(table.len(), rows);
            assert!(
                table
                    .iter()
                    .enumerate()
                    .all(|(row, value)| *value == [row as f64, 0.5])
            );
            assert!(flat.table::<u8>(3).is_err());
            assert!(flat.table::<u32>(0).is_err(), "three bytes are no number");
        }
    }

    #[test]
    fn whatever_was_changed_or_cut_is_refused() {
        let words = copy(&made(40));
        assert!(open_all(words.clone()).is_ok());
        for word in 0..words.len() {
            let mut changed = words.clone();
            changed[word] ^= 1 << (word % 64);
            // Between the list and the first table lies nothing.
            let gap = (HEAD + 48).div_ceil(8)..(HEAD + 48).next_multiple_of(ALIGNMENT) / 8;
            assert_eq!(
                open_all(changed).is_ok(),
                gap.contains(&word),
                "word {word}"
            );
            assert!(open_all(words[..word].to_vec()).is_err(), "{word} words");
        }
        let other = Flat::open(Arc::new(Words(words)), KIND, ContentHash::of(b"other"));
        assert!(other.is_err());
    }
}
