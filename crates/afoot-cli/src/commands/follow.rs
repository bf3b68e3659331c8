//! `follow` and `wander`: motion along a path, and motion at random.

use std::path::Path;

use afoot_core::{ClipId, FrameId};
use afoot_draw::{PathPicture, PathTrace, draw_paths, plants_on_ground, root_trace};
use afoot_formats::files::write_whole;
use afoot_library::LibraryGraph;
use afoot_synth::{
    FollowError, FollowOptions, Followed, GroundPath, Played, Repertoire, Section, WanderError,
    WanderOptions, follow_path,
};
use serde_json::json;

use super::graph::graph_in_use;
use super::quality::read_path;
use super::synthesis::{Made, time_it};
use crate::arguments::{Common, FollowArguments, WanderArguments};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::{interrupt, motion};

pub fn follow(arguments: &FollowArguments, common: &Common, console: &Console) -> Outcome {
    motion::check_output(&arguments.output)?;
    let path = asked_path(arguments)?;
    let repertoire = repertoire_of(&arguments.library, console)?;
    let mut options = FollowOptions {
        start: start_of(arguments, &repertoire)?,
        seed: common.seed,
        cancel: Some(interrupt::flag()),
        ..FollowOptions::default()
    };
    if arguments.exact_source {
        options.finish.warp = None;
    }
    let (followed, seconds) = time_it(|| follow_path(&repertoire, &path, &options));
    let Followed { played, found } = followed.map_err(follow_failure)?;
    if let Some(file) = &arguments.plan_picture {
        draw_plan(&path, &played, file)?;
    }
    let switch = |switch: &afoot_synth::Switch| json!({"asked_m": switch.asked, "at_m": switch.at});
    let made = Made {
        repertoire: &repertoire,
        played,
        path: Some(path.points().to_vec()),
        seconds,
        extra: json!({
            "path_m": path.length(),
            "switches": found.switches.iter().map(switch).collect::<Vec<_>>(),
        }),
    };
    made.deliver(&arguments.output, console)
}

/// The library's graph, ready to be searched.
pub fn repertoire_of(library: &Path, console: &Console) -> Result<Repertoire, Failure> {
    let LibraryGraph { graph, clips, .. } = graph_in_use(library, console)?;
    Repertoire::new(graph, &clips).map_err(Failure::no_motion)
}

pub fn wander(arguments: &WanderArguments, common: &Common, console: &Console) -> Outcome {
    motion::check_output(&arguments.output)?;
    let repertoire = repertoire_of(&arguments.library, console)?;
    let options = WanderOptions {
        seconds: arguments.seconds,
        labels: arguments.style.clone(),
        seed: common.seed,
        cancel: Some(interrupt::flag()),
        ..WanderOptions::default()
    };
    let (played, seconds) = time_it(|| afoot_synth::wander(&repertoire, &options));
    let played = played.map_err(|error| match error {
        WanderError::Cancelled => interrupt::failure(),
        error if error.is_bad_request() => Failure::failed(error),
        error => Failure::no_motion(error),
    })?;
    let made = Made {
        repertoire: &repertoire,
        played,
        path: None,
        seconds,
        extra: json!({}),
    };
    made.deliver(&arguments.output, console)
}

fn follow_failure(error: FollowError) -> Failure {
    match error {
        FollowError::Cancelled => interrupt::failure(),
        error if error.is_bad_request() => Failure::failed(error),
        error => Failure::no_motion(error),
    }
}

fn asked_path(arguments: &FollowArguments) -> Result<GroundPath, Failure> {
    let named = |error: &dyn std::fmt::Display| {
        Failure::failed(format!("{}: {error}", arguments.path.display()))
    };
    let mut path = read_path(&arguments.path)?;
    if arguments.closed && !path.is_closed() {
        let mut points = path.points().to_vec();
        points.extend(points.first().copied());
        let sections = path.sections().to_vec();
        path = GroundPath::new(points).map_err(|error| named(&error))?;
        if !sections.is_empty() {
            path = path
                .with_sections(sections)
                .map_err(|error| named(&error))?;
        }
    }
    if arguments.style.is_empty() {
        return Ok(path);
    }
    let whole = Section {
        to: path.length(),
        labels: arguments.style.clone(),
    };
    path.with_sections(vec![whole])
        .map_err(|error| named(&error))
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
            let wrong =
                |_| Failure::failed(format!("--start {text}: expected CLIP or CLIP@SECONDS"));
            (name, seconds.parse::<f64>().map_err(wrong)?)
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

/// Asked and walked path from above.
pub fn draw_plan(path: &GroundPath, played: &Played, file: &Path) -> Outcome {
    let picture = PathPicture {
        traces: vec![
            PathTrace::asked("asked", path.points().to_vec()),
            PathTrace::new("walked", root_trace(&played.clip)),
        ],
        plants: plants_on_ground(&played.clip),
        ..PathPicture::default()
    };
    Ok(write_whole(file, &draw_paths(&picture)?)?)
}
