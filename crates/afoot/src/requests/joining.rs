//! What `join` and `loop` share: an itinerary played, its feet planted, and told.

use std::sync::Arc;

use afoot_formats::WriteOptions;
use afoot_graph::clusters::{BlendFit, Leap, fit_blend};
use afoot_library::ClusterRecipe;
use afoot_run::Run;
use afoot_synth::finish::plant_feet;
use afoot_synth::{FinishOptions, Itinerary, Played, play_itinerary};
use serde::Serialize;

use crate::clustered::Clustered;
use crate::delivery::{MotionHeader, Outlet, SourceClips, Told};
use crate::failure::Failure;
use crate::library::Library;
use crate::requests::clusters::Moment;

/// The longest blend that is made unless another is asked for, which is the thesis's shortest. [s]
const LONGEST_BLEND: f64 = 1.0;

/// What joining tells of itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct JoinDetails {
    /// The changes of clip, in order.
    pub joins: Vec<JoinMade>,
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
    pub(super) fn asked(blend: Option<f64>, clustered: &Clustered) -> Result<Self, Failure> {
        let seconds = blend.unwrap_or(LONGEST_BLEND);
        if !(seconds > 0.0 && seconds <= 10.0) {
            let expected = "seconds above 0, up to 10";
            return Err(Failure::bad_value("blend", seconds, expected));
        }
        Ok(Self {
            most: (clustered.rate().frames_in(seconds / 2.0) as u32).max(1),
            exact: blend.is_some(),
        })
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
pub(crate) trait Resequenced {
    /// How frames are clustered.
    fn recipe(&self) -> &ClusterRecipe;

    /// What is played when.
    fn itinerary(&self, clustered: &Clustered) -> Result<Itinerary, Failure>;

    /// Its motion.
    fn play(
        &self,
        library: &Library,
        outlet: &mut Outlet,
        run: &Run,
    ) -> Result<Told<JoinDetails>, Failure> {
        let clustered = outlet.aside(|| library.clustered(self.recipe(), run))?;
        deliver(&clustered, &self.itinerary(&clustered)?, outlet)
    }
}

/// The motion as it is blended, its feet not planted yet.
pub(super) fn blended(clustered: &Clustered, itinerary: &Itinerary) -> Result<Played, Failure> {
    Ok(play_itinerary(&**clustered.clips(), itinerary)?)
}

/// Plays an itinerary with its feet planted, hands it on, and tells of its leaps.
fn deliver(
    clustered: &Clustered,
    itinerary: &Itinerary,
    outlet: &mut Outlet,
) -> Result<Told<JoinDetails>, Failure> {
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
    Ok(told(clustered, itinerary))
}

fn told(clustered: &Clustered, itinerary: &Itinerary) -> Told<JoinDetails> {
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
    })
}
