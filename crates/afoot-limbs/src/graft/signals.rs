//! Correlation without foot plants (Shanbhag 2006, §8.1): dynamic time warping, and zero crossings.
//!
//! Both look at what the lower chains' ends do, seen from the root along its heading. Warping finds the
//! cheapest rising way through the table of all distances, of slopes from a half to two, that begins and
//! ends at a border of it. Zero crossings are where the acceleration of the two ends against each other
//! changes its sign. Cost: the product of the lengths, and linear.

use afoot_core::{Clip, FrameId, Quat, Vec3, forward_kinematics, headings};

use super::chains::{Half, body_chains};
use super::correlate::Event;
use super::frame_map::Paired;

/// Positions and, as lengths, velocities of the lower chains' ends, a row a frame; of all chains' where
/// nothing is lower.
pub(crate) struct Signals {
    ends: Vec<Vec<Vec3>>,
    frames: usize,
    fps: f32,
}

/// A velocity is worth what it covers in this time. [s]
const TAU: f32 = 0.1;
/// Signals are averaged over this much to either side before their signs are taken. [s]
const SMOOTH: f64 = 0.067;
/// Crossings of accelerations that stay below this share of the largest are noise.
const NOISE: f32 = 0.2;
/// A way through the table is at least this share of the shorter clip.
const LEAST_WAY: f64 = 0.5;

impl Signals {
    /// Of a clip.
    pub fn of(clip: &Clip) -> Self {
        let chains = body_chains(&clip.skeleton);
        let lower = chains.iter().any(|(_, half)| *half == Half::Lower);
        let wanted = chains
            .iter()
            .filter(|(_, half)| !lower || *half == Half::Lower);
        let tips = wanted.filter_map(|(chain, _)| chain.joints.last().copied());
        let (points, headings) = (forward_kinematics(clip), headings(clip));
        let seen = |joint, frame: usize| {
            let away = points.joint(FrameId::from(frame), joint) - clip.root[frame];
            Quat::from_rotation_y(-headings[frame] as f32) * away
        };
        let track = |joint| (0..clip.len()).map(|frame| seen(joint, frame)).collect();
        Self {
            ends: tips.map(track).collect(),
            frames: clip.len(),
            fps: clip.rate.fps() as f32,
        }
    }

    fn moment(&self, frame: usize) -> impl Iterator<Item = Vec3> + '_ {
        let (before, after) = (frame.saturating_sub(1), (frame + 1).min(self.frames - 1));
        let scale = TAU * self.fps / (after - before).max(1) as f32;
        let of = move |end: &Vec<Vec3>| [end[frame], (end[after] - end[before]) * scale];
        self.ends.iter().flat_map(of)
    }

    fn distance(&self, frame: usize, other: &Self, at: usize) -> f32 {
        let pairs = self.moment(frame).zip(other.moment(at));
        pairs.map(|(a, b)| a.distance_squared(b)).sum()
    }
}

/// Pairs of frames along the cheapest way through the table of distances; none if a clip is too short.
pub(crate) fn warp_pairs(base: &Signals, donor: &Signals) -> Vec<Paired> {
    let (rows, columns) = (base.frames, donor.frames);
    if rows < 4 || columns < 4 || base.ends.len() != donor.ends.len() {
        return Vec::new();
    }
    let table = Table::of(base, donor);
    let Some(mut at) = table.best_end() else {
        return Vec::new();
    };
    let mut way = vec![at];
    while let Some(before) = table.before(at) {
        at = before;
        way.push(at);
    }
    way.reverse();
    way.into_iter()
        .map(|(row, column)| Paired {
            base: row as f64,
            donor: column as f64,
        })
        .collect()
}

/// Costs of ways through a table of distances. Memory: a byte for each cell.
struct Table {
    columns: usize,
    rows: usize,
    /// The step that led to each cell.
    steps: Vec<u8>,
    last_row: Vec<Way>,
    last_column: Vec<Way>,
}

/// The best way to a cell.
#[derive(Clone, Copy)]
struct Way {
    /// Of distances.
    sum: f32,
    length: u32,
}

impl Way {
    fn mean(self) -> f32 {
        self.sum / self.length as f32
    }
}

