//! How much of a world's places and headings the motion of an embedded graph passes (§4.2, eq. 2).
//!
//! Every frame of every link is a data point. Samples lie four to a cell and heading step; a sample is
//! covered if a data point lies within ε of it, metres and degrees weighed against each other. Links are
//! stencils, so the samples that a stencil marks are found once; distances come from a transform
//! instead of a search for each sample. Holes are the samples farthest from any data point, the
//! farthest first, each with the place and heading around it taken off (brushfire, figure 5). A data
//! point counts at the middle of its sample: coverage is exact to half of one.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use afoot_core::Planar;
use afoot_graph::LabelSet;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::cell_bits::{CellBits, add, members};
use crate::distance_transform::{Samples, distances};
use crate::embed::Embedding;
use crate::grid::CellId;
use crate::stencil::Ways;

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
        holes: Distances {
            samples: &samples,
            low,
            turn,
            far: &far,
            free: &free,
        }
        .holes(options),
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
///
/// A stencil marks the same place within a cell from all cells that it starts in, so that marks are sets of
/// cells, one for each place within a cell and heading.
fn mark(embedding: &Embedding, samples: &Samples) -> (Vec<bool>, Vec<LabelSet>) {
    let count = embedding.stencils.list.len();
    let chunk = count.div_ceil(rayon::current_num_threads()).max(1);
    let chunks: Vec<std::ops::Range<usize>> = (0..count)
        .step_by(chunk)
        .map(|first| first..(first + chunk).min(count))
        .collect();
    let words = embedding.layout().words;
    let of_chunk = |range: std::ops::Range<usize>| {
        let mut marks = Marks::new(samples, words);
        let edit = &embedding.options.edit;
        let mut ways = Ways::new(embedding.moves, &embedding.grid, edit);
        for stencil in range {
            let starts = embedding.start_set(stencil as u32);
            if starts.iter().any(|word| *word != 0) {
                let way = ways.of(&embedding.stencils.list[stencil]);
                let points = points_of(embedding, samples, stencil, &way);
                marks.put(embedding.layout(), &points, &starts);
            }
        }
        marks
    };
    let none = || Marks::new(samples, words);
    let marks = chunks.into_par_iter().map(of_chunk);
    marks.reduce(none, Marks::with).spread(embedding, samples)
}

/// Sets of cells for each place within a cell: in which headings it is passed, and with which words.
struct Marks {
    words: usize,
    headings: usize,
    /// For each place, then heading.
    passed: Vec<u64>,
    /// For each word of the vocabulary that was met, then place.
    labels: BTreeMap<u32, Vec<u64>>,
}

/// Places within a cell.
const PLACES: usize = PER_CELL * PER_CELL;

impl Marks {
    fn new(samples: &Samples, words: usize) -> Self {
        let headings = samples.size[2];
        Self {
            words,
            headings,
            passed: vec![0; PLACES * headings * words],
            labels: BTreeMap::new(),
        }
    }

    fn put(&mut self, layout: &CellBits, points: &[Marked], starts: &[u64]) {
        let words = self.words;
        let mut there = vec![0; words];
        for point in points {
            layout.carried(point.offset, starts, &mut there);
            let at = (point.place * self.headings + point.heading) * words;
            add(&mut self.passed[at..at + words], &there);
            for bit in members(&[point.labels.0]) {
                let none = || vec![0; PLACES * words];
                let sets = self.labels.entry(bit).or_insert_with(none);
                add(&mut sets[point.place * words..][..words], &there);
            }
        }
    }

    fn with(mut self, other: Self) -> Self {
        add(&mut self.passed, &other.passed);
        for (bit, sets) in other.labels {
            match self.labels.entry(bit) {
                Entry::Vacant(none) => drop(none.insert(sets)),
                Entry::Occupied(mut known) => add(known.get_mut(), &sets),
            }
        }
        self
    }

    /// As samples, headings of a place together.
    fn spread(self, embedding: &Embedding, samples: &Samples) -> (Vec<bool>, Vec<LabelSet>) {
        let [width, depth, headings] = samples.size;
        let mut marked = vec![false; samples.len()];
        let mut labels = vec![LabelSet(0); width * depth];
        let sample = |place: usize, cell: u32| {
            let [column, row] = embedding.grid.column_row(CellId(cell));
            let (i, j) = (place % PER_CELL, place / PER_CELL);
            (row * PER_CELL + j) * width + column * PER_CELL + i
        };
        for (index, set) in self.passed.chunks(self.words).enumerate() {
            let (place, heading) = (index / headings, index % headings);
            for cell in members(set) {
                marked[sample(place, cell) * headings + heading] = true;
            }
        }
        for (bit, sets) in &self.labels {
            for (place, set) in sets.chunks(self.words).enumerate() {
                members(set).for_each(|cell| labels[sample(place, cell)].0 |= 1 << bit);
            }
        }
        (marked, labels)
    }
}

/// A sample that a stencil marks, seen from the cell it starts in.
#[derive(Clone, Copy)]
struct Marked {
    /// Columns and rows to the cell that it lies in.
    offset: [i32; 2],
    /// Which of the cell's places.
    place: usize,
    heading: usize,
    labels: LabelSet,
}

fn points_of(
    embedding: &Embedding,
    samples: &Samples,
    stencil: usize,
    way: &[Planar],
) -> Vec<Marked> {
    let stencil = &embedding.stencils.list[stencil];
    let sets = &embedding.moves.of(stencil.step).labels;
    let turn = embedding.grid.yaw_step() / PER_CELL as f64;
    let per = PER_CELL as i32;
    let mut points: Vec<Marked> = Vec::new();
    for (pose, labels) in way.iter().zip(sets.iter().chain(sets.last())) {
        let middle = PER_CELL as f64 / 2.0;
        let at = |off: f64, step: f64| (middle + off / step).floor() as i32;
        let [i, j] = [at(pose.x, samples.step[0]), at(pose.z, samples.step[1])];
        let heading = (pose.yaw / turn).floor() as i64;
        let point = Marked {
            offset: [i.div_euclid(per), j.div_euclid(per)],
            place: (i.rem_euclid(per) + per * j.rem_euclid(per)) as usize,
            heading: heading.rem_euclid(samples.size[2] as i64) as usize,
            labels: *labels,
        };
        let same = |known: &Marked| {
            let spot = |of: &Marked| (of.offset, of.place, of.heading);
            spot(known) == spot(&point)
        };
        match points.last_mut().filter(|last| same(last)) {
            Some(last) => last.labels.0 |= labels.0,
            None => points.push(point),
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

/// How far each sample is from any data point.
struct Distances<'a> {
    samples: &'a Samples,
    /// The first sample's place. [m]
    low: [f64; 2],
    /// From heading to heading. [rad]
    turn: f64,
    /// Of each sample.
    far: &'a [f32],
    /// Whether a character may stand at each place.
    free: &'a [bool],
}

impl Distances<'_> {
    /// The free samples farthest from any data point, each with what is around it taken off.
    fn holes(&self, options: &CoverageOptions) -> Vec<Hole> {
        let Self {
            samples,
            low,
            turn,
            far,
            free,
        } = *self;
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
}
