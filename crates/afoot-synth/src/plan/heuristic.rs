//! What is left to pay at the least (Safonova and Hodgins 2007, §6).
//!
//! By place: the way to the next constraint, from there to the one after it, and so on, at the least
//! cost of a metre. By graph: what it costs beyond that to come to a state that meets the next
//! constraint, and from the best of those to the one after. The paper's sum (eq. 3) counts the way out of
//! the present state once per constraint, and is no lower bound from two on; it is here as `PaperSum`.
//! Costs beyond the metres may be negative step by step, never around a cycle.

use std::collections::VecDeque;

use afoot_graph::contact::{ContactGraph, EventKind};

use super::field::{Disc, DistanceField};
use super::pairs::mean;
use super::passing::passing_states;
use super::space::PlanState;
use super::task::{Constraint, Goal, SetTask};
use super::terrain::Terrain;

/// Which lower bound leads the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Guidance {
    /// Straight distance to the goal.
    Euclidean,
    /// The way within the corridor alone.
    Place,
    /// The graph alone.
    Graph,
    /// Both.
    #[default]
    Combined,
    /// Both, as equation 3 sums them: proves nothing from two constraints on.
    PaperSum,
}

/// One thing after the other that has to be reached.
#[derive(Clone, Debug)]
pub(super) struct Station {
    /// The states in which it can be met next, and those in which one is after it.
    pub(super) states: Vec<u32>,
    pub(super) disc: Disc,
    field: DistanceField,
    /// By state, beyond metres.
    table: Vec<f64>,
    /// From here on through all stations that follow: metres, and beyond metres.
    rest_metres: f64,
    rest: f64,
}

#[derive(Clone, Debug)]
pub(super) struct Heuristic {
    pub(super) stations: Vec<Station>,
    guidance: Guidance,
    rate: f64,
}

/// Why a task can't be done.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Obstruction {
    /// Which station.
    pub(super) station: usize,
    /// It is out of reach in place, not in kind.
    pub(super) by_place: bool,
}

/// A step is at most so long: who has passed a line is at most so far beyond it. [m]
const STRIDE: f64 = 1.6;

impl Heuristic {
    pub(super) fn new(
        graph: &ContactGraph,
        set: &SetTask,
        terrain: &Terrain,
        guidance: Guidance,
        most_mixed: u8,
    ) -> Self {
        let rate = match guidance {
            Guidance::Graph => 0.0,
            Guidance::Combined | Guidance::PaperSum => graph.cost_per_metre,
            // Without the graph's tables no step may be cheaper than its metres.
            Guidance::Euclidean | Guidance::Place => graph.cheapest_metre,
        };
        let backwards = Backwards::new(graph, rate);
        let task = &set.task;
        let mut stations: Vec<Station> = Vec::new();
        let wants = task.constraints.iter().map(|constraint| {
            let (states, disc) = want(graph, constraint, task.tolerance, most_mixed);
            let table = match most_mixed > 0
                && !event_states(graph, constraint, f64::INFINITY).is_empty()
            {
                true => envelope(&backwards, constraint, task.tolerance, &states),
                false => backwards.least(&states),
            };
            (states, disc, table)
        });
        let goal = task.goal().map(|goal| {
            let (states, disc) = want_goal(graph, goal);
            let table = backwards.least(&states);
            (states, disc, table)
        });
        for (states, disc, table) in wants.chain(goal) {
            stations.push(Station {
                field: DistanceField::new(terrain, terrain.bounds, disc),
                table,
                states,
                disc,
                rest_metres: 0.0,
                rest: 0.0,
            });
        }
        for index in (0..stations.len().saturating_sub(1)).rev() {
            let (before, after) = stations.split_at_mut(index + 1);
            let (station, next) = (&mut before[index], &after[0]);
            station.rest_metres = next.field.least_within(station.disc) + next.rest_metres;
            let onward = station
                .states
                .iter()
                .map(|state| next.table[*state as usize]);
            station.rest = onward.fold(f64::INFINITY, f64::min) + next.rest;
        }
        Self {
            stations,
            guidance,
            rate,
        }
    }

