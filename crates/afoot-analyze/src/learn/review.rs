//! Stretches that a person had better look at: the least certain and the least alike first.
//!
//! Frames of which nothing was said are cut where the told label changes, and into pieces of at most two
//! seconds; a piece is worth looking at by how uncertain its frames are and how unlike anything that
//! was taught. No two pieces that touch are offered at once, since one answers for the other.

use std::ops::Range;

use super::lesson::{Mark, runs};
use super::model::FrameTold;

/// What is offered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReviewOptions {
    /// How many stretches.
    pub count: usize,
    /// The longest that is offered. [s, > 0]
    pub most_seconds: f64,
}

impl Default for ReviewOptions {
    fn default() -> Self {
        Self {
            count: 5,
            most_seconds: 2.0,
        }
    }
}

/// A stretch to look at.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// Which of the clips.
    pub clip: usize,
    /// Its frames.
    pub frames: Range<usize>,
    /// The mean probability that it carries the label.
    pub probability: f32,
    /// How much there is to be learned from it. [0 to 2]
    pub worth: f32,
}

/// A clip as it was told.
#[derive(Clone, Copy, Debug)]
pub struct ToldClip<'a> {
    /// Frames a second.
    pub fps: f64,
    /// What the model says, a frame each.
    pub told: &'a [FrameTold],
    /// What a person said, a frame each.
    pub marks: &'a [Mark],
    /// Stretches that carry the label.
    pub stretches: &'a [Range<usize>],
}

/// The stretches that are most worth looking at, the first one most.
pub fn review_queue(clips: &[ToldClip], options: &ReviewOptions) -> Vec<Stretch> {
    let mut all: Vec<Stretch> = clips
        .iter()
        .enumerate()
        .flat_map(|(index, clip)| clip.pieces(index, options.most_seconds))
        .collect();
    all.sort_by(|a, b| {
        let place = |stretch: &Stretch| (stretch.clip, stretch.frames.start);
        b.worth.total_cmp(&a.worth).then(place(a).cmp(&place(b)))
    });
    let mut chosen: Vec<Stretch> = Vec::new();
    for stretch in all {
        let touches = |other: &Stretch| {
            let near = stretch.frames.start <= other.frames.end
                && other.frames.start <= stretch.frames.end;
            stretch.clip == other.clip && near
        };
        if chosen.len() < options.count && !chosen.iter().any(touches) {
            chosen.push(stretch);
        }
    }
    chosen
}

impl ToldClip<'_> {
    fn pieces(&self, clip: usize, most_seconds: f64) -> Vec<Stretch> {
        let most = ((most_seconds * self.fps) as usize).max(1);
        let state = |frame: usize| {
            let is = self
                .stretches
                .iter()
                .any(|stretch| stretch.contains(&frame));
            (self.marks.get(frame).copied().unwrap_or_default(), is)
        };
        let states: Vec<(Mark, bool)> = (0..self.told.len()).map(state).collect();
        let open = runs(&states)
            .into_iter()
            .filter(|((mark, _), _)| *mark == Mark::Open);
        open.flat_map(|(_, run)| evenly(run, most))
            .map(|frames| self.stretch(clip, frames))
            .collect()
    }

    fn stretch(&self, clip: usize, frames: Range<usize>) -> Stretch {
        let told = &self.told[frames.clone()];
        let mean = |value: &dyn Fn(&FrameTold) -> f32| {
            told.iter().map(value).sum::<f32>() / told.len().max(1) as f32
        };
        let doubt = mean(&|frame| 1.0 - (2.0 * frame.probability - 1.0).abs());
        Stretch {
            clip,
            frames,
            probability: mean(&|frame| frame.probability),
            worth: doubt + mean(&|frame| 1.0 - frame.likeness),
        }
    }
}

/// As few equal parts of a run as have at most `most` frames each.
fn evenly(run: Range<usize>, most: usize) -> Vec<Range<usize>> {
    let parts = run.len().div_ceil(most);
    let cut = |part: usize| run.start + part * run.len() / parts;
    (0..parts).map(|part| cut(part)..cut(part + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(probability: f32, likeness: f32) -> FrameTold {
        FrameTold {
            probability,
            likeness,
        }
    }

    #[test]
    fn the_uncertain_and_the_strange_come_first_and_the_marked_never() {
        let mut frames = vec![told(0.02, 0.9); 300];
        frames[60..90].fill(told(0.5, 0.9));
        frames[200..230].fill(told(0.02, 0.2));
        let mut marks = vec![Mark::Open; 300];
        marks[60..75].fill(Mark::No);
        let clip = ToldClip {
            fps: 30.0,
            told: &frames,
            marks: &marks,
            stretches: &[75..90, 200..230],
        };
        let found = review_queue(&[clip], &ReviewOptions::default());
        assert_eq!(found[0].frames, 75..90);
        assert_eq!(found[1].frames, 200..230);
        assert!(found.len() <= 5 && found.iter().all(|s| s.frames.len() <= 60));
        for stretch in &found {
            assert!(
                stretch
                    .frames
                    .clone()
                    .all(|frame| marks[frame] == Mark::Open)
            );
        }
    }

    #[test]
    fn parts_are_even_and_cover_the_run() {
        assert_eq!(evenly(10..130, 60), [10..70, 70..130]);
        assert_eq!(evenly(0..61, 60), [0..30, 30..61]);
        assert_eq!(evenly(5..6, 60).len(), 1);
    }
}
