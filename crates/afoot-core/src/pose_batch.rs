//! Poses eight at a time: sampled, blended and placed, for programs that show many figures.
//!
//! Structure of arrays: a number of eight poses lies together, so one instruction moves eight
//! figures. A step reads and writes whole batches that stay in the first-level cache; keep batches
//! and reuse them. Slerps are `LaneQuat::slerp` (within 0.05° of exact). Sliding joints are not
//! sampled: poses have none. For one pose see `pose`; for a whole clip, `forward_kinematics`.

use glam::{Quat, Vec3};

use crate::clip::Pose;
use crate::index::JointId;
use crate::lanes::{Kernel, LANES, LaneQuat, LaneVec3, Lanes, run_kernel};
use crate::pose::{Moment, frames_around};
use crate::skeleton::Skeleton;

/// Eight poses of one skeleton.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PoseBatch {
    /// The root's positions. [m]
    pub root: LaneVec3,
    /// Local rotations, one entry per joint.
    pub rotations: Vec<LaneQuat>,
}

/// World rotations and positions of eight poses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlacedBatch {
    /// One entry per joint.
    pub rotations: Vec<LaneQuat>,
    /// One entry per joint, then one per end site. [m]
    pub points: Vec<LaneVec3>,
}

impl PoseBatch {
    /// The poses of up to eight clips, each at its time; lanes beyond repeat the last. The clips
    /// may be different or the same; all must have the same number of joints.
    pub fn sample(&mut self, moments: &[Moment]) {
        assert!((1..=LANES).contains(&moments.len()), "one to eight moments");
        let joints = moments[0].clip.joint_count();
        let rest = moments
            .iter()
            .find(|moment| moment.clip.is_empty())
            .map(|moment| moment.clip.skeleton.rest_pose());
        let lanes: [Lane; LANES] = std::array::from_fn(|lane| {
            let moment = &moments[lane.min(moments.len() - 1)];
            assert_eq!(
                moment.clip.joint_count(),
                joints,
                "one skeleton for all lanes"
            );
            Lane::new(moment, rest.as_ref())
        });
        let t = Lanes(lanes.each_ref().map(|lane| lane.fraction));
        let before = LaneVec3::gather(|lane| lanes[lane].roots[0]);
        self.root = before.lerp(LaneVec3::gather(|lane| lanes[lane].roots[1]), t);
        self.rotations.resize(joints, LaneQuat::default());
        let before = lanes.each_ref().map(|lane| lane.before);
        let after = lanes.each_ref().map(|lane| lane.after);
        run_kernel(Sample {
            before,
            after,
            t,
            out: &mut self.rotations,
        });
    }

    /// Moves towards `other`: as it is at weight 0, `other` at 1, by slerp and lerp.
    pub fn blend(&mut self, other: &Self, weight: Lanes) {
        assert_eq!(
            self.rotations.len(),
            other.rotations.len(),
            "one skeleton for both"
        );
        self.root = self.root.lerp(other.root, weight);
        run_kernel(Blend {
            rotations: &mut self.rotations,
            others: &other.rotations,
            weight,
        });
    }

    /// Becomes the weighted mean of `batches`, whose weights add up to 1 in every lane: positions
    /// as such, rotations as quaternions signed like the first batch's and normalised (good while
    /// they are within about 90° of each other).
    pub fn blend_many(&mut self, batches: &[(&Self, Lanes)]) {
        let joints = batches
            .first()
            .map_or(0, |(first, _)| first.rotations.len());
        let same = batches
            .iter()
            .all(|(batch, _)| batch.rotations.len() == joints);
        assert!(same, "one skeleton for all");
        let weighted = |(batch, weight): &(&Self, Lanes)| batch.root.scaled(*weight);
        self.root = batches
            .iter()
            .map(weighted)
            .fold(LaneVec3::default(), |sum, root| sum + root);
        self.rotations.resize(joints, LaneQuat::default());
        run_kernel(BlendMany {
            batches,
            out: &mut self.rotations,
        });
    }

    /// One lane as a pose.
    pub fn pose(&self, lane: usize) -> Pose {
        Pose {
            root: self.root.lane(lane),
            rotations: self
                .rotations
                .iter()
                .map(|rotation| rotation.lane(lane))
                .collect(),
        }
    }
}

