//! The best motion for a task, with what is proven of it (Safonova and Hodgins 2007).

use std::sync::Arc;
use std::time::Instant;

use afoot_formats::WriteOptions;
use afoot_graph::contact::{CompressionReport, ContactGraph};
use afoot_run::Run;
use afoot_search::{Advance, Solution};
use afoot_synth::plan::{Guidance, PlanError, PlanOptions, Planned, Planner, SetTask, Task};
use serde::{Deserialize, Serialize};

use crate::contact_graph::ContactRecipe;
use crate::delivery::{
    Aim, Measured, MotionHeader, MotionRequest, Outlet, PlanCost, SourceClips, Told,
};
use crate::failure::Failure;
use crate::files::FileName;
use crate::inputs::Input;
use crate::workspace::Workspace;

/// Asks for the best motion for a task.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Plan {
    /// What is to be done: start, goal, sketch, constraints.
    pub task: Input,
    /// Longest to search, instead of the task's own. [s, > 0, at most 86400]
    pub seconds: Option<f64>,
    /// Most states to expand: unlike time, the same on every machine. [1 to 1000000000000]
    pub expansions: Option<u64>,
    /// Stop as soon as the plan is proven to cost at most so many times the least. [1 to 1000]
    pub bound: Option<f64>,
    /// Which lower bound leads the search.
    pub guidance: GuidanceWord,
    /// Most steps of a plan that interpolate two paths, none if left out. [0 to 255]
    pub interpolation: Option<u8>,
    /// How the library's graph of contact changes is built.
    pub recipe: ContactRecipe,
}

/// A lower bound, as a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // those of `Guidance`
pub enum GuidanceWord {
    Euclidean,
    Place,
    Graph,
    #[default]
    Combined,
    PaperSum,
}

impl From<GuidanceWord> for Guidance {
    fn from(word: GuidanceWord) -> Self {
        match word {
            GuidanceWord::Euclidean => Self::Euclidean,
            GuidanceWord::Place => Self::Place,
            GuidanceWord::Graph => Self::Graph,
            GuidanceWord::Combined => Self::Combined,
            GuidanceWord::PaperSum => Self::PaperSum,
        }
    }
}

/// What planning tells of itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PlanDetails {
    /// Each better plan, or better bound, in order.
    pub solutions: Vec<SolutionFound>,
    /// How the constraints were met in the motion, in order; the goal last.
    pub constraints: Vec<ConstraintMet>,
    /// Why the search ended.
    pub ended: PlanEnd,
    /// The graph that was searched.
    pub graph: GraphSearched,
}

/// A plan that was found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SolutionFound {
    /// When. [s]
    pub seconds: f64,
    /// What it costs: about a second of average motion each.
    pub cost: f64,
    /// It costs at most so many times what the best plan costs.
    pub bound: f64,
    /// Factor on the heuristic.
    pub epsilon: f64,
    /// States expanded until then.
    pub expanded: u64,
}

/// A constraint in the motion.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConstraintMet {
    /// What.
    pub kind: String,
    /// When. [s]
    pub at: f64,
    /// How far from where it should be. [m]
    pub error_m: f64,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanEnd {
    /// Nothing is better.
    #[default]
    Optimal,
    /// The bound asked for was proven.
    GoodEnough,
    /// Time or expansions were used up.
    OutOfBudget,
    /// The memory was used up.
    OutOfMemory,
    /// It was stopped.
    Stopped,
}

/// The graph that a plan was searched in.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GraphSearched {
    /// Frames of the library.
    pub frames: u64,
    /// Transitions between them, plain succession included.
    pub transitions: u64,
    /// Contact changes, and cheapest ways between them.
    pub culled_states: u64,
    /// As above.
    pub culled_steps: u64,
    /// After like ones were merged.
    pub states: u64,
    /// As above.
    pub steps: u64,
    /// Time taken to build or load it. [s]
    pub seconds: f64,
}

/// Expansions between two looks at the clock.
const SLICE: u64 = 2_000;

impl MotionRequest for Plan {
    type Details = PlanDetails;

    fn make(
        &self,
        from: &Workspace,
        outlet: &mut Outlet,
        run: &Run,
    ) -> Result<Told<PlanDetails>, Failure> {
        let set = self.task(from)?;
        let library = from.library()?;
        let begun = Instant::now();
        let contact = outlet.aside(|| library.contact_graph(&self.recipe, run))?;
        let graph = searched(&contact.graph.report, begun.elapsed().as_secs_f64());
        let path = (!set.task.sketch.is_empty()).then(|| set.task.sketch.clone());
        let options = PlanOptions {
            guidance: self.guidance.into(),
            interpolation: self
                .interpolation
                .unwrap_or(PlanOptions::default().interpolation),
            ..PlanOptions::default()
        };
        let seconds = self.seconds.unwrap_or(set.task.seconds);
        let mut planner = Planner::new(&contact.graph, contact.clips.clips(), set, options)?;
        let (solutions, ended) = self.search(&mut planner, seconds, run)?;
        let planned = planner.play().ok_or_else(|| none(ended, &planner))?;
        let told = told(&planned, solutions, ended, graph);
        outlet.begin(MotionHeader {
            frames: planned.played.clip.len() as u64,
            rate: planned.played.clip.rate,
            transition: planned.played.clip.rate.frames_in(1.0 / 3.0) as u32,
            clips: Arc::clone(&contact.clips) as Arc<dyn SourceClips>,
            like: WriteOptions::default(),
        })?;
        outlet.push(planned.played)?;
        let aim = Aim {
            way: path,
            ..Aim::default()
        };
        Ok(Told { aim, ..told })
    }
}

