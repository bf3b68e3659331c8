//! Captured clips and made motion on one page, to be looked at side by side.

use std::path::Path;

use afoot_core::Clip;
use afoot_formats::files::write_whole;
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::files::FileName;
use crate::library::Library;
use crate::motion_files::{MotionFile, check_page_file};
use crate::pictures::{self, PageFigure};

/// Asks for a page that plays several motions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlayerPage {
    /// What stands above them.
    pub title: String,
    /// Clips of the library.
    pub captured: Vec<String>,
    /// Motion files.
    pub made: Vec<FileName>,
}

/// A page that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PageWritten {
    /// Its file.
    pub page: String,
    /// The figures on it, in their order.
    pub figures: Vec<String>,
}

impl PlayerPage {
    /// Writes the page, one HTML file.
    pub fn run(&self, library: &Library, page: &Path, run: &Run) -> Result<PageWritten, Failure> {
        check_page_file(Some(page))?;
        let captured = self.captured.iter().map(|name| library.clip(name));
        let captured = captured.collect::<Result<Vec<Clip>, _>>()?;
        let read = |file: &FileName| MotionFile::new(file.clone()).read(library.files());
        let made = self.made.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let made: Vec<Clip> = made.into_iter().map(|motion| motion.clip).collect();
        let figures = captured
            .iter()
            .map(|clip| PageFigure::captured(&clip.name, clip))
            .chain(made.iter().map(|clip| PageFigure::made(&clip.name, clip)));
        let bytes = pictures::page(&self.title, figures.collect())?;
        run.check()?;
        write_whole(page, &bytes)?;
        let clips = captured.iter().chain(&made);
        Ok(PageWritten {
            page: page.display().to_string(),
            figures: clips.map(|clip| clip.name.clone()).collect(),
        })
    }
}
