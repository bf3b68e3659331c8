//! Motion files written and read piece by piece, so that memory does not grow with their length.
//!
//! BVH has a row per frame and streams. Formats with tracks (glTF) or a second file (AMC) are held
//! whole until the end, and read whole.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use afoot_core::{
    Clip, Placement, Skeleton, adopt_skeleton, concatenate_clips, with_file_structure,
};

use crate::bvh::{BvhWriter, read_bvh};
use crate::conform::conform;
use crate::error::{FormatError, Problem};
use crate::files::{
    Format, Staged, format_of, read_motion, stage_open, stem_of, unread, unwritten, would_replace,
    write_motion, written_format_of,
};
use crate::motion::{ReadOptions, WriteOptions};
use crate::up_axis::UpOption;

/// Writes a motion of known length as its frames come. The file appears whole, when it is
/// finished, or not at all.
pub struct MotionWriter {
    path: PathBuf,
    options: WriteOptions,
    kind: Kind,
}

enum Kind {
    Rows {
        file: File,
        staged: Staged,
        writer: BvhWriter,
        bytes: Vec<u8>,
    },
    Held(Vec<Clip>),
}

impl MotionWriter {
    /// For `frames` frames, in the format that the path's ending says.
    pub fn new(path: &Path, frames: usize, options: &WriteOptions) -> Result<Self, FormatError> {
        let kind = match written_format_of(path)? {
            Format::Bvh => {
                let (file, staged) = stage_open(path)?;
                Kind::Rows {
                    file,
                    staged,
                    writer: BvhWriter::new(frames, options),
                    bytes: Vec::new(),
                }
            }
            _ => Kind::Held(Vec::new()),
        };
        Ok(Self {
            path: path.to_owned(),
            options: options.clone(),
            kind,
        })
    }

    /// The next frames.
    pub fn write(&mut self, piece: Clip) -> Result<(), FormatError> {
        match &mut self.kind {
            Kind::Held(pieces) => pieces.push(piece),
            Kind::Rows {
                file,
                writer,
                bytes,
                ..
            } => {
                bytes.clear();
                writer
                    .write(&with_file_structure(&piece), bytes)
                    .map_err(|error| error.in_file(&self.path))?;
                file.write_all(bytes)
                    .map_err(|error| unwritten(&self.path, &error))?;
            }
        }
        Ok(())
    }

    /// A file beside this one that would be replaced by another, see [`would_replace`].
    pub fn would_replace(&self) -> Result<Option<PathBuf>, FormatError> {
        match &self.kind {
            Kind::Rows { .. } => Ok(None),
            Kind::Held(pieces) => match pieces.first() {
                Some(first) if written_format_of(&self.path)? == Format::Amc => {
                    would_replace(&self.path, first, &self.options)
                }
                _ => Ok(None),
            },
        }
    }

    /// Puts the file in its place and gives the warnings.
    pub fn finish(self) -> Result<Vec<String>, FormatError> {
        match self.kind {
            Kind::Held(pieces) => {
                let joined =
                    concatenate_clips(&pieces.iter().collect::<Vec<_>>(), Placement::AsCaptured);
                let whole = joined.map_err(|error| {
                    FormatError::new(Problem::Unsupported(error.to_string())).in_file(&self.path)
                })?;
                drop(pieces);
                write_motion(&self.path, &whole, &self.options)
            }
            Kind::Rows {
                file,
                staged,
                writer,
                ..
            } => {
                let warnings = writer.finish().map_err(|error| error.in_file(&self.path))?;
                staged
                    .sync(&file)
                    .map_err(|error| unwritten(&self.path, &error))?;
                staged.rename()?;
                Ok(warnings)
            }
        }
    }
}

/// How many frames are looked at together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceLength {
    /// New ones. [≥ 1]
    pub frames: usize,
    /// More of them before and after, as far as there are any.
    pub context: usize,
}

