//! All grafts that the rules allow over a library, each with a score; a person says which are kept.
//!
//! The Cartesian product of Shanbhag 2006, §5.4.1(6): every homogeneous clip as a base with every other that
//! may give it its upper body. Nothing is kept unless it is accepted; what is rejected is not listed again.

use afoot_codec::{Artefact, ContentHash, Kind, Malformed, Reader, Writer};
use afoot_core::{Clip, Locomotion};
use afoot_library::ClipFacts;
use afoot_limbs::graft::{Donation, Grafted, graft_limbs, kind_of, may_graft};
use afoot_run::Run;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::graft::{Graft, GraftClips, GraftPosture, InStep, as_clip};
use crate::alike::AlikeFrames;
use crate::failure::Failure;
use crate::library::Library;
use crate::ranges::Ranged;
use crate::rounding::to_ten_thousandths;
use afoot_search::meant_word;

/// Asks for all grafts that the rules allow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GraftAll {
    /// What donors give.
    pub chains: Vec<String>,
    /// How clips are brought into step.
    pub in_step: InStep,
    /// How postures are taken over.
    pub posture: GraftPosture,
    /// Length of blends. [s, > 0, at most 60]
    pub blend: f64,
    /// Share of a clip's frames that must be of one type. [0.5 to 1]
    pub share: f64,
    /// List only what scores this much. [0 to 1]
    pub least_score: f64,
    /// Keep these as clips of the library, `BASE+DONOR`.
    pub accept: Vec<String>,
    /// Keep all that score this much. [0 to 1]
    pub accept_above: Option<f64>,
    /// Never list these again.
    pub reject: Vec<String>,
}

/// Grafts of a library, best first.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GraftsFound {
    /// Pairs that the rules allow.
    pub allowed: usize,
    /// Pairs of different clips that they forbid.
    pub forbidden: usize,
    /// Clips that are not of one type, and so are left out.
    pub mixed: usize,
    /// How many were rejected before or now.
    pub rejected: usize,
    /// What could be made.
    pub grafts: Vec<GraftFound>,
    /// What could not.
    pub failed: Vec<GraftFailed>,
    /// Clips that were added to the library.
    pub kept: Vec<String>,
}

/// A graft that can be had.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GraftFound {
    /// `BASE+DONOR`.
    pub name: String,
    /// Whose legs.
    pub base: String,
    /// Whose upper body.
    pub donor: String,
    /// How believable it is. [0 to 1]
    pub score: f64,
    /// How long the graft is. [s]
    pub seconds: f64,
    /// The largest step of a joint over the sources' largest.
    pub jump_ratio: f64,
    /// How deep limbs pass into each other beyond the sources. [cm]
    pub penetration_beyond_cm: f64,
    /// How far the centre of mass is off. [cm]
    pub balance_cm: f64,
    /// How the clips were brought into step.
    pub in_step: String,
}

/// A graft that can't.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GraftFailed {
    /// `BASE+DONOR`.
    pub name: String,
    /// Why.
    pub error: String,
}

impl Default for GraftAll {
    fn default() -> Self {
        let graft = Graft::default();
        Self {
            chains: vec!["upper".into()],
            in_step: graft.in_step,
            posture: graft.posture,
            blend: graft.blend,
            share: graft.share,
            least_score: 0.0,
            accept: Vec::new(),
            accept_above: None,
            reject: Vec::new(),
        }
    }
}

/// Names of grafts that a person did not like.
#[derive(Clone, Debug, Default, PartialEq)]
struct Rejected(Vec<String>);

impl Artefact for Rejected {
    const KIND: Kind = Kind {
        magic: *b"afootrej",
        version: 1,
        oldest: 1,
        other_hash: 0,
        name: "rejected grafts",
        what: "list of rejected grafts",
    };

    fn write(&self, writer: &mut Writer) {
        writer.count(self.0.len());
        self.0.iter().for_each(|name| writer.text(name));
    }

    fn read(reader: &mut Reader<'_>, _version: u32) -> Result<Self, Malformed> {
        Ok(Self(reader.list(4, |reader| reader.text())?))
    }
}

