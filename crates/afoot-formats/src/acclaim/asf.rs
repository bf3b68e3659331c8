//! What a skeleton file says.

use afoot_core::Skeleton;
use glam::{DQuat, Vec3};

use crate::acclaim::bones;
use crate::acclaim::words::Word;
use crate::error::FormatError;
use crate::euler::Axis;

/// A skeleton file as it is: in file units, angles in radians.
#[derive(Clone, Debug, PartialEq)]
pub struct Asf {
    /// What `:name` says.
    pub name: String,
    /// `:units length`: file lengths divided by it are inches.
    pub length_unit: f64,
    /// `:units mass`, kept.
    pub mass_unit: f64,
    /// Whether `:units angle` is degrees.
    pub degrees: bool,
    /// The root.
    pub root: AsfRoot,
    /// All bones, parents first.
    pub bones: Vec<AsfBone>,
}

/// The root of a skeleton file.
#[derive(Clone, Debug, PartialEq)]
pub struct AsfRoot {
    /// What an AMC file lists for it; rotations are applied in this order.
    pub order: Vec<DofKind>,
    /// Preset position, added to the motion's. [file units]
    pub position: Vec3,
    /// Preset orientation, applied after the motion's.
    pub orientation: DQuat,
}

/// A bone of a skeleton file.
#[derive(Clone, Debug, PartialEq)]
pub struct AsfBone {
    /// Unique within the file.
    pub name: String,
    /// Its parent in [`Asf::bones`], or `None` for the root.
    pub parent: Option<u16>,
    /// From its start to its end at rest, in global axes. [file units]
    pub vector: Vec3,
    /// C: the axes of its rotations.
    pub axis: DQuat,
    /// What an AMC file lists for it; rotations are applied in this order.
    pub dofs: Box<[Dof]>,
    /// Where its name stands in the file. [bytes]
    pub(super) place: u32,
}

/// A degree of freedom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dof {
    /// Which one.
    pub kind: DofKind,
    /// Lowest and highest value, infinite where the file has none. [rad or file units]
    pub limits: [f32; 2],
}

/// What a number of an AMC line means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DofKind {
    /// A shift along an axis.
    Shift(Axis),
    /// A turn about an axis.
    Turn(Axis),
    /// A change of the bone's length.
    Length,
}

impl DofKind {
    pub(super) fn of_word(word: Word) -> Option<Self> {
        const KINDS: [(&str, DofKind); 7] = [
            ("tx", DofKind::Shift(Axis::X)),
            ("ty", DofKind::Shift(Axis::Y)),
            ("tz", DofKind::Shift(Axis::Z)),
            ("rx", DofKind::Turn(Axis::X)),
            ("ry", DofKind::Turn(Axis::Y)),
            ("rz", DofKind::Turn(Axis::Z)),
            ("l", DofKind::Length),
        ];
        KINDS
            .into_iter()
            .find(|(name, _)| word.is(name))
            .map(|(_, kind)| kind)
    }
}

impl Asf {
    /// The skeleton, lengths multiplied by `scale`. The first joint is the root, the others are the
    /// bones in order.
    pub fn skeleton(&self, scale: f64) -> Result<Skeleton, FormatError> {
        bones::skeleton_of(self, scale)
    }

    /// The text of an AMC file in which it stands at rest, for one frame.
    pub(crate) fn at_rest(&self) -> String {
        let zeros = |count: usize| " 0".repeat(count);
        let mut text = format!(
            ":FULLY-SPECIFIED\n:DEGREES\n1\nroot{}\n",
            zeros(self.root.order.len())
        );
        for bone in self.bones.iter().filter(|bone| !bone.dofs.is_empty()) {
            text += &format!("{}{}\n", bone.name, zeros(bone.dofs.len()));
        }
        text
    }
}

impl Dof {
    /// Without limits.
    pub(super) fn free(kind: DofKind) -> Self {
        let limits = [f32::NEG_INFINITY, f32::INFINITY];
        Self { kind, limits }
    }
}

/// A turn about a coordinate axis. [rad]
pub(super) fn turn_about(axis: Axis, angle: f64) -> DQuat {
    match axis {
        Axis::X => DQuat::from_rotation_x(angle),
        Axis::Y => DQuat::from_rotation_y(angle),
        Axis::Z => DQuat::from_rotation_z(angle),
    }
}
