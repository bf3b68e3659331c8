//! The best motion for a task, with proof (Safonova and Hodgins 2007).
//!
//! `task`: what is asked. `terrain`: where roots, feet and heads may be. `field` and `heuristic`: what is
//! left to pay at the least. `space`: the graph of contact changes unrolled over the ground. `play`: what
//! was found, as motion. The search itself is ARA* (`afoot_search::anytime`): a [`Planner`] is asked for
//! more as long as one likes. The bound is relative to the graph and to cells of 5 cm and 1.5°.

mod field;
mod heuristic;
mod pairs;
mod passing;
mod play;
mod space;
mod task;
mod terrain;
mod voices;

use std::sync::atomic::AtomicBool;

use afoot_core::{Clip, FrameId, forward_kinematics};
use afoot_graph::contact::{ContactGraph, EventKind};
use afoot_search::{Advance, Ara, AraOptions, Solution};
use thiserror::Error;

pub use heuristic::Guidance;
pub use task::{Constraint, Goal, SetTask, Stance, Task, TaskError};

use crate::finish::{FinishOptions, plant_feet};
use crate::walk::Played;
use field::{Disc, DistanceField, Ground};
use heuristic::{Heuristic, event_states};
use play::Moment;
use space::{PlanSpace, PlanState};
use terrain::Terrain;

/// How a plan is searched and finished.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanOptions {
    /// Which lower bound leads the search.
    pub guidance: Guidance,
    /// Most steps of a plan that interpolate two paths; 0 for none. A step lasts from one change of contacts to
    /// the next.
    pub interpolation: u8,
    /// Most memory of the search. [bytes]
    pub memory: usize,
    /// How motion is finished; the root's way is not bent here.
    pub finish: FinishOptions,
}

impl Default for PlanOptions {
    fn default() -> Self {
        Self {
            guidance: Guidance::default(),
            // Each mixed step multiplies what is searched by a hundred: to be asked for.
            interpolation: 0,
            memory: 4 << 30,
            finish: FinishOptions::default(),
        }
    }
}

/// Why no plan can be made.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum PlanError {
    #[error("the library has no changes of contact to plan with: its clips know no contacts")]
    NoGraph,
    #[error("nothing of the library can begin at the start: {0}")]
    NoStart(String),
    #[error("{what} can't be met: {why}")]
    Unreachable { what: String, why: String },
}

/// How a constraint was met in the finished motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Met {
    /// The word for it.
    pub kind: &'static str,
    /// When. [s]
    pub at: f64,
    /// How far from where it should be, on the body's own points. [m]
    pub error: f64,
}

/// A plan as motion.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The motion.
    pub played: Played,
    /// What it costs and what is proven of it.
    pub solution: Solution,
    /// How each constraint was met, in order; the goal last, if there is one.
    pub met: Vec<Met>,
}

/// An anytime search for a task's best motion.
pub struct Planner<'a> {
    clips: &'a [Clip],
    options: PlanOptions,
    search: Ara<PlanSpace<'a>>,
}

impl<'a> Planner<'a> {
    /// Gets ready; says at once what can't be done at all. `clips` are level, those of the graph.
    pub fn new(
        graph: &'a ContactGraph,
        clips: &'a [Clip],
        set: SetTask,
        options: PlanOptions,
    ) -> Result<Self, PlanError> {
        if graph.states.is_empty() {
            return Err(PlanError::NoGraph);
        }
        let terrain = Terrain::new(&set);
        let (guidance, mixed) = (options.guidance, options.interpolation);
        let heuristic = Heuristic::new(graph, &set, &terrain, guidance, mixed);
        let epsilon = set.task.epsilon;
        let space = PlanSpace::new(graph, set, terrain, heuristic, options.interpolation);
        let starts = space.starts();
        check(&space, &starts)?;
        let ara = AraOptions {
            epsilon,
            memory: options.memory,
            ..AraOptions::default()
        };
        let search = Ara::new(space, starts, ara);
        Ok(Self {
            clips,
            options,
            search,
        })
    }

