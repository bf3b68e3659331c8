//! Every search against brute force or Dijkstra on small random graphs.

use std::sync::atomic::AtomicBool;

use afoot_search::*;

/// A directed graph with errors on its edges; walks start at node 0.
struct Graph {
    edges: Vec<Vec<(usize, f64)>>,
    goal: usize,
    bounds: Vec<f64>,
}

impl Problem for Graph {
    type State = usize;
    type Step = usize;

    fn successors(&self, state: &usize, mut out: impl FnMut(usize, f64, usize)) {
        self.edges[*state]
            .iter()
            .for_each(|&(to, error)| out(to, error, to));
    }

    fn is_complete(&self, state: &usize) -> bool {
        *state == self.goal
    }

    fn lower_bound(&self, state: &usize) -> f64 {
        self.bounds[*state]
    }
}

impl Keyed for Graph {
    type Key = usize;

    fn key(&self, state: &usize) -> usize {
        *state
    }
}

impl Measured for Graph {
    fn length(&self, _: &usize) -> u32 {
        1
    }
}

/// Edges only lead to higher nodes where `forward`, so that walks end.
fn random_graph(seed: u64, nodes: usize, forward: bool) -> Graph {
    let mut random = Random::new(seed);
    let mut edges = vec![Vec::new(); nodes];
    for (from, list) in edges.iter_mut().enumerate() {
        let low = if forward { from + 1 } else { 0 };
        for _ in 0..3 {
            if low < nodes {
                list.push((low + random.below(nodes - low), random.unit()));
            }
        }
        if from + 1 < nodes {
            list.push((from + 1, 1.0 + random.unit()));
        }
    }
    Graph {
        edges,
        goal: nodes - 1,
        bounds: vec![0.0; nodes],
    }
}

/// Least error from each node to the goal, by relaxing until nothing changes.
fn distances(graph: &Graph) -> Vec<f64> {
    let mut least = vec![f64::INFINITY; graph.edges.len()];
    least[graph.goal] = 0.0;
    for _ in 0..graph.edges.len() {
        for from in 0..graph.edges.len() {
            for &(to, error) in &graph.edges[from] {
                least[from] = least[from].min(error + least[to]);
            }
        }
    }
    least
}

fn error_of(graph: &Graph, steps: &[usize]) -> f64 {
    let mut at = 0;
    let mut total = 0.0;
    for &to in steps {
        let edges = graph.edges[at].iter().filter(|edge| edge.0 == to);
        total += edges.map(|edge| edge.1).fold(f64::INFINITY, f64::min);
        at = to;
    }
    total
}

fn check<S>(graph: &Graph, found: &Found<usize, S>, expected: f64) {
    let walk = &found.walks[0];
    assert!(
        (walk.error - expected).abs() < 1e-12,
        "{} is not {expected}",
        walk.error
    );
    assert!(error_of(graph, &walk.steps) <= walk.error + 1e-12);
    assert_eq!(walk.steps.last(), Some(&graph.goal));
}

#[test]
fn branch_and_bound_finds_the_least_error_with_and_without_bounds() {
    for seed in 0..40 {
        let mut graph = random_graph(seed, 14, true);
        let exact = distances(&graph);
        let plain = branch_and_bound(&graph, 0, &BranchOptions::default());
        check(&graph, &plain, exact[0]);
        graph.bounds = exact.clone();
        let bounded = branch_and_bound(&graph, 0, &BranchOptions::default());
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
        let found = branch_and_bound(&graph, 0, &options);
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

#[test]
fn good_enough_and_budget_and_cancel_end_the_search() {
    let graph = random_graph(3, 16, true);
    let best = distances(&graph)[0];
    let options = BranchOptions {
        good_enough: best + 1.0,
        ..Default::default()
    };
    let found = branch_and_bound(&graph, 0, &options);
    assert_eq!(found.stop, Stop::GoodEnough);
    assert!(found.walks[0].error < best + 1.0);

    let found = branch_and_bound(
        &graph,
        0,
        &BranchOptions {
            budget: 2,
            ..Default::default()
        },
    );
    assert_eq!((found.stop, found.expanded), (Stop::OutOfBudget, 2));

    let cancel = AtomicBool::new(true);
    let options = BranchOptions {
        cancel: Some(&cancel),
        ..Default::default()
    };
    assert_eq!(branch_and_bound(&graph, 0, &options).stop, Stop::Cancelled);
    let options = BestFirstOptions {
        cancel: Some(&cancel),
        ..Default::default()
    };
    assert_eq!(best_first(&graph, [0], &options).stop, Stop::Cancelled);
    let options = BeamOptions {
        cancel: Some(&cancel),
        ..Default::default()
    };
    assert_eq!(
        BeamSearch::new(&Line(&graph), [(0.0, (0, 0))], options)
            .finish()
            .stop,
        Stop::Cancelled
    );
}

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

/// The forward graph as stages: a state's stage is how many steps led to it.
struct Line<'a>(&'a Graph);

impl Problem for Line<'_> {
    type State = (usize, u64);
    type Step = usize;

    fn successors(&self, state: &(usize, u64), mut out: impl FnMut(usize, f64, (usize, u64))) {
        self.0.successors(&state.0, |step, error, to| {
            out(step, error, (to, state.1 + 1))
        });
    }

    fn is_complete(&self, state: &(usize, u64)) -> bool {
        state.0 == self.0.goal
    }
}

impl Staged for Line<'_> {
    fn stage(&self, state: &(usize, u64)) -> u64 {
        state.1
    }

    fn bucket(&self, state: &(usize, u64)) -> u64 {
        state.0 as u64
    }
}

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

#[test]
fn settled_steps_and_the_rest_make_the_same_walk() {
    for seed in 0..20 {
        let graph = random_graph(seed, 60, true);
        let line = Line(&graph);
        let whole = BeamSearch::new(&line, [(0.0, (0, 0))], BeamOptions::default()).finish();
        let mut search = BeamSearch::new(&line, [(0.0, (0, 0))], BeamOptions::default());
        let mut steps = Vec::new();
        let mut pause = 2;
        while search.run_until(pause).is_none() {
            steps.extend(search.take_settled());
            pause += 2;
        }
        let rest = search.finish();
        steps.extend(rest.walks[0].steps.iter());
        assert_eq!(steps, whole.walks[0].steps, "seed {seed}");
        assert_eq!(rest.walks[0].error, whole.walks[0].error);
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
