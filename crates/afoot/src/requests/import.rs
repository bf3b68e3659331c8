//! Motion files into a library.

use std::path::{Path, PathBuf};

use afoot_analyze::faults::FaultOptions;
use afoot_core::FrameRate;
use afoot_formats::files::{Format, may_be_written};
use afoot_formats::{ReadOptions, Take, read_motion};
use afoot_library::{
    ImportOptions, ImportReport, Library as Store, LibraryError, RetargetTo, import_files,
};
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::files::{AnyFile, FileName, Files};
use crate::library::Library;
use crate::motion_files::{LengthUnit, Up, rate_of, read_role_map};
use crate::ranges::Ranged;
use crate::threads::in_threads;

/// Asks for motion files to be read into a library: resampled, repaired, with facts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Import {
    /// Motion files, or folders of them.
    pub paths: Vec<FileName>,
    /// Frames per second in the library; 0 keeps each file's own. [frames/s, 0 to 1000]
    pub fps: f64,
    /// The rate at capture, where the files are wrong about it. [frames/s, 1 to 1000]
    pub source_fps: Option<f64>,
    /// The files' unit of length.
    pub unit: LengthUnit,
    /// The axis that points up in the files.
    pub up: Up,
    /// Leave out this many frames at the start of each file; found by itself if it is left open. [0 to 1000000]
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
            retarget: None,
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
        self.check_ranges()?;
        let files = library.files();
        let mut options = self.options(files)?;
        options.retarget = self.target(library, &options.read)?;
        let paths = self.paths.iter().map(|name| files.locate(name));
        let paths: Vec<PathBuf> = paths.collect::<Result<_, _>>()?;
        in_threads(run, || {
            let mut store = library.write()?;
            Ok(import_files(&mut store, &paths, &options, run)?)
        })
    }

    /// [`Import::run`] into a library that is made if it does not exist; an import that is stopped, or
    /// that adds no clip, makes none.
    pub fn run_into(
        &self,
        path: impl Into<PathBuf>,
        run: &Run,
    ) -> Result<(Library, ImportReport), Failure> {
        self.check_ranges()?;
        self.options(&AnyFile)?; // before a library is made
        let path = path.into();
        if path.exists() {
            let library = Library::open(path)?;
            let report = self.run(&library, run)?;
            return Ok((library, report));
        }
        may_be_written(&path)?; // before the work
        let draft = Draft::beside(&path);
        // Closed before it gets its name.
        let made = Library::create(&draft.file).and_then(|library| self.run(&library, run));
        let report = made.map_err(|failure| failure.told_of(&draft.file, &path))?;
        if report.clips.is_empty() {
            return Ok((Library::at(path), report));
        }
        match Store::put_in_place(&draft.file, &path) {
            // Another import was faster: then this one adds to what it made.
            Err(LibraryError::Exists { .. }) => {
                let library = Library::open(path)?;
                let report = self.run(&library, run)?;
                Ok((library, report))
            }
            placed => {
                placed?;
                Ok((Library::at(path), report))
            }
        }
    }

    /// The skeleton that all are brought onto: a file's is read here, names are left to the import.
    fn target(&self, library: &Library, read: &ReadOptions) -> Result<Option<RetargetTo>, Failure> {
        let Some(name) = &self.retarget else {
            return Ok(None);
        };
        let file = library.files().locate(&FileName::from(name.as_str())).ok();
        let file = file.filter(|file| file.is_file() && Format::of_path(file).is_some());
        match file {
            Some(file) if library.read()?.skeleton_named(name).is_err() => {
                // Unit and axes that were told are those of the files that are imported.
                let read = ReadOptions {
                    unit: LengthUnit::Auto.option(),
                    up: Up::Auto.option(),
                    ..read.clone()
                };
                let skeleton = read_motion(&file, &read)?.clip.skeleton;
                Ok(Some(RetargetTo::Skeleton(skeleton)))
            }
            _ => Ok(Some(RetargetTo::Named(name.clone()))),
        }
    }

    /// All that needs no library.
    fn options(&self, files: &dyn Files) -> Result<ImportOptions, Failure> {
        let kept = self.fps == 0.0;
        Ok(ImportOptions {
            rate: (!kept).then(|| rate_of(self.fps, "fps")).transpose()?,
            source_rate: self
                .source_fps
                .map(|fps| rate_of(fps, "source_fps"))
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
            root_motion: self.root_motion,
            ..ImportOptions::default()
        })
    }
}

/// A library in the making, beside its place; gone again in the end.
struct Draft {
    file: PathBuf,
}

impl Draft {
    fn beside(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let draft = format!(".{name}.{}.import", std::process::id());
        let file = path.with_file_name(draft);
        let _ = std::fs::remove_file(&file); // left by a program of the same number that died
        Self { file }
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        for ending in ["", "-wal", "-shm"] {
            let mut name = self.file.as_os_str().to_owned();
            name.push(ending);
            let _ = std::fs::remove_file(name);
        }
    }
}
