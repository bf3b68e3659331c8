//! Faults of captured motion: what is wrong with a clip as its file gave it, and the repair.
//!
//! Works at the source's frame rate, before resampling, and counts frames as the file does. Found
//! here: a T-pose in the first frame and empty frames before the motion ([`leading`]), joints and
//! roots that flip within a frame ([`flips`], joined to stretches in [`stretches`]), joints that go
//! astray and come back ([`excursions`]), a pelvis that pops ([`pops`]), figures and limbs that freeze
//! ([`freezes`]), a rate at which things fall too fast ([`rate`]), motion under two names ([`duplicates`]).
//! [`find_faults`] only looks, [`repair_faults`] does what the findings say: a bridge only where it
//! accelerates less than the raw frames ([`bridge`]), else a mark. What is not certain is only told, and so
//! is what looks like a fault in motion that was keyed, not captured (`tremor`).
//! Cost: linear in frames and joints. Units and up-axis are the formats' business.

pub mod bridge;
pub mod duplicates;
pub mod excursions;
pub(crate) mod fall;
#[cfg(test)]
mod fixture;
pub mod flips;
pub mod freezes;
pub mod leading;
pub mod pops;
pub mod rate;
mod repair;
pub mod stretches;
mod tremor;

use std::ops::Range;

use afoot_core::{Clip, FrameRate, JointId, Range32};

pub use duplicates::Fingerprint;
pub use fall::Steps;
pub use flips::{Flip, find_flips};
pub use rate::{
    Fall, KnownRate, RateDecision, RateEvidence, RateReason, RateVerdict, decide_rates,
};
pub use repair::repair_faults;

/// What kind of fault it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultKind {
    /// A calibration pose in front of the motion.
    TPose,
    /// Frames before the figure was tracked: every channel zero.
    EmptyFrames,
    /// The root leaps in place or direction within a frame.
    RootJump,
    /// A joint flips within a frame.
    Spike,
    /// A joint flips to where it does not belong, and back some frames later.
    Excursion,
    /// The pelvis darts aside within a frame, less far than a leap.
    Pop,
    /// The figure, or a limb of it, stops dead and repeats its pose.
    Freeze,
    /// The file's frame rate is not the capture's.
    FrameRate,
    /// The same motion as another clip.
    Duplicate,
    /// No fault: the caller asked for frames to be left out.
    AsAsked,
}

impl FaultKind {
    /// The word that JSON uses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TPose => "t_pose",
            Self::EmptyFrames => "empty_frames",
            Self::RootJump => "root_jump",
            Self::Spike => "spike",
            Self::Excursion => "excursion",
            Self::Pop => "pop",
            Self::Freeze => "freeze",
            Self::FrameRate => "frame_rate",
            Self::Duplicate => "duplicate",
            Self::AsAsked => "as_asked",
        }
    }
}

/// What is done about a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Only reported.
    None,
    /// The frames are left out; they lie at an end of the clip.
    Drop,
    /// The joints are turned evenly from the frame before to the frame after.
    Bridge,
    /// The frames stay as they are and go into [`Clip::faults`], which graphs leave out.
    Mark,
}

/// One fault or suspicion.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What it is.
    pub kind: FaultKind,
    /// The frames it spoils, counted as in the file.
    pub frames: Range32,
    /// The joint that shows it most, where there is one; the root's number if the whole figure does.
    pub joint: Option<JointId>,
    /// Every flip in it; empty for other kinds.
    pub flips: Vec<Flip>,
    /// What a bridge turns evenly, with all that hangs on it: children turn against a parent that
    /// flips. The root's place goes along with its rotation.
    pub joints: Vec<JointId>,
    /// What [`repair_faults`] does about it.
    pub remedy: Remedy,
    /// For people: what was found; [`Finding::outcome`] says what is done about it.
    pub words: String,
    /// Whether it is a fault for sure; what is not certain is never changed.
    pub certain: bool,
}

