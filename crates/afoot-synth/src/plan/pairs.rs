//! Graph IMG (Safonova and Hodgins 2007, §4): which steps may be interpolated with which.
//!
//! Two paths that leave one state and meet in one later, weighted alike all along: where they part and
//! where they meet the weight does not matter, so that motion never jumps (the paper lets the weight change
//! from step to step). Both touch the ground alike at every change. What an interpolated step costs and how
//! far it goes is the weighted mean of both, how long it takes equation 2. Kept are pairs that do the same
//! kind of thing, that lead to the same state, or that can meet one step later; of the last two the cheapest.

use afoot_core::{Planar, wrap_angle};
use afoot_graph::contact::{ContactGraph, ContactStep, Event};

/// Weights of the first path between none and all.
pub(super) const WEIGHTS: u8 = 10;
/// Pairs of a state that do nothing special, at most.
const MOST: usize = 16;
/// Steps that differ by more are not of one kind. [rad], [m], as a ratio
const TURN: f64 = 1.0;
const APART: f64 = 0.9;
const TEMPO: f64 = 2.0;
/// Ends nearer than this give nothing between them. [m], [rad]
const SAME: f64 = 0.03;
const SAME_TURN: f64 = 0.03;

/// Which steps of each state may be interpolated with each other.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    of_state: Vec<Vec<(u16, u16)>>,
}

impl Pairs {
    pub(super) fn new(graph: &ContactGraph) -> Self {
        let states = 0..graph.states.len() as u32;
        let after: Vec<Vec<u32>> = states.clone().map(|state| leads_to(graph, state)).collect();
        Self {
            of_state: states.map(|state| pairs_of(graph, state, &after)).collect(),
        }
    }

    pub(super) fn of(&self, state: u32) -> &[(u16, u16)] {
        self.of_state.get(state as usize).map_or(&[], Vec::as_slice)
    }
}

fn leads_to(graph: &ContactGraph, state: u32) -> Vec<u32> {
    let mut to: Vec<u32> = graph.steps_of(state).iter().map(|step| step.to).collect();
    to.sort_unstable();
    to.dedup();
    to
}

fn pairs_of(graph: &ContactGraph, state: u32, after: &[Vec<u32>]) -> Vec<(u16, u16)> {
    let steps = graph.steps_of(state);
    let (mut doing, mut going) = (Vec::new(), Vec::new());
    for i in 0..steps.len().min(4096) {
        for j in i + 1..steps.len().min(4096) {
            let (a, b) = (&steps[i], &steps[j]);
            if !can_mix(graph, a, b) {
                continue;
            }
            let pair = (i as u16, j as u16);
            let event = graph.states[a.to as usize].event.is_some();
            if event {
                doing.push(pair);
                continue;
            }
            let meet = a.to == b.to || share(&after[a.to as usize], &after[b.to as usize]);
            if meet && differ(a, b) {
                going.push((a.cost + b.cost, pair));
            }
        }
    }
    going.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
    let going = going.into_iter().take(MOST).map(|(_, pair)| pair);
    doing.into_iter().chain(going).collect()
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
    fn a_mean_of_motions_goes_the_short_way_around() {
        let (a, b) = (Planar::new(0.0, 1.0, 3.1), Planar::new(1.0, 0.0, -3.1));
        let half = mixed(a, b, 5);
        assert!((half.x - 0.5).abs() < 1e-9 && half.yaw.abs() > 3.1);
        assert_eq!(mixed(a, b, 10), a);
    }
}
