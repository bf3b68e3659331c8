//! Moves: stretches of motion between places where one may choose, as a world sees them.
//!
//! A motion graph's nodes from which only one way leads are no choices; the ways through them, strung
//! together, are its moves (`afoot_synth::embed` makes them). All that matters here is where the root
//! goes, what words its frames carry, how long it takes, and where one may choose next.

use afoot_core::{FrameRate, Planar};
use afoot_graph::{EdgeId, LabelSet, NodeId};

/// A place where one may choose: a position in [`Moves::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChoiceId(pub u32);

/// A move: a position in [`Moves::list`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveId(pub u32);

/// A stretch of motion from one choice to the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Move {
    /// Where it starts.
    pub from: ChoiceId,
    /// Where it leads.
    pub to: ChoiceId,
    /// The root's place and heading at each frame, seen from the first one's; the last is the next
    /// move's first. Headings are not wrapped.
    pub poses: Vec<Planar>,
    /// The words of each frame; one fewer than poses.
    pub labels: Vec<LabelSet>,
    /// How far its transitions stay below what is allowed: 1 of captured motion, 0 at the limit. [0 to 1]
    pub slack: f64,
    /// The graph's edges that it plays.
    pub edges: Vec<EdgeId>,
}

/// All moves of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Moves {
    /// Frames per second.
    pub rate: FrameRate,
    /// The words that label sets' bits mean.
    pub vocabulary: Vec<String>,
    /// The graph's nodes where one may choose.
    pub nodes: Vec<NodeId>,
    /// Sorted by `from`.
    pub list: Vec<Move>,
    /// Where each choice's moves start in `list`; one more entry than choices.
    pub first: Vec<u32>,
}

impl Move {
    /// How far the root comes at each pose. [m]
    pub fn arcs(&self) -> Vec<f64> {
        let mut arc = 0.0;
        let steps = self.poses.windows(2).map(|pair| {
            arc += (pair[1].x - pair[0].x).hypot(pair[1].z - pair[0].z);
            arc
        });
        std::iter::once(0.0).chain(steps).collect()
    }

    /// How far the root comes. [m]
    pub fn length(&self) -> f64 {
        self.arcs().last().copied().unwrap_or(0.0)
    }

    /// How many frames it plays.
    pub fn frames(&self) -> usize {
        self.poses.len() - 1
    }

    /// Where it ends, seen from its start; the heading is not wrapped.
    pub fn end(&self) -> Planar {
        self.poses.last().copied().unwrap_or(Planar::IDENTITY)
    }
}

impl Moves {
    /// Of moves in any order.
    pub fn new(
        rate: FrameRate,
        vocabulary: Vec<String>,
        nodes: Vec<NodeId>,
        mut list: Vec<Move>,
    ) -> Self {
        list.sort_by_key(|step| step.from);
        let starts = 0..=nodes.len() as u32;
        let first = starts.map(|node| list.partition_point(|step| step.from.0 < node) as u32);
        Self {
            rate,
            vocabulary,
            first: first.collect(),
            nodes,
            list,
        }
    }

    /// The moves from a choice, with their numbers.
    pub fn from(&self, choice: ChoiceId) -> impl Iterator<Item = (MoveId, &Move)> {
        let range = self.first[choice.0 as usize]..self.first[choice.0 as usize + 1];
        range.map(|index| (MoveId(index), &self.list[index as usize]))
    }

    /// A move, by its number.
    #[inline]
    pub fn of(&self, step: MoveId) -> &Move {
        &self.list[step.0 as usize]
    }
}
