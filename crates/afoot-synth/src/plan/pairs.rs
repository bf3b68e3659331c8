//! Graph IMG (Safonova and Hodgins 2007, §4): which steps may be interpolated with which.
//!
//! Two paths that leave one state and meet in one later, weighted alike all along (the paper lets the weight
//! change from step to step). Both touch the ground alike at every change. What an interpolated step costs
//! and how far it goes is the weighted mean of both, how long it takes equation 2. Kept are pairs that do the
//! same kind of thing, and, of pairs that lead to one state or can meet one step later, the cheapest. Of
//! those that do something only the weights that do it where it is wanted are followed: a state that passes
//! a constraint unsatisfied leads nowhere (the paper's §4).

use afoot_core::{Planar, wrap_angle};
use afoot_graph::contact::{ContactGraph, ContactStep, Event, EventKind};

/// Weights of the first path between none and all.
pub(super) const WEIGHTS: u8 = 10;
/// Pairs of a state that do nothing special, at most.
const MOST: usize = 8;
/// Steps that differ by more are not of one kind. [rad], [m], as a ratio
const TURN: f64 = 1.0;
const APART: f64 = 0.9;
const TEMPO: f64 = 2.0;
/// Ends nearer than this give nothing between them. [m], [rad]
const SAME: f64 = 0.03;
const SAME_TURN: f64 = 0.03;
/// The mean of two turned steps is not on the line between their ends; it is so near. [m]
const BOWED: f64 = 0.05;

/// Two steps of one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) first: usize,
    pub(super) second: usize,
}

/// Two steps that do the same kind of thing, each somewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Doing {
    pair: Pair,
    kind: EventKind,
    /// Where either does it, in the root's frame at the state that they leave. [m]
    points: [[f64; 3]; 2],
}

/// Which steps of each state may be interpolated with each other.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    doing: Vec<Vec<Doing>>,
    going: Vec<Vec<Pair>>,
}

/// Where something is to be done.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    /// In the root's frame. [m]
    pub point: [f64; 3],
    /// How far off is near enough. [m]
    pub tolerance: f64,
}

impl Pairs {
    pub(super) fn new(graph: &ContactGraph) -> Self {
        let states = 0..graph.states.len() as u32;
        let after: Vec<Vec<u32>> = states.clone().map(|state| leads_to(graph, state)).collect();
        Self {
            doing: states.clone().map(|state| doing(graph, state)).collect(),
            going: states.map(|state| going(graph, state, &after)).collect(),
        }
    }

    /// Pairs of a state that just go somewhere.
    pub(super) fn going(&self, state: u32) -> &[Pair] {
        self.going.get(state as usize).map_or(&[], Vec::as_slice)
    }

    /// Pairs of a state that can do things of a kind at a spot.
    pub(super) fn near(
        &self,
        state: u32,
        is_kind: impl Fn(EventKind) -> bool,
        spot: Spot,
    ) -> impl Iterator<Item = Pair> {
        let of = self
            .doing
            .get(state as usize)
            .map_or(&[][..], Vec::as_slice);
        of.iter()
            .filter(move |doing| {
                is_kind(doing.kind) && off_line(spot.point, doing.points) <= spot.tolerance + BOWED
            })
            .map(|doing| doing.pair)
    }
}

fn leads_to(graph: &ContactGraph, state: u32) -> Vec<u32> {
    let mut to: Vec<u32> = graph.steps_of(state).iter().map(|step| step.to).collect();
    to.sort_unstable();
    to.dedup();
    to
}

/// All pairs of a state's steps that can be mixed, and pass `wanted`.
fn pairs_of(
    graph: &ContactGraph,
    state: u32,
    wanted: impl Fn(&ContactStep) -> bool,
) -> Vec<(Pair, [&ContactStep; 2])> {
    let steps = graph.steps_of(state);
    let some: Vec<usize> = (0..steps.len().min(4096))
        .filter(|step| wanted(&steps[*step]))
        .collect();
    let mut pairs = Vec::new();
    for (index, &first) in some.iter().enumerate() {
        for &second in &some[index + 1..] {
            let both = [&steps[first], &steps[second]];
            if can_mix(graph, both[0], both[1]) {
                pairs.push((Pair { first, second }, both));
            }
        }
    }
    pairs
}

fn doing(graph: &ContactGraph, state: u32) -> Vec<Doing> {
    let event = |step: &ContactStep| graph.states[step.to as usize].event;
    let pairs = pairs_of(graph, state, |step| event(step).is_some());
    let point = |step: &ContactStep| {
        let [x, y, z] = event(step).map_or([0.0; 3], |event| event.point);
        let [x, z] = step.motion.point([x, z]);
        [x, y, z]
    };
    let described = pairs.into_iter().filter_map(|(pair, both)| {
        Some(Doing {
            pair,
            kind: event(both[0])?.kind,
            points: both.map(point),
        })
    });
    described.collect()
}

