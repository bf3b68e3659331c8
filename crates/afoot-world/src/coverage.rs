//! How much of a world's places and headings the motion of an embedded graph passes (§4.2, eq. 2).
//!
//! Every frame of every link is a data point. Samples lie four to a cell and heading step; a sample is
//! covered if a data point lies within ε of it, metres and degrees weighed against each other. Links are
//! stencils, so the samples that a stencil marks are found once; distances come from a transform
//! instead of a search for each sample. Holes are the samples farthest from any data point, the
//! farthest first, each with the place and heading around it taken off (brushfire, figure 5). A data
//! point counts at the middle of its sample: coverage is exact to half of one.

use afoot_graph::LabelSet;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::distance_transform::{Samples, distances};
use crate::embed::Embedding;

/// Samples along a cell, and along the angle between two headings.
const PER_CELL: usize = 4;

/// How coverage is measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CoverageOptions {
    /// A sample is covered if a data point is that near. [m, > 0]
    pub epsilon: f64,
    /// The turn that counts as much as a metre. [rad/m, > 0]
    pub turn_per_metre: f64,
    /// Most holes that are told.
    pub holes: usize,
}

impl Default for CoverageOptions {
    /// Half of the paper's cell; 20 cm count as much as 20 degrees, as in its grid.
    fn default() -> Self {
        Self {
            epsilon: 0.1,
            turn_per_metre: 100f64.to_radians(),
            holes: 12,
        }
    }
}

/// What is covered.
#[derive(Clone, Debug)]
pub struct Coverage {
    /// The samples.
    pub samples: Samples,
    /// The middle of the first one. [m]
    pub low: [f64; 2],
    /// Covered share of the free places.
    pub xz: f64,
    /// Covered share of the free places with headings.
    pub xza: f64,
    /// Whether each place is free, row after row.
    pub free: Vec<bool>,
    /// How far each place is from a data point of any heading. [m]
    pub nearest: Vec<f32>,
    /// How far each place is from data points in its worst heading. [m]
    pub worst: Vec<f32>,
    /// Share of each place's headings that are covered.
    pub headings: Vec<f32>,
    /// The words of all frames that pass each place.
    pub labels: Vec<LabelSet>,
    /// The largest holes.
    pub holes: Vec<Hole>,
}

/// A place and heading that no motion comes near.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Hole {
    /// Where. [m]
    pub x: f64,
    /// Where. [m]
    pub z: f64,
    /// The heading that is farthest from any. [rad]
    pub yaw: f64,
    /// How far the nearest data point is. [m]
    pub distance: f64,
}

/// Measures the coverage of an embedded graph.
pub fn measure_coverage(embedding: &Embedding, options: &CoverageOptions) -> Coverage {
    let grid = &embedding.grid;
    let size = [grid.size[0], grid.size[1], grid.headings].map(|count| count * PER_CELL);
    let step = grid.cell.map(|cell| cell / PER_CELL as f64);
    let turn = grid.yaw_step() / PER_CELL as f64;
    let samples = Samples {
        size,
        step: [step[0], step[1], turn / options.turn_per_metre],
        wrap: grid.wrap,
    };
    let low = [0, 1].map(|axis| grid.low[axis] + step[axis] / 2.0);
    let (marked, labels) = mark(embedding, &samples);
    let free = free_places(embedding, &samples, low);
    let far = distances(&samples, &marked);
    let flat = Samples {
        size: [size[0], size[1], 1],
        ..samples
    };
    let anywhere: Vec<bool> = marked
        .chunks(size[2])
        .map(|headings| headings.contains(&true))
        .collect();
    let nearest = distances(&flat, &anywhere);
    let epsilon = options.epsilon as f32;
    let places = free.iter().filter(|free| **free).count().max(1) as f64;
    let rows = far.par_chunks(size[2]).zip(&free);
    let covered = |(row, free): (&[f32], &bool)| match free {
        true => row.iter().filter(|far| **far <= epsilon).count() as f32 / row.len() as f32,
        false => 0.0,
    };
    let headings: Vec<f32> = rows.clone().map(covered).collect();
    let worst = |(row, free): (&[f32], &bool)| match free {
        true => row.iter().copied().fold(0.0, f32::max),
        false => 0.0,
    };
    let near = nearest.iter().zip(&free);
    let near = near.filter(|(far, free)| **free && **far <= epsilon);
    Coverage {
        low,
        xz: near.count() as f64 / places,
        xza: headings.iter().map(|share| f64::from(*share)).sum::<f64>() / places,
        worst: rows.map(worst).collect(),
        holes: find_holes(&samples, (&far, &free), (low, turn), options),
        samples,
        free,
        nearest,
        headings,
        labels,
    }
}

impl Coverage {
    /// Share of the free places at which motion that carries a word passes: what can be done where
    /// (Reitsma and Pollard 2007).
    pub fn share_of(&self, word: LabelSet) -> f64 {
        let free = self
            .free
            .iter()
            .zip(&self.labels)
            .filter(|(free, _)| **free);
        let (mut all, mut carried) = (0u64, 0u64);
        for (_, labels) in free {
            all += 1;
            carried += u64::from(labels.0 & word.0 != 0);
        }
        carried as f64 / all.max(1) as f64
    }
}

