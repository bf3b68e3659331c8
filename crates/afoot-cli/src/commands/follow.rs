//! `follow` and `wander`: motion along a path, and motion at random.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use afoot_core::{Clip, ClipId, FrameId};
use afoot_draw::{PathPicture, PathTrace, draw_paths, plants_on_ground, root_trace};
use afoot_formats::files::write_whole;
use afoot_library::LibraryGraph;
use afoot_synth::{
    FollowError, FollowOptions, GroundPath, Repertoire, Section, WanderError, WanderOptions,
    find_walk, follow_in_pieces,
};
use serde_json::json;

use super::graph::graph_in_use;
use super::quality::read_path;
use super::synthesis::{Delivery, Told, deliver_whole, piece_frames, time_it};
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
    let begun = Instant::now();
    let found = find_walk(&repertoire, &path, &options).map_err(follow_failure)?;
    let frames = found.walk.frames(&repertoire);
    let mut delivery = Delivery::new(&repertoire, &arguments.output, frames)?;
    let mut plan = Plan::default();
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
            "switches": found.switches.iter().map(switch).collect::<Vec<_>>(),
        }),
        path: Some(path.points().to_vec()),
        ..Told::default()
    };
    delivery.finish(&told, console)
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
    let told = Told {
        seconds,
        ..Told::default()
    };
    deliver_whole(&repertoire, &arguments.output, played, told, console)
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

/// Where a motion goes, gathered for a picture of it from above.
#[derive(Default)]
pub struct Plan {
    trace: Vec<[f64; 2]>,
    plants: Vec<[f64; 2]>,
}

impl Plan {
    /// The next frames.
    pub fn add(&mut self, clip: &Clip) {
        self.trace.extend(root_trace(clip));
        self.plants.extend(plants_on_ground(clip));
    }

    /// Asked and walked path.
    pub fn draw(self, path: &GroundPath, file: &Path) -> Outcome {
        let picture = PathPicture {
            traces: vec![
                PathTrace::asked("asked", path.points().to_vec()),
                PathTrace::new("walked", self.trace),
            ],
            plants: self.plants,
            ..PathPicture::default()
        };
        Ok(write_whole(file, &draw_paths(&picture)?)?)
    }
}
