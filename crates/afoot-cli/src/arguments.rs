//! The command line as typed, as far as commands share it. Each command's own arguments stand at the
//! top of its module in `commands`, and what is meant by them is worked out there.

use std::path::{Path, PathBuf};

use afoot::{
    DrawingOptions, FacingWish, FacingWord, Failure, LengthUnit, MotionFile, Moving, Output, Run,
    Stand, Standing, Up, read_text,
};
use clap::{ArgMatches, Args, CommandFactory, Parser, ValueEnum};
use serde::de::DeserializeOwned;

use crate::commands::Command;
use crate::defaults::typed;

/// New, believable character motion out of motion that was captured before.
#[derive(Debug, Parser)]
#[command(name = "afoot", version, propagate_version = true, after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

/// The command line as it was typed.
pub struct Typed {
    command: clap::Command,
    /// What was found in it.
    pub matches: ArgMatches,
}

/// Commands that draw lots.
const SEEDED: [&str; 7] = [
    "crowd", "drive", "follow", "perform", "reach", "survey", "wander",
];

/// The command line, with `--seed` among the options of the commands where it does something.
pub fn command_line() -> clap::Command {
    let command = Arguments::command();
    let seed = {
        let mut common = command.get_arguments();
        common.find(|argument| argument.get_id() == "seed").cloned()
    };
    let Some(seed) = seed else {
        return command;
    };
    // Who has it already does not get the hidden one.
    SEEDED.iter().fold(command, |command, name| {
        command.mut_subcommand(name, |one| one.arg(seed.clone().hide(false)))
    })
}

impl Typed {
    /// Reads the command line; help, and usage that is wrong, end the program here.
    pub fn of(command: clap::Command) -> Self {
        let matches = command.clone().get_matches();
        Self { command, matches }
    }

    /// Refuses numbers that are none.
    pub fn check(&self) -> Result<(), Failure> {
        let mut level = Some(&self.matches);
        while let Some(matches) = level {
            if let Some((name, found)) = not_finite(matches) {
                return Err(Failure::bad_value(&name, found, "a finite number"));
            }
            level = matches.subcommand().map(|(_, inner)| inner);
        }
        Ok(())
    }

    /// The long options of the command that was asked for.
    pub fn options(&self) -> Vec<String> {
        let (mut command, mut matches) = (&self.command, &self.matches);
        let mut names = Vec::new();
        loop {
            let own = command
                .get_arguments()
                .filter_map(|argument| argument.get_long());
            names.extend(own.map(str::to_owned));
            let inner = matches.subcommand();
            let found =
                inner.and_then(|(name, inner)| Some((command.find_subcommand(name)?, inner)));
            match found {
                Some(next) => (command, matches) = next,
                None => return names,
            }
        }
    }
}

/// An option whose number is not a number, or infinite.
fn not_finite(matches: &ArgMatches) -> Option<(String, f64)> {
    matches.ids().find_map(|id| {
        let wide = matches.try_get_many::<f64>(id.as_str()).ok().flatten();
        let narrow = matches.try_get_many::<f32>(id.as_str()).ok().flatten();
        let wide = wide.into_iter().flatten().copied();
        let narrow = narrow
            .into_iter()
            .flatten()
            .map(|number| f64::from(*number));
        let wrong = wide.chain(narrow).find(|number| !number.is_finite());
        wrong.map(|number| (id.as_str().to_owned(), number))
    })
}

