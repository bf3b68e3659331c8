//! Multiply-add rate of exact distances over `loco200` against a plain matrix product, in one run.
//!
//! `cargo bench -p afoot-graph --bench distance`; needs the CMU clips (AFOOT_CMU).
//! Rounds of both alternate, the best of each counts, both use all threads.

mod spent;
#[path = "../tests/support/mod.rs"]
mod support;

use afoot_core::Clip;
use afoot_graph::distance::{
    Block, CloudOptions, Features, PointCloud, RowSink, Rows, WindowShape, multiply_adds, sweep,
};
use gemm::Parallelism;
use rayon::prelude::*;
use spent::Spent;

const SIDE: usize = 3000;
const ROUNDS: usize = 7;

fn main() {
    let Some(folder) = support::cmu() else { return };
    let clips = support::loco200(&folder);
    let clips: Vec<&Clip> = clips.iter().collect();
    let cloud = PointCloud::for_clips(&clips, &CloudOptions::default()).expect("weights are 1");
    let features = Features::new(&clips, &cloud, &WindowShape::new(10, 0.0));
    let mut matrix = Matrix::new();
    let (mut product, mut distances) = (Spent::MOST, Spent::MOST);
    for _ in 0..ROUNDS {
        product = product.least(Spent::by(|| matrix.multiply()));
        distances = distances.least(Spent::by(|| {
            std::hint::black_box(all_distances(&features));
        }));
    }
    let frames = features.total_frames() as f64;
    let pairs = frames * (frames + 1.0) / 2.0;
    let body = clips[0].skeleton.point_count();
    println!(
        "{frames} frames, {pairs:.3e} frame pairs; {body} points, {} after merging; {} threads",
        cloud.len(),
        rayon::current_num_threads()
    );
    println!(
        "multiply-adds per second, in G: by wall time, by processor time, both against the product"
    );
    let product_count = SIDE.pow(3) as f64;
    let report = |what: &str, count: f64, spent: &Spent| {
        let rates = [count / spent.wall / 1e9, count / spent.processor / 1e9];
        let shares = [
            100.0 * count / product_count * product.wall / spent.wall,
            100.0 * count / product_count * product.processor / spent.processor,
        ];
        println!(
            "{what:<56} {:7.2} {:7.2}  {:5.1} % {:5.1} %",
            rates[0], rates[1], shares[0], shares[1]
        );
    };
    report("matrix product 3000 x 3000 x 3000", product_count, &product);
    report(
        "distances, performed: 5 per merged point, 4 per step",
        multiply_adds(&features),
        &distances,
    );
    report(
        "  counting the body alone: 5 per merged point",
        pairs * 5.0 * cloud.len() as f64,
        &distances,
    );
    report(
        "  as three products over all points: 5 per point",
        pairs * 5.0 * body as f64,
        &distances,
    );
    println!(
        "distances: {:.4} s, {:.2} ns of processor time per frame pair",
        distances.wall,
        distances.processor / pairs * 1e9
    );
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
