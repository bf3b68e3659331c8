//! Limbs of one clip on the body of another (Shanbhag 2006, ch. 5).
//!
//! Chains are found in the skeleton (`chains`), what may go with what in the rules (`rules`); the lower
//! bodies are brought into step (`correlate`, or `signals` where no feet are planted), the upper ones
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
mod sync;

use std::ops::Range;

use afoot_core::{
    Chain, Clip, FrameId, FrameRate, LabelSpan, Locomotion, Quat, Range32, RetargetError,
    RetargetOptions, Side, resample_clip, retarget_clip,
};
use thiserror::Error;

pub use chains::{Half, body_chains, select_chains};
pub use correlate::Span;
pub use frame_map::FrameMap;
pub use rules::{kind_of, may_graft};
pub use score::GraftScore;
pub use sync::Alike;

use copy::Transplant;
use correlate::{Event, alternates, evenly, flights, maps, planted_range, strikes, with_spans};
use signals::{Signals, warp_pairs, zero_crossings};
use sync::{Synchronised, synchronise};

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
        let taken = |chain: &&Chain| {
            parts
                .iter()
                .any(|part: &GraftedPart| part.chains.contains(&chain.name))
        };
        if let Some(chain) = chains.iter().find(taken) {
            return Err(GraftError::GivenTwice {
                chain: chain.name.clone(),
            });
        }
        warnings.extend(rule_warning(base, donation, options)?);
        let donor = fitting(base, donation.donor)?;
        let part = donation.part.as_ref();
        let step = Stepping {
            base,
            donor: &donor,
            part: part.map(|part| part_of(&donor, part, donation.donor.rate)),
            chains: &chains,
            donation,
            options,
        };
        let (mut chosen, correlation) = step.find()?;
        // Strikes pace arms as legs go; whatever else a map is made of may ask for leaps.
        if ["flights", "time_warp", "zero_crossings"].contains(&correlation) {
            chosen.map = chosen
                .map
                .calmed(HURRIED, base.rate.frames_in(HURRY_SPREAD));
        }
        Transplant {
            donor: &donor,
            chains: &chains,
            map: &chosen.map,
            posture: options.posture,
            blend: base.rate.frames_in(options.blend),
            other_body: !donation.donor.skeleton.same_shape(&base.skeleton),
        }
        .write(&mut made);
        add_labels(&mut made, &donor, &chosen.map);
        parts.push(GraftedPart {
            chains: chains.into_iter().map(|chain| chain.name).collect(),
            correlation,
            in_phase: chosen.in_phase(),
            apart: chosen.apart,
            map: chosen.map,
        });
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

/// The frames of a resampled donor that were `part` at its own rate; at least one.
fn part_of(donor: &Clip, part: &Range<usize>, own: FrameRate) -> Range<usize> {
    if own == donor.rate {
        return part.clone();
    }
    let frame = |frame: usize| donor.rate.frames_in(frame as f64 * own.frame_time());
    let start = frame(part.start).min(donor.len() - 1);
    start..frame(part.end).clamp(start + 1, donor.len())
}

/// Two clips to be brought into step.
struct Stepping<'a> {
    base: &'a Clip,
    donor: &'a Clip,
    /// The donor's frames that are meant, if not all.
    part: Option<Range<usize>>,
    chains: &'a [Chain],
    donation: &'a Donation<'a>,
    options: &'a GraftOptions,
}

