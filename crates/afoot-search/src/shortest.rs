//! Shortest ways through a graph of numbered nodes (Dijkstra 1959).
//!
//! Lengths are 32-bit floats, not negative. Cost: m log m in the arcs m; 8 bytes an arc.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A way from one node to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arc {
    /// Where it starts.
    pub from: u32,
    /// Where it leads.
    pub to: u32,
    /// What it adds; not negative, not NaN.
    pub length: f32,
}

impl Arc {
    /// The same against its direction, so that sums *to* nodes can be asked for.
    pub fn reversed(self) -> Self {
        Self {
            from: self.to,
            to: self.from,
            ..self
        }
    }
}

/// A node to start from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// The node.
    pub node: u32,
    /// The sum it begins with; below 0 counts as 0.
    pub sum: f32,
}

/// A graph as compressed rows: the arcs of node n are `out[first[n]..first[n + 1]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Arcs {
    first: Vec<u32>,
    out: Vec<Onward>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Onward {
    to: u32,
    length: f32,
}

impl Arcs {
    /// The graph of `nodes` nodes with these arcs, whatever their order; all ends are below `nodes`.
    pub fn new(nodes: usize, arcs: impl Iterator<Item = Arc> + Clone) -> Self {
        let mut first = vec![0u32; nodes + 1];
        arcs.clone()
            .for_each(|arc| first[arc.from as usize + 1] += 1);
        (0..nodes).for_each(|node| first[node + 1] += first[node]);
        let mut next = first.clone();
        let nowhere = Onward { to: 0, length: 0.0 };
        let mut out = vec![nowhere; first[nodes] as usize];
        for Arc { from, to, length } in arcs {
            let next = &mut next[from as usize];
            out[*next as usize] = Onward { to, length };
            *next += 1;
        }
        Self { first, out }
    }

    fn from(&self, node: u32) -> &[Onward] {
        let range = self.first[node as usize]..self.first[node as usize + 1];
        &self.out[range.start as usize..range.end as usize]
    }
}

/// The least sum of lengths from any of `starts` to every node; infinite where no way leads.
pub fn least_sums(arcs: &Arcs, starts: impl IntoIterator<Item = Start>) -> Vec<f32> {
    let mut sums = vec![f32::INFINITY; arcs.first.len() - 1];
    let mut open = BinaryHeap::new();
    let reach = |sums: &mut [f32], open: &mut BinaryHeap<_>, node: u32, sum: f32| {
        if sum < sums[node as usize] {
            sums[node as usize] = sum;
            // Not negative, so the bits of the floats are ordered as they are.
            open.push((Reverse(sum.to_bits()), node));
        }
    };
    for Start { node, sum } in starts {
        reach(&mut sums, &mut open, node, sum.max(0.0));
    }
    while let Some((Reverse(bits), node)) = open.pop() {
        let so_far = f32::from_bits(bits);
        if so_far > sums[node as usize] {
            continue;
        }
        for onward in arcs.from(node) {
            reach(&mut sums, &mut open, onward.to, so_far + onward.length);
        }
    }
    sums
}
