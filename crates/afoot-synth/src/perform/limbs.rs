//! Limbs that do something of their own: paint that names chains (Shanbhag 2006, ch. 5, on scores).
//!
//! The body performs what is painted without chains. For a label that is painted on chains a donor is
//! performed from the same footage, as long as the stretch, by motion whose limbs may go with what the body does
//! there (`afoot_limbs::graft::may_graft`); its chains are grafted in step with the body's feet and
//! come and go over a third of a second before and after the stretch. Legs carry the body and can't be painted on.
//! Where the body carries the label already, nothing is grafted. Cost: a short search for each entry.

use afoot_core::{Chain, Clip, ClipId, FrameId, JointId, Locomotion, Range32, Skeleton, cut_clip};
use afoot_limbs::graft::{
    Donation, FrameMap, GraftFacts, GraftOptions, Grafted, Half, body_chains, graft_limbs, kind_of,
    may_graft, select_chains,
};
use thiserror::Error;

use super::footage::Footage;
use super::performer::{PerformError, PerformOptions, Performance, Performer, Rehearsal};
use super::score::{Paint, Score};
use super::timeline::{CastError, Uses};

/// A graft comes and goes over this long. [s]
const BLEND: f64 = 1.0 / 3.0;
/// Frames around the stretch that show how feet go on. [s]
const AROUND: f64 = 1.0;
/// Restarts of the search for a donor.
const ITERATIONS: u64 = 16;
/// A donor in step with other feet may need to be longer: by this much, and this many seconds.
const LONGER: f64 = 1.3;
/// A type that fewer of the body's frames have does not speak against a donor. [share]
const STRAY: f64 = 0.1;
/// Limbs that turn less than this at their liveliest hold still for what is painted on them. [rad/s, all joints]
const LIVELY: f32 = 2.0;
/// Limbs that turn at less than this share of their liveliest speed rest.
const RESTING: f32 = 0.35;
/// Over so much to either side is told whether they do. [s]
const WHILE: f64 = 0.5;
/// What a frame costs whose limbs rest. [hundredths of a label missed]
const IDLE: i16 = -30;
/// What a frame costs whose limbs may not go with the body. [hundredths of a label missed]
/// With [`IDLE`] less than a label, so that what carries it is found, and said to be forbidden, where nothing else does.
const FORBIDDEN: i16 = -60;

/// Captured frames that limbs play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimbSource {
    /// The chains.
    pub chains: Vec<String>,
    /// The clip.
    pub clip: ClipId,
    /// Its frames.
    pub frames: Range32,
    /// The frame of the result from which on they play.
    pub at: u64,
}

/// Why limbs can't do what is painted on them.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{label:?} on {chains} from {from} to {to} s: {why}")]
pub struct LimbError {
    /// The label.
    pub label: String,
    /// The chains, by name.
    pub chains: String,
    /// [s]
    pub from: f64,
    /// [s]
    pub to: f64,
    /// What stands against it.
    pub why: String,
}

impl Paint {
    /// Whether limbs are to do it, whatever the body does.
    pub(crate) fn is_of_limbs(&self) -> bool {
        self.want && !self.chains.is_empty()
    }
}

/// Whether chains that are painted on exist, are no legs, and do one thing at a time.
pub(crate) fn check_chains(score: &Score, clips: &[Clip]) -> Result<(), CastError> {
    let Some(skeleton) = clips.first().map(|clip| &clip.skeleton) else {
        return Ok(());
    };
    let mut painted: Vec<(&Paint, Vec<Chain>)> = Vec::new();
    for paint in score.paint.iter().filter(|paint| !paint.chains.is_empty()) {
        let chains = chains_of(skeleton, paint)?;
        for (other, theirs) in &painted {
            let both = chains.iter().find(|chain| theirs.contains(chain));
            let (from, to) = (other.from.max(paint.from), other.to.min(paint.to));
            if let Some(chain) = both
                && paint.want
                && other.want
                && from < to
            {
                return Err(CastError::ChainTwice {
                    first: other.label.clone(),
                    second: paint.label.clone(),
                    chain: chain.name.clone(),
                    from,
                    to,
                });
            }
        }
        painted.push((paint, chains));
    }
    Ok(())
}

