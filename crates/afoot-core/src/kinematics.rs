//! Forward kinematics: from local rotations to positions in the world.
//!
//! Whole clips eight frames at a time (`lanes`), the same bits on every machine and wherever a
//! frame stands in its clip. For many poses at once that are no clip, see `pose_batch`.

use glam::{Quat, Vec3};

use crate::clip::{Clip, SlidingJoint};
use crate::index::{FrameId, JointId};
use crate::lanes::{Kernel, LANES, LaneQuat, LaneVec3, run_kernel};
use crate::pose_batch::place_lanes;
use crate::skeleton::Skeleton;

/// World positions of all joints, then all end sites, frame by frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Positions {
    points_per_frame: usize,
    points: Vec<Vec3>,
}

impl Positions {
    /// Joints and end sites of one frame.
    pub fn frame(&self, frame: FrameId) -> &[Vec3] {
        &self.points[frame.index() * self.points_per_frame..][..self.points_per_frame]
    }

    /// A joint at a frame.
    pub fn joint(&self, frame: FrameId, joint: JointId) -> Vec3 {
        self.points[frame.index() * self.points_per_frame + joint.index()]
    }

    /// How many points each frame has.
    pub fn points_per_frame(&self) -> usize {
        self.points_per_frame
    }

    /// How many frames there are.
    pub fn frames(&self) -> usize {
        self.points.len() / self.points_per_frame
    }

    /// All points, frame by frame.
    pub fn as_slice(&self) -> &[Vec3] {
        &self.points
    }

    /// The same points, each moved by itself.
    pub fn moved(&self, to: impl Fn(Vec3) -> Vec3) -> Self {
        Self {
            points_per_frame: self.points_per_frame,
            points: self.points.iter().map(|point| to(*point)).collect(),
        }
    }

    /// One point (joint or end site) over time.
    pub fn track(&self, point: usize) -> impl ExactSizeIterator<Item = Vec3> + '_ {
        self.points
            .iter()
            .skip(point)
            .step_by(self.points_per_frame)
            .copied()
    }
}

/// World positions of every joint and end site of every frame.
pub fn forward_kinematics(clip: &Clip) -> Positions {
    let points_per_frame = clip.skeleton.point_count();
    let mut points = vec![Vec3::ZERO; clip.len() * points_per_frame];
    run_kernel(PlaceFrames {
        clip,
        out: &mut points,
    });
    Positions {
        points_per_frame,
        points,
    }
}

/// Forward kinematics of a clip, eight frames at a time.
struct PlaceFrames<'a> {
    clip: &'a Clip,
    out: &'a mut [Vec3],
}

impl Kernel for PlaceFrames<'_> {
    #[inline(always)]
    fn run(self) {
        let skeleton = &*self.clip.skeleton;
        let joints = skeleton.len();
        let mut rotations = vec![LaneQuat::default(); joints];
        let mut points = vec![LaneVec3::default(); skeleton.point_count()];
        let block = skeleton.point_count() * LANES;
        for (index, out) in self.out.chunks_mut(block).enumerate() {
            let first = index * LANES;
            let last = self.clip.len() - 1 - first;
            // The lanes beyond a clip's end repeat its last frame.
            let frame = |lane: usize| first + lane.min(last);
            let local = |joint: usize| {
                LaneQuat::gather(|lane| self.clip.rotations[frame(lane) * joints + joint])
            };
            let root = LaneVec3::gather(|lane| self.clip.root[frame(lane)]);
            let offset = |joint: usize| match sliding_offsets(self.clip, joint) {
                Some(offsets) => LaneVec3::gather(|lane| offsets[frame(lane)]),
                None => LaneVec3::splat(skeleton.joints()[joint].offset),
            };
            place_lanes(skeleton, root, local, offset, &mut rotations, &mut points);
            for (lane, out) in out.chunks_exact_mut(points.len()).enumerate() {
                for (out, point) in out.iter_mut().zip(&points) {
                    *out = point.lane(lane);
                }
            }
        }
    }
}

#[inline(always)]
fn sliding_offsets(clip: &Clip, joint: usize) -> Option<&[Vec3]> {
    if clip.sliding.is_empty() {
        return None;
    }
    let own = |sliding: &&SlidingJoint| sliding.joint.index() == joint;
    clip.sliding
        .iter()
        .find(own)
        .map(|sliding| &sliding.offsets[..])
}

