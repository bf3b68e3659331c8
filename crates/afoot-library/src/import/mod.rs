//! Import: from motion files to clips with facts, in one transaction.
//!
//! All files are read and inspected first, in parallel, because clips of one performer share what
//! they tell about the frame rate. Then each is repaired, resampled, and given its floor, contacts
//! and types (`prepare`), still in parallel, and added in the order of the sorted paths. A file that
//! can't be used is reported and keeps no other one out. Files that do not fit into
//! [`ImportOptions::memory`] together are read a second time.

mod naming;
mod prepare;
mod rates;
mod report;
mod roles;
mod sources;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use afoot_analyze::faults::{FaultOptions, KnownRate, RateDecision, RateEvidence, decide_rates};
use afoot_analyze::{ClassifyOptions, ContactOptions, GroundOptions};
use afoot_core::{Clip, FrameRate, Skeleton, adopt_skeleton};
use afoot_formats::{Motion, ReadOptions, Take};
use afoot_run::Run;
use rayon::prelude::*;

use crate::error::LibraryError;
use crate::library::Library;
use crate::names::check_label;
use naming::{Names, Prints};
use prepare::{Prepared, prepare};
use rates::SkeletonGroups;

pub use prepare::prepare_motion;
pub use report::{FailedFile, ImportReport, ImportedClip, SkippedFile};
pub use roles::set_roles;
pub use sources::{Sources, find_motion_files};

/// How files become clips.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// Frames per second in the library; `None` keeps each file's own.
    pub rate: Option<FrameRate>,
    /// Frames per second at capture, where the files are wrong or silent about it; `None` believes
    /// them unless bodies fall too fast.
    pub source_rate: Option<FrameRate>,
    /// Units, up axis, cut-off files, which animations.
    pub read: ReadOptions,
    /// Frames to drop, what counts as a fault, whether to repair at all.
    pub faults: FaultOptions,
    /// Labels for all frames.
    pub labels: Vec<String>,
    /// Whether to add each clip's mirror image as `NAME_mirror`.
    pub mirror: bool,
    /// Bring all clips onto this skeleton.
    pub retarget: Option<RetargetTo>,
    /// Give walks in place the path that their feet make.
    pub root_motion: bool,
    /// How the floor is found.
    pub ground: GroundOptions,
    /// How contacts are found.
    pub contacts: ContactOptions,
    /// How types are found.
    pub types: ClassifyOptions,
    /// Motion kept between the two passes; beyond that, files are read again. [bytes]
    pub memory: u64,
}

/// Which skeleton clips are brought onto.
#[derive(Clone, Debug)]
pub enum RetargetTo {
    /// That of this clip or skeleton of the library, or of this one among the files to import (by its
    /// name without ending).
    Named(String),
    /// This one.
    Skeleton(Arc<Skeleton>),
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self {
            rate: Some(FrameRate::FPS_30),
            source_rate: None,
            read: ReadOptions {
                take: Take::All,
                ..ReadOptions::default()
            },
            faults: FaultOptions::default(),
            labels: Vec::new(),
            mirror: false,
            retarget: None,
            root_motion: false,
            ground: GroundOptions::default(),
            contacts: ContactOptions::default(),
            types: ClassifyOptions::default(),
            memory: 1 << 30,
        }
    }
}

/// How many clips are prepared side by side before they are written.
const BATCH: usize = 32;

/// Imports files and folders into a library; one that is stopped leaves it as it was. Counts files read
/// and clips added together.
pub fn import_files(
    library: &mut Library,
    paths: &[PathBuf],
    options: &ImportOptions,
    run: &Run,
) -> Result<ImportReport, LibraryError> {
    options
        .labels
        .iter()
        .try_for_each(|label| check_label(label))?;
    let sources = find_motion_files(paths);
    let steps = Steps::new(sources.files.len(), run);
    let (mut inspected, unreadable) = read_all(&sources, options, &steps)?;
    share_skeletons(library, &mut inspected)?;
    naming::tell_apart(&mut inspected);
    let decisions = decide_all(library, &inspected, options)?;
    let plan = Plan {
        target: find_target(library, &inspected, options)?,
        skeletons: sources.skeletons,
        options,
    };
    let work = inspected.into_iter().zip(decisions).collect();
    let mut report = add_all(library, work, &plan, &steps)?;
    report.failed.extend(sources.failed);
    report.failed.extend(unreadable);
    report.failed.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(report)
}

/// A file that was read.
struct Inspected {
    path: PathBuf,
    /// Gone again if memory was short.
    motion: Option<Motion>,
    /// The animation's, where the file has several, else the file's.
    take: String,
    names: Names,
    /// The skeleton of its performer.
    skeleton: Arc<Skeleton>,
    evidence: RateEvidence,
}

/// What every clip is prepared with.
struct Plan<'a> {
    target: Option<Arc<Skeleton>>,
    skeletons: Vec<PathBuf>,
    options: &'a ImportOptions,
}

struct Steps<'a> {
    done: AtomicUsize,
    total: usize,
    run: &'a Run,
}

impl<'a> Steps<'a> {
    fn new(files: usize, run: &'a Run) -> Self {
        Self {
            done: AtomicUsize::new(0),
            total: 2 * files,
            run,
        }
    }

