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
fn best_first_needs_no_consistent_bound() {
    for seed in 0..40 {
        let mut graph = random_graph(seed, 60, false);
        let exact = distances(&graph);
        // Each node knows another share of what is left, its neighbour perhaps nothing.
        let share = |node: usize| ((node as u64 * 7 + seed * 3) % 11) as f64 / 10.0;
        let bounds = exact.iter().enumerate();
        graph.bounds = bounds.map(|(node, d)| share(node) * d.min(1e6)).collect();
        let found = best_first(&graph, [0], &BestFirstOptions::default());
        check(&graph, &found, exact[0]);
    }
}

#[test]
fn an_unreachable_goal_is_an_empty_result() {
    let graph = Graph {
        edges: vec![vec![(1, 1.0)], vec![(0, 1.0)], vec![]],
        goal: 2,
        bounds: vec![0.0; 3],
        estimates: Vec::new(),
    };
    let found = best_first(&graph, [0], &BestFirstOptions::default());
    assert!(found.walks.is_empty() && found.stop == Stop::Finished);
}

#[test]
fn a_state_is_expanded_again_when_a_cheaper_way_to_it_turns_up() {
    // Node 1 promises no less than 4, which is true, so 2 is first reached for 3 instead of 2.
    let graph = Graph {
        edges: vec![
            vec![(1, 1.0), (2, 3.0)],
            vec![(2, 1.0)],
            vec![(3, 3.0)],
            vec![],
        ],
        goal: 3,
        bounds: vec![0.0, 4.0, 0.0, 0.0],
        estimates: Vec::new(),
    };
    let found = best_first(&graph, [0], &BestFirstOptions::default());
    check(&graph, &found, 5.0);
    assert_eq!(found.walks[0].steps, [1, 2, 3]);
}
