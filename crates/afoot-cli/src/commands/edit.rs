//! `edit`: a motion changed by hand.

use std::path::{Path, PathBuf};

use afoot::{
    AnyFile, Edit, EditDetails, Failure, Goal, Input, JointKey, Library, MotionInput, RootKey, Run,
    Shift, Stretch, TimeMark, Workspace,
};
use clap::Args;

use crate::arguments::{OutputArguments, SourceArguments, numbers};
use crate::console::Console;
use crate::failure::Outcome;
use crate::report::delivered_words;

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = EXAMPLES)]
pub struct EditArguments {
    /// The motion file; with --library a clip of it: NAME, NAME[2.0s..4.5s] or NAME[60..135]
    input: String,
    #[command(flatten)]
    output: OutputArguments,
    /// The library that the clip is in
    #[arg(long, value_name = "LIB")]
    library: Option<PathBuf>,
    /// Keep this part alone [s]
    #[arg(long, value_name = "FROM..TO")]
    trim: Option<String>,
    /// Play it backwards
    #[arg(long)]
    backwards: bool,
    /// Let what happens at S happen at T instead [s], faster or slower up to there; may be given several times
    #[arg(long, value_name = "S:T")]
    time: Vec<String>,
    /// Smooth a jump into the frame at this time [s]; may be given several times
    #[arg(long, value_name = "S")]
    seam: Vec<f64>,
    /// Let the last frame lead into the first, for a motion that is repeated
    #[arg(long)]
    loop_seam: bool,
    /// Bend the root's way along this path, as far as people do not notice
    #[arg(long, value_name = "FILE")]
    along: Option<PathBuf>,
    /// Bend the root's way so that it ends there [m, degrees]
    #[arg(long, value_name = "X,Z[,DEG]", allow_hyphen_values = true)]
    to: Option<String>,
    /// Move the motion [m]; with --at only around that time
    #[arg(long = "move", value_name = "X,Z", allow_hyphen_values = true)]
    shift: Option<String>,
    /// Turn it to the left about its root [degrees]; with --at only around that time
    #[arg(long, value_name = "DEG", allow_hyphen_values = true)]
    turn: Option<f64>,
    /// When --move and --turn are felt most [s]
    #[arg(long, value_name = "S")]
    at: Option<f64>,
    /// Turn a joint about x, y, z at this time, beyond what it does; may be given several times
    #[arg(long, value_name = "JOINT,S,RX,RY,RZ", allow_hyphen_values = true)]
    key: Vec<String>,
    /// How far --at, --key and --seam are felt to either side [s]
    #[arg(long, value_name = "S", default_value_t = Edit::default().ease)]
    ease: f64,
    /// Leave feet where the changes bring them, instead of putting plants still again
    #[arg(long)]
    leave_feet: bool,
    #[command(flatten)]
    source: SourceArguments,
}

const EXAMPLES: &str = "\
What is asked for is done in this order: --trim, --backwards, --time, --seam, --loop-seam, --along, --to, --at
with --move and --turn, --key, --move and --turn of the whole; then planted feet are put still. Times are
those of the motion as trimmed and turned round, after --time as it plays then.

Examples:
  afoot edit walk.bvh --trim 1..3.5 --loop-seam -o cycle.bvh
  afoot edit walk.bvh --time 1:1.5 --time 2:2 -o pause.bvh   slower up to 1 s, then faster
  afoot edit walk.bvh --to 1,4,30 -o there.bvh              ends 1 m aside, facing 30 degrees
  afoot edit walk.bvh --move 0.2,0 --at 2 --ease 1 -o aside.bvh
  afoot edit walk.bvh --key LeftArm,1.5,0,0,60 -o greet.glb
  afoot edit 'walk[0.5s..3s]' --library lib.afoot --turn 90 -o turned.bvh";

pub fn edit(arguments: &EditArguments, run: &Run, console: &Console) -> Outcome {
    let edit = meant(arguments)?;
    let output = (&arguments.output).into();
    let edited = match &arguments.library {
        Some(library) => Library::open(library)?.deliver(&edit, &output, run)?,
        None => Workspace::from(&AnyFile).deliver(&edit, &output, run)?,
    };
    console.done(&edited, |edited| {
        delivered_words(edited) + &warp_words(&edited.details)
    })
}

