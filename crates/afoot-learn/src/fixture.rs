//! Rows that tests share.

use afoot_search::Random;

/// Numbers about zero, roughly normal.
pub(crate) fn noise(count: usize, seed: u64) -> Vec<f32> {
    let mut random = Random::new(seed);
    let mut one = || (0..4).map(|_| random.between(-1.0, 1.0)).sum::<f64>() as f32;
    (0..count).map(|_| one()).collect()
}

/// `each` rows about each of some centres that are far apart, mixed, with the blob of each.
pub(crate) fn blobs(blobs: usize, each: usize, width: usize) -> (Vec<f32>, Vec<usize>) {
    let own: Vec<usize> = (0..blobs * each).map(|row| row * 7 % blobs).collect();
    let centres = noise(blobs * width, 77);
    let spread = noise(own.len() * width, 78);
    let value = |(index, spread): (usize, &f32)| {
        let centre = centres[own[index / width] * width + index % width];
        20.0 * centre + 0.5 * spread
    };
    let values = spread.iter().enumerate().map(value).collect();
    (values, own)
}
