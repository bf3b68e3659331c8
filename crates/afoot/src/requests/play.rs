//! Captured clips and made motion on one page, to be looked at side by side.

use std::path::PathBuf;

use afoot_core::Clip;
use afoot_formats::files::write_whole;
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::library::Library;
use crate::motion_files::{MotionFile, check_page_file};
use crate::pictures::{self, PageFigure};

/// Asks for a page that plays several motions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Play {
    /// What stands above them.
    pub title: String,
    /// Clips of the library.
    pub captured: Vec<String>,
    /// Motion files.
    pub made: Vec<PathBuf>,
    /// The page, one HTML file.
    pub page: PathBuf,
}

impl Play {
    /// Writes the page.
    pub fn run(&self, library: &Library, _: &Run) -> Result<(), Failure> {
        check_page_file(Some(&self.page))?;
        let captured = self.captured.iter().map(|name| library.clip(name));
        let captured = captured.collect::<Result<Vec<Clip>, _>>()?;
        let made = self
            .made
            .iter()
            .map(|file| MotionFile::new(file).read(library.files()));
        let made = made.collect::<Result<Vec<_>, _>>()?;
        let captured = captured
            .iter()
            .map(|clip| PageFigure::captured(&clip.name, clip));
        let made = made
            .iter()
            .map(|read| PageFigure::made(&read.clip.name, &read.clip));
        let page = pictures::page(&self.title, captured.chain(made).collect())?;
        Ok(write_whole(&self.page, &page)?)
    }
}
