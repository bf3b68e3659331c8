//! Limbs of one clip on the body of another.

use std::ops::Range;
use std::sync::Arc;

use afoot_analyze::{JudgeOptions, Quality, SourceStatistics, judge_clip};
use afoot_core::{Clip, ClipId, Range32};
use afoot_formats::WriteOptions;
use afoot_library::{ClipFacts, OriginFact};
use afoot_limbs::graft::{
    Correlation, Donation, GraftError, GraftFacts, GraftOptions, Grafted, Posture, graft_limbs,
};
use afoot_run::Run;
use serde::{Deserialize, Serialize};

use crate::alike::AlikeFrames;
use crate::delivery::{
    MotionHeader, MotionPiece, MotionRequest, Outlet, PieceSource, SourceClips, Told,
};
use crate::failure::Failure;
use crate::hint::Hint;
use crate::library::Library;
use crate::rounding::to_ten_thousandths;
use crate::selection::Selection;
use crate::workspace::Workspace;

/// Asks for limbs of some clips on the body of another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Graft {
    /// The clip whose legs, root and all else that is not grafted stay.
    pub base: String,
    /// Who gives what.
    pub donors: Vec<Donor>,
    /// How the clips are brought into step.
    pub in_step: InStep,
    /// How postures are taken over.
    pub posture: GraftPosture,
    /// Length of the blend where a graft begins or ends within the base. [s, > 0, at most 60]
    pub blend: f64,
    /// How fast a donor plays that stands, and so keeps its own time. [> 0, at most 100]
    pub tempo: f64,
    /// Share of a clip's frames that must be of one type. [0.5 to 1]
    pub share: f64,
    /// Graft against the rules too.
    pub force: bool,
    /// Keep the graft as a new clip of the library, of this name.
    pub keep: Option<String>,
}

/// A clip that gives limbs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Donor {
    /// The clip, or a part of it as `NAME[2.0s..4.5s]`.
    pub clip: String,
    /// Its chains: `left_arm`, `right_arm`, `torso`, `head`, ..., or `arms`, `upper`, `lower`.
    pub chains: Vec<String>,
}

/// How clips are brought into step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InStep {
    /// By foot plants alone.
    #[default]
    Plants,
    /// By foot plants and like frames of the legs between them; begun and ended where upper bodies are alike.
    Clusters,
    /// By dynamic time warping of the legs.
    TimeWarp,
    /// By zero crossings of the legs' accelerations.
    ZeroCrossings,
}

/// How postures are taken over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GraftPosture {
    /// Joint angles as they are.
    #[default]
    Angles,
    /// As it is in space: what reaches goes on reaching there.
    Space,
}

/// What a graft tells of itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GraftDetails {
    /// How believable it is. [0 to 1]
    pub score: f64,
    /// Deepest that limbs pass into each other. [cm]
    pub penetration_cm: f64,
    /// How much of that is beyond base and donors. [cm]
    pub penetration_beyond_cm: f64,
    /// Farthest that the centre of mass is from the base's. [cm]
    pub balance_cm: f64,
    /// What was grafted.
    pub grafts: Vec<GraftPartMade>,
    /// The clip that was added to the library, if one was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<String>,
}

/// What one donor gave.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GraftPartMade {
    /// Who gave it.
    pub donor: String,
    /// The chains.
    pub chains: Vec<String>,
    /// Where it starts in the base. [s]
    pub from: f64,
    /// Where it ends in it. [s]
    pub to: f64,
    /// How the clips were brought into step.
    pub in_step: String,
    /// Whether there are transition points that are in phase with the steps; none where there are no such.
    pub in_phase: Option<bool>,
}

impl Default for Graft {
    fn default() -> Self {
        let options = GraftOptions::default();
        Self {
            base: String::new(),
            donors: Vec::new(),
            in_step: InStep::default(),
            posture: GraftPosture::default(),
            blend: options.blend,
            tempo: options.tempo,
            share: options.share,
            force: options.force,
            keep: None,
        }
    }
}

/// The clips of a graft: the base, then its donors, whole.
pub(super) struct GraftClips {
    names: Vec<String>,
    clips: Vec<Clip>,
    statistics: Option<SourceStatistics>,
}

