//! A* against relaxation.

use afoot_search::*;

use crate::{Graph, check, distances, random_graph};

#[test]
fn best_first_agrees_with_relaxation_and_keeps_its_weight_promise() {
    for seed in 0..40 {
        let mut graph = random_graph(seed, 60, false);
        let exact = distances(&graph);
        check(
            &graph,
            &best_first(&graph, [0], &BestFirstOptions::default()),
            exact[0],
        );
        graph.bounds = exact.iter().map(|d| 0.7 * d.min(1e6)).collect();
        let bounded = best_first(&graph, [0], &BestFirstOptions::default());
        check(&graph, &bounded, exact[0]);
        let options = BestFirstOptions {
            weight: 3.0,
            ..Default::default()
        };
        let greedy = best_first(&graph, [0], &options);
        assert!(greedy.walks[0].error <= 3.0 * exact[0] + 1e-12);
    }
}

#[test]
fn an_unreachable_goal_is_an_empty_result() {
    let graph = Graph {
        edges: vec![vec![(1, 1.0)], vec![(0, 1.0)], vec![]],
        goal: 2,
        bounds: vec![0.0; 3],
    };
    let found = best_first(&graph, [0], &BestFirstOptions::default());
    assert!(found.walks.is_empty() && found.stop == Stop::Finished);
}
