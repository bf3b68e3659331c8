//! `crowd`: many characters in a world.

use std::path::PathBuf;

use afoot::{Crowd, CrowdMade, Library, Run};
use clap::Args;

use crate::console::Console;
use crate::failure::Outcome;

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = EXAMPLES)]
pub struct CrowdArguments {
    /// The library
    library: PathBuf,
    /// The world: bounds, obstacles, radius
    #[arg(long, value_name = "FILE")]
    world: PathBuf,
    /// How many characters
    #[arg(long, value_name = "N")]
    count: u32,
    /// Length of the motion [s]
    #[arg(long, value_name = "S")]
    seconds: f64,
    /// Use only motion with this label, or of this type
    #[arg(long = "as", value_name = "LABEL")]
    style: Vec<String>,
    /// Folder for one motion file a character, and a report
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

const EXAMPLES: &str = "\
Examples:
  afoot crowd lib.afoot --world plaza.json --count 20 --seconds 30 -o crowd

A world: {\"bounds\": [[0,0],[12,12]], \"obstacles\": [{\"circle\": [6,6,1]}], \"radius\": 0.25}, in metres.";

pub fn crowd(arguments: &CrowdArguments, run: &Run, console: &Console) -> Outcome {
    let crowd = Crowd {
        world: arguments.world.clone().into(),
        count: arguments.count,
        seconds: arguments.seconds,
        labels: arguments.style.clone(),
    };
    let library = Library::open(&arguments.library)?;
    let made = crowd.run(&library, &arguments.output, run)?;
    console.result(&made, |made| words(made, arguments.seconds))
}

fn words(made: &CrowdMade, seconds: f64) -> String {
    format!(
        "{} characters for {seconds:.1} s in {:.1} s of work; no two nearer than {:.2} m, \
         obstacles no nearer than {:.2} m (radius {:.2} m)",
        made.characters.len(),
        made.compute_seconds,
        made.least_distance_m,
        made.least_clearance_m,
        made.radius_m
    )
}
