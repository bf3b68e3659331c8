//! A library's clips brought onto one skeleton.

use std::sync::Arc;

use afoot_core::Skeleton;
use afoot_library::{Library as Store, LibraryError};
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::files::Files;
use crate::library::Library;
use crate::motion_files::MotionFile;

/// Asks for all clips on one skeleton, in place of what they were captured on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Retarget {
    /// A clip whose skeleton they get, a skeleton of the library by its name, or a motion file.
    pub skeleton: String,
}

/// What was changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Retargeted {
    /// The clips that had another skeleton.
    pub clips: Vec<RetargetedClip>,
}

/// A clip that had another skeleton.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RetargetedClip {
    /// Its name.
    pub name: String,
    /// How its skeleton differed.
    pub was: String,
}

impl Retarget {
    /// Changes the clips, all or none.
    pub fn run(&self, library: &Library, run: &Run) -> Result<Retargeted, Failure> {
        let mut store = library.write()?;
        let target = self.target(&store, library.files(), run)?;
        let changed = store.retarget_onto(&target, run)?;
        let clips = changed
            .into_iter()
            .map(|(name, was)| RetargetedClip { name, was });
        Ok(Retargeted {
            clips: clips.collect(),
        })
    }

    fn target(
        &self,
        store: &Store,
        files: &dyn Files,
        run: &Run,
    ) -> Result<Arc<Skeleton>, Failure> {
        match store.skeleton_named(&self.skeleton) {
            Err(unknown @ LibraryError::NoSkeleton { .. }) => {
                let file = MotionFile::new(self.skeleton.as_str());
                let exists = |name| files.locate(name).is_ok_and(|path| path.is_file());
                match exists(&file.file) {
                    true => Ok(file.clip(files, run)?.skeleton),
                    false => Err(unknown.into()),
                }
            }
            found => Ok(found?),
        }
    }
}
