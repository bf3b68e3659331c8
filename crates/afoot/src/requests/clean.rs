//! The feet of a motion file put still.

use afoot_analyze::{JudgeOptions, Quality, Verdict, judge_clip};
use afoot_core::Clip;
use afoot_edit::cleanup::{SettleOptions, settle_feet};
use afoot_formats::{Motion, WriteOptions};
use afoot_library::{ImportOptions, prepare_motion};
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use crate::delivery::{MotionHeader, MotionPiece, MotionRequest, OneClip, Outlet, Told, rounded};
use crate::failure::Failure;
use crate::files::FileName;
use crate::motion_files::MotionFile;
use crate::workspace::Workspace;

/// Asks for a motion file without foot skate, and with nothing else changed. Written in the input's
/// unit if the output leaves it open.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Clean {
    /// What to clean.
    pub input: MotionFile,
    /// Share of their length by which legs may grow before knees straighten. [0 to 0.1]
    pub lengthen: f32,
}

/// What cleaning tells of itself.
#[derive(Clone, Debug, Serialize)]
pub struct CleanDetails {
    /// How good the file was.
    #[serde(serialize_with = "rounded")]
    pub before: Quality,
    /// Why the motion was left as it was, where cleaning would have made it worse.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<String>,
}

/// What cleaning is for: measures of feet and floor.
const OF_FEET: [&str; 5] = [
    "skate_cm_s",
    "skate_share",
    "slide_mm",
    "sink_cm",
    "glide_cm_s",
];
/// A measure that is not kept is worse if it grows by more than this.
const WORSE: f64 = 1.25;

impl MotionRequest for Clean {
    type Details = CleanDetails;

    fn reads(&self) -> Option<&FileName> {
        Some(&self.input.file)
    }

    fn make(
        &self,
        from: &Workspace,
        outlet: &mut Outlet,
        run: &Run,
    ) -> Result<Told<CleanDetails>, Failure> {
        let read = outlet.aside(|| self.input.read(from.files()))?;
        let like = WriteOptions::like(&read.source);
        let before = outlet.aside(|| {
            let mut before = judge_clip(&read.clip, &JudgeOptions::default());
            before.took(0.0);
            before
        });
        let captured = outlet.aside(|| self.prepared(read, run))?;
        let options = SettleOptions {
            lengthen: self.lengthen,
            ..SettleOptions::default()
        };
        let (mut clip, _) = settle_feet(&captured, &options)?;
        let left = outlet.aside(|| made_worse(&captured, &clip));
        if let Some(why) = &left {
            run.warn(format!(
                "cleaning would make it worse ({why}): it is left as it was"
            ));
            clip = captured.clone();
        }
        let frames = captured.len();
        let middle = captured.root.get(frames / 2).copied().unwrap_or_default();
        let source = OneClip::new(self.input.file.to_string(), captured).staying(middle, None);
        let header = MotionHeader::of_clip(source, frames as u64);
        outlet.begin(header.written_like(like))?;
        outlet.push(MotionPiece::of_one(clip, 0..frames as u32))?;
        Ok(Told::of(CleanDetails { before, left }))
    }
}

/// What cleaning did to feet that they are worse for, in words. Feet of who walks in place must slide: held to
/// the floor at one end of a step they are torn along it at the other.
fn made_worse(captured: &Clip, cleaned: &Clip) -> Option<String> {
    let [before, after] = [captured, cleaned].map(|clip| {
        let mut quality = judge_clip(clip, &JudgeOptions::default());
        quality.took(0.0);
        quality.verdicts
    });
    let was = |now: &Verdict| before.iter().find(|was| was.measure == now.measure);
    let worse = |now: &&Verdict| {
        let grown = was(now).is_some_and(|was| now.value > WORSE * was.value);
        OF_FEET.contains(&now.measure) && !now.kept && grown
    };
    let worst = after.iter().find(worse)?;
    let (was, unit) = (was(worst)?.value, worst.unit);
    Some(format!(
        "{} {was:.1} {unit} before, {:.1} {unit} after",
        worst.name, worst.value
    ))
}

impl Clean {
    /// The motion as an import would make it ready: T-poses left out, rate corrected, facts found.
    fn prepared(&self, read: Motion, run: &Run) -> Result<Clip, Failure> {
        let options = ImportOptions {
            source_rate: self.input.source_rate()?,
            ..ImportOptions::default()
        };
        let prepared = prepare_motion(read, &options);
        let (clip, facts) = prepared.map_err(|error| self.input.file.wrong(error))?;
        let repairs = facts.repairs.iter();
        let repairs = repairs.map(|words| format!("repaired: {words}"));
        let told = repairs.chain(facts.warnings.iter().cloned());
        told.for_each(|words| run.warn(words));
        Ok(clip)
    }
}
