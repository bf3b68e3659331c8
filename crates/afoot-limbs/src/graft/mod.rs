//! Limbs of one clip on the body of another (Shanbhag 2006, ch. 5).
//!
//! Chains are found in the skeleton (`chains`), what may go with what in the rules (`rules`); the lower
//! bodies are brought into step (`stepping`, by `correlate` or, where no feet are planted, `signals`), the upper ones
//! synchronised (`sync`), rotations copied (`copy`), arms held out of the body (`clear`); what came of it is
//! scored (`score`, with `capsules` and `balance`). A donor that stands keeps its own time. Feet, root and all that is not grafted stay as
//! they are, to the bit. In: clips with contacts and types, and, where there are any, spans of cluster
//! graphs over legs, upper body and trunk. Cost: linear, but for time warping.

pub mod balance;
pub mod capsules;
pub mod chains;
mod clear;
mod copy;
mod correlate;
mod frame_map;
pub mod rules;
mod score;
mod signals;
mod stepping;
mod sync;

use std::ops::Range;

use afoot_core::{
    Chain, Clip, LabelSpan, Locomotion, Range32, RetargetError, RetargetOptions, Side,
    resample_clip, retarget_clip,
};
use thiserror::Error;

pub use chains::{Half, body_chains, select_chains};
pub use correlate::Span;
pub use frame_map::{FrameMap, Paired};
pub use rules::{kind_of, may_graft};
pub use score::GraftScore;
pub use sync::Alike;

use copy::Transplant;
use stepping::Stepping;

/// How the lower bodies of base and donor are brought into step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Correlation {
    /// By foot strikes and cluster spans where they are handed in; by zero crossings where there are no
    /// plants.
    #[default]
    Plants,
    /// By dynamic time warping of the legs.
    TimeWarp,
    /// By zero crossings of the legs' acceleration against each other.
    ZeroCrossings,
}

/// How a limb's posture is taken over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Posture {
    /// Joint angles as they are.
    #[default]
    Angles,
    /// As it is in space, seen along the heading.
    Space,
}

/// How limbs are grafted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraftOptions {
    /// What brings the lower bodies into step.
    pub correlation: Correlation,
    /// How postures are taken over.
    pub posture: Posture,
    /// Length of the blend where a graft begins or ends within the base. [s, > 0]
    pub blend: f64,
    /// How fast a donor plays that keeps its own time. [> 0]
    pub tempo: f64,
    /// Share of a clip's frames that must be of one type for it to be homogeneous. [0.5 to 1]
    pub share: f64,
    /// Graft against the rules too, with a warning.
    pub force: bool,
}

impl Default for GraftOptions {
    /// Blends of a third of a second, as transitions have.
    fn default() -> Self {
        Self {
            correlation: Correlation::Plants,
            posture: Posture::Angles,
            blend: 0.333,
            tempo: 1.0,
            share: 0.75,
            force: false,
        }
    }
}

/// What one donor gives.
#[derive(Clone, Debug)]
pub struct Donation<'a> {
    /// Whose limbs.
    pub donor: &'a Clip,
    /// Which of its frames; all if it is left open.
    pub part: Option<Range<usize>>,
    /// Names of chains, or `upper`, `arms`, `lower`.
    pub chains: Vec<String>,
    /// What is known of both clips' frames.
    pub facts: GraftFacts,
}

/// Which frames of base and donor are alike, by cluster graphs over parts of the body; nothing where they
/// are not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GraftFacts {
    /// Over the legs, at a large error.
    pub legs: Alike,
    /// Over all of the upper body.
    pub upper: Alike,
    /// Over the trunk alone.
    pub torso: Alike,
}

/// A clip with limbs of others.
#[derive(Clone, Debug)]
pub struct Grafted {
    /// The motion.
    pub clip: Clip,
    /// What was grafted.
    pub parts: Vec<GraftedPart>,
    /// How believable it is.
    pub score: GraftScore,
    /// What the rules say against it.
    pub warnings: Vec<String>,
}

/// What one donor gave.
#[derive(Clone, Debug, PartialEq)]
pub struct GraftedPart {
    /// The chains, by name.
    pub chains: Vec<String>,
    /// Which moment of the donor each base frame got, and which frames those are.
    pub map: FrameMap,
    /// How the clips were brought into step: `plants`, `clusters`, `flights`, `time_warp`,
    /// `zero_crossings` or `own_time`.
    pub correlation: &'static str,
    /// Whether transition points are in phase with the steps; `None` where there are none.
    pub in_phase: Option<bool>,
    /// How many frames transition points are apart.
    pub apart: Option<f64>,
}

