//! The search for candidates cut into independent pieces.
//!
//! A tile is a rectangle of clip pairs; what it finds depends on those clips alone. Tiles can be run
//! in any order, on any machine, and their results merged: sorting makes the order forget itself.

use std::sync::atomic::{AtomicU64, Ordering};

use afoot_core::Range32;
use afoot_run::{Run, Stopped};
use rayon::prelude::*;

use crate::distance::{Block, Features};
use crate::minima::{Candidate, find_minima};
use crate::report::Stage;

/// Columns that one sweep keeps in the cache.
const STRIP: usize = 256;
/// Rows of one sweep, so that work spreads evenly and progress is seen.
const BAND: usize = 4096;

/// Some clips against some clips that come no earlier; pairs in which the second comes earlier, and
/// no others, are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tile {
    /// The first clips of the pairs.
    pub rows: Range32,
    /// The second clips of the pairs.
    pub cols: Range32,
}

impl Tile {
    /// Every pair of `clips` clips.
    pub fn all(clips: usize) -> Self {
        let all = Range32 {
            start: 0,
            end: clips as u32,
        };
        Self {
            rows: all,
            cols: all,
        }
    }
}

/// Cuts all pairs of a library into tiles of about `frames` by `frames` frames, whole clips each.
pub fn plan_tiles(clip_frames: &[usize], frames: usize) -> Vec<Tile> {
    let groups = group_clips(clip_frames, frames);
    let mut tiles = Vec::new();
    for (index, &cols) in groups.iter().enumerate() {
        tiles.extend(groups[..=index].iter().map(|&rows| Tile { rows, cols }));
    }
    tiles
}

/// The candidates of some tiles, sorted; tells how many pairs of frames are done.
pub fn run_tiles(
    features: &Features,
    tiles: &[Tile],
    ceiling_cm: f32,
    run: &Run,
) -> Result<Vec<Candidate>, Stopped> {
    // Later columns have more rows above the diagonal: the longest work first.
    let latest = tiles.iter().rev();
    let blocks: Vec<Block> = latest.flat_map(|tile| blocks(features, *tile)).collect();
    let work = |block: &Block| {
        let rows: usize = block.clips.clone().map(|clip| features.frames(clip)).sum();
        (rows * block.cols.len()) as u64
    };
    let total = blocks.iter().map(work).sum();
    let done = AtomicU64::new(0);
    let search = |block: &Block| {
        run.check()?;
        let found = find_minima(features, block, ceiling_cm);
        let done = done.fetch_add(work(block), Ordering::Relaxed) + work(block);
        run.progress(Stage::Distances.name(), done, total);
        Ok(found)
    };
    let found = blocks.par_iter().with_max_len(1).map(search);
    let found: Vec<Vec<Candidate>> = found.collect::<Result<_, Stopped>>()?;
    run.check()?;
    Ok(merge_candidates(found))
}

/// All candidates in their order.
pub fn merge_candidates(parts: Vec<Vec<Candidate>>) -> Vec<Candidate> {
    let mut all = parts.concat();
    all.par_sort_unstable_by_key(Candidate::key);
    all
}

/// Consecutive clips with at least `frames` frames together, the last group excepted.
fn group_clips(clip_frames: &[usize], frames: usize) -> Vec<Range32> {
    let mut groups = Vec::new();
    let (mut start, mut held) = (0, 0);
    for (clip, count) in clip_frames.iter().enumerate() {
        held += count;
        if held >= frames.max(1) || clip + 1 == clip_frames.len() {
            groups.push(Range32 {
                start,
                end: clip as u32 + 1,
            });
            (start, held) = (clip as u32 + 1, 0);
        }
    }
    groups
}

/// The sweeps that a tile takes.
fn blocks(features: &Features, tile: Tile) -> Vec<Block> {
    let [rows, cols] = [tile.rows, tile.cols].map(|r| r.start as usize..r.end as usize);
    if rows.is_empty() || cols.is_empty() {
        return Vec::new();
    }
    let cols = features.cols(cols.start).start..features.cols(cols.end - 1).end;
    let frames: Vec<usize> = rows.clone().map(|clip| features.frames(clip)).collect();
    let bands = group_clips(&frames, BAND);
    let mut blocks = Vec::new();
    for start in cols.clone().step_by(STRIP).rev() {
        let strip = start..(start + STRIP).min(cols.end);
        for band in &bands {
            let clips = rows.start + band.start as usize..rows.start + band.end as usize;
            if features.cols(clips.start).start < strip.end {
                blocks.push(Block {
                    clips,
                    cols: strip.clone(),
                });
            }
        }
    }
    blocks
}
