//! The best performance of all, frame by frame: equations 3 and 4 of Arikan, Forsyth and O'Brien 2003
//! without blocks or active sets, which the paper calls intractable.
//!
//! A take stays for the shortest block at least, as the search's do, and joins that have no frames to
//! blend are left out. Exact, since only what can't be part of anything better is passed over: a join
//! into a frame that is reached as cheaply by playing on; exits that are farther than what the cheapest
//! exit allows (lists, nearest first); of exits beyond a list those that cost too much (sorted by
//! cost); and whatever costs, with the misses that can't be avoided after it, more than a performance
//! that is known. Cost: frames of the footage times those of the result, times some dozens. Memory: 8 bytes each.

use afoot_run::{Run, Stopped};
use rayon::prelude::*;

use super::costs::{Costs, Take, merged};
use super::footage::distance;
use super::neighbours::Neighbours;
use super::timeline::Wish;

/// Frames of the footage times frames of the result at most: half a gigabyte.
const CELLS: u64 = 60_000_000;
/// Nobody comes there.
const NEVER: f32 = f32::INFINITY;
/// Sums of costs are equal up to this.
const SLACK: f32 = 1e-3;
/// Frames that a thread takes at a time.
const CHUNK: usize = 1024;

/// What is known of the best performance.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Best {
    /// This is it.
    Found { takes: Vec<Take>, cost: f32 },
    /// There is none that is better than the one that was known.
    Known,
    /// The result times the footage is too large.
    TooLarge,
}

/// Where a take that plays at a frame of the result was entered.
type Entered = Vec<u32>;

struct Table<'a> {
    costs: &'a Costs<'a>,
    neighbours: &'a Neighbours,
    /// Shortest take. [frames]
    stay: u32,
    /// Cost of a performance that is known.
    known: f32,
    /// Misses that can't be avoided from each frame of the result on.
    ahead: Vec<f32>,
}

/// The best performance, if it is better than one that costs `known`.
pub(crate) fn best_of_all(
    costs: &Costs,
    neighbours: &Neighbours,
    known: f32,
    run: &Run,
) -> Result<Best, Stopped> {
    let (frames, total) = (costs.timeline.frames as usize, costs.footage.frames());
    if (frames as u64) * (total as u64) > CELLS {
        return Ok(Best::TooLarge);
    }
    let table = Table {
        costs,
        neighbours,
        stay: shortest(costs).min(frames as u32),
        known: known + SLACK,
        ahead: misses_ahead(costs),
    };
    table.fill(run)
}

fn shortest(costs: &Costs) -> u32 {
    costs.footage.levels.last().map_or(1, |level| level.block)
}

/// What must be missed from each frame of the result on, whatever is played.
fn misses_ahead(costs: &Costs) -> Vec<f32> {
    let timeline = costs.timeline;
    let mut ahead = vec![0.0; timeline.frames as usize + 1];
    for section in timeline.sections.iter().rev() {
        let all = 0..timeline.carried.len() as u32;
        let least = all.map(|frame| timeline.missed(section.wish, frame)).min();
        let least = least.unwrap_or(0) as f32 * costs.miss_weight();
        for frame in (section.frames.start..section.frames.end).rev() {
            ahead[frame as usize] = ahead[frame as usize + 1] + least;
        }
    }
    ahead
}