impl GraftAll {
    /// Finds, scores, and keeps what is accepted.
    pub fn run(&self, library: &Library, run: &Run) -> Result<GraftsFound, Failure> {
        self.check_ranges()?;
        let clips = captured_clips(library)?;
        let kinds: Vec<Locomotion> = clips.iter().map(|clip| kind_of(clip, self.share)).collect();
        let rejected = self.rejected(library, run)?;
        let (pairs, forbidden) = pairs_of(&kinds);
        let mut found = GraftsFound {
            allowed: pairs.len(),
            forbidden,
            mixed: kinds
                .iter()
                .filter(|kind| **kind == Locomotion::Other)
                .count(),
            rejected: rejected.0.len(),
            ..GraftsFound::default()
        };
        let alike = match (self.in_step, clips.is_empty()) {
            (InStep::Clusters, false) => AlikeFrames::of(&clips, run)?,
            _ => AlikeFrames::default(),
        };
        let wanted = |pair: &&Pair| !rejected.0.contains(&name_of(&clips, **pair));
        let tried: Vec<Pair> = pairs.iter().filter(wanted).copied().collect();
        for outcome in self.try_all(&clips, &tried, &alike, run)? {
            match outcome {
                Ok(graft) => found.grafts.push(graft),
                Err(failed) => found.failed.push(failed),
            }
        }
        found
            .grafts
            .sort_by(|a, b| b.score.total_cmp(&a.score).then(a.name.cmp(&b.name)));
        let mut accepted = Vec::new();
        for name in self.accepted(&found.grafts)? {
            run.check()?;
            let pair = pairs.iter().find(|pair| name_of(&clips, **pair) == name);
            let Some(pair) = pair else { continue };
            accepted.push(self.graft_as_clip(&name, &clips, *pair, &alike)?);
            found.kept.push(name);
        }
        keep(&accepted, library, run)?;
        found.grafts.retain(|graft| graft.score >= self.least_score);
        Ok(found)
    }

    fn try_all(
        &self,
        clips: &[Clip],
        pairs: &[Pair],
        alike: &AlikeFrames,
        run: &Run,
    ) -> Result<Vec<Outcome>, Failure> {
        let outcome = |pair: &Pair| {
            run.check()?;
            Ok(self.outcome(clips, *pair, alike))
        };
        pairs.par_iter().map(outcome).collect()
    }

    fn graft_as_clip(
        &self,
        name: &str,
        clips: &[Clip],
        pair: Pair,
        alike: &AlikeFrames,
    ) -> Result<(Clip, ClipFacts), Failure> {
        let grafted = self.graft(clips, pair, alike)?;
        let sources = [pair.base, pair.donor].map(|index| clips[index].clone());
        Ok(as_clip(name, &grafted, &GraftClips::of(sources.into())))
    }

    fn request(&self) -> Graft {
        Graft {
            in_step: self.in_step,
            posture: self.posture,
            blend: self.blend,
            share: self.share,
            ..Graft::default()
        }
    }

    fn graft(
        &self,
        clips: &[Clip],
        Pair { base, donor }: Pair,
        alike: &AlikeFrames,
    ) -> Result<Grafted, Failure> {
        let donation = Donation {
            donor: &clips[donor],
            part: None,
            chains: self.chains.clone(),
            facts: alike.between(base, donor),
        };
        Ok(graft_limbs(
            &clips[base],
            &[donation],
            &self.request().options(),
        )?)
    }

    fn outcome(&self, clips: &[Clip], pair: Pair, alike: &AlikeFrames) -> Outcome {
        let name = name_of(clips, pair);
        match self.graft(clips, pair, alike) {
            Ok(grafted) => Ok(found_of(name, clips, pair, &grafted)),
            Err(error) => Err(GraftFailed {
                name,
                error: error.message,
            }),
        }
    }

