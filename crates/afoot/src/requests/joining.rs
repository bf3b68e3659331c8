//! What `join` and `loop` share: an itinerary played, its feet planted, and told.

use std::sync::Arc;

use afoot_core::headings;
use afoot_formats::WriteOptions;
use afoot_graph::Place;
use afoot_graph::clusters::{BlendFit, Leap, Stretch, fit_blend};
use afoot_library::ClusterRecipe;
use afoot_run::Run;
use afoot_synth::finish::plant_feet;
use afoot_synth::{FinishOptions, Itinerary, Played, play_itinerary};
use serde::Serialize;

use crate::clustered::Clustered;
use crate::delivery::{MotionHeader, MotionRequest, Outlet, SourceClips, Told};
use crate::failure::Failure;
use crate::ranges::Ranged;
use crate::requests::clusters::Moment;
use crate::workspace::Workspace;

/// The longest blend that is made unless another is asked for, which is the thesis's shortest. [s]
const LONGEST_BLEND: f64 = 1.0;

/// What joining tells of itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct JoinDetails {
    /// The changes of clip, in order.
    pub joins: Vec<JoinMade>,
    /// What plays, in order.
    pub played: Vec<PlayedPart>,
}

/// A part of a clip that plays.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayedPart {
    /// Which clip.
    pub clip: String,
    /// Where it starts in it. [s]
    pub from: f64,
    /// Where it ends in it. [s]
    pub to: f64,
    /// Whether it was asked for, or only leads from one that was to another.
    pub asked: bool,
    /// How much of what was asked for is left out before it, and after it. [s]
    pub left_out: [f64; 2],
    /// How far it turns, to the left. [degrees]
    pub turns: f64,
}

/// A change of clip.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JoinMade {
    /// The last frame of the clip that was left.
    pub from: Moment,
    /// The first frame of the clip that was entered.
    pub to: Moment,
    /// How unlike the frames are. [cm]
    pub error_cm: f64,
    /// How long the blend is, unless others lie too near. [s]
    pub blend: f64,
    /// Whether no node of the cluster graph holds both frames.
    pub synthetic: bool,
}

/// How long blends are.
#[derive(Clone, Copy)]
pub(super) struct BlendLength {
    /// Frames on either side of a leap, at most.
    most: u32,
    /// As long as that wherever the clips allow it, instead of as long as they are alike.
    exact: bool,
}

impl BlendLength {
    /// What was asked for. [s]
    pub(super) fn asked(blend: Option<f64>, clustered: &Clustered) -> Self {
        let seconds = blend.unwrap_or(LONGEST_BLEND);
        Self {
            most: (clustered.rate().frames_in(seconds / 2.0) as u32).max(1),
            exact: blend.is_some(),
        }
    }

    /// The blend around a leap.
    pub(super) fn fit(self, clustered: &Clustered, leap: &Leap) -> BlendFit {
        fit_blend(clustered.frames(), leap, self.most, self.exact)
    }

    /// Half lengths of the blends around leaps.
    pub(super) fn halves(self, clustered: &Clustered, leaps: &[Leap]) -> Vec<u32> {
        let half = |leap: &Leap| self.fit(clustered, leap).half;
        leaps.iter().map(half).collect()
    }
}

/// A request whose motion is an itinerary through clustered clips.
pub(crate) trait Resequenced: Sync + Ranged {
    /// How frames are clustered.
    fn recipe(&self) -> &ClusterRecipe;

    /// What is played when.
    fn itinerary(&self, clustered: &Clustered) -> Result<Itinerary, Failure>;

    /// The clips that it is of, or parts of them, as they are named; none where it is of all clips.
    fn named(&self) -> Vec<&str>;

    /// The parts of clips that were asked for by name, in order.
    fn asked(&self, _: &Clustered) -> Result<Vec<Stretch>, Failure> {
        Ok(Vec::new())
    }
}

impl<R: Resequenced> MotionRequest for R {
    type Details = JoinDetails;

