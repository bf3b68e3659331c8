//! What requests read beside motion: paths and worlds, from files or as they are.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use afoot_synth::{GroundPath, World};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::failure::Failure;

/// A file, or what would be in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Input {
    /// A file.
    File(PathBuf),
    /// Its content: the JSON object of such a file.
    Inline(Value),
}

impl Default for Input {
    fn default() -> Self {
        Self::Inline(Value::Null)
    }
}

impl From<PathBuf> for Input {
    fn from(file: PathBuf) -> Self {
        Self::File(file)
    }
}

impl From<Value> for Input {
    fn from(content: Value) -> Self {
        Self::Inline(content)
    }
}

impl Input {
    /// A path on the ground.
    pub fn path(&self) -> Result<GroundPath, Failure> {
        let path = match self {
            Self::File(file) => GroundPath::from_text(&read_text(file)?),
            Self::Inline(content) => GroundPath::from_value(content.clone()),
        };
        path.map_err(|error| self.wrong(error))
    }

    /// A world.
    pub fn world(&self) -> Result<World, Failure> {
        World::from_json(&self.text()?).map_err(|error| self.wrong(error))
    }

    /// What is wrong with it, by its name.
    pub fn wrong(&self, error: impl std::fmt::Display) -> Failure {
        match self {
            Self::File(file) => Failure::at(file, error),
            Self::Inline(_) => Failure::bad_request(error),
        }
    }

    fn text(&self) -> Result<String, Failure> {
        match self {
            Self::File(file) => read_text(file),
            Self::Inline(content) => Ok(content.to_string()),
        }
    }
}

/// The text of a file.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| match error.kind() {
        ErrorKind::InvalidData => Failure::at(path, "expected text, found other bytes"),
        _ => Failure::at(path, error),
    })
}
