//! Beam search, exact where it is wide enough, and in little memory.

use afoot_search::*;

use crate::{Line, check, distances, random_graph};

#[test]
fn a_beam_with_a_bucket_per_node_is_exact() {
    for seed in 0..40 {
        let graph = random_graph(seed, 60, true);
        let found =
            BeamSearch::new(&Line(&graph), [(0.0, (0, 0))], BeamOptions::default()).finish();
        check(&graph, &found, distances(&graph)[0]);
    }
}

#[test]
fn a_narrow_beam_arrives_with_more_error_at_most() {
    for seed in 0..40 {
        let graph = random_graph(seed, 60, true);
        let options = BeamOptions {
            width: 2,
            ..Default::default()
        };
        let found = BeamSearch::new(&Line(&graph), [(0.0, (0, 0))], options).finish();
        assert!(found.walks[0].error >= distances(&graph)[0] - 1e-12);
    }
}

/// Endless coin flips whose errors differ too little to ever agree on a common start.
struct Coins {
    flips: u64,
}

impl Problem for Coins {
    type State = (u64, u64);
    type Step = bool;

    fn successors(&self, &(flips, bits): &(u64, u64), mut out: impl FnMut(bool, f64, (u64, u64))) {
        for coin in [false, true] {
            let error = Random::new(bits ^ flips << 1 ^ u64::from(coin)).unit();
            out(coin, error, (flips + 1, bits << 1 | u64::from(coin)));
        }
    }

    fn is_complete(&self, state: &(u64, u64)) -> bool {
        state.0 == self.flips
    }
}

impl Staged for Coins {
    fn stage(&self, state: &(u64, u64)) -> u64 {
        state.0
    }

    fn bucket(&self, state: &(u64, u64)) -> u64 {
        state.1
    }
}

#[test]
fn a_long_walk_fits_into_little_memory() {
    let coins = Coins { flips: 3000 };
    let options = BeamOptions {
        width: 20,
        memory: 1024,
        ..Default::default()
    };
    let found = BeamSearch::new(&coins, [(0.0, (0, 0))], options).finish();
    assert_eq!(found.walks[0].steps.len(), 3000);
    assert!(
        found.walks[0].error < 0.45 * 3000.0,
        "{}",
        found.walks[0].error
    );
}

/// A hundred tracks to walk side by side; the cheap ones, all but the last, end in a wall.
struct Corner;

impl Problem for Corner {
    type State = (u32, u32);
    type Step = u32;

    fn successors(&self, &(track, at): &(u32, u32), mut out: impl FnMut(u32, f64, (u32, u32))) {
        let cheap = track < 99;
        if !(cheap && at == 50) {
            out(track, if cheap { 0.1 } else { 1.0 }, (track, at + 1));
        }
    }

    fn is_complete(&self, &(_, at): &(u32, u32)) -> bool {
        at == 60
    }
}

impl Staged for Corner {
    fn stage(&self, &(_, at): &(u32, u32)) -> u64 {
        u64::from(at)
    }

    fn bucket(&self, &(track, _): &(u32, u32)) -> u64 {
        u64::from(track)
    }

    fn group(&self, &(track, _): &(u32, u32)) -> u64 {
        u64::from(track / 33)
    }
}

#[test]
fn groups_keep_a_beam_out_of_a_corner() {
    let search = |per_group: usize| {
        let options = BeamOptions {
            width: 10,
            per_group,
            ..BeamOptions::default()
        };
        let starts = (0..100).map(|track| (0.0, (track, 0)));
        BeamSearch::new(&Corner, starts, options).finish().walks
    };
    assert!(search(usize::MAX).is_empty());
    // Tracks 0 to 98 form three groups, the last one its own.
    let found = search(3);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].steps, vec![99; 60]);
}
