//! Who is who in a skeleton whose names tell nothing (`Bone.001`): guessed from shape and motion.
//!
//! A person has two feet near the ground, and no more; what joins them is the hips. Of the two
//! longest bones in a row on the way to a foot, the first is the thigh. The longest pair of limbs
//! above are the arms, the highest end is the head. Feet point forward, and that tells left from
//! right. What has one, three or four feet is no person, and gets no roles.

use glam::Vec3;

use crate::clip::Clip;
use crate::index::{FrameId, JointId};
use crate::kinematics::pose_kinematics;
use crate::roles::{Role, Side};
use crate::skeleton::Skeleton;

/// Frames looked at, at most.
const FRAMES: usize = 32;
/// Below this share of the figure's height is the ground's neighbourhood, where feet are.
const LOW: f32 = 0.25;

/// The role of every joint that has one, for a clip with y up; `None` where the figure is no person.
pub fn guess_roles(clip: &Clip) -> Option<Vec<Option<Role>>> {
    let figure = Figure::new(clip)?;
    let [left, right] = figure.feet()?;
    let hips = common_ancestor(figure.skeleton, left, right);
    let mut roles = vec![None; clip.joint_count()];
    roles[hips.index()] = Some(Role::Hips);
    let mut legs = Vec::new();
    for (foot, side) in [(left, Side::Left), (right, Side::Right)] {
        let path = figure.longest_path(hips, foot);
        let parts = [
            Role::UpLeg(side),
            Role::Leg(side),
            Role::Foot(side),
            Role::Toe(side),
        ];
        name_limb(figure.skeleton, &path, &parts, &mut roles)?;
        legs.push(*path.first()?);
    }
    figure.name_upper_body(hips, &legs, &mut roles);
    Some(roles)
}

/// The joints in which a figure's limbs come near to the ground, for a clip with y up.
pub(crate) fn ground_limbs(clip: &Clip) -> Vec<JointId> {
    Figure::new(clip).map_or_else(Vec::new, |figure| figure.ground_limbs())
}

struct Figure<'a> {
    skeleton: &'a Skeleton,
    /// Joints of some frames, as seen by the figure: x to its left, z ahead.
    frames: Vec<Vec<Vec3>>,
    /// Mean height of every joint above the lowest. [share of the height]
    heights: Vec<f32>,
}

impl<'a> Figure<'a> {
    fn new(clip: &'a Clip) -> Option<Self> {
        let step = clip.len().div_ceil(FRAMES).max(1);
        let place = |frame: usize| {
            let local = clip.frame_rotations(FrameId::from(frame));
            let mut points = pose_kinematics(&clip.skeleton, clip.root[frame], local).1;
            points.truncate(clip.joint_count());
            points
        };
        let frames: Vec<Vec<Vec3>> = (0..clip.len()).step_by(step).map(place).collect();
        let count = frames.len().max(1) as f32;
        let mean = |joint: usize| frames.iter().map(|points| points[joint].y).sum::<f32>() / count;
        let heights: Vec<f32> = (0..clip.joint_count()).map(mean).collect();
        let low = heights.iter().copied().fold(f32::INFINITY, f32::min);
        let size = heights.iter().copied().fold(0.0, f32::max) - low;
        let heights = heights.iter().map(|height| (height - low) / size).collect();
        let skeleton = &*clip.skeleton;
        (size > 1e-3 && !frames.is_empty()).then_some(Self {
            skeleton,
            frames,
            heights,
        })
    }

    /// The highest joints that are near to the ground.
    fn ground_limbs(&self) -> Vec<JointId> {
        let low = |joint: JointId| self.heights[joint.index()] < LOW;
        let comes_down = |joint: &JointId| {
            let parent = self.skeleton.joint(*joint).parent;
            low(*joint) && parent.is_some_and(|parent| !low(parent))
        };
        let all = (0..self.skeleton.len()).map(JointId::from);
        all.filter(comes_down).collect()
    }

    /// The two joints where the body comes near to the ground, left first.
    fn feet(&self) -> Option<[JointId; 2]> {
        let [a, b]: [JointId; 2] = self.ground_limbs().try_into().ok()?;
        let to_left: f32 = self
            .frames
            .iter()
            .map(|points| {
                let ahead = self.ahead(points, a) + self.ahead(points, b);
                let left = Vec3::Y.cross(ahead);
                (points[a.index()] - points[b.index()]).dot(left)
            })
            .sum();
        match to_left {
            apart if apart > 1e-3 => Some([a, b]),
            apart if apart < -1e-3 => Some([b, a]),
            _ => None,
        }
    }

    /// Where a foot points, over the ground.
    fn ahead(&self, points: &[Vec3], foot: JointId) -> Vec3 {
        let leaf = self.deepest(foot);
        (points[leaf.index()] - points[foot.index()])
            .with_y(0.0)
            .normalize_or_zero()
    }

    /// The joint below that is farthest along the bones.
    fn deepest(&self, top: JointId) -> JointId {
        let below = (0..self.skeleton.len()).map(JointId::from);
        let reach = below.filter_map(|joint| Some((self.skeleton.path_length(top, joint)?, joint)));
        reach
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map_or(top, |(_, joint)| joint)
    }

