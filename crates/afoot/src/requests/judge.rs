//! The quality of a motion file.

use afoot_analyze::{JudgeOptions, Quality, judge_clip};
use afoot_run::Run;
use afoot_synth::GroundPath;
use serde::{Deserialize, Serialize};

use crate::delivery::rounded;
use crate::failure::Failure;
use crate::inputs::Input;
use crate::motion_files::MotionFile;
use crate::threads::in_threads;
use crate::workspace::Workspace;

/// Asks how good a motion file is; of what is usual in the library, where one is open.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Judge {
    /// The motion.
    pub input: MotionFile,
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
    pub fn run<'a>(&self, from: impl Into<Workspace<'a>>, run: &Run) -> Result<Judged, Failure> {
        let from = from.into();
        in_threads(run, || self.judge(&from, run))
    }

    fn judge(&self, from: &Workspace, run: &Run) -> Result<Judged, Failure> {
        let read = self.input.read(from.files())?;
        let statistics = match from.any_library() {
            Some(library) => library.statistics()?,
            None => None,
        };
        if let (Some(library), None) = (from.any_library(), &statistics) {
            let path = library.path().display();
            run.warn(format!("{path}: no motion to compare with, so no ratios"));
        }
        let path = self.path.as_ref().map(|path| path.path(from.files()));
        let path = path.transpose()?;
        let options = JudgeOptions {
            source: statistics.as_ref(),
            path: path.as_ref().map(GroundPath::points),
            ..JudgeOptions::default()
        };
        let quality = judge_clip(&read.clip, &options);
        Ok(Judged { quality })
    }
}
