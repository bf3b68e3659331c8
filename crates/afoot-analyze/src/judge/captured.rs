//! A motion against the captured frames that it was made from.
//!
//! Frames within joins are blends of two and have no captured frame; they count as not captured. A
//! frame is captured as it was if all its joints but the root are within 1° of the captured ones.
//! Hips are compared by their height over the floor, knees by their angle. Cost: linear.

use std::collections::BTreeMap;
use std::ops::Range;

use afoot_core::{Clip, FrameId, Leg, Positions, Side, Skeleton, pose_kinematics};
use glam::Quat;

use super::course::{HipFloor, height_over, hips, knee_angle};
use super::profile::GaitProfile;
use crate::series::quantile;

/// Where a motion's frames come from.
#[derive(Clone, Debug)]
pub struct MadeFrom<'a> {
    /// The clips that are played, by their numbers in the statistics that the motion is judged by.
    pub clips: BTreeMap<usize, &'a Clip>,
    /// In order of `at`; together they cover the motion.
    pub spans: Vec<SourceSpan>,
    /// The frames of joins, in order.
    pub joins: Vec<Range<u64>>,
}

/// A stretch of a clip that is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceSpan {
    /// The clip's number.
    pub clip: usize,
    /// Its first frame that plays.
    pub from: u32,
    /// How many frames play.
    pub frames: u32,
    /// The first one's frame in the motion.
    pub at: u64,
}

impl MadeFrom<'_> {
    /// The clip and its frame that a frame comes from, joins included.
    pub(super) fn source_of(&self, frame: u64) -> Option<(usize, u32)> {
        let after = self.spans.partition_point(|span| span.at <= frame);
        let span = self.spans[..after].last()?;
        let into = frame - span.at;
        let at = (u64::from(span.from) + into) as u32;
        let exists = self
            .clips
            .get(&span.clip)
            .is_some_and(|clip| (at as usize) < clip.len());
        (into < u64::from(span.frames) && exists).then_some((span.clip, at))
    }

    /// Whether a frame is a blend of two.
    pub(super) fn is_joined(&self, frame: u64) -> bool {
        let after = self.joins.partition_point(|join| join.start <= frame);
        self.joins[..after]
            .last()
            .is_some_and(|join| frame < join.end)
    }

    /// The join that a frame lies in or next to.
    pub(super) fn join_near(&self, frame: u64) -> Option<&Range<u64>> {
        let after = self.joins.partition_point(|join| join.start <= frame + 1);
        self.joins[..after].last().filter(|join| frame <= join.end)
    }

    /// Whether a clip is played at all.
    pub(super) fn uses(&self, clip: usize) -> bool {
        self.spans
            .iter()
            .any(|span| span.clip == clip && span.frames > 0)
    }

    /// For how many frames each clip is played: names and frames, most first.
    pub(super) fn uses_by_clip(&self) -> Vec<(&str, u64)> {
        let frames_of = |number: &usize| {
            let spans = self.spans.iter().filter(|span| span.clip == *number);
            spans.map(|span| u64::from(span.frames)).sum()
        };
        let clips = self.clips.iter();
        let mut uses: Vec<(&str, u64)> = clips
            .map(|(number, clip)| (clip.name.as_str(), frames_of(number)))
            .filter(|(_, frames)| *frames > 0)
            .collect();
        uses.sort_by_key(|(_, frames)| std::cmp::Reverse(*frames));
        uses
    }
}

/// Cosine of half of the angle within which a joint is as captured: 1°.
const AS_CAPTURED: f32 = 0.999_961_9;
/// The same of a thigh or shin that is nearly as captured: 5°, set by hand.
const NEARLY: f32 = 0.999_048_2;
/// What files round, with room to spare: a tenth of a degree, likewise, and a millimetre.
const ROUNDED: f32 = 0.999_999_6;
const ROUNDED_M: f32 = 1e-3;

/// What was changed, gathered.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// Frames that could be compared, or lie in joins.
    frames: usize,
    captured: usize,
    nearly: usize,
    hips: Vec<f32>,
    knees: Vec<f32>,
    /// How hips and knees are held in the captured frames, in each gait.
    played: [GaitProfile; 5],
}

impl Changes {
    /// Takes in the frames `counted` of a piece whose first frame is the motion's frame `first`.
    pub fn add(
        &mut self,
        (clip, positions, floor): (&Clip, &Positions, Option<&HipFloor>),
        counted: &Range<usize>,
        (from, first): (&MadeFrom, i64),
    ) {
        let Some(model) = from.clips.values().next() else {
            return;
        };
        let Some(joints) = same_joints(&clip.skeleton, &model.skeleton) else {
            return;
        };
        let legs = Side::BOTH.map(|side| clip.skeleton.leg(side));
        let parts = parts_of(&clip.skeleton, &legs);
        for frame in counted.clone() {
            let number = (first + frame as i64) as u64;
            self.frames += 1;
            let source = from.source_of(number).filter(|_| !from.is_joined(number));
            let Some((source, at)) = source else {
                continue;
            };
            let source = from.clips[&source];
            let (own, captured) = (
                clip.frame_rotations(FrameId::from(frame)),
                source.frame_rotations(FrameId(at)),
            );
            let least = |part: Part| {
                let turned = |joint: usize| own[joint].dot(captured[joints[joint]]).abs();
                let of_part = (1..own.len()).filter(|joint| parts[*joint] == part);
                of_part.map(turned).fold(1.0, f32::min)
            };
            let [trunk, legs_only, feet] = [Part::Upper, Part::Leg, Part::Foot].map(least);
            let upper = trunk >= AS_CAPTURED;
            self.captured += usize::from(upper && legs_only.min(feet) >= AS_CAPTURED);
            self.nearly += usize::from(upper && legs_only >= NEARLY);
            if let [Some(left), Some(right)] = legs {
                self.compare_legs(
                    (positions, floor, frame),
                    (source, at),
                    [left, right],
                    &joints,
                );
            }
        }
    }

