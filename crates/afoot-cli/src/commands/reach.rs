//! `reach`: motion that ends in a named clip, at a place and heading.

use std::path::PathBuf;

use afoot::{Library, Output, Reach, Run, Stand, Standpoint};
use clap::Args;

use crate::arguments::{MovingArguments, OutputArguments, numbers};
use crate::console::Console;
use crate::failure::Outcome;
use crate::report::delivered_words;

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = EXAMPLES)]
pub struct ReachArguments {
    /// The library
    library: PathBuf,
    /// The clip to reach: NAME, NAME[2.0s..4.5s] or NAME[60..135]
    clip: String,
    /// Where its root is to be at its first frame [m]
    #[arg(long, value_name = "X,Z", allow_hyphen_values = true)]
    at: String,
    /// Which way it is to face there [degrees] [default: any]
    #[arg(long, value_name = "DEG", allow_hyphen_values = true)]
    heading: Option<f64>,
    /// Where to start, and in which direction [m, degrees] [default: 0,0,0]
    #[arg(
        long,
        alias = "from",
        value_name = "X,Z,DEG",
        allow_hyphen_values = true
    )]
    start: Option<String>,
    /// Up to the clip use only motion with this label, or of this type
    #[arg(long = "as", value_name = "LABEL")]
    only: Vec<String>,
    #[command(flatten)]
    moving: MovingArguments,
    /// Begin in a stand, if the library has one [default: as it fits best]
    #[arg(long)]
    from_stand: bool,
    #[command(flatten)]
    output: OutputArguments,
    /// Draw the way asked for and the way walked, from above
    #[arg(long, value_name = "FILE.png")]
    plan_picture: Option<PathBuf>,
    /// Farthest from the place that still counts as there [m]
    #[arg(long, value_name = "M", default_value_t = Reach::default().tolerance)]
    tolerance: f64,
    /// Write the nearest that was found, also where it is farther
    #[arg(long)]
    best_effort: bool,
}

const EXAMPLES: &str = "\
Examples:
  afoot reach lib.afoot jump --at 3,5 -o jump.bvh
  afoot reach lib.afoot 'kick[1.2s..3s]' --at 3,5 --heading 90 --start 0,0,-45 --as walk -o kick.bvh

The clip's first frame that plays is at the place: of a part, its first; of a whole clip, the first
that a transition leads to. Headings turn from +z towards +x. Where it comes no nearer than the
tolerance, or faces more than 10 degrees another way, nothing is written and the status is 3.";

pub fn reach(arguments: &ReachArguments, run: &Run, console: &Console) -> Outcome {
    let from = arguments.start.as_deref();
    let from = from.map_or(Ok([0.0; 3]), |text| numbers("start", text, "X,Z,DEGREES"));
    let [x, z, heading] = from?;
    let reach = Reach {
        clip: arguments.clip.clone(),
        at: numbers("at", &arguments.at, "X,Z")?,
        heading: arguments.heading,
        from: Standpoint { x, z, heading },
        labels: arguments.only.clone(),
        moving: arguments.moving.moving()?,
        from_stand: match arguments.from_stand {
            true => Stand::Always,
            false => Stand::Never,
        },
        tolerance: arguments.tolerance,
        best_effort: arguments.best_effort,
    };
    let library = Library::open(&arguments.library)?;
    let output = Output {
        plan_picture: arguments.plan_picture.clone(),
        ..Output::from(&arguments.output)
    };
    let delivered = library.deliver(&reach, &output, run)?;
    console.done(&delivered, delivered_words)
}
