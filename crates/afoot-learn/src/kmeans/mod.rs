//! k-means: rows in clusters, each row with the nearest of their means (Lloyd 1982).
//!
//! Seeds are drawn by k-means++ (Arthur and Vassilvitskii 2007), the best of twelve at each step, on
//! an even sample, which is then clustered by itself; all rows go on from there. A row whose bounds
//! say that no other centre can have come nearer is passed over (Hamerly 2010); the others are
//! gathered into panels and compared with all centres by blocked products.
//! Ends when a round lessens the inertia by less than `tolerance` of it. Deterministic for its seed,
//! whatever the threads. Cost: rows × clusters × width a round, a fraction of that after some.
//! Where rows are alike there may be fewer clusters than asked for.

mod lloyd;
mod seeding;

use std::sync::atomic::AtomicBool;

use afoot_search::Random;

use crate::rows::Rows;
use lloyd::Lloyd;
use seeding::draw_seeds;

/// How rows are clustered.
#[derive(Clone, Copy, Debug)]
pub struct KMeansOptions<'a> {
    /// Rounds over all rows, at most. [> 0]
    pub rounds: u32,
    /// A round that lessens the inertia by less than this share is the last. [share, ≥ 0]
    pub tolerance: f64,
    /// Rows that seeds are drawn from, for each cluster. [> 0]
    pub sample: usize,
    /// Ends the work early, with what there is by then.
    pub cancel: Option<&'a AtomicBool>,
}

impl Default for KMeansOptions<'_> {
    fn default() -> Self {
        Self {
            rounds: 100,
            tolerance: 2e-4,
            sample: 40,
            cancel: None,
        }
    }
}

/// Rows in clusters.
#[derive(Clone, Debug, PartialEq)]
pub struct KMeans {
    /// Numbers a centre.
    pub width: usize,
    /// The means of the clusters, one after the other.
    pub centres: Vec<f32>,
    /// The cluster of each row.
    pub clusters: Vec<u32>,
    /// The sum of squared distances of rows from their centres.
    pub inertia: f64,
    /// Rounds over all rows.
    pub rounds: u32,
}

impl KMeans {
    /// How many clusters there are.
    pub fn len(&self) -> usize {
        self.centres.len() / self.width
    }

    /// Whether there is none, since there was no row.
    pub fn is_empty(&self) -> bool {
        self.centres.is_empty()
    }

    /// The mean of a cluster.
    pub fn centre(&self, cluster: u32) -> &[f32] {
        &self.centres[cluster as usize * self.width..][..self.width]
    }

    /// The rows of each cluster, in order.
    pub fn members(&self) -> Vec<Vec<u32>> {
        let mut members = vec![Vec::new(); self.len()];
        for (row, cluster) in self.clusters.iter().enumerate() {
            members[*cluster as usize].push(row as u32);
        }
        members
    }
}

/// Clusters rows around at most `clusters` centres.
pub fn kmeans(rows: Rows, clusters: usize, seed: u64, options: &KMeansOptions) -> KMeans {
    let mut random = Random::new(seed);
    let origin: Vec<f32> = rows.means().iter().map(|mean| *mean as f32).collect();
    let sampled = sample(rows, clusters.saturating_mul(options.sample), &mut random);
    let sampled = sampled.as_deref().map(|values| part_of(rows, values));
    let few = sampled.unwrap_or(rows);
    let mut centres = draw_seeds(few, &origin, clusters, &mut random);
    if sampled.is_some() {
        let mut lloyd = Lloyd::new(few, &origin, centres);
        lloyd.run(&KMeansOptions {
            // All rows go on from there, so it need not settle.
            tolerance: 10.0 * options.tolerance,
            ..*options
        });
        centres = lloyd.centres;
    }
    let mut lloyd = Lloyd::new(rows, &origin, centres);
    let rounds = lloyd.run(options);
    lloyd.finish(rounds)
}

/// An even sample, in their order, where there are at least twice as many rows.
fn sample(rows: Rows, count: usize, random: &mut Random) -> Option<Vec<f32>> {
    let len = rows.len();
    if count == 0 || len < 2 * count {
        return None;
    }
    // One of each of `count` equal stretches, since neighbouring rows are often alike.
    let start = |index: usize| index * len / count;
    let drawn = |index: usize| start(index) + random.below(start(index + 1) - start(index));
    let chosen = (0..count).map(drawn);
    Some(chosen.flat_map(|row| rows.row(row)).copied().collect())
}