    fn compare_legs(
        &mut self,
        (positions, floor, frame): (&Positions, Option<&HipFloor>, usize),
        (source, at): (&Clip, u32),
        legs: [Leg; 2],
        joints: &[usize],
    ) {
        let own = positions.frame(frame.into());
        let rotations = source.frame_rotations(FrameId(at));
        let (_, theirs) = pose_kinematics(&source.skeleton, source.root[at as usize], rotations);
        let mapped = legs.map(|leg| {
            let joint = |joint: afoot_core::JointId| joints[joint.index()].into();
            Leg {
                hip: joint(leg.hip),
                knee: joint(leg.knee),
                ankle: joint(leg.ankle),
                ball: joint(leg.ball),
            }
        });
        let gait = source.types.get(at as usize).copied().unwrap_or_default();
        let played = &mut self.played[gait as usize];
        for (leg, their_leg) in legs.into_iter().zip(mapped) {
            let their_knee = knee_angle(&theirs, their_leg);
            played.knee.see(their_knee);
            self.knees.push(knee_angle(own, leg) - their_knee);
        }
        if let (Some(floor), Some(their_ground)) = (floor, source.ground) {
            let their_height = height_over(hips(&theirs, mapped), &their_ground);
            played.hip_height.see(their_height);
            self.hips
                .push(floor.height_of(hips(own, legs)) - their_height);
        }
    }

    /// Share of the frames that are as captured; `None` if none could be compared.
    pub fn captured_share(&self) -> Option<f64> {
        (self.frames > 0).then(|| self.captured as f64 / self.frames as f64)
    }

    /// Share of the frames whose upper body is as captured, and whose thighs and shins nearly are.
    pub fn near_share(&self) -> Option<f64> {
        (self.frames > 0).then(|| self.nearly as f64 / self.frames as f64)
    }

    /// How hips and knees are held in the captured frames of each gait that were played.
    pub fn played(&self) -> &[GaitProfile; 5] {
        &self.played
    }

    /// Of the hips' height. [m]
    pub fn hips(&self) -> Option<Change> {
        Change::of(&self.hips)
    }

    /// Of the knees' angle. [rad]
    pub fn knees(&self) -> Option<Change> {
        Change::of(&self.knees)
    }
}

/// How much a value was changed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    /// Its mean with its sign.
    pub signed: f64,
    /// The mean of its size.
    pub mean: f64,
    /// The size's 95th percentile.
    pub p95: f64,
}

impl Change {
    fn of(changes: &[f32]) -> Option<Self> {
        let mut sizes: Vec<f32> = changes.iter().map(|change| change.abs()).collect();
        let mean = |values: &[f32]| {
            values.iter().copied().map(f64::from).sum::<f64>() / values.len() as f64
        };
        Some(Self {
            signed: mean(changes),
            mean: mean(&sizes),
            p95: f64::from(quantile(&mut sizes, 0.95)?),
        })
    }
}

/// What a joint belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Upper,
    Leg,
    /// The ankle and what hangs on it.
    Foot,
}

fn parts_of(skeleton: &Skeleton, legs: &[Option<Leg>; 2]) -> Vec<Part> {
    let mut parts = vec![Part::Upper; skeleton.joints().len()];
    let legs = || legs.iter().flatten();
    // Parents come first.
    for joint in 0..parts.len() {
        if let Some(parent) = skeleton.joints()[joint].parent {
            parts[joint] = parts[parent.index()];
        }
        if legs().any(|leg| leg.hip.index() == joint) {
            parts[joint] = Part::Leg;
        }
        if legs().any(|leg| leg.ankle.index() == joint) {
            parts[joint] = Part::Foot;
        }
    }
    parts
}

/// Which of some clips a motion is, frame by frame, as far as files round; `None` if it is none of them.
pub fn find_captured<'a>(
    motion: &Clip,
    clips: impl IntoIterator<Item = &'a Clip>,
) -> Option<&'a Clip> {
    clips.into_iter().find(|clip| is_captured(motion, clip))
}

fn is_captured(motion: &Clip, clip: &Clip) -> bool {
    let alike = motion.len() == clip.len() && !motion.is_empty() && motion.rate == clip.rate;
    let joints = alike
        .then(|| same_joints(&motion.skeleton, &clip.skeleton))
        .flatten();
    let Some(joints) = joints.filter(|joints| joints.len() == clip.joint_count()) else {
        return false;
    };
    (0..motion.len()).all(|frame| {
        let way = |of: &Clip| of.root[frame] - of.root[0];
        let [own, theirs] = [motion, clip].map(|of| of.frame_rotations(FrameId::from(frame)));
        let same = |(own, joint): (&Quat, &usize)| own.dot(theirs[*joint]).abs() >= ROUNDED;
        way(motion).distance(way(clip)) < ROUNDED_M && own.iter().zip(&joints).all(same)
    })
}

/// For every joint of `own` the one of `theirs` by that name; `None` where the skeletons differ, so that
/// rotations can't be compared.
fn same_joints(own: &Skeleton, theirs: &Skeleton) -> Option<Vec<usize>> {
    let same = |joint: &afoot_core::Joint| {
        let found = theirs
            .joints()
            .iter()
            .position(|other| other.name == joint.name)?;
        let near = theirs.joints()[found].offset.distance(joint.offset) < 1e-3;
        (near || found == 0).then_some(found)
    };
    own.joints().iter().map(same).collect()
}