/// World rotations and positions (joints, then end sites) of one pose.
pub fn pose_kinematics(skeleton: &Skeleton, root: Vec3, local: &[Quat]) -> (Vec<Quat>, Vec<Vec3>) {
    let mut rotations: Vec<Quat> = Vec::with_capacity(skeleton.len());
    let mut points: Vec<Vec3> = Vec::with_capacity(skeleton.point_count());
    place_pose(skeleton, root, local, &mut rotations, &mut points);
    (rotations, points)
}

/// The same into memory that is there: no more is asked for once it was large enough.
pub fn place_pose(
    skeleton: &Skeleton,
    root: Vec3,
    local: &[Quat],
    rotations: &mut Vec<Quat>,
    points: &mut Vec<Vec3>,
) {
    rotations.clear();
    points.clear();
    for (joint, &local) in skeleton.joints().iter().zip(local) {
        let (rotation, point) = match joint.parent.map(JointId::index) {
            None => (local, root),
            Some(parent) => {
                let above = rotations[parent];
                (above * local, points[parent] + above * joint.offset)
            }
        };
        rotations.push(rotation);
        points.push(point);
    }
    for site in skeleton.end_sites() {
        let parent = site.parent.index();
        points.push(points[parent] + rotations[parent] * site.offset);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::swinging_clip;

    /// Walks up from each point to the root.
    fn slow_point(clip: &Clip, frame: usize, point: usize) -> Vec3 {
        let skeleton = &clip.skeleton;
        let offset = |joint: JointId| {
            let slides = clip.sliding.iter().find(|sliding| sliding.joint == joint);
            slides.map_or(skeleton.joint(joint).offset, |sliding| {
                sliding.offsets[frame]
            })
        };
        let (mut at, mut place) = match point.checked_sub(skeleton.len()) {
            None => (JointId::from(point), Vec3::ZERO),
            Some(site) => {
                let site = &skeleton.end_sites()[site];
                let turned = clip.rotation(FrameId::from(frame), site.parent) * site.offset;
                (site.parent, turned)
            }
        };
        while let Some(parent) = skeleton.joint(at).parent {
            place = clip.rotation(FrameId::from(frame), parent) * (place + offset(at));
            at = parent;
        }
        clip.root[frame] + place
    }

    fn check(clip: &Clip) {
        let fast = forward_kinematics(clip);
        assert_eq!(fast.frames(), clip.len());
        for frame in 0..clip.len() {
            let id = FrameId::from(frame);
            let (_, one) =
                pose_kinematics(&clip.skeleton, clip.root[frame], clip.frame_rotations(id));
            for (point, found) in fast.frame(id).iter().enumerate() {
                let slow = slow_point(clip, frame, point);
                assert!(
                    (*found - slow).length() < 1e-5,
                    "point {point} of frame {frame}"
                );
                if clip.sliding.is_empty() {
                    assert!(
                        (one[point] - slow).length() < 1e-5,
                        "point {point} of a pose"
                    );
                }
            }
        }
    }

    #[test]
    fn eight_frames_at_once_are_as_good_as_one() {
        for frames in [0, 1, 7, 8, 9, 40] {
            check(&swinging_clip(frames));
        }
    }

    #[test]
    fn wide_registers_give_the_same_bits() {
        let clip = swinging_clip(20);
        let mut plain = vec![Vec3::ZERO; 20 * clip.skeleton.point_count()];
        PlaceFrames {
            clip: &clip,
            out: &mut plain,
        }
        .run();
        assert_eq!(forward_kinematics(&clip).as_slice(), plain);
    }

    #[test]
    fn sliding_joints_slide() {
        let mut clip = swinging_clip(11);
        for joint in [3, 9] {
            let offsets = (0..11)
                .map(|frame| Vec3::new(0.1, 0.01 * frame as f32, 0.0))
                .collect();
            clip.sliding.push(SlidingJoint {
                joint: JointId(joint),
                offsets,
            });
        }
        check(&clip);
    }

    #[test]
    fn a_frame_is_the_same_wherever_it_stands() {
        let clip = swinging_clip(20);
        let (whole, part) = (
            forward_kinematics(&clip),
            crate::cut_clip(&clip, 3..8).unwrap(),
        );
        assert_eq!(
            forward_kinematics(&part).frame(FrameId(2)),
            whole.frame(FrameId(5))
        );
    }
}
