//! Multiply-add rate of exact distances over `loco200` against a plain matrix product, in one run.
//!
//! `cargo bench -p afoot-graph --bench distance`; needs the CMU clips (AFOOT_CMU).
//! Rounds of both alternate, the best of each counts, both use all threads.

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::Instant;

use afoot_core::Clip;
use afoot_graph::distance::{
    Block, CloudOptions, Features, PointCloud, RowSink, Rows, WindowShape, multiply_adds, sweep,
};
use gemm::Parallelism;
use rayon::prelude::*;

const SIDE: usize = 3000;
const ROUNDS: usize = 7;

fn main() {
    let Some(folder) = support::cmu() else { return };
    let clips = support::loco200(&folder);
    let clips: Vec<&Clip> = clips.iter().collect();
    let cloud = PointCloud::for_clips(&clips, &CloudOptions::default()).expect("weights are 1");
    let features = Features::new(&clips, &cloud, &WindowShape::new(10, 0.0));
    let mut matrix = Matrix::new();
    let (mut product, mut distances) = (f64::MAX, f64::MAX);
    for _ in 0..ROUNDS {
        product = product.min(seconds(|| matrix.multiply()));
        distances = distances.min(seconds(|| {
            std::hint::black_box(all_distances(&features));
        }));
    }
    let frames = features.total_frames() as f64;
    let pairs = frames * (frames + 1.0) / 2.0;
    let rate = SIDE.pow(3) as f64 / product;
    let report = |what: &str, count: f64| {
        let ratio = count / distances / rate;
        println!(
            "{what:<58} {:6.2} G multiply-adds/s  {:5.1} %",
            count / distances / 1e9,
            100.0 * ratio
        );
    };
    println!(
        "{frames} frames, {} points of {}, {pairs:.3e} frame pairs",
        cloud.len(),
        clips[0].skeleton.point_count()
    );
    println!(
        "matrix product {SIDE}^3: {:.3} s, {:.2} G multiply-adds/s on {} threads",
        product,
        rate / 1e9,
        rayon::current_num_threads()
    );
    println!(
        "distances: {:.4} s, {:.2} ns per frame pair",
        distances,
        distances / pairs * 1e9
    );
    report(
        "performed: 5 per merged point, 4 per frame of the path",
        multiply_adds(&features),
    );
    report(
        "of which body points only: 5 per merged point",
        pairs * 5.0 * cloud.len() as f64,
    );
    report(
        "as the three products over all points would need",
        pairs * 5.0 * clips[0].skeleton.point_count() as f64,
    );
}

fn seconds(mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

/// Sums what it is given, so that no error can be left out.
#[derive(Default)]
struct Total(f32);

impl RowSink for Total {
    fn rows(&mut self, rows: &Rows<'_>) {
        for frame in rows.first..rows.first + rows.count {
            let row = rows.row(frame as isize);
            self.0 += row.iter().fold(0.0, |sum: f32, value| sum.max(*value));
        }
    }
}

fn all_distances(features: &Features) -> f32 {
    let total = features.total_frames();
    let strips: Vec<usize> = (0..total).step_by(strip()).collect();
    let sum = |&start: &usize| {
        let mut sum = Total::default();
        let cols = start..(start + strip()).min(total);
        sweep(
            features,
            &Block {
                clips: 0..features.clips(),
                cols,
            },
            &mut sum,
        );
        sum.0
    };
    strips.par_iter().rev().with_max_len(1).map(sum).sum()
}

fn strip() -> usize {
    std::env::var("STRIP").map_or(256, |s| s.parse().expect("a number"))
}

struct Matrix {
    a: Vec<f32>,
    b: Vec<f32>,
    c: Vec<f32>,
}

impl Matrix {
    fn new() -> Self {
        let mut random = support::Random(1);
        let mut fill = || {
            (0..SIDE * SIDE)
                .map(|_| random.next())
                .collect::<Vec<f32>>()
        };
        Self {
            a: fill(),
            b: fill(),
            c: vec![0.0; SIDE * SIDE],
        }
    }

    fn multiply(&mut self) {
        let (side, stride) = (SIDE, SIDE as isize);
        // SAFETY: three square matrices of SIDE x SIDE, column by column.
        #[allow(unsafe_code)]
        unsafe {
            gemm::gemm(
                side,
                side,
                side,
                self.c.as_mut_ptr(),
                stride,
                1,
                false,
                self.a.as_ptr(),
                stride,
                1,
                self.b.as_ptr(),
                stride,
                1,
                0.0f32,
                1.0f32,
                false,
                false,
                false,
                Parallelism::Rayon(0),
            );
        }
    }
}
