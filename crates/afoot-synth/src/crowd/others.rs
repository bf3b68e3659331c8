//! Where everyone is at every frame: a hash grid over the ground for each frame.
//!
//! The cells are twice as wide as the reach, so that four of them hold all who are within it. Who
//! shares a bucket by chance is looked at in vain, nothing more. Memory: 12 bytes per character and
//! frame, and 4 per bucket and frame.

const NOBODY: u32 = u32::MAX;

pub(crate) struct Others {
    frames: usize,
    per_metre: f64,
    mask: u32,
    /// The first entry of each frame's buckets.
    heads: Vec<u32>,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy)]
struct Entry {
    point: [f32; 2],
    next: u32,
}

impl Others {
    /// For each character and frame, at most.
    pub(crate) const BYTES: usize = size_of::<Entry>() + 4 * size_of::<u32>();

    /// For `count` characters over `frames` frames who are seen up to `reach` away. [m]
    pub(crate) fn new(frames: usize, count: usize, reach: f64) -> Self {
        let buckets = (2 * count).next_power_of_two();
        Self {
            frames,
            per_metre: 0.5 / reach,
            mask: buckets as u32 - 1,
            heads: vec![NOBODY; frames * buckets],
            entries: Vec::with_capacity(frames * count),
        }
    }

    /// Adds someone, a place per frame.
    pub(crate) fn insert(&mut self, trace: impl Iterator<Item = [f32; 2]>) {
        for (frame, point) in trace.take(self.frames).enumerate() {
            let [x, z] = point.map(|value| (f64::from(value) * self.per_metre).floor() as i64);
            let head = self.head(frame, x, z);
            let next = std::mem::replace(&mut self.heads[head], self.entries.len() as u32);
            self.entries.push(Entry { point, next });
        }
    }

    /// Squared distance of the nearest; beyond the reach it may be missed, and infinite. [m²]
    #[inline]
    pub(crate) fn nearest_squared(&self, frame: usize, [x, z]: [f64; 2]) -> f64 {
        let column = (x * self.per_metre - 0.5).floor() as i64;
        let row = (z * self.per_metre - 0.5).floor() as i64;
        let mut least = f64::INFINITY;
        for (i, j) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let mut at = self.heads[self.head(frame, column + i, row + j)];
            while let Some(entry) = self.entries.get(at as usize) {
                let [a, b] = entry.point.map(f64::from);
                least = least.min((x - a) * (x - a) + (z - b) * (z - b));
                at = entry.next;
            }
        }
        least
    }

    #[inline]
    fn head(&self, frame: usize, column: i64, row: i64) -> usize {
        let mixed =
            (column as u32).wrapping_mul(0x9E37_79B1) ^ (row as u32).wrapping_mul(0x85EB_CA6B);
        let bucket = (mixed ^ (mixed >> 15)) & self.mask;
        frame * (self.mask as usize + 1) + bucket as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use afoot_search::Random;

    #[test]
    fn finds_the_nearest_that_a_search_of_all_finds() {
        let mut random = Random::new(5);
        let mut others = Others::new(7, 40, 0.8);
        let mut place = || {
            [
                random.between(-5.0, 5.0) as f32,
                random.between(-5.0, 5.0) as f32,
            ]
        };
        let traces: Vec<Vec<[f32; 2]>> =
            (0..40).map(|_| (0..7).map(|_| place()).collect()).collect();
        for trace in &traces {
            others.insert(trace.iter().copied());
        }
        for k in 0..500 {
            let (frame, point) = (k % 7, place().map(f64::from));
            let all = traces.iter().map(|trace| {
                let [a, b] = trace[frame].map(f64::from);
                (point[0] - a).powi(2) + (point[1] - b).powi(2)
            });
            let expected = all.fold(f64::INFINITY, f64::min);
            let found = others.nearest_squared(frame, point);
            match expected < 0.64 {
                true => assert_eq!(found, expected),
                false => assert!(found >= expected),
            }
        }
    }
}
