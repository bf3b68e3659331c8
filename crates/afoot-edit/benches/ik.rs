//! Two-link solves per second on one core; one item is one solve.

use afoot_edit::ik::{Limb, LimbOptions, solve_limb};
use divan::{Bencher, black_box, counter::ItemsCount};
use glam::Vec3;

fn main() {
    divan::main();
}

const COUNT: usize = 4096;

/// Targets in front of a leg, some out of reach.
fn targets() -> Vec<Vec3> {
    let at = |i: usize| (i as f32 * 0.618_034).fract();
    let place = |i| Vec3::new(at(i) * 0.4 - 0.1, at(3 * i) * 0.5, at(7 * i) * 0.8 - 0.4);
    (0..COUNT).map(place).collect()
}

#[divan::bench]
fn solve_limbs(bencher: Bencher) {
    let limb = Limb {
        hip: Vec3::new(0.1, 0.9, 0.0),
        knee: Vec3::new(0.1, 0.5, 0.1),
        ankle: Vec3::new(0.1, 0.1, 0.0),
        pole: Vec3::Z,
    };
    let (targets, options) = (targets(), LimbOptions::default());
    bencher.counter(ItemsCount::new(COUNT)).bench(|| {
        for target in &targets {
            black_box(solve_limb(black_box(&limb), *target, &options));
        }
    });
}