fn chains_of(skeleton: &Skeleton, paint: &Paint) -> Result<Vec<Chain>, CastError> {
    let all = body_chains(skeleton);
    let unknown = |_| CastError::UnknownChain {
        chains: paint.chains.join(", "),
        label: paint.label.clone(),
        known: {
            let upper = all.iter().filter(|(_, half)| *half == Half::Upper);
            let names: Vec<&str> = upper.map(|(chain, _)| chain.name.as_str()).collect();
            names.join(", ")
        },
    };
    let chains = select_chains(skeleton, &paint.chains).map_err(unknown)?;
    let is_leg = |chain: &&Chain| {
        let halves = all.iter().find(|(other, _)| other == *chain);
        halves.is_some_and(|(_, half)| *half == Half::Lower)
    };
    match chains.iter().find(is_leg) {
        Some(leg) => Err(CastError::Leg {
            label: paint.label.clone(),
            chain: leg.name.clone(),
        }),
        None => Ok(chains),
    }
}

impl Rehearsal<'_> {
    /// The same performance with limbs that do what is painted on them.
    pub fn with_limbs(
        &self,
        mut performance: Performance,
        options: &PerformOptions,
    ) -> Result<Performance, PerformError> {
        for (index, paint) in self.score().paint.iter().enumerate() {
            let carried = performance.entries[index].share;
            if !paint.is_of_limbs() || carried >= 1.0 {
                continue;
            }
            let graft = LimbGraft {
                performer: self.performer(),
                paint,
                chains: chains_of(&performance.played.clip.skeleton, paint)?,
                painted: self.painted(paint),
                seed: options.run.seed.wrapping_add(1 + index as u64),
                options,
            };
            let (share, sources) = graft.play(&mut performance.played.clip)?;
            performance.entries[index].share = share;
            performance.limbs.extend(sources);
        }
        Ok(performance)
    }
}

/// One painted entry on its way onto the body.
struct LimbGraft<'a> {
    performer: &'a Performer,
    paint: &'a Paint,
    chains: Vec<Chain>,
    /// Frames of the result.
    painted: Range32,
    seed: u64,
    options: &'a PerformOptions,
}