/// Why limbs can't be grafted.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum GraftError {
    #[error("no chain is called {name:?}; this skeleton has {known}")]
    UnknownChain { name: String, known: String },
    #[error("nothing to graft: expected a donor with at least one chain")]
    Nothing,
    #[error("{donor:?} ({}) does not go with {base:?} ({}): stands go with all, walks and runs with walks and runs, jumps with jumps", .donor_kind.name(), .base_kind.name())]
    AgainstRules {
        donor: String,
        donor_kind: Locomotion,
        base: String,
        base_kind: Locomotion,
    },
    #[error("{donor:?} and {base:?} can't be brought into step by {by}: {why}")]
    NoCorrelation {
        donor: String,
        base: String,
        by: &'static str,
        why: String,
    },
    #[error("{chain:?} is given by two donors")]
    GivenTwice { chain: String },
    #[error("{what} {value}: expected {expected}")]
    BadValue {
        what: &'static str,
        value: f64,
        expected: &'static str,
    },
    #[error("{donor:?} can't be brought onto the skeleton of {base:?}: {source}")]
    OtherSkeleton {
        donor: String,
        base: String,
        source: RetargetError,
    },
    #[error("clip {clip:?} has no frames")]
    Empty { clip: String },
}

/// Arms that have to play faster than this for a moment, such as those of a jump whose base flies for less long, set out earlier
/// and arrive later, by so much. [1, s]
const HURRIED: f64 = 1.1;
const HURRY_SPREAD: f64 = 0.25;

/// Puts limbs of donors on a base.
pub fn graft_limbs(
    base: &Clip,
    donations: &[Donation],
    options: &GraftOptions,
) -> Result<Grafted, GraftError> {
    check(base, donations, options)?;
    let mut made = base.clone();
    let (mut parts, mut warnings, mut donors) = (Vec::new(), Vec::new(), Vec::new());
    for donation in donations {
        let chains = select_chains(&base.skeleton, &donation.chains)?;
        check_free(&chains, &parts)?;
        warnings.extend(rule_warning(base, donation, options)?);
        let donor = fitting(base, donation.donor)?;
        let stepping = Stepping::new(base, &donor, &chains, donation, options);
        parts.push(transplant(&stepping, &mut made)?);
        donors.push(donor);
    }
    hold_clear(&mut made, base, &donors, &parts);
    let hurry = parts.iter().map(|part| hurry(&part.map)).fold(1.0, farther);
    let donors: Vec<&Clip> = donors.iter().collect();
    let score = score::score_graft(&made, base, &donors, hurry);
    Ok(Grafted {
        clip: made,
        parts,
        score,
        warnings,
    })
}

fn check(base: &Clip, donations: &[Donation], options: &GraftOptions) -> Result<(), GraftError> {
    let above_0 = |what, value: f64, expected| match value > 0.0 && value.is_finite() {
        true => Ok(()),
        false => Err(GraftError::BadValue {
            what,
            value,
            expected,
        }),
    };
    above_0("blend", options.blend, "seconds above 0")?;
    above_0("tempo", options.tempo, "a factor above 0")?;
    if donations.iter().all(|donation| donation.chains.is_empty()) {
        return Err(GraftError::Nothing);
    }
    let clips = donations
        .iter()
        .map(|donation| donation.donor)
        .chain([base]);
    match clips.into_iter().find(|clip| clip.is_empty()) {
        Some(clip) => Err(GraftError::Empty {
            clip: clip.name.clone(),
        }),
        None => Ok(()),
    }
}

/// Refuses chains that an earlier donor gave.
fn check_free(chains: &[Chain], parts: &[GraftedPart]) -> Result<(), GraftError> {
    let given = |chain: &&Chain| parts.iter().any(|part| part.chains.contains(&chain.name));
    match chains.iter().find(given) {
        Some(chain) => Err(GraftError::GivenTwice {
            chain: chain.name.clone(),
        }),
        None => Ok(()),
    }
}