    fn step(&self) -> Result<(), LibraryError> {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let total = self.total.max(done);
        self.run.progress("importing", done as u64, total as u64);
        Ok(self.run.check()?)
    }
}

fn read_all(
    sources: &Sources,
    options: &ImportOptions,
    steps: &Steps,
) -> Result<(Vec<Inspected>, Vec<FailedFile>), LibraryError> {
    let kept = AtomicU64::new(0);
    let read: Vec<Result<Vec<Inspected>, FailedFile>> = sources
        .files
        .par_iter()
        .map(|path| {
            let takes = sources::read(path, &sources.skeletons, &options.read);
            let inspect = |motion| inspect(path, motion, options, &kept);
            let read = takes.map(|takes| takes.into_iter().map(inspect).collect());
            let read = read.map_err(|error| FailedFile::new(path, error));
            steps.step().map(|()| read)
        })
        .collect::<Result<_, _>>()?;
    let (mut inspected, mut failed) = (Vec::new(), Vec::new());
    for result in read {
        match result {
            Ok(takes) => inspected.extend(takes),
            Err(file) => failed.push(file),
        }
    }
    Ok((inspected, failed))
}

fn inspect(path: &Path, motion: Motion, options: &ImportOptions, kept: &AtomicU64) -> Inspected {
    let size = std::mem::size_of_val(motion.clip.rotations.as_slice()) as u64;
    let fits = kept.fetch_add(size, Ordering::Relaxed) + size <= options.memory;
    Inspected {
        path: path.into(),
        take: motion.clip.name.clone(),
        names: Names::of(path, &motion.clip.name),
        skeleton: motion.clip.skeleton.clone(),
        evidence: rates::evidence_of(&motion.clip, options),
        motion: fits.then_some(motion),
    }
}

/// Gives clips with the same joints one skeleton: the library's, else that of the first file.
fn share_skeletons(library: &Library, inspected: &mut [Inspected]) -> Result<(), LibraryError> {
    let entries = library.skeletons()?;
    let mut known: Vec<Arc<Skeleton>> = entries.into_iter().map(|entry| entry.skeleton).collect();
    for file in inspected {
        let shell = Clip::empty("", file.skeleton.clone(), FrameRate::FPS_30);
        let same = |known: &&Arc<Skeleton>| adopt_skeleton(&shell, known).is_some();
        match known.iter().find(same) {
            Some(shared) => file.skeleton = shared.clone(),
            None => known.push(file.skeleton.clone()),
        }
    }
    Ok(())
}

/// The rate of each file, with what the library knows of the same performers.
fn decide_all(
    library: &Library,
    inspected: &[Inspected],
    options: &ImportOptions,
) -> Result<Vec<RateDecision>, LibraryError> {
    let mut groups = SkeletonGroups::default();
    let skeletons: Vec<usize> = inspected
        .iter()
        .map(|file| groups.group_of(&file.skeleton))
        .collect();
    let known: Vec<KnownRate> = library
        .clips()?
        .iter()
        .filter_map(|entry| groups.known_rate(&entry.facts))
        .collect();
    let evidence: Vec<RateEvidence> = inspected.iter().map(|file| file.evidence).collect();
    let decisions = decide_rates(&evidence, &skeletons, &known);
    Ok(decisions
        .into_iter()
        .map(|decision| rates::overridden(decision, options))
        .collect())
}

fn find_target(
    library: &Library,
    inspected: &[Inspected],
    options: &ImportOptions,
) -> Result<Option<Arc<Skeleton>>, LibraryError> {
    let name = match &options.retarget {
        None => return Ok(None),
        Some(RetargetTo::Skeleton(skeleton)) => return Ok(Some(skeleton.clone())),
        Some(RetargetTo::Named(name)) => name,
    };
    if let Ok(stored) = library.skeleton_named(name) {
        return Ok(Some(stored));
    }
    match inspected.iter().find(|file| file.names.is(name)) {
        Some(file) => Ok(Some(file.skeleton.clone())),
        None => Err(LibraryError::NoSkeleton { name: name.clone() }),
    }
}

fn add_all(
    library: &mut Library,
    mut work: Vec<(Inspected, RateDecision)>,
    plan: &Plan,
    steps: &Steps,
) -> Result<ImportReport, LibraryError> {
    let transaction = library.transaction_after_others(steps.run)?;
    let mut prints = Prints::of_library(&transaction.clips()?);
    let mut report = ImportReport::default();
    while !work.is_empty() {
        let rest = work.split_off(work.len().min(BATCH));
        let prepared: Vec<(PathBuf, Result<Prepared, String>)> = work
            .into_par_iter()
            .map(|(file, decision)| (file.path.clone(), prepare(file, &decision, plan)))
            .collect();
        for (path, prepared) in prepared {
            match prepared {
                Ok(prepared) => {
                    naming::add(&transaction, &path, prepared, &mut prints, &mut report)?;
                }
                Err(error) => report.failed.push(FailedFile::new(&path, error)),
            }
            steps.step()?;
        }
        work = rest;
    }
    transaction.commit()?;
    Ok(report)
}
