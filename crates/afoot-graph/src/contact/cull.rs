//! Of all ways from one change of contacts to the next the cheapest (Safonova and Hodgins 2007, §5).
//!
//! One run of Dijkstra per change, through frames with the same contacts, over plain succession and over
//! like frames. All ways between two changes end in the same pose and nearly the same place, since what
//! touches does not move; how nearly is measured on the second-best arrivals.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use afoot_core::Clip;
use afoot_run::{Run, Stopped};
use rayon::prelude::*;

use super::ContactOptions;
use super::phases::{ClipFacts, Phase};
use super::similar::Similar;

/// All frames of a library in a row.
pub(super) struct Film<'a> {
    pub(super) clips: &'a [Clip],
    pub(super) facts: &'a [ClipFacts],
    pub(super) prices: &'a [f64],
    pub(super) similar: &'a Similar,
    /// The clip of each frame, and the first frame of each clip.
    pub(super) clip_of: Vec<u32>,
    pub(super) starts: Vec<usize>,
    pub(super) phases: Vec<Phase>,
}

/// What a join costs: half of the most for being one, so that captured motion plays on where it can, and
/// the rest by the square of its error.
pub(super) struct JoinPrice {
    most: f64,
    threshold: f64,
}

impl JoinPrice {
    pub(super) fn new(options: &ContactOptions) -> Self {
        Self {
            most: options.transition,
            threshold: f64::from(options.graph.threshold_cm),
        }
    }

    /// Of a join with that error. [cm]
    pub(super) fn of(&self, error_cm: f32) -> f64 {
        let share = f64::from(error_cm) / self.threshold;
        0.5 * self.most * (1.0 + share * share)
    }
}

/// A way from one change of contacts to another, both as frames of the film.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) cost: f64,
    /// The frames that play, half-open runs of the film.
    pub(super) runs: Vec<(usize, usize)>,
    /// The same of the second-best arrival by another last frame, if there is one.
    pub(super) second: Option<Vec<(usize, usize)>>,
}

impl<'a> Film<'a> {
    pub(super) fn new(
        clips: &'a [Clip],
        facts: &'a [ClipFacts],
        prices: &'a [f64],
        similar: &'a Similar,
    ) -> Self {
        let mut starts = vec![0];
        let mut clip_of = Vec::new();
        for (index, clip) in clips.iter().enumerate() {
            starts.push(starts[index] + clip.len());
            clip_of.extend(std::iter::repeat_n(index as u32, clip.len()));
        }
        let phases = facts.iter().flat_map(|facts| facts.phases.iter().copied());
        Self {
            clips,
            facts,
            prices,
            similar,
            clip_of,
            starts,
            phases: phases.collect(),
        }
    }

    /// The clip and the frame in it.
    pub(super) fn place(&self, frame: usize) -> (usize, usize) {
        let clip = self.clip_of[frame] as usize;
        (clip, frame - self.starts[clip])
    }

    fn is_usable(&self, frame: usize) -> bool {
        let (clip, own) = self.place(frame);
        let faults = &self.clips[clip].faults;
        !faults.iter().any(|fault| fault.contains(&(own as u32)))
    }

    /// Whether contacts change into a frame.
    pub(super) fn is_change(&self, frame: usize) -> bool {
        let (_, own) = self.place(frame);
        own > 0 && self.phases[frame] != self.phases[frame - 1] && self.is_usable(frame)
    }

    /// The frames that may play after one, with what the change costs.
    fn after<'b>(
        &'b self,
        frame: usize,
        unit: &'b JoinPrice,
    ) -> impl Iterator<Item = (usize, f64)> + 'b {
        let next = frame + 1;
        let (clip, _) = self.place(frame);
        let goes_on = next < self.starts[clip + 1] && self.is_usable(next);
        let others = match next < self.starts[clip + 1] {
            true => self.similar.of(next),
            false => &[],
        };
        let others = others
            .iter()
            .map(|&(other, error)| (other as usize, unit.of(error)));
        let plain = goes_on.then_some((next, 0.0));
        plain
            .into_iter()
            .chain(others.filter(|(other, _)| self.is_usable(*other)))
    }
}

/// Every change of contacts, in order; standing starts of clips among them, so that motion can begin.
pub(super) fn changes(film: &Film) -> Vec<usize> {
    (0..film.phases.len())
        .filter(|frame| film.is_change(*frame))
        .collect()
}

pub(super) fn cheapest_ways(
    film: &Film,
    options: &ContactOptions,
    run: &Run,
) -> Result<Vec<Way>, Stopped> {
    let unit = JoinPrice::new(options);
    let from = changes(film);
    let ways: Vec<Vec<Way>> = from
        .par_iter()
        .map(|start| {
            run.check()?;
            Ok(ways_from(film, *start, &unit))
        })
        .collect::<Result<_, Stopped>>()?;
    Ok(ways.into_iter().flatten().collect())
}

/// Longer in one phase than this is no way to the next but loitering. [frames of cost]
const LONGEST: f64 = 12.0;

fn ways_from(film: &Film, start: usize, unit: &JoinPrice) -> Vec<Way> {
    let phase = film.phases[start];
    let mut reached: std::collections::HashMap<usize, (f64, usize)> = Default::default();
    let mut ends: std::collections::BTreeMap<usize, [(f64, usize); 2]> = Default::default();
    let none = (f64::INFINITY, usize::MAX);
    let mut open = BinaryHeap::new();
    reached.insert(start, (0.0, start));
    open.push((Reverse(0u64), start));
    while let Some((Reverse(bits), frame)) = open.pop() {
        let cost = f64::from_bits(bits);
        if cost > reached[&frame].0 || cost > LONGEST {
            continue;
        }
        for (next, change) in film.after(frame, unit) {
            let total = cost + film.prices[frame] + change;
            if film.phases[next] != phase {
                let best = ends.entry(next).or_insert([none; 2]);
                let arrival = (total, frame);
                if arrival < best[0] {
                    *best = [arrival, best[0]];
                } else if arrival < best[1] {
                    best[1] = arrival;
                }
                continue;
            }
            let known = reached.entry(next).or_insert(none);
            if total < known.0 {
                *known = (total, frame);
                open.push((Reverse(total.to_bits()), next));
            }
        }
    }
    let trail = |mut last: usize| {
        let mut frames = vec![last];
        while last != start {
            last = reached[&last].1;
            frames.push(last);
        }
        frames.reverse();
        as_runs(&frames)
    };
    ends.into_iter()
        .map(|(to, [best, second])| Way {
            from: start,
            to,
            cost: best.0,
            runs: trail(best.1),
            second: (second.1 != usize::MAX).then(|| trail(second.1)),
        })
        .collect()
}

fn as_runs(frames: &[usize]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &frame in frames {
        match runs.last_mut() {
            Some(last) if last.1 == frame => last.1 += 1,
            _ => runs.push((frame, frame + 1)),
        }
    }
    runs
}
