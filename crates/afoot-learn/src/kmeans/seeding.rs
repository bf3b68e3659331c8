//! Seeds by k-means++: each new one drawn with the square of its distance from those before, the best
//! of a panel of candidates.

use afoot_search::Random;
use rayon::prelude::*;

use crate::product::{LEFT, Panels, RIGHT, Tile, dot_tile};
use crate::rows::Rows;

/// At most `clusters` seeds less `origin`, one after the other; fewer where rows are alike.
pub(super) fn draw_seeds(
    rows: Rows,
    origin: &[f32],
    clusters: usize,
    random: &mut Random,
) -> Vec<f32> {
    let mut seeds = Vec::new();
    if rows.is_empty() || clusters == 0 {
        return seeds;
    }
    let panels = Panels::<RIGHT>::new(rows.iter(), origin);
    let mut nearest = vec![f32::INFINITY; panels.count() * RIGHT];
    nearest[rows.len()..].fill(0.0);
    let mut candidates = vec![random.below(rows.len())];
    for _ in 0..clusters {
        let lefts = Panels::<LEFT>::new(candidates.iter().map(|row| rows.row(*row)), origin);
        let (best, closer) = best_candidate(&panels, &lefts, &nearest);
        nearest = closer;
        let row = rows.row(candidates[best]).iter().zip(origin);
        seeds.extend(row.map(|(value, origin)| value - origin));
        candidates = draw(&nearest[..rows.len()], random);
        if candidates.is_empty() {
            break; // every row is a seed
        }
    }
    seeds
}

/// The candidate that leaves the least sum of squared distances, and the distances it leaves.
fn best_candidate(
    panels: &Panels<RIGHT>,
    candidates: &Panels<LEFT>,
    nearest: &[f32],
) -> (usize, Vec<f32>) {
    let squares = candidates.panel_squares(0);
    let left_over = |panel: usize| -> Tile {
        let mut tile = [[0.0; RIGHT]; LEFT];
        dot_tile(candidates.panel(0), panels.panel(panel), &mut tile);
        let own = panels.panel_squares(panel);
        let nearest = &nearest[panel * RIGHT..][..RIGHT];
        for (row, square) in tile.iter_mut().zip(squares) {
            for (lane, value) in row.iter_mut().enumerate() {
                let squared = (square + own[lane] - 2.0 * *value).max(0.0);
                *value = squared.min(nearest[lane]);
            }
        }
        tile
    };
    let tiles: Vec<Tile> = (0..panels.count()).into_par_iter().map(left_over).collect();
    let sum = |candidate: usize| -> f64 {
        let rows = tiles.iter().flat_map(|tile| tile[candidate]);
        rows.map(f64::from).sum()
    };
    let sums = (0..candidates.len()).map(sum).enumerate();
    let best = sums.min_by(|a, b| a.1.total_cmp(&b.1));
    let (best, _) = best.expect("at least one candidate");
    let closer = tiles.iter().flat_map(|tile| tile[best]).collect();
    (best, closer)
}

/// A panel of rows, each drawn with its weight; none where all weights are zero.
fn draw(weights: &[f32], random: &mut Random) -> Vec<usize> {
    let mut total = 0f64;
    let cumulated: Vec<f64> = weights
        .iter()
        .map(|weight| {
            total += f64::from(*weight);
            total
        })
        .collect();
    if total <= 0.0 {
        return Vec::new();
    }
    let one = |_| {
        let at = random.unit() * total;
        let row = cumulated.partition_point(|sum| *sum <= at);
        row.min(weights.len() - 1)
    };
    (0..LEFT).map(one).collect()
}
