//! Forward kinematics: from local rotations to positions in the world.

use glam::{Quat, Vec3};

use crate::clip::Clip;
use crate::index::{FrameId, JointId};
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
    let skeleton = &*clip.skeleton;
    let points_per_frame = skeleton.point_count();
    let mut points = vec![Vec3::ZERO; clip.len() * points_per_frame];
    let mut rotations = vec![Quat::IDENTITY; skeleton.len()];
    for (index, out) in points.chunks_exact_mut(points_per_frame).enumerate() {
        let frame = FrameId::from(index);
        let local = clip.frame_rotations(frame);
        let sliding = |joint: JointId| {
            clip.sliding
                .iter()
                .find(|s| s.joint == joint)
                .map(|s| s.offsets[index])
        };
        let has_sliding = !clip.sliding.is_empty();
        let offset = |joint: JointId| match has_sliding {
            true => sliding(joint).unwrap_or(skeleton.joint(joint).offset),
            false => skeleton.joint(joint).offset,
        };
        place_joints(
            skeleton,
            clip.root[index],
            local,
            offset,
            (&mut rotations, out),
        );
    }
    Positions {
        points_per_frame,
        points,
    }
}

/// World rotations and positions (joints, then end sites) of one pose.
pub fn pose_kinematics(skeleton: &Skeleton, root: Vec3, local: &[Quat]) -> (Vec<Quat>, Vec<Vec3>) {
    let mut rotations = vec![Quat::IDENTITY; skeleton.len()];
    let mut points = vec![Vec3::ZERO; skeleton.point_count()];
    let offset = |joint: JointId| skeleton.joint(joint).offset;
    place_joints(skeleton, root, local, offset, (&mut rotations, &mut points));
    (rotations, points)
}

fn place_joints(
    skeleton: &Skeleton,
    root: Vec3,
    local: &[Quat],
    offset: impl Fn(JointId) -> Vec3,
    (rotations, points): (&mut [Quat], &mut [Vec3]),
) {
    for (index, joint) in skeleton.joints().iter().enumerate() {
        match joint.parent {
            None => {
                rotations[index] = local[index];
                points[index] = root;
            }
            Some(parent) => {
                let parent = parent.index();
                rotations[index] = rotations[parent] * local[index];
                points[index] = points[parent] + rotations[parent] * offset(JointId::from(index));
            }
        }
    }
    for (index, site) in skeleton.end_sites().iter().enumerate() {
        let parent = site.parent.index();
        points[skeleton.len() + index] = points[parent] + rotations[parent] * site.offset;
    }
}
