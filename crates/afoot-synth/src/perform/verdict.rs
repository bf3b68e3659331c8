//! A motion held against a score, whoever made it: each frame carries the labels of the captured frame
//! that it is most like.
//!
//! An opinion beside that of the sources' labels: it sees blends, bends and settled feet, and knows
//! nothing of where frames came from. Cost: frames of the motion times those of the footage.

use afoot_core::{Clip, FrameId};
use rayon::prelude::*;

use super::account::{Asked, EntryKept, PlaceMissed, missed};
use super::costs::{Take, merged};
use super::footage::{Feature, distance};
use super::performer::{PerformError, Performer};
use super::score::Score;
use super::timeline::Timeline;

/// How well a motion keeps a score.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScoreKept {
    /// Painted entries, in the score's order.
    pub entries: Vec<EntryKept>,
    /// Places, in the order of time.
    pub places: Vec<PlaceMissed>,
}

impl Performer {
    /// Holds a motion against a score; no entries where it is of another skeleton, or shorter.
    pub fn judge(&self, motion: &Clip, score: &Score) -> Result<ScoreKept, PerformError> {
        score.check()?;
        let footage = self.footage();
        let timeline = Timeline::new(score, self.clips(), footage)?;
        let features = footage.features_of(motion);
        let at = |frame: u32| {
            let seconds = f64::from(frame) * footage.rate.frame_time();
            motion.rate.frames_in(seconds)
        };
        let last = at(timeline.frames - 1);
        if last >= motion.len() {
            return Ok(ScoreKept::default());
        }
        let roots = timeline.places.iter().map(|goal| {
            let frame = FrameId::from(at(goal.frame));
            missed(goal, motion.placement(frame), footage)
        });
        let places = roots.collect();
        if features.is_empty() {
            let entries = Vec::new();
            return Ok(ScoreKept { entries, places });
        }
        let likest: Vec<u32> = (0..timeline.frames)
            .into_par_iter()
            .map(|frame| likest(&footage.features, &features[at(frame)]))
            .collect();
        let takes = (0..).zip(likest).map(|(at, source)| Take {
            at,
            frames: 1,
            source,
        });
        let takes = merged(takes, footage);
        let asked = Asked {
            timeline: &timeline,
            clips: self.clips(),
            footage,
        };
        Ok(ScoreKept {
            entries: of_the_body(asked.entries(score, &takes)),
            places,
        })
    }
}

/// What limbs do by themselves can't be told from frames of whole bodies.
fn of_the_body(mut entries: Vec<EntryKept>) -> Vec<EntryKept> {
    entries.retain(|entry| entry.chains.is_empty() || !entry.want);
    entries
}

fn likest(features: &[Feature], own: &Feature) -> u32 {
    let mut best = (f32::INFINITY, 0);
    for (index, feature) in (0..).zip(features) {
        let apart = distance(feature, own);
        if apart < best.0 {
            best = (apart, index);
        }
    }
    best.1
}
