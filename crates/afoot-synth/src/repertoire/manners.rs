//! How the figure moves in each frame of the clips, as rows of a table.

use afoot_analyze::{Manner, measure_manner};
use afoot_core::{Clip, Locomotion};

/// A frame's manner and gait.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct FrameManner {
    /// Over ground. [m/s]
    pub(crate) speed: f32,
    /// From the way of travel to where the hips face. [rad]
    pub(crate) aside: f32,
    /// Of the hips. [leg lengths]
    pub(crate) height: f32,
    /// Of the torso. [rad]
    pub(crate) lean: f32,
    /// Of the foot that bears. [m]
    pub(crate) raised: f32,
    /// Of the higher foot. [leg lengths]
    pub(crate) lift: f32,
    /// The number of a [`Locomotion`].
    gait: u32,
}

impl FrameManner {
    /// How it goes.
    pub(crate) fn gait(&self) -> Locomotion {
        let known = Locomotion::ALL.get(self.gait as usize);
        known.copied().unwrap_or_default()
    }
}

/// A row a frame; a figure without legs has nothing odd about it.
pub(super) fn of_clip(clip: &Clip) -> Vec<FrameManner> {
    let upright = Manner {
        height: 1.0,
        ..Manner::default()
    };
    let manners = measure_manner(clip).unwrap_or_else(|| vec![upright; clip.len()]);
    let row = |(frame, manner): (usize, Manner)| FrameManner {
        speed: manner.speed,
        aside: manner.aside,
        height: manner.height,
        lean: manner.lean,
        raised: manner.raised,
        lift: manner.lift,
        // Where types were not found, nothing is held against a frame.
        gait: clip.types.get(frame).copied().unwrap_or(Locomotion::Walk) as u32,
    };
    manners.into_iter().enumerate().map(row).collect()
}
