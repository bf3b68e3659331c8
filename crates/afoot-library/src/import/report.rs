//! What an import did, ready for JSON.

use std::fmt::Display;
use std::path::Path;

use afoot_core::Clip;
use serde::Serialize;

use crate::entry::{kind_of, shares_of};
use crate::facts::{ClipFacts, FindingFact};

/// What became of the files.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ImportReport {
    /// The clips that were added, in the order of their numbers.
    pub clips: Vec<ImportedClip>,
    /// Files whose motion the library has under the same name.
    pub skipped: Vec<SkippedFile>,
    /// Files that could not be used, by path.
    pub failed: Vec<FailedFile>,
}

/// One clip that was added.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ImportedClip {
    /// In the library.
    pub name: String,
    /// How many there are now.
    pub frames: usize,
    /// Frames per second in the library.
    pub fps: f64,
    /// Frames per second at capture, after correction.
    pub source_fps: f64,
    /// How long it lasts.
    pub seconds: f64,
    /// walk, run, jump, stand or other.
    #[serde(rename = "type")]
    pub kind: String,
    /// What was repaired, in words.
    pub repairs: Vec<String>,
    /// What is suspected, in words.
    pub warnings: Vec<String>,
    /// The file it came from.
    pub path: Option<String>,
    /// Length of one unit of the file. [m]
    pub unit_m: Option<f64>,
    /// Faults as data, frames as in the file.
    pub findings: Vec<FindingFact>,
}

/// A file that was not needed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SkippedFile {
    /// The file.
    pub path: String,
    /// The clip that has its motion.
    pub name: String,
    /// In words.
    pub why: String,
}

/// A file that could not be used.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FailedFile {
    /// The file.
    pub path: String,
    /// In words, beginning with the file.
    pub error: String,
}

impl ImportedClip {
    pub(super) fn new(clip: &Clip, facts: &ClipFacts) -> Self {
        Self {
            name: clip.name.clone(),
            frames: clip.len(),
            fps: clip.rate.fps(),
            source_fps: facts.source_fps.unwrap_or(clip.rate.fps()),
            seconds: clip.seconds(),
            kind: kind_of(&shares_of(&clip.types)).name().into(),
            repairs: facts.repairs.clone(),
            warnings: facts.warnings.clone(),
            path: facts.source.clone(),
            unit_m: facts.metres_per_unit,
            findings: facts.findings.clone(),
        }
    }
}

impl FailedFile {
    pub(super) fn new(path: &Path, error: impl Display) -> Self {
        let (path, error) = (path.display().to_string(), error.to_string());
        let error = match error.starts_with(&path) {
            true => error,
            false => format!("{path}: {error}"),
        };
        Self { path, error }
    }
}
