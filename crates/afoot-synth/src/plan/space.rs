//! Graph ISG (Safonova and Hodgins 2007, §4): the graph of contact changes unrolled over the ground, as far
//! as the search asks for it.
//!
//! A state keeps its exact place and heading; cells of 5 cm and 1.5° only tell which states count as the
//! same, and of those the cheapest is followed. What the search proves is proven of that graph. Beside single
//! paths there are interpolated ones (`pairs`), for as many steps as the task's search allows.

use afoot_core::{Planar, wrap_angle};
use afoot_graph::contact::{ContactGraph, ContactState, Event, EventKind};
use afoot_search::{CellTable, Space};
use afoot_world::geometry::{is_inside, segments_cross};

use super::field::Ground;
use super::heuristic::{Heuristic, able_states};
use super::pairs::{Pair, Pairs, Spot, StepNumber, WEIGHTS, can_mix, mean, mixed};
use super::task::{Constraint, SetTask};
use super::terrain::{Placed, Terrain};

/// A change of contacts at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlanState {
    pub(super) state: u32,
    /// The other path's, where two are interpolated; else the same again.
    pub(super) other: u32,
    /// The first path's, in tenths.
    pub(super) weight: u8,
    /// How many constraints are met.
    pub(super) done: u8,
    /// How many steps were interpolated.
    pub(super) mixed: u8,
    /// The root.
    pub(super) place: Planar,
}

pub(super) struct PlanSpace<'a> {
    pub(super) graph: &'a ContactGraph,
    pub(super) set: SetTask,
    pub(super) terrain: Terrain,
    pub(super) heuristic: Heuristic,
    cells: CellTable,
    /// Per constraint that is met at an event, whether each state can meet it.
    able: Vec<Vec<bool>>,
    stands: Vec<bool>,
    pairs: Pairs,
    /// Steps that may be interpolated.
    most_mixed: u8,
}

/// A step that can be taken.
struct Successor {
    number: u32,
    cost: f64,
    to: PlanState,
}

impl PlanState {
    pub(super) fn is_plain(&self) -> bool {
        self.state == self.other
    }
}

/// [m]
const CELL: f64 = 0.05;
/// Headings that are told apart in a turn.
const HEADINGS: f64 = 240.0;
/// Paths are mixed at most so far from the next thing to be done: farther away there is room to walk
/// otherwise. [m]
const NEAR: f64 = 1.0;
/// How far a heading may be off. [rad]
const FACING: f64 = 20.0 * std::f64::consts::PI / 180.0;

impl<'a> PlanSpace<'a> {
    pub(super) fn new(
        graph: &'a ContactGraph,
        set: SetTask,
        terrain: Terrain,
        heuristic: Heuristic,
        most_mixed: u8,
    ) -> Self {
        let able = set.task.constraints.iter().map(|constraint| {
            let mut able = vec![false; graph.states.len()];
            for (state, _) in able_states(graph, constraint, set.task.tolerance, most_mixed) {
                able[state as usize] = true;
            }
            able
        });
        let mut stands = vec![false; graph.states.len()];
        for state in super::heuristic::standing(graph) {
            stands[state as usize] = true;
        }
        Self {
            graph,
            able: able.collect(),
            set,
            terrain,
            heuristic,
            cells: CellTable::default(),
            stands,
            pairs: match most_mixed {
                0 => Pairs::default(),
                _ => Pairs::new(graph),
            },
            most_mixed,
        }
    }

    /// A state after a step, with the constraints that it meets.
    fn arrived(&self, from: &PlanState, mut to: PlanState) -> PlanState {
        let constraints = &self.set.task.constraints;
        to.done = from.done;
        while (to.done as usize) < constraints.len() && self.meets(from.place, &to) {
            to.done += 1;
        }
        to
    }

    fn meets(&self, before: Planar, to: &PlanState) -> bool {
        let (from, at) = ([before.x, before.z], [to.place.x, to.place.z]);
        let index = to.done as usize;
        match &self.set.task.constraints[index] {
            Constraint::Jump {
                from: near,
                to: far,
            } => {
                let way = [far[0] - near[0], far[1] - near[1]];
                let along = |p: [f64; 2]| (p[0] - far[0]) * way[0] + (p[1] - far[1]) * way[1];
                along(from) < 0.0 && along(at) >= 0.0
            }
            Constraint::Duck { under: ends, .. } | Constraint::StepOver { over: ends, .. } => {
                segments_cross(from, at, ends[0], ends[1])
            }
            Constraint::StepOn { polygon, .. } => {
                let state = self.of(to.state);
                let here = Placed::new(to.place);
                state
                    .feet
                    .iter()
                    .any(|foot| is_inside(here.point([foot[0], foot[1]]), polygon))
            }
            constraint => {
                let able = &self.able[index];
                able[to.state as usize]
                    && able[to.other as usize]
                    && self.event_error(constraint, to) <= self.set.task.tolerance
            }
        }
    }