fn part_of<'a>(rows: Rows, values: &'a [f32]) -> Rows<'a> {
    Rows::new(values, rows.width()).expect("rows of rows are rows")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{blobs, noise};

    /// Lloyd's rounds as they are told, from the same start until nothing changes.
    fn slow_rounds(rows: Rows, centres: &mut [f32]) -> f64 {
        let width = rows.width();
        loop {
            let nearest = |row: &[f32]| {
                let squared = |centre: &[f32]| -> f64 {
                    let differ = row.iter().zip(centre).map(|(a, b)| f64::from(a - b));
                    differ.map(|d| d * d).sum()
                };
                let all = centres.chunks_exact(width).map(squared).enumerate();
                all.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap()
            };
            let found: Vec<(usize, f64)> = rows.iter().map(nearest).collect();
            let before = centres.to_vec();
            for (cluster, centre) in centres.chunks_exact_mut(width).enumerate() {
                let own: Vec<usize> = (0..rows.len()).filter(|r| found[*r].0 == cluster).collect();
                for (column, value) in centre.iter_mut().enumerate() {
                    let sum: f64 = own.iter().map(|r| f64::from(rows.row(*r)[column])).sum();
                    *value = (sum / own.len().max(1) as f64) as f32;
                }
            }
            if before == centres {
                return found.iter().map(|(_, squared)| squared).sum();
            }
        }
    }

    #[test]
    fn from_its_end_the_slow_way_finds_nothing_better() {
        for (count, width, clusters) in [(500, 5, 7), (900, 40, 13), (64, 3, 64)] {
            let values = noise(count * width, 3);
            let rows = Rows::new(&values, width).unwrap();
            let options = KMeansOptions {
                tolerance: 0.0,
                sample: 1000,
                ..KMeansOptions::default()
            };
            let found = kmeans(rows, clusters, 1, &options);
            let slow = slow_rounds(rows, &mut found.centres.clone());
            let off = (found.inertia - slow).abs() / slow.max(1e-9);
            assert!(
                off < 1e-4 || slow < 1e-6,
                "{} against {slow}",
                found.inertia
            );
        }
    }

    #[test]
    fn blobs_far_apart_are_found_from_a_sample() {
        let (values, own) = blobs(9, 300, 12);
        let rows = Rows::new(&values, 12).unwrap();
        let options = KMeansOptions {
            sample: 20,
            ..KMeansOptions::default()
        };
        let found = kmeans(rows, 9, 5, &options);
        assert_eq!(found.len(), 9);
        for (row, cluster) in found.clusters.iter().enumerate() {
            let first = own.iter().position(|blob| *blob == own[row]).unwrap();
            assert_eq!(*cluster, found.clusters[first], "row {row}");
        }
        let members = found.members();
        assert!(members.iter().all(|members| members.len() == 300));
        let squared = |row: &[f32], centre: &[f32]| -> f32 {
            row.iter().zip(centre).map(|(a, b)| (a - b).powi(2)).sum()
        };
        for (row, cluster) in values.chunks_exact(12).zip(&found.clusters) {
            let centres = found.centres.chunks_exact(12).zip(0u32..);
            let nearest =
                centres.min_by(|(a, _), (b, _)| squared(row, a).total_cmp(&squared(row, b)));
            assert_eq!(nearest.unwrap().1, *cluster);
        }
    }

    #[test]
    fn the_same_on_one_thread_and_on_many() {
        let values = noise(3000 * 17, 8);
        let rows = Rows::new(&values, 17).unwrap();
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().unwrap();
            pool.install(|| kmeans(rows, 25, 4, &KMeansOptions::default()))
        };
        assert_eq!(on(1), on(3));
    }

    #[test]
    fn alike_rows_and_no_rows_give_fewer_clusters() {
        let values = [1.0, 2.0].repeat(40);
        let rows = Rows::new(&values, 2).unwrap();
        let found = kmeans(rows, 5, 0, &KMeansOptions::default());
        assert_eq!((found.centres, found.inertia), (vec![1.0, 2.0], 0.0));
        let none = kmeans(Rows::new(&[], 3).unwrap(), 5, 0, &KMeansOptions::default());
        assert!(none.is_empty() && none.clusters.is_empty());
        let zero = kmeans(rows, 0, 0, &KMeansOptions::default());
        assert!(zero.is_empty() && zero.clusters.is_empty());
    }

    #[test]
    fn a_set_flag_ends_it_with_what_there_is() {
        let values = noise(2000 * 8, 2);
        let rows = Rows::new(&values, 8).unwrap();
        let flag = AtomicBool::new(true);
        let options = KMeansOptions {
            cancel: Some(&flag),
            ..KMeansOptions::default()
        };
        let found = kmeans(rows, 10, 0, &options);
        assert_eq!((found.rounds, found.clusters.len()), (0, 2000));
    }
}
