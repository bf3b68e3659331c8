//! Graph MG: every pair of frames that are alike and have the same contacts, not their minima alone.
//!
//! Two frames are alike if the windows around them are: frame v may then play where frame u would, after
//! the frame before u. The frames before both must touch the ground alike.

use afoot_core::Range32;
use afoot_run::{Run, Stopped};
use rayon::prelude::*;

use super::phases::{ClipFacts, Phase};
use crate::distance::{Block, Features, RowSink, Rows, sweep};

/// Frames that may play instead of others: those of frame u are `others[first[u]..first[u + 1]]`.
#[derive(Clone, Debug, Default)]
pub(super) struct Similar {
    first: Vec<u32>,
    others: Vec<(u32, f32)>,
}

impl Similar {
    /// The frames alike to one, with their errors. [cm]
    pub(super) fn of(&self, frame: usize) -> &[(u32, f32)] {
        &self.others[self.first[frame] as usize..self.first[frame + 1] as usize]
    }

    /// How many ordered pairs there are.
    pub(super) fn len(&self) -> usize {
        self.others.len()
    }
}

/// Columns that a sweep keeps in the cache.
const STRIP: usize = 256;

pub(super) fn find_similar(
    features: &Features,
    facts: &[ClipFacts],
    threshold_cm: f32,
    run: &Run,
) -> Result<Similar, Stopped> {
    let total = features.total_frames();
    let phases: Vec<Phase> = facts
        .iter()
        .flat_map(|facts| facts.phases.iter().copied())
        .collect();
    let starts: Vec<usize> = (0..total).step_by(STRIP).collect();
    let found: Vec<Vec<(u32, u32, f32)>> = starts
        .par_iter()
        .map(|&start| {
            run.check()?;
            let cols = start..(start + STRIP).min(total);
            let mut collector = Collector {
                features,
                phases: &phases,
                ceiling: threshold_cm * threshold_cm,
                half: features.window() / 2,
                clip_of: clip_of(features, cols.start..cols.end),
                found: Vec::new(),
            };
            let clips = 0..features.clips();
            sweep(features, &Block { clips, cols }, &mut collector);
            Ok(collector.found)
        })
        .collect::<Result<_, Stopped>>()?;
    Ok(as_rows(total, found.into_iter().flatten().collect()))
}

fn as_rows(total: usize, pairs: Vec<(u32, u32, f32)>) -> Similar {
    let mut both: Vec<(u32, u32, f32)> = pairs.iter().map(|&(a, b, e)| (b, a, e)).collect();
    both.extend(pairs);
    both.par_sort_unstable_by_key(|&(a, b, _)| (a, b));
    let mut first = vec![0u32; total + 1];
    both.iter().for_each(|(a, ..)| first[*a as usize + 1] += 1);
    (0..total).for_each(|frame| first[frame + 1] += first[frame]);
    let others = both.into_iter().map(|(_, b, error)| (b, error)).collect();
    Similar { first, others }
}

/// The columns' clips, by their first frames.
fn clip_of(features: &Features, cols: std::ops::Range<usize>) -> Vec<(usize, Range32)> {
    (0..features.clips())
        .map(|clip| (clip, features.cols(clip)))
        .filter(|(_, own)| own.start < cols.end && cols.start < own.end)
        .map(|(clip, own)| {
            let frames = Range32 {
                start: own.start.max(cols.start) as u32,
                end: own.end.min(cols.end) as u32,
            };
            (clip, frames)
        })
        .collect()
}

struct Collector<'a> {
    features: &'a Features,
    phases: &'a [Phase],
    /// [cm²]
    ceiling: f32,
    half: usize,
    clip_of: Vec<(usize, Range32)>,
    found: Vec<(u32, u32, f32)>,
}

impl RowSink for Collector<'_> {
    fn rows(&mut self, rows: &Rows<'_>) {
        let own = self.features.cols(rows.clip);
        for row in rows.first..rows.first + rows.count {
            if row + self.features.window() > own.len() {
                continue;
            }
            // The frames in the middle of the windows, and those before them.
            let u = own.start + row + self.half;
            let values = rows.row(row as isize);
            for &(clip, frames) in self.clip_of.iter().filter(|(clip, _)| *clip >= rows.clip) {
                let cols = self.features.cols(clip);
                let nearest = match clip == rows.clip {
                    true => own.start + row + self.features.window(),
                    false => cols.start,
                };
                let last = (cols.end + 1).saturating_sub(self.features.window());
                let from = (frames.start as usize).max(nearest);
                for col in from..(frames.end as usize).min(last) {
                    let error = values[col - rows.cols.start];
                    let v = col + self.half;
                    if error <= self.ceiling && self.phases[u - 1] == self.phases[v - 1] {
                        self.found.push((u as u32, v as u32, error.sqrt()));
                    }
                }
            }
        }
    }
}