impl Stepping<'_> {
    /// The map, and how it was found.
    fn find(&self) -> Result<(Synchronised, &'static str), GraftError> {
        let [donor_kind, base_kind] =
            [self.donor, self.base].map(|clip| kind_of(clip, self.options.share));
        let steps = |kind| matches!(kind, Locomotion::Walk | Locomotion::Run);
        if donor_kind == Locomotion::Stand || (base_kind == Locomotion::Stand && !steps(donor_kind))
        {
            return Ok((self.own_time()?, "own_time"));
        }
        match self.options.correlation {
            Correlation::TimeWarp => {
                let pairs = warp_pairs(&Signals::of(self.base), &self.donor_signals());
                let pairs = thinned(&self.shifted(pairs));
                Ok((self.chosen(vec![pairs], "time warping")?, "time_warp"))
            }
            Correlation::ZeroCrossings => Ok((self.by_crossings()?, "zero_crossings")),
            Correlation::Plants
                if donor_kind == Locomotion::Jump && base_kind == Locomotion::Jump =>
            {
                let found = alternates(&flights(self.base), &self.of_part(flights(self.donor)));
                Ok((self.chosen(found, "flights")?, "flights"))
            }
            Correlation::Plants => self.by_plants(),
        }
    }

    fn by_plants(&self) -> Result<(Synchronised, &'static str), GraftError> {
        let (base, donor) = (strikes(self.base), self.of_part(strikes(self.donor)));
        if base.len() < 2 && donor.len() < 2 && self.options.force {
            return Ok((self.by_crossings()?, "zero_crossings"));
        }
        let found = alternates(&base, &donor);
        let legs = &self.donation.facts.legs;
        let spanned = |pairs: &Vec<(f64, f64)>| with_spans(pairs, &legs.base, &legs.donor);
        let clustered = !legs.base.is_empty();
        let found = match clustered {
            true => found.iter().map(spanned).collect(),
            false => found,
        };
        let by = if clustered { "clusters" } else { "plants" };
        Ok((self.chosen(found, "foot plants")?, by))
    }

    fn by_crossings(&self) -> Result<Synchronised, GraftError> {
        let donor = self.of_part(zero_crossings(self.donor));
        let found = alternates(&zero_crossings(self.base), &donor);
        let found = found.iter().map(|pairs| evenly(pairs)).collect();
        self.chosen(found, "zero crossings")
    }

    /// The best of several correlations, given by pairs of frames.
    fn chosen(
        &self,
        found: Vec<Vec<(f64, f64)>>,
        by: &'static str,
    ) -> Result<Synchronised, GraftError> {
        let whole = |clip: &Clip| 0..clip.len();
        let within = planted_range(self.base).unwrap_or(whole(self.base));
        let part = self.part.clone().unwrap_or(whole(self.donor));
        let maps = maps(&found, &within, &part);
        let facts = &self.donation.facts;
        synchronise(maps, &facts.upper, &facts.torso).ok_or_else(|| {
            let count = |clip: &Clip| crate::plants::plants_of(clip).len();
            GraftError::NoCorrelation {
                donor: self.donor.name.clone(),
                base: self.base.name.clone(),
                by,
                why: format!(
                    "it takes two successive steps of the same feet in both; they have {} and {} foot plants",
                    count(self.donor),
                    count(self.base)
                ),
            }
        })
    }

    /// The donor's own time, from where its limbs move most.
    fn own_time(&self) -> Result<Synchronised, GraftError> {
        let within = planted_range(self.base).unwrap_or(0..self.base.len());
        let part = self.part.clone().unwrap_or(0..self.donor.len());
        let length = ((within.len() as f64 * self.options.tempo).ceil() as usize).min(part.len());
        let start = liveliest(self.donor, self.chains, &part, length);
        let from = (within.start, start as f64);
        let map = FrameMap::own_time(from, self.options.tempo, within, start + length);
        let map = map.ok_or_else(|| GraftError::Empty {
            clip: self.donor.name.clone(),
        })?;
        Ok(Synchronised { map, apart: None })
    }

    /// Events of the donor that lie in the part that was asked for.
    fn of_part(&self, mut events: Vec<Event>) -> Vec<Event> {
        if let Some(part) = &self.part {
            events.retain(|event| event.at >= part.start as f64 && event.at < part.end as f64);
        }
        events
    }

    fn donor_signals(&self) -> Signals {
        match &self.part {
            Some(part) => {
                let frames = part.start as u32..part.end as u32;
                let cut = afoot_core::cut_clip(self.donor, frames);
                Signals::of(&cut.unwrap_or_else(|_| self.donor.clone()))
            }
            None => Signals::of(self.donor),
        }
    }

    fn shifted(&self, pairs: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
        let start = self.part.as_ref().map_or(0, |part| part.start) as f64;
        pairs
            .into_iter()
            .map(|(base, donor)| (base, donor + start))
            .collect()
    }
}

/// Every so many pairs of a warped way are kept, so that its single steps don't jerk.
const THIN: usize = 8;

fn thinned(pairs: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let last = pairs.len().saturating_sub(1);
    let kept =
        |index: &usize| index.is_multiple_of(THIN) && last - index >= THIN / 2 || *index == last;
    (0..pairs.len())
        .filter(kept)
        .map(|index| pairs[index])
        .collect()
}

/// Where a stretch of `length` frames starts in which the chains turn most.
fn liveliest(donor: &Clip, chains: &[Chain], part: &Range<usize>, length: usize) -> usize {
    let joints: Vec<_> = chains
        .iter()
        .flat_map(|chain| chain.joints.clone())
        .collect();
    let turned = |frame: usize| -> f32 {
        let turn = |joint| -> f32 {
            let at = |frame: usize| -> Quat { donor.rotation(FrameId::from(frame), joint) };
            at(frame).angle_between(at(frame + 1))
        };
        joints.iter().map(|joint| turn(*joint)).sum()
    };
    let turns: Vec<f32> = (part.start..part.end - 1).map(turned).collect();
    let mut sums = vec![0.0];
    turns
        .iter()
        .for_each(|turn| sums.push(sums[sums.len() - 1] + turn));
    let last = part.len() - length;
    let lively = |start: &usize| sums[start + length.max(1) - 1] - sums[*start];
    let best = (0..=last).max_by(|a, b| lively(a).total_cmp(&lively(b)).then(b.cmp(a)));
    part.start + best.unwrap_or(0)
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
