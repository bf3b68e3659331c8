//! ARA* and ANA* against Dijkstra on random graphs: every bound that is reported holds.

use afoot_search::*;
use proptest::prelude::*;

/// A graph whose nodes are their own cells, with a heuristic that is a share of the true cost.
#[derive(Clone, Debug)]
struct Plain {
    edges: Vec<Vec<(u32, f64)>>,
    goal: u32,
    rest: Vec<f64>,
}

impl Space for Plain {
    type State = u32;

    fn cell(&mut self, state: &u32) -> u32 {
        *state
    }

    fn successors(&self, state: &u32, mut out: impl FnMut(u32, f64, u32)) {
        let edges = self.edges[*state as usize].iter();
        edges.for_each(|&(to, cost)| out(to, cost, to));
    }

    fn heuristic(&self, state: &u32) -> f64 {
        self.rest[*state as usize]
    }

    fn is_goal(&self, state: &u32) -> bool {
        *state == self.goal
    }
}

fn random_edges(seed: u64, nodes: usize, degree: usize) -> Vec<Vec<(u32, f64)>> {
    let mut random = Random::new(seed);
    let mut list = |_| {
        (0..degree)
            .map(|_| (random.below(nodes) as u32, random.between(0.05, 1.0)))
            .collect()
    };
    (0..nodes).map(&mut list).collect()
}

/// The least cost from every node to the last.
fn costs_to_goal(edges: &[Vec<(u32, f64)>]) -> Vec<f64> {
    let goal = edges.len() - 1;
    let mut costs = vec![f64::INFINITY; edges.len()];
    costs[goal] = 0.0;
    loop {
        let before = costs.clone();
        for (from, list) in edges.iter().enumerate() {
            for (to, cost) in list {
                costs[from] = costs[from].min(cost + costs[*to as usize]);
            }
        }
        if before == costs {
            return costs;
        }
    }
}

/// The share of the true cost that a heuristic knows: between `low` and 1, and consistent, as the
/// greatest of several consistent ones is.
fn plain(seed: u64, nodes: usize, degree: usize, share: f64) -> (Plain, f64) {
    let edges = random_edges(seed, nodes, degree);
    let costs = costs_to_goal(&edges);
    let mut random = Random::new(seed ^ 77);
    let mut rest: Vec<f64> = costs.iter().map(|cost| known(*cost, share)).collect();
    // Near some landmark it knows more: cost(s) − cost(landmark) less what the landmark misses.
    let landmark = costs[random.below(nodes)];
    if landmark.is_finite() {
        for (rest, cost) in rest.iter_mut().zip(&costs) {
            *rest = rest.max((cost - landmark).max(0.0));
        }
    }
    let goal = nodes as u32 - 1;
    let best = costs[0];
    (Plain { edges, goal, rest }, best)
}

fn known(cost: f64, share: f64) -> f64 {
    if cost.is_finite() { cost * share } else { cost }
}

fn cost_of(trail: &[(u32, u32)], edges: &[Vec<(u32, f64)>]) -> f64 {
    let step = |pair: &[(u32, u32)]| {
        let (from, to) = (pair[0].1, pair[1].1);
        let edges = edges[from as usize].iter().filter(|(next, _)| *next == to);
        edges.map(|(_, cost)| *cost).fold(f64::INFINITY, f64::min)
    };
    trail.windows(2).map(step).sum()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn every_bound_holds_and_the_last_walk_is_the_best(
        seed in any::<u64>(), nodes in 2usize..60, degree in 1usize..4,
        share in 0.0f64..1.0, epsilon in 1.0f64..12.0, slice in 1u64..40,
    ) {
        let (space, best) = plain(seed, nodes, degree, share);
        let options = AraOptions { epsilon, ..AraOptions::default() };
        let mut search = Ara::new(space.clone(), [0], options);
        let mut last = f64::INFINITY;
        let ended = loop {
            let told = search.advance(slice, None);
            // Whatever happened: what is known by now holds.
            prop_assert!(search.lower_bound() <= best + 1e-9);
            if let Some(solution) = search.solution() {
                prop_assert!(solution.cost <= solution.bound * best + 1e-9);
                prop_assert!(solution.cost <= last + 1e-12, "costs never rise");
                last = solution.cost;
            }
            match told {
                Advance::Improved(solution) => {
                    prop_assert!(solution.bound <= solution.epsilon + 1e-9);
                    prop_assert!(solution.cost <= solution.bound * best + 1e-9);
                }
                Advance::OutOfExpansions => {}
                ended => break ended,
            }
        };
        match ended {
            Advance::Optimal(solution) => {
                prop_assert!((solution.cost - best).abs() < 1e-9, "{} is not {best}", solution.cost);
                let trail = search.trail().unwrap();
                prop_assert_eq!((trail[0].1, trail[trail.len() - 1].1), (0, space.goal));
                prop_assert!((cost_of(&trail, &space.edges) - best).abs() < 1e-9);
            }
            Advance::Impossible => prop_assert!(best.is_infinite()),
            other => prop_assert!(false, "{:?}", other),
        }
    }

    #[test]
    fn without_a_schedule_it_ends_at_the_best_too(
        seed in any::<u64>(), nodes in 2usize..60, degree in 1usize..4, share in 0.0f64..1.0,
    ) {
        let (space, best) = plain(seed, nodes, degree, share);
        let mut search = Ana::new(space, [0]);
        loop {
            match search.advance(7, None) {
                Advance::Improved(found) => prop_assert!(found.cost <= found.bound * best + 1e-9),
                Advance::OutOfExpansions => {}
                Advance::Optimal(found) => {
                    prop_assert!((found.cost - best).abs() < 1e-9);
                    break;
                }
                ended => {
                    prop_assert_eq!(ended, Advance::Impossible);
                    prop_assert!(best.is_infinite());
                    break;
                }
            }
        }
    }
}

