//! A small seeded generator (SplitMix64: Steele, Lea, Flood 2014), the same on every machine.

/// A stream of pseudo-random numbers that its seed fixes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of that seed.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// An independent stream, for the `index`-th of several actors.
    pub fn fork(&self, index: u64) -> Self {
        let mut forked = Self::new(self.state ^ index.wrapping_mul(0xD1B5_4A32_D192_ED03));
        Self::new(forked.next_u64())
    }

    /// 64 even bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// Evenly in 0 .. `count`; 0 where `count` is 0.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.next_u64()) * count as u128) >> 64) as usize
    }

    /// Evenly in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Evenly in [`low`, `high`).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_first_numbers_of_seed_zero() {
        let mut random = Random::new(0);
        assert_eq!(random.next_u64(), 0xE220_A839_7B1D_CDAF);
        assert_eq!(random.next_u64(), 0x6E78_9E6A_A1B9_65F4);
    }

    #[test]
    fn below_is_even_and_in_range() {
        let mut random = Random::new(7);
        let mut counts = [0; 5];
        (0..50_000).for_each(|_| counts[random.below(5)] += 1);
        assert!(
            counts.iter().all(|&c| (9_500..10_500).contains(&c)),
            "{counts:?}"
        );
        assert_eq!(random.below(0), 0);
    }
}
