//! What readers give and writers take, whatever the format.

use afoot_core::{Clip, FrameRate};

use crate::error::{FormatError, Problem};
use crate::files::Format;
use crate::units::{Unit, UnitOption};
use crate::up_axis::{UpAxis, UpOption};

/// A clip as read from a file, with what was learnt about the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// In metres, y up. Rotation orders are kept in [`afoot_core::Joint::channels`].
    pub clip: Clip,
    /// What the file said, and what was made of it.
    pub source: SourceFacts,
}

/// What a file said about itself and what the reader decided.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceFacts {
    /// The format it was read from.
    pub format: Format,
    /// Length of one unit of the file; positions were multiplied by it. [m]
    pub metres_per_unit: f64,
    /// How that length came to be known.
    pub unit_origin: UnitOrigin,
    /// Which axis pointed up in the file's motion.
    pub up: UpAxis,
    /// Time between frames as the file states it, before rounding to a rate. [s]
    pub frame_time: Option<f64>,
    /// How many frames the file's header promised.
    pub header_frames: Option<u64>,
    /// The number of the first frame; 0 where the format doesn't number frames.
    pub first_frame: i64,
    /// Oddities that were read over or repaired, a sentence each.
    pub warnings: Vec<String>,
    /// What was changed to bring the file's conventions into ours, a sentence each.
    pub conformed: Vec<String>,
}

/// How the length of a file's unit came to be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitOrigin {
    /// The caller said so.
    Given,
    /// The format or the file defines it.
    Stated,
    /// Legs have a human length in exactly this unit.
    Guessed,
    /// No unit fits; this one fits least badly.
    Assumed,
}

/// How to read a file; the defaults find out what they can.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ReadOptions {
    /// Length of one unit of the file.
    pub unit: UnitOption,
    /// Which axis points up in the file.
    pub up: UpOption,
    /// Accept files that are cut off and keep their whole frames.
    pub partial: bool,
    /// Replaces the file's frame rate; for AMC, which has none, the default is 120.
    pub rate: Option<FrameRate>,
    /// What position channels of joints other than the root mean (BVH).
    pub position_channels: PositionChannels,
    /// Which of a file's animations is read (glTF, FBX).
    pub take: Take,
    /// Joints and the words for their roles, on top of what the names tell.
    pub roles: Vec<(String, String)>,
}

/// Which of several animations in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Take {
    /// The first that moves something.
    #[default]
    First,
    /// Each that moves something.
    All,
    /// The one of that name.
    Named(String),
}

impl Take {
    /// The numbers of the wanted ones among `names`; `moves` says which move something.
    pub(crate) fn choose(
        &self,
        names: &[String],
        moves: &[bool],
    ) -> Result<Vec<usize>, FormatError> {
        let moving = (0..names.len()).filter(|&index| moves[index]);
        match self {
            Self::First => Ok(moving.take(1).collect()),
            Self::All => Ok(moving.collect()),
            Self::Named(name) => match names.iter().position(|other| other == name) {
                Some(index) => Ok(vec![index]),
                None => Err(FormatError::new(Problem::Expected {
                    expected: format!("a take named {name:?}"),
                    found: names.join(", "),
                })),
            },
        }
    }

    /// A warning where animations are passed over.
    pub(crate) fn passed_over(&self, names: &[String], moves: &[bool]) -> Option<String> {
        let count = moves.iter().filter(|moves| **moves).count();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let words = format!(
            "the first of {count} animations is read: {}",
            names.join(", ")
        );
        (*self == Self::First && count > 1).then_some(words)
    }
}

/// What a BVH joint's position channels mean beside its OFFSET. Programs disagree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PositionChannels {
    /// Per joint: replace if their mean is nearer to OFFSET than to zero, else add.
    #[default]
    Auto,
    /// The channels are the whole offset from the parent (MotionBuilder, Maya, Blender).
    Replace,
    /// The channels are added to OFFSET (the format's first description).
    Add,
}

/// How to write a file.
#[derive(Clone, Debug, PartialEq)]
pub struct WriteOptions {
    /// Length of one unit in the file; formats with a fixed unit (glTF) ignore it. [m, > 0]
    pub metres_per_unit: f64,
    /// Which axis points up in the file.
    pub up: UpAxis,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            metres_per_unit: Unit::Centimetre.metres(),
            up: UpAxis::Y,
        }
    }
}

impl WriteOptions {
    /// Writes as the source was: its unit and its up axis.
    pub fn like(source: &SourceFacts) -> Self {
        Self {
            metres_per_unit: source.metres_per_unit,
            up: source.up,
        }
    }
}

/// A clip as bytes in some format.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Written {
    /// The file that was asked for.
    pub bytes: Vec<u8>,
    /// A second file that belongs beside it: its ending (`asf`) and bytes.
    pub companion: Option<(&'static str, Vec<u8>)>,
    /// What the format can't say as the clip has it, a sentence each.
    pub warnings: Vec<String>,
}
