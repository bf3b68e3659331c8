//! Cutting, joining, reversing and stretching clips, with the facts of every frame carried along.
//!
//! Joins are hard: frames are put after each other and nothing is blended (that is `afoot-edit`).

use std::ops::Range;

use thiserror::Error;

use crate::clip::{Clip, ClipMismatch, SlidingJoint};
use crate::contacts::Contacts;
use crate::index::FrameId;
use crate::locomotion::Locomotion;
use crate::planar::Planar;
use crate::resample::clip_at;
use crate::spans::{LabelSpan, Range32};

/// Where a clip goes that is joined to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// Where it was captured.
    AsCaptured,
    /// Its first frame goes where the clip before would have gone next (its last step repeated), in
    /// x, z, yaw; and up or down until the floors meet there, if both are known.
    #[default]
    Continued,
}

/// Why clips can't be cut or joined that way.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum SpliceError {
    #[error("there is nothing to join: expected at least one clip")]
    Nothing,
    #[error(transparent)]
    Mismatch(#[from] ClipMismatch),
    #[error("clip {clip:?} has {frames} frames; {start}..{end} is not a part of it")]
    OutOfRange {
        clip: String,
        frames: usize,
        start: u32,
        end: u32,
    },
    #[error(
        "time key {index} does not come after the one before it; keys must be finite and rise in both times"
    )]
    KeysNotRising { index: usize },
}

/// A part of a clip.
pub fn cut_clip(clip: &Clip, frames: Range<u32>) -> Result<Clip, SpliceError> {
    if frames.start > frames.end || frames.end as usize > clip.len() {
        return Err(SpliceError::OutOfRange {
            clip: clip.name.clone(),
            frames: clip.len(),
            start: frames.start,
            end: frames.end,
        });
    }
    let moments: Vec<f64> = frames.map(f64::from).collect();
    Ok(clip_at(clip, &moments, clip.rate))
}

/// A clip played backwards.
pub fn reverse_clip(clip: &Clip) -> Clip {
    let moments: Vec<f64> = (0..clip.len()).rev().map(|frame| frame as f64).collect();
    clip_at(clip, &moments, clip.rate)
}

/// Clips one after the other, named after the first; its floor is the whole's.
pub fn concatenate_clips(clips: &[&Clip], placement: Placement) -> Result<Clip, SpliceError> {
    let (first, rest) = clips.split_first().ok_or(SpliceError::Nothing)?;
    let mut joined = (*first).clone();
    for clip in rest {
        joined.check_matches(clip)?;
        let mut next = (*clip).clone();
        if placement == Placement::Continued {
            continue_from(&joined, &mut next);
        }
        append(&mut joined, next);
    }
    Ok(joined)
}

fn continue_from(before: &Clip, next: &mut Clip) {
    let Some(end) = before.len().checked_sub(1).filter(|_| !next.is_empty()) else {
        return;
    };
    let last = before.placement(FrameId::from(end));
    let step = match end {
        0 => Planar::IDENTITY,
        _ => before
            .placement(FrameId::from(end - 1))
            .inverse()
            .then_after(last),
    };
    let to = last.then_after(step);
    next.place(Planar::carrying(next.placement(FrameId(0)), to));
    if let (Some(floor), Some(own)) = (before.ground, next.ground) {
        let (x, z) = (to.x as f32, to.z as f32);
        next.raise(floor.height_at(x, z) - own.height_at(x, z));
    }
}

fn append(joined: &mut Clip, next: Clip) {
    let (before, added) = (joined.len(), next.len());
    append_facts(
        &mut joined.contacts,
        next.contacts,
        [before, added],
        Contacts::NONE,
    );
    append_facts(
        &mut joined.types,
        next.types,
        [before, added],
        Locomotion::Other,
    );
    append_sliding(joined, &next.sliding, 0..added);
    joined.root.extend(next.root);
    joined.rotations.extend(next.rotations);
    joined.ground = joined.ground.or(next.ground);
    let shift = before as u32;
    joined.faults.extend(
        next.faults
            .into_iter()
            .map(|fault| fault.start + shift..fault.end + shift),
    );
    for span in next.labels {
        let (start, end) = (span.frames.start + shift, span.frames.end + shift);
        let goes_on =
            |other: &&mut LabelSpan| other.frames.end == start && other.label == span.label;
        match joined.labels.iter_mut().find(goes_on) {
            Some(other) => other.frames.end = end,
            None => joined.labels.push(LabelSpan {
                frames: Range32 { start, end },
                ..span
            }),
        }
    }
    joined.labels.sort();
}