    /// What is left to pay at the least. Of two paths the weighted mean: their costs and ways are.
    pub(super) fn left(&self, at: &PlanState) -> f64 {
        let (place, done) = ([at.place.x, at.place.z], at.done as usize);
        let Some(station) = self.stations.get(done) else {
            return 0.0;
        };
        let read = |table: &[f64]| match at.is_plain() {
            true => table[at.state as usize],
            false => mean(
                table[at.state as usize],
                table[at.other as usize],
                at.weight,
            ),
        };
        let metres = || station.field.at(place) + station.rest_metres;
        let beyond = || read(&station.table) + station.rest;
        let left = match self.guidance {
            Guidance::Euclidean => self.rate * self.straight(place, done),
            Guidance::Place => self.rate * metres(),
            Guidance::Graph => beyond(),
            Guidance::Combined => self.rate * metres() + beyond(),
            Guidance::PaperSum => {
                let stations = self.stations[done..].iter();
                let sum: f64 = stations.map(|station| read(&station.table)).sum();
                self.rate * metres() + sum
            }
        };
        left.max(0.0)
    }

    /// How far it is at least to where the next thing can be done. [m]
    pub(super) fn metres_to_next(&self, at: &PlanState) -> f64 {
        let station = self.stations.get(at.done as usize);
        station.map_or(0.0, |station| station.field.at([at.place.x, at.place.z]))
    }

    pub(super) fn is_proof(&self) -> bool {
        self.guidance != Guidance::PaperSum || self.stations.len() < 2
    }

    fn straight(&self, [x, z]: [f64; 2], done: usize) -> f64 {
        let last = &self.stations[self.stations.len() - 1].disc;
        let _ = done;
        ((x - last.place[0]).hypot(z - last.place[1]) - last.radius).max(0.0)
    }

    /// The first station that can't be reached from any of these states at a place.
    pub(super) fn obstruction(&self, place: [f64; 2], starts: &[u32]) -> Option<Obstruction> {
        let mut from: (Vec<u32>, Option<Disc>) = (starts.to_vec(), None);
        for (index, station) in self.stations.iter().enumerate() {
            let found = |by_place| {
                let station = index;
                Some(Obstruction { station, by_place })
            };
            let least = from.0.iter().map(|state| station.table[*state as usize]);
            if !least.fold(f64::INFINITY, f64::min).is_finite() {
                return found(false);
            }
            let metres = match from.1 {
                None => station.field.at(place),
                Some(disc) => station.field.least_within(disc),
            };
            if !metres.is_finite() {
                return found(true);
            }
            from = (station.states.clone(), Some(station.disc));
        }
        None
    }
}

/// Costs to come to some states, beyond metres.
struct Backwards<'a> {
    graph: &'a ContactGraph,
    /// Into each state: from where, and the cost beyond metres.
    into: Vec<Vec<(u32, f64)>>,
}

impl<'a> Backwards<'a> {
    fn new(graph: &'a ContactGraph, rate: f64) -> Self {
        let mut into = vec![Vec::new(); graph.states.len()];
        for from in 0..graph.states.len() as u32 {
            for step in graph.steps_of(from) {
                into[step.to as usize].push((from, step.cost - rate * step.length));
            }
        }
        Self { graph, into }
    }

    /// From every state to the nearest of `targets`; infinite where no way leads.
    fn least(&self, targets: &[u32]) -> Vec<f64> {
        let mut least = vec![f64::INFINITY; self.graph.states.len()];
        let mut waits = vec![false; least.len()];
        let mut queue: VecDeque<u32> = targets.iter().copied().collect();
        for target in targets {
            (least[*target as usize], waits[*target as usize]) = (0.0, true);
        }
        while let Some(state) = queue.pop_front() {
            waits[state as usize] = false;
            for &(from, cost) in &self.into[state as usize] {
                let through = least[state as usize] + cost;
                if through < least[from as usize] - 1e-9 {
                    least[from as usize] = through;
                    if !std::mem::replace(&mut waits[from as usize], true) {
                        queue.push_back(from);
                    }
                }
            }
        }
        least
    }
}