impl PlacedBatch {
    /// Forward kinematics of eight poses.
    pub fn place(&mut self, skeleton: &Skeleton, poses: &PoseBatch) {
        assert_eq!(
            poses.rotations.len(),
            skeleton.len(),
            "one rotation per joint"
        );
        self.rotations.resize(skeleton.len(), LaneQuat::default());
        self.points
            .resize(skeleton.point_count(), LaneVec3::default());
        run_kernel(Place {
            skeleton,
            poses,
            out: self,
        });
    }

    /// A joint's place in one lane. [m]
    pub fn joint(&self, lane: usize, joint: JointId) -> Vec3 {
        self.points[joint.index()].lane(lane)
    }
}

/// Where one lane's rotations and root come from.
struct Lane<'a> {
    before: &'a [Quat],
    after: &'a [Quat],
    roots: [Vec3; 2],
    fraction: f32,
}

impl<'a> Lane<'a> {
    /// `rest` is there for clips without frames.
    fn new(moment: &Moment<'a>, rest: Option<&'a Pose>) -> Self {
        match (frames_around(moment.clip, moment.seconds), rest) {
            (Some((frames, fraction)), _) => Self {
                before: moment.clip.frame_rotations(frames[0]),
                after: moment.clip.frame_rotations(frames[1]),
                roots: frames.map(|frame| moment.clip.root[frame.index()]),
                fraction,
            },
            (None, rest) => {
                let rotations = rest.map_or(&[][..], |rest| &rest.rotations);
                Self {
                    before: rotations,
                    after: rotations,
                    roots: [Vec3::ZERO; 2],
                    fraction: 0.0,
                }
            }
        }
    }
}

/// Local rotations between two frames of each lane.
struct Sample<'a> {
    before: [&'a [Quat]; LANES],
    after: [&'a [Quat]; LANES],
    t: Lanes,
    out: &'a mut [LaneQuat],
}

impl Kernel for Sample<'_> {
    #[inline(always)]
    fn run(self) {
        let joints = self.out.len();
        let [before, after] =
            [self.before, self.after].map(|lanes| lanes.map(|lane| &lane[..joints]));
        for (joint, out) in self.out.iter_mut().enumerate() {
            let from = LaneQuat::gather(|lane| before[lane][joint]);
            let to = LaneQuat::gather(|lane| after[lane][joint]);
            *out = from.slerp(to, self.t);
        }
    }
}

struct Blend<'a> {
    rotations: &'a mut [LaneQuat],
    others: &'a [LaneQuat],
    weight: Lanes,
}

impl Kernel for Blend<'_> {
    #[inline(always)]
    fn run(self) {
        for (rotation, other) in self.rotations.iter_mut().zip(self.others) {
            *rotation = rotation.slerp(*other, self.weight);
        }
    }
}

struct BlendMany<'a, 'b> {
    batches: &'a [(&'b PoseBatch, Lanes)],
    out: &'a mut [LaneQuat],
}

impl Kernel for BlendMany<'_, '_> {
    #[inline(always)]
    fn run(self) {
        for (joint, out) in self.out.iter_mut().enumerate() {
            let guide = self.batches[0].0.rotations[joint];
            let mut sum = LaneQuat::default();
            for (batch, weight) in self.batches {
                sum = sum.plus_towards(batch.rotations[joint], *weight, guide);
            }
            *out = sum.normalized();
        }
    }
}

struct Place<'a> {
    skeleton: &'a Skeleton,
    poses: &'a PoseBatch,
    out: &'a mut PlacedBatch,
}

impl Kernel for Place<'_> {
    #[inline(always)]
    fn run(self) {
        let offset = |joint: usize| LaneVec3::splat(self.skeleton.joints()[joint].offset);
        let local = |joint: usize| self.poses.rotations[joint];
        let PlacedBatch { rotations, points } = self.out;
        place_lanes(
            self.skeleton,
            self.poses.root,
            local,
            offset,
            rotations,
            points,
        );
    }
}

