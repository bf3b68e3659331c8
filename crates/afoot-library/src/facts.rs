//! What is known about a clip beside its motion: where it came from, and what import did to it.

use afoot_analyze::faults::{Finding, RateVerdict};
use afoot_core::Skeleton;
use serde::{Deserialize, Serialize};

/// A clip's origin, repairs and warnings. Stored as JSON; fields may be added, never renamed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ClipFacts {
    /// The file it was read from, as it was named then.
    pub source: Option<String>,
    /// That file's format: `bvh`, `amc`, ...
    pub format: Option<String>,
    /// Length of one unit of the file. [m]
    pub metres_per_unit: Option<f64>,
    /// The axis that pointed up in the file: `y` or `z`.
    pub up: Option<String>,
    /// Frames in the file.
    pub source_frames: Option<u32>,
    /// Frames per second, as the file claims.
    pub claimed_fps: Option<f64>,
    /// Frames per second at capture, after correction.
    pub source_fps: Option<f64>,
    /// What the clip's own motion says about the claimed rate.
    pub rate_verdict: Option<RateVerdictFact>,
    /// The hash of the skeleton that the file has, before retargeting.
    pub source_skeleton: Option<String>,
    /// Whether it was brought onto another skeleton.
    pub retargeted: bool,
    /// Whose mirror image it is.
    pub mirror_of: Option<String>,
    /// The clips that it was made of, where it was not captured.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub made_of: Vec<OriginFact>,
    /// What was repaired, in words.
    pub repairs: Vec<String>,
    /// What is suspected, in words.
    pub warnings: Vec<String>,
    /// Both as data, frames as in the file.
    pub findings: Vec<FindingFact>,
}

/// A stretch of another clip in one that was made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct OriginFact {
    /// The other clip.
    pub clip: String,
    /// The chains of the body that it moves; all if there are none.
    pub chains: Vec<String>,
    /// Where the stretch starts in it. [s]
    pub from: f64,
    /// Where it ends in it. [s]
    pub to: f64,
    /// Where it starts in the clip that was made. [s]
    pub at: f64,
}

/// [`RateVerdict`] as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum RateVerdictFact {
    Confirmed,
    Plausible,
    Suspicious,
    TooHigh(u32),
}

impl From<RateVerdict> for RateVerdictFact {
    fn from(verdict: RateVerdict) -> Self {
        match verdict {
            RateVerdict::Confirmed => Self::Confirmed,
            RateVerdict::Plausible => Self::Plausible,
            RateVerdict::Suspicious => Self::Suspicious,
            RateVerdict::TooHigh(factor) => Self::TooHigh(factor),
        }
    }
}

impl From<RateVerdictFact> for RateVerdict {
    fn from(verdict: RateVerdictFact) -> Self {
        match verdict {
            RateVerdictFact::Confirmed => Self::Confirmed,
            RateVerdictFact::Plausible => Self::Plausible,
            RateVerdictFact::Suspicious => Self::Suspicious,
            RateVerdictFact::TooHigh(factor) => Self::TooHigh(factor),
        }
    }
}

/// A fault as data.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FindingFact {
    /// `t_pose`, `spike`, ...: the names of [`afoot_analyze::faults::FaultKind`].
    pub kind: String,
    /// First frame, counted as in the file.
    pub from: u32,
    /// One past the last frame.
    pub to: u32,
    /// The joint that shows it most.
    pub joint: Option<String>,
    /// What was found.
    pub words: String,
    /// What was done.
    pub outcome: String,
    /// Whether it is a fault for sure.
    pub certain: bool,
    /// Every flip in it: frame, joint, degrees, and metres for a root that leaps.
    pub flips: Vec<(u32, String, f32, f32)>,
}

impl FindingFact {
    /// A finding with the names of the joints.
    pub fn of(finding: &Finding, skeleton: &Skeleton) -> Self {
        let name = |joint| skeleton.joint(joint).name.clone();
        let flip = |flip: &afoot_analyze::faults::Flip| {
            let degrees = flip.angle.to_degrees();
            (flip.frame, name(flip.joint), degrees, flip.distance)
        };
        Self {
            kind: finding.kind.name().into(),
            from: finding.frames.start,
            to: finding.frames.end,
            joint: finding.joint.map(name),
            words: finding.words.clone(),
            outcome: finding.outcome(),
            certain: finding.certain,
            flips: finding.flips.iter().map(flip).collect(),
        }
    }
}
