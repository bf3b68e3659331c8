//! Sinks of this crate: files and pictures that appear whole or not at all, and a clip in memory.

use std::path::Path;
use std::sync::Arc;

use afoot_core::{Clip, FrameRate, Placement, concatenate_clips};
use afoot_formats::files::write_whole;
use afoot_formats::{MotionWriter, WriteOptions};
use afoot_run::Run;

use super::motion::{MotionHeader, MotionPiece, Sink, SourceClips};
use crate::failure::Failure;
use crate::hint::Hint;
use crate::motion_files::Output;
use crate::pictures::{self, FromAbove, PageFigure};

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
    /// Kept for the picture of figures and the page alone.
    pictured: Vec<Clip>,
    /// What it is made of, for the page.
    clips: Option<Arc<dyn SourceClips>>,
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
        let mut files = MotionFiles::new(self.output, frames, header.like.clone())?;
        files.clips = Some(Arc::clone(&header.clips));
        self.files = Some(files);
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
            clips: None,
            from_above: FromAbove::default(),
        })
    }

    /// Writes the next frames.
    pub(crate) fn push(&mut self, clip: Clip) -> Result<(), Failure> {
        if self.output.picture.is_some() || self.output.page.is_some() {
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
        let original = self.clips.as_deref().and_then(|clips| clips.original());
        let (sheet, page) = (self.output.picture.as_deref(), self.output.page.as_deref());
        let pictured = match sheet.is_some() || page.is_some() {
            true => Some(joined(self.pictured)?),
            false => None,
        };
        let pictured = pictured.as_ref();
        let figures = sheet.zip(pictured);
        let figures = figures.map(|(file, clip)| Ok((file, pictures::sheet(clip)?)));
        let page = page.zip(pictured);
        let page = page.map(|(file, clip)| {
            let page = page_of(self.output, clip, original, asked)?;
            Ok((file, page))
        });
        let above = self.output.plan_picture.as_deref();
        let above = above.map(|file| Ok((file, self.from_above.draw(asked)?)));
        let drawn: Vec<(&Path, Vec<u8>)> = figures
            .into_iter()
            .chain(page)
            .chain(above)
            .collect::<Result<_, Failure>>()?;
        run.check()?;
        for writer in self.writers.iter().filter(|_| !self.output.force) {
            if let Some(beside) = writer.would_replace()? {
                let words = "belongs beside this motion, but is there already, of another skeleton";
                return Err(Failure::at(&beside, words).with_hint(Hint::Force));
            }
        }
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

/// The page that plays a motion beside what it was an edit of, on the way that was asked for.
fn page_of(
    output: &Output,
    made: &Clip,
    original: Option<&Clip>,
    asked: Option<&[[f64; 2]]>,
) -> Result<Vec<u8>, Failure> {
    let name = output
        .file
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy();
    let original = original.map(|clip| PageFigure::captured(&clip.name, clip));
    let made = PageFigure {
        path: asked.unwrap_or_default(),
        ..PageFigure::made(&name, made)
    };
    pictures::page(&name, original.into_iter().chain([made]).collect())
}

/// Pieces of a motion as one clip.
fn joined(mut pieces: Vec<Clip>) -> Result<Clip, Failure> {
    if pieces.len() == 1 {
        return Ok(pieces.remove(0));
    }
    let pieces: Vec<&Clip> = pieces.iter().collect();
    Ok(concatenate_clips(&pieces, Placement::AsCaptured)?)
}
