//! Stretches of clips that sound together: what a plan plays at each moment, and how much of it.
//!
//! A voice plays frames of a clip at a place, in its own time, with a share. Shares change over a third of a
//! second around the ends of stretches: a voice's share is that of its stretch, averaged over time with a
//! smooth window. All shares sum to one at any time, however short stretches are, so that joins a few
//! frames apart need no rule of their own: what plays for a moment only is heard a little. Beyond its
//! stretch a voice goes on in its clip, where windows around joins are alike. Frames are mixed by
//! rotations joint by joint, the root's place, heading, height and tilt, and offsets of joints that
//! slide in any of the clips; feet are planted afterwards.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use afoot_core::{
    Clip, FrameId, JointId, Planar, Pose, Quat, SlidingJoint, Vec3, wrap_angle, yaw_of,
};

use crate::floor::shared_floor;

/// Frames of a clip at a place, with a share.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Voice {
    pub(super) clip: usize,
    /// The clip's frame at the first moment.
    pub(super) start: f64,
    /// Frames of the clip in one of the result. [> 0]
    pub(super) pace: f64,
    /// When it plays. [frames of the result]
    pub(super) span: Range<f64>,
    /// Carries the clip's coordinates into the world.
    pub(super) placement: Planar,
    /// [0 to 1]
    pub(super) share: f64,
}

/// Shares change over so long to either side of a stretch's end. [s]
const REACH: f64 = 1.0 / 6.0;
/// Less is not heard.
const SILENT: f64 = 1e-4;

/// Voices as motion, with how many of its frames one voice plays alone.
pub(super) struct Chorus {
    pub(super) clip: Clip,
    pub(super) alone: u64,
}

/// Plays voices; `frames` is how long all of them take.
pub(super) fn sing(clips: &[Clip], voices: &[Voice], frames: usize) -> Chorus {
    let model = &clips[voices[0].clip];
    let mut clip = Clip::empty("planned", Arc::clone(&model.skeleton), model.rate);
    clip.ground = shared_floor(clips);
    clip.sliding = sliding_joints(clips, voices);
    let reach = model.rate.frames_in(REACH).max(1) as f64;
    let mut alone = 0;
    for frame in 0..frames {
        let at = frame as f64;
        let heard: Vec<(&Voice, f64)> = voices
            .iter()
            .map(|voice| (voice, voice.share_at(at, reach, frames)))
            .filter(|(_, share)| *share > SILENT)
            .collect();
        alone += u64::from(heard.len() == 1);
        clip.push_pose(&mixed_pose(clips, &heard, at));
        for own in &mut clip.sliding {
            let offset = mixed_offset(clips, &heard, at, own.joint);
            own.offsets.push(offset);
        }
        let leads = |a: &&Voice, b: &&Voice| a.share.total_cmp(&b.share);
        let playing = voices.iter().filter(|voice| voice.span.contains(&at));
        let leader = playing.max_by(leads).unwrap_or(&voices[voices.len() - 1]);
        let own = leader.frame_at(clips, at).round() as usize;
        let source = &clips[leader.clip];
        clip.contacts.extend(source.contacts.get(own));
        clip.types.extend(source.types.get(own));
    }
    Chorus { clip, alone }
}

impl Voice {
    /// How much of it is heard; the first and the last voices have no neighbours to give way to.
    fn share_at(&self, at: f64, reach: f64, frames: usize) -> f64 {
        let passed = |end: f64| risen(at + 0.5 - end, reach);
        let begun = if self.span.start <= 0.0 {
            1.0
        } else {
            passed(self.span.start)
        };
        let ended = if self.span.end >= frames as f64 {
            0.0
        } else {
            passed(self.span.end)
        };
        self.share * (begun - ended)
    }

    /// The clip's frame at a moment, within the clip.
    fn frame_at(&self, clips: &[Clip], at: f64) -> f64 {
        let last = clips[self.clip].len().saturating_sub(1) as f64;
        (self.start + (at - self.span.start) * self.pace).clamp(0.0, last)
    }
}

