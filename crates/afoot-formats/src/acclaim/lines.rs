//! How each bone's line of a motion file is read.

use glam::{DQuat, DVec3};

use crate::acclaim::asf::{Asf, AsfBone, Dof, DofKind};

/// How a joint's line is read; joint 0 is the root.
pub(super) struct Line<'a> {
    pub(super) kinds: LineKinds<'a>,
    /// C, or the root's preset orientation.
    pub(super) axis: DQuat,
    /// C⁻¹, or nothing for the root.
    pub(super) back: DQuat,
    /// The joint's rest offset, or the root's preset position. [m]
    pub(super) offset: DVec3,
    /// Its place in [`Clip::sliding`].
    pub(super) sliding: Option<u16>,
    /// The frame that listed it last, counted from 1.
    pub(super) listed: u32,
}

/// What the numbers of a line mean.
pub(super) enum LineKinds<'a> {
    Root(&'a [DofKind]),
    Bone(&'a [Dof]),
}

impl LineKinds<'_> {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Root(kinds) => kinds.len(),
            Self::Bone(dofs) => dofs.len(),
        }
    }

    pub(super) fn get(&self, index: usize) -> DofKind {
        match self {
            Self::Root(kinds) => kinds[index],
            Self::Bone(dofs) => dofs[index].kind,
        }
    }
}

impl<'a> Line<'a> {
    /// The root's.
    pub(super) fn of_root(asf: &'a Asf, metres_per_unit: f64) -> Self {
        Self {
            kinds: LineKinds::Root(&asf.root.order),
            axis: asf.root.orientation,
            back: DQuat::IDENTITY,
            offset: asf.root.position.as_dvec3() * metres_per_unit,
            sliding: None,
            listed: 0,
        }
    }

    /// A bone's whose joint rests at `offset` [m] from its parent.
    pub(super) fn of_bone(bone: &'a AsfBone, offset: DVec3) -> Self {
        Self {
            kinds: LineKinds::Bone(&bone.dofs),
            axis: bone.axis,
            back: bone.axis.inverse(),
            offset,
            sliding: None,
            listed: 0,
        }
    }
}
