//! Search in pieces.

use afoot_search::*;

use crate::{check, distances, error_of, random_graph};

#[test]
fn pieces_as_long_as_the_walk_are_exact_and_short_ones_still_arrive() {
    for seed in 0..20 {
        let graph = random_graph(seed, 14, true);
        let exact = distances(&graph)[0];
        let whole = IncrementalOptions {
            look: 100,
            keep: 100,
            ..Default::default()
        };
        check(&graph, &search_incrementally(&graph, 0, &whole), exact);
        let short = IncrementalOptions {
            look: 3,
            keep: 1,
            ..Default::default()
        };
        let found = search_incrementally(&graph, 0, &short);
        assert_eq!(found.stop, Stop::Finished);
        assert!(found.walks[0].error >= exact - 1e-12);
        assert!((error_of(&graph, &found.walks[0].steps) - found.walks[0].error).abs() < 1e-9);
    }
}

#[test]
fn seeds_choose_among_equals_and_only_within_tolerance() {
    let graph = random_graph(5, 14, true);
    let exact = distances(&graph)[0];
    let branch = BranchOptions {
        keep: 20,
        tolerance: 0.8,
        ..Default::default()
    };
    let mut errors: Vec<f64> = (0..30)
        .map(|seed| IncrementalOptions {
            seed,
            look: 100,
            keep: 100,
            branch: branch.clone(),
        })
        .map(|options| search_incrementally(&graph, 0, &options).walks[0].error)
        .collect();
    assert!(errors.iter().all(|e| *e <= exact * 1.8 + 1e-12));
    errors.sort_by(f64::total_cmp);
    errors.dedup();
    assert!(errors.len() > 2, "random choice must vary: {errors:?}");
}
