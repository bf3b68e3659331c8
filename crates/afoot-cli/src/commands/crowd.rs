//! `crowd`: many characters in a world.

use std::path::{Path, PathBuf};

use afoot_analyze::{JudgeOptions, Quality, SourceStatistics, judge_clip};
use afoot_draw::{PathPicture, PathTrace, draw_paths, root_trace};
use afoot_formats::files::write_whole;
use afoot_formats::{WriteOptions, write_motion};
use afoot_synth::{Crowd, CrowdError, CrowdOptions, Obstacle, Repertoire, World, make_crowd};
use clap::Args;
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::arguments::{Common, UnitArgument};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::graphs::repertoire_of;
use crate::inputs::read_text;
use crate::report::{rounded, time_it};
use crate::{interrupt, motion};

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

pub fn crowd(arguments: &CrowdArguments, common: &Common, console: &Console) -> Outcome {
    let world = read_world(&arguments.world)?;
    let repertoire = repertoire_of(&arguments.library, console)?;
    let options = CrowdOptions {
        count: arguments.count as usize,
        seconds: arguments.seconds,
        labels: arguments.style.clone(),
        seed: common.seed,
        run: interrupt::run(),
        ..CrowdOptions::default()
    };
    let (made, seconds) = time_it(|| make_crowd(&repertoire, &world, &options));
    let crowd = made.map_err(crowd_failure)?;
    let qualities = write_crowd(&crowd, &repertoire, &arguments.output)?;
    draw_crowd(&crowd, &world, &arguments.output.join("crowd.png"))?;
    let report = report_json(&crowd, &world, &qualities, seconds);
    write_whole(
        &arguments.output.join("crowd.json"),
        report.to_string().as_bytes(),
    )?;
    let words = format!(
        "{} characters for {:.1} s in {seconds:.1} s of work; no two nearer than {:.2} m, \
         obstacles no nearer than {:.2} m (radius {:.2} m)",
        crowd.characters.len(),
        arguments.seconds,
        crowd.report.least_distance,
        crowd.report.least_clearance,
        world.radius
    );
    console.result(|| report, || words)
}

fn crowd_failure(error: CrowdError) -> Failure {
    match error {
        CrowdError::Stopped(_) => interrupt::failure(),
        error if error.is_bad_request() => Failure::failed(error),
        error => Failure::no_motion(error),
    }
}

fn read_world(path: &Path) -> Result<World, Failure> {
    World::from_json(&read_text(path)?).map_err(|error| Failure::at(path, error))
}

/// One file a character; each is judged as written.
fn write_crowd(
    crowd: &Crowd,
    repertoire: &Repertoire,
    folder: &Path,
) -> Result<Vec<Quality>, Failure> {
    motion::make_folder(folder)?;
    let source = SourceStatistics::of_clips(&repertoire.clips().iter().collect::<Vec<_>>());
    let options = JudgeOptions {
        source: source.as_ref(),
        ..JudgeOptions::default()
    };
    let write = |(number, character): (usize, &afoot_synth::Character)| {
        let path = folder.join(file_name(number));
        write_motion(&path, &character.played.clip, &WriteOptions::default())?;
        let read = motion::read(&path, UnitArgument::Cm, false)?;
        Ok(judge_clip(&read.clip, &options))
    };
    crowd.characters.par_iter().enumerate().map(write).collect()
}

fn file_name(number: usize) -> String {
    format!("character_{:03}.bvh", number + 1)
}

fn report_json(crowd: &Crowd, world: &World, qualities: &[Quality], seconds: f64) -> Value {
    let character = |(number, character): (usize, &afoot_synth::Character)| {
        json!({"file": file_name(number), "as": character.label, "start": character.start,
            "goals": character.goals, "quality": rounded(&qualities[number])})
    };
    let finite = |value: f64| {
        if value.is_finite() {
            json!(value)
        } else {
            Value::Null
        }
    };
    json!({
        "characters": crowd.characters.iter().enumerate().map(character).collect::<Vec<_>>(),
        "radius_m": world.radius,
        "least_distance_m": finite(crowd.report.least_distance),
        "least_clearance_m": finite(crowd.report.least_clearance),
        "attempts": crowd.report.attempts,
        "compute_seconds": seconds,
    })
}

/// All ways from above, with the obstacles.
fn draw_crowd(crowd: &Crowd, world: &World, path: &Path) -> Outcome {
    let outline = |obstacle: &Obstacle| PathTrace::asked("", outline_of(obstacle));
    let way =
        |character: &afoot_synth::Character| PathTrace::new("", root_trace(&character.played.clip));
    let obstacles = world.obstacles.iter().map(outline);
    let picture = PathPicture {
        title: format!("{} characters", crowd.characters.len()),
        traces: obstacles.chain(crowd.characters.iter().map(way)).collect(),
        ..PathPicture::default()
    };
    Ok(write_whole(path, &draw_paths(&picture)?)?)
}

fn outline_of(obstacle: &Obstacle) -> Vec<[f64; 2]> {
    match obstacle {
        Obstacle::Circle([x, z, radius]) => (0..=32)
            .map(|step| f64::from(step) * std::f64::consts::TAU / 32.0)
            .map(|angle| [x + radius * angle.cos(), z + radius * angle.sin()])
            .collect(),
        Obstacle::Polygon(corners) => corners.iter().chain(corners.first()).copied().collect(),
    }
}
