//! Fuzzes a reader with mutated inputs: `cargo run --release --example fuzz_readers -- bvh 1000000
//! --seed 1`. Panics on the first input that breaks a rule; prints what was seen otherwise.

#[path = "../tests/support/fuzz.rs"]
mod fuzz;
#[path = "../tests/support/random.rs"]
mod random;

use std::time::Instant;

use fuzz::{Counting, Reader, Tally};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Inputs between two lines of progress, each batch with its own seed.
const BATCH: u64 = 50_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((reader, count, seed)) = parse(&arguments) else {
        eprintln!("usage: fuzz_readers bvh|asf|amc|gltf COUNT [--seed N]");
        std::process::exit(2);
    };
    let start = Instant::now();
    let (mut total, mut slowest) = (Tally::default(), 0.0_f64);
    while total.inputs < count {
        let batch_start = Instant::now();
        let batch_seed = seed.wrapping_mul(1_000_003).wrapping_add(total.inputs);
        let batch = fuzz::fuzz(reader, BATCH.min(count - total.inputs), batch_seed);
        slowest = slowest.max(batch_start.elapsed().as_secs_f64() / batch.inputs as f64);
        total = sum(total, batch);
    }
    let share = 100.0 * total.read as f64 / total.inputs as f64;
    println!(
        "{reader:?}: {} inputs, {:.1} MB",
        total.inputs,
        total.bytes as f64 / 1e6
    );
    println!("  read {share:.1} %, the others gave an error");
    println!(
        "  memory at most {:.2} times the input (from 4 KiB on)",
        total.memory_ratio
    );
    println!(
        "  memory at most {} bytes (below 4 KiB)",
        total.small_memory
    );
    println!(
        "  {:.1} s, slowest batch {:.1} µs an input",
        start.elapsed().as_secs_f64(),
        slowest * 1e6
    );
}

fn parse(arguments: &[String]) -> Option<(Reader, u64, u64)> {
    let reader = Reader::from_name(arguments.first()?)?;
    let count = arguments.get(1)?.parse().ok()?;
    let seed = match arguments.get(2).map(String::as_str) {
        None => 1,
        Some("--seed") => arguments.get(3)?.parse().ok()?,
        Some(_) => return None,
    };
    Some((reader, count, seed))
}

fn sum(a: Tally, b: Tally) -> Tally {
    Tally {
        inputs: a.inputs + b.inputs,
        bytes: a.bytes + b.bytes,
        read: a.read + b.read,
        memory_ratio: a.memory_ratio.max(b.memory_ratio),
        small_memory: a.small_memory.max(b.small_memory),
    }
}