    /// How far what is done at a state is from where it should be. [m]
    pub(super) fn event_error(&self, constraint: &Constraint, at: &PlanState) -> f64 {
        let Some(event) = self.event(at) else {
            return f64::INFINITY;
        };
        if let Constraint::Sit { yaw: Some(yaw), .. } = constraint
            && wrap_angle(at.place.yaw - yaw.to_radians()).abs() > FACING
        {
            return f64::INFINITY;
        }
        let [x, z] = at.place.point([event.point[0], event.point[2]]);
        let wanted = constraint.ground()[0];
        let up = event.point[1] - constraint.height();
        let error = ((x - wanted[0]).powi(2) + (z - wanted[1]).powi(2) + up * up).sqrt();
        match constraint.root() {
            Some([x, z]) => error.max((at.place.x - x).hypot(at.place.z - z)),
            None => error,
        }
    }

    /// What is done at a state: of two paths, between what either does.
    pub(super) fn event(&self, at: &PlanState) -> Option<Event> {
        let (a, b) = (self.of(at.state).event?, self.of(at.other).event?);
        let point = [0, 1, 2].map(|axis| mean(a.point[axis], b.point[axis], at.weight));
        Some(Event {
            kind: a.kind,
            point,
        })
    }

    /// Where two steps taken at once lead, and what it costs.
    fn mix(&self, from: &PlanState, pair: Pair, weight: u8) -> Successor {
        let a = &self.graph.steps_of(from.state)[pair.first];
        let b = &self.graph.steps_of(from.other)[pair.second];
        let meet = a.to == b.to;
        let to = PlanState {
            state: a.to,
            other: b.to,
            weight: if meet { WEIGHTS } else { weight },
            done: from.done,
            mixed: from.mixed + 1,
            place: from.place.then_after(mixed(a.motion, b.motion, weight)),
        };
        let number = StepNumber::Two {
            first: pair.first,
            second: pair.second,
            weight,
        };
        Successor {
            number: number.pack(),
            cost: mean(a.cost, b.cost, weight),
            to: self.arrived(from, to),
        }
    }

    /// Whether a root may be there, and feet stand there if they are known.
    fn bears(&self, to: &PlanState) -> bool {
        let place = Placed::new(to.place);
        self.terrain.room([to.place.x, to.place.z]) >= 0.0
            && (!to.is_plain() || self.terrain.bears(&place, self.of(to.state)))
    }

    /// Pairs of steps that do what is wanted next where it is wanted: with all weights that do.
    fn mix_deeds(&self, from: &PlanState, allowed: &[bool], out: &mut impl FnMut(Successor)) {
        let Some(constraint) = self.set.task.constraints.get(from.done as usize) else {
            return;
        };
        let wanted = constraint.ground()[0];
        let [x, z] = from.place.inverse().point(wanted);
        let spot = Spot {
            point: [x, constraint.height(), z],
            tolerance: self.set.task.tolerance,
        };
        let is_kind = |kind: EventKind| constraint.is_met_by(kind);
        for pair in self.pairs.near(from.state, is_kind, spot) {
            if !(allowed[pair.first] && allowed[pair.second]) {
                continue;
            }
            let all = (1..WEIGHTS).map(|weight| self.mix(from, pair, weight));
            all.filter(|mixed| mixed.to.done > from.done && self.bears(&mixed.to))
                .for_each(&mut *out);
        }
    }

    /// Pairs of steps that go between where either goes, near to what is wanted next.
    fn mix_ways(&self, from: &PlanState, allowed: &[bool], out: &mut impl FnMut(Successor)) {
        if self.heuristic.metres_to_next(from) > NEAR {
            return;
        }
        for pair in self.pairs.going(from.state) {
            if !(allowed[pair.first] && allowed[pair.second]) {
                continue;
            }
            let all = (1..WEIGHTS).map(|weight| self.mix(from, *pair, weight));
            all.filter(|mixed| self.bears(&mixed.to))
                .for_each(&mut *out);
        }
    }

