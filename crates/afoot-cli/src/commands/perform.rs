//! `perform`: a painted timeline.

use std::path::PathBuf;

use afoot::{
    Delivered, Event, Input, Library, Output, Perform, PerformDetails, PerformanceFound, Run,
    is_there,
};
use clap::Args;

use crate::arguments::OutputArguments;
use crate::console::Console;
use crate::failure::Outcome;
use crate::report::delivered_words;

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = EXAMPLES)]
pub struct PerformArguments {
    /// The library
    library: PathBuf,
    /// What should happen when: a score file (see afoot schema score)
    #[arg(long, value_name = "FILE")]
    score: PathBuf,
    #[command(flatten)]
    output: OutputArguments,
    /// Draw the way from above into this PNG
    #[arg(long, value_name = "FILE.png")]
    plan_picture: Option<PathBuf>,
    /// Restarts of the search; the same number and seed give the same motion [default: 60]
    #[arg(long, value_name = "N", conflicts_with = "seconds_budget")]
    iterations: Option<u64>,
    /// Search for so long [s]
    #[arg(long, value_name = "S")]
    seconds_budget: Option<f64>,
    /// Make so many motions, each otherwise: FILE, FILE-2, ...
    #[arg(long, value_name = "N", default_value_t = 1)]
    alternatives: usize,
    /// Length of the blocks that the search begins with: 0.53, 0.27 or 0.13 [s]
    #[arg(long, value_name = "S", default_value_t = Perform::default().block)]
    block: f64,
    /// Look for the best motion of all at the end, and say how far the search was from it
    #[arg(long)]
    exact: bool,
    /// Write the nearest that was found, also where the library can't do what is asked
    #[arg(long)]
    best_effort: bool,
    /// Tell of each better motion as it is found; a score that is changed meanwhile is gone on with
    #[arg(long)]
    watch: bool,
}

const EXAMPLES: &str = "\
Examples:
  afoot perform lib.afoot --score run_then_jump.json -o story.bvh
  afoot perform lib.afoot --score story.json --seconds-budget 10 --watch -o story.glb
  afoot perform lib.afoot --score story.json --alternatives 3 -o story.bvh --json

A score paints labels over time, wanted or not, and may ask for poses, motions and places at given
times. No graph is needed. Where no captured motion does what is asked, the status is 3, and the
message says which labels, when, and what comes nearest.";

pub fn perform(arguments: &PerformArguments, run: &Run, console: &Console) -> Outcome {
    let perform = Perform {
        score: Input::from(arguments.score.clone()),
        iterations: arguments.iterations,
        seconds_budget: arguments.seconds_budget,
        block: arguments.block,
        exact: arguments.exact,
        best_effort: arguments.best_effort,
        watch: arguments.watch,
    };
    let library = Library::open(&arguments.library)?;
    let output = Output {
        plan_picture: arguments.plan_picture.clone(),
        ..Output::from(&arguments.output)
    };
    let run = match arguments.watch {
        true => run.and_watched(tell),
        false => run.clone(),
    };
    if arguments.alternatives > 1 {
        let several =
            perform.deliver_alternatives(&library, &output, arguments.alternatives, &run)?;
        return console.done(&several, |several| {
            several.iter().map(performed_words).collect()
        });
    }
    let delivered = library.deliver(&perform, &output, &run)?;
    console.done(&delivered, performed_words)
}

/// A line on standard error for each better motion.
fn tell(event: &Event) {
    if let Event::Partial(part) = event
        && let Some(better) = part.get::<PerformanceFound>()
    {
        let found = better.found;
        eprintln!(
            "{:7.2} s  cost {:9.3}  iteration {}",
            found.seconds, found.cost, found.iteration
        );
    }
}

fn performed_words(performed: &Delivered<PerformDetails>) -> String {
    let details = &performed.details;
    let mut words = delivered_words(performed);
    for entry in &details.entries {
        let not = if entry.want { "" } else { "not " };
        let on = match entry.chains.is_empty() {
            true => String::new(),
            false => format!(" on {}", entry.chains.join(" and ")),
        };
        words += &format!(
            "{not}{}{on} from {} to {} s: {:.2}\n",
            entry.label, entry.from, entry.to, entry.share
        );
    }
    for place in &details.places {
        words += &format!(
            "place at {:.2} s: {:.3} m, {:.1} degrees off, {}\n",
            place.at,
            place.error_m,
            place.error_deg,
            if is_there(place) { "ok" } else { "missed" }
        );
    }
    for pose in &details.poses {
        words += &format!(
            "{} at {:.2} s: {:.2} cm off\n",
            pose.clip, pose.at, pose.pose_error_cm
        );
    }
    words
        + &format!(
            "cost {:.3} after {} iterations\n",
            details.cost, details.iterations
        )
}