    /// The names to keep; one that was not found is an error.
    fn accepted(&self, grafts: &[GraftFound]) -> Result<Vec<String>, Failure> {
        let names: Vec<&str> = grafts.iter().map(|graft| graft.name.as_str()).collect();
        if let Some(wrong) = self
            .accept
            .iter()
            .find(|name| !names.contains(&name.as_str()))
        {
            return Err(Failure::bad_request(match meant_word(wrong, &names) {
                Some(meant) => format!("there is no graft {wrong:?}; did you mean {meant:?}?"),
                None => format!(
                    "there is no graft {wrong:?} among the {} that can be made",
                    names.len()
                ),
            }));
        }
        let good = |graft: &&GraftFound| {
            let above = self.accept_above.is_some_and(|least| graft.score >= least);
            above || self.accept.contains(&graft.name)
        };
        Ok(grafts
            .iter()
            .filter(good)
            .map(|graft| graft.name.clone())
            .collect())
    }

    /// What is rejected, with what is rejected now.
    fn rejected(&self, library: &Library, run: &Run) -> Result<Rejected, Failure> {
        let kept = library.read()?.last::<Rejected>("", run)?;
        let mut all = kept.map(|kept| kept.value).unwrap_or_default();
        let before = all.0.len();
        let new = self
            .reject
            .iter()
            .filter(|name| !all.0.contains(name))
            .cloned();
        let new: Vec<String> = new.collect();
        all.0.extend(new);
        all.0.sort();
        if all.0.len() > before {
            let nothing = ContentHash::default();
            library.write()?.keep("", nothing, &all)?;
        }
        Ok(all)
    }
}

/// Adds clips to the library, all or none.
fn keep(clips: &[(Clip, ClipFacts)], library: &Library, run: &Run) -> Result<(), Failure> {
    if clips.is_empty() {
        return Ok(());
    }
    let mut store = library.write()?;
    let transaction = store.transaction()?;
    for (clip, facts) in clips {
        run.check()?;
        transaction.add_clip(clip, facts)?;
    }
    Ok(transaction.commit()?)
}

type Outcome = Result<GraftFound, GraftFailed>;

/// The clips that were captured: grafts of grafts would never end.
fn captured_clips(library: &Library) -> Result<Vec<Clip>, Failure> {
    let store = library.read()?;
    let entries = store.clips()?;
    let made = |name: &str| {
        let entry = entries.iter().find(|entry| entry.name == name);
        entry.is_some_and(|entry| !entry.facts.made_of.is_empty())
    };
    let mut clips = store.load_all()?;
    clips.retain(|clip| !made(&clip.name));
    Ok(clips)
}

/// Numbers of the clip that gets limbs and of that which gives them.
#[derive(Clone, Copy)]
struct Pair {
    base: usize,
    donor: usize,
}

/// Allowed pairs of base and donor, and how many others there are.
fn pairs_of(kinds: &[Locomotion]) -> (Vec<Pair>, usize) {
    let donors = |base| (0..kinds.len()).map(move |donor| Pair { base, donor });
    let all = (0..kinds.len()).flat_map(donors);
    let different: Vec<Pair> = all.filter(|pair| pair.base != pair.donor).collect();
    let total = different.len();
    let allowed: Vec<Pair> = different
        .into_iter()
        .filter(|pair| may_graft(kinds[pair.donor], kinds[pair.base]))
        .collect();
    let forbidden = total - allowed.len();
    (allowed, forbidden)
}

fn name_of(clips: &[Clip], Pair { base, donor }: Pair) -> String {
    format!("{}+{}", clips[base].name, clips[donor].name)
}

fn found_of(
    name: String,
    clips: &[Clip],
    Pair { base, donor }: Pair,
    grafted: &Grafted,
) -> GraftFound {
    let (part, score) = (&grafted.parts[0], &grafted.score);
    GraftFound {
        name,
        base: clips[base].name.clone(),
        donor: clips[donor].name.clone(),
        score: to_ten_thousandths(score.value),
        seconds: to_ten_thousandths(part.map.range().len() as f64 * grafted.clip.rate.frame_time()),
        jump_ratio: to_ten_thousandths(score.jump_ratio),
        penetration_beyond_cm: to_ten_thousandths(f64::from(score.penetration_beyond) * 100.0),
        balance_cm: to_ten_thousandths(f64::from(score.balance_shift) * 100.0),
        in_step: part.correlation.into(),
    }
}
