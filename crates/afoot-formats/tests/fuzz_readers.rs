//! A short run of the fuzzer over every reader; the long one is the example of that name.
#![allow(clippy::unwrap_used)] // a test fails by panicking

#[path = "support/fuzz.rs"]
mod fuzz;
#[path = "support/random.rs"]
mod random;

use fuzz::{Counting, Reader};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One test for all readers: the memory counters are those of the whole process.
#[test]
fn mutated_inputs_neither_panic_nor_burst_memory() {
    for reader in Reader::ALL {
        let tally = fuzz::fuzz(reader, 20_000, 1);
        assert_eq!(tally.inputs, 20_000);
        // Both ways must be taken often, or the mutations are too wild or too tame.
        let share = tally.read as f64 / tally.inputs as f64;
        assert!((0.01..0.9).contains(&share), "{reader:?}: {tally:?}");
        assert!(tally.memory_ratio < 10.0, "{reader:?}: {tally:?}");
    }
}