    /// Searches on until there is a better plan or a better bound, for `budget` expansions at most.
    pub fn advance(&mut self, budget: u64, cancel: Option<&AtomicBool>) -> Advance {
        self.search.advance(budget, cancel)
    }

    /// The best plan so far and what is proven of it by now.
    pub fn solution(&self) -> Option<Solution> {
        self.search.solution()
    }

    /// States expanded so far.
    pub fn expanded(&self) -> u64 {
        self.search.expanded()
    }

    /// No plan costs less.
    pub fn lower_bound(&self) -> f64 {
        self.search.lower_bound()
    }

    /// The best plan so far as motion, finished.
    pub fn play(&self) -> Option<Planned> {
        let (Some(trail), Some(solution)) = (self.search.trail(), self.search.solution()) else {
            return None;
        };
        let space = self.search.space();
        let (mut played, starts) = play::play(space.graph, self.clips, &trail);
        let deeds = deeds(space, &trail, &starts);
        let moments: Vec<Moment> = deeds.iter().filter_map(|deed| deed.moment).collect();
        play::correct(&mut played.clip, &moments);
        plant_feet(&mut played.clip, &self.options.finish);
        let met = deeds
            .iter()
            .map(|deed| deed.measure(space, &played.clip))
            .collect();
        Some(Planned {
            played,
            solution,
            met,
        })
    }
}

/// A constraint, or the goal, and when it is met.
struct Deed {
    /// Beyond the constraints: the goal.
    index: usize,
    kind: &'static str,
    frame: usize,
    state: u32,
    moment: Option<Moment>,
}

fn deeds(space: &PlanSpace, trail: &[(u32, PlanState)], starts: &[usize]) -> Vec<Deed> {
    let task = &space.set.task;
    let mut deeds = Vec::new();
    let mut before = 0;
    for ((_, state), &frame) in trail.iter().zip(starts) {
        for index in before..state.done as usize {
            let constraint = &task.constraints[index];
            let event = space.event(state);
            let moment = event.filter(|_| is_event(constraint)).map(|event| {
                let [x, z] = state.place.point([event.point[0], event.point[2]]);
                let at = constraint.ground()[0];
                let shift = [at[0] - x, at[1] - z];
                Moment { frame, shift }
            });
            deeds.push(Deed {
                index,
                kind: constraint.kind(),
                frame,
                state: state.state,
                moment,
            });
        }
        before = before.max(state.done as usize);
    }
    if let (Some(goal), Some((_, last))) = (task.goal(), trail.last()) {
        let frame = starts[starts.len() - 1];
        let shift = [goal.x - last.place.x, goal.z - last.place.z];
        deeds.push(Deed {
            index: task.constraints.len(),
            kind: "goal",
            frame,
            state: last.state,
            moment: Some(Moment { frame, shift }),
        });
    }
    deeds
}

fn is_event(constraint: &Constraint) -> bool {
    matches!(constraint, Constraint::Pick { .. } | Constraint::Sit { .. })
}

impl Deed {
    /// How near it is, on the finished body.
    fn measure(&self, space: &PlanSpace, clip: &Clip) -> Met {
        let frame = self.frame.min(clip.len() - 1);
        let error = match space.set.task.constraints.get(self.index) {
            None => {
                let goal = space.set.task.goal();
                let root = clip.root[frame];
                goal.map_or(0.0, |goal| {
                    (f64::from(root.x) - goal.x).hypot(f64::from(root.z) - goal.z)
                })
            }
            Some(constraint) if is_event(constraint) => {
                let kind = space.graph.states[self.state as usize]
                    .event
                    .map(|event| event.kind);
                self.event_error(constraint, kind, clip, frame)
            }
            // Passes are met or not: the rules held at every sample of the plan.
            Some(_) => 0.0,
        };
        Met {
            kind: self.kind,
            at: frame as f64 * clip.rate.frame_time(),
            error,
        }
    }