    /// From below `top` through `via` to the end of its longest branch.
    fn longest_path(&self, top: JointId, via: JointId) -> Vec<JointId> {
        let end = self.deepest(via);
        let mut path: Vec<JointId> = self
            .skeleton
            .ancestors(end)
            .take_while(|&at| at != top)
            .collect();
        path.reverse();
        path.push(end);
        path
    }

    fn name_upper_body(&self, hips: JointId, legs: &[JointId], roles: &mut [Option<Role>]) {
        let is_below = |joint: JointId, top: JointId| {
            joint == top || self.skeleton.ancestors(joint).any(|above| above == top)
        };
        let all = (0..self.skeleton.len()).map(JointId::from);
        let leaves: Vec<JointId> = all
            .filter(|&joint| {
                self.skeleton.children(joint).next().is_none()
                    && is_below(joint, hips)
                    && !legs.iter().any(|&leg| is_below(joint, leg))
            })
            .collect();
        let Some((chest, arms)) = self.arms(&leaves, legs) else {
            return;
        };
        for (hand, side) in arms.into_iter().zip(Side::BOTH) {
            let path = self.longest_path(chest, hand);
            let parts = [Role::Arm(side), Role::ForeArm(side), Role::Hand(side)];
            name_limb(self.skeleton, &path, &parts, roles);
            let arm = path
                .iter()
                .position(|joint| roles[joint.index()] == Some(Role::Arm(side)));
            if let Some(clavicle) = arm.and_then(|arm| arm.checked_sub(1)) {
                roles[path[clavicle].index()] = Some(Role::Shoulder(side));
            }
        }
        let spine = self.longest_path(hips, chest);
        let spine = &spine[..spine
            .iter()
            .position(|&at| at == chest)
            .map_or(0, |at| at + 1)];
        if spine.len() > 1 {
            roles[spine[0].index()] = Some(Role::Spine);
        }
        if chest != hips {
            roles[chest.index()] = Some(Role::Chest);
        }
        let in_arm = |leaf: JointId| {
            let clear = |side| {
                self.skeleton.ancestors(leaf).chain([leaf]).any(|at| {
                matches!(roles[at.index()], Some(Role::Arm(s) | Role::Shoulder(s)) if s == side)
            })
            };
            clear(Side::Left) || clear(Side::Right)
        };
        let heads = leaves
            .iter()
            .copied()
            .filter(|&leaf| is_below(leaf, chest) && !in_arm(leaf));
        let top = heads.max_by(|a, b| self.heights[a.index()].total_cmp(&self.heights[b.index()]));
        if let Some(top) = top {
            let path = self.longest_path(chest, top);
            roles[path[0].index()] = Some(Role::Neck);
            roles[path[path.len() - 1].index()] = Some(Role::Head);
        }
    }

    /// The joint that carries the longest pair of like limbs, and their ends, left first.
    fn arms(&self, leaves: &[JointId], legs: &[JointId]) -> Option<(JointId, [JointId; 2])> {
        let mut best: Option<(f32, JointId, [JointId; 2])> = None;
        for (index, &a) in leaves.iter().enumerate() {
            for &b in &leaves[index + 1..] {
                let fork = common_ancestor(self.skeleton, a, b);
                let lengths = [a, b].map(|end| self.skeleton.path_length(fork, end).unwrap_or(0.0));
                let short = lengths[0].min(lengths[1]);
                let alike = short > 0.8 * lengths[0].max(lengths[1]);
                if alike && best.is_none_or(|(length, ..)| short > length) {
                    best = Some((short, fork, [a, b]));
                }
            }
        }
        let (_, fork, [a, b]) = best?;
        // Hips, not feet, which cross while hands swing the other way.
        let apart = |points: &Vec<Vec3>| {
            let across = points[legs[0].index()] - points[legs[1].index()];
            (points[a.index()] - points[b.index()]).dot(across.with_y(0.0))
        };
        let to_left: f32 = self.frames.iter().map(apart).sum();
        Some((fork, if to_left > 0.0 { [a, b] } else { [b, a] }))
    }
}

/// Names a limb's joints from the first of the two longest bones in a row; `None` if it is too short.
fn name_limb(
    skeleton: &Skeleton,
    path: &[JointId],
    parts: &[Role],
    roles: &mut [Option<Role>],
) -> Option<()> {
    let bone = |at: usize| skeleton.joint(path[at]).offset.length();
    let starts = 0..path.len().checked_sub(2)?;
    let both = |start: &usize| bone(start + 1) + bone(start + 2);
    let start = starts.max_by(|a, b| both(a).total_cmp(&both(b)))?;
    for (joint, role) in path[start..].iter().zip(parts) {
        roles[joint.index()] = Some(*role);
    }
    Some(())
}

fn common_ancestor(skeleton: &Skeleton, a: JointId, b: JointId) -> JointId {
    crate::recognise::lowest_common_ancestor(skeleton, a, b)
}
