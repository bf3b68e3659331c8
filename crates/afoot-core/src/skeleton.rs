//! Skeletons: joints with parents first, offsets, rest rotations, end sites.
//!
//! A skeleton holds what does not move. Joint rotations in clips and poses are absolute in the
//! parent's frame (as in BVH and glTF), so the rest rotation only says which pose is "at rest".
//! By convention the rest pose stands upright and faces +z with its left towards +x; importers
//! establish this. Who is who (left foot, head, ...) is a `Role` per joint: see `roles`.

use glam::{Quat, Vec3};
use thiserror::Error;

use crate::clip::Pose;
use crate::index::JointId;
use crate::roles::Role;
use crate::stem::Stem;
use crate::surface::SurfacePoint;

/// One joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Unique within the skeleton.
    pub name: String,
    /// `None` for the root alone, which comes first.
    pub parent: Option<JointId>,
    /// From the parent's joint, in the parent's frame. [m]
    pub offset: Vec3,
    /// The local rotation at rest; identity in BVH files.
    pub rest: Quat,
    /// The body part this is, where known.
    pub role: Option<Role>,
    /// How a BVH file lists this joint's motion; empty lets the writer choose.
    pub channels: Vec<Channel>,
}

impl Joint {
    /// A joint at rest without role or channels.
    pub fn new(name: impl Into<String>, parent: Option<JointId>, offset: Vec3) -> Self {
        let (rest, role, channels) = (Quat::IDENTITY, None, Vec::new());
        Self {
            name: name.into(),
            parent,
            offset,
            rest,
            role,
            channels,
        }
    }
}

/// The end of a bone that carries no joint: a toe tip, a finger tip, the top of the head.
#[derive(Clone, Debug, PartialEq)]
pub struct EndSite {
    /// The joint it hangs on.
    pub parent: JointId,
    /// From that joint, in its frame. [m]
    pub offset: Vec3,
}

/// One column of a BVH file's motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the names are those of the format
pub enum Channel {
    Xposition,
    Yposition,
    Zposition,
    Xrotation,
    Yrotation,
    Zrotation,
}

/// What is wrong with a list of joints.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum SkeletonError {
    #[error("a skeleton needs at least one joint")]
    Empty,
    #[error("a skeleton has at most 65535 joints, not {0}")]
    TooMany(usize),
    #[error("joint {name:?} comes before its parent; parents must come first")]
    ParentAfterChild { name: String },
    #[error("joint {name:?} has no parent; only the first joint may be a root")]
    SecondRoot { name: String },
    #[error("two joints are named {name:?}; names must be unique")]
    DuplicateName { name: String },
    #[error("joint {name:?} has an offset or rest rotation that is not finite")]
    NotFinite { name: String },
    #[error("a point of the surface hangs on joint {joint}; there are {joints}")]
    SurfaceJoint { joint: u16, joints: usize },
    #[error("a point of the surface has a place or weight that is not finite or below 0")]
    SurfaceNotFinite,
}

/// A hierarchy of joints. Always valid: made by [`Skeleton::new`] only.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    joints: Vec<Joint>,
    end_sites: Vec<EndSite>,
    surface: Vec<SurfacePoint>,
    stem: Option<Box<Stem>>,
}

impl Skeleton {
    /// Checks that parents come first, names are unique and numbers finite.
    pub fn new(joints: Vec<Joint>, end_sites: Vec<EndSite>) -> Result<Self, SkeletonError> {
        if joints.is_empty() {
            return Err(SkeletonError::Empty);
        }
        if joints.len() > usize::from(u16::MAX) {
            return Err(SkeletonError::TooMany(joints.len()));
        }
        let mut names = std::collections::HashSet::new();
        for (index, joint) in joints.iter().enumerate() {
            let name = || joint.name.clone();
            match joint.parent {
                None if index > 0 => return Err(SkeletonError::SecondRoot { name: name() }),
                Some(parent) if parent.index() >= index => {
                    return Err(SkeletonError::ParentAfterChild { name: name() });
                }
                _ => {}
            }
            if !joint.offset.is_finite() || !joint.rest.is_finite() {
                return Err(SkeletonError::NotFinite { name: name() });
            }
            if !names.insert(joint.name.as_str()) {
                return Err(SkeletonError::DuplicateName { name: name() });
            }
        }
        for site in &end_sites {
            let Some(joint) = joints.get(site.parent.index()) else {
                return Err(SkeletonError::ParentAfterChild {
                    name: "End Site".into(),
                });
            };
            if !site.offset.is_finite() {
                return Err(SkeletonError::NotFinite {
                    name: format!("end of {}", joint.name),
                });
            }
        }
        Ok(Self {
            joints,
            end_sites,
            surface: Vec::new(),
            stem: None,
        })
    }

    /// The same skeleton with points of a surface around it, in the order of their joints.
    pub fn with_surface(mut self, mut points: Vec<SurfacePoint>) -> Result<Self, SkeletonError> {
        for point in &points {
            if point.joint.index() >= self.joints.len() {
                let (joint, joints) = (point.joint.0, self.joints.len());
                return Err(SkeletonError::SurfaceJoint { joint, joints });
            }
            if !point.offset.is_finite() || !(0.0..f32::INFINITY).contains(&point.weight) {
                return Err(SkeletonError::SurfaceNotFinite);
            }
        }
        points.sort_by_key(|point| point.joint);
        self.surface = points;
        Ok(self)
    }

    /// The joints, parents first.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The end sites, in the order of their joints.
    pub fn end_sites(&self) -> &[EndSite] {
        &self.end_sites
    }

    /// Points of the body's surface, in the order of their joints; empty without a mesh.
    pub fn surface(&self) -> &[SurfacePoint] {
        &self.surface
    }

