//! Sample motion, for those who have none of their own.

use std::path::Path;

use afoot_formats::{WriteOptions, write_motion};
use afoot_run::Run;
use afoot_sample::{SampleOptions, sample_library};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::motion_files::make_folder;

/// Asks for the sample clips as BVH files.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WriteSamples {
    /// Only clips of these names; all if there are none.
    pub only: Vec<String>,
}

impl WriteSamples {
    /// Writes the files into a folder, made if it does not exist; gives the clips' names.
    pub fn run(&self, folder: impl AsRef<Path>, run: &Run) -> Result<Vec<String>, Failure> {
        let folder = folder.as_ref();
        make_folder(folder)?;
        let mut clips = sample_library(&SampleOptions::default());
        clips.retain(|clip| self.only.is_empty() || self.only.contains(&clip.name));
        for clip in &clips {
            run.check()?;
            let path = folder.join(format!("{}.bvh", clip.name));
            write_motion(&path, clip, &WriteOptions::default())?;
        }
        Ok(clips.into_iter().map(|clip| clip.name).collect())
    }
}