/// Reads a motion file piece by piece: `look` gets clips that overlap, each with the range of
/// frames in it that are new. Formats other than BVH come in one piece.
pub fn read_in_pieces<E: From<FormatError>>(
    path: &Path,
    options: &ReadOptions,
    length: PieceLength,
    mut look: impl FnMut(&Clip, Range<usize>) -> Result<(), E>,
) -> Result<(), E> {
    if format_of(path)? != Format::Bvh {
        let clip = read_motion(path, options)?.clip;
        return look(&clip, 0..clip.len());
    }
    let mut rows = RowPieces::open(path, options)?;
    let (mut window, mut before) = (Vec::new(), 0);
    loop {
        let wanted = before + length.frames.max(1) + length.context;
        rows.fill(&mut window, wanted)?;
        let ended = window.len() < wanted;
        let ready = window.len() - if ended { 0 } else { length.context };
        look(&rows.clip(&window)?, before..ready)?;
        if ended {
            return Ok(());
        }
        let first = ready.saturating_sub(length.context);
        window.drain(..first);
        before = ready - first;
    }
}

/// A BVH file whose rows are read a few at a time.
struct RowPieces {
    path: PathBuf,
    lines: BufReader<File>,
    /// Up to the count of frames, and after it.
    header: [Vec<u8>; 2],
    options: ReadOptions,
    /// The first piece's, which the others take over.
    skeleton: Option<Arc<Skeleton>>,
}

impl RowPieces {
    fn open(path: &Path, options: &ReadOptions) -> Result<Self, FormatError> {
        let file = File::open(path).map_err(|error| unread(path, &error))?;
        let mut pieces = Self {
            path: path.to_owned(),
            lines: BufReader::new(file),
            header: [Vec::new(), Vec::new()],
            options: options.clone(),
            skeleton: None,
        };
        pieces.read_header()?;
        Ok(pieces)
    }

    /// Everything before the first row.
    fn read_header(&mut self) -> Result<(), FormatError> {
        let mut part = 0;
        while let Some(line) = self.line()? {
            let word = line.trim_ascii_start();
            let is_count = part == 0 && word.starts_with(b"Frames");
            let is_last = part == 1 && word.starts_with(b"Frame");
            if is_count {
                part = 1;
                continue;
            }
            self.header[part].extend(line);
            if is_last {
                break;
            }
        }
        Ok(())
    }

    fn fill(&mut self, window: &mut Vec<Vec<u8>>, wanted: usize) -> Result<(), FormatError> {
        while window.len() < wanted {
            match self.line()? {
                Some(line) if line.trim_ascii().is_empty() => {}
                Some(line) => window.push(line),
                None => break,
            }
        }
        Ok(())
    }

    /// The rows as a clip; the first ones decide which way is up, and the reference pose.
    fn clip(&mut self, rows: &[Vec<u8>]) -> Result<Clip, FormatError> {
        let count = format!("Frames: {}\n", rows.len());
        let mut text = [&self.header[0], count.as_bytes(), &self.header[1]].concat();
        rows.iter().for_each(|row| text.extend(row));
        let read = read_bvh(&text, &self.options).map_err(|error| error.in_file(&self.path))?;
        self.options.up = UpOption::Axis(read.source.up);
        let mut clip = read.clip;
        clip.name = stem_of(&self.path);
        conform(&mut clip, &self.options).map_err(|error| error.in_file(&self.path))?;
        let skeleton = self.skeleton.get_or_insert_with(|| clip.skeleton.clone());
        Ok(adopt_skeleton(&clip, skeleton).unwrap_or(clip))
    }

    fn line(&mut self) -> Result<Option<Vec<u8>>, FormatError> {
        let mut line = Vec::new();
        let read = self.lines.read_until(b'\n', &mut line);
        let length = read.map_err(|error| unread(&self.path, &error))?;
        Ok((length > 0).then_some(line))
    }
}