fn going(graph: &ContactGraph, state: u32, after: &[Vec<u32>]) -> Vec<Pair> {
    let plain = |step: &ContactStep| graph.states[step.to as usize].event.is_none();
    let pairs = pairs_of(graph, state, plain).into_iter();
    let mut going: Vec<(f64, Pair)> = pairs
        .filter(|(_, [a, b])| {
            let meet = a.to == b.to || share(&after[a.to as usize], &after[b.to as usize]);
            meet && differ(a, b)
        })
        .map(|(pair, [a, b])| (a.cost + b.cost, pair))
        .collect();
    let number = |pair: Pair| (pair.first, pair.second);
    going.sort_by(|x, y| x.0.total_cmp(&y.0).then(number(x.1).cmp(&number(y.1))));
    going.into_iter().take(MOST).map(|(_, pair)| pair).collect()
}

/// How far a point is from the line between two. [m]
fn off_line(point: [f64; 3], [a, b]: [[f64; 3]; 2]) -> f64 {
    let minus = |p: [f64; 3], q: [f64; 3]| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
    let dot = |p: [f64; 3], q: [f64; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let (way, from) = (minus(b, a), minus(point, a));
    let along = (dot(from, way) / dot(way, way).max(1e-12)).clamp(0.0, 1.0);
    let off = minus(from, way.map(|value| value * along));
    dot(off, off).sqrt()
}

/// Whether two steps touch the ground alike and go alike enough.
pub(super) fn can_mix(graph: &ContactGraph, a: &ContactStep, b: &ContactStep) -> bool {
    let [s, t] = [a.to, b.to].map(|state| &graph.states[state as usize]);
    let kind = |event: Option<Event>| event.map(|event| event.kind);
    s.phase == t.phase
        && kind(s.event) == kind(t.event)
        && wrap_angle(a.motion.yaw - b.motion.yaw).abs() < TURN
        && (a.motion.x - b.motion.x).hypot(a.motion.z - b.motion.z) < APART
        && a.seconds < TEMPO * b.seconds
        && b.seconds < TEMPO * a.seconds
}

fn differ(a: &ContactStep, b: &ContactStep) -> bool {
    (a.motion.x - b.motion.x).hypot(a.motion.z - b.motion.z) > SAME
        || wrap_angle(a.motion.yaw - b.motion.yaw).abs() > SAME_TURN
}

fn share(a: &[u32], b: &[u32]) -> bool {
    a.iter().any(|state| b.binary_search(state).is_ok())
}

/// The mean of two motions; `weight` is the first one's, in tenths.
pub(super) fn mixed(a: Planar, b: Planar, weight: u8) -> Planar {
    let share = 1.0 - f64::from(weight) / f64::from(WEIGHTS);
    Planar::new(
        a.x + (b.x - a.x) * share,
        a.z + (b.z - a.z) * share,
        wrap_angle(a.yaw + wrap_angle(b.yaw - a.yaw) * share),
    )
}

/// The mean of two values; `weight` is the first one's, in tenths. Infinite where one that counts is.
pub(super) fn mean(a: f64, b: f64, weight: u8) -> f64 {
    let share = f64::from(weight) / f64::from(WEIGHTS);
    match share {
        1.0 => a,
        0.0 => b,
        share => share * a + (1.0 - share) * b,
    }
}

/// A step's number: of one path, or of two with their weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepNumber {
    One(usize),
    Two {
        first: usize,
        second: usize,
        weight: u8,
    },
}

impl StepNumber {
    pub(super) fn pack(self) -> u32 {
        match self {
            Self::One(step) => step as u32,
            Self::Two {
                first,
                second,
                weight,
            } => 1 << 31 | u32::from(weight) << 24 | (first as u32) << 12 | second as u32,
        }
    }

    pub(super) fn unpack(number: u32) -> Self {
        match number >> 31 {
            0 => Self::One(number as usize),
            _ => Self::Two {
                first: (number >> 12 & 0xfff) as usize,
                second: (number & 0xfff) as usize,
                weight: (number >> 24 & 0x7f) as u8,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_steps_come_back() {
        let two = StepNumber::Two {
            first: 4001,
            second: 17,
            weight: 9,
        };
        for number in [StepNumber::One(0), StepNumber::One(3000), two] {
            assert_eq!(StepNumber::unpack(number.pack()), number);
        }
    }

    #[test]
    fn points_beside_a_line_are_as_far_off_as_they_are() {
        let line = [[0.0, 0.0, 0.0], [0.0, 0.0, 2.0]];
        assert!((off_line([0.3, 0.4, 1.0], line) - 0.5).abs() < 1e-9);
        assert!((off_line([0.0, 0.0, 3.0], line) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_mean_of_motions_goes_the_short_way_around() {
        let (a, b) = (Planar::new(0.0, 1.0, 3.1), Planar::new(1.0, 0.0, -3.1));
        let half = mixed(a, b, 5);
        assert!((half.x - 0.5).abs() < 1e-9 && half.yaw.abs() > 3.1);
        assert_eq!(mixed(a, b, 10), a);
    }
}