impl GraftClips {
    /// A base and its donors.
    pub(super) fn of(clips: Vec<Clip>) -> Self {
        let all: Vec<&Clip> = clips.iter().collect();
        Self {
            names: clips.iter().map(|clip| clip.name.clone()).collect(),
            statistics: SourceStatistics::of_clips(&all),
            clips,
        }
    }

    /// How good the base is, by what the graft is judged by.
    fn base_quality(&self) -> Quality {
        let options = JudgeOptions {
            source: self.statistics.as_ref(),
            floor: self.floor(),
            ground: self.ground(),
            ..JudgeOptions::default()
        };
        judge_clip(&self.clips[0], &options)
    }
}

impl MotionRequest for Graft {
    type Details = GraftDetails;

    fn make(
        &self,
        from: &Workspace,
        outlet: &mut Outlet,
        run: &Run,
    ) -> Result<Told<GraftDetails>, Failure> {
        let library = from.library()?;
        if let Some(name) = &self.keep {
            library.read()?.check_free(name)?;
        }
        let (clips, parts) = outlet.aside(|| self.clips(library))?;
        let facts = match self.in_step {
            InStep::Clusters => AlikeFrames::of(&clips.clips, run)?,
            _ => AlikeFrames::default(),
        };
        let grafted = self.graft(&clips, &parts, &facts)?;
        grafted
            .warnings
            .iter()
            .for_each(|words| run.warn(words.clone()));
        let mut details = details_of(&grafted, &clips);
        if let Some(name) = &self.keep {
            let (clip, facts) = as_clip(name, &grafted, &clips);
            outlet.keep(clip, facts);
            details.kept = Some(name.clone());
        }
        let base = outlet.aside(|| clips.base_quality());
        outlet.keeps_feet_of(base);
        push(grafted, clips, outlet)?;
        Ok(Told::of(details))
    }
}

/// The part of each clip that is meant, if it is not all of it.
type Parts = Vec<Option<Range<usize>>>;

impl Graft {
    /// The options of the engine.
    pub(super) fn options(&self) -> GraftOptions {
        GraftOptions {
            correlation: match self.in_step {
                InStep::Clusters | InStep::Plants => Correlation::Plants,
                InStep::TimeWarp => Correlation::TimeWarp,
                InStep::ZeroCrossings => Correlation::ZeroCrossings,
            },
            posture: match self.posture {
                GraftPosture::Angles => Posture::Angles,
                GraftPosture::Space => Posture::Space,
            },
            blend: self.blend,
            tempo: self.tempo,
            share: self.share,
            force: self.force,
        }
    }

    /// The clips, and which part of each donor is meant.
    fn clips(&self, library: &Library) -> Result<(GraftClips, Parts), Failure> {
        let base = Selection::parse(&self.base)?;
        if !base.is_whole() {
            let expected = "a whole clip; parts can be taken of donors, and of what was made";
            return Err(Failure::bad_value("base", &self.base, expected));
        }
        let mut clips = vec![library.clip(&base.name)?];
        let mut parts = Vec::new();
        for donor in &self.donors {
            let selection = Selection::parse(&donor.clip)?;
            let clip = library.clip(&selection.name)?;
            let frames = selection.frames(clip.len(), clip.rate)?;
            parts.push((!selection.is_whole()).then_some(frames));
            clips.push(clip);
        }
        Ok((GraftClips::of(clips), parts))
    }

    fn graft(
        &self,
        clips: &GraftClips,
        parts: &[Option<Range<usize>>],
        facts: &AlikeFrames,
    ) -> Result<Grafted, Failure> {
        let base = &clips.clips[0];
        let donation = |(index, donor): (usize, &Donor)| Donation {
            donor: &clips.clips[index + 1],
            part: parts[index].clone(),
            chains: donor.chains.clone(),
            facts: match clips.clips[index + 1].rate == base.rate {
                true => facts.between(0, index + 1),
                false => GraftFacts::default(),
            },
        };
        let donations: Vec<Donation> = self.donors.iter().enumerate().map(donation).collect();
        Ok(graft_limbs(base, &donations, &self.options())?)
    }
}

