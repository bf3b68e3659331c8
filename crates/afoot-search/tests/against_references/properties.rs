//! What exact searches promise, on graphs with ties, loops, free steps and unreachable goals.

use afoot_search::*;
use proptest::prelude::*;

use crate::{Graph, distances};

/// How much the bounds of a graph's nodes know.
#[derive(Clone, Copy, Debug)]
enum Bounds {
    Zero,
    /// A share of the distance, the same everywhere: never falls faster than errors grow.
    Consistent,
    /// A share of the distance, another one for each node.
    Admissible,
}

/// Nodes of a graph at most: with more, few random graphs have a way to a node that is found late.
const MOST: usize = 8;

/// Whole errors, so that many ways tie and sums are exact. With `forward` without loops.
fn graph(forward: bool) -> impl Strategy<Value = Graph> {
    let edge = (0usize..MOST, 0usize..MOST, 0u8..9);
    let edges = prop_oneof![1 => prop::collection::vec(edge.clone(), 0..12), 4 => prop::collection::vec(edge, 12..30)];
    let share = prop_oneof![3 => Just(0.0), 3 => Just(1.0), 1 => 0.0..1.0f64];
    let shares = prop::collection::vec(share, MOST);
    let kind = prop_oneof![
        1 => Just(Bounds::Zero),
        1 => Just(Bounds::Consistent),
        4 => Just(Bounds::Admissible),
    ];
    let bounds = (kind, shares);
    let guesses = prop::collection::vec(prop_oneof![0.0..20.0f64, Just(f64::INFINITY)], MOST);
    (edges, 2..=MOST, bounds, guesses).prop_map(move |(list, nodes, bounds, estimates)| {
        let mut edges = vec![Vec::new(); nodes];
        for (a, b, error) in list {
            let (from, to) = (a % nodes, b % nodes);
            if !forward || from < to {
                edges[from].push((to, f64::from(error)));
            }
        }
        let mut graph = Graph {
            edges,
            goal: nodes - 1,
            bounds: Vec::new(),
            estimates,
        };
        graph.bounds = bounds_of(&graph, bounds);
        graph
    })
}

fn bounds_of(graph: &Graph, (kind, shares): (Bounds, Vec<f64>)) -> Vec<f64> {
    let least = distances(graph).into_iter().zip(&shares);
    let bound = |(least, own): (f64, &f64)| {
        let share = match kind {
            Bounds::Zero => 0.0,
            Bounds::Consistent => shares[0],
            Bounds::Admissible => *own,
        };
        if share > 0.0 { share * least } else { 0.0 }
    };
    least.map(bound).collect()
}

/// The least error from any start to the goal.
fn least_from(graph: &Graph, starts: &[usize]) -> f64 {
    let least = distances(graph);
    starts
        .iter()
        .map(|s| least[*s])
        .fold(f64::INFINITY, f64::min)
}

/// The walk is one of the graph, from a start to the goal, with the error it says.
fn check_walk(graph: &Graph, starts: &[usize], walk: &Walk<usize, usize>) {
    let total = |start: &usize| {
        let mut at = *start;
        let mut total = Some(0.0);
        for &to in &walk.steps {
            let ways = graph.edges[at].iter().filter(|edge| edge.0 == to);
            let error = ways.map(|edge| edge.1).min_by(f64::total_cmp);
            total = total.zip(error).map(|(sum, error)| sum + error);
            at = to;
        }
        total.filter(|_| at == graph.goal)
    };
    let possible: Vec<f64> = starts.iter().filter_map(total).collect();
    let least = possible.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(
        least <= walk.error && walk.error < f64::INFINITY,
        "{walk:?}"
    );
    assert_eq!(walk.end, graph.goal);
}

/// The search ended by itself, with the best walk that there is.
fn check_best(graph: &Graph, starts: &[usize], found: &Found<usize, usize>) {
    assert_eq!(found.stop, Stop::Finished);
    let error = found.walks.first().map_or(f64::INFINITY, |walk| walk.error);
    assert_eq!(error, least_from(graph, starts));
    found
        .walks
        .iter()
        .for_each(|walk| check_walk(graph, starts, walk));
}

