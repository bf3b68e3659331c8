//! What a plan is to do: from where to where, along what, and what on the way.

use afoot_core::Planar;
use afoot_graph::contact::EventKind;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use afoot_world::World;

/// A task, as its file says it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// File of a world, or nothing for open ground.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub world: Option<String>,
    /// Where it begins.
    #[serde(default)]
    pub start: Stance,
    /// Where it ends; where the last constraint is met if it is left open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<Goal>,
    /// Ground points that it is to follow. [m]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sketch: Vec<[f64; 2]>,
    /// Width of the corridor around the sketch. [m, > 0]
    #[serde(default = "usual_corridor")]
    pub corridor: f64,
    /// What is to be done on the way, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<Constraint>,
    /// How near a constraint has to be met. [m, > 0]
    #[serde(default = "usual_tolerance")]
    pub tolerance: f64,
    /// Factor on the heuristic at first. [≥ 1]
    #[serde(default = "usual_epsilon")]
    pub epsilon: f64,
    /// Longest to search. [s, > 0]
    #[serde(default = "usual_seconds")]
    pub seconds: f64,
}

/// A place and a heading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Stance {
    /// [m]
    pub x: f64,
    /// [m]
    pub z: f64,
    /// 0 looks along +z. [degrees]
    pub yaw: f64,
}

/// Where a plan ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Goal {
    /// [m]
    pub x: f64,
    /// [m]
    pub z: f64,
    /// Which way it is to look, within 15 degrees; any if left out. [degrees]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub yaw: Option<f64>,
    /// How near is there. [m, > 0]
    #[serde(default = "usual_goal")]
    pub tolerance: f64,
}

/// Something to be done on the way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Constraint {
    /// A palm at a place, x, y, z. [m]
    Pick {
        /// Where the thing is.
        at: [f64; 3],
        /// Where the root is to be then, x, z; anywhere if left out. [m]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        root: Option<[f64; 2]>,
    },
    /// A thing is put down at a place, x, y, z. [m]
    Place {
        /// Where it goes.
        at: [f64; 3],
    },
    /// Sits down.
    Sit {
        /// Middle of the seat, x, z. [m]
        at: [f64; 2],
        /// Of the seat. [m]
        height: f64,
        /// Which way it faces, within 20 degrees; any if left out. [degrees]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        yaw: Option<f64>,
    },
    /// Gets over ground on which no foot may stand, as far to the sides as the corridor is wide.
    Jump {
        /// The near bank, x, z. [m]
        from: [f64; 2],
        /// The far bank, x, z. [m]
        to: [f64; 2],
    },
    /// Passes under a bar.
    Duck {
        /// Its ends, x, z. [m]
        under: [[f64; 2]; 2],
        /// Of its lower edge. [m]
        height: f64,
    },
    /// Passes over a bar.
    StepOver {
        /// Its ends, x, z. [m]
        over: [[f64; 2]; 2],
        /// Of its upper edge. [m]
        height: f64,
    },
    /// Stands on something: feet within it are at its height, feet outside on the floor.
    StepOn {
        /// Corners, x, z. [m]
        polygon: Vec<[f64; 2]>,
        /// [m]
        height: f64,
    },
    /// A foot at a place, x, y, z. [m]
    Kick {
        /// What is hit.
        at: [f64; 3],
    },
}

/// What is wrong with a task.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum TaskError {
    #[error("line {line}, column {column}: {message}")]
    Json {
        line: usize,
        column: usize,
        message: String,
    },
    #[error("{what} is {found}; expected {expected}")]
    Value {
        what: String,
        found: f64,
        expected: &'static str,
    },
    #[error("a task needs a goal, constraints or a sketch: there is nothing to do")]
    Nothing,
}

fn usual_corridor() -> f64 {
    1.0
}
fn usual_tolerance() -> f64 {
    0.05
}
/// The lower bounds are within some 20 % of the least cost: a larger factor makes the search greedy, and a
/// first plan takes a hundred times as long.
fn usual_epsilon() -> f64 {
    1.5
}
fn usual_seconds() -> f64 {
    120.0
}
fn usual_goal() -> f64 {
    0.1
}

impl Default for Task {
    fn default() -> Self {
        Self {
            world: None,
            start: Stance::default(),
            goal: None,
            sketch: Vec::new(),
            corridor: usual_corridor(),
            constraints: Vec::new(),
            tolerance: usual_tolerance(),
            epsilon: usual_epsilon(),
            seconds: usual_seconds(),
        }
    }
}

/// Larger coordinates are taken for a mistake. [m]
const FARTHEST: f64 = 1e4;