impl LimbGraft<'_> {
    /// Puts the limbs of a donor onto a motion: how much of the entry is kept, and by which frames.
    fn play(&self, clip: &mut Clip) -> Result<(f64, Vec<LimbSource>), PerformError> {
        let rate = clip.rate;
        let around = rate.frames_in(AROUND) as u32;
        let start = self.painted.start.saturating_sub(around);
        let end = (self.painted.end + around).min(clip.len() as u32);
        let base = cut_clip(clip, start..end).map_err(|error| self.against(error.to_string()))?;
        let allowed = allowed_kinds(&base);
        let donor = self.donor(base.seconds(), &allowed)?;
        let grafted = self.graft(&base, &donor.played.clip, &allowed)?;
        let map = &grafted.parts[0].map;
        let blend = rate.frames_in(BLEND);
        let mapped = map.range();
        let mapped = start as usize + mapped.start..start as usize + mapped.end;
        let taken = taken_frames(mapped, self.painted, blend, clip.len());
        for frame in taken.frames.clone() {
            let weight = taken.weight(frame);
            let from = FrameId::from(frame - start as usize);
            for joint in self.chains.iter().flat_map(|chain| &chain.joints) {
                let other = grafted.clip.rotation(from, *joint);
                let own = &mut clip.frame_rotations_mut(FrameId::from(frame))[joint.index()];
                *own = own.slerp(other, weight);
            }
        }
        Ok(self.account(&donor, map, start as usize, &taken))
    }

    /// A motion that carries the label for so long.
    fn donor(&self, seconds: f64, allowed: &[Locomotion]) -> Result<Performance, PerformError> {
        let footage = self.performer.footage();
        let seconds = LONGER * seconds + 1.0;
        let score = Score {
            seconds,
            paint: vec![Paint {
                from: 0.0,
                to: seconds,
                chains: Vec::new(),
                ..self.paint.clone()
            }],
            ..Score::default()
        };
        let uses = self.preferring(forbidding(self.performer, footage, allowed));
        let mut rehearsal = Rehearsal::using(self.performer, &score, &uses)?;
        let run = self.options.run.clone().with_seed(self.seed);
        let options = PerformOptions {
            iterations: ITERATIONS,
            run: run.warnings_only(),
            ..self.options.clone()
        };
        rehearsal.go_on(&options)?;
        rehearsal.enact(&options.finish)
    }

    /// The same, where frames are rather not used that carry the label while these limbs rest and others do it: a wave
    /// of the left hand is none of the right.
    fn preferring(&self, mut uses: Uses) -> Uses {
        let clips = self.performer.clips();
        let by_type = !is_annotated(clips, &self.paint.label);
        let mut doing: Vec<(usize, f32)> = Vec::new();
        let mut first = 0;
        for clip in clips {
            let carried = |frame: &usize| carries(clip, *frame as u32, &self.paint.label, by_type);
            let frames: Vec<usize> = (0..clip.len()).filter(carried).collect();
            if !frames.is_empty() {
                let turning = turning(clip, &self.chains);
                doing.extend(
                    frames
                        .into_iter()
                        .map(|frame| (first + frame, turning[frame])),
                );
            }
            first += clip.len();
        }
        let mut speeds: Vec<f32> = doing.iter().map(|(_, speed)| *speed).collect();
        speeds.sort_by(f32::total_cmp);
        let lively = speeds.get(speeds.len() * 9 / 10).copied().unwrap_or(0.0);
        // Where the limbs never move much, holding still is what they do.
        if lively >= LIVELY {
            let resting = doing.iter().filter(|(_, speed)| *speed < RESTING * lively);
            for (frame, _) in resting {
                uses.bias[*frame] = uses.bias[*frame].saturating_add(IDLE);
            }
        }
        uses
    }

    fn graft(
        &self,
        base: &Clip,
        donor: &Clip,
        allowed: &[Locomotion],
    ) -> Result<Grafted, PerformError> {
        let kind = main_kind(donor);
        let mut donor = donor.clone();
        if kind == Locomotion::Stand {
            donor.types.fill(kind);
        }
        if !allowed.contains(&kind) {
            let words = format!(
                "only motion that is {:?} carries it, and its limbs do not go with what the body does there",
                kind.name()
            );
            return Err(self.against(words).into());
        }
        let donation = Donation {
            donor: &donor,
            part: None,
            chains: self.chains.iter().map(|chain| chain.name.clone()).collect(),
            facts: GraftFacts::default(),
        };
        // The rules were asked type by type: a body that begins to run is no reason not to wave.
        let options = GraftOptions {
            force: true,
            ..GraftOptions::default()
        };
        let grafted = graft_limbs(base, &[donation], &options);
        grafted.map_err(|error| self.against(error.to_string()).into())
    }

    fn against(&self, why: String) -> LimbError {
        let names: Vec<&str> = self
            .chains
            .iter()
            .map(|chain| chain.name.as_str())
            .collect();
        LimbError {
            label: self.paint.label.clone(),
            chains: names.join(" and "),
            from: self.paint.from,
            to: self.paint.to,
            why,
        }
    }

    /// How much of the painted stretch limbs play that carry the label, and what they play.
    fn account(
        &self,
        donor: &Performance,
        map: &FrameMap,
        start: usize,
        taken: &Taken,
    ) -> (f64, Vec<LimbSource>) {
        let rate = donor.played.clip.rate;
        let chains: Vec<String> = self.chains.iter().map(|chain| chain.name.clone()).collect();
        let mut sources: Vec<LimbSource> = Vec::new();
        let by_type = !is_annotated(self.performer.clips(), &self.paint.label);
        let carries = |clip: &Clip, frame: u32| carries(clip, frame, &self.paint.label, by_type);
        let mut kept = 0u32;
        for frame in taken.frames.clone() {
            let moment = map.at(frame - start).round().max(0.0) as u64;
            let played = donor.played.sources.iter().rev();
            let Some(source) = played.into_iter().find(|source| source.at <= moment) else {
                continue;
            };
            let captured = source.frames.start + (moment - source.at) as u32;
            let captured = captured.min(source.frames.end.saturating_sub(1));
            let clip = &self.performer.clips()[source.clip.index()];
            let is_painted = self.painted.contains(frame as u32);
            if is_painted && taken.weight(frame) > 0.5 && carries(clip, captured) {
                kept += 1;
            }
            match sources.last_mut() {
                Some(last)
                    if last.clip == source.clip
                        && captured >= last.frames.end.saturating_sub(1)
                        && captured <= last.frames.end + rate.frames_in(0.1) as u32 =>
                {
                    last.frames.end = last.frames.end.max(captured + 1);
                }
                _ => sources.push(LimbSource {
                    chains: chains.clone(),
                    clip: source.clip,
                    frames: Range32 {
                        start: captured,
                        end: captured + 1,
                    },
                    at: frame as u64,
                }),
            }
        }
        let painted = self.painted.end - self.painted.start;
        (f64::from(kept) / f64::from(painted.max(1)), sources)
    }
}

/// Frames of a motion that get limbs of another.
struct Taken {
    frames: std::ops::Range<usize>,
    /// Frames over which they come and go; none at the motion's own ends.
    blend: [usize; 2],
}

