//! Lloyd's algorithm from spread-out seeds, until the learning crate's takes its place.

use afoot_run::{Run, Stopped};
use afoot_search::Random;
use rayon::prelude::*;

pub(crate) fn kmeans(
    rows: &[f32],
    width: usize,
    count: usize,
    run: &Run,
) -> Result<Vec<u32>, Stopped> {
    let total = rows.len() / width;
    if total == 0 {
        return Ok(Vec::new());
    }
    let row = |index: usize| &rows[index * width..][..width];
    let mut random = Random::new(run.seed);
    let mut centres: Vec<f32> = Vec::new();
    for _ in 0..count {
        centres.extend(row(random.below(total)));
    }
    let mut assigned = vec![0u32; total];
    for _ in 0..12 {
        run.check()?;
        let norms: Vec<f32> = centres
            .chunks_exact(width)
            .map(|c| c.iter().map(|v| v * v).sum())
            .collect();
        assigned = (0..total)
            .into_par_iter()
            .map(|index| {
                let own = row(index);
                let mut best = (f32::INFINITY, 0);
                for (k, centre) in centres.chunks_exact(width).enumerate() {
                    let mut sums = [0.0f32; 8];
                    for (a, b) in own.chunks_exact(8).zip(centre.chunks_exact(8)) {
                        for lane in 0..8 {
                            sums[lane] += a[lane] * b[lane];
                        }
                    }
                    let dot: f32 = sums.iter().sum();
                    let apart = norms[k] - 2.0 * dot;
                    if apart < best.0 {
                        best = (apart, k as u32);
                    }
                }
                best.1
            })
            .collect();
        let mut sums = vec![0.0f64; count * width];
        let mut counts = vec![0usize; count];
        for (index, &cluster) in assigned.iter().enumerate() {
            counts[cluster as usize] += 1;
            let sums = &mut sums[cluster as usize * width..][..width];
            sums.iter_mut()
                .zip(row(index))
                .for_each(|(s, v)| *s += f64::from(*v));
        }
        for k in 0..count {
            if counts[k] > 0 {
                for d in 0..width {
                    centres[k * width + d] = (sums[k * width + d] / counts[k] as f64) as f32;
                }
            }
        }
    }
    Ok(assigned)
}
