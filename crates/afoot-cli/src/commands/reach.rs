//! `reach`: motion that ends in a named clip, at a place and heading.

use std::path::PathBuf;

use afoot_core::Planar;
use afoot_synth::{ReachError, ReachOptions, Reached, Repertoire, Target, reach_clip};
use clap::Args;
use serde_json::json;

use crate::arguments::{Common, OutputArguments};
use crate::console::Console;
use crate::delivery::{Told, deliver_whole};
use crate::failure::{Failure, Outcome};
use crate::graphs::repertoire_of;
use crate::plan_picture::PlanPicture;
use crate::report::time_it;
use crate::selection::Selection;
use crate::{interrupt, motion};

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
    #[arg(long, value_name = "X,Z,DEG", allow_hyphen_values = true)]
    from: Option<String>,
    /// Up to the clip use only motion with this label, or of this type
    #[arg(long = "as", value_name = "LABEL")]
    style: Vec<String>,
    #[command(flatten)]
    output: OutputArguments,
    /// Draw the way asked for and the way walked, from above
    #[arg(long, value_name = "FILE.png")]
    plan_picture: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  afoot reach lib.afoot jump --at 3,5 -o jump.bvh
  afoot reach lib.afoot 'kick[1.2s..3s]' --at 3,5 --heading 90 --from 0,0,-45 --as walk -o kick.bvh

The clip's first frame that plays is at the place: of a part, its first; of a whole clip, the first
that a transition leads to. Headings turn from +z towards +x.";

pub fn reach(arguments: &ReachArguments, common: &Common, console: &Console) -> Outcome {
    motion::check_output(&arguments.output)?;
    motion::check_picture_file(arguments.plan_picture.as_deref())?;
    let [x, z] = numbers("--at", &arguments.at, "X,Z")?;
    let [from_x, from_z, degrees] = match &arguments.from {
        Some(text) => numbers("--from", text, "X,Z,DEGREES")?,
        None => [0.0; 3],
    };
    let selection = Selection::parse(&arguments.clip)?;
    let repertoire = repertoire_of(&arguments.library, console)?;
    let target = Target {
        place: [x, z],
        heading: arguments.heading.map(f64::to_radians),
        from: Planar::new(from_x, from_z, degrees.to_radians()),
        ..target_clip(&selection, &repertoire)?
    };
    let options = ReachOptions {
        labels: arguments.style.clone(),
        seed: common.seed,
        run: interrupt::run(),
        ..ReachOptions::default()
    };
    let (reached, seconds) = time_it(|| reach_clip(&repertoire, &target, &options));
    let reached = reached.map_err(reach_failure)?;
    if let Some(file) = &arguments.plan_picture {
        let mut plan = PlanPicture::default();
        plan.add(&reached.played.clip);
        plan.draw(&reached.way, file)?;
    }
    let told = told(&reached, &target, &repertoire, seconds);
    deliver_whole(
        &repertoire,
        &arguments.output,
        reached.played,
        told,
        console,
    )
}

/// The clip and its part, without a place.
fn target_clip(selection: &Selection, repertoire: &Repertoire) -> Result<Target, Failure> {
    let name = &selection.name;
    let clip = repertoire.clip_named(name).ok_or_else(|| {
        Failure::failed(format!("there is no clip {name:?} in the library's graph"))
    })?;
    let known = &repertoire.graph().clips[clip.index()];
    let frames = selection.frames(known.frames as usize, repertoire.graph().rate)?;
    let part = !selection.is_whole();
    Ok(Target {
        clip,
        frames: part.then_some(frames.start as u32..frames.end as u32),
        place: [0.0; 2],
        heading: None,
        from: Planar::IDENTITY,
    })
}

fn told(reached: &Reached, target: &Target, repertoire: &Repertoire, seconds: f64) -> Told {
    let time = |frame: f64| frame * repertoire.graph().rate.frame_time();
    let degrees = reached.heading_error.to_degrees();
    Told {
        seconds,
        place_error: Some([reached.place_error, degrees]),
        extra: json!({
            "place_error_m": reached.place_error,
            "place_error_deg": degrees,
            "place_error_before_warp_m": reached.raw_place_error,
            "at": time(reached.at as f64),
            "clip": repertoire.graph().clips[target.clip.index()].name,
            "from": time(f64::from(reached.frames.start)),
            "to": time(f64::from(reached.frames.end)),
        }),
        ..Told::default()
    }
}

fn reach_failure(error: ReachError) -> Failure {
    match error {
        ReachError::Stopped(_) => interrupt::failure(),
        error if error.is_bad_request() => Failure::failed(error),
        error => Failure::no_motion(error),
    }
}

/// Numbers with commas between them.
fn numbers<const N: usize>(option: &str, text: &str, expected: &str) -> Result<[f64; N], Failure> {
    let wrong = || {
        Failure::failed(format!(
            "{option} {text}: expected {expected}, finite numbers"
        ))
    };
    let numbers: Option<Vec<f64>> = text
        .split(',')
        .map(|part| part.trim().parse::<f64>().ok().filter(|n| n.is_finite()))
        .collect();
    numbers
        .and_then(|numbers| numbers.try_into().ok())
        .ok_or_else(wrong)
}
