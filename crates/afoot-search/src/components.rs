//! Strongly connected components (Tarjan 1972), without recursion, and the heaviest of them.
//!
//! Links are asked for one by one ([`Links`]), since some graphs have no lists of them: bit maps, of which
//! lists would take thirty times the room. Those that have come as compressed rows: the targets of node n are
//! `targets[first[n]..first[n + 1]]`. Linear in nodes and links; 12 bytes a node.

/// A graph of numbered nodes.
pub trait Links {
    /// How many nodes there are.
    fn nodes(&self) -> u32;

    /// Whether a node takes part.
    fn takes_part(&self, _node: u32) -> bool {
        true
    }

    /// The node that the first link at or after the `cursor`-th of a node leads to, and the cursor
    /// behind it; only to nodes that take part.
    fn next(&self, node: u32, cursor: u32) -> Option<(u32, u32)>;
}

/// Which nodes reach each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// The component of each node, [`Components::NONE`] of those that take no part. Numbered so that
    /// links between them lead from higher to lower numbers.
    pub of: Vec<u32>,
    /// How many there are.
    pub count: u32,
}

impl Components {
    /// Of nodes that take no part.
    pub const NONE: u32 = u32::MAX;

    /// Those of a graph.
    pub fn find(graph: &impl Links) -> Self {
        let nodes = graph.nodes() as usize;
        let mut search = Search {
            graph,
            order: vec![UNSEEN; nodes],
            low: vec![0; nodes],
            found: Self {
                of: vec![Self::NONE; nodes],
                count: 0,
            },
            open: Vec::new(),
            path: Vec::new(),
            seen: 0,
        };
        for root in 0..graph.nodes() {
            if search.order[root as usize] == UNSEEN && graph.takes_part(root) {
                search.explore(root);
            }
        }
        search.found
    }
}

/// The component of each node of a graph of compressed rows, as [`Components`] has them.
pub fn strong_components(first: &[u32], targets: &[u32]) -> Vec<u32> {
    Components::find(&Rows { first, targets }).of
}

struct Rows<'a> {
    first: &'a [u32],
    targets: &'a [u32],
}

impl Links for Rows<'_> {
    fn nodes(&self) -> u32 {
        self.first.len().saturating_sub(1) as u32
    }

    fn next(&self, node: u32, cursor: u32) -> Option<(u32, u32)> {
        let link = self.first[node as usize] + cursor;
        let has = link < self.first[node as usize + 1];
        has.then(|| (self.targets[link as usize], cursor + 1))
    }
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

struct Search<'a, G> {
    graph: &'a G,
    /// When each node was first seen.
    order: Vec<u32>,
    /// The earliest open node that each one reaches.
    low: Vec<u32>,
    found: Components,
    /// Nodes seen that have no component yet.
    open: Vec<u32>,
    /// The way from the root: a node and the cursor of its next link.
    path: Vec<(u32, u32)>,
    seen: u32,
}

impl<G: Links> Search<'_, G> {
    fn explore(&mut self, root: u32) {
        self.enter(root);
        while let Some(&(node, cursor)) = self.path.last() {
            let Some((target, next)) = self.graph.next(node, cursor) else {
                self.leave(node);
                continue;
            };
            if let Some(top) = self.path.last_mut() {
                top.1 = next;
            }
            if self.order[target as usize] == UNSEEN {
                self.enter(target);
            } else if self.found.of[target as usize] == Components::NONE {
                self.lower(node, self.order[target as usize]);
            }
        }
    }

    fn enter(&mut self, node: u32) {
        self.order[node as usize] = self.seen;
        self.low[node as usize] = self.seen;
        self.seen += 1;
        self.open.push(node);
        self.path.push((node, 0));
    }

    fn leave(&mut self, node: u32) {
        self.path.pop();
        let low = self.low[node as usize];
        if let Some(&(parent, _)) = self.path.last() {
            self.lower(parent, low);
        }
        if low == self.order[node as usize] {
            while let Some(member) = self.open.pop() {
                self.found.of[member as usize] = self.found.count;
                if member == node {
                    break;
                }
            }
            self.found.count += 1;
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
    fn nodes_that_take_no_part_are_in_no_component() {
        /// A ring of five of which the third is out.
        struct Broken;

        impl Links for Broken {
            fn nodes(&self) -> u32 {
                5
            }

            fn takes_part(&self, node: u32) -> bool {
                node != 2
            }

            fn next(&self, node: u32, cursor: u32) -> Option<(u32, u32)> {
                let to = (node + 1) % 5;
                (cursor == 0 && self.takes_part(to)).then_some((to, 1))
            }
        }

        let found = Components::find(&Broken);
        assert_eq!(found.count, 4);
        assert_eq!(found.of, [1, 0, Components::NONE, 3, 2]);
    }

    #[test]
    fn a_long_chain_does_not_overflow_the_stack() {
        let nodes = 500_000u32;
        let first: Vec<u32> = (0..=nodes).collect();
        let targets: Vec<u32> = (0..nodes).map(|n| (n + 1) % nodes).collect();
        assert!(strong_components(&first, &targets).iter().all(|c| *c == 0));
    }
}
