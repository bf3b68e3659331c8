//! A test's own folder.

use std::path::{Path, PathBuf};

/// An empty folder that is gone when the test ends.
pub struct Folder(PathBuf);

impl Folder {
    /// Named after the test, so that those of tests that run side by side differ.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("afoot-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path); // left by a test of the same number that died
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Itself.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// A file or folder in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