    fn event_error(
        &self,
        constraint: &Constraint,
        kind: Option<EventKind>,
        clip: &Clip,
        frame: usize,
    ) -> f64 {
        let positions = forward_kinematics(clip);
        let points = positions.frame(FrameId::from(frame));
        let point = match kind {
            Some(EventKind::Pick(side)) => afoot_graph::contact::palm(&clip.skeleton, points, side),
            _ => afoot_graph::contact::seat(&clip.skeleton, points),
        };
        let at = constraint.ground()[0];
        let [x, y, z] = point.to_array().map(f64::from);
        let error = (x - at[0]).powi(2) + (z - at[1]).powi(2) + (y - constraint.height()).powi(2);
        let root = clip.root[frame];
        let astray = constraint.root().map_or(0.0, |[x, z]| {
            (f64::from(root.x) - x).hypot(f64::from(root.z) - z)
        });
        error.sqrt().max(astray)
    }
}

/// Says what can't be done, before anything is searched.
fn check(space: &PlanSpace, starts: &[PlanState]) -> Result<(), PlanError> {
    let at = space.set.task.start();
    let place = [at.x, at.z];
    if space.terrain.room(place) < 0.0 {
        let why = format!(
            "{:.2}, {:.2} is inside an obstacle or outside the corridor",
            at.x, at.z
        );
        return Err(PlanError::NoStart(why));
    }
    if starts.is_empty() {
        return Err(PlanError::NoStart(
            "its feet would not stand on free ground".into(),
        ));
    }
    let states: Vec<u32> = starts.iter().map(|start| start.state).collect();
    let Some(found) = space.heuristic.obstruction(place, &states) else {
        return Ok(());
    };
    let constraint = space.set.task.constraints.get(found.station);
    let what = match constraint {
        None => "the goal".into(),
        Some(constraint) => format!("constraint {} ({})", found.station + 1, constraint.kind()),
    };
    let why = match (found.by_place, constraint) {
        (true, _) => nearest_place(space, place, found.station),
        (false, None) => "nothing in the library leads from there to a stand".into(),
        (false, Some(constraint)) => nearest_possible(space, constraint),
    };
    Err(PlanError::Unreachable { what, why })
}

/// How near one can come to where something should be done.
fn nearest_place(space: &PlanSpace, start: [f64; 2], station: usize) -> String {
    let said = "no way leads there past the obstacles and within the corridor";
    let here = Disc {
        place: start,
        radius: 0.1,
    };
    let reached = DistanceField::new(&space.terrain, space.terrain.bounds, here);
    let wanted = space.heuristic.stations[station].disc.place;
    match reached.nearest_to(wanted) {
        Some([x, z]) => format!("{said}; the nearest place that one comes to is {x:.1}, {z:.1}"),
        None => said.into(),
    }
}

/// What of the kind the library has.
fn nearest_possible(space: &PlanSpace, constraint: &Constraint) -> String {
    if let Some(words) = passing::nearest_pass(space.graph, constraint) {
        return words;
    }
    let mut known = event_states(space.graph, constraint, f64::INFINITY);
    known.sort_by_key(|(state, _)| *state);
    let heights = known.iter().filter_map(|(state, _)| {
        space.graph.states[*state as usize]
            .event
            .map(|event| event.point[1])
    });
    let wanted = constraint.height();
    let nearest = heights.min_by(|a, b| (a - wanted).abs().total_cmp(&(b - wanted).abs()));
    match nearest {
        None => format!(
            "the library never does that (no motion with a {})",
            constraint.kind()
        ),
        Some(height) => format!(
            "it is wanted at a height of {wanted:.2} m; the nearest in the library is {height:.2} m"
        ),
    }
}