impl Taken {
    /// The donor's share in a frame, without corners.
    fn weight(&self, frame: usize) -> f32 {
        let ramp = |inside: usize, blend: usize| {
            let share = ((inside + 1) as f32 / (blend + 1) as f32).min(1.0);
            share * share * (3.0 - 2.0 * share)
        };
        let begun = ramp(frame - self.frames.start, self.blend[0]);
        begun.min(ramp(self.frames.end - 1 - frame, self.blend[1]))
    }
}

/// The painted frames and a blend on either side, as far as the map goes.
fn taken_frames(
    mapped: std::ops::Range<usize>,
    painted: Range32,
    blend: usize,
    frames: usize,
) -> Taken {
    let from = (painted.start as usize)
        .saturating_sub(blend)
        .max(mapped.start);
    let to = (painted.end as usize + blend).min(mapped.end).max(from);
    let blends = |is_end: bool| if is_end { 0 } else { blend };
    Taken {
        frames: from..to,
        blend: [blends(from == 0), blends(to == frames)],
    }
}

/// Types of motion whose limbs may go with all that a body does.
fn allowed_kinds(base: &Clip) -> Vec<Locomotion> {
    let frames = base.types.len().max(1) as f64;
    let share =
        |kind: Locomotion| base.types.iter().filter(|own| **own == kind).count() as f64 / frames;
    let done = Locomotion::ALL
        .into_iter()
        .filter(|kind| *kind != Locomotion::Other && share(*kind) >= STRAY);
    let done: Vec<Locomotion> = done.collect();
    let goes = |donor: &Locomotion| done.iter().all(|base| may_graft(*donor, *base));
    Locomotion::ALL
        .into_iter()
        .filter(|kind| *kind != Locomotion::Other)
        .filter(goes)
        .collect()
}

/// The type that most frames of a donor have.
fn main_kind(donor: &Clip) -> Locomotion {
    match kind_of(donor, 0.5) {
        // Gestures on the spot are often of no type; they keep their own time as stands do.
        Locomotion::Other => Locomotion::Stand,
        kind => kind,
    }
}

/// How frames may be used, where those of other types are rather not.
fn forbidding(performer: &Performer, footage: &Footage, allowed: &[Locomotion]) -> Uses {
    let own = performer.uses();
    let types = performer.clips().iter().flat_map(|clip| {
        let types = clip.types.iter().copied().map(Some);
        types.chain(std::iter::repeat(None)).take(clip.len())
    });
    let forbidden = |kind: Option<Locomotion>| {
        kind.is_some_and(|kind| kind != Locomotion::Other && !allowed.contains(&kind))
    };
    let bias = types.enumerate().map(|(frame, kind)| {
        let known = own.bias.get(frame).copied().unwrap_or(0);
        known.saturating_add(if forbidden(kind) { FORBIDDEN } else { 0 })
    });
    let uses = Uses {
        no_entry: own.no_entry.clone(),
        bias: bias.collect(),
    };
    assert_eq!(uses.bias.len(), footage.frames(), "one for each frame");
    uses
}

/// How fast chains turn around each frame, all joints together. [rad/s]
fn turning(clip: &Clip, chains: &[Chain]) -> Vec<f32> {
    let fps = clip.rate.fps() as f32;
    let step = |frame: usize| -> f32 {
        let [before, after] = [frame, frame + 1].map(|f| clip.frame_rotations(FrameId::from(f)));
        let joints = chains.iter().flat_map(|chain| &chain.joints);
        let turn = |joint: &JointId| before[joint.index()].angle_between(after[joint.index()]);
        fps * joints.map(turn).sum::<f32>()
    };
    let mut sums = vec![0.0f32];
    for frame in 0..clip.len().saturating_sub(1) {
        sums.push(sums[frame] + step(frame));
    }
    let reach = clip.rate.frames_in(WHILE);
    let around = |frame: usize| {
        let (from, to) = (
            frame.saturating_sub(reach),
            (frame + reach).min(sums.len() - 1),
        );
        (sums[to] - sums[from]) / (to - from).max(1) as f32
    };
    (0..clip.len()).map(around).collect()
}

fn is_annotated(clips: &[Clip], label: &str) -> bool {
    let mut spans = clips.iter().flat_map(|clip| &clip.labels);
    spans.any(|span| span.label == label)
}

/// Whether a captured frame carries a label, or is of the type of that name.
fn carries(clip: &Clip, frame: u32, label: &str, by_type: bool) -> bool {
    if by_type {
        let kind = clip.types.get(frame as usize);
        return kind.is_some_and(|kind| kind.name() == label);
    }
    let mut spans = clip.labels.iter();
    spans.any(|span| span.label == label && span.frames.contains(frame))
}