    fn make(
        &self,
        from: &Workspace,
        outlet: &mut Outlet,
        run: &Run,
    ) -> Result<Told<JoinDetails>, Failure> {
        let library = from.library()?;
        let (clustered, itinerary) = outlet.aside(|| {
            let plan = |clustered: &Clustered| self.itinerary(clustered);
            library.find_clustered(&self.named(), self.recipe(), run, plan)
        })?;
        deliver(&clustered, &itinerary, outlet)?;
        Ok(told(&clustered, &itinerary, &self.asked(&clustered)?))
    }
}

/// The motion as it is blended, on the floor of all its clips, its feet not planted yet.
pub(super) fn blended(clustered: &Clustered, itinerary: &Itinerary) -> Result<Played, Failure> {
    let clips = clustered.clips();
    let mut played = play_itinerary(&**clips, itinerary)?;
    played.clip.ground = clips.ground();
    Ok(played)
}

/// Plays an itinerary with its feet planted, and hands it on.
fn deliver(
    clustered: &Clustered,
    itinerary: &Itinerary,
    outlet: &mut Outlet,
) -> Result<(), Failure> {
    let mut played = blended(clustered, itinerary)?;
    plant_feet(&mut played.clip, &FinishOptions::default());
    outlet.begin(MotionHeader {
        frames: played.clip.len() as u64,
        rate: clustered.rate(),
        transition: 2 * itinerary.halves.iter().copied().max().unwrap_or(0),
        clips: Arc::clone(clustered.clips()) as Arc<dyn SourceClips>,
        like: WriteOptions::default(),
    })?;
    outlet.push(played)?;
    Ok(())
}

fn told(clustered: &Clustered, itinerary: &Itinerary, asked: &[Stretch]) -> Told<JoinDetails> {
    let leaps = itinerary.leaps.iter().zip(&itinerary.halves);
    let made = |(leap, half): (&Leap, &u32)| JoinMade {
        from: clustered.moment(leap.from),
        to: clustered.moment(leap.to),
        error_cm: f64::from(leap.error) * 100.0,
        blend: clustered.seconds(2 * half),
        synthetic: leap.node.is_none(),
    };
    Told::of(JoinDetails {
        joins: leaps.map(made).collect(),
        played: played_parts(clustered, itinerary, asked),
    })
}

/// What plays: the parts that were asked for, the last of them last, and what lies between.
fn played_parts(
    clustered: &Clustered,
    itinerary: &Itinerary,
    asked: &[Stretch],
) -> Vec<PlayedPart> {
    let entries = itinerary.leaps.iter().map(|leap| leap.to);
    let entries = std::iter::once(itinerary.start).chain(entries);
    let exits = itinerary.leaps.iter().map(|leap| leap.from.frame.0 + 1);
    let exits = exits.chain([itinerary.end.0]);
    let mut wanted = asked.iter().peekable();
    let mut left = itinerary.leaps.len();
    let part = |(entry, exit): (Place, u32)| {
        let is_last = left == 0;
        left = left.saturating_sub(1);
        // The last part asked for is not the one that a way before it happens to lead through.
        let mine = wanted.next_if(|part| part.clip == entry.clip);
        let mine = match is_last {
            true => mine.or(asked.last()),
            false => mine,
        };
        let missed = |part: &Stretch| {
            let before = entry.frame.0.saturating_sub(part.frames.start);
            let after = part.frames.end.saturating_sub(exit);
            [before, after].map(|frames| clustered.seconds(frames))
        };
        let headings = headings(clustered.clips().captured(entry.clip));
        let at = |frame: u32| headings[(frame as usize).min(headings.len() - 1)];
        PlayedPart {
            clip: clustered.moment(entry).clip,
            from: clustered.seconds(entry.frame.0),
            to: clustered.seconds(exit),
            asked: asked.is_empty() || mine.is_some(),
            left_out: mine.map_or([0.0; 2], missed),
            turns: (at(exit) - at(entry.frame.0)).to_degrees(),
        }
    };
    entries.zip(exits).map(part).collect()
}
