//! What a performance costs: equation 1 of Arikan, Forsyth and O'Brien 2003.
//!
//! A tenth of a second of one label missed costs α; a join as unlike as frames a tenth of a second
//! apart usually are costs 1 − α. So both are in one unit, and the balance is at a half. A join costs
//! the distance of what would have come next from what does come (C = ‖F(f + 1) − F(g)‖); where a clip
//! has no frames left to blend with, much more. Motions that were made before may be avoided.

use super::footage::{Footage, distance};
use super::timeline::{HALF_BLEND, Timeline};

/// A miss of one label for this long costs one. [s]
const MISSED: f64 = 0.1;
/// A join without frames to blend costs this many usual ones more.
const ROUGH: f32 = 20.0;
/// Playing what another motion plays at about the same time costs this much a frame, of a miss.
const REPEATED: f32 = 0.7;

/// A stretch of captured motion in a performance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Take {
    /// First frame in the result.
    pub at: u32,
    pub frames: u32,
    /// First captured frame.
    pub source: u32,
}

impl Take {
    pub fn end(&self) -> u32 {
        self.at + self.frames
    }

    /// The last captured frame.
    pub fn last(&self) -> u32 {
        self.source + self.frames - 1
    }
}

/// Footage and timeline with their weights.
#[derive(Clone)]
pub(crate) struct Costs<'a> {
    pub footage: &'a Footage,
    pub timeline: &'a Timeline,
    /// Cost of a hundredth of a label missed in one frame.
    miss: f32,
    /// Cost of a metre of distance at a join.
    join: f32,
    /// Frames that a blend takes on either side.
    half: u32,
    /// Motions that are to be avoided.
    avoided: &'a [Vec<Take>],
}

impl<'a> Costs<'a> {
    pub fn new(footage: &'a Footage, timeline: &'a Timeline, smoothness: f64) -> Self {
        let frame = footage.rate.frame_time();
        Self {
            footage,
            timeline,
            miss: ((1.0 - smoothness) * frame / MISSED / 100.0) as f32,
            join: smoothness as f32 / footage.unit,
            half: (footage.rate.frames_in(HALF_BLEND) as u32).max(1),
            avoided: &[],
        }
    }

    /// The same, where these motions are to be avoided.
    pub fn avoiding(self, avoided: &'a [Vec<Take>]) -> Self {
        Self { avoided, ..self }
    }

    /// What a hundredth of a label that is missed in one frame costs.
    pub fn miss_weight(&self) -> f32 {
        self.miss
    }

    /// Of playing these frames there.
    #[inline]
    pub fn play(&self, take: &Take) -> f32 {
        let Take { at, frames, source } = *take;
        let missed = self.timeline.misses_of(at, source, frames) as f32;
        missed * self.miss + self.repeated(take)
    }

    fn repeated(&self, take: &Take) -> f32 {
        if self.avoided.is_empty() {
            return 0.0;
        }
        let near = self.footage.levels[0].block;
        let middle = take.at + take.frames / 2;
        let mine = take.source + take.frames / 2;
        let meets = |takes: &&Vec<Take>| {
            let other = takes.iter().find(|other| other.end() > middle);
            other.is_some_and(|other| (other.source + middle).abs_diff(mine + other.at) < near)
        };
        let times = self.avoided.iter().filter(meets).count();
        times as f32 * take.frames as f32 * REPEATED * (100.0 * self.miss).max(0.1)
    }

    /// Of a join from a captured frame to another; nothing if it follows in its clip.
    #[inline]
    pub fn join(&self, last: u32, next: u32) -> f32 {
        if last + 1 == next && self.footage.left[last as usize] > 1 {
            return 0.0;
        }
        let left = self.footage.left[last as usize];
        let beyond = if left > 1 { last + 1 } else { last };
        let features = &self.footage.features;
        let apart = distance(&features[beyond as usize], &features[next as usize]);
        self.join * apart + self.rough(left > self.half, self.can_enter(next))
    }

    fn rough(&self, has_after: bool, has_before: bool) -> f32 {
        match has_after && has_before {
            true => 0.0,
            false => ROUGH * self.join * self.footage.unit,
        }
    }

    /// How many frames before one can be played, up to what a blend takes.
    #[inline]
    fn before(&self, frame: u32) -> u32 {
        let far = frame.saturating_sub(self.half);
        let in_a_row = self.footage.left[far as usize] > frame - far;
        if in_a_row { frame - far } else { 0 }
    }

    /// Whether a block that starts there may follow a join.
    pub fn can_enter(&self, frame: u32) -> bool {
        self.before(frame) >= self.half && self.timeline.may_enter(frame)
    }

    /// Whether there are frames to blend after this one.
    pub fn can_leave(&self, last: u32) -> bool {
        self.footage.left[last as usize] > self.half
    }

    /// Whether frames of the result from one up to another are fixed.
    pub fn is_held(&self, from: u32, to: u32) -> bool {
        let mut fixed = self.timeline.fixed.iter();
        fixed.any(|fixed| fixed.at < to && from < fixed.at + fixed.frames)
    }

    /// What a join costs a metre of distance, and what one without room costs more.
    pub fn join_weights(&self) -> (f32, f32) {
        (self.join, ROUGH * self.join * self.footage.unit)
    }

    /// Of a whole performance.
    pub fn whole(&self, takes: &[Take]) -> f32 {
        let played: f32 = takes.iter().map(|take| self.play(take)).sum();
        let joined: f32 = takes
            .windows(2)
            .map(|pair| self.join(pair[0].last(), pair[1].source))
            .sum();
        played + joined
    }
}

/// Takes that follow each other in a clip as one.
pub(crate) fn merged(takes: impl IntoIterator<Item = Take>, footage: &Footage) -> Vec<Take> {
    let mut merged: Vec<Take> = Vec::new();
    for take in takes {
        match merged.last_mut() {
            Some(before)
                if before.last() + 1 == take.source && footage.left[before.last() as usize] > 1 =>
            {
                before.frames += take.frames;
            }
            _ => merged.push(take),
        }
    }
    merged
}