impl Finding {
    /// Takes over the flips of its joint that lie within its frames or lead out of them.
    fn take(&mut self, flips: &mut Vec<Flip>) {
        let frames = self.frames.start..self.frames.end + 1;
        let own = |flip: &mut Flip| Some(flip.joint) == self.joint && frames.contains(&flip.frame);
        self.flips.extend(flips.extract_if(.., own));
        self.flips.sort_by_key(|flip| flip.frame);
        self.flips.dedup();
    }

    /// Tells of it and no more.
    fn leave_alone(&mut self) {
        self.remedy = Remedy::None;
        self.certain = false;
    }

    /// Whether this finding already deals with the frames and joints of another.
    fn tells_of(&self, other: &Self) -> bool {
        let same_joints = match self.remedy {
            Remedy::Bridge => other.joints.iter().any(|joint| self.joints.contains(joint)),
            Remedy::Mark | Remedy::Drop | Remedy::None => true,
        };
        let whole = match self.remedy {
            Remedy::Bridge | Remedy::None => !self.frames.intersect(other.frames).is_empty(),
            Remedy::Mark | Remedy::Drop => self.frames.intersect(other.frames) == other.frames,
        };
        same_joints && whole
    }

    /// What [`repair_faults`] does, in words.
    pub fn outcome(&self) -> String {
        let (start, end) = (self.frames.start, self.frames.end);
        let frames = match end.saturating_sub(start) {
            0 | 1 => format!("frame {start}"),
            _ => format!("frames {start} to {}", end - 1),
        };
        match self.remedy {
            Remedy::None => format!("{frames} left as is"),
            Remedy::Drop => format!("{frames} left out"),
            Remedy::Bridge => format!("{frames} bridged"),
            Remedy::Mark => format!("{frames} marked as faulty"),
        }
    }
}

/// What counts as a fault, and what may be done about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaultOptions {
    /// Frames to leave out at the start, instead of looking for a T-pose and empty frames.
    pub drop_first: Option<u32>,
    /// Whether faults are repaired; if not, they are reported with [`Remedy::None`].
    pub repair: bool,
    /// Whether the file may hold motion that somebody keyed: what looks like a fault in such motion was meant.
    pub may_be_keyed: bool,
    /// A flip turns at least so many times the joint's usual fastest step in the clip. The least
    /// of the flips known in the CMU clips reaches 8.5, real kicks and throws 5. [> 1]
    pub flip_ratio: f32,
    /// A flip is at least so fast: no human joint but a finger turns faster. [rad/s, > 0]
    pub flip_speed: f32,
    /// A root that moves faster leaps. [m/s, > 0]
    pub root_speed: f32,
    /// Equal poses for as long are a freeze; a few frames are written twice where rates were
    /// changed. [s, > 0]
    pub freeze_seconds: f32,
    /// If a joint was faster than this in the frame before: what is held on purpose comes to rest
    /// first. [m/s, > 0]
    pub freeze_speed: f32,
    /// Or if the root braked harder than this: who stops walking does so with some 3 m/s². [m/s², > 0]
    pub freeze_stop: f32,
    /// A limb is frozen if it was faster than this just before or after it stood still beside a
    /// figure that moves: arms and legs at rest start slower. [m/s, > 0]
    pub freeze_jump: f32,
    /// Stretches up to this long are bridged. [s, ≥ 0]
    pub bridge_seconds: f32,
    /// Flips nearer than this to an end of the clip cut it off there. [s, ≥ 0]
    pub edge_seconds: f32,
    /// Flips nearer than this to each other spoil everything between them. [s, ≥ 0]
    pub join_seconds: f32,
    /// Good motion at an end, beyond a long spoilt stretch, is not kept if shorter. [s, ≥ 0]
    pub least_rest_seconds: f32,
}