proptest! {
    // Two in a thousand tell a search that does not open states again from one that does.
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn best_first_is_best_by_any_admissible_bound(
        graph in graph(false), starts in prop::collection::vec(0usize..MOST, 0..4),
    ) {
        let starts: Vec<usize> = starts.iter().map(|s| s % graph.edges.len()).collect();
        let least = least_from(&graph, &starts);
        let found = best_first(&graph, starts.clone(), &BestFirstOptions::default());
        check_best(&graph, &starts, &found);
        prop_assert!(found.bound == least || (found.bound - least).abs() < 1e-9, "{} {least}", found.bound);
    }

    #[test]
    fn what_is_proven_holds_wherever_a_search_ends(
        graph in graph(true), starts in prop::collection::vec(0usize..MOST, 0..4),
        weight in 1.0..5.0f64, budget in 0u64..12,
    ) {
        let starts: Vec<usize> = starts.iter().map(|s| s % graph.edges.len()).collect();
        let least = least_from(&graph, &starts);
        let options = BestFirstOptions { weight, budget, ..Default::default() };
        let best_first = best_first(&graph, starts.clone(), &options);
        let options = BranchOptions { budget, ..Default::default() };
        let branch = branch_and_bound(&graph, starts.clone(), &options);
        for found in [best_first, branch] {
            prop_assert!(found.bound <= least * (1.0 + 1e-9) + 1e-9, "{} {least}", found.bound);
            // Nothing is proven only where something is left to try.
            let begun = starts.iter().map(|start| graph.bounds[*start]).fold(f64::INFINITY, f64::min);
            prop_assert!(found.bound >= begun.min(least) - 1e-9 || found.expanded > 0);
        }
    }

    #[test]
    fn a_weight_makes_it_worse_by_no_more_than_that(
        graph in graph(false), starts in prop::collection::vec(0usize..MOST, 1..4),
        weight in 1.0..5.0f64,
    ) {
        let starts: Vec<usize> = starts.iter().map(|s| s % graph.edges.len()).collect();
        let least = least_from(&graph, &starts);
        let options = BestFirstOptions { weight, ..Default::default() };
        let found = best_first(&graph, starts.clone(), &options);
        match found.walks.first() {
            Some(walk) => {
                check_walk(&graph, &starts, walk);
                prop_assert!(walk.error <= weight * least * (1.0 + 1e-12), "{} {least}", walk.error);
            }
            None => prop_assert_eq!(least, f64::INFINITY),
        }
    }

    #[test]
    fn with_a_consistent_bound_no_state_is_expanded_twice(graph in graph(false)) {
        let mut graph = graph;
        graph.bounds = bounds_of(&graph, (Bounds::Consistent, vec![0.5; MOST]));
        let found = best_first(&graph, [0], &BestFirstOptions::default());
        prop_assert!(found.expanded <= graph.edges.len() as u64);
    }

    #[test]
    fn branch_and_bound_is_best_whatever_the_estimates(
        graph in graph(true), starts in prop::collection::vec(0usize..MOST, 0..4),
    ) {
        let starts: Vec<usize> = starts.iter().map(|s| s % graph.edges.len()).collect();
        let found = branch_and_bound(&graph, starts.clone(), &BranchOptions::default());
        check_best(&graph, &starts, &found);
    }

    #[test]
    fn shortest_ways_agree_with_relaxation(graph in graph(false), begin in 0u8..4) {
        let nodes = graph.edges.len();
        let arcs = graph.edges.iter().enumerate().flat_map(|(from, list)| {
            let arc = move |&(to, error): &(usize, f64)| Arc {
                from: from as u32,
                to: to as u32,
                length: error as f32,
            };
            list.iter().map(arc)
        });
        let goal = Start { node: graph.goal as u32, sum: f32::from(begin) };
        let sums = least_sums(&Arcs::new(nodes, arcs.map(Arc::reversed)), [goal]);
        for (sum, least) in sums.iter().zip(distances(&graph)) {
            prop_assert_eq!(f64::from(*sum), least + f64::from(begin));
        }
    }
}
