//! Where to go next, so that all frames are played equally often.
//!
//! At a choice the nearest place is looked for from where the clip plays on through frames that this
//! round has not played, by Dijkstra's algorithm from the present node: a frame costs the more the more
//! often it was played, a transition as long as it takes and a little by whim. After a transition the
//! clip plays on for a while, if it can: joins in close succession look restless, so that two in a row
//! have their price, but where nothing else leads out of a loop they are made. Every way leads to
//! frames with the words asked for that are new in their round, so no loop holds the walk; what leads
//! between such stretches without the words is kept short. Cost of a look: what is nearer than the next
//! new frames; all edges, late in a round.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use afoot_core::{Planar, Range32};
use afoot_graph::{Edge, EdgeId, EdgeKind, NodeId};
use afoot_run::Run;
use afoot_search::Random;

use super::{Playable, WanderError, WanderOptions};
use crate::edges::Edges;
use crate::steps::whim;
use crate::walk::GraphWalk;

/// A frame that is new in its round costs this much of one that was played. It is worth a way, but
/// a way through new frames that leads away from more of them is not worth much.
const NEW: f32 = 0.25;
/// Every further time that a frame was played in a round costs this much more.
const AGAIN: f32 = 0.5;
/// What a transition costs beside its frames, at most: by whim, so that seeds differ. [frames]
const WHIM: f64 = 20.0;
/// What it costs to leave a clip at once after a transition into it: two seconds of known motion are
/// the lesser evil. [frames]
const HASTE: f32 = 60.0;
/// What a frame without the words asked for costs, in frames that have played.
const BETWEEN: f32 = 4.0;

/// The way from one node on that costs least so far.
#[derive(Clone, Copy)]
struct Way {
    cost: f32,
    before: NodeId,
    stride: Stride,
    /// Of the look that found it.
    look: u32,
}

/// A step of a way: an edge and, unless in haste, what plays after a transition before the next.
#[derive(Clone, Copy)]
struct Stride {
    edge: EdgeId,
    hasty: bool,
}

impl Stride {
    fn calm(edge: EdgeId) -> Self {
        Self { edge, hasty: false }
    }
}

/// What is looked for.
#[derive(Clone, Copy)]
struct Goal {
    /// New frames within the next second. [≥ 1]
    new: u32,
    /// In another clip than this node's.
    elsewhere: Option<NodeId>,
}

pub(super) struct Explorer<'a, G> {
    graph: &'a G,
    playable: &'a Playable,
    /// How often each frame of each clip was played.
    plays: Vec<Vec<u32>>,
    /// How often all will have been played when the round is over.
    round: u32,
    /// No place of the round has much that is new any more.
    sparse: bool,
    /// How far new frames are counted. [frames]
    ahead: u32,
    least_play: u32,
    longest_stay: u32,
    chance: f64,
    seed: u64,
    random: Random,
    ways: Vec<Way>,
    looks: u32,
}

impl<'a, G: Edges> Explorer<'a, G> {
    pub(super) fn new(graph: &'a G, playable: &'a Playable, options: &WanderOptions) -> Self {
        let layout = graph.layout();
        let frames = |seconds: f64| layout.rate.frames_in(seconds) as u32;
        let nowhere = Way {
            cost: f32::INFINITY,
            before: NodeId(0),
            stride: Stride::calm(EdgeId(0)),
            look: 0,
        };
        let unplayed = |clip: &afoot_graph::GraphClip| vec![0; clip.frames as usize];
        Self {
            graph,
            playable,
            plays: layout.clips.iter().map(unplayed).collect(),
            round: 1,
            sparse: false,
            ahead: frames(1.0),
            least_play: frames(options.least_play),
            longest_stay: frames(options.longest_stay),
            chance: options.chance,
            seed: options.seed,
            random: Random::new(options.seed),
            ways: vec![nowhere; layout.places.len()],
            looks: 0,
        }
    }

    pub(super) fn walk(&mut self, frames: u64, run: &Run) -> Result<GraphWalk, WanderError> {
        let starts = self.starts();
        let start = starts[self.random.below(starts.len())];
        let placement = Planar::carrying(self.graph.root_at(start), Planar::IDENTITY);
        let places = self.graph.layout().places;
        let clip = |node: NodeId| places[node.0 as usize].clip;
        let (mut node, mut edges, mut played, mut stay) = (start, Vec::new(), 0, 0);
        while played < frames {
            run.check()?;
            for id in self.go_on(node, stay) {
                let edge = *self.graph.edge(id);
                let count = self.graph.frames(&edge);
                self.count(&edge);
                edges.push(id);
                played += u64::from(count);
                stay = if clip(edge.to) == clip(node) {
                    stay + count
                } else {
                    0
                };
                node = edge.to;
                if played >= frames {
                    break;
                }
            }
        }
        Ok(GraphWalk {
            start,
            placement,
            edges,
            spare: (played - frames) as u32,
        })
    }

