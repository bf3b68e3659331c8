//! Sample motion, for those who have none of their own.

use std::path::Path;

use afoot_core::Clip;
use afoot_formats::{WriteOptions, write_motion};
use afoot_run::Run;
use afoot_sample::{SampleOptions, sample_library, task_library};
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
        write(
            sample_library(&SampleOptions::default()),
            &self.only,
            folder.as_ref(),
            run,
        )
    }
}

/// Asks for the sample clips that plans are tried on as BVH files: walks, picks at five heights and three
/// reaches with either hand, steps and jumps of several lengths.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WriteTaskSamples {
    /// Only clips of these names; all if there are none.
    pub only: Vec<String>,
}

impl WriteTaskSamples {
    /// Writes the files into a folder, made if it does not exist; gives the clips' names.
    pub fn run(&self, folder: impl AsRef<Path>, run: &Run) -> Result<Vec<String>, Failure> {
        write(
            task_library(&SampleOptions::default()),
            &self.only,
            folder.as_ref(),
            run,
        )
    }
}

fn write(
    mut clips: Vec<Clip>,
    only: &[String],
    folder: &Path,
    run: &Run,
) -> Result<Vec<String>, Failure> {
    make_folder(folder)?;
    clips.retain(|clip| only.is_empty() || only.contains(&clip.name));
    for clip in &clips {
        run.check()?;
        let path = folder.join(format!("{}.bvh", clip.name));
        write_motion(&path, clip, &WriteOptions::default())?;
    }
    Ok(clips.into_iter().map(|clip| clip.name).collect())
}