const EXAMPLES: &str = "\
Examples:
  afoot demo                                    show the product on sample motion
  afoot import walks.afoot capture/*.bvh        read a folder of files into a library
  afoot graph walks.afoot --threshold 4         find where its clips connect
  afoot follow walks.afoot --path room.svg -o walk.bvh
  afoot judge walk.bvh --library walks.afoot    how good is it?";

/// Options that every command takes.
#[derive(Debug, Clone, Args)]
pub struct Common {
    /// Print one JSON object on standard output and nothing else there
    #[arg(long, global = true)]
    pub json: bool,
    /// Print nothing but errors, and what was asked to be shown
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Threads to work with [default: one per core]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Seed of everything random; the same seed gives the same bytes
    // Every command takes it, and the help of those that draw lots lists it: see `command_line`.
    #[arg(long, global = true, hide = true, value_name = "N", default_value_t = Run::default().seed)]
    pub seed: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum UnitArgument {
    Auto,
    M,
    Cm,
    Mm,
    In,
    Cmu,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum UpArgument {
    Auto,
    X,
    Y,
    Z,
}

impl From<UnitArgument> for LengthUnit {
    fn from(unit: UnitArgument) -> Self {
        match unit {
            UnitArgument::Auto => Self::Auto,
            UnitArgument::M => Self::M,
            UnitArgument::Cm => Self::Cm,
            UnitArgument::Mm => Self::Mm,
            UnitArgument::In => Self::In,
            UnitArgument::Cmu => Self::Cmu,
        }
    }
}

impl From<UpArgument> for Up {
    fn from(up: UpArgument) -> Self {
        match up {
            UpArgument::Auto => Self::Auto,
            UpArgument::X => Self::X,
            UpArgument::Y => Self::Y,
            UpArgument::Z => Self::Z,
        }
    }
}

/// Where synthesised or exported motion goes.
#[derive(Debug, Clone, Args)]
pub struct OutputArguments {
    /// The motion file: .bvh, .amc (with an .asf beside it), .glb or .fbx (export and convert: .usda too)
    #[arg(short, long = "output", value_name = "FILE")]
    pub output: PathBuf,
    /// Unit of length in the .bvh, .amc or .fbx file that is written [default: cm, or the input's]
    #[arg(long = "unit", value_enum, value_name = "UNIT")]
    pub output_unit: Option<UnitArgument>,
    /// Draw the motion as stick figures into this PNG as well
    #[arg(long, value_name = "FILE.png")]
    pub picture: Option<PathBuf>,
    /// Write a page that plays the motion: one HTML file that needs nothing else
    #[arg(long, value_name = "FILE.html")]
    pub page: Option<PathBuf>,
    /// Put the motion onto the skeleton in this file; a .glb character written to a .glb file keeps its mesh
    /// and materials
    #[arg(long, value_name = "RIG")]
    pub onto: Option<PathBuf>,
    /// Replace what would else be kept: the file that is read, an .asf of other motion
    #[arg(long)]
    pub force: bool,
}

/// What a motion file that is read does not say itself.
#[derive(Debug, Clone, Args)]
pub struct SourceArguments {
    /// The unit of length in the file that is read
    #[arg(long, visible_alias = "input-unit", value_enum, value_name = "UNIT", default_value = typed(LengthUnit::default()))]
    pub source_unit: UnitArgument,
    /// The rate at capture, where the file is wrong about it or silent
    #[arg(long, value_name = "F")]
    pub source_fps: Option<f64>,
    /// Take a file that is cut off as far as it goes
    #[arg(long)]
    pub partial: bool,
    /// Which animation of a file with several [default: the first that moves]
    #[arg(long, value_name = "NAME")]
    pub take: Option<String>,
    /// A JSON file that says which joint is which body part: {"Bone.003": "left_up_leg"}
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
}

impl SourceArguments {
    /// A file, read as these say.
    pub fn file(&self, file: &Path) -> MotionFile {
        MotionFile {
            file: file.into(),
            unit: self.source_unit.into(),
            partial: self.partial,
            take: self.take.clone(),
            map: self.map.clone().map(Into::into),
            source_fps: self.source_fps,
        }
    }
}

impl From<&OutputArguments> for Output {
    fn from(arguments: &OutputArguments) -> Self {
        Self {
            file: arguments.output.clone(),
            also: Vec::new(),
            unit: arguments
                .output_unit
                .map_or(LengthUnit::Auto, LengthUnit::from),
            picture: arguments.picture.clone(),
            page: arguments.page.clone(),
            force: arguments.force,
            plan_picture: None,
            onto: arguments.onto.clone(),
        }
    }
}

/// How a drawn path lies on the ground.
#[derive(Debug, Clone, Args)]
pub struct DrawingArguments {
    /// Length of a user unit of an SVG drawing [m] [default: 1]
    #[arg(long, value_name = "M", conflicts_with = "fit")]
    pub scale: Option<f64>,
    /// Width or depth of the drawing on the ground, whichever is larger: 10m or 250cm
    #[arg(long, value_name = "LENGTH", value_parser = parse_length)]
    pub fit: Option<f64>,
    /// Which stroke of the drawing to follow, counted from 1, or all of them in drawing order
    #[arg(long, value_name = "N|all", default_value = "all", value_parser = parse_stroke)]
    pub stroke: StrokeChoice,
}

/// `N` or `all`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StrokeChoice(Option<usize>);

fn parse_stroke(text: &str) -> Result<StrokeChoice, String> {
    match text {
        "all" => Ok(StrokeChoice(None)),
        number => match number.parse() {
            Ok(number) if number > 0 => Ok(StrokeChoice(Some(number))),
            _ => Err("expected a number from 1 on, or all".into()),
        },
    }
}

/// A length in metres or with its unit.
fn parse_length(text: &str) -> Result<f64, String> {
    let units = [("mm", 1e-3), ("cm", 1e-2), ("m", 1.0)];
    let unit = units.iter().find(|(unit, _)| text.ends_with(unit));
    let (number, metres) = unit.map_or((text, 1.0), |(unit, metres)| {
        (&text[..text.len() - unit.len()], *metres)
    });
    match number.trim().parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 => Ok(number * metres),
        _ => Err("expected a length of more than 0: 10m, 250cm".into()),
    }
}

impl From<&DrawingArguments> for DrawingOptions {
    fn from(arguments: &DrawingArguments) -> Self {
        Self {
            scale: arguments.scale,
            fit: arguments.fit,
            stroke: arguments.stroke.0,
        }
    }
}

/// Whether motion begins and ends in a stand.
#[derive(Debug, Clone, Args)]
pub struct StandingArguments {
    /// Begin in a stand: always, if the library has one; where it can, at little cost; or never, in
    /// mid-stride
    #[arg(long, value_enum, value_name = "WHEN", num_args = 0..=1, require_equals = true,
          default_value = typed(Standing::default().from_stand), default_missing_value = "always")]
    pub from_stand: StandArgument,
    /// End in a stand, likewise
    #[arg(long, value_enum, value_name = "WHEN", num_args = 0..=1, require_equals = true,
          default_value = typed(Standing::default().to_stand), default_missing_value = "always")]
    pub to_stand: StandArgument,
}

/// When to stand.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum StandArgument {
    /// Wherever the library has a stand
    Always,
    /// Where it can, at little cost
    IfItCan,
    /// In mid-stride, if that fits better
    Never,
}

impl From<StandArgument> for Stand {
    fn from(when: StandArgument) -> Self {
        match when {
            StandArgument::Always => Self::Always,
            StandArgument::IfItCan => Self::IfItCan,
            StandArgument::Never => Self::Never,
        }
    }
}

impl StandingArguments {
    /// What they mean.
    pub fn standing(&self) -> Standing {
        Standing {
            from_stand: self.from_stand.into(),
            to_stand: self.to_stand.into(),
        }
    }
}

/// How a figure is to move, beside where.
#[derive(Debug, Clone, Args)]
pub struct MovingArguments {
    /// Which way it faces: ahead, any, or degrees to the left of where it goes (180: backwards)
    #[arg(
        long,
        value_name = "ahead|any|DEG",
        default_value = typed(Moving::default().facing),
        allow_hyphen_values = true
    )]
    pub facing: String,
    /// How fast it goes, as near as the library can [m/s] [default: as the library's walks do]
    #[arg(long, value_name = "M/S")]
    pub speed: Option<f64>,
    /// A label or type that its motion had better carry, though it need not
    #[arg(long, value_name = "LABEL")]
    pub style: Vec<String>,
}

impl MovingArguments {
    /// What they mean.
    pub fn moving(&self) -> Result<Moving, Failure> {
        let facing = match self.facing.as_str() {
            "ahead" => FacingWish::Word(FacingWord::Ahead),
            "any" => FacingWish::Word(FacingWord::Any),
            degrees => FacingWish::Degrees(degrees.parse().map_err(|_| {
                Failure::bad_value("facing", degrees, "ahead, any or an angle in degrees")
            })?),
        };
        Ok(Moving {
            facing,
            speed: self.speed,
            style: self.style.clone(),
        })
    }
}

/// What a JSON file says, if one is named.
pub fn read_json<T: DeserializeOwned>(file: Option<&PathBuf>) -> Result<Option<T>, Failure> {
    let Some(file) = file else {
        return Ok(None);
    };
    let read = serde_json::from_str(&read_text(file)?);
    read.map(Some).map_err(|error| Failure::at(file, error))
}

/// Numbers with commas between them.
pub fn numbers<const N: usize>(
    option: &str,
    text: &str,
    expected: &str,
) -> Result<[f64; N], Failure> {
    let wrong = || Failure::bad_value(option, text, &format!("{expected}, finite numbers"));
    let numbers: Option<Vec<f64>> = text
        .split(',')
        .map(|part| part.trim().parse::<f64>().ok().filter(|n| n.is_finite()))
        .collect();
    numbers
        .and_then(|numbers| numbers.try_into().ok())
        .ok_or_else(wrong)
}
