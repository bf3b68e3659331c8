//! The command line as typed, as far as commands share it. Each command's own arguments stand at the
//! top of its module in `commands`, and what is meant by them is worked out there.

use std::path::PathBuf;

use afoot::{FacingWish, FacingWord, Failure, LengthUnit, Moving, Output, Run, Up};
use clap::{Args, Parser, ValueEnum};

use crate::commands::Command;

/// New, believable character motion out of motion that was captured before.
#[derive(Debug, Parser)]
#[command(name = "afoot", version, propagate_version = true, after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
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
    /// Print nothing but results and errors
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Threads to work with [default: one per core]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Seed of everything random; the same seed gives the same bytes
    #[arg(long, global = true, value_name = "N", default_value_t = Run::default().seed)]
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
    /// The motion file: .bvh, .amc (with an .asf beside it), .glb, .fbx; exports also .usda
    #[arg(short, long = "output", value_name = "FILE")]
    pub output: PathBuf,
    /// Unit of length in a .bvh, .amc or .fbx file [default: cm]
    #[arg(long = "unit", value_enum, value_name = "UNIT")]
    pub output_unit: Option<UnitArgument>,
    /// Draw the motion as stick figures into this PNG as well
    #[arg(long, value_name = "FILE.png")]
    pub picture: Option<PathBuf>,
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
            plan_picture: None,
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
        default_value = "ahead",
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
