//! The feet of a motion file put still.

use afoot_analyze::{
    ClassOptions, ContactOptions, GroundOptions, JudgeOptions, MadeFrom, Quality, SourceSpan,
    SourceStatistics, classify_clip, detect_contacts, estimate_ground, judge_clip,
};
use afoot_core::Clip;
use afoot_edit::cleanup::settle::{SettleOptions, settle_feet};
use afoot_formats::WriteOptions;
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use crate::delivery::{Against, Delivered, Delivery, Outgoing, SourceStretch, rounded, time_it};
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
    /// Share of their length by which legs may grow before knees straighten. [0 to 0.1]
    pub lengthen: f32,
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
        self.output.check_judged()?;
        if !(0.0..=0.1).contains(&self.lengthen) {
            let expected = "a share of 0 to 0.1";
            return Err(Failure::bad_value("lengthen", self.lengthen, expected));
        }
        let read = self.input.read()?;
        let captured = with_facts(read.clip.clone())?;
        let options = SettleOptions {
            lengthen: self.lengthen,
            ..SettleOptions::default()
        };
        let (cleaned, seconds) = time_it(|| settle_feet(&captured, &options));
        let (cleaned, _) = cleaned?;
        let length = cleaned.seconds();
        let outgoing = Outgoing {
            frames: cleaned.len(),
            rate: cleaned.rate,
            like: WriteOptions::like(&read.source),
            usual: SourceStatistics::of_clips(&[&captured]),
        };
        let mut delivery = Delivery::new(&self.output, outgoing)?;
        delivery.push(cleaned)?;
        let against = Against {
            made_from: Some(whole_of(&captured)),
            floor: captured.ground.map(|ground| ground.height),
            path: None,
        };
        let mut quality = delivery.finish(&against, run)?;
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

/// Floor, contacts and gaits found.
fn with_facts(mut clip: Clip) -> Result<Clip, Failure> {
    clip.ground = Some(estimate_ground(&clip, &GroundOptions::default())?.ground);
    clip.contacts = detect_contacts(&clip, &ContactOptions::default())?.contacts;
    clip.types = classify_clip(&clip, &ClassOptions::default())?.types;
    Ok(clip)
}

/// Every frame comes from the same frame of the captured clip.
fn whole_of(captured: &Clip) -> MadeFrom<'_> {
    let whole = SourceSpan {
        clip: 0,
        from: 0,
        frames: captured.len() as u32,
        at: 0,
    };
    MadeFrom {
        clips: [(0, captured)].into(),
        spans: vec![whole],
        joins: Vec::new(),
    }
}
