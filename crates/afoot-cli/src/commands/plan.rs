//! `plan`: the best motion for a task, with its bound.

use std::path::PathBuf;

use afoot::{
    ContactRecipe, Delivered, GuidanceWord, Library, ObjectiveWord, Output, Plan, PlanDetails, Run,
};
use clap::Args;

use crate::arguments::OutputArguments;
use crate::console::Console;
use crate::defaults::typed;
use crate::failure::Outcome;
use crate::report::delivered_words;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct PlanArguments {
    /// The library
    library: PathBuf,
    /// What is to be done: start, goal, sketch, constraints
    #[arg(long, value_name = "FILE.json")]
    task: PathBuf,
    #[command(flatten)]
    output: OutputArguments,
    /// Longest to search [s] [default: the task's own, 120]
    #[arg(long, value_name = "S")]
    seconds: Option<f64>,
    /// Most states to expand: the same result on every machine
    #[arg(long, value_name = "N")]
    expansions: Option<u64>,
    /// Stop once the cost is proven to be at most so many times the least
    #[arg(long, value_name = "X")]
    bound: Option<f64>,
    /// Print each better plan as it is found
    #[arg(long)]
    watch: bool,
    /// Which lower bound leads the search: combined, place, graph, euclidean, paper-sum
    #[arg(long, value_name = "WORD", default_value = typed(Plan::default().guidance))]
    guidance: String,
    /// Most steps that interpolate two paths; [default: 0]
    #[arg(long, value_name = "N")]
    interpolation: Option<u8>,
    /// What is to be least: torques, acceleration, time, distance
    #[arg(long, value_name = "WORD", default_value = typed(ContactRecipe::default().objective))]
    objective: String,
    /// Largest error of a transition [cm]
    #[arg(long, value_name = "CM", default_value_t = ContactRecipe::default().threshold_cm)]
    threshold: f32,
    /// Largest error between changes of contact that count as one [cm]
    #[arg(long, value_name = "CM", default_value_t = ContactRecipe::default().merge_cm)]
    merge: f32,
    /// Draw the way asked for and the way walked, from above
    #[arg(long, value_name = "FILE.png")]
    plan_picture: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  afoot plan lib.afoot --task fetch.json -o fetch.bvh --watch
  afoot plan lib.afoot --task fetch.json -o fetch.bvh --expansions 500000 --bound 1.2

A task: {\"start\": {\"x\": 0, \"z\": 0, \"yaw\": 0}, \"goal\": {\"x\": 2, \"z\": 3},
  \"constraints\": [{\"kind\": \"pick\", \"at\": [0.2, 0.5, 2]}], \"tolerance\": 0.05}
`afoot schema task` has all of it. A plan comes soon, better ones follow; it ends when the best is
proven, when time or expansions are used up, or at Ctrl-C, with the best so far. Where nothing in the
library does it the status is 3.";

pub fn plan(arguments: &PlanArguments, run: &Run, console: &Console) -> Outcome {
    let request = Plan {
        task: arguments.task.clone().into(),
        seconds: arguments.seconds,
        expansions: arguments.expansions,
        bound: arguments.bound,
        guidance: guidance(&arguments.guidance)?,
        interpolation: arguments.interpolation,
        recipe: ContactRecipe {
            threshold_cm: arguments.threshold,
            merge_cm: arguments.merge,
            objective: objective(&arguments.objective)?,
            ..ContactRecipe::default()
        },
    };
    let library = Library::open(&arguments.library)?;
    let output = Output {
        plan_picture: arguments.plan_picture.clone(),
        ..Output::from(&arguments.output)
    };
    let watched = match arguments.watch {
        true => run.and_watched(|event| {
            if let afoot::Event::Note(words) = event {
                eprintln!("{words}");
            }
        }),
        false => run.clone(),
    };
    let delivered = library.deliver(&request, &output, &watched)?;
    console.done(&delivered, words)
}

fn words(delivered: &Delivered<PlanDetails>) -> String {
    let details = &delivered.details;
    let mut lines = vec!["seconds     cost    bound   expanded".to_owned()];
    lines.extend(details.solutions.iter().map(|found| {
        format!(
            "{:7.2} {:8.3} {:8.3} {:10}",
            found.seconds, found.cost, found.bound, found.expanded
        )
    }));
    lines.extend(details.constraints.iter().map(|met| {
        format!(
            "{} at {:.2} s: {:.1} cm off",
            met.kind,
            met.at,
            100.0 * met.error_m
        )
    }));
    lines.push(delivered_words(delivered));
    lines.join("\n")
}

fn guidance(word: &str) -> Result<GuidanceWord, afoot::Failure> {
    Ok(match word {
        "combined" => GuidanceWord::Combined,
        "place" => GuidanceWord::Place,
        "graph" => GuidanceWord::Graph,
        "euclidean" => GuidanceWord::Euclidean,
        "paper-sum" => GuidanceWord::PaperSum,
        other => {
            let expected = "combined, place, graph, euclidean or paper-sum";
            return Err(afoot::Failure::bad_value("guidance", other, expected));
        }
    })
}

fn objective(word: &str) -> Result<ObjectiveWord, afoot::Failure> {
    Ok(match word {
        "torques" => ObjectiveWord::Torques,
        "acceleration" => ObjectiveWord::Acceleration,
        "time" => ObjectiveWord::Time,
        "distance" => ObjectiveWord::Distance,
        other => {
            let expected = "torques, acceleration, time or distance";
            return Err(afoot::Failure::bad_value("objective", other, expected));
        }
    })
}