    /// The same skeleton, remembering what its file has above the hips.
    pub fn with_stem(mut self, stem: Option<Stem>) -> Self {
        self.stem = stem.map(Box::new);
        self
    }

    /// What the file has above the hips, where that is not the skeleton as it is.
    pub fn stem(&self) -> Option<&Stem> {
        self.stem.as_deref()
    }

    /// How many joints there are.
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Never: a skeleton has a root.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Joints and end sites together: what forward kinematics gives per frame.
    pub fn point_count(&self) -> usize {
        self.joints.len() + self.end_sites.len()
    }

    /// One joint.
    pub fn joint(&self, id: JointId) -> &Joint {
        &self.joints[id.index()]
    }

    /// The joint of that name.
    pub fn find(&self, name: &str) -> Option<JointId> {
        self.joints
            .iter()
            .position(|joint| joint.name == name)
            .map(JointId::from)
    }

    /// The first joint with that role.
    pub fn with_role(&self, role: Role) -> Option<JointId> {
        self.joints
            .iter()
            .position(|joint| joint.role == Some(role))
            .map(JointId::from)
    }

    /// The joints that hang on `id`, in order.
    pub fn children(&self, id: JointId) -> impl Iterator<Item = JointId> + '_ {
        let hangs = move |(_, joint): &(usize, &Joint)| joint.parent == Some(id);
        self.joints
            .iter()
            .enumerate()
            .filter(hangs)
            .map(|(index, _)| JointId::from(index))
    }

    /// The joints above `id`, from its parent to the root.
    pub fn ancestors(&self, id: JointId) -> impl Iterator<Item = JointId> + '_ {
        std::iter::successors(self.joint(id).parent, |above| self.joint(*above).parent)
    }

    /// Every joint's rotation in the world, in the rest pose.
    pub fn world_rest_rotations(&self) -> Vec<Quat> {
        let mut world: Vec<Quat> = Vec::with_capacity(self.joints.len());
        for joint in &self.joints {
            let above = joint
                .parent
                .map_or(Quat::IDENTITY, |parent| world[parent.index()]);
            world.push((above * joint.rest).normalize());
        }
        world
    }

    /// The rest pose with the root at the origin.
    pub fn rest_pose(&self) -> Pose {
        Pose {
            root: Vec3::ZERO,
            rotations: self.joints.iter().map(|joint| joint.rest).collect(),
        }
    }

    /// The same skeleton with the roles that its joints' names tell.
    pub fn with_recognised_roles(self) -> Self {
        let roles = crate::roles::recognise_roles(&self);
        self.with_roles(&roles)
    }

    /// The same skeleton with other roles, one per joint.
    pub fn with_roles(mut self, roles: &[Option<Role>]) -> Self {
        assert_eq!(roles.len(), self.joints.len(), "one role per joint");
        for (joint, role) in self.joints.iter_mut().zip(roles) {
            joint.role = *role;
        }
        self
    }

    /// The same skeleton with every length multiplied by `factor`.
    pub fn scaled(mut self, factor: f32) -> Self {
        self.joints
            .iter_mut()
            .for_each(|joint| joint.offset *= factor);
        self.end_sites
            .iter_mut()
            .for_each(|site| site.offset *= factor);
        self.surface
            .iter_mut()
            .for_each(|point| point.offset *= factor);
        let stem = self.stem.take().map(|stem| stem.scaled(factor));
        self.with_stem(stem)
    }

    /// The same skeleton at rest in another pose, a local rotation per joint.
    pub fn with_rest(mut self, rest: &[Quat]) -> Self {
        assert_eq!(rest.len(), self.joints.len(), "one rotation per joint");
        for (joint, rest) in self.joints.iter_mut().zip(rest) {
            joint.rest = *rest;
        }
        self
    }

    /// The same skeleton with other offsets, one per joint.
    pub(crate) fn with_offsets(mut self, offsets: &[Vec3]) -> Self {
        assert_eq!(offsets.len(), self.joints.len(), "one offset per joint");
        for (joint, offset) in self.joints.iter_mut().zip(offsets) {
            joint.offset = *offset;
        }
        self
    }

    /// Whether joints have the same names and parents, whatever their lengths.
    pub fn same_topology(&self, other: &Self) -> bool {
        self.joints.len() == other.joints.len()
            && self
                .joints
                .iter()
                .zip(&other.joints)
                .all(|(a, b)| a.name == b.name && a.parent == b.parent)
    }

    /// Whether motion for one is motion for the other: same topology, lengths within 0.1 mm. Where
    /// a file has its root at first says nothing about its shape.
    pub fn same_shape(&self, other: &Self) -> bool {
        let close = |a: Vec3, b: Vec3| (a - b).abs().max_element() < 1e-4;
        self.same_topology(other)
            && self
                .joints
                .iter()
                .zip(&other.joints)
                .skip(1)
                .all(|(a, b)| close(a.offset, b.offset))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A skeleton from `name` (hangs on the one before) or `name<parent`; offsets of 10 cm up.
    pub(crate) fn skeleton_of(tree: &[&str]) -> Skeleton {
        let mut joints: Vec<Joint> = Vec::new();
        for entry in tree {
            let (name, parent) = match entry.split_once('<') {
                Some((name, parent)) => {
                    let at = joints.iter().position(|joint| joint.name == parent);
                    (
                        name,
                        Some(at.unwrap_or_else(|| panic!("no parent {parent}"))),
                    )
                }
                None => (*entry, joints.len().checked_sub(1)),
            };
            joints.push(Joint::new(name, parent.map(JointId::from), Vec3::Y * 0.1));
        }
        Skeleton::new(joints, Vec::new()).unwrap()
    }
}
