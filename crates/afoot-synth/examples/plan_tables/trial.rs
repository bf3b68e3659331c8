//! One search, counted.

use afoot_search::Advance;
use afoot_synth::plan::{Constraint, Guidance, PlanOptions, Planner, SetTask, Task};

use crate::Material;
use crate::locations::Location;

/// How a search is to be made.
#[derive(Clone, Copy)]
pub struct Setting {
    pub guidance: Guidance,
    pub interpolation: u8,
    /// [m]
    pub tolerance: f64,
    pub epsilon: f64,
    /// Whether the root's place is said too.
    pub root: bool,
    /// It ends when so much is proven. [≥ 1]
    pub bound: f64,
}

/// When a search had proven something.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    pub cost: f64,
    pub bound: f64,
    pub expanded: u64,
    /// Of the processor. [s]
    pub seconds: f64,
}

/// Searches; gives every better plan or bound.
pub fn search(material: &Material, location: &Location, setting: Setting) -> Vec<Mark> {
    let options = PlanOptions {
        guidance: setting.guidance,
        interpolation: setting.interpolation,
        memory: 2 << 30,
        ..PlanOptions::default()
    };
    let set = SetTask {
        task: task(location, setting),
        world: None,
    };
    let mut marks = Vec::new();
    let begun = processor_seconds();
    let Ok(mut planner) = Planner::new(&material.graph, &material.clips, set, options) else {
        return marks;
    };
    loop {
        let seconds = processor_seconds() - begun;
        let advance = planner.advance(1_000, None);
        if let Some(solution) = match advance {
            Advance::Improved(solution) | Advance::Optimal(solution) => Some(solution),
            _ => None,
        } {
            let mark = Mark {
                cost: solution.cost,
                bound: solution.bound,
                expanded: solution.expanded,
                seconds: processor_seconds() - begun,
            };
            marks.push(mark);
            if mark.bound <= setting.bound {
                return marks;
            }
        }
        let over = matches!(
            advance,
            Advance::Optimal(_) | Advance::Impossible | Advance::OutOfMemory
        );
        if over || seconds > material.seconds {
            return marks;
        }
    }
}

fn task(location: &Location, setting: Setting) -> Task {
    let mut task = Task::from_json(r#"{"goal": {"x": 0, "z": 0}}"#).unwrap();
    task.goal = None;
    task.tolerance = setting.tolerance;
    task.epsilon = setting.epsilon;
    task.constraints = vec![Constraint::Pick {
        at: location.at,
        root: setting.root.then_some(location.root),
    }];
    task
}

/// Seconds that this thread has had of a processor; of the clock where that is not told.
fn processor_seconds() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = told
        .split(' ')
        .next()
        .and_then(|word| word.parse::<f64>().ok());
    nanoseconds.map_or_else(
        || {
            let now = std::time::SystemTime::now();
            now.duration_since(std::time::UNIX_EPOCH)
                .unwrap()
                .as_secs_f64()
        },
        |nanoseconds| nanoseconds * 1e-9,
    )
}
