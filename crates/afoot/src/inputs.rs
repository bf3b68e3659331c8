//! What requests read beside motion: paths and worlds, from files or as they are.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use afoot_run::Run;
use afoot_synth::{DrawingOptions, DrawnPath, GroundPath, PathError, SvgError, World};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::failure::Failure;
use crate::hint::Hint;

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
    /// A path on the ground; of a drawing it is said what was followed.
    pub fn path(&self, drawing: &DrawingOptions, run: &Run) -> Result<GroundPath, Failure> {
        let drawn = match self {
            Self::File(file) => GroundPath::from_drawing(&read_text(file)?, drawing),
            Self::Inline(content) => {
                let path = GroundPath::from_value(content.clone());
                return path.map_err(|error| self.wrong(error));
            }
        };
        let drawn = drawn.map_err(|error| match error {
            PathError::Svg(SvgError::OnPaper { .. }) => {
                self.wrong(error).with_hint(Hint::SizeOnGround)
            }
            other => self.wrong(other),
        })?;
        if drawn.strokes > 1 {
            run.note(strokes_words(&drawn, drawing));
        }
        Ok(drawn.path)
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

fn strokes_words(drawn: &DrawnPath, drawing: &DrawingOptions) -> String {
    let (strokes, length) = (drawn.strokes, drawn.path.length());
    match drawing.stroke {
        Some(stroke) => format!("stroke {stroke} of {strokes}: {length:.1} m"),
        None => format!(
            "{strokes} strokes in drawing order: {length:.1} m, {:.1} m of it straight lines that join them",
            drawn.joined
        ),
    }
}

/// The text of a file.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| match error.kind() {
        ErrorKind::InvalidData => Failure::at(path, "expected text, found other bytes"),
        _ => Failure::at(path, error),
    })
}
