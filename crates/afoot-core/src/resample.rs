//! Clips at other times: another frame rate, or any list of moments.
//!
//! Joints by slerp along the shorter arc, positions by lerp; contacts, types and labels from the
//! nearest frame; a frame made from a faulty one is faulty. A moment that falls on a frame gives
//! that frame bit for bit. Nothing is extrapolated: a clip of n frames at rate r becomes
//! ⌊(n − 1)·r'/r⌋ + 1 frames, so 120 to 30 fps keeps every fourth frame. No low-pass filter runs
//! before: capture has little above 15 Hz, and a filter would shift contacts.

use std::ops::Range;

use glam::Quat;

use crate::clip::{Clip, SlidingJoint};
use crate::index::FrameId;
use crate::rate::FrameRate;
use crate::spans::{LabelSpan, runs};

/// The same motion at another rate; the first frame stays.
pub fn resample_clip(clip: &Clip, rate: FrameRate) -> Clip {
    if rate == clip.rate {
        return clip.clone();
    }
    let count = resampled_len(clip.len(), clip.rate, rate);
    let (old, new) = (clip.rate.parts(), rate.parts());
    let numerator = u128::from(old.0) * u128::from(new.1);
    let denominator = u128::from(old.1) * u128::from(new.0);
    // Whole and broken part by integers, so that frames that coincide do so exactly.
    let moment = |frame: usize| {
        let exact = frame as u128 * numerator;
        (exact / denominator) as f64 + (exact % denominator) as f64 / denominator as f64
    };
    let moments: Vec<f64> = (0..count).map(moment).collect();
    clip_at(clip, &moments, rate)
}

/// How many frames [`resample_clip`] gives.
pub fn resampled_len(frames: usize, from: FrameRate, to: FrameRate) -> usize {
    let Some(steps) = frames.checked_sub(1) else {
        return 0;
    };
    let (old, new) = (from.parts(), to.parts());
    let numerator = steps as u128 * u128::from(new.0) * u128::from(old.1);
    (numerator / (u128::from(new.1) * u128::from(old.0))) as usize + 1
}

/// A clip whose frame i is `clip` at `moments[i]`, counted in frames of `clip` and brought into its
/// range (a moment that is no number counts as 0). An empty clip stays empty.
pub fn clip_at(clip: &Clip, moments: &[f64], rate: FrameRate) -> Clip {
    let mut out = Clip::empty(clip.name.clone(), clip.skeleton.clone(), rate);
    out.ground = clip.ground;
    if clip.is_empty() {
        return out;
    }
    let last = clip.len() - 1;
    let between: Vec<Between> = moments.iter().map(|&at| Between::new(at, last)).collect();
    let nearest: Vec<usize> = between.iter().map(|at| at.nearest()).collect();
    let lerp = |track: &[glam::Vec3]| -> Vec<glam::Vec3> {
        let at = |b: &Between| match b.fraction {
            0.0 => track[b.before],
            fraction => track[b.before].lerp(track[b.before + 1], fraction),
        };
        between.iter().map(at).collect()
    };
    out.root = lerp(&clip.root);
    out.rotations
        .reserve_exact(between.len() * clip.joint_count());
    for at in &between {
        extend_rotations(clip, *at, &mut out.rotations);
    }
    out.sliding = clip
        .sliding
        .iter()
        .map(|sliding| SlidingJoint {
            joint: sliding.joint,
            offsets: lerp(&sliding.offsets),
        })
        .collect();
    if !clip.contacts.is_empty() {
        out.contacts = nearest.iter().map(|&frame| clip.contacts[frame]).collect();
    }
    if !clip.types.is_empty() {
        out.types = nearest.iter().map(|&frame| clip.types[frame]).collect();
    }
    out.labels = labels_at(clip, &nearest);
    let faulty = |at: &Between| clip.faults.iter().any(|fault| at.touches(fault));
    let marked = (0..).zip(&between).filter(|(_, at)| faulty(at));
    let marked = runs(marked.map(|(frame, _)| frame));
    out.faults = marked.into_iter().map(|run| run.start..run.end).collect();
    out
}

/// A moment between two frames; with `fraction` 0, on the first of them.
#[derive(Clone, Copy)]
struct Between {
    before: usize,
    fraction: f32,
}