#[test]
fn with_epsilon_one_each_state_is_expanded_once() {
    let (space, best) = plain(3, 400, 4, 0.5);
    let options = AraOptions {
        epsilon: 1.0,
        ..AraOptions::default()
    };
    let mut search = Ara::new(space, [0], options);
    let Advance::Optimal(found) = search.advance(u64::MAX, None) else {
        panic!("one round proves it");
    };
    assert!((found.cost - best).abs() < 1e-9);
    assert!(found.expanded <= 400);
}

#[test]
fn memory_that_is_used_up_is_told_apart_from_no_way() {
    let (space, _) = plain(5, 5000, 4, 0.0);
    let options = AraOptions {
        memory: 10_000,
        epsilon: 1.0,
        ..AraOptions::default()
    };
    let mut search = Ara::new(space, [0], options);
    assert_eq!(search.advance(u64::MAX, None), Advance::OutOfMemory);
    assert_eq!(search.solution(), None);
    let lonely = Plain {
        edges: vec![vec![(0, 1.0)], Vec::new()],
        goal: 1,
        rest: vec![0.0; 2],
    };
    let mut search = Ara::new(lonely, [0], AraOptions::default());
    assert_eq!(search.advance(u64::MAX, None), Advance::Impossible);
}

#[test]
fn a_flag_that_is_set_stops_it_with_the_best_so_far() {
    let (space, best) = plain(9, 3000, 5, 0.9);
    let mut search = Ara::new(space, [0], AraOptions::default());
    let (Advance::Improved(first) | Advance::Optimal(first)) = search.advance(u64::MAX, None)
    else {
        panic!("there is a way");
    };
    let flag = std::sync::atomic::AtomicBool::new(true);
    loop {
        match search.advance(u64::MAX, Some(&flag)) {
            Advance::Cancelled => break,
            Advance::Improved(_) => {}
            Advance::Optimal(_) => break,
            other => panic!("{other:?}"),
        }
    }
    let held = search.solution().unwrap();
    assert!(held.cost <= first.cost && held.cost <= held.bound * best + 1e-9);
}

/// States on a line that are finer than their cells: walks stay exact.
struct Line {
    cells: CellTable,
}

impl Space for Line {
    type State = f64;

    fn cell(&mut self, state: &f64) -> u32 {
        self.cells.number((state * 4.0).floor() as u64)
    }

    fn successors(&self, state: &f64, mut out: impl FnMut(u32, f64, f64)) {
        if *state < 40.0 {
            out(0, 1.0, state + 0.9);
            out(1, 1.2, state + 1.1);
        }
    }

    fn heuristic(&self, state: &f64) -> f64 {
        ((20.0 - state) / 1.1 * 1.05).max(0.0)
    }

    fn is_goal(&self, state: &f64) -> bool {
        *state >= 20.0
    }
}

#[test]
fn states_finer_than_cells_make_whole_walks() {
    let cells = CellTable::default();
    let mut search = Ara::new(Line { cells }, [0.0], AraOptions::default());
    loop {
        match search.advance(u64::MAX, None) {
            Advance::Improved(_) => {}
            Advance::Optimal(_) => break,
            other => panic!("{other:?}"),
        }
    }
    let (mut at, mut cost) = (0.0, 0.0);
    for (step, state) in &search.trail().unwrap()[1..] {
        let (way, price) = [(0.9, 1.0), (1.1, 1.2)][*step as usize];
        (at, cost) = (at + way, cost + price);
        assert_eq!(at, *state);
    }
    assert!((cost - search.solution().unwrap().cost).abs() < 1e-9);
}
