//! Text files that commands read.

use std::io::ErrorKind;
use std::path::Path;

use afoot_synth::GroundPath;

use crate::failure::Failure;

/// The text of a file.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| match error.kind() {
        ErrorKind::InvalidData => Failure::at(path, "expected text, found other bytes"),
        _ => Failure::at(path, error),
    })
}

/// A path from a JSON or SVG file.
pub fn read_path(path: &Path) -> Result<GroundPath, Failure> {
    GroundPath::from_text(&read_text(path)?).map_err(|error| Failure::at(path, error))
}