/// Marks the samples that data points lie in, and the words at each place.
fn mark(embedding: &Embedding, samples: &Samples) -> (Vec<bool>, Vec<LabelSet>) {
    let places = samples.size[0] * samples.size[1];
    let empty = || (vec![false; samples.len()], vec![LabelSet(0); places]);
    let count = embedding.stencils.list.len();
    let chunk = count.div_ceil(4 * rayon::current_num_threads()).max(1);
    let chunks: Vec<std::ops::Range<usize>> = (0..count)
        .step_by(chunk)
        .map(|first| first..(first + chunk).min(count))
        .collect();
    let of_chunk = |range: std::ops::Range<usize>| {
        let (mut marked, mut labels) = empty();
        for stencil in range {
            mark_one(embedding, samples, stencil, (&mut marked, &mut labels));
        }
        (marked, labels)
    };
    let both = |mut a: (Vec<bool>, Vec<LabelSet>), b: (Vec<bool>, Vec<LabelSet>)| {
        a.0.iter_mut().zip(&b.0).for_each(|(a, b)| *a |= b);
        let sets = a.1.iter_mut().zip(&b.1);
        sets.for_each(|(a, b)| a.0 |= b.0);
        a
    };
    chunks.into_par_iter().map(of_chunk).reduce(empty, both)
}

fn mark_one(
    embedding: &Embedding,
    samples: &Samples,
    stencil: usize,
    (marked, labels): (&mut [bool], &mut [LabelSet]),
) {
    let mut starts = embedding.starts_of(stencil).peekable();
    if starts.peek().is_none() {
        return;
    }
    let points = points_of(embedding, samples, stencil);
    let (width, depth) = (samples.size[0] as i32, samples.size[1] as i32);
    for cell in starts {
        let [column, row] = embedding.grid.column_row(cell);
        let [i, j] = [column, row].map(|at| (at * PER_CELL) as i32);
        for point in &points {
            let (mut x, mut z) = (i + point.offset[0], j + point.offset[1]);
            if embedding.grid.wrap {
                (x, z) = (x.rem_euclid(width), z.rem_euclid(depth));
            } else if x < 0 || z < 0 || x >= width || z >= depth {
                continue;
            }
            let place = (z * width + x) as usize;
            marked[place * samples.size[2] + point.heading] = true;
            labels[place].0 |= point.labels.0;
        }
    }
}

/// A sample that a stencil marks, seen from the first sample of the cell it starts in.
struct Marked {
    offset: [i32; 2],
    heading: usize,
    labels: LabelSet,
}

fn points_of(embedding: &Embedding, samples: &Samples, stencil: usize) -> Vec<Marked> {
    let stencil = &embedding.stencils.list[stencil];
    let grid = &embedding.grid;
    let way = stencil.way(embedding.moves, grid, &embedding.options.edit);
    let sets = &embedding.moves.of(stencil.step).labels;
    let turn = grid.yaw_step() / PER_CELL as f64;
    let mut points: Vec<Marked> = Vec::new();
    for (pose, labels) in way.iter().zip(sets.iter().chain(sets.last())) {
        let middle = PER_CELL as f64 / 2.0;
        let at = |off: f64, step: f64| (middle + off / step).floor() as i32;
        let offset = [at(pose.x, samples.step[0]), at(pose.z, samples.step[1])];
        let heading = (pose.yaw / turn).floor() as i64;
        let heading = heading.rem_euclid(samples.size[2] as i64) as usize;
        let known = points
            .iter_mut()
            .find(|point| point.offset == offset && point.heading == heading);
        match known {
            Some(point) => point.labels.0 |= labels.0,
            None => points.push(Marked {
                offset,
                heading,
                labels: *labels,
            }),
        }
    }
    points
}

/// Whether a character may stand at each place.
fn free_places(embedding: &Embedding, samples: &Samples, low: [f64; 2]) -> Vec<bool> {
    let places = 0..samples.size[0] * samples.size[1];
    let is_free = |place: usize| {
        let (i, j) = (place % samples.size[0], place / samples.size[0]);
        let point = [
            low[0] + i as f64 * samples.step[0],
            low[1] + j as f64 * samples.step[1],
        ];
        embedding.world.clearance(point) >= embedding.world.radius
    };
    places.into_par_iter().map(is_free).collect()
}

/// The free samples farthest from any data point, each with what is around it taken off.
fn find_holes(
    samples: &Samples,
    (far, free): (&[f32], &[bool]),
    (low, turn): ([f64; 2], f64),
    options: &CoverageOptions,
) -> Vec<Hole> {
    let epsilon = options.epsilon as f32;
    let headings = samples.size[2];
    let open = (0..far.len()).filter(|index| free[index / headings] && far[*index] > epsilon);
    let mut open: Vec<u32> = open.map(|index| index as u32).collect();
    open.par_sort_by(|a, b| far[*b as usize].total_cmp(&far[*a as usize]).then(a.cmp(b)));
    let mut holes: Vec<Hole> = Vec::new();
    for index in open {
        if holes.len() == options.holes {
            break;
        }
        let [i, j, k] = samples.place(index as usize);
        let hole = Hole {
            x: low[0] + i as f64 * samples.step[0],
            z: low[1] + j as f64 * samples.step[1],
            yaw: (k as f64 + 0.5) * turn,
            distance: f64::from(far[index as usize]),
        };
        let apart = |other: &Hole| {
            let yaw = afoot_core::wrap_angle(hole.yaw - other.yaw) / options.turn_per_metre;
            let place = (hole.x - other.x).hypot(hole.z - other.z);
            place.hypot(yaw) > (2.0 * other.distance).clamp(0.4, 1.5)
        };
        if holes.iter().all(apart) {
            holes.push(hole);
        }
    }
    holes
}
