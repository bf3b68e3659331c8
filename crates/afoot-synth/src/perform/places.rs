//! Being at places (Arikan, Forsyth and O'Brien 2003, §3.4): the best motions of each level are kept in
//! a pool, and a new one is cut with each of them at every block, either way around.
//!
//! Where the root is at every cut is kept with a motion, so that what a cut leads to costs O(1) a place.
//! A cut that is better than what came in takes its place. How far a motion is from its places is added
//! to its cost; the last decimetres are bent (`enact`).

use afoot_core::{Planar, wrap_angle};

use super::costs::{Costs, Take};
use super::timeline::Goal;

/// What a metre off a place costs, in usual joins, at a weight of one: a few joins are worth it.
const METRE: f32 = 5.0;
/// Motions of a pool.
const POOL: usize = 20;

/// A motion of a level, with where its root is.
#[derive(Clone, Debug)]
pub(crate) struct Routed {
    /// One for each slot of its level.
    pub takes: Vec<Take>,
    pub cost: f32,
    /// Root before each take, and at the end; empty if there are no places.
    roots: Vec<Planar>,
    /// What is paid up to the start of each take, and for all: joins into a take are paid with it.
    paid: Vec<f32>,
}

/// The best motions so far, level by level.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pools {
    /// Root of every captured frame; empty if there are no places.
    roots: Vec<Planar>,
    levels: Vec<Vec<Routed>>,
    /// What a metre off counts.
    weight: f32,
}

impl Routed {
    pub fn new(_: &Costs, takes: Vec<Take>, cost: f32) -> Self {
        Self {
            takes,
            cost,
            roots: Vec::new(),
            paid: Vec::new(),
        }
    }
}

impl Pools {
    /// For footage whose frames' roots these are; no roots, no places.
    pub fn new(roots: Vec<Planar>, weight: f64, levels: usize) -> Self {
        Self {
            roots,
            levels: vec![Vec::new(); levels],
            weight: weight as f32,
        }
    }

    fn is_idle(&self) -> bool {
        self.roots.is_empty()
    }

    /// The better of a motion and its best cut with a motion of the pool.
    pub fn improve(&self, level: usize, found: Routed, costs: &Costs) -> Routed {
        if self.is_idle() {
            return found;
        }
        let mut best = self.routed(costs, found.takes);
        let own = best.clone();
        for other in &self.levels[level] {
            for (head, tail) in [(&own, other), (other, &own)] {
                if let Some(cut) = self.best_cut(costs, head, tail, best.cost) {
                    let takes = [&head.takes[..cut], &tail.takes[cut..]].concat();
                    best = self.routed(costs, takes);
                }
            }
        }
        best
    }

    /// Keeps what an iteration found.
    pub fn keep(&mut self, top: usize, levels: Vec<Routed>) {
        if self.is_idle() {
            return;
        }
        for (level, routed) in (top..).zip(levels) {
            let pool = &mut self.levels[level];
            if pool.iter().any(|known| known.takes == routed.takes) {
                continue;
            }
            let at = pool.partition_point(|known| known.cost <= routed.cost);
            pool.insert(at, routed);
            pool.truncate(POOL);
        }
    }

    /// What being off its places costs a performance.
    pub fn place_cost(&self, costs: &Costs, takes: &[Take]) -> f32 {
        if self.is_idle() {
            return 0.0;
        }
        let routed = self.routed(costs, takes.to_vec());
        routed.cost - costs.whole(takes)
    }

    /// A motion with its roots and costs.
    fn routed(&self, costs: &Costs, takes: Vec<Take>) -> Routed {
        let mut at = costs.timeline.start;
        let (mut roots, mut paid, mut sum) = (vec![at], vec![0.0], 0.0);
        for (index, take) in takes.iter().enumerate() {
            if index > 0 {
                sum += costs.join(takes[index - 1].last(), take.source);
            }
            sum += costs.play(take);
            at = at.then_after(self.way(costs, take, take.frames));
            roots.push(at);
            paid.push(sum);
        }
        let mut routed = Routed {
            takes,
            cost: sum,
            roots,
            paid,
        };
        let off: f32 = costs
            .timeline
            .places
            .iter()
            .map(|goal| self.off(goal, self.root_at(costs, &routed, goal)))
            .sum();
        routed.cost += off;
        routed
    }

    /// How the root goes over the first frames of a take, and on to what follows.
    fn way(&self, costs: &Costs, take: &Take, frames: u32) -> Planar {
        let root = |frame: u32| self.roots[frame as usize];
        let from = root(take.source);
        let last = take.source + frames.max(1) - 1;
        if frames == 0 {
            return Planar::IDENTITY;
        }
        match costs.footage.left[last as usize] > 1 {
            true => from.inverse().then_after(root(last + 1)),
            false => from.inverse().then_after(root(last)),
        }
    }

    fn root_at(&self, costs: &Costs, routed: &Routed, goal: &Goal) -> Planar {
        let index = routed
            .takes
            .partition_point(|take| take.end() <= goal.frame);
        let index = index.min(routed.takes.len() - 1);
        let take = &routed.takes[index];
        routed.roots[index].then_after(self.way(costs, take, goal.frame - take.at))
    }

    /// What being there instead of at its place costs.
    fn off(&self, goal: &Goal, root: Planar) -> f32 {
        let turned = goal.yaw.map_or(0.0, |yaw| wrap_angle(yaw - root.yaw).abs());
        self.weight * METRE * ((goal.x - root.x).hypot(goal.z - root.z) + turned) as f32
    }

    /// Before which take to go over from one motion to the other, if that costs less than `most`.
    fn best_cut(&self, costs: &Costs, head: &Routed, tail: &Routed, most: f32) -> Option<usize> {
        let mut best = (most, None);
        let count = head.takes.len();
        if tail.takes.len() != count {
            return None;
        }
        for cut in 1..count {
            let (before, after) = (&head.takes[cut - 1], &tail.takes[cut]);
            let into = costs.join(tail.takes[cut - 1].last(), after.source);
            let rest = tail.paid[count] - tail.paid[cut] - into;
            let joined = costs.join(before.last(), after.source);
            let mut cost = head.paid[cut] + joined + rest;
            if cost >= best.0 {
                continue;
            }
            let moved = Planar::carrying(tail.roots[cut], head.roots[cut]);
            for goal in &costs.timeline.places {
                let root = match goal.frame < after.at {
                    true => self.root_at(costs, head, goal),
                    false => moved.then_after(self.root_at(costs, tail, goal)),
                };
                cost += self.off(goal, root);
            }
            if cost < best.0 {
                best = (cost, Some(cut));
            }
        }
        best.1
    }
}