/// From 0 to 1 as `past` goes from −`reach` to `reach`, with neither speed nor acceleration at both ends.
fn risen(past: f64, reach: f64) -> f64 {
    let x = (past / reach).clamp(-1.0, 1.0);
    let risen = 0.5 + 0.5 * x + (std::f64::consts::PI * x).sin() / std::f64::consts::TAU;
    // What rounding leaves of a sine at its ends.
    risen.clamp(0.0, 1.0)
}

/// A pose in the world, its root apart.
struct Standing {
    root: Planar,
    height: f64,
    tilt: Quat,
    joints: Vec<Quat>,
}

fn mixed_pose(clips: &[Clip], heard: &[(&Voice, f64)], at: f64) -> Pose {
    let total: f64 = heard.iter().map(|(_, share)| share).sum();
    let parts = heard.iter().map(|(voice, share)| {
        let pose = standing_between(clips, voice, voice.frame_at(clips, at));
        (pose, share / total)
    });
    let mut parts: Vec<(Standing, f64)> = parts.collect();
    // Rotations are added up near the one that is heard most.
    parts.sort_by(|a, b| b.1.total_cmp(&a.1));
    let first = &parts[0].0;
    let sum = |value: &dyn Fn(&Standing) -> f64| -> f64 {
        parts.iter().map(|(part, share)| share * value(part)).sum()
    };
    let root = Planar::new(
        sum(&|part| part.root.x),
        sum(&|part| part.root.z),
        first.root.yaw + sum(&|part| wrap_angle(part.root.yaw - first.root.yaw)),
    );
    let turned = |of: &dyn Fn(&Standing) -> Quat| {
        let near = of(first);
        let added = parts.iter().map(|(part, share)| {
            let own = of(part);
            let own = if own.dot(near) < 0.0 { -own } else { own };
            own * (*share as f32)
        });
        added.reduce(|a, b| a + b).unwrap_or(near).normalize()
    };
    let mut rotations: Vec<Quat> = (0..first.joints.len())
        .map(|joint| turned(&|part| part.joints[joint]))
        .collect();
    rotations[0] = (root.rotation() * turned(&|part| part.tilt)).normalize();
    Pose {
        root: Vec3::new(
            root.x as f32,
            sum(&|part| part.height) as f32,
            root.z as f32,
        ),
        rotations,
    }
}

/// The joints that slide in any voice's clip, with no frames yet.
fn sliding_joints(clips: &[Clip], voices: &[Voice]) -> Vec<SlidingJoint> {
    let played = voices.iter().flat_map(|voice| &clips[voice.clip].sliding);
    let joints: BTreeSet<JointId> = played.map(|sliding| sliding.joint).collect();
    let empty = |joint| SlidingJoint {
        joint,
        offsets: Vec::new(),
    };
    joints.into_iter().map(empty).collect()
}

/// A joint's offset in a mixed pose; of a clip in which it does not slide, the skeleton's.
fn mixed_offset(clips: &[Clip], heard: &[(&Voice, f64)], at: f64, joint: JointId) -> Vec3 {
    let total: f64 = heard.iter().map(|(_, share)| share).sum();
    let parts = heard.iter().map(|(voice, share)| {
        let clip = &clips[voice.clip];
        let frame = voice.frame_at(clips, at);
        let low = frame.floor() as usize;
        let next = (low + 1).min(clip.len() - 1);
        let [one, next] = [low, next].map(|frame| clip.offset(FrameId::from(frame), joint));
        one.lerp(next, frame.fract() as f32) * (share / total) as f32
    });
    parts.sum()
}

/// The pose at a fraction of a frame.
fn standing_between(clips: &[Clip], voice: &Voice, frame: f64) -> Standing {
    let clip = &clips[voice.clip];
    let (low, part) = (frame.floor() as usize, frame.fract());
    let one = standing(clip, voice.placement, low);
    if part < 1e-9 || low + 1 >= clip.len() {
        return one;
    }
    let next = standing(clip, voice.placement, low + 1);
    let joints = one.joints.iter().zip(&next.joints);
    let turn = wrap_angle(next.root.yaw - one.root.yaw);
    Standing {
        root: Planar::new(
            one.root.x + (next.root.x - one.root.x) * part,
            one.root.z + (next.root.z - one.root.z) * part,
            one.root.yaw + turn * part,
        ),
        height: one.height + (next.height - one.height) * part,
        tilt: one.tilt.slerp(next.tilt, part as f32),
        joints: joints.map(|(a, b)| a.slerp(*b, part as f32)).collect(),
    }
}

