//! Every search against brute force or Dijkstra on small random graphs.

mod anytime;
mod beam;
mod best_first;
mod branch;
mod incremental;
mod limits;
mod properties;

use afoot_search::*;

/// A directed graph with errors on its edges; walks start at node 0.
#[derive(Clone, Debug)]
struct Graph {
    edges: Vec<Vec<(usize, f64)>>,
    goal: usize,
    bounds: Vec<f64>,
    /// The bounds if empty.
    estimates: Vec<f64>,
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

    fn estimate(&self, state: &usize) -> f64 {
        let given = self.estimates.get(*state).copied();
        given.unwrap_or_else(|| self.lower_bound(state))
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
        estimates: Vec::new(),
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
