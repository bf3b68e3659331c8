//! Motion out: a clip of a library, or one file as another.

use afoot_core::{Clip, cut_clip};
use afoot_formats::WriteOptions;
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use crate::delivery::{Delivery, Outgoing};
use crate::failure::Failure;
use crate::library::Library;
use crate::motion_files::{MotionFile, Output};
use crate::selection::Selection;

/// Asks for a clip, or a part of it, as a motion file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Export {
    /// `NAME`, `NAME[2.0s..4.5s]` or `NAME[60..135]`.
    pub clip: String,
    /// Where to.
    pub output: Output,
}

/// Asks for a motion file as another; needs no library.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Convert {
    /// What to read.
    pub input: MotionFile,
    /// Where to; in the input's unit if it is left open.
    pub output: Output,
}

/// A motion file that was written.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FileWritten {
    /// The file.
    pub file: String,
    /// Its frames.
    pub frames: usize,
    /// Its rate. [frames/s]
    pub fps: f64,
    /// Its length. [s]
    pub seconds: f64,
    /// Its rate in words.
    #[serde(skip)]
    pub rate: String,
}

impl Export {
    /// Writes the clip.
    pub fn run(&self, library: &Library, run: &Run) -> Result<FileWritten, Failure> {
        self.output.check()?;
        let selection = Selection::parse(&self.clip)?;
        let clip = library.clip(&selection.name)?;
        let frames = selection.frames(clip.len(), clip.rate)?;
        let clip = cut_clip(&clip, frames.start as u32..frames.end as u32)?;
        write(clip, &self.output, WriteOptions::default(), run)
    }
}

impl Convert {
    /// Writes the file.
    pub fn run(&self, run: &Run) -> Result<FileWritten, Failure> {
        self.output.check()?;
        let read = self.input.read()?;
        for warning in &read.source.warnings {
            run.warn(warning);
        }
        let like = WriteOptions::like(&read.source);
        write(read.clip, &self.output, like, run)
    }
}

fn write(
    clip: Clip,
    output: &Output,
    like: WriteOptions,
    run: &Run,
) -> Result<FileWritten, Failure> {
    let written = FileWritten {
        file: output.file.display().to_string(),
        frames: clip.len(),
        fps: clip.rate.fps(),
        seconds: clip.seconds(),
        rate: clip.rate.to_string(),
    };
    let outgoing = Outgoing {
        frames: clip.len(),
        rate: clip.rate,
        like,
        usual: None,
    };
    let mut delivery = Delivery::new(output, outgoing)?;
    delivery.push(clip)?;
    delivery.put_in_place(run)?;
    Ok(written)
}