fn standing(clip: &Clip, placement: Planar, frame: usize) -> Standing {
    let joints = clip.frame_rotations(frame.into());
    let place = placement.point3(clip.root[frame]);
    let turned = placement.rotate(joints[0]);
    let yaw = yaw_of(turned);
    Standing {
        root: Planar::new(f64::from(place.x), f64::from(place.z), f64::from(yaw)),
        height: f64::from(place.y),
        tilt: Quat::from_rotation_y(-yaw) * turned,
        joints: joints.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use afoot_sample::{SampleOptions, sample_library};

    use super::*;

    fn voice(span: Range<f64>, share: f64) -> Voice {
        Voice {
            clip: 0,
            start: 0.0,
            pace: 1.0,
            span,
            placement: Planar::IDENTITY,
            share,
        }
    }

    #[test]
    fn shares_sum_to_one_however_short_stretches_are() {
        let voices = [
            voice(0.0..9.0, 1.0),
            voice(9.0..11.0, 1.0),
            voice(11.0..20.5, 0.3),
            voice(11.0..20.5, 0.7),
            voice(20.5..40.0, 1.0),
        ];
        for frame in 0..40 {
            let shares = voices.iter().map(|v| v.share_at(f64::from(frame), 5.0, 40));
            let shares: Vec<f64> = shares.collect();
            assert!(
                (shares.iter().sum::<f64>() - 1.0).abs() < 1e-9,
                "{frame}: {shares:?}"
            );
            assert!(shares.iter().all(|share| *share > -1e-12));
        }
        // Two frames among windows of ten are never heard alone.
        let most = (0..40).map(|frame| voices[1].share_at(f64::from(frame), 5.0, 40));
        assert!(most.fold(0.0, f64::max) < 0.5);
    }

    /// Two clips of a figure whose knee slides in the first: its offset goes over from what that says to the
    /// skeleton's own as the second is heard instead.
    #[test]
    fn joints_that_slide_in_a_voice_slide_in_what_is_mixed() {
        let mut clips = sample_library(&SampleOptions::default());
        clips.truncate(2);
        clips[1].skeleton = Arc::clone(&clips[0].skeleton);
        let joint = JointId(3);
        let own = clips[0].skeleton.joint(joint).offset;
        let slid = |frame: usize| own + Vec3::new(0.0, 0.0, 0.01 + 1e-4 * frame as f32);
        let offsets = (0..clips[0].len()).map(slid).collect();
        clips[0].sliding = vec![SlidingJoint { joint, offsets }];
        let second = Voice {
            clip: 1,
            ..voice(20.0..40.0, 1.0)
        };
        let voices = [voice(0.0..20.0, 1.0), second];
        let mixed = sing(&clips, &voices, 40).clip;
        mixed.check().unwrap();
        assert_eq!(mixed.sliding.len(), 1);
        let offsets = &mixed.sliding[0].offsets;
        assert!(offsets[3].distance(slid(3)) < 1e-6);
        assert!(offsets[36].distance(own) < 1e-6);
        let (first, second) = (offsets[19].z - own.z, slid(19).z - own.z);
        assert!(first > 0.3 * second && first < 0.9 * second, "{first}");
    }

    #[test]
    fn a_share_rises_without_a_kink() {
        assert_eq!((risen(-7.0, 5.0), risen(7.0, 5.0)), (0.0, 1.0));
        assert!((risen(0.0, 5.0) - 0.5).abs() < 1e-12);
        assert!(risen(-4.9, 5.0) < 1e-4 && risen(4.9, 5.0) > 1.0 - 1e-4);
    }
}
