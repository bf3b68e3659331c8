//! What can be wrong with a motion file, and where.

use std::fmt;
use std::path::{Path, PathBuf};

use afoot_core::SkeletonError;
use thiserror::Error;

/// A file that can't be read or written: where, and what was expected.
#[derive(Clone, Debug, PartialEq, Error)]
pub struct FormatError {
    /// Filled in where files are opened; readers of bytes leave it out.
    pub path: Option<PathBuf>,
    /// Left out where the trouble has no place (binary formats, missing files).
    pub place: Option<Place>,
    /// What is wrong.
    pub problem: Problem,
}

/// A position in a text file, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Lines end at LF, CR LF or CR.
    pub line: u64,
    /// In bytes.
    pub column: u64,
}

/// What is wrong, without the where.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs)] // the messages say it
pub enum Problem {
    #[error("expected {expected}, found {found}")]
    Expected { expected: String, found: String },
    #[error("expected a finite number, found {found}")]
    NotFinite { found: String },
    #[error("the file is cut off: {found} of {expected} frames are there")]
    CutOff { found: u64, expected: u64 },
    #[error("the file is cut off in frame {frame}: {found} of its {expected} {what} are there")]
    CutOffInFrame {
        frame: u64,
        found: u64,
        expected: u64,
        what: &'static str,
    },
    #[error("frame {frame} has {found} {what}, expected {expected}")]
    FrameLength {
        frame: u64,
        found: u64,
        expected: u64,
        what: &'static str,
    },
    #[error("the name {name:?} is used twice; names must be unique")]
    DuplicateName { name: String },
    #[error("{0}")]
    Skeleton(SkeletonError),
    #[error("{0}")]
    Unsupported(String),
    #[error("{0}")]
    Files(String),
    #[error("can't be read: {0}")]
    Unread(String),
    #[error("can't be written: {0}")]
    Unwritten(String),
}

impl FormatError {
    /// A problem without a place.
    pub fn new(problem: Problem) -> Self {
        Self {
            path: None,
            place: None,
            problem,
        }
    }

    /// A problem at a byte of a text.
    pub fn at(text: &[u8], offset: usize, problem: Problem) -> Self {
        Self {
            path: None,
            place: Some(Place::of(text, offset)),
            problem,
        }
    }

    /// The same error, of that file; a path that is already known stays.
    pub fn in_file(mut self, path: &Path) -> Self {
        self.path.get_or_insert_with(|| path.to_owned());
        self
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.path, self.place) {
            (Some(path), Some(Place { line, column })) => {
                write!(f, "{}:{line}:{column}: {}", path.display(), self.problem)
            }
            (Some(path), None) => write!(f, "{}: {}", path.display(), self.problem),
            (None, Some(Place { line, column })) => {
                write!(f, "line {line}, column {column}: {}", self.problem)
            }
            (None, None) => write!(f, "{}", self.problem),
        }
    }
}

impl Place {
    /// Line and column of a byte; an offset past the end gives the end.
    pub fn of(text: &[u8], offset: usize) -> Self {
        let before = &text[..offset.min(text.len())];
        let (mut line, mut start) = (1, 0);
        for (index, &byte) in before.iter().enumerate() {
            let ends_line = byte == b'\n' || byte == b'\r' && text.get(index + 1) != Some(&b'\n');
            if ends_line {
                (line, start) = (line + 1, index + 1);
            }
        }
        let column = (before.len() - start) as u64 + 1;
        Self { line, column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_three_ways() {
        let text = b"a\nb\r\nc\rd";
        let places = [(0, 1, 1), (2, 2, 1), (5, 3, 1), (7, 4, 1), (99, 4, 2)];
        for (offset, line, column) in places {
            assert_eq!(
                Place::of(text, offset),
                Place { line, column },
                "byte {offset}"
            );
        }
    }

    #[test]
    fn the_message_names_file_line_and_column() {
        let problem = Problem::DuplicateName {
            name: "Hips".into(),
        };
        let error = FormatError::at(b"a\nb", 2, problem).in_file(Path::new("walk.bvh"));
        let text = "walk.bvh:2:1: the name \"Hips\" is used twice; names must be unique";
        assert_eq!(error.to_string(), text);
    }
}
