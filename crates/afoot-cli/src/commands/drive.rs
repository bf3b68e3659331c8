//! `drive`: a figure steered by a script of wishes, as a game would steer it.

use std::path::PathBuf;

use afoot::{Drive, Failure, Library, Run, SteeringTimes, Wish};
use clap::Args;

use crate::arguments::{MovingArguments, OutputArguments};
use crate::commands::live::drive_live;
use crate::console::Console;
use crate::failure::Outcome;
use crate::report::delivered_words;

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = EXAMPLES)]
pub struct DriveArguments {
    /// The library
    library: PathBuf,
    /// What is wanted when: SECONDS:DEGREES[:LABEL], several [default: random directions]
    #[arg(long, value_name = "S:DEG[:LABEL]", allow_hyphen_values = true)]
    steer: Vec<String>,
    /// Length of the motion [s]
    #[arg(long, value_name = "S", required_unless_present = "live")]
    seconds: Option<f64>,
    /// Measure too how soon a new direction is taken, and how long the controller's calls take:
    /// an hour of random directions
    #[arg(long)]
    reaction: bool,
    /// Steer from the keyboard, here in the terminal: W A S D or arrows; nothing is written
    #[arg(long, conflicts_with_all = ["steer", "seconds", "reaction", "facing", "speed", "style", "stride", "lift", "incline", "output"])]
    live: bool,
    /// How long steps are, in parts of the captured
    #[arg(long, value_name = "X", default_value_t = Drive::default().stride)]
    stride: f64,
    /// How high feet are lifted, in parts of the captured
    #[arg(long, value_name = "X", default_value_t = Drive::default().lift)]
    lift: f64,
    /// Walk up a slope from where it begins, down if it is negative [degrees]
    #[arg(long, value_name = "DEG", default_value_t = Drive::default().incline)]
    incline: f64,
    #[command(flatten)]
    moving: MovingArguments,
    #[command(flatten)]
    output: Option<OutputArguments>,
}

const EXAMPLES: &str = "\
Directions are degrees: 0 goes along +z, 90 along +x. With --reaction the report tells, beside the
quality of the motion, how long it takes from a new direction to moving within 30 degrees of it
(the way of the root over the last tenth of a second, at 0.25 m/s or more), over half an hour of
random directions; the least time that captured motion and transitions alone would allow; and the
longest call of the controller in ten minutes, each call at its fastest in three equal drives,
since other programs interrupt it.

Examples:
  afoot drive lib.afoot --steer 0:0 --steer 3:90 --steer 6:180 --seconds 10 -o drive.bvh
  afoot drive lib.afoot --steer 0:0:walk --steer 4:-45:run --seconds 8 -o drive.glb --json
  afoot drive lib.afoot --seconds 600 -o random.bvh       random directions, by --seed
  afoot drive lib.afoot --stride 1.15 --incline 5 --seconds 20 -o uphill.bvh
  afoot drive lib.afoot --live                            from the keyboard";

pub fn drive(arguments: &DriveArguments, run: &Run, console: &Console) -> Outcome {
    let library = Library::open(&arguments.library)?;
    let (Some(seconds), Some(output)) = (arguments.seconds, &arguments.output) else {
        return drive_live(&library, run, console);
    };
    let steer = arguments.steer.iter().map(|text| parse_wish(text));
    let drive = Drive {
        steer: steer.collect::<Result<_, _>>()?,
        seconds,
        reaction: arguments.reaction,
        moving: arguments.moving.moving()?,
        stride: arguments.stride,
        lift: arguments.lift,
        incline: arguments.incline,
    };
    let delivered = library.deliver(&drive, &output.into(), run)?;
    console.done(&delivered, |delivered| {
        let times = delivered.details.measured.as_ref();
        delivered_words(delivered) + &times.map_or(String::new(), drive_words)
    })
}

fn drive_words(told: &SteeringTimes) -> String {
    let reaction = &told.reaction_s;
    format!(
        "longest call {:.3} ms, {:.3} ms with what else the computer did\n\
         a new direction takes {:.2} s (median), {:.2} s (95 of 100), {:.2} s and {:.2} s at least \
         by captured motion and transitions alone\n",
        told.worst_call_ms,
        told.worst_call_with_interruptions_ms,
        reaction.median,
        reaction.p95,
        reaction.bound_median,
        reaction.bound_p95,
    )
}

/// `SECONDS:DEGREES[:LABEL]`.
fn parse_wish(text: &str) -> Result<Wish, Failure> {
    let wrong = || Failure::bad_value("steer", text, "SECONDS:DEGREES[:LABEL], from 0 s on");
    let mut parts = text.splitn(3, ':');
    let mut number = || -> Result<f64, Failure> {
        let value = parts
            .next()
            .and_then(|part| part.trim().parse::<f64>().ok());
        value.filter(|value| value.is_finite()).ok_or_else(wrong)
    };
    let (at, degrees) = (number()?, number()?);
    if at < 0.0 {
        return Err(wrong());
    }
    Ok(Wish {
        at,
        degrees,
        label: parts.next().map(str::to_owned),
    })
}
