//! Strongly connected components (Tarjan 1972), without recursion, and the heaviest of them.
//!
//! Graphs come as compressed rows: the targets of node n are `targets[first[n]..first[n + 1]]`.
//! Linear in nodes and edges; 12 bytes per node.

/// The component of each node. Components are numbered so that edges between them lead from higher
/// to lower numbers.
pub fn strong_components(first: &[u32], targets: &[u32]) -> Vec<u32> {
    let nodes = first.len().saturating_sub(1);
    let mut search = Search {
        first,
        targets,
        order: vec![UNSEEN; nodes],
        low: vec![0; nodes],
        component: vec![UNSEEN; nodes],
        open: Vec::new(),
        path: Vec::new(),
        seen: 0,
        components: 0,
    };
    for root in 0..nodes as u32 {
        if search.order[root as usize] == UNSEEN {
            search.explore(root);
        }
    }
    search.component
}

/// What an edge adds to the component that holds both of its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weighed {
    /// Where it starts.
    pub from: u32,
    /// Where it leads; of a node's own weight the node itself.
    pub to: u32,
    /// In frames, nodes, or whatever is counted.
    pub weight: u64,
}

/// The component with the greatest weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaviestComponent {
    /// Whether each node belongs to it.
    pub nodes: Vec<bool>,
    /// The sum within it; with 0 no node belongs to it.
    pub weight: u64,
}

/// The heaviest of the components that [`strong_components`] gave; of equal ones that with the first
/// node, so that their numbering does not matter.
pub fn heaviest_component(
    component: &[u32],
    weights: impl IntoIterator<Item = Weighed>,
) -> HeaviestComponent {
    let mut sums = vec![0u64; component.iter().max().map_or(0, |most| *most as usize + 1)];
    for Weighed { from, to, weight } in weights {
        let [from, to] = [from, to].map(|node| component[node as usize]);
        if from == to {
            sums[from as usize] += weight;
        }
    }
    let weight = sums.iter().copied().max().unwrap_or(0);
    let mut heavy = component.iter().filter(|c| sums[**c as usize] == weight);
    let best = heavy.next().filter(|_| weight > 0);
    HeaviestComponent {
        nodes: component.iter().map(|c| Some(c) == best).collect(),
        weight,
    }
}

const UNSEEN: u32 = u32::MAX;

struct Search<'a> {
    first: &'a [u32],
    targets: &'a [u32],
    /// When each node was first seen.
    order: Vec<u32>,
    /// The earliest open node that each one reaches.
    low: Vec<u32>,
    component: Vec<u32>,
    /// Nodes seen that have no component yet.
    open: Vec<u32>,
    /// The way from the root: a node and its next edge.
    path: Vec<(u32, u32)>,
    seen: u32,
    components: u32,
}