impl Table<'_> {
    fn fill(&self, run: &Run) -> Result<Best, Stopped> {
        let (frames, total) = (self.costs.timeline.frames, self.costs.footage.frames());
        let stay = self.stay as usize;
        // Cost of having played a frame, in a take that may end there.
        let mut played = vec![NEVER; total];
        // Cost of entering at a frame, at each of the last times.
        let mut entries: Vec<Vec<f32>> = vec![Vec::new(); stay];
        let mut before: Vec<Vec<u32>> = Vec::with_capacity(frames as usize);
        let mut entered: Vec<Entered> = Vec::with_capacity(frames as usize);
        for at in 0..frames {
            run.check()?;
            run.progress("exact", u64::from(at), u64::from(frames));
            let (entry, from) = match at {
                0 => (vec![0.0; total], Vec::new()),
                _ => self.enter(at, &played),
            };
            before.push(from);
            entries[at as usize % stay] = entry;
            let last = entered.last();
            let (next, since) = self.play(at, &played, last, &entries);
            played = next;
            entered.push(since);
        }
        let best = (0..total).min_by(|a, b| played[*a].total_cmp(&played[*b]));
        match best {
            Some(best) if played[best] < self.known => {
                let takes = self.trace(best as u32, &before, &entered);
                let takes = merged(takes, self.costs.footage);
                let cost = self.costs.whole(&takes);
                Ok(Best::Found { takes, cost })
            }
            _ => Ok(Best::Known),
        }
    }

    /// Whether a captured frame may be played at a time: where something is fixed only that.
    fn allowed(&self, at: u32) -> Option<u32> {
        let mut fixed = self.costs.timeline.fixed.iter();
        let fixed = fixed.find(|fixed| fixed.at <= at && at < fixed.at + fixed.frames);
        fixed.map(|fixed| fixed.source + at - fixed.at)
    }

    /// Plays every frame at a time: on from the one before, or as the last of a take just long enough.
    fn play(
        &self,
        at: u32,
        played: &[f32],
        entered: Option<&Entered>,
        entries: &[Vec<f32>],
    ) -> (Vec<f32>, Entered) {
        let total = played.len();
        let wish = self.wish(at);
        let only = self.allowed(at);
        let (mut next, mut since) = (vec![NEVER; total], vec![0; total]);
        let start = (at + 1).checked_sub(self.stay);
        let miss = self.costs.miss_weight();
        let limit = self.known - self.ahead[at as usize + 1];
        let rows = next.par_chunks_mut(CHUNK).zip(since.par_chunks_mut(CHUNK));
        rows.enumerate().for_each(|(chunk, (next, since))| {
            for (index, (next, since)) in next.iter_mut().zip(since).enumerate() {
                let frame = (chunk * CHUNK + index) as u32;
                if only.is_some_and(|only| only != frame) {
                    continue;
                }
                let left = &self.costs.footage.left;
                if let Some(entered) = entered
                    && frame > 0
                    && left[frame as usize - 1] > 1
                {
                    let misses = self.costs.timeline.missed(wish, frame) as f32;
                    *next = played[frame as usize - 1] + misses * miss;
                    *since = entered[frame as usize - 1];
                }
                let first = frame.checked_sub(self.stay - 1);
                if let (Some(start), Some(first)) = (start, first)
                    && left[first as usize] >= self.stay
                {
                    let entry = entries[start as usize % entries.len()][first as usize];
                    if entry < *next && self.keeps_fixed(start, first) {
                        let take = Take {
                            at: start,
                            frames: self.stay,
                            source: first,
                        };
                        let cost = entry + self.costs.play(&take);
                        if cost < *next {
                            (*next, *since) = (cost, start);
                        }
                    }
                }
                if *next >= limit {
                    *next = NEVER;
                }
            }
        });
        (next, since)
    }

    /// Whether a take that has just been entered plays what is fixed.
    fn keeps_fixed(&self, start: u32, first: u32) -> bool {
        if self.costs.timeline.fixed.is_empty() {
            return true;
        }
        (0..self.stay).all(|k| self.allowed(start + k).is_none_or(|only| only == first + k))
    }

    fn wish(&self, at: u32) -> Wish {
        let sections = &self.costs.timeline.sections;
        let index = sections.partition_point(|section| section.frames.end <= at);
        sections
            .get(index)
            .map_or(Wish::default(), |section| section.wish)
    }

    /// The cheapest join into every frame, and the frame that it leaves.
    fn enter(&self, at: u32, played: &[f32]) -> (Vec<f32>, Vec<u32>) {
        let total = played.len();
        let (mut costs, mut from) = (vec![NEVER; total], vec![0; total]);
        let frames = self.costs.timeline.frames;
        if frames - at < self.stay {
            return (costs, from);
        }
        let mut exits: Vec<(f32, u32)> = (0..total as u32)
            .filter(|last| played[*last as usize] < NEVER && self.costs.can_leave(*last))
            .map(|last| (played[last as usize], last))
            .collect();
        exits.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let rows = costs.par_chunks_mut(CHUNK).zip(from.par_chunks_mut(CHUNK));
        rows.enumerate().for_each(|(chunk, (costs, from))| {
            for (index, (cost, from)) in costs.iter_mut().zip(from).enumerate() {
                let frame = (chunk * CHUNK + index) as u32;
                if let Some(found) = self.enter_at(at, frame, played, &exits) {
                    (*cost, *from) = found;
                }
            }
        });
        (costs, from)
    }

    fn enter_at(
        &self,
        at: u32,
        frame: u32,
        played: &[f32],
        exits: &[(f32, u32)],
    ) -> Option<(f32, u32)> {
        let footage = self.costs.footage;
        let cheapest = exits.first()?.0;
        if footage.left[frame as usize] < self.stay || !self.costs.can_enter(frame) {
            return None;
        }
        // Playing on into the frame is free, and leaves more open.
        let mut best = played[frame as usize - 1];
        best = best.min(self.known - self.ahead[at as usize]);
        let mut from = None;
        let (weight, _) = self.costs.join_weights();
        let list = self.neighbours.of(frame);
        for near in list {
            let joined = weight * near.apart;
            if cheapest + joined >= best {
                return from.map(|from| (best, from));
            }
            let cost = played[near.last as usize] + joined;
            if cost < best {
                (best, from) = (cost, Some(near.last));
            }
        }
        // All others are farther than the last of the list.
        let farther = list.last().map_or(0.0, |near| weight * near.apart);
        let own = &footage.features[frame as usize];
        for &(paid, last) in exits {
            if paid + farther >= best {
                break;
            }
            let joined = weight * distance(&footage.features[last as usize + 1], own);
            if paid + joined < best {
                (best, from) = (paid + joined, Some(last));
            }
        }
        from.map(|from| (best, from))
    }

    fn trace(&self, last: u32, before: &[Vec<u32>], entered: &[Entered]) -> Vec<Take> {
        let (mut end, mut frame) = (self.costs.timeline.frames, last);
        let mut takes = Vec::new();
        loop {
            let at = entered[end as usize - 1][frame as usize];
            let source = frame + 1 - (end - at);
            takes.push(Take {
                at,
                frames: end - at,
                source,
            });
            if at == 0 {
                break;
            }
            frame = before[at as usize][source as usize];
            end = at;
        }
        takes.reverse();
        takes
    }
}