fn meant(arguments: &EditArguments) -> Result<Edit, Failure> {
    let shift = shift(arguments)?;
    Ok(Edit {
        input: match arguments.library {
            Some(_) => MotionInput::Clip(arguments.input.clone()),
            None => MotionInput::File(arguments.source.file(Path::new(&arguments.input))),
        },
        trim: arguments.trim.as_deref().map(parse_trim).transpose()?,
        backwards: arguments.backwards,
        times: arguments
            .time
            .iter()
            .map(|text| parse_time(text))
            .collect::<Result<_, _>>()?,
        seams: arguments.seam.clone(),
        loop_seam: arguments.loop_seam,
        along: arguments.along.clone().map(Input::from),
        to: arguments.to.as_deref().map(parse_goal).transpose()?,
        shifts: match (arguments.at, shift) {
            (Some(at), Some(by)) => vec![RootKey { at, by }],
            _ => Vec::new(),
        },
        keys: arguments
            .key
            .iter()
            .map(|text| parse_key(text))
            .collect::<Result<_, _>>()?,
        place: shift.filter(|_| arguments.at.is_none()),
        ease: arguments.ease,
        leave_feet: arguments.leave_feet,
    })
}

/// What --move and --turn say together.
fn shift(arguments: &EditArguments) -> Result<Option<Shift>, Failure> {
    let moved = arguments.shift.as_deref();
    let moved = moved.map(|text| numbers("move", text, "X,Z")).transpose()?;
    match (moved, arguments.turn, arguments.at) {
        (None, None, None) => Ok(None),
        (None, None, Some(at)) => {
            let expected = "a --move or a --turn beside it";
            Err(Failure::bad_value("at", at, expected))
        }
        (moved, turn, _) => {
            let [x, z] = moved.unwrap_or_default();
            let turn = turn.unwrap_or_default();
            Ok(Some(Shift { x, z, turn }))
        }
    }
}

/// `FROM..TO`.
fn parse_trim(text: &str) -> Result<Stretch, Failure> {
    let wrong = || Failure::bad_value("trim", text, "FROM..TO in seconds, such as 1..3.5");
    let (from, to) = text.split_once("..").ok_or_else(wrong)?;
    let second = |text: &str| {
        text.trim()
            .trim_end_matches('s')
            .parse()
            .map_err(|_| wrong())
    };
    let (from, to) = (second(from)?, second(to)?);
    Ok(Stretch { from, to })
}

/// `S:T`.
fn parse_time(text: &str) -> Result<TimeMark, Failure> {
    let wrong = || Failure::bad_value("time", text, "S:T in seconds, such as 1:1.5");
    let (at, then) = text.split_once(':').ok_or_else(wrong)?;
    let seconds = |text: &str| {
        text.trim()
            .parse()
            .ok()
            .filter(|value: &f64| value.is_finite())
    };
    match (seconds(at), seconds(then)) {
        (Some(at), Some(then)) => Ok(TimeMark { at, then }),
        _ => Err(wrong()),
    }
}

/// `X,Z` or `X,Z,DEGREES`.
fn parse_goal(text: &str) -> Result<Goal, Failure> {
    let expected = "X,Z or X,Z,DEGREES";
    let heading = text.matches(',').count() > 1;
    let [x, z, degrees] = match heading {
        true => numbers("to", text, expected)?,
        false => {
            let [x, z] = numbers("to", text, expected)?;
            [x, z, 0.0]
        }
    };
    let heading = heading.then_some(degrees);
    Ok(Goal { x, z, heading })
}

/// `JOINT,SECONDS,RX,RY,RZ`.
fn parse_key(text: &str) -> Result<JointKey, Failure> {
    let expected = "JOINT,SECONDS,RX,RY,RZ";
    let wrong = || Failure::bad_value("key", text, expected);
    let (joint, rest) = text.split_once(',').ok_or_else(wrong)?;
    let [at, x, y, z] = numbers("key", rest, expected)?;
    Ok(JointKey {
        at,
        joint: joint.into(),
        turn: [x, y, z],
    })
}

fn warp_words(details: &EditDetails) -> String {
    details.warped.map_or(String::new(), |warped| {
        format!(
            "the way was bent by up to {:.2} m and {:.0} degrees, {:.2} m and {:.0} degrees on a metre\n",
            warped.moved_m, warped.turned_deg, warped.moved_a_metre, warped.turned_a_metre_deg
        )
    })
}
