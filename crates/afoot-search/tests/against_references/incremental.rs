//! Search in pieces.

use afoot_search::*;

use crate::{Graph, check, distances, error_of, random_graph};

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
        check(&graph, &search_incrementally(&graph, [0], &whole), exact);
        let short = IncrementalOptions {
            look: 3,
            keep: 1,
            ..Default::default()
        };
        let found = search_incrementally(&graph, [0], &short);
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
            ..Default::default()
        })
        .map(|options| search_incrementally(&graph, [0], &options).walks[0].error)
        .collect();
    assert!(errors.iter().all(|e| *e <= exact * 1.8 + 1e-12));
    errors.sort_by(f64::total_cmp);
    errors.dedup();
    assert!(errors.len() > 2, "random choice must vary: {errors:?}");
}

#[test]
fn the_best_start_is_taken_and_a_dead_end_is_told_with_what_was_kept() {
    // Two starts: 0 leads to the goal 5 over 1 for 3, 2 over 3 for 2; 4 leads nowhere.
    let graph = Graph {
        edges: vec![
            vec![(1, 1.0)],
            vec![(5, 2.0)],
            vec![(3, 1.0)],
            vec![(5, 1.0)],
            vec![],
            vec![],
        ],
        goal: 5,
        bounds: vec![0.0; 6],
        estimates: Vec::new(),
    };
    let options = IncrementalOptions {
        look: 2,
        keep: 1,
        ..Default::default()
    };
    let found = search_incrementally(&graph, [0, 2, 4], &options);
    assert_eq!(
        (found.stop, &found.walks[0].steps),
        (Stop::Finished, &vec![3, 5])
    );
    let found = search_incrementally(&graph, [4], &options);
    assert!(found.stop == Stop::DeadEnd && found.walks.is_empty());
    let mut cut = graph.clone();
    cut.edges[1] = vec![(4, 0.5)];
    let found = search_incrementally(&cut, [0], &options);
    assert_eq!(
        (found.stop, &found.walks[0].steps),
        (Stop::DeadEnd, &vec![1])
    );
}

#[test]
fn budgets_bound_each_piece_and_the_whole() {
    let graph = random_graph(2, 40, true);
    let piece = IncrementalOptions {
        look: 6,
        keep: 1,
        branch: BranchOptions {
            budget: 6,
            ..Default::default()
        },
        ..Default::default()
    };
    // A first descent fits into a piece's budget, so the walk arrives all the same.
    let found = search_incrementally(&graph, [0], &piece);
    assert_eq!(found.stop, Stop::Finished);
    assert!(found.expanded <= 6 * found.walks[0].steps.len() as u64);
    let whole = IncrementalOptions { budget: 7, ..piece };
    let found = search_incrementally(&graph, [0], &whole);
    assert_eq!((found.stop, found.expanded), (Stop::OutOfBudget, 7));
}