impl Search<'_> {
    fn explore(&mut self, root: u32) {
        self.enter(root);
        while let Some(&(node, edge)) = self.path.last() {
            if edge == self.first[node as usize + 1] {
                self.leave(node);
                continue;
            }
            if let Some(top) = self.path.last_mut() {
                top.1 += 1;
            }
            let target = self.targets[edge as usize];
            if self.order[target as usize] == UNSEEN {
                self.enter(target);
            } else if self.component[target as usize] == UNSEEN {
                self.lower(node, self.order[target as usize]);
            }
        }
    }

    fn enter(&mut self, node: u32) {
        self.order[node as usize] = self.seen;
        self.low[node as usize] = self.seen;
        self.seen += 1;
        self.open.push(node);
        self.path.push((node, self.first[node as usize]));
    }

    fn leave(&mut self, node: u32) {
        self.path.pop();
        let low = self.low[node as usize];
        if let Some(&(parent, _)) = self.path.last() {
            self.lower(parent, low);
        }
        if low == self.order[node as usize] {
            while let Some(member) = self.open.pop() {
                self.component[member as usize] = self.components;
                if member == node {
                    break;
                }
            }
            self.components += 1;
        }
    }

    fn lower(&mut self, node: u32, to: u32) {
        let low = &mut self.low[node as usize];
        *low = (*low).min(to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn components(nodes: usize, edges: &[(u32, u32)]) -> Vec<u32> {
        let mut sorted = edges.to_vec();
        sorted.sort();
        let first: Vec<u32> = (0..=nodes as u32)
            .map(|n| sorted.iter().filter(|edge| edge.0 < n).count() as u32)
            .collect();
        let targets: Vec<u32> = sorted.iter().map(|edge| edge.1).collect();
        strong_components(&first, &targets)
    }

    /// Same component exactly where each reaches the other, found by closing the relation.
    fn check(nodes: usize, edges: &[(u32, u32)]) {
        let mut reach = vec![vec![false; nodes]; nodes];
        (0..nodes).for_each(|n| reach[n][n] = true);
        edges
            .iter()
            .for_each(|&(a, b)| reach[a as usize][b as usize] = true);
        for via in 0..nodes {
            for from in 0..nodes {
                for to in 0..nodes {
                    reach[from][to] |= reach[from][via] && reach[via][to];
                }
            }
        }
        let found = components(nodes, edges);
        for a in 0..nodes {
            for b in 0..nodes {
                assert_eq!(
                    found[a] == found[b],
                    reach[a][b] && reach[b][a],
                    "{a} {b} {edges:?}"
                );
                assert!(!reach[a][b] || found[a] >= found[b], "{a} {b} {edges:?}");
            }
        }
    }

    #[test]
    fn figure_4_of_the_paper() {
        let edges = [
            (0, 1),
            (1, 2),
            (2, 5),
            (5, 6),
            (6, 7),
            (7, 0),
            (1, 3),
            (3, 3),
            (2, 4),
        ];
        check(8, &edges);
        let found = components(8, &edges);
        assert_eq!(found.iter().filter(|c| **c == found[0]).count(), 6);
    }

    #[test]
    fn random_graphs_agree_with_the_closure() {
        let mut state = 1u64;
        let mut random = |bound: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % bound
        };
        for round in 0..300 {
            let nodes = 1 + random(12);
            let count = random(2 * nodes + 1);
            let edges: Vec<(u32, u32)> = (0..count)
                .map(|_| (random(nodes) as u32, random(nodes) as u32))
                .collect();
            check(nodes as usize, &edges);
            assert!(round < 300);
        }
        check(0, &[]);
    }

    #[test]
    fn the_heaviest_component_is_that_of_most_weight_inside_it() {
        // Rings 0–1 and 2–3–4, and 5 alone.
        let rings = components(6, &[(0, 1), (1, 0), (1, 2), (2, 3), (3, 4), (4, 2), (4, 5)]);
        let heaviest = |weights: &[(u32, u32, u64)]| {
            let weighed = |&(from, to, weight): &(u32, u32, u64)| Weighed { from, to, weight };
            let found = heaviest_component(&rings, weights.iter().map(weighed));
            let nodes = (0..6u32).filter(|n| found.nodes[*n as usize]);
            (nodes.collect::<Vec<_>>(), found.weight)
        };
        assert_eq!(
            heaviest(&[(0, 1, 4), (2, 3, 2), (3, 4, 3)]),
            (vec![2, 3, 4], 5)
        );
        // What leads from one to another counts for neither; of equal ones the first wins.
        assert_eq!(
            heaviest(&[(1, 2, 9), (2, 3, 2), (1, 0, 2)]),
            (vec![0, 1], 2)
        );
        assert_eq!(heaviest(&[(5, 5, 1)]), (vec![5], 1));
        assert_eq!(heaviest(&[(1, 2, 9)]), (vec![], 0));
        assert_eq!(heaviest_component(&[], []).nodes, [false; 0]);
    }

    #[test]
    fn a_long_chain_does_not_overflow_the_stack() {
        let nodes = 500_000u32;
        let first: Vec<u32> = (0..=nodes).collect();
        let targets: Vec<u32> = (0..nodes).map(|n| (n + 1) % nodes).collect();
        assert!(strong_components(&first, &targets).iter().all(|c| *c == 0));
    }
}
