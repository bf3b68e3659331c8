//! `stride`: a walk with other steps, on other ground.

use std::path::PathBuf;

use afoot::{
    Failure, FootprintWish, HeightGrid, Library, MotionInput, ObstacleWish, Run, StairsWish,
    Stride, StrideDetails,
};
use clap::Args;

use crate::arguments::{OutputArguments, numbers, read_json};
use crate::console::Console;
use crate::failure::Outcome;
use crate::report::delivered_words;

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = EXAMPLES)]
pub struct StrideArguments {
    /// The library
    library: PathBuf,
    /// The walk: NAME, NAME[2.0s..4.5s] or NAME[60..135]
    clip: String,
    #[command(flatten)]
    output: OutputArguments,
    /// How long steps are: 1.2 times as long, or 0.8m [default: as captured]
    #[arg(long, value_name = "X|METRESm")]
    stride: Option<String>,
    /// How high feet are lifted: twice as high as 2, or 0.15m [default: as captured]
    #[arg(long, value_name = "X|METRESm")]
    lift: Option<String>,
    /// Come to the stride step by step from the captured one; with a number, add it to the factor of each
    /// step after the first
    #[arg(long, value_name = "DELTA", num_args = 0..=1, allow_negative_numbers = true)]
    ramp: Option<Option<f64>>,
    /// Walk exactly so far, repeating or cutting the clip [m]
    #[arg(long, value_name = "M")]
    metres: Option<f64>,
    /// Begin out of a stand, over so many steps
    #[arg(long, value_name = "STEPS", default_value_t = Stride::default().from_stand)]
    from_stand: usize,
    /// End in a stand, over so many steps
    #[arg(long, value_name = "STEPS", default_value_t = Stride::default().to_stand)]
    to_stand: usize,
    /// Walk so many times as fast, half by longer steps and half by quicker ones
    #[arg(long, value_name = "X", default_value_t = Stride::default().speed)]
    speed: f64,
    /// Walk a curve of this radius to the left; to the right if it is negative [m]
    #[arg(long, value_name = "M", allow_hyphen_values = true)]
    radius: Option<f64>,
    /// Walk up a slope, down if it is negative [degrees]
    #[arg(
        long,
        value_name = "DEG",
        allow_hyphen_values = true,
        default_value_t = Stride::default().incline
    )]
    incline: f64,
    /// Walk on stairs, a foot to a tread, down if the rise is negative; FROM is where the first edge is [m]
    #[arg(long, value_name = "RISE,TREAD[,FROM]", allow_hyphen_values = true)]
    stairs: Option<String>,
    /// Step over something across the way, so far from where the walk begins; may be given several times [m]
    #[arg(long, value_name = "AT,HEIGHT[,DEPTH]")]
    obstacle: Vec<String>,
    /// Walk on uneven ground: a JSON file with "origin", "cell" and "heights" over the floor [m]
    #[arg(long, value_name = "FILE")]
    terrain: Option<PathBuf>,
    /// Step on these places: a JSON list of {"foot": "left", "x": 0, "z": 1, "heading": 0}
    #[arg(long, value_name = "FILE")]
    footprints: Option<PathBuf>,
    /// Don't put feet still before anything is changed
    #[arg(long)]
    leave_feet: bool,
}

const EXAMPLES: &str = "\
Root, feet and legs change; upper body, turns and step widths stay. Nothing asked gives the walk back.

Examples:
  afoot stride lib.afoot walk --stride 1.2 -o longer.bvh
  afoot stride lib.afoot walk --stride 0.6 --ramp -o shorter_and_shorter.bvh
  afoot stride lib.afoot walk --lift 3 -o marching.bvh
  afoot stride lib.afoot walk --metres 7.35 --to-stand 3 -o there.bvh
  afoot stride lib.afoot walk --incline -12 -o downhill.glb
  afoot stride lib.afoot walk --stairs 0.17,0.29 -o upstairs.glb
  afoot stride lib.afoot walk --obstacle 2.5,0.2,0.15 -o over_the_log.bvh";

/// How deep an obstacle is if nothing is said. [m]
const DEPTH: f64 = 0.1;

