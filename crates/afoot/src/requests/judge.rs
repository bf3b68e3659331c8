//! The quality of a motion file.

use std::path::PathBuf;

use afoot_analyze::{JudgeOptions, Quality, judge_clip};
use afoot_run::Run;
use afoot_synth::GroundPath;
use serde::{Deserialize, Serialize};

use crate::delivery::rounded;
use crate::failure::Failure;
use crate::inputs::Input;
use crate::library::Library;
use crate::motion_files::MotionFile;

/// Asks how good a motion file is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Judge {
    /// The motion.
    pub input: MotionFile,
    /// The library it was made from, for what is usual there.
    pub library: Option<PathBuf>,
    /// The path it was to follow.
    pub path: Option<Input>,
}

/// How good it is.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Judged {
    /// The report.
    #[serde(serialize_with = "rounded")]
    pub quality: Quality,
}

impl Judge {
    /// Judges the file.
    pub fn run(&self, run: &Run) -> Result<Judged, Failure> {
        let read = self.input.read()?;
        read.source
            .warnings
            .iter()
            .for_each(|warning| run.warn(warning));
        let usual = match &self.library {
            Some(path) => Library::open(path)?.usual()?,
            None => None,
        };
        if let (Some(path), None) = (&self.library, &usual) {
            let path = path.display();
            run.warn(format!("{path}: no motion to compare with, so no ratios"));
        }
        let path = self.path.as_ref().map(Input::path).transpose()?;
        let options = JudgeOptions {
            source: usual.as_ref(),
            path: path.as_ref().map(GroundPath::points),
            ..JudgeOptions::default()
        };
        let quality = judge_clip(&read.clip, &options);
        Ok(Judged { quality })
    }
}
