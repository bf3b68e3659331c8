//! Which files are to be read, and reading one.

use std::fs;
use std::path::{Path, PathBuf};

use afoot_formats::files::{Format, asf_of, read_amc_with};
use afoot_formats::{Motion, ReadOptions, read_takes};

use super::FailedFile;

/// What an import is to read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sources {
    /// Motion files, sorted by path, each once.
    pub files: Vec<PathBuf>,
    /// ASF files that were named, for AMC files that have none beside them.
    pub skeletons: Vec<PathBuf>,
    /// Places where there is nothing to read.
    pub failed: Vec<FailedFile>,
}

/// The files named, and every motion file in the folders named and below. Hidden files and folders
/// are passed over; links are followed for files only.
pub fn find_motion_files(paths: &[PathBuf]) -> Sources {
    let mut sources = Sources::default();
    for path in paths {
        if path.is_dir() {
            let before = (sources.files.len(), sources.failed.len());
            walk(path, &mut sources);
            if before == (sources.files.len(), sources.failed.len()) {
                let error = "there is no motion file in this folder";
                sources.failed.push(FailedFile::new(path, error));
            }
        } else if is_skeleton(path) {
            sources.skeletons.push(path.clone());
        } else {
            sources.files.push(path.clone());
        }
    }
    sources.files.sort();
    sources.files.dedup();
    sources
}

fn walk(folder: &Path, sources: &mut Sources) {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return sources.failed.push(FailedFile::new(folder, error)),
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        match (hidden, is_folder) {
            (true, _) => {}
            (false, true) => walk(&path, sources),
            (false, false) if is_motion(&path) => sources.files.push(path),
            (false, false) => {}
        }
    }
}

fn is_motion(path: &Path) -> bool {
    Format::of_path(path).is_some() && path.is_file()
}

fn is_skeleton(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("asf"))
}

/// Reads a file's animations whole, in metres and y up, with roles; at least one.
pub(super) fn read(
    path: &Path,
    skeletons: &[PathBuf],
    options: &ReadOptions,
) -> Result<Vec<Motion>, String> {
    let read = match skeleton_for(path, skeletons) {
        Some(asf) => read_amc_with(path, asf, options).map(|motion| vec![motion]),
        None => read_takes(path, options),
    };
    let takes = read.map_err(|error| error.to_string())?;
    for Motion { clip, .. } in &takes {
        if clip.is_empty() {
            return Err("there is no frame in it".into());
        }
        clip.check().map_err(|error| error.to_string())?;
    }
    Ok(takes)
}

/// The one animation of that name, or the only one.
pub(super) fn read_again(
    path: &Path,
    skeletons: &[PathBuf],
    name: &str,
    options: &ReadOptions,
) -> Result<Motion, String> {
    let mut takes = read(path, skeletons, options)?;
    let named = takes.iter().position(|take| take.clip.name == name);
    let last = || takes.len().checked_sub(1);
    let index = named.or_else(last).ok_or("there is no take in it")?;
    Ok(takes.swap_remove(index))
}

/// The named skeleton that an AMC file needs: by its name or subject, or the only one, if there is
/// none beside it.
fn skeleton_for<'a>(path: &Path, skeletons: &'a [PathBuf]) -> Option<&'a PathBuf> {
    if Format::of_path(path) != Some(Format::Amc) {
        return None;
    }
    let stem = path.file_stem()?.to_string_lossy();
    let subject = stem.split('_').next().unwrap_or_default();
    let named = |name: &str| {
        skeletons
            .iter()
            .find(|asf| asf.file_stem().is_some_and(|s| s == name))
    };
    let only = || match (skeletons, asf_of(path)) {
        ([only], Err(_)) => Some(only),
        _ => None,
    };
    named(&stem).or_else(|| named(subject)).or_else(only)
}