    /// Where planning may begin.
    pub(super) fn starts(&self) -> Vec<PlanState> {
        let place = self.set.task.start();
        let here = Placed::new(place);
        let states = 0..self.graph.states.len() as u32;
        states
            .filter(|state| self.stands[*state as usize])
            .filter(|state| self.terrain.bears(&here, self.of(*state)))
            .map(|state| PlanState {
                state,
                other: state,
                weight: WEIGHTS,
                done: 0,
                mixed: 0,
                place,
            })
            .collect()
    }

    /// From two states at once: steps that touch the ground alike; if some meet in one state, those alone.
    fn both_go_on(&self, state: &PlanState, out: &mut impl FnMut(Successor)) {
        let (ours, theirs) = (
            self.graph.steps_of(state.state),
            self.graph.steps_of(state.other),
        );
        let plain = |to: u32| self.of(to).event.is_none();
        let mut pairs = Vec::new();
        for (first, a) in ours.iter().enumerate().take(4096) {
            let fitting = theirs
                .iter()
                .enumerate()
                .take(4096)
                .filter(|(_, b)| plain(a.to) && plain(b.to) && can_mix(self.graph, a, b));
            pairs.extend(fitting.map(|(second, b)| (Pair { first, second }, a.to == b.to)));
        }
        let some_meet = pairs.iter().any(|(_, meet)| *meet);
        for (pair, _) in pairs.iter().filter(|(_, meet)| *meet || !some_meet) {
            let mixed = self.mix(state, *pair, state.weight);
            if self.bears(&mixed.to) {
                out(mixed);
            }
        }
    }

    fn of(&self, state: u32) -> &ContactState {
        &self.graph.states[state as usize]
    }
}

impl Space for PlanSpace<'_> {
    type State = PlanState;

    /// Fingerprints of 64 bits: two states that share one by chance are not met in practice.
    fn cell(&mut self, state: &PlanState) -> u32 {
        let grid = |value: f64| ((value / CELL).floor() as i64) as u32;
        let turns = state.place.yaw.rem_euclid(std::f64::consts::TAU) / std::f64::consts::TAU;
        let heading = ((turns * HEADINGS) as u64).min(HEADINGS as u64 - 1);
        let place = u64::from(grid(state.place.x)) << 32 | u64::from(grid(state.place.z));
        let rest = [state.weight, state.done, state.mixed].map(u64::from);
        let states = u64::from(state.state) << 32 | u64::from(state.other);
        let rest = heading << 24 | rest[0] << 16 | rest[1] << 8 | rest[2];
        let mixed = place
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(29)
            .wrapping_add(states.wrapping_mul(0xC2B2_AE3D_27D4_EB4F))
            .rotate_left(31)
            .wrapping_add(rest.wrapping_mul(0x1656_67B1_9E37_79F9));
        self.cells.number(mixed)
    }

    fn successors(&self, state: &PlanState, mut out: impl FnMut(u32, f64, PlanState)) {
        let mut out = |found: Successor| out(found.number, found.cost, found.to);
        let may_mix = state.mixed < self.most_mixed;
        if !state.is_plain() {
            if may_mix {
                self.both_go_on(state, &mut out);
            }
            return;
        }
        let at = Placed::new(state.place);
        let steps = self.graph.steps_of(state.state);
        let allowed: Vec<bool> = steps
            .iter()
            .map(|step| self.terrain.allows(&at, step, self.of(step.to)))
            .collect();
        for (index, step) in steps
            .iter()
            .enumerate()
            .filter(|(index, _)| allowed[*index])
        {
            let to = PlanState {
                state: step.to,
                other: step.to,
                place: at.planar().then_after(step.motion),
                ..*state
            };
            out(Successor {
                number: StepNumber::One(index).pack(),
                cost: step.cost,
                to: self.arrived(state, to),
            });
        }
        if may_mix {
            self.mix_deeds(state, &allowed, &mut out);
            // The last is left for what is to be done.
            if state.mixed + 1 < self.most_mixed {
                self.mix_ways(state, &allowed, &mut out);
            }
        }
    }

    fn heuristic(&self, state: &PlanState) -> f64 {
        self.heuristic.left(state)
    }

    fn is_goal(&self, state: &PlanState) -> bool {
        if (state.done as usize) < self.set.task.constraints.len() {
            return false;
        }
        let Some(goal) = self.set.task.goal() else {
            return true;
        };
        let near = (state.place.x - goal.x).hypot(state.place.z - goal.z) <= goal.tolerance;
        let faces = goal.yaw.is_none_or(|yaw| {
            wrap_angle(state.place.yaw - yaw.to_radians()).abs() <= 15f64.to_radians()
        });
        near && faces && state.is_plain() && self.stands[state.state as usize]
    }

    fn is_proof(&self) -> bool {
        self.heuristic.is_proof()
    }
}
