//! Clips in a chosen order, joined where like frames meet (Shanbhag 2006, §4.3).
//!
//! An itinerary plays a clip up to a leap, then the other clip from where it enters. Around each leap
//! lies a blend, as long as it says and as the clips on both sides allow: it needs captured frames
//! beyond the exit and before the entry. The root goes by blended steps; feet are planted when the
//! motion is finished. Cost: one pass over the frames.

use std::sync::Arc;

use afoot_core::{
    Clip, ClipFrame, ClipId, FrameId, Placement, Planar, Range32, concatenate_clips, cut_clip,
};
use afoot_edit::blend::{Blend, BlendError, BlendOptions, blend_transition};
use afoot_graph::clusters::{Leap, Loop};
use afoot_graph::{ClipSet, Place};

use crate::walk::{Played, Source};

/// What is played: from a place, over leaps, to the end of a stretch.
#[derive(Clone, Debug, PartialEq)]
pub struct Itinerary {
    /// The first frame.
    pub start: Place,
    /// In order; each leaves the clip that the one before entered.
    pub leaps: Vec<Leap>,
    /// For each leap, how many frames on either side of it are blended, if there are. [frames, 1..]
    pub halves: Vec<u32>,
    /// Where the last clip ends, half-open.
    pub end: FrameId,
}

impl Itinerary {
    /// The same loop `cycles` times, the last one perhaps in part: `cycles` periods of frames.
    pub fn of_loop(found: &Loop, halves: &[u32], cycles: f64) -> Self {
        let frames = (cycles * f64::from(found.period)).round() as u64;
        Self::of_frames(found, halves, frames.max(1))
    }

    /// The same loop for so many frames; `halves` are those of its leaps. [1..]
    pub fn of_frames(found: &Loop, halves: &[u32], frames: u64) -> Self {
        let (mut leaps, mut at, mut left) = (Vec::new(), found.start(), frames);
        for leap in found.leaps.iter().cycle() {
            let here = u64::from(leap.from.frame.0 + 1 - at.frame.0);
            if left <= here {
                break;
            }
            left -= here;
            leaps.push(*leap);
            at = leap.to;
        }
        Self {
            start: found.start(),
            halves: halves.iter().copied().cycle().take(leaps.len()).collect(),
            leaps,
            end: FrameId(at.frame.0 + left as u32),
        }
    }

    /// How many frames it plays.
    pub fn frames(&self) -> u64 {
        let played = |(_, frames): &(ClipId, Range32)| u64::from(frames.end - frames.start);
        self.stretches().iter().map(played).sum()
    }

    /// Each clip's frames as if there were no blends.
    fn stretches(&self) -> Vec<(ClipId, Range32)> {
        let starts = std::iter::once(self.start).chain(self.leaps.iter().map(|leap| leap.to));
        let ends = self.leaps.iter().map(|leap| leap.from.frame.0 + 1);
        let stretch = |(start, end): (Place, u32)| {
            let frames = Range32 {
                start: start.frame.0,
                end,
            };
            (start.clip, frames)
        };
        starts.zip(ends.chain([self.end.0])).map(stretch).collect()
    }
}

/// Plays an itinerary in the first clip's coordinates; feet are not planted yet. `clips` are level.
pub fn play_itinerary(
    clips: &(impl ClipSet + ?Sized),
    itinerary: &Itinerary,
) -> Result<Played, BlendError> {
    let stretches = itinerary.stretches();
    let halves = half_blends(clips, &stretches, &itinerary.halves);
    let played: Vec<Stretch> = stretches
        .iter()
        .map(|&(clip, frames)| Stretch {
            clip: clips.clip(clip),
            frames,
        })
        .collect();
    let joined = join_stretches(&played, &halves)?;
    Ok(Played {
        clip: joined.clip,
        sources: sources(&stretches),
        joins: itinerary.leaps.len() as u32,
        captured: joined.captured,
    })
}

/// Frames of a clip, as if there were no blends.
#[derive(Clone, Copy)]
pub(crate) struct Stretch<'a> {
    pub(crate) clip: &'a Clip,
    pub(crate) frames: Range32,
}

/// Stretches one after the other.
pub(crate) struct Joined {
    /// In the first one's coordinates.
    pub(crate) clip: Clip,
    /// How many of its frames are as captured.
    pub(crate) captured: u64,
}

