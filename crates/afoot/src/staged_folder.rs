//! A folder of results that appears when all of them are there, or not at all.

use std::path::{Path, PathBuf};

use afoot_formats::files::{words_of, write_whole};

use crate::failure::Failure;
use crate::motion_files::{check_no_file, make_folder};

/// A folder beside the one that is meant; taken away again unless it was put in its place.
pub(crate) struct StagedFolder {
    meant: PathBuf,
    staged: PathBuf,
}

impl StagedFolder {
    pub(crate) fn new(meant: &Path) -> Result<Self, Failure> {
        check_no_file(meant)?;
        let whole = std::path::absolute(meant).map_err(|error| Failure::at(meant, error))?;
        let name = whole.file_name().unwrap_or_default().to_string_lossy();
        let staged = whole.with_file_name(format!(".{name}.{}.part", std::process::id()));
        let _ = std::fs::remove_dir_all(&staged); // left by a program of the same number that died
        make_folder(&staged).map_err(|failure| failure.told_of(&staged, meant))?;
        let meant = meant.to_owned();
        Ok(Self { meant, staged })
    }

    /// Where results are put meanwhile.
    pub(crate) fn path(&self) -> &Path {
        &self.staged
    }

    /// Writes a file into it.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let written = write_whole(&self.staged.join(name), bytes);
        written.map_err(|error| self.told(error.into()))
    }

    /// A failure that names the folder that is meant, not the one that is there meanwhile.
    pub(crate) fn told(&self, failure: Failure) -> Failure {
        failure.told_of(&self.staged, &self.meant)
    }

    /// Gives the folder its name; into one that is there already, its files are moved.
    pub(crate) fn put_in_place(self) -> Result<(), Failure> {
        let wrong = |error| Failure::at(&self.meant, words_of(&error));
        if !self.meant.exists() {
            return std::fs::rename(&self.staged, &self.meant).map_err(wrong);
        }
        for entry in std::fs::read_dir(&self.staged).map_err(wrong)? {
            let entry = entry.map_err(wrong)?;
            std::fs::rename(entry.path(), self.meant.join(entry.file_name())).map_err(wrong)?;
        }
        Ok(())
    }

    /// The same where results lie in folders of their own: those that are there already are replaced.
    pub(crate) fn replace_in_place(self) -> Result<(), Failure> {
        let wrong = |error| Failure::at(&self.meant, error);
        if self.meant.exists() {
            for entry in std::fs::read_dir(&self.staged).map_err(wrong)? {
                let there = self.meant.join(entry.map_err(wrong)?.file_name());
                if there.is_dir() {
                    std::fs::remove_dir_all(&there).map_err(wrong)?;
                }
            }
        }
        self.put_in_place()
    }
}

impl Drop for StagedFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.staged);
    }
}

#[cfg(test)]
mod tests {
    use afoot_fixtures::Folder;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn results_appear_together_or_not_at_all() {
        let folder = Folder::new("staged");
        let (root, meant) = (folder.file(""), folder.file("crowd"));
        let stage = |file: &str| {
            let staged = StagedFolder::new(&meant).unwrap();
            std::fs::write(staged.path().join(file), file).unwrap();
            staged
        };
        drop(stage("a")); // stopped
        assert_eq!(names(&root), [""; 0]);
        stage("a").put_in_place().unwrap();
        assert_eq!(
            (names(&root), names(&meant)),
            (vec!["crowd".into()], vec!["a".into()])
        );
        stage("b").put_in_place().unwrap();
        assert_eq!(names(&meant), ["a", "b"]);
        assert_eq!(names(&root), ["crowd"]);
        std::fs::write(folder.file("file"), "").unwrap();
        assert!(StagedFolder::new(&folder.file("file")).is_err());
    }
}
