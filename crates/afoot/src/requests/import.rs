//! Motion files into a library.

use std::path::PathBuf;

use afoot_analyze::faults::FaultOptions;
use afoot_core::FrameRate;
use afoot_formats::{ReadOptions, Take};
use afoot_library::{ImportOptions, ImportReport, import_files};
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::files::{AnyFile, FileName, Files};
use crate::library::Library;
use crate::motion_files::{LengthUnit, Up, read_role_map};
use crate::threads::in_threads;

/// Asks for motion files to be read into a library: resampled, repaired, with facts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Import {
    /// Motion files, or folders of them.
    pub paths: Vec<FileName>,
    /// Frames per second in the library; 0 keeps each file's own. [≥ 0]
    pub fps: f64,
    /// The rate at capture, where the files are wrong about it. [frames/s, > 0]
    pub source_fps: Option<f64>,
    /// The files' unit of length.
    pub unit: LengthUnit,
    /// The axis that points up in the files.
    pub up: Up,
    /// Leave out this many frames at the start of each file; found by itself if it is left open.
    pub drop_first: Option<u32>,
    /// Labels for all frames.
    pub labels: Vec<String>,
    /// Add each clip's mirror image too.
    pub mirror: bool,
    /// Bring all clips onto this clip's skeleton.
    pub retarget: Option<String>,
    /// Which animation of files with several: a name, or `all`.
    pub take: String,
    /// A JSON file that says which joint is which body part.
    pub map: Option<FileName>,
    /// Give walks in place the path that their feet make.
    pub root_motion: bool,
    /// Take files that are cut off as far as they go.
    pub partial: bool,
    /// Repair nothing: spikes, T-poses and rates stay as they are in the files.
    pub as_is: bool,
}

impl Default for Import {
    fn default() -> Self {
        let options = ImportOptions::default();
        Self {
            paths: Vec::new(),
            fps: options.rate.map_or(0.0, FrameRate::fps),
            source_fps: None,
            unit: LengthUnit::default(),
            up: Up::default(),
            drop_first: options.faults.drop_first,
            labels: options.labels,
            mirror: options.mirror,
            retarget: options.retarget,
            take: "all".into(),
            map: None,
            root_motion: options.root_motion,
            partial: options.read.partial,
            as_is: !options.faults.repair,
        }
    }
}

impl Import {
    /// Reads the files into the library. Files that can't be used are in the report.
    pub fn run(&self, library: &Library, run: &Run) -> Result<ImportReport, Failure> {
        let files = library.files();
        let options = self.options(files)?;
        let paths = self.paths.iter().map(|name| files.locate(name));
        let paths: Vec<PathBuf> = paths.collect::<Result<_, _>>()?;
        in_threads(run, || {
            let mut store = library.write()?;
            Ok(import_files(&mut store, &paths, &options, run)?)
        })
    }

    /// [`Import::run`] into a library that is made if it does not exist.
    pub fn run_into(
        &self,
        path: impl Into<PathBuf>,
        run: &Run,
    ) -> Result<(Library, ImportReport), Failure> {
        self.options(&AnyFile)?; // before a library is made
        let library = Library::open_or_create(path)?;
        let report = self.run(&library, run)?;
        Ok((library, report))
    }

    fn options(&self, files: &dyn Files) -> Result<ImportOptions, Failure> {
        let rate = |fps: f64, field: &str| {
            let expected = "frames per second, more than 0";
            FrameRate::from_fps(fps).ok_or_else(|| Failure::bad_value(field, fps, expected))
        };
        let kept = self.fps == 0.0;
        Ok(ImportOptions {
            rate: (!kept).then(|| rate(self.fps, "fps")).transpose()?,
            source_rate: self
                .source_fps
                .map(|fps| rate(fps, "source_fps"))
                .transpose()?,
            read: ReadOptions {
                unit: self.unit.option(),
                up: self.up.option(),
                partial: self.partial,
                take: match self.take.as_str() {
                    "all" => Take::All,
                    name => Take::Named(name.into()),
                },
                roles: read_role_map(self.map.as_ref(), files)?,
                ..ReadOptions::default()
            },
            faults: FaultOptions {
                drop_first: self.drop_first,
                repair: !self.as_is,
                ..FaultOptions::default()
            },
            labels: self.labels.clone(),
            mirror: self.mirror,
            retarget: self.retarget.clone(),
            root_motion: self.root_motion,
            ..ImportOptions::default()
        })
    }
}