/// Steps of a way: rows and columns gone.
const STEPS: [(usize, usize); 3] = [(1, 1), (1, 2), (2, 1)];
/// Of a cell that a way begins in.
const NO_STEP: u8 = u8::MAX;

impl Table {
    fn of(base: &Signals, donor: &Signals) -> Self {
        let (rows, columns) = (base.frames, donor.frames);
        let mut steps = Vec::with_capacity(rows * columns);
        let mut last_column = Vec::with_capacity(rows);
        // The row above and the one above that; steps lead no farther.
        let mut above: [Vec<Way>; 2] = Default::default();
        for row in 0..rows {
            let mut ways = Vec::with_capacity(columns);
            for column in 0..columns {
                let own = base.distance(row, donor, column);
                let sum = if row.min(column) == 0 {
                    own
                } else {
                    f32::INFINITY
                };
                let begin = (Way { sum, length: 1 }, NO_STEP);
                let from = |(index, (up, left)): (usize, (usize, usize))| {
                    let before = above[up - 1].get(column.checked_sub(left)?)?;
                    let way = Way {
                        sum: before.sum + own * (up + left) as f32 * 0.5,
                        length: before.length + (up + left) as u32,
                    };
                    Some((way, index as u8))
                };
                let found = STEPS.into_iter().enumerate().filter_map(from);
                let best = found
                    .chain([begin])
                    .min_by(|a, b| a.0.mean().total_cmp(&b.0.mean()));
                let (way, step) = best.unwrap_or(begin);
                ways.push(way);
                steps.push(step);
            }
            last_column.push(ways[columns - 1]);
            let [one, two] = &mut above;
            std::mem::swap(one, two);
            *one = ways;
        }
        let [last_row, _] = above;
        Self {
            columns,
            rows,
            steps,
            last_row,
            last_column,
        }
    }

    /// The end of the way of least mean distance that is long enough.
    fn best_end(&self) -> Option<(usize, usize)> {
        let last_row = self.last_row.iter().enumerate();
        let last_row = last_row.map(|(column, way)| ((self.rows - 1, column), way));
        let last_column = self.last_column.iter().enumerate();
        let last_column = last_column.map(|(row, way)| ((row, self.columns - 1), way));
        let least = LEAST_WAY * 2.0 * self.rows.min(self.columns) as f64;
        let ends = last_row.chain(last_column);
        let long = ends.filter(|(_, way)| f64::from(way.length) >= least && way.sum.is_finite());
        let best = long.min_by(|a, b| a.1.mean().total_cmp(&b.1.mean()));
        best.map(|(at, _)| at)
    }

    fn before(&self, (row, column): (usize, usize)) -> Option<(usize, usize)> {
        let step = self.steps[row * self.columns + column];
        let (up, left) = STEPS.get(usize::from(step))?;
        Some((row - up, column - left))
    }
}

/// Where the first two ends' acceleration against each other along the heading changes its sign: to rising
/// 0, to falling 1.
pub(crate) fn zero_crossings(clip: &Clip) -> Vec<Event> {
    let signals = Signals::of(clip);
    let [first, second, ..] = &signals.ends[..] else {
        return Vec::new();
    };
    let apart: Vec<f32> = first.iter().zip(second).map(|(a, b)| a.z - b.z).collect();
    let reach = clip.rate.frames_in(SMOOTH).max(1);
    let mut smooth = apart;
    for _ in 0..2 {
        smooth = crate::series::averaged(&smooth, reach);
    }
    let bends: Vec<f32> = smooth
        .windows(3)
        .map(|w| w[0] - 2.0 * w[1] + w[2])
        .collect();
    let most = bends.iter().map(|bend| bend.abs()).fold(0.0, f32::max);
    let mut events: Vec<Event> = Vec::new();
    let mut start = 0;
    let mut last: Option<(bool, usize)> = None;
    for stretch in bends.chunk_by(|a, b| (*a > 0.0) == (*b > 0.0)) {
        let peak = stretch.iter().map(|bend| bend.abs()).fold(0.0, f32::max);
        let rising = stretch[0] > 0.0;
        if peak > NOISE * most && last.is_none_or(|(before, _)| before != rising) {
            if last.is_some() {
                let kind = u8::from(!rising);
                let at = crossing(&bends, start);
                events.push(Event { kind, at });
            }
            last = Some((rising, start));
        }
        start += stretch.len();
    }
    events
}