/// Forward kinematics of eight poses: `local` and `offset` give a joint's rotation and offset.
#[inline(always)]
pub(crate) fn place_lanes(
    skeleton: &Skeleton,
    root: LaneVec3,
    local: impl Fn(usize) -> LaneQuat,
    offset: impl Fn(usize) -> LaneVec3,
    rotations: &mut [LaneQuat],
    points: &mut [LaneVec3],
) {
    for (index, joint) in skeleton.joints().iter().enumerate() {
        (rotations[index], points[index]) = match joint.parent {
            None => (local(index), root),
            Some(parent) => {
                let above = rotations[parent.index()];
                let place = points[parent.index()] + above.rotate(offset(index));
                (above * local(index), place)
            }
        };
    }
    for (index, site) in skeleton.end_sites().iter().enumerate() {
        let parent = site.parent.index();
        let offset = rotations[parent].rotate(LaneVec3::splat(site.offset));
        points[skeleton.len() + index] = points[parent] + offset;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::Clip;
    use crate::fixture::swinging_clip;
    use crate::kinematics::pose_kinematics;
    use crate::pose::{blend_poses, sample_pose};

    /// Every lane against the poses one by one.
    fn check(clips: &[Clip; 2], moments: usize) {
        let time = |lane: usize, k: f64| 0.05 + k * lane as f64;
        let sampled = |clip: usize, k: f64| {
            let mut batch = PoseBatch::default();
            let at = |lane| Moment {
                clip: &clips[clip],
                seconds: time(lane, k),
            };
            batch.sample(&(0..moments).map(at).collect::<Vec<_>>());
            batch
        };
        let (mut poses, other) = (sampled(0, 0.07), sampled(1, 0.013));
        let weight = Lanes(std::array::from_fn(|lane| lane as f32 / 7.0));
        poses.blend(&other, weight);
        let mut placed = PlacedBatch::default();
        placed.place(&clips[0].skeleton, &poses);
        for lane in 0..LANES {
            let at = lane.min(moments - 1);
            let [a, b] =
                [(0, 0.07), (1, 0.013)].map(|(clip, k)| sample_pose(&clips[clip], time(at, k)));
            let slow = blend_poses(&a, &b, weight.0[lane]);
            let (turns, points) = pose_kinematics(&clips[0].skeleton, slow.root, &slow.rotations);
            for (joint, turn) in turns.iter().enumerate() {
                assert!(turn.dot(placed.rotations[joint].lane(lane)).abs() > 1.0 - 1e-5);
                assert!(poses.pose(lane).rotations[joint].is_normalized());
            }
            for (point, slow) in points.iter().enumerate() {
                let off = (placed.points[point].lane(lane) - *slow).length();
                assert!(off < 1e-3, "point {point}, lane {lane}: {off}");
            }
        }
    }

    #[test]
    fn many_way_blends_are_those_of_single_poses() {
        let clip = swinging_clip(30);
        let batches = [0.0, 0.2, 0.3].map(|seconds| {
            let mut batch = PoseBatch::default();
            batch.sample(&[Moment {
                clip: &clip,
                seconds,
            }]);
            batch
        });
        let weights = [0.5, 0.2, 0.3];
        let parts: [_; 3] = std::array::from_fn(|i| (&batches[i], Lanes::splat(weights[i])));
        let mut mean = PoseBatch::default();
        mean.blend_many(&parts);
        let poses = batches.each_ref().map(|batch| batch.pose(4));
        let parts: [_; 3] = std::array::from_fn(|i| (&poses[i], weights[i]));
        let slow = crate::pose::blend_many_poses(&parts).unwrap();
        assert!((mean.root.lane(4) - slow.root).length() < 1e-6);
        for (a, b) in mean.pose(4).rotations.iter().zip(&slow.rotations) {
            assert!(a.dot(*b).abs() > 1.0 - 1e-6);
        }
    }

    #[test]
    fn wide_registers_give_the_same_bits() {
        let clip = swinging_clip(9);
        let [before, after] = [[0, 1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 7, 8]]
            .map(|frames| frames.map(|frame| clip.frame_rotations(crate::FrameId(frame))));
        let t = Lanes(std::array::from_fn(|lane| 0.13 * lane as f32));
        let [mut plain, mut wide] = [(); 2].map(|()| vec![LaneQuat::default(); clip.joint_count()]);
        Sample {
            before,
            after,
            t,
            out: &mut plain,
        }
        .run();
        run_kernel(Sample {
            before,
            after,
            t,
            out: &mut wide,
        });
        assert_eq!(plain, wide);
    }

    #[test]
    fn every_lane_is_a_pose() {
        check(&[swinging_clip(30), swinging_clip(17)], 8);
        check(&[swinging_clip(30), swinging_clip(17)], 3);
        check(&[swinging_clip(1), swinging_clip(0)], 8);
    }
}
