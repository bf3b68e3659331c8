//! A motion that a request changes: a file, or a clip of the library.

use afoot_analyze::with_facts;
use afoot_core::Clip;
use afoot_formats::WriteOptions;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::files::FileName;
use crate::motion_files::MotionFile;
use crate::selection::Selection;
use crate::workspace::Workspace;

/// A motion to change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MotionInput {
    /// A motion file.
    File(MotionFile),
    /// A clip of the library: `NAME`, `NAME[2.0s..4.5s]` or `NAME[60..135]`.
    Clip(String),
}

impl Default for MotionInput {
    fn default() -> Self {
        Self::File(MotionFile::default())
    }
}

/// A motion with its facts, and how it is known.
pub(super) struct Source {
    pub name: String,
    pub clip: Clip,
    pub part: Selection,
    pub like: WriteOptions,
}

impl MotionInput {
    /// The file, where it is one.
    pub(super) fn file(&self) -> Option<&FileName> {
        match self {
            Self::File(motion) => Some(&motion.file),
            Self::Clip(_) => None,
        }
    }

    pub(super) fn read(&self, from: &Workspace) -> Result<Source, Failure> {
        match self {
            Self::Clip(text) => {
                let part = Selection::parse(text)?;
                Ok(Source {
                    name: part.name.clone(),
                    clip: from.library()?.clip(&part.name)?,
                    part,
                    like: WriteOptions::default(),
                })
            }
            Self::File(file) => {
                let read = file.read(from.files())?;
                Ok(Source {
                    name: file.file.to_string(),
                    // Without a floor or legs there are no plants to keep, and all else can be done.
                    clip: with_facts(read.clip.clone()).unwrap_or(read.clip),
                    part: Selection::whole(file.file.to_string()),
                    like: WriteOptions::like(&read.source),
                })
            }
        }
    }
}
