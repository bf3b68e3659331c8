//! A library's clips brought onto one skeleton.

use afoot_run::Run;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::library::Library;

/// Asks for all clips on one skeleton, in place of what they were captured on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Retarget {
    /// A clip whose skeleton they get, or a skeleton of the library by its name.
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
        let changed = library.write()?.retarget(&self.skeleton, run)?;
        let clips = changed
            .into_iter()
            .map(|(name, was)| RetargetedClip { name, was });
        Ok(Retargeted {
            clips: clips.collect(),
        })
    }
}
