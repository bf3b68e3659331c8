//! Branch and bound against brute force.

use afoot_search::*;

use crate::{Graph, check, distances, random_graph};

#[test]
fn branch_and_bound_finds_the_least_error_with_and_without_bounds() {
    for seed in 0..40 {
        let mut graph = random_graph(seed, 14, true);
        let exact = distances(&graph);
        let plain = branch_and_bound(&graph, [0], &BranchOptions::default());
        check(&graph, &plain, exact[0]);
        graph.bounds = exact.clone();
        let bounded = branch_and_bound(&graph, [0], &BranchOptions::default());
        check(&graph, &bounded, exact[0]);
        assert!(bounded.expanded <= plain.expanded, "seed {seed}");
        assert_eq!(bounded.stop, Stop::Finished);
    }
}

/// All complete walks, by increasing error.
fn all_walks(graph: &Graph, at: usize) -> Vec<f64> {
    if at == graph.goal {
        return vec![0.0];
    }
    let mut errors: Vec<f64> = graph.edges[at]
        .iter()
        .flat_map(|&(to, error)| {
            all_walks(graph, to)
                .into_iter()
                .map(move |rest| error + rest)
        })
        .collect();
    errors.sort_by(f64::total_cmp);
    errors
}

#[test]
fn the_best_few_within_tolerance_are_those_of_brute_force() {
    for seed in 0..40 {
        let graph = random_graph(seed, 11, true);
        let all = all_walks(&graph, 0);
        let options = BranchOptions {
            keep: 5,
            tolerance: 0.5,
            ..Default::default()
        };
        let found = branch_and_bound(&graph, [0], &options);
        let expected: Vec<f64> = all
            .iter()
            .copied()
            .take_while(|e| *e <= all[0] * 1.5)
            .take(5)
            .collect();
        assert_eq!(found.walks.len(), expected.len(), "seed {seed}");
        for (walk, expected) in found.walks.iter().zip(expected) {
            assert!((walk.error - expected).abs() < 1e-12, "seed {seed}");
        }
    }
}
