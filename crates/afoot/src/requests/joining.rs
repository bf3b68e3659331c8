//! What `join` and `loop` share: an itinerary played, its feet planted, and told.

use std::sync::Arc;

use afoot_formats::WriteOptions;
use afoot_graph::clusters::Leap;
use afoot_synth::finish::plant_feet;
use afoot_synth::{FinishOptions, Itinerary, Played, play_itinerary};
use serde::Serialize;

use crate::clustered::Clustered;
use crate::delivery::{MotionHeader, Outlet, SourceClips, Told};
use crate::failure::Failure;
use crate::requests::clusters::Moment;

/// A blend as long as the thesis's. [s]
pub(super) const BLEND: f64 = 1.0;

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
    /// Whether no node of the cluster graph holds both frames.
    pub synthetic: bool,
}

pub(super) fn check_blend(seconds: f64) -> Result<(), Failure> {
    match seconds > 0.0 && seconds <= 10.0 {
        true => Ok(()),
        false => {
            let expected = "seconds above 0, up to 10";
            Err(Failure::bad_value("blend", seconds, expected))
        }
    }
}

/// The motion as it is blended, its feet not planted yet.
pub(super) fn blended(
    clustered: &Clustered,
    itinerary: &Itinerary,
    blend: f64,
) -> Result<Played, Failure> {
    let frames = (clustered.rate().frames_in(blend) as u32).max(2);
    Ok(play_itinerary(&**clustered.clips(), itinerary, frames)?)
}

/// Plays an itinerary with its feet planted, hands it on, and tells of its leaps.
pub(super) fn deliver(
    clustered: &Clustered,
    itinerary: &Itinerary,
    blend: f64,
    outlet: &mut Outlet,
) -> Result<Told<JoinDetails>, Failure> {
    let mut played = blended(clustered, itinerary, blend)?;
    plant_feet(&mut played.clip, &FinishOptions::default());
    outlet.begin(MotionHeader {
        frames: played.clip.len() as u64,
        rate: clustered.rate(),
        transition: clustered.rate().frames_in(blend) as u32,
        clips: Arc::clone(clustered.clips()) as Arc<dyn SourceClips>,
        like: WriteOptions::default(),
    })?;
    outlet.push(played)?;
    Ok(told(clustered, &itinerary.leaps))
}

fn told(clustered: &Clustered, leaps: &[Leap]) -> Told<JoinDetails> {
    let made = |leap: &Leap| JoinMade {
        from: clustered.moment(leap.from),
        to: clustered.moment(leap.to),
        error_cm: f64::from(leap.error) * 100.0,
        synthetic: leap.node.is_none(),
    };
    Told {
        details: JoinDetails {
            joins: leaps.iter().map(made).collect(),
        },
        ..Told::default()
    }
}
