//! Files that requests name, and who says which file that is.
//!
//! A request carries names, never paths that are opened as they stand: a surface resolves them through
//! [`Files`]. A command line takes [`AnyFile`]; a server that is sent requests takes [`FilesBelow`] a
//! folder, or [`NoFiles`], and then nothing that it is sent can read elsewhere. Where results go is not
//! part of a request at all (`Output` and its like, a second argument).

use std::fmt;
use std::path::{Component, Path, PathBuf};

use afoot_formats::read_file;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// Says which file a name means.
pub trait Files: fmt::Debug + Send + Sync {
    /// The file, or why it can't be had.
    fn locate(&self, name: &FileName) -> Result<PathBuf, Failure>;
}

/// No path, world, score, label or script file is larger. [bytes]
const MOST_TEXT: u64 = 256 << 20;

/// The name of a file to read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FileName(PathBuf);

/// Every name is a path of this computer.
#[derive(Clone, Copy, Debug, Default)]
pub struct AnyFile;

/// No file can be named.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

/// Names are paths below a folder, and lead nowhere else.
#[derive(Clone, Debug)]
pub struct FilesBelow(pub PathBuf);

impl Files for AnyFile {
    fn locate(&self, name: &FileName) -> Result<PathBuf, Failure> {
        Ok(name.0.clone())
    }
}

impl Files for NoFiles {
    fn locate(&self, name: &FileName) -> Result<PathBuf, Failure> {
        Err(Failure::at(
            &name.0,
            "expected data, not the name of a file",
        ))
    }
}

impl Files for FilesBelow {
    fn locate(&self, name: &FileName) -> Result<PathBuf, Failure> {
        let goes_down = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
        let outside = || Failure::at(&name.0, "expected a file below the folder that is shared");
        if !name.0.components().all(goes_down) {
            return Err(outside());
        }
        let named = self.0.join(&name.0);
        // A link may lead out of the folder; what does not exist is told when it is opened.
        match (named.canonicalize(), self.0.canonicalize()) {
            (Ok(file), Ok(folder)) if !file.starts_with(&folder) => Err(outside()),
            _ => Ok(named),
        }
    }
}

/// The text of a file that a person named; of a file, not of a pipe or a device, which may never end.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    FileName::from(path).text(&AnyFile)
}

impl FileName {
    /// The name as it was given.
    pub fn as_path(&self) -> &Path {
        &self.0
    }

    /// Something is wrong with the file.
    pub(crate) fn wrong(&self, error: impl fmt::Display) -> Failure {
        Failure::at(&self.0, error)
    }

    /// Its text.
    pub(crate) fn text(&self, files: &dyn Files) -> Result<String, Failure> {
        let path = files.locate(self)?;
        let bytes = read_file(&path, MOST_TEXT).map_err(|error| self.wrong(error))?;
        let other = |_| self.wrong("expected text, found other bytes");
        String::from_utf8(bytes).map_err(other)
    }

    /// What it says in JSON; `what` names that where it says something else.
    pub(crate) fn json<T: DeserializeOwned>(
        &self,
        what: &str,
        files: &dyn Files,
    ) -> Result<T, Failure> {
        let text = self.text(files)?;
        serde_json::from_str(&text).map_err(|error| self.wrong(format!("expected {what}: {error}")))
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.display().fmt(f)
    }
}

impl<T: Into<PathBuf>> From<T> for FileName {
    fn from(path: T) -> Self {
        Self(path.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_below_a_folder_lead_nowhere_else() {
        let files = FilesBelow("/srv/motion".into());
        let found = |name: &str| files.locate(&name.into());
        assert_eq!(
            found("a/walk.bvh").unwrap(),
            Path::new("/srv/motion/a/walk.bvh")
        );
        for name in ["../walk.bvh", "/etc/passwd", "a/../../b"] {
            let failure = found(name).unwrap_err();
            assert!(failure.message.starts_with(name), "{failure}");
        }
        assert!(NoFiles.locate(&"walk.bvh".into()).is_err());
    }
}