impl Plan {
    fn task(&self, from: &Workspace) -> Result<SetTask, Failure> {
        let task = Task::from_json(&self.task.text(from.files())?)
            .map_err(|error| self.task.wrong(error))?;
        let world = match &task.world {
            Some(name) => Some(Input::File(self.beside(name)).world(from.files())?),
            None => None,
        };
        Ok(SetTask { task, world })
    }

    /// A file that the task names: where the task's own file is, if it has one.
    fn beside(&self, name: &str) -> FileName {
        match &self.task {
            Input::File(file) => match file.as_path().parent() {
                Some(folder) => FileName::from(folder.join(name)),
                None => FileName::from(name),
            },
            Input::Inline(_) => FileName::from(name),
        }
    }

    /// Searches until nothing is better or the budget is used up; tells every better plan as it comes.
    fn search(
        &self,
        planner: &mut Planner,
        seconds: f64,
        run: &Run,
    ) -> Result<(Vec<SolutionFound>, PlanEnd), Failure> {
        let mut found = Solutions::new(run);
        let most = self.expansions.unwrap_or(u64::MAX);
        let ended = loop {
            let left = most.saturating_sub(planner.expanded());
            let out_of_time = self.expansions.is_none() && found.seconds() > seconds;
            if left == 0 || out_of_time {
                break PlanEnd::OutOfBudget;
            }
            if run.cancel().take_stop() {
                break PlanEnd::Stopped;
            }
            match planner.advance(SLICE.min(left), None) {
                Advance::Improved(solution) => {
                    found.tell(solution);
                    if self.bound.is_some_and(|bound| solution.bound <= bound) {
                        break PlanEnd::GoodEnough;
                    }
                }
                Advance::Optimal(solution) => {
                    found.tell(solution);
                    break PlanEnd::Optimal;
                }
                Advance::Impossible => {
                    let error = "nothing in the library does that: every way was tried";
                    return Err(Failure::no_motion(error));
                }
                Advance::OutOfMemory => break PlanEnd::OutOfMemory,
                Advance::OutOfExpansions | Advance::Cancelled => {}
            }
        };
        if ended != PlanEnd::Optimal
            && let Some(solution) = planner.solution()
            && found.is_news(&solution)
        {
            found.tell(solution);
        }
        Ok((found.list, ended))
    }
}

/// Ever better plans, told as they come.
struct Solutions<'a> {
    list: Vec<SolutionFound>,
    begun: Instant,
    run: &'a Run,
}

impl<'a> Solutions<'a> {
    fn new(run: &'a Run) -> Self {
        Self {
            list: Vec::new(),
            begun: Instant::now(),
            run,
        }
    }

    /// Since the search began. [s]
    fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    /// Whether a plan, or what is proven of it, is better than the last.
    fn is_news(&self, solution: &Solution) -> bool {
        let last = self.list.last();
        last.is_none_or(|last| solution.bound < last.bound || solution.cost < last.cost)
    }

    fn tell(&mut self, solution: Solution) {
        let solution = SolutionFound {
            seconds: self.seconds(),
            cost: solution.cost,
            bound: solution.bound,
            epsilon: solution.epsilon,
            expanded: solution.expanded,
        };
        self.list.push(solution);
        self.run.note(format!(
            "cost {:.3}, at most {:.3} times the least; {} states, {:.2} s",
            solution.cost, solution.bound, solution.expanded, solution.seconds
        ));
        self.run.partial(|| solution);
    }
}

/// Nothing was found in time, which is not to say that there is nothing.
fn none(ended: PlanEnd, planner: &Planner) -> Failure {
    if ended == PlanEnd::Stopped {
        return afoot_run::Stopped.into();
    }
    Failure::no_motion(format!(
        "no plan was found within the budget ({} states expanded); none is ruled out either: any plan \
         costs {:.2} or more",
        planner.expanded(),
        planner.lower_bound()
    ))
}

fn searched(report: &CompressionReport, seconds: f64) -> GraphSearched {
    GraphSearched {
        frames: report.frames,
        transitions: report.transitions,
        culled_states: report.culled_states,
        culled_steps: report.culled_steps,
        states: report.states,
        steps: report.steps,
        seconds,
    }
}

fn told(
    planned: &Planned,
    solutions: Vec<SolutionFound>,
    ended: PlanEnd,
    graph: GraphSearched,
) -> Told<PlanDetails> {
    let met = planned.met.iter().map(|met| ConstraintMet {
        kind: met.kind.to_owned(),
        at: met.at,
        error_m: met.error,
    });
    let cost = PlanCost {
        cost: planned.solution.cost,
        bound: planned.solution.bound,
        expanded: planned.solution.expanded,
    };
    Told {
        aim: Aim::default(),
        measured: Measured {
            plan: Some(cost),
            ..Measured::default()
        },
        details: PlanDetails {
            solutions,
            constraints: met.collect(),
            ended,
            graph,
        },
    }
}

impl From<PlanError> for Failure {
    fn from(error: PlanError) -> Self {
        Self::no_motion(error)
    }
}

/// A library's graph of contact changes with its clips.
#[derive(Clone, Debug)]
pub(crate) struct LibraryContacts {
    pub(crate) graph: Arc<ContactGraph>,
    pub(crate) clips: Arc<crate::clustered::LevelClips>,
}