    fn starts(&self) -> Vec<NodeId> {
        let nodes = (0..self.playable.allowed.alive().len() as u32).map(NodeId);
        let wanted = |node: &NodeId| {
            self.plays_on(*node)
                .is_some_and(|(_, edge)| self.is_wanted(&edge))
        };
        let alive = nodes.filter(|node| self.playable.allowed.is_alive(*node));
        let (first, rest): (Vec<_>, Vec<_>) = alive.partition(wanted);
        if first.is_empty() { rest } else { first }
    }

    /// The next edges from a node, in a clip that has played for `stay` frames.
    fn go_on(&mut self, node: NodeId, stay: u32) -> Vec<EdgeId> {
        if self.random.unit() < self.chance {
            return self.anywhere(node);
        }
        let tired = stay >= self.longest_stay;
        let plays_on = self.plays_on(node);
        match plays_on {
            Some((id, edge)) if !tired && self.is_wanted(&edge) && self.is_new(&edge) => vec![id],
            _ => {
                let way = self.look_around(node, tired);
                // The best place is here.
                if way.is_empty() {
                    plays_on.map_or_else(|| self.anywhere(node), |(id, _)| vec![id])
                } else {
                    way
                }
            }
        }
    }

    /// Some way on by chance.
    fn anywhere(&mut self, node: NodeId) -> Vec<EdgeId> {
        let ways: Vec<EdgeId> = self.ways_from(node).collect();
        let way = ways[self.random.below(ways.len())];
        self.with_play(Stride::calm(way)).collect()
    }