impl Task {
    /// Reads a task file.
    pub fn from_json(text: &str) -> Result<Self, TaskError> {
        let text = text.trim_start_matches('\u{feff}');
        let task: Self = serde_json::from_str(text).map_err(|error| TaskError::Json {
            line: error.line(),
            column: error.column(),
            message: error
                .to_string()
                .split(" at line ")
                .next()
                .unwrap_or_default()
                .to_owned(),
        })?;
        task.check()?;
        Ok(task)
    }

    /// Whether its numbers make sense.
    pub fn check(&self) -> Result<(), TaskError> {
        let value = |what: &str, found: f64, good: bool, expected: &'static str| match good {
            true => Ok(()),
            false => Err(TaskError::Value {
                what: what.to_owned(),
                found,
                expected,
            }),
        };
        let above = "metres above 0";
        value("corridor", self.corridor, self.corridor > 0.0, above)?;
        value("tolerance", self.tolerance, self.tolerance > 0.0, above)?;
        value("epsilon", self.epsilon, self.epsilon >= 1.0, "1 or more")?;
        value(
            "seconds",
            self.seconds,
            self.seconds > 0.0,
            "seconds above 0",
        )?;
        if let Some(goal) = self.goal {
            value(
                "the goal's tolerance",
                goal.tolerance,
                goal.tolerance > 0.0,
                above,
            )?;
        }
        for number in self.numbers() {
            value(
                "a coordinate",
                number,
                number.abs() < FARTHEST,
                "metres, not so far away",
            )?;
        }
        match self.goal.is_none() && self.constraints.is_empty() && self.sketch.len() < 2 {
            true => Err(TaskError::Nothing),
            false => Ok(()),
        }
    }

    /// Where it begins.
    pub fn start(&self) -> Planar {
        Planar::new(self.start.x, self.start.z, self.start.yaw.to_radians())
    }

    /// Where it ends: as said, else at the sketch's end if nothing else is to be done.
    pub fn goal(&self) -> Option<Goal> {
        let end = || {
            let [x, z] = *self.sketch.last()?;
            self.constraints.is_empty().then_some(Goal {
                x,
                z,
                yaw: None,
                tolerance: usual_goal(),
            })
        };
        self.goal.or_else(end)
    }

    fn numbers(&self) -> Vec<f64> {
        let mut all = vec![self.start.x, self.start.z, self.start.yaw];
        all.extend(self.goal.iter().flat_map(|goal| [goal.x, goal.z]));
        all.extend(self.sketch.iter().flatten());
        for constraint in &self.constraints {
            all.extend(constraint.ground().iter().flatten());
            all.extend(constraint.root().iter().flatten());
            all.push(constraint.height());
        }
        all
    }
}

impl Constraint {
    /// The word for it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Pick { .. } => "pick",
            Self::Place { .. } => "place",
            Self::Sit { .. } => "sit",
            Self::Jump { .. } => "jump",
            Self::Duck { .. } => "duck",
            Self::StepOver { .. } => "step_over",
            Self::StepOn { .. } => "step_on",
            Self::Kick { .. } => "kick",
        }
    }

    /// Its ground points. [m]
    pub fn ground(&self) -> Vec<[f64; 2]> {
        match self {
            Self::Pick { at, .. } | Self::Place { at } | Self::Kick { at } => vec![[at[0], at[2]]],
            Self::Sit { at, .. } => vec![*at],
            Self::Jump { from, to } => vec![*from, *to],
            Self::Duck { under: ends, .. } | Self::StepOver { over: ends, .. } => ends.to_vec(),
            Self::StepOn { polygon, .. } => polygon.clone(),
        }
    }

    /// Where the root is to be when it is met, if that is said. [m]
    pub fn root(&self) -> Option<[f64; 2]> {
        match self {
            Self::Pick { root, .. } => *root,
            _ => None,
        }
    }

    /// Whether something of that kind meets it.
    pub(super) fn is_met_by(&self, kind: EventKind) -> bool {
        match self {
            Self::Pick { .. } => matches!(kind, EventKind::Pick(_)),
            Self::Sit { .. } => kind == EventKind::Sit,
            _ => false,
        }
    }

    /// Its height, if it has one. [m]
    pub fn height(&self) -> f64 {
        match self {
            Self::Pick { at, .. } | Self::Place { at } | Self::Kick { at } => at[1],
            Self::Sit { height, .. }
            | Self::Duck { height, .. }
            | Self::StepOver { height, .. }
            | Self::StepOn { height, .. } => *height,
            Self::Jump { .. } => 0.0,
        }
    }
}

/// A task with the world that it names.
#[derive(Clone, Debug)]
pub struct SetTask {
    /// The task.
    pub task: Task,
    /// What stands around.
    pub world: Option<World>,
}