pub fn stride(arguments: &StrideArguments, run: &Run, console: &Console) -> Outcome {
    let stride = meant(arguments)?;
    let library = Library::open(&arguments.library)?;
    let changed = library.deliver(&stride, &(&arguments.output).into(), run)?;
    console.done(&changed, |changed| {
        stride_words(&changed.details) + &delivered_words(changed)
    })
}

fn meant(arguments: &StrideArguments) -> Result<Stride, Failure> {
    let (stride, stride_m) = measure("stride", arguments.stride.as_deref())?;
    let (lift, lift_m) = measure("lift", arguments.lift.as_deref())?;
    Ok(Stride {
        input: MotionInput::Clip(arguments.clip.clone()),
        stride,
        stride_m,
        lift,
        lift_m,
        ramp: arguments.ramp.flatten().unwrap_or(0.0),
        ramp_to: arguments.ramp == Some(None),
        metres: arguments.metres,
        from_stand: arguments.from_stand,
        to_stand: arguments.to_stand,
        speed: arguments.speed,
        radius: arguments.radius,
        incline: arguments.incline,
        stairs: arguments.stairs.as_deref().map(parse_stairs).transpose()?,
        terrain: read_json::<HeightGrid>(arguments.terrain.as_ref())?,
        obstacles: (arguments.obstacle.iter())
            .map(|text| parse_obstacle(text))
            .collect::<Result<_, _>>()?,
        footprints: read_footprints(arguments.footprints.as_ref())?,
        leave_feet: arguments.leave_feet,
    })
}

/// `1.2`, or `0.8m`.
fn measure(option: &str, text: Option<&str>) -> Result<(f64, Option<f64>), Failure> {
    let Some(text) = text else {
        return Ok((1.0, None));
    };
    let wrong = || Failure::bad_value(option, text, "a factor such as 1.2, or metres such as 0.8m");
    let number = |text: &str| {
        let number: Option<f64> = text.trim().parse().ok();
        number
            .filter(|number| number.is_finite() && *number > 0.0)
            .ok_or_else(wrong)
    };
    match text.strip_suffix('m') {
        Some(metres) => Ok((1.0, Some(number(metres)?))),
        None => Ok((number(text)?, None)),
    }
}

/// `RISE,TREAD` or `RISE,TREAD,FROM`.
fn parse_stairs(text: &str) -> Result<StairsWish, Failure> {
    let expected = "RISE,TREAD or RISE,TREAD,FROM";
    let ([rise, tread], from) = match text.matches(',').count() {
        2 => {
            let [rise, tread, from] = numbers("stairs", text, expected)?;
            ([rise, tread], Some(from))
        }
        _ => (numbers("stairs", text, expected)?, None),
    };
    Ok(StairsWish { rise, tread, from })
}

/// `AT,HEIGHT` or `AT,HEIGHT,DEPTH`.
fn parse_obstacle(text: &str) -> Result<ObstacleWish, Failure> {
    let expected = "AT,HEIGHT or AT,HEIGHT,DEPTH";
    let [at, height, depth] = match text.matches(',').count() {
        2 => numbers("obstacle", text, expected)?,
        _ => {
            let [at, height] = numbers("obstacle", text, expected)?;
            [at, height, DEPTH]
        }
    };
    Ok(ObstacleWish { at, height, depth })
}

/// A file without any would be a walk as it is, which nobody asks for by naming one.
fn read_footprints(file: Option<&PathBuf>) -> Result<Vec<FootprintWish>, Failure> {
    match (read_json::<Vec<FootprintWish>>(file)?, file) {
        (Some(places), Some(file)) if places.is_empty() => {
            Err(Failure::at(file, "expected footprints, found none"))
        }
        (places, _) => Ok(places.unwrap_or_default()),
    }
}

fn stride_words(details: &StrideDetails) -> String {
    let lengths = details
        .steps
        .iter()
        .map(|step| format!("{:.2}", step.made_m));
    let lengths: Vec<String> = lengths.collect();
    let edge = details.first_edge_m.map_or(String::new(), |edge| {
        format!("the first edge is {edge:.2} m from the start\n")
    });
    format!(
        "{} steps [m]: {}\n{:.2} times the captured, {:.2} m in all; hips lowered by {:.1} cm at most\n{edge}",
        details.steps.len(),
        lengths.join(" "),
        details.factor,
        details.metres,
        details.lowered_m * 100.0
    )
}
