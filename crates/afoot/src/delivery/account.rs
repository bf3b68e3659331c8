//! Where a motion's frames come from, noted piece by piece.

use afoot_analyze::{MadeFrom, SourceSpan};
use serde::Serialize;

use super::motion::{MotionHeader, MotionPiece, PieceSource};
use crate::rounding::to_ten_thousandths;

/// A stretch of captured motion in a made one. A transition counts half to either side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SourceStretch {
    /// The clip's name.
    pub clip: String,
    /// Where the stretch starts in it. [s]
    pub from: f64,
    /// Where it ends in it. [s]
    pub to: f64,
    /// Where it starts in the made motion. [s]
    pub at: f64,
    /// Share that it has in the frames, where others play at the same time. [0 to 1]
    #[serde(skip_serializing_if = "is_whole")]
    pub weight: f32,
    /// The chains of the skeleton that it moves, where it does not move all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chains: Vec<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde calls it
fn is_whole(weight: &f32) -> bool {
    *weight >= 1.0
}

/// Where a motion's frames come from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Account {
    /// Stretches of clips, in order of `at`; together they leave no gaps.
    pub sources: Vec<SourceStretch>,
    /// How many transitions there are.
    pub transitions: usize,
    /// How many frames lie outside transitions.
    pub captured: u64,
    /// The stretches as they were told.
    spans: Vec<PieceSource>,
}

impl Account {
    pub(super) fn add(&mut self, piece: &MotionPiece, header: &MotionHeader) {
        self.transitions += piece.transitions as usize;
        self.captured += piece.captured;
        let stretches = piece.sources.iter().map(|source| stretch(source, header));
        self.sources.extend(stretches);
        self.spans.extend(piece.sources.iter().cloned());
    }

    /// What the judge compares frames with: of several sources the main one.
    pub(super) fn made_from<'a>(&self, header: &'a MotionHeader) -> MadeFrom<'a> {
        let window = u64::from(header.transition);
        let main: Vec<&PieceSource> = self.spans.iter().filter(|span| span.is_main()).collect();
        let clip = |source: &&PieceSource| {
            let number = source.clip.index();
            (number, header.clips.captured(source.clip))
        };
        let span = |source: &&PieceSource| SourceSpan {
            clip: source.clip.index(),
            from: source.frames.start,
            frames: source.frames.end - source.frames.start,
            at: source.at,
        };
        let join = |pair: &[&PieceSource]| {
            let (before, after) = (pair[0], pair[1]);
            let goes_on = before.clip == after.clip && before.frames.end == after.frames.start;
            let start = after.at.saturating_sub(window / 2);
            (!goes_on).then_some(start..start + window)
        };
        MadeFrom {
            clips: main.iter().map(clip).collect(),
            spans: main.iter().map(span).collect(),
            joins: main.windows(2).filter_map(join).collect(),
        }
    }
}

fn stretch(source: &PieceSource, header: &MotionHeader) -> SourceStretch {
    let time = |frame: f64| to_ten_thousandths(frame * header.rate.frame_time());
    SourceStretch {
        clip: header.clips.name(source.clip).into(),
        from: time(f64::from(source.frames.start)),
        to: time(f64::from(source.frames.end)),
        at: time(source.at as f64),
        weight: source.weight,
        chains: source.chains.clone(),
    }
}
