//! Small variations from a seed: slow drift of a living body, and numbers for steps that differ.

/// Slow wandering, a few independent curves, each of about unit size.
pub struct Drift {
    seed: u64,
}

/// Periods of the waves that make a curve. [s]
const PERIODS: [f64; 4] = [6.7, 3.9, 2.3, 1.4];
const SIZES: [f64; 4] = [0.7, 0.6, 0.35, 0.2];

impl Drift {
    pub fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// The `number`th curve at a time.
    pub fn at(&self, number: usize, time: f64) -> f64 {
        let wave = |index: usize| {
            let phase = unit(mix(self.seed ^ ((number as u64) << 32 | index as u64)));
            SIZES[index] * (std::f64::consts::TAU * (time / PERIODS[index] + phase)).sin()
        };
        (0..PERIODS.len()).map(wave).sum()
    }
}

/// A sequence of numbers that depends on its seed alone.
pub struct Dice {
    state: u64,
}

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self { state: mix(seed) }
    }

    /// The next number, −1 to 1, mostly near 0.
    pub fn next(&mut self) -> f64 {
        let mut draw = || {
            self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            unit(mix(self.state))
        };
        draw() + draw() - 1.0
    }
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014).
pub fn mix(seed: u64) -> u64 {
    let z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1u64 << 53) as f64
}
