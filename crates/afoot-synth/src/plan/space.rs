//! Graph ISG (Safonova and Hodgins 2007, §4): the graph of contact changes unrolled over the ground, as far
//! as the search asks for it.
//!
//! A state keeps its exact place and heading; cells of 5 cm and 1.5° only tell which states count as the
//! same, and of those the cheapest is followed. What the search proves is proven of that graph.

use afoot_core::{Planar, wrap_angle};
use afoot_graph::contact::{ContactGraph, ContactState};
use afoot_search::{CellTable, Space};
use afoot_world::geometry::segments_cross;

use super::heuristic::{Heuristic, event_states};
use super::task::{Constraint, SetTask};
use super::terrain::{Placed, Terrain};

/// A change of contacts at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlanState {
    pub(super) state: u32,
    /// How many constraints are met.
    pub(super) done: u32,
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
}

/// [m]
const CELL: f64 = 0.05;
/// Headings that are told apart in a turn.
const HEADINGS: f64 = 240.0;
/// How far a heading may be off. [rad]
const FACING: f64 = 20.0 * std::f64::consts::PI / 180.0;

impl<'a> PlanSpace<'a> {
    pub(super) fn new(
        graph: &'a ContactGraph,
        set: SetTask,
        terrain: Terrain,
        heuristic: Heuristic,
    ) -> Self {
        let able = set.task.constraints.iter().map(|constraint| {
            let mut able = vec![false; graph.states.len()];
            for (state, _) in event_states(graph, constraint, set.task.tolerance) {
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
        }
    }

    /// How many constraints are met after a step.
    fn done_after(&self, from: &PlanState, to: u32, place: Planar) -> u32 {
        let constraints = &self.set.task.constraints;
        let mut done = from.done as usize;
        while done < constraints.len() && self.meets(done, from.place, to, place) {
            done += 1;
        }
        done as u32
    }

    fn meets(&self, index: usize, before: Planar, to: u32, place: Planar) -> bool {
        let (from, at) = ([before.x, before.z], [place.x, place.z]);
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
                let state = &self.graph.states[to as usize];
                let here = Placed::new(place);
                state.feet.iter().any(|foot| {
                    afoot_world::geometry::is_inside(here.point([foot[0], foot[1]]), polygon)
                })
            }
            constraint => {
                self.able[index][to as usize]
                    && self.event_error(constraint, to, place) <= self.set.task.tolerance
            }
        }
    }

    /// How far what is done at a state is from where it should be. [m]
    pub(super) fn event_error(&self, constraint: &Constraint, state: u32, place: Planar) -> f64 {
        let Some(event) = self.graph.states[state as usize].event else {
            return f64::INFINITY;
        };
        if let Constraint::Sit { yaw: Some(yaw), .. } = constraint
            && wrap_angle(place.yaw - yaw.to_radians()).abs() > FACING
        {
            return f64::INFINITY;
        }
        let [x, z] = place.point([event.point[0], event.point[2]]);
        let at = constraint.ground()[0];
        let up = event.point[1] - constraint.height();
        ((x - at[0]).powi(2) + (z - at[1]).powi(2) + up * up).sqrt()
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
                done: 0,
                place,
            })
            .collect()
    }

    fn of(&self, state: u32) -> &ContactState {
        &self.graph.states[state as usize]
    }
}

impl Space for PlanSpace<'_> {
    type State = PlanState;

    fn cell(&mut self, state: &PlanState) -> u32 {
        let grid = |value: f64| (((value / CELL).floor() as i64) & 0xffff) as u64;
        let turns = state.place.yaw.rem_euclid(std::f64::consts::TAU) / std::f64::consts::TAU;
        let heading = ((turns * HEADINGS) as u64).min(HEADINGS as u64 - 1);
        let place = grid(state.place.x) << 16 | grid(state.place.z);
        let key = place << 32
            | heading << 24
            | u64::from(state.state & 0xfffff) << 4
            | u64::from(state.done & 15);
        self.cells.number(key)
    }

    fn successors(&self, state: &PlanState, mut out: impl FnMut(u32, f64, PlanState)) {
        let at = Placed::new(state.place);
        for (index, step) in self.graph.steps_of(state.state).iter().enumerate() {
            if !self.terrain.allows(&at, step, self.of(step.to)) {
                continue;
            }
            let place = at.planar().then_after(step.motion);
            let next = PlanState {
                state: step.to,
                done: self.done_after(state, step.to, place),
                place,
            };
            out(index as u32, step.cost, next);
        }
    }

    fn heuristic(&self, state: &PlanState) -> f64 {
        let place = [state.place.x, state.place.z];
        self.heuristic.left(place, state.state, state.done as usize)
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
        near && faces && self.stands[state.state as usize]
    }

    fn is_proof(&self) -> bool {
        self.heuristic.is_proof()
    }
}