impl Between {
    fn new(moment: f64, last: usize) -> Self {
        let moment = moment.max(0.0).min(last as f64);
        let before = moment as usize;
        let fraction = (moment - before as f64) as f32;
        match fraction < 1.0 {
            true => Self { before, fraction },
            false => Self {
                before: before + 1,
                fraction: 0.0,
            }, // rounded up by f32
        }
    }

    fn nearest(self) -> usize {
        self.before + usize::from(self.fraction >= 0.5)
    }

    fn touches(self, fault: &Range<u32>) -> bool {
        let holds = |frame: usize| fault.contains(&(frame as u32));
        holds(self.before) || (self.fraction > 0.0 && holds(self.before + 1))
    }
}

fn extend_rotations(clip: &Clip, at: Between, out: &mut Vec<Quat>) {
    let before = clip.frame_rotations(FrameId::from(at.before));
    if at.fraction == 0.0 {
        return out.extend_from_slice(before);
    }
    let after = clip.frame_rotations(FrameId::from(at.before + 1));
    let between = |(a, b): (&Quat, &Quat)| a.slerp(*b, at.fraction).normalize();
    out.extend(before.iter().zip(after).map(between));
}

fn labels_at(clip: &Clip, nearest: &[usize]) -> Vec<LabelSpan> {
    let mut labels: Vec<LabelSpan> = Vec::new();
    for span in &clip.labels {
        let inside = (0..)
            .zip(nearest)
            .filter(|&(_, &frame)| span.frames.contains(frame as u32));
        let runs = runs(inside.map(|(frame, _)| frame));
        labels.extend(runs.into_iter().map(|frames| LabelSpan {
            frames,
            label: span.label.clone(),
        }));
    }
    labels.sort();
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contacts::Contacts;
    use crate::fixture::swinging_clip;
    use crate::locomotion::Locomotion;
    use crate::spans::Range32;

    fn fps(rate: u32) -> FrameRate {
        FrameRate::new(rate, 1).unwrap()
    }

    #[test]
    fn from_120_to_30_keeps_every_fourth_frame_bit_for_bit() {
        let clip = Clip {
            rate: fps(120),
            ..swinging_clip(13)
        };
        let slow = resample_clip(&clip, fps(30));
        assert_eq!(slow.len(), 4);
        for frame in 0..4 {
            assert_eq!(
                slow.pose(FrameId::from(frame)),
                clip.pose(FrameId::from(frame * 4))
            );
        }
    }

    #[test]
    fn between_frames_it_is_half_way() {
        let clip = swinging_clip(3);
        let double = resample_clip(&clip, fps(60));
        assert_eq!(double.len(), 5);
        assert!((double.root[1] - (clip.root[0] + clip.root[1]) / 2.0).length() < 1e-6);
        let half = clip.rotations[1].slerp(clip.rotations[clip.joint_count() + 1], 0.5);
        assert!(
            double
                .rotation(FrameId(1), crate::JointId(1))
                .dot(half)
                .abs()
                > 1.0 - 1e-6
        );
    }

    #[test]
    fn facts_go_along() {
        let mut clip = swinging_clip(9);
        clip.contacts = (0..9).map(Contacts).collect();
        clip.types = vec![Locomotion::Walk; 9];
        clip.labels = vec![LabelSpan {
            frames: Range32 { start: 2, end: 6 },
            label: "wave".into(),
        }];
        clip.faults.push(7..9);
        let half = resample_clip(&clip, fps(15));
        assert_eq!(half.contacts, [0, 2, 4, 6, 8].map(Contacts));
        assert_eq!(half.types.len(), 5);
        assert_eq!(half.labels[0].frames, Range32 { start: 1, end: 3 });
        assert_eq!((half.faults.len(), &half.faults[0]), (1, &(4..5)));
        half.check().unwrap();
    }

    #[test]
    fn empty_and_single_frames_work() {
        assert_eq!(resample_clip(&swinging_clip(0), fps(60)).len(), 0);
        assert_eq!(resample_clip(&swinging_clip(1), fps(60)).len(), 1);
        assert_eq!(
            clip_at(&swinging_clip(2), &[f64::NAN, -3.0, 9.0], fps(30)).len(),
            3
        );
    }
}
