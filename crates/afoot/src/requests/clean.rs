//! The feet of a motion file put still.

use afoot_analyze::{
    ContactOptions, GroundOptions, JudgeOptions, Quality, detect_contacts, estimate_ground,
    judge_clip,
};
use afoot_core::Clip;
use afoot_edit::cleanup::{CleanupOptions, clean_feet};
use afoot_formats::WriteOptions;
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use crate::delivery::{Delivered, Delivery, Outgoing, SourceStretch, rounded, time_it};
use crate::failure::Failure;
use crate::motion_files::{MotionFile, Output};

/// Asks for a motion file without foot skate, and with nothing else changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Clean {
    /// What to clean.
    pub input: MotionFile,
    /// Where to; in the input's unit if it is left open.
    pub output: Output,
}

/// What cleaning tells of itself.
#[derive(Clone, Debug, Serialize)]
pub struct CleanDetails {
    /// How good the file was.
    #[serde(serialize_with = "rounded")]
    pub before: Quality,
}

impl Clean {
    /// Cleans the file.
    pub fn run(&self, run: &Run) -> Result<Delivered<CleanDetails>, Failure> {
        self.output.check()?;
        let read = self.input.read()?;
        let (cleaned, seconds) = time_it(|| with_still_feet(read.clip.clone()));
        let cleaned = cleaned?;
        let length = cleaned.seconds();
        let outgoing = Outgoing {
            frames: cleaned.len(),
            rate: cleaned.rate,
            like: WriteOptions::like(&read.source),
            usual: None,
        };
        let mut delivery = Delivery::new(&self.output, outgoing)?;
        delivery.push(cleaned)?;
        let mut quality = delivery.finish(None, run)?;
        quality.took(seconds);
        let mut before = judge_clip(&read.clip, &JudgeOptions::default());
        before.took(0.0);
        let whole = SourceStretch {
            clip: self.input.file.display().to_string(),
            from: 0.0,
            to: length,
            at: 0.0,
        };
        Ok(Delivered {
            quality,
            sources: vec![whole],
            details: CleanDetails { before },
        })
    }
}

/// Floor and contacts found, then the feet held to them.
fn with_still_feet(mut clip: Clip) -> Result<Clip, Failure> {
    clip.ground = Some(estimate_ground(&clip, &GroundOptions::default())?.ground);
    clip.contacts = detect_contacts(&clip, &ContactOptions::default())?.contacts;
    Ok(clean_feet(&clip, &CleanupOptions::default())?.0)
}
