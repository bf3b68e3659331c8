//! Sinks of this crate: files and pictures that appear whole or not at all, and a clip in memory.

use std::path::Path;

use afoot_core::{Clip, FrameRate, Placement, concatenate_clips};
use afoot_formats::files::write_whole;
use afoot_formats::{MotionWriter, WriteOptions};
use afoot_run::Run;

use super::motion::{MotionHeader, MotionPiece, Sink};
use crate::failure::Failure;
use crate::motion_files::Output;
use crate::pictures::{self, FromAbove};

/// Keeps a motion in memory.
#[derive(Default)]
pub(super) struct ClipSink {
    pieces: Vec<Clip>,
}

/// Writes a motion to files as it comes, so that memory does not grow with its length.
pub(super) struct FileSink<'a> {
    output: &'a Output,
    files: Option<MotionFiles<'a>>,
}

/// The files of one motion, not yet in their places.
pub(crate) struct MotionFiles<'a> {
    output: &'a Output,
    writers: Vec<MotionWriter>,
    written: WriteOptions,
    /// Kept for the picture of figures alone.
    pictured: Vec<Clip>,
    from_above: FromAbove,
}

/// A file that is in its place, and what it does not say itself.
pub(super) struct WrittenFile<'a> {
    pub(super) path: &'a Path,
    pub(super) options: WriteOptions,
    pub(super) rate: FrameRate,
}

impl Sink for ClipSink {
    fn begin(&mut self, _: &MotionHeader) -> Result<(), Failure> {
        Ok(())
    }

    fn push(&mut self, piece: MotionPiece) -> Result<(), Failure> {
        self.pieces.push(piece.clip);
        Ok(())
    }
}

impl ClipSink {
    pub(super) fn clip(self) -> Result<Clip, Failure> {
        joined(self.pieces)
    }
}

impl<'a> FileSink<'a> {
    pub(super) fn new(output: &'a Output) -> Self {
        let files = None;
        Self { output, files }
    }

    /// Puts the files in their places; `asked` is drawn beside the way that was walked.
    pub(super) fn put_in_place(
        self,
        rate: FrameRate,
        asked: Option<&[[f64; 2]]>,
        run: &Run,
    ) -> Result<WrittenFile<'a>, Failure> {
        let none = || Failure::no_motion("no motion was made");
        let files = self.files.ok_or_else(none)?;
        let (path, options) = (self.output.file.as_path(), files.written.clone());
        files.put_in_place(asked, run)?;
        Ok(WrittenFile {
            path,
            options,
            rate,
        })
    }
}

impl Sink for FileSink<'_> {
    fn begin(&mut self, header: &MotionHeader) -> Result<(), Failure> {
        let frames = header.frames as usize;
        self.files = Some(MotionFiles::new(self.output, frames, header.like.clone())?);
        Ok(())
    }

    fn push(&mut self, piece: MotionPiece) -> Result<(), Failure> {
        match &mut self.files {
            Some(files) => files.push(piece.clip),
            None => Ok(()),
        }
    }
}

impl<'a> MotionFiles<'a> {
    /// Of a motion of so many frames, written like that where the output leaves it open.
    pub(crate) fn new(
        output: &'a Output,
        frames: usize,
        like: WriteOptions,
    ) -> Result<Self, Failure> {
        let written = output.write_options(like);
        let files = std::iter::once(&output.file).chain(&output.also);
        let writers = files.map(|file| MotionWriter::new(file, frames, &written));
        Ok(Self {
            output,
            writers: writers.collect::<Result<_, _>>()?,
            written,
            pictured: Vec::new(),
            from_above: FromAbove::default(),
        })
    }

    /// Writes the next frames.
    pub(crate) fn push(&mut self, clip: Clip) -> Result<(), Failure> {
        if self.output.picture.is_some() {
            self.pictured.push(clip.clone());
        }
        if self.output.plan_picture.is_some() {
            self.from_above.add(&clip);
        }
        if let [one] = self.writers.as_mut_slice() {
            return Ok(one.write(clip)?);
        }
        for writer in &mut self.writers {
            writer.write(clip.clone())?;
        }
        Ok(())
    }

    /// Puts the files in their places, and pictures beside them.
    pub(crate) fn put_in_place(self, asked: Option<&[[f64; 2]]>, run: &Run) -> Result<(), Failure> {
        let figures = self.output.picture.as_deref();
        let figures = figures.map(|file| Ok((file, pictures::sheet(&joined(self.pictured)?)?)));
        let above = self.output.plan_picture.as_deref();
        let above = above.map(|file| Ok((file, self.from_above.draw(asked)?)));
        let drawn: Vec<(&Path, Vec<u8>)> = figures
            .into_iter()
            .chain(above)
            .collect::<Result<_, Failure>>()?;
        run.check()?;
        for writer in self.writers {
            for warning in writer.finish()? {
                run.warn(warning);
            }
        }
        run.note(format!("wrote {}", self.output.file.display()));
        for (file, picture) in drawn {
            write_whole(file, &picture)?;
        }
        Ok(())
    }
}

/// Pieces of a motion as one clip.
fn joined(mut pieces: Vec<Clip>) -> Result<Clip, Failure> {
    if pieces.len() == 1 {
        return Ok(pieces.remove(0));
    }
    let pieces: Vec<&Clip> = pieces.iter().collect();
    Ok(concatenate_clips(&pieces, Placement::AsCaptured)?)
}
