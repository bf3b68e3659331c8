//! What requests read beside motion: paths and worlds, from files or as they are.

use afoot_synth::{GroundPath, World};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::failure::Failure;
use crate::files::{FileName, Files};

/// The name of a file, or what would be in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Input {
    /// A file, which the surface finds.
    File(FileName),
    /// Its content: the JSON object of such a file, or `{"svg": "<svg ...>"}`.
    Inline(Value),
}

impl Default for Input {
    fn default() -> Self {
        Self::Inline(Value::Null)
    }
}

impl From<FileName> for Input {
    fn from(file: FileName) -> Self {
        Self::File(file)
    }
}

impl From<std::path::PathBuf> for Input {
    fn from(file: std::path::PathBuf) -> Self {
        Self::File(file.into())
    }
}

impl From<Value> for Input {
    fn from(content: Value) -> Self {
        Self::Inline(content)
    }
}

impl Input {
    /// A path on the ground.
    pub fn path(&self, files: &dyn Files) -> Result<GroundPath, Failure> {
        let path = match self {
            Self::File(file) => GroundPath::from_text(&file.text(files)?),
            Self::Inline(content) => match content["svg"].as_str() {
                Some(drawing) => GroundPath::from_text(drawing),
                None => GroundPath::from_value(content.clone()),
            },
        };
        path.map_err(|error| self.wrong(error))
    }

    /// A world.
    pub fn world(&self, files: &dyn Files) -> Result<World, Failure> {
        let text = match self {
            Self::File(file) => file.text(files)?,
            Self::Inline(content) => content.to_string(),
        };
        World::from_json(&text).map_err(|error| self.wrong(error))
    }

    /// What is wrong with it, by its name.
    pub fn wrong(&self, error: impl std::fmt::Display) -> Failure {
        match self {
            Self::File(file) => file.wrong(error),
            Self::Inline(_) => Failure::bad_request(error),
        }
    }
}