fn details_of(grafted: &Grafted, clips: &GraftClips) -> GraftDetails {
    let rate = grafted.clip.rate;
    let part = |(index, part): (usize, &afoot_limbs::graft::GraftedPart)| {
        let range = part.map.range();
        GraftPartMade {
            donor: clips.names[index + 1].clone(),
            chains: part.chains.clone(),
            from: to_ten_thousandths(range.start as f64 * rate.frame_time()),
            to: to_ten_thousandths(range.end as f64 * rate.frame_time()),
            in_step: part.correlation.into(),
            in_phase: part.in_phase,
        }
    };
    let score = &grafted.score;
    GraftDetails {
        score: to_ten_thousandths(score.value),
        penetration_cm: to_ten_thousandths(f64::from(score.penetration) * 100.0),
        penetration_beyond_cm: to_ten_thousandths(f64::from(score.penetration_beyond) * 100.0),
        balance_cm: to_ten_thousandths(f64::from(score.balance_shift) * 100.0),
        grafts: grafted.parts.iter().enumerate().map(part).collect(),
        kept: None,
    }
}

/// A graft as a clip of the library, with labels of both and where it comes from.
pub(super) fn as_clip(name: &str, grafted: &Grafted, clips: &GraftClips) -> (Clip, ClipFacts) {
    let clip = Clip {
        name: name.into(),
        ..grafted.clip.clone()
    };
    let time = clip.rate.frame_time();
    let whole = OriginFact {
        clip: clips.names[0].clone(),
        to: to_ten_thousandths(clip.seconds()),
        ..OriginFact::default()
    };
    let origin = |(index, part): (usize, &afoot_limbs::graft::GraftedPart)| {
        let range = part.map.range();
        OriginFact {
            clip: clips.names[index + 1].clone(),
            chains: part.chains.clone(),
            from: to_ten_thousandths(part.map.at(range.start) * time),
            to: to_ten_thousandths((part.map.at(range.end - 1) + 1.0) * time),
            at: to_ten_thousandths(range.start as f64 * time),
        }
    };
    let origins = grafted.parts.iter().enumerate().map(origin);
    let facts = ClipFacts {
        source: Some(format!("graft of {}", clips.names.join(" and "))),
        made_of: std::iter::once(whole).chain(origins).collect(),
        ..ClipFacts::default()
    };
    (clip, facts)
}

fn push(grafted: Grafted, clips: GraftClips, outlet: &mut Outlet) -> Result<(), Failure> {
    let frames = grafted.clip.len();
    outlet.begin(MotionHeader {
        frames: frames as u64,
        rate: grafted.clip.rate,
        transition: 0,
        clips: Arc::new(clips) as Arc<dyn SourceClips>,
        like: WriteOptions::default(),
    })?;
    let whole = Range32 {
        start: 0,
        end: frames as u32,
    };
    let part = |(index, part): (usize, &afoot_limbs::graft::GraftedPart)| {
        let range = part.map.range();
        let moment = |frame: usize| part.map.at(frame).round().max(0.0) as u32;
        PieceSource {
            chains: part.chains.clone(),
            ..PieceSource::whole(
                ClipId(index as u32 + 1),
                Range32 {
                    start: moment(range.start),
                    end: moment(range.end - 1) + 1,
                },
                range.start as u64,
            )
        }
    };
    let base = PieceSource::whole(ClipId(0), whole, 0);
    let donors = grafted.parts.iter().enumerate().map(part);
    let sources = std::iter::once(base).chain(donors).collect();
    outlet.push(MotionPiece {
        sources,
        transitions: grafted.parts.len() as u32,
        captured: frames as u64,
        clip: grafted.clip,
    })
}

impl SourceClips for GraftClips {
    fn name(&self, clip: ClipId) -> &str {
        &self.names[clip.index()]
    }

    fn captured(&self, clip: ClipId) -> &Clip {
        &self.clips[clip.index()]
    }

    fn statistics(&self) -> Option<&SourceStatistics> {
        self.statistics.as_ref()
    }

    fn floor(&self) -> Option<f32> {
        self.clips[0].ground.map(|ground| ground.height)
    }

    fn original(&self) -> Option<&Clip> {
        self.clips.first()
    }
}

impl From<GraftError> for Failure {
    fn from(error: GraftError) -> Self {
        use GraftError as E;
        match &error {
            E::AgainstRules { .. } => Self::no_motion(error).with_hint(Hint::AgainstRules),
            E::NoCorrelation { .. } => Self::no_motion(error),
            _ => Self::bad_request(error),
        }
    }
}