    fn ways_from(&self, node: NodeId) -> impl Iterator<Item = EdgeId> + '_ {
        let edges = self.graph.edges_from(node);
        edges
            .map(|(id, _)| id)
            .filter(|id| self.playable.allowed.allows(*id))
    }

    /// The way to the nearest place from where much is new, else something; a new round begins where
    /// nothing is.
    fn look_around(&mut self, node: NodeId, tired: bool) -> Vec<EdgeId> {
        let much = |elsewhere| Goal {
            new: self.ahead.div_ceil(2),
            elsewhere,
        };
        let (away, here) = (much(Some(node)), much(None));
        let something = Goal { new: 1, ..here };
        if !self.sparse {
            let away = tired.then(|| self.nearest(node, away)).flatten();
            if let Some(place) = away.or_else(|| self.nearest(node, here)) {
                return self.way_to(node, place);
            }
            self.sparse = true;
        }
        if let Some(place) = self.nearest(node, something) {
            return self.way_to(node, place);
        }
        (self.round, self.sparse) = (self.round + 1, false);
        Vec::new()
    }

    /// The nearest node that is what is looked for.
    fn nearest(&mut self, start: NodeId, goal: Goal) -> Option<NodeId> {
        self.looks += 1;
        let mut open = BinaryHeap::new();
        self.ways[start.0 as usize] = Way {
            cost: 0.0,
            before: start,
            stride: Stride::calm(EdgeId(0)),
            look: self.looks,
        };
        // Costs are not negative, so their bits have their order.
        open.push(Reverse((0f32.to_bits(), start.0)));
        while let Some(Reverse((bits, node))) = open.pop() {
            let (cost, node) = (f32::from_bits(bits), NodeId(node));
            if cost > self.ways[node.0 as usize].cost {
                continue;
            }
            if self.is_goal(node, goal) {
                return Some(node);
            }
            let layout = self.graph.layout();
            let first = layout.first_edge[node.0 as usize];
            for offset in 0..layout.edges_from(node).len() as u32 {
                let edge = EdgeId(first + offset);
                if !self.playable.allowed.allows(edge) {
                    continue;
                }
                for stride in self.strides(edge) {
                    let (to, added) = self.step(stride);
                    let way = &mut self.ways[to.0 as usize];
                    if way.look != self.looks || cost + added < way.cost {
                        *way = Way {
                            cost: cost + added,
                            before: node,
                            stride,
                            look: self.looks,
                        };
                        open.push(Reverse(((cost + added).to_bits(), to.0)));
                    }
                }
            }
        }
        None
    }

    fn is_goal(&self, node: NodeId, goal: Goal) -> bool {
        let places = self.graph.layout().places;
        let place = places[node.0 as usize];
        let here = |other: NodeId| places[other.0 as usize].clip == place.clip;
        if goal.elsewhere.is_some_and(here) {
            return false;
        }
        let run = self.playable.allowed.run(node).min(self.ahead) as usize;
        let (clip, first) = (place.clip.index(), place.frame.index());
        let plays = &self.plays[clip];
        let new = (first..first + run)
            .filter(|&frame| plays[frame] < self.round && self.playable.is_wanted(clip, frame));
        new.count() as u32 >= goal.new
    }

    fn way_to(&self, start: NodeId, place: NodeId) -> Vec<EdgeId> {
        let (mut steps, mut node) = (Vec::new(), place);
        while node != start {
            let way = self.ways[node.0 as usize];
            steps.push(way.stride);
            node = way.before;
        }
        steps
            .iter()
            .rev()
            .flat_map(|&step| self.with_play(step))
            .collect()
    }

    /// The ways to take an edge.
    fn strides(&self, edge: EdgeId) -> impl Iterator<Item = Stride> + use<G> {
        let joins = self.graph.edge(edge).kind() != EdgeKind::Play;
        let hasty = Stride { edge, hasty: true };
        std::iter::once(Stride::calm(edge)).chain(joins.then_some(hasty))
    }

    /// The edges of a step.
    fn with_play(&self, stride: Stride) -> impl Iterator<Item = EdgeId> + '_ {
        let mut left = match self.graph.edge(stride.edge).kind() {
            EdgeKind::Transition(_) if !stride.hasty => self.least_play,
            _ => 0,
        };
        let mut next = Some(stride.edge);
        std::iter::from_fn(move || {
            let now = next?;
            let edge = self.graph.edge(now);
            if edge.kind() == EdgeKind::Play {
                left = left.saturating_sub(self.graph.frames(edge));
            }
            next = (left > 0)
                .then(|| self.plays_on(edge.to))
                .flatten()
                .map(|(id, _)| id);
            Some(now)
        })
    }

    /// Where such a step ends, and what it costs. [frames]
    fn step(&self, step: Stride) -> (NodeId, f32) {
        let (mut to, mut cost) = (NodeId(0), if step.hasty { HASTE } else { 0.0 });
        for id in self.with_play(step) {
            let edge = self.graph.edge(id);
            (to, cost) = (edge.to, cost + self.cost(id, edge));
        }
        (to, cost)
    }

    fn cost(&self, id: EdgeId, edge: &Edge) -> f32 {
        let (clip, frames) = self.counted(edge);
        let frames = (frames.start as usize..frames.end as usize).map(|frame| {
            let plays = self.plays[clip][frame];
            let again = 1.0 + AGAIN * plays.saturating_sub(self.round) as f32;
            match self.playable.is_wanted(clip, frame) {
                true if plays < self.round => NEW,
                true => again,
                false => BETWEEN * again,
            }
        });
        let join = match edge.kind() {
            EdgeKind::Play => 0.0,
            EdgeKind::Transition(_) => WHIM * whim(self.seed, id),
        };
        frames.sum::<f32>() + join as f32
    }

    /// The edge by which a node's clip plays on, if it may.
    fn plays_on(&self, node: NodeId) -> Option<(EdgeId, Edge)> {
        let (id, edge) = self.graph.edges_from(node).next()?;
        let plays = edge.kind() == EdgeKind::Play && self.playable.allowed.allows(id);
        plays.then_some((id, *edge))
    }

    /// Whether a play edge's frames carry the words asked for.
    fn is_wanted(&self, edge: &Edge) -> bool {
        let (clip, frames) = self.counted(edge);
        self.playable.is_wanted(clip, frames.start as usize)
    }

    /// Whether at least half of a play edge's frames are.
    fn is_new(&self, edge: &Edge) -> bool {
        let (clip, frames) = self.counted(edge);
        let plays = &self.plays[clip][frames.start as usize..frames.end as usize];
        let new = plays.iter().filter(|&&plays| plays < self.round).count();
        2 * new >= plays.len()
    }

    fn count(&mut self, edge: &Edge) {
        let (clip, frames) = self.counted(edge);
        let plays = &mut self.plays[clip][frames.start as usize..frames.end as usize];
        plays.iter_mut().for_each(|plays| *plays += 1);
    }

    /// The clip and its frames that an edge plays; a transition counts towards the clip it leads to.
    fn counted(&self, edge: &Edge) -> (usize, Range32) {
        let places = self.graph.layout().places;
        let [from, to] = [edge.from, edge.to].map(|node| places[node.0 as usize]);
        let start = match edge.kind() {
            EdgeKind::Play => from.frame.0,
            EdgeKind::Transition(_) => to.frame.0.saturating_sub(self.graph.frames(edge)),
        };
        (
            to.clip.index(),
            Range32 {
                start,
                end: to.frame.0,
            },
        )
    }
}
