//! Which files are to be read, and reading one.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use afoot_formats::files::Format;
use afoot_formats::{Motion, read_motion};

use super::{FailedFile, ImportOptions};

/// The files named, and every motion file in the folders named and below, sorted by path and each
/// once. Hidden files and folders are passed over; links are followed for files only.
pub fn find_motion_files(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<FailedFile>) {
    let (mut files, mut failed) = (Vec::new(), Vec::new());
    for path in paths {
        if path.is_dir() {
            let before = (files.len(), failed.len());
            walk(path, &mut files, &mut failed);
            if before == (files.len(), failed.len()) {
                failed.push(FailedFile::new(
                    path,
                    "there is no motion file in this folder",
                ));
            }
        } else {
            files.push(path.clone());
        }
    }
    files.sort();
    files.dedup();
    (files, failed)
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>, failed: &mut Vec<FailedFile>) {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return failed.push(FailedFile::new(folder, error)),
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        match (hidden, is_folder) {
            (true, _) => {}
            (false, true) => walk(&path, files, failed),
            (false, false) if is_motion(&path) => files.push(path),
            (false, false) => {}
        }
    }
}

/// An `.asf` alone is a skeleton: it is read with the `.amc` files that need it.
fn is_motion(path: &Path) -> bool {
    let skeleton = path
        .extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("asf"));
    Format::of_path(path).is_some() && !skeleton && path.is_file()
}

/// Reads a file whole, in metres and y up, with roles.
pub(super) fn read(path: &Path, options: &ImportOptions) -> Result<Motion, String> {
    let mut motion = read_motion(path, &options.read).map_err(|error| error.to_string())?;
    let clip = &mut motion.clip;
    if clip.is_empty() {
        return Err(format!("{}: there is no frame in it", path.display()));
    }
    clip.check()
        .map_err(|error| format!("{}: {error}", path.display()))?;
    if clip
        .skeleton
        .joints()
        .iter()
        .all(|joint| joint.role.is_none())
    {
        clip.skeleton = Arc::new((*clip.skeleton).clone().with_recognised_roles());
    }
    Ok(motion)
}
