//! Motion out: a clip of a library, or one file as another.

use std::path::Path;

use afoot_core::{Clip, cut_clip, resample_clip};
use afoot_formats::{Format, Program, WriteOptions};
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use crate::delivery::{MotionFiles, Rig};
use crate::failure::Failure;
use crate::files::{AnyFile, FileName, Files};
use crate::library::Library;
use crate::motion_files::{MotionFile, Output, rate_of};
use crate::ranges::Ranged;
use crate::selection::Selection;
use crate::workspace::Workspace;

/// Asks for a clip, or a part of it, as a motion file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Export {
    /// `NAME`, `NAME[2.0s..4.5s]` or `NAME[60..135]`.
    pub clip: String,
    /// Who it is for.
    pub receiver: Receiver,
    /// Resampled to this rate; as it is if it is left open. [frames/s, > 0, at most 1000]
    pub fps: Option<f64>,
}

/// Asks for a motion file as another; needs no library. In the input's unit if the output leaves it open.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Convert {
    /// What to read.
    pub input: MotionFile,
    /// Who it is for.
    pub receiver: Receiver,
    /// Resampled to this rate; as it is if it is left open. [frames/s, > 0, at most 1000]
    pub fps: Option<f64>,
}

/// Who motion is written for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Receiver {
    /// Axes, unit, root and order of angles as this program takes them.
    #[serde(rename = "for")]
    pub program: Option<Program>,
    /// A character or skeleton that gets the motion, as [`Output::onto`].
    pub onto: Option<FileName>,
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
    /// A file that was written beside it: the skeleton of an `.amc` file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beside: Option<String>,
    /// Its rate in words.
    #[serde(skip)]
    pub rate: String,
}

impl Export {
    /// Writes the clip.
    pub fn run(
        &self,
        library: &Library,
        output: &Output,
        run: &Run,
    ) -> Result<FileWritten, Failure> {
        self.check_ranges()?;
        output.check()?;
        let selection = Selection::parse(&self.clip)?;
        let clip = library.clip(&selection.name)?;
        let frames = selection.frames(clip.len(), clip.rate)?;
        let clip = cut_clip(&clip, frames.start as u32..frames.end as u32)?;
        let clip = at_rate(clip, self.fps)?;
        let like = WriteOptions::default();
        self.receiver
            .write(clip, like, output, library.files(), run)
    }
}

impl Convert {
    /// Writes the file.
    pub fn run<'a>(
        &self,
        from: impl Into<Workspace<'a>>,
        output: &Output,
        run: &Run,
    ) -> Result<FileWritten, Failure> {
        self.check_ranges()?;
        let files = from.into().files();
        output.check()?;
        output.keep(&files.locate(&self.input.file)?)?;
        let read = self.input.read(files)?;
        for warning in &read.source.warnings {
            run.warn(warning);
        }
        let like = WriteOptions::like(&read.source);
        let clip = at_rate(read.clip, self.fps)?;
        self.receiver.write(clip, like, output, files, run)
    }
}

/// A clip at the rate that is asked for.
fn at_rate(clip: Clip, fps: Option<f64>) -> Result<Clip, Failure> {
    let rate = fps.map(|fps| rate_of(fps, "fps")).transpose()?;
    Ok(rate.map_or(clip.clone(), |rate| resample_clip(&clip, rate)))
}

impl Receiver {
    fn write(
        &self,
        clip: Clip,
        like: WriteOptions,
        output: &Output,
        files: &dyn Files,
        run: &Run,
    ) -> Result<FileWritten, Failure> {
        let named = self.onto.as_ref().map(|rig| files.locate(rig));
        let rig = named.transpose()?.or_else(|| output.onto.clone());
        match (rig, self.program) {
            (Some(rig), _) => write_onto(&clip, output, &rig, run),
            (None, Some(program)) => write(program.prepared(&clip), output, program.options(), run),
            (None, None) => write(clip, output, like, run),
        }
    }
}

/// Writes the clip on the skeleton of a rig.
fn write_onto(clip: &Clip, output: &Output, rig: &Path, run: &Run) -> Result<FileWritten, Failure> {
    let rig = Rig::read(rig, run)?;
    let dressed = rig.dressed(clip)?;
    rig.write(&dressed, output, None, run)?;
    Ok(FileWritten::of(&dressed, output))
}

impl FileWritten {
    fn of(clip: &Clip, output: &Output) -> Self {
        Self {
            file: output.file.display().to_string(),
            frames: clip.len(),
            fps: clip.rate.fps(),
            seconds: clip.seconds(),
            rate: clip.rate.to_string(),
            beside: (Format::of_path(&output.file) == Some(Format::Amc))
                .then(|| output.file.with_extension("asf").display().to_string()),
        }
    }
}

/// Writes a clip as it is.
pub fn write_clip(clip: Clip, output: &Output, run: &Run) -> Result<FileWritten, Failure> {
    output.check()?;
    Receiver::default().write(clip, WriteOptions::default(), output, &AnyFile, run)
}

fn write(
    clip: Clip,
    output: &Output,
    like: WriteOptions,
    run: &Run,
) -> Result<FileWritten, Failure> {
    let written = FileWritten::of(&clip, output);
    let mut files = MotionFiles::new(output, clip.len(), like)?;
    files.push(clip)?;
    files.put_in_place(None, run)?;
    Ok(written)
}