/// Copies what one donor gives.
fn transplant(stepping: &Stepping, made: &mut Clip) -> Result<GraftedPart, GraftError> {
    let Stepping {
        base,
        donor,
        chains,
        donation,
        options,
        ..
    } = *stepping;
    let (mut chosen, correlation) = stepping.find()?;
    // Strikes pace arms as legs go; whatever else a map is made of may ask for leaps.
    if ["flights", "time_warp", "zero_crossings"].contains(&correlation) {
        let spread = base.rate.frames_in(HURRY_SPREAD);
        chosen.map = chosen.map.calmed(HURRIED, spread);
    }
    Transplant {
        donor,
        chains,
        map: &chosen.map,
        posture: options.posture,
        blend: base.rate.frames_in(options.blend),
        other_body: !donation.donor.skeleton.same_shape(&base.skeleton),
    }
    .write(made);
    add_labels(made, donor, &chosen.map);
    Ok(GraftedPart {
        chains: chains.iter().map(|chain| chain.name.clone()).collect(),
        correlation,
        in_phase: chosen.in_phase(),
        apart: chosen.apart,
        map: chosen.map,
    })
}

/// Grafted arms are no deeper in the body than base and donors have them.
fn hold_clear(made: &mut Clip, base: &Clip, donors: &[Clip], parts: &[GraftedPart]) {
    let clips = donors.iter().chain([base]);
    let limit = clips.map(capsules::self_penetration).fold(0.0, f32::max);
    let grafted = |side: &Side| {
        let name = match side {
            Side::Left => "left_arm",
            Side::Right => "right_arm",
        };
        parts
            .iter()
            .any(|part| part.chains.iter().any(|chain| chain == name))
    };
    let sides: Vec<Side> = Side::BOTH.into_iter().filter(grafted).collect();
    clear::hold_arms_clear(made, &sides, limit);
}

/// What the rules say against a donation: an error, or a warning where it is wanted all the same.
fn rule_warning(
    base: &Clip,
    donation: &Donation,
    options: &GraftOptions,
) -> Result<Option<String>, GraftError> {
    let [donor_kind, base_kind] = [donation.donor, base].map(|clip| kind_of(clip, options.share));
    if may_graft(donor_kind, base_kind) {
        return Ok(None);
    }
    let error = GraftError::AgainstRules {
        donor: donation.donor.name.clone(),
        donor_kind,
        base: base.name.clone(),
        base_kind,
    };
    match options.force {
        true => Ok(Some(error.to_string())),
        false => Err(error),
    }
}

/// The donor at the base's rate, on its skeleton.
fn fitting(base: &Clip, donor: &Clip) -> Result<Clip, GraftError> {
    let resampled = match donor.rate == base.rate {
        true => donor.clone(),
        false => resample_clip(donor, base.rate),
    };
    if donor.skeleton.same_shape(&base.skeleton) {
        return Ok(resampled);
    }
    retarget_clip(&resampled, &base.skeleton, &RetargetOptions::default()).map_err(|source| {
        GraftError::OtherSkeleton {
            donor: donor.name.clone(),
            base: base.name.clone(),
            source,
        }
    })
}

/// The donor's labels on the frames that play it.
fn add_labels(made: &mut Clip, donor: &Clip, map: &FrameMap) {
    let range = map.range();
    for span in &donor.labels {
        let plays = |frame: &usize| span.frames.contains(map.at(*frame).round().max(0.0) as u32);
        let Some(start) = range.clone().find(plays) else {
            continue;
        };
        let end = range.clone().rev().find(plays).unwrap_or(start) + 1;
        let frames = Range32 {
            start: start as u32,
            end: end as u32,
        };
        let label = span.label.clone();
        let added = LabelSpan { frames, label };
        if !made.labels.contains(&added) {
            made.labels.push(added);
        }
    }
    made.labels.sort();
}

/// The farthest from 1 of how fast a donor plays.
fn hurry(map: &FrameMap) -> f32 {
    let range = map.range();
    let pace = |frame: usize| (map.at(frame + 1) - map.at(frame)) as f32;
    (range.start..range.end.saturating_sub(1))
        .map(pace)
        .fold(1.0, farther)
}

fn farther(a: f32, b: f32) -> f32 {
    let away = |pace: f32| pace.max(1e-3).ln().abs();
    if away(b) > away(a) { b } else { a }
}