/// Facts of `before` frames, then of `added`, where either may be unknown.
fn append_facts<T: Copy>(
    facts: &mut Vec<T>,
    next: Vec<T>,
    [before, added]: [usize; 2],
    unknown: T,
) {
    if facts.is_empty() && next.is_empty() {
        return;
    }
    facts.resize(before, unknown);
    facts.extend(next);
    facts.resize(before + added, unknown);
}

/// Goes on in all sliding joints of `joined` with `frames` of another clip's, before its frames are
/// appended. A joint that slides in only one of the two keeps its own offset in the other.
pub fn append_sliding(joined: &mut Clip, next: &[SlidingJoint], frames: Range<usize>) {
    let before = joined.len();
    for sliding in next {
        if !joined.sliding.iter().any(|own| own.joint == sliding.joint) {
            let offset = joined.skeleton.joint(sliding.joint).offset;
            joined.sliding.push(SlidingJoint {
                joint: sliding.joint,
                offsets: vec![offset; before],
            });
        }
    }
    for own in &mut joined.sliding {
        match next.iter().find(|other| other.joint == own.joint) {
            Some(other) => own.offsets.extend(&other.offsets[frames.clone()]),
            None => {
                let offset = joined.skeleton.joint(own.joint).offset;
                own.offsets.resize(before + frames.len(), offset);
            }
        }
    }
}

/// A moment of a clip and when it shall happen instead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeKey {
    /// In the clip as it is. [frames]
    pub source: f64,
    /// In the warped clip. [frames]
    pub target: f64,
}

/// A clip stretched and squeezed in time so that each key's source moment happens at its target,
/// smoothly between (monotone cubic, Fritsch and Carlson 1980, with harmonic-mean slopes). Its
/// first frame is the first key, and it ends with the last. Keys rise in both times; none gives an
/// empty clip.
pub fn warp_time(clip: &Clip, keys: &[TimeKey]) -> Result<Clip, SpliceError> {
    let rises = |pair: &[TimeKey]| {
        pair[0].source < pair[1].source
            && pair[0].target < pair[1].target
            && pair[1].target - pair[0].target < 1e9
    };
    if let Some(index) = keys.windows(2).position(|pair| !rises(pair)) {
        return Err(SpliceError::KeysNotRising { index: index + 1 });
    }
    let (Some(first), Some(last)) = (keys.first(), keys.last()) else {
        return Ok(clip_at(clip, &[], clip.rate));
    };
    let steps = (last.target - first.target + 1e-9).floor() as usize;
    let slopes = monotone_slopes(keys);
    let moments: Vec<f64> = (0..=steps)
        .map(|step| warped(keys, &slopes, first.target + step as f64))
        .collect();
    Ok(clip_at(clip, &moments, clip.rate))
}

/// Source frames per target frame at each key.
fn monotone_slopes(keys: &[TimeKey]) -> Vec<f64> {
    let secants: Vec<f64> = keys
        .windows(2)
        .map(|k| (k[1].source - k[0].source) / (k[1].target - k[0].target))
        .collect();
    let inner = secants
        .windows(2)
        .map(|s| 2.0 * s[0] * s[1] / (s[0] + s[1]));
    let ends = |end: Option<&f64>| end.copied().unwrap_or(1.0);
    std::iter::once(ends(secants.first()))
        .chain(inner)
        .chain([ends(secants.last())])
        .collect()
}

