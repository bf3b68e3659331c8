//! `follow`: motion along a path.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use afoot_core::{ClipId, FrameId};
use afoot_synth::{
    FollowError, FollowOptions, FollowSearch, GroundPath, Repertoire, Section, find_walk,
    follow_in_pieces,
};
use clap::{Args, ValueEnum};
use serde_json::json;

use crate::arguments::{Common, OutputArguments};
use crate::console::Console;
use crate::delivery::{Delivery, Told, piece_frames};
use crate::failure::{Failure, Outcome};
use crate::graphs::repertoire_of;
use crate::inputs::read_path;
use crate::plan_picture::PlanPicture;
use crate::{interrupt, motion};

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct FollowArguments {
    /// The library
    library: PathBuf,
    /// The path: JSON, or the first `<path>` of an SVG, one user unit a metre
    #[arg(long, value_name = "FILE")]
    path: PathBuf,
    /// Use only motion with this label, or of this type
    #[arg(long = "as", value_name = "LABEL")]
    style: Vec<String>,
    #[command(flatten)]
    output: OutputArguments,
    /// Leave captured motion where it is: do not warp the root's path
    #[arg(long)]
    exact_source: bool,
    /// The path is closed: end where it began
    #[arg(long)]
    closed: bool,
    /// Start in this clip, at a time of it: CLIP or CLIP@1.5
    #[arg(long, value_name = "CLIP[@S]")]
    start: Option<String>,
    /// How the walk is searched for
    #[arg(long, value_enum, default_value = "beam")]
    search: SearchArgument,
    /// Draw the path asked for and the path walked, from above
    #[arg(long, value_name = "FILE.png")]
    plan_picture: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SearchArgument {
    /// Many states side by side: best on long paths
    Beam,
    /// Branch and bound over the whole path, for short ones
    Branch,
    /// Branch and bound over three seconds at a time, of which one is kept
    Incremental,
}

const EXAMPLES: &str = "\
Examples:
  afoot follow lib.afoot --path circle.json -o walk.bvh
  afoot follow lib.afoot --path hello.svg --as walk -o hello.glb --picture hello.png
  afoot follow lib.afoot --path hello.svg --exact-source -o hello.bvh";

pub fn follow(arguments: &FollowArguments, common: &Common, console: &Console) -> Outcome {
    motion::check_output(&arguments.output)?;
    motion::check_picture_file(arguments.plan_picture.as_deref())?;
    let path = asked_path(arguments)?;
    let repertoire = repertoire_of(&arguments.library, console)?;
    let mut options = FollowOptions {
        start: start_of(arguments, &repertoire)?,
        search: match arguments.search {
            SearchArgument::Beam => FollowSearch::Beam,
            SearchArgument::Branch => FollowSearch::BRANCH,
            SearchArgument::Incremental => FollowSearch::INCREMENTAL,
        },
        seed: common.seed,
        run: interrupt::run(),
        ..FollowOptions::default()
    };
    if arguments.exact_source {
        options.finish.warp = None;
    }
    let begun = Instant::now();
    let found = find_walk(&repertoire, &path, &options).map_err(follow_failure)?;
    let frames = found.walk.frames(&repertoire);
    let mut delivery = Delivery::new(&repertoire, &arguments.output, frames)?;
    let mut plan = PlanPicture::default();
    let pieces = piece_frames(&repertoire);
    let end = follow_in_pieces(&repertoire, (&path, &found), &options, pieces, |played| {
        plan.add(&played.clip);
        match delivery.push(played) {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => ControlFlow::Break(failure),
        }
    });
    if let ControlFlow::Break(failure) = end {
        return Err(failure);
    }
    let seconds = begun.elapsed().as_secs_f64();
    if let Some(file) = &arguments.plan_picture {
        plan.draw(&path, file)?;
    }
    let switch = |switch: &afoot_synth::Switch| json!({"asked_m": switch.asked, "at_m": switch.at});
    let told = Told {
        seconds,
        extra: json!({
            "path_m": path.length(),
            "search": {"expanded": found.expanded, "error_m2": found.error},
            "switches": found.switches.iter().map(switch).collect::<Vec<_>>(),
        }),
        path: Some(path.points().to_vec()),
        ..Told::default()
    };
    delivery.finish(&told, console)
}

fn follow_failure(error: FollowError) -> Failure {
    match error {
        FollowError::Stopped(_) => interrupt::failure(),
        error if error.is_bad_request() => Failure::failed(error),
        error => Failure::no_motion(error),
    }
}

fn asked_path(arguments: &FollowArguments) -> Result<GroundPath, Failure> {
    let named = |error| Failure::at(&arguments.path, error);
    let mut path = read_path(&arguments.path)?;
    if arguments.closed && !path.is_closed() {
        let mut points = path.points().to_vec();
        points.extend(points.first().copied());
        let sections = path.sections().to_vec();
        path = GroundPath::new(points).map_err(named)?;
        if !sections.is_empty() {
            path = path.with_sections(sections).map_err(named)?;
        }
    }
    if arguments.style.is_empty() {
        return Ok(path);
    }
    let whole = Section {
        to: path.length(),
        labels: arguments.style.clone(),
    };
    path.with_sections(vec![whole]).map_err(named)
}

/// `CLIP` or `CLIP@SECONDS`.
fn start_of(
    arguments: &FollowArguments,
    repertoire: &Repertoire,
) -> Result<Option<(ClipId, FrameId)>, Failure> {
    let Some(text) = &arguments.start else {
        return Ok(None);
    };
    let (name, seconds) = match text.rsplit_once('@') {
        Some((name, seconds)) => {
            let wrong = || Failure::option("--start", text, "CLIP or CLIP@SECONDS, from 0 s on");
            let seconds = seconds.parse::<f64>().ok();
            let seconds = seconds.filter(|seconds| seconds.is_finite() && *seconds >= 0.0);
            (name, seconds.ok_or_else(wrong)?)
        }
        None => (text.as_str(), 0.0),
    };
    let clip = repertoire
        .clips()
        .iter()
        .position(|clip| clip.name == name)
        .ok_or_else(|| {
            Failure::failed(format!(
                "--start {text}: there is no clip {name:?} in the graph"
            ))
        })?;
    let frame = repertoire.graph().rate.frames_in(seconds);
    Ok(Some((ClipId::from(clip), FrameId::from(frame))))
}