/// Plays stretches one after the other, around each join a blend of so many frames on either side;
/// where these are none, the next goes on a step after the one before.
pub(crate) fn join_stretches(stretches: &[Stretch], halves: &[u32]) -> Result<Joined, BlendError> {
    let mut parts: Vec<Clip> = Vec::new();
    let mut placement = Planar::IDENTITY;
    let mut captured = 0;
    for (index, Stretch { clip, frames }) in stretches.iter().enumerate() {
        let before = index.checked_sub(1).map_or(0, |index| halves[index]);
        let after = halves.get(index).copied().unwrap_or(0);
        let own = frames.start + before..frames.end - after;
        captured += u64::from(own.end.saturating_sub(own.start));
        let mut part = cut(clip, own);
        part.place(placement);
        parts.push(part);
        let Some(next) = stretches.get(index + 1) else {
            break;
        };
        if after == 0 {
            let entered = next.clip.placement(FrameId(next.frames.start));
            placement = put_after(clip, frames.end, placement).then_after(entered.inverse());
            continue;
        }
        let from = clip.at(FrameId(frames.end - after));
        let to = next.clip.at(FrameId(next.frames.start + after));
        let mut blend = leap_blend(from, to, after)?;
        blend.clip.place(placement);
        placement = placement.then_after(blend.placement);
        parts.push(blend.clip);
    }
    let first = parts.first();
    let filled = parts.iter().skip(1).filter(|part| !part.is_empty());
    let parts: Vec<&Clip> = first.into_iter().chain(filled).collect();
    let mut clip = concatenate_clips(&parts, Placement::AsCaptured)
        .expect("stretches are of one skeleton and one rate");
    clip.name = "synthesised".into();
    Ok(Joined { clip, captured })
}

/// Where the root is one step after a clip's frames end, or was last if there is no step.
fn put_after(clip: &Clip, end: u32, placement: Planar) -> Planar {
    let last = clip.placement(FrameId(end - 1));
    let next = match (end as usize) < clip.len() {
        true => clip.placement(FrameId(end)),
        false if end >= 2 => {
            let step = Planar::carrying(clip.placement(FrameId(end - 2)), last);
            step.then_after(last)
        }
        false => last,
    };
    placement.then_after(next)
}

/// Half the length of each blend: what the frames on both sides allow, and half of what is played
/// between two leaps at most. [frames, 1..]
fn half_blends(
    clips: &(impl ClipSet + ?Sized),
    stretches: &[(ClipId, Range32)],
    wished: &[u32],
) -> Vec<u32> {
    let played = |frames: Range32, at_end: bool| match at_end {
        true => frames.end - frames.start,
        false => (frames.end - frames.start) / 2,
    };
    let count = stretches.len();
    let half = |index: usize| {
        let ((left, out), (_, into)) = (stretches[index], stretches[index + 1]);
        let beyond = clips.clip(left).len() as u32 - out.end;
        let room = [
            wished.get(index).copied().unwrap_or(1),
            beyond,
            into.start,
            played(out, index == 0),
            played(into, index + 2 == count),
        ];
        room.into_iter().min().unwrap_or(0).max(1)
    };
    (0..count.saturating_sub(1)).map(half).collect()
}

fn leap_blend(from: ClipFrame, to: ClipFrame, half: u32) -> Result<Blend, BlendError> {
    let options = BlendOptions {
        window: 2 * half,
        alignment: None,
    };
    blend_transition(from, to, &options)
}

/// Frames of a clip; none, if they end before they start.
fn cut(clip: &Clip, frames: std::ops::Range<u32>) -> Clip {
    match cut_clip(clip, frames) {
        Ok(part) => part,
        Err(_) => Clip::empty(&clip.name, Arc::clone(&clip.skeleton), clip.rate),
    }
}

/// Where the frames come from: a blend counts half to either side, so that each stretch is as it is.
fn sources(stretches: &[(ClipId, Range32)]) -> Vec<Source> {
    let mut at = 0;
    let mut sources = Vec::with_capacity(stretches.len());
    for &(clip, frames) in stretches {
        sources.push(Source { clip, frames, at });
        at += u64::from(frames.end - frames.start);
    }
    sources
}