impl Default for FaultOptions {
    fn default() -> Self {
        Self {
            drop_first: None,
            repair: true,
            may_be_keyed: false,
            flip_ratio: 8.3,
            flip_speed: 1440f32.to_radians(),
            root_speed: 12.0,
            freeze_seconds: 0.1,
            freeze_speed: 0.25,
            freeze_stop: 6.0,
            freeze_jump: 1.0,
            bridge_seconds: 0.1,
            edge_seconds: 0.25,
            join_seconds: 2.0,
            least_rest_seconds: 1.0,
        }
    }
}

/// Everything wrong within one clip, in the order of the frames; the clip is left alone.
/// `rate` is the capture's rate if it is not the clip's own.
pub fn find_faults(clip: &Clip, rate: Option<FrameRate>, options: &FaultOptions) -> Vec<Finding> {
    let rate = rate.unwrap_or(clip.rate);
    let mut findings = leading::find_leading(clip, options);
    let kept = kept_frames(clip, &findings);
    let mut flips = find_flips(clip, kept.clone(), rate, options);
    let (mut feet, doubtful): (Vec<Finding>, Vec<Finding>) =
        excursions::of_feet(clip, kept.clone(), rate, options)
            .into_iter()
            .partition(|finding| finding.remedy == Remedy::Bridge);
    feet.iter_mut().for_each(|finding| finding.take(&mut flips));
    findings.extend(feet);
    findings.extend(stretches::judge_flips(
        clip,
        &flips,
        kept.clone(),
        rate,
        options,
    ));
    findings.extend(freezes::find_freezes(clip, kept, rate, options));
    add_unknown(&mut findings, doubtful);
    for find in [
        freezes::find_frozen_limbs,
        excursions::of_other_joints,
        pops::find_pops,
    ] {
        let found = find(clip, kept_frames(clip, &findings), rate, options);
        add_unknown(&mut findings, found);
    }
    let mut findings = without_dropped(findings);
    findings.sort_by_key(|finding| finding.frames);
    let leading = leading::find_leading(clip, options);
    if options.may_be_keyed && tremor::is_keyed(clip, kept_frames(clip, &leading), rate) {
        let meant = findings
            .iter_mut()
            .filter(|finding| !leading.contains(finding));
        meant.for_each(Finding::leave_alone);
    }
    let asked = |finding: &Finding| finding.kind == FaultKind::AsAsked;
    if !options.repair {
        let faults = findings.iter_mut().filter(|finding| !asked(finding));
        faults.for_each(|finding| finding.remedy = Remedy::None);
    }
    findings
}

/// Adds what no finding deals with yet.
fn add_unknown(findings: &mut Vec<Finding>, mut found: Vec<Finding>) {
    found.retain(|new| !findings.iter().any(|known| known.tells_of(new)));
    findings.append(&mut found);
}

/// Findings in frames that are left out anyway give their flips to what leaves them out.
fn without_dropped(findings: Vec<Finding>) -> Vec<Finding> {
    let (mut drops, others): (Vec<Finding>, Vec<Finding>) = findings
        .into_iter()
        .partition(|finding| finding.remedy == Remedy::Drop);
    let mut kept = Vec::new();
    for finding in others {
        let gone = |drop: &&mut Finding| drop.frames.intersect(finding.frames) == finding.frames;
        match drops.iter_mut().find(gone) {
            Some(drop) => drop.flips.extend(finding.flips),
            None => kept.push(finding),
        }
    }
    for drop in &mut drops {
        drop.flips.sort_by_key(|flip| (flip.frame, flip.joint));
    }
    kept.append(&mut drops);
    kept
}

/// The frames of the file that remain when what is to be dropped is gone.
pub fn kept_frames(clip: &Clip, findings: &[Finding]) -> Range<usize> {
    let mut kept = 0..clip.len();
    for finding in findings.iter().filter(|f| f.remedy == Remedy::Drop) {
        let (start, end) = (finding.frames.start as usize, finding.frames.end as usize);
        if start <= kept.start {
            kept.start = kept.start.max(end);
        } else {
            kept.end = kept.end.min(start);
        }
    }
    kept.start = kept.start.min(clip.len());
    kept.end = kept.end.max(kept.start);
    kept
}
