//! What requests read beside motion: paths and worlds, from files or as they are.

use afoot_run::Run;
use afoot_synth::{
    DrawingOptions, DrawnPath, GroundPath, PathError, Score, SvgError, World, read_world,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::failure::Failure;
use crate::files::{FileName, Files};
use crate::hint::Hint;

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

    /// A path on the ground that may be a drawing, of which it is said what was followed.
    pub fn drawn_path(
        &self,
        drawing: &DrawingOptions,
        files: &dyn Files,
        run: &Run,
    ) -> Result<GroundPath, Failure> {
        let drawn = match self {
            Self::File(file) => GroundPath::from_drawing(&file.text(files)?, drawing),
            Self::Inline(content) => match content["svg"].as_str() {
                Some(text) => GroundPath::from_drawing(text, drawing),
                None => return self.path(files),
            },
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

    /// A world, as JSON or as a drawing.
    pub fn world(&self, files: &dyn Files) -> Result<World, Failure> {
        let text = self.text(files)?;
        let drawing = match self {
            Self::File(_) => text.trim_start().starts_with('<').then_some(text.as_str()),
            Self::Inline(content) => content["svg"].as_str(),
        };
        match drawing {
            Some(drawing) => {
                let read = read_world(drawing, &DrawingOptions::default());
                read.map_err(|error| self.wrong(error))
            }
            None => World::from_json(&text).map_err(|error| self.wrong(error)),
        }
    }

    /// A score.
    pub fn score(&self, files: &dyn Files) -> Result<Score, Failure> {
        Score::from_json(&self.text(files)?).map_err(|error| self.wrong(error))
    }

    /// What is in the file, or would be.
    pub(crate) fn text(&self, files: &dyn Files) -> Result<String, Failure> {
        match self {
            Self::File(file) => file.text(files),
            Self::Inline(content) => Ok(content.to_string()),
        }
    }

    /// What is wrong with it, by its name.
    pub fn wrong(&self, error: impl std::fmt::Display) -> Failure {
        match self {
            Self::File(file) => file.wrong(error),
            Self::Inline(_) => Failure::bad_request(error),
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