/// From every state what it costs, beyond metres, to do something at a constraint's height by a mix of two
/// that do it at theirs: both paths cost what they cost alone, weighted as their heights are. That is the
/// lower hull of costs over heights, of each kind for itself.
fn envelope(
    backwards: &Backwards,
    constraint: &Constraint,
    tolerance: f64,
    states: &[u32],
) -> Vec<f64> {
    let event = |state: u32| backwards.graph.states[state as usize].event;
    let known = states
        .iter()
        .filter_map(|state| Some((*state, event(*state)?)));
    let known: Vec<(EventKind, f64, Vec<f64>)> = known
        .map(|(state, event)| (event.kind, event.point[1], backwards.least(&[state])))
        .collect();
    let (low, high) = (
        constraint.height() - tolerance,
        constraint.height() + tolerance,
    );
    let mut least = vec![f64::INFINITY; backwards.graph.states.len()];
    for (kind, height, table) in &known {
        let fits = (low..=high).contains(height);
        // What lies beyond the constraint is mixed with what lies before it.
        let others = known.iter().filter(|other| other.0 == *kind);
        let across: Vec<(f64, &Vec<f64>)> = others
            .filter_map(|(_, other, table)| {
                // The weight of this one that takes both nearest to its own side, and still fits.
                let edge = if *height < low { low } else { high };
                let share = (edge - other) / (height - other);
                ((0.0..1.0).contains(&share) && !fits).then_some((share, table))
            })
            .collect();
        for (state, least) in least.iter_mut().enumerate() {
            if fits {
                *least = least.min(table[state]);
            }
            for (share, other) in &across {
                *least = least.min(share * table[state] + (1.0 - share) * other[state]);
            }
        }
    }
    least
}

/// The states in which a constraint can be met, and where the root is then.
fn want(
    graph: &ContactGraph,
    constraint: &Constraint,
    tolerance: f64,
    most_mixed: u8,
) -> (Vec<u32>, Disc) {
    let middle = |points: &[[f64; 2]]| {
        let sum = points
            .iter()
            .fold([0.0; 2], |sum, p| [sum[0] + p[0], sum[1] + p[1]]);
        sum.map(|value| value / points.len().max(1) as f64)
    };
    let ground = constraint.ground();
    let events: Vec<(u32, f64)> = able_states(graph, constraint, tolerance, most_mixed);
    match constraint {
        Constraint::Pick { .. }
        | Constraint::Sit { .. }
        | Constraint::Place { .. }
        | Constraint::Kick { .. } => {
            let reach = events.iter().map(|(_, reach)| *reach).fold(0.0, f64::max);
            let disc = match constraint.root() {
                Some(place) => Disc {
                    place,
                    radius: tolerance,
                },
                None => Disc {
                    place: middle(&ground),
                    radius: reach + tolerance,
                },
            };
            (events.into_iter().map(|(state, _)| state).collect(), disc)
        }
        _ => {
            let place = middle(&ground);
            let far = ground
                .iter()
                .map(|p| (p[0] - place[0]).hypot(p[1] - place[1]));
            let radius = far.fold(0.0, f64::max) + STRIDE;
            (passing_states(graph, constraint), Disc { place, radius })
        }
    }
}

/// States at which a constraint can be met: those at its height, and, where paths are mixed, all of its kind
/// if its height lies between theirs.
pub(super) fn able_states(
    graph: &ContactGraph,
    constraint: &Constraint,
    tolerance: f64,
    most_mixed: u8,
) -> Vec<(u32, f64)> {
    if most_mixed == 0 {
        return event_states(graph, constraint, tolerance);
    }
    let all = event_states(graph, constraint, f64::INFINITY);
    let events = all
        .iter()
        .filter_map(|(state, _)| graph.states[*state as usize].event);
    let heights: Vec<f64> = events.map(|event| event.point[1]).collect();
    let low = heights.iter().copied().fold(f64::INFINITY, f64::min) - tolerance;
    let high = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max) + tolerance;
    match (low..=high).contains(&constraint.height()) {
        true => all,
        false => Vec::new(),
    }
}

/// States at which something of that kind happens at that height, with how far from the root.
pub(super) fn event_states(
    graph: &ContactGraph,
    constraint: &Constraint,
    tolerance: f64,
) -> Vec<(u32, f64)> {
    let states = graph.states.iter().enumerate();
    let found = states.filter_map(|(index, state)| {
        let event = state
            .event
            .filter(|event| constraint.is_met_by(event.kind))?;
        let [x, y, z] = event.point;
        ((y - constraint.height()).abs() <= tolerance).then(|| (index as u32, x.hypot(z)))
    });
    found.collect()
}

/// Stands, where there are any.
fn want_goal(graph: &ContactGraph, goal: Goal) -> (Vec<u32>, Disc) {
    let disc = Disc {
        place: [goal.x, goal.z],
        radius: goal.tolerance,
    };
    (standing(graph), disc)
}

/// The states that stand; all, where none does.
pub(super) fn standing(graph: &ContactGraph) -> Vec<u32> {
    let states = graph.states.iter().enumerate();
    let stands = states
        .filter(|(_, state)| state.stands)
        .map(|(index, _)| index as u32);
    let stands: Vec<u32> = stands.collect();
    match stands.is_empty() {
        true => (0..graph.states.len() as u32).collect(),
        false => stands,
    }
}