fn warped(keys: &[TimeKey], slopes: &[f64], target: f64) -> f64 {
    let after = keys.partition_point(|key| key.target <= target);
    let at = after.clamp(1, keys.len().max(2) - 1) - 1;
    let (Some(a), Some(b)) = (keys.get(at), keys.get(at + 1)) else {
        return keys[0].source;
    };
    let width = b.target - a.target;
    let t = (target - a.target) / width;
    let (t2, t3) = (t * t, t * t * t);
    a.source * (2.0 * t3 - 3.0 * t2 + 1.0)
        + b.source * (3.0 * t2 - 2.0 * t3)
        + width * (slopes[at] * (t3 - 2.0 * t2 + t) + slopes[at + 1] * (t3 - t2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::swinging_clip;
    use crate::ground::Ground;

    #[test]
    fn a_part_is_the_frames_and_their_facts() {
        let mut clip = swinging_clip(6);
        clip.contacts = (0..6).map(Contacts).collect();
        clip.labels = vec![LabelSpan {
            frames: Range32 { start: 1, end: 3 },
            label: "a".into(),
        }];
        clip.faults = vec![0..1, 4..6];
        let part = cut_clip(&clip, 2..5).unwrap();
        assert_eq!(part.pose(FrameId(0)), clip.pose(FrameId(2)));
        assert_eq!(part.contacts, [2, 3, 4].map(Contacts));
        assert_eq!(part.labels[0].frames, Range32 { start: 0, end: 1 });
        assert_eq!((part.faults.len(), &part.faults[0]), (1, &(2..3)));
        assert_eq!(cut_clip(&clip, 3..3).unwrap().len(), 0);
        assert!(
            cut_clip(&clip, 3..7)
                .unwrap_err()
                .to_string()
                .contains("3..7")
        );
    }

    #[test]
    fn cut_and_join_as_captured_give_the_clip_back() {
        let mut clip = swinging_clip(7);
        clip.types = vec![Locomotion::Run; 7];
        clip.labels = vec![LabelSpan {
            frames: Range32 { start: 1, end: 6 },
            label: "a".into(),
        }];
        let (a, b) = (
            cut_clip(&clip, 0..3).unwrap(),
            cut_clip(&clip, 3..7).unwrap(),
        );
        assert_eq!(
            concatenate_clips(&[&a, &b], Placement::AsCaptured).unwrap(),
            clip
        );
    }

    #[test]
    fn a_continued_clip_starts_one_step_on_and_on_the_same_floor() {
        let mut a = swinging_clip(4);
        a.ground = Some(Ground::level(0.0));
        let mut b = swinging_clip(4);
        b.ground = Some(Ground::level(0.0));
        b.place(Planar::new(5.0, -3.0, 2.0));
        b.raise(0.7);
        let joined = concatenate_clips(&[&a, &b], Placement::Continued).unwrap();
        let step = a.root[3] - a.root[2];
        let turn_free = (joined.root[4] - a.root[3] - step).length();
        assert!(turn_free < 0.02, "{turn_free}");
        assert_eq!(joined.len(), 8);
        joined.check().unwrap();
    }

    #[test]
    fn joining_with_nothing_changes_nothing() {
        let (empty, clip) = (swinging_clip(0), swinging_clip(3));
        for order in [[&empty, &clip], [&clip, &empty]] {
            assert_eq!(
                concatenate_clips(&order, Placement::Continued)
                    .unwrap()
                    .root,
                clip.root
            );
        }
        assert_eq!(
            concatenate_clips(&[], Placement::Continued),
            Err(SpliceError::Nothing)
        );
    }

    #[test]
    fn reversed_twice_is_the_same() {
        let clip = swinging_clip(5);
        assert_eq!(reverse_clip(&clip).root[0], clip.root[4]);
        assert_eq!(reverse_clip(&reverse_clip(&clip)), clip);
    }

    #[test]
    fn a_warp_meets_its_keys_and_never_runs_backwards() {
        let clip = swinging_clip(31);
        let key = |source: f64, target: f64| TimeKey { source, target };
        let keys = [
            key(0.0, 0.0),
            key(20.0, 10.0),
            key(22.0, 30.0),
            key(30.0, 40.0),
        ];
        let warped = warp_time(&clip, &keys).unwrap();
        assert_eq!(warped.len(), 41);
        for TimeKey { source, target } in keys {
            let off = warped.root[target as usize] - clip.root[source as usize];
            assert!(off.length() < 1e-5, "{source}: {off}");
        }
        assert!(warped.root.windows(2).all(|pair| pair[1].z >= pair[0].z));
        assert_eq!(warp_time(&clip, &keys[..1]).unwrap().len(), 1);
        assert_eq!(
            warp_time(&clip, &[keys[1], keys[0]]),
            Err(SpliceError::KeysNotRising { index: 1 })
        );
    }
}
