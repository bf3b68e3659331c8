//! How finely each joint is kept, so that no point of the body is farther off than was allowed.
//!
//! A rotation that is off by an angle moves what hangs below by at most that times its reach. Of the
//! joints on a chain each may use the same part of what is allowed, so that a bound holds whatever the
//! poses are; how far points are really off is measured when a pack is baked (`bake`), and the steps are
//! made as large as that lets them.

use afoot_codec::{Malformed, Reader, Writer};
use afoot_core::{JointId, Skeleton};

/// The distance of two kept values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Steps {
    /// Of the root's coordinates. [m]
    pub(crate) root: f32,
    /// Of each joint's rotation vector. [rad]
    pub(crate) joints: Vec<f32>,
}

/// Rounding moves each of three coordinates by up to half a step.
const ROUNDED: f32 = 0.866_025_4;
/// Joints without length, as roots of fingers that were not captured, still have some. [m]
const SHORTEST: f32 = 0.02;

impl Steps {
    /// With which no point is farther off than `error`. [m, > 0]
    pub(crate) fn within(skeleton: &Skeleton, error: f32) -> Self {
        let reaches = reaches(skeleton);
        let longest = (0..skeleton.len()).map(|joint| depth(skeleton, joint));
        let share = error / (longest.max().unwrap_or(0) + 2) as f32 / ROUNDED;
        let step = |reach: &f32| share / reach.max(SHORTEST);
        Self {
            root: share,
            joints: reaches.iter().map(step).collect(),
        }
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        writer.f32(self.root);
        writer.f32s(&self.joints);
    }

    /// Of so many joints.
    pub(crate) fn read(reader: &mut Reader<'_>, joints: usize) -> Result<Self, Malformed> {
        let mut step = || {
            let step = reader.finite()?;
            let good = step > 0.0 && step < 1.0;
            good.then_some(step).ok_or(Malformed("a step is none"))
        };
        Ok(Self {
            root: step()?,
            joints: (0..joints).map(|_| step()).collect::<Result<_, _>>()?,
        })
    }
}

/// How far from each joint something that it turns can be. [m]
fn reaches(skeleton: &Skeleton) -> Vec<f32> {
    let mut reaches = vec![0f32; skeleton.len()];
    for site in skeleton.end_sites() {
        let reach = &mut reaches[site.parent.index()];
        *reach = reach.max(site.offset.length());
    }
    for point in skeleton.surface() {
        let reach = &mut reaches[point.joint.index()];
        *reach = reach.max(point.offset.length());
    }
    // Parents come before their children, so from the last on all below are known.
    for (index, joint) in skeleton.joints().iter().enumerate().rev() {
        if let Some(parent) = joint.parent {
            let reach = joint.offset.length() + reaches[index];
            reaches[parent.index()] = reaches[parent.index()].max(reach);
        }
    }
    reaches
}

fn depth(skeleton: &Skeleton, joint: usize) -> usize {
    skeleton.ancestors(JointId::from(joint)).count()
}