/// The moment between two frames at which a signal is 0; its second difference lies a frame later. [frames]
fn crossing(bends: &[f32], frame: usize) -> f64 {
    let Some(before) = frame.checked_sub(1) else {
        return 1.0;
    };
    let (a, b) = (bends[before], bends[frame]);
    before as f64 + 1.0 + f64::from(a / (a - b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clip(name: &str) -> Clip {
        let clips = afoot_sample::sample_library(&Default::default());
        clips.into_iter().find(|clip| clip.name == name).unwrap()
    }

    #[test]
    fn a_clip_that_is_slowed_down_is_followed() {
        let walk = clip("walk");
        let moments: Vec<f64> = (0..walk.len()).map(|f| f as f64 * 0.75 + 5.0).collect();
        let last = walk.len() as f64 - 1.0;
        let moments: Vec<f64> = moments.into_iter().filter(|m| *m <= last).collect();
        let slow = afoot_core::clip_at(&walk, &moments, walk.rate);
        let pairs = warp_pairs(&Signals::of(&slow), &Signals::of(&walk));
        assert!(pairs.len() > slow.len() / 2);
        let worst = pairs
            .iter()
            .map(|pair| (pair.donor - (pair.base * 0.75 + 5.0)).abs())
            .fold(0.0, f64::max);
        assert!(worst < 3.0, "{worst} frames off");
    }

    /// The best way to every cell, with the cell before it, all kept.
    fn reference(base: &Signals, donor: &Signals) -> Vec<Paired> {
        type Cell = (f32, u32, Option<(usize, usize)>);
        let mut cells: Vec<Vec<Cell>> = Vec::new();
        let mean = |cell: &Cell| cell.0 / cell.1 as f32;
        for row in 0..base.frames {
            cells.push(Vec::new());
            for column in 0..donor.frames {
                let own = base.distance(row, donor, column);
                let mut ways: Vec<Cell> = Vec::new();
                for (up, left) in STEPS {
                    if row >= up && column >= left {
                        let before = (row - up, column - left);
                        let (sum, length, _) = cells[before.0][before.1];
                        let gone = (up + left) as f32;
                        let sum = sum + own * gone * 0.5;
                        ways.push((sum, length + gone as u32, Some(before)));
                    }
                }
                let edge = row == 0 || column == 0;
                ways.push((if edge { own } else { f32::INFINITY }, 1, None));
                let best = ways.iter().min_by(|a, b| mean(a).total_cmp(&mean(b)));
                cells[row].push(*best.unwrap());
            }
        }
        let (last, least) = (base.frames - 1, base.frames.min(donor.frames));
        let ends = (0..donor.frames).map(|column| (last, column));
        let ends = ends.chain((0..base.frames).map(|row| (row, donor.frames - 1)));
        let long = |at: &(usize, usize)| {
            let (sum, length, _) = cells[at.0][at.1];
            sum.is_finite() && f64::from(length) >= LEAST_WAY * 2.0 * least as f64
        };
        let of = |at: &(usize, usize)| mean(&cells[at.0][at.1]);
        let mut at = ends.filter(long).min_by(|a, b| of(a).total_cmp(&of(b)));
        let mut way = Vec::new();
        while let Some((row, column)) = at {
            way.push(Paired {
                base: row as f64,
                donor: column as f64,
            });
            at = cells[row][column].2;
        }
        way.reverse();
        way
    }

    #[test]
    fn the_way_is_that_of_a_table_that_keeps_all() {
        let clips = ["walk", "run", "walk_slow"].map(|name| Signals::of(&clip(name)));
        for base in &clips {
            for donor in &clips {
                assert_eq!(warp_pairs(base, donor), reference(base, donor));
            }
        }
    }

    #[test]
    fn a_walk_crosses_zero_twice_a_stride() {
        let walk = clip("walk");
        let strikes = super::super::correlate::strikes(&walk).len();
        let crossings = zero_crossings(&walk);
        assert!(
            crossings.len().abs_diff(strikes) <= 3,
            "{} for {strikes}",
            crossings.len()
        );
        assert!(
            crossings
                .windows(2)
                .all(|pair| pair[0].kind != pair[1].kind && pair[0].at < pair[1].at)
        );
    }
}
