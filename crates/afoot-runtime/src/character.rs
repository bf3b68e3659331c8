//! A character that is steered: time and a wish in, a pose out.

use std::sync::Arc;

use afoot_core::{Contacts, Pose, Quat, Skeleton, Vec3, place_pose};
use afoot_synth::Controller;

use crate::pack::PackError;

/// A character of a pack. Its size is fixed: no call asks for memory.
#[derive(Clone, Debug)]
pub struct Character {
    controller: Controller,
    skeleton: Arc<Skeleton>,
    pose: Pose,
    rotations: Vec<Quat>,
    points: Vec<Vec3>,
}

impl Character {
    pub(crate) fn new(controller: Controller, skeleton: Arc<Skeleton>) -> Self {
        Self {
            pose: skeleton.rest_pose(),
            rotations: Vec::with_capacity(skeleton.len()),
            points: Vec::with_capacity(skeleton.point_count()),
            controller,
            skeleton,
        }
    }

    /// Lets `seconds` pass (at most a quarter) with the wish to move towards `direction`, a yaw in the
    /// world [rad], as the word says; `None` leaves the kind of motion open. The pose then.
    pub fn advance(
        &mut self,
        seconds: f64,
        direction: f64,
        word: Option<&str>,
    ) -> Result<&Pose, PackError> {
        let pose = &mut self.pose;
        self.controller
            .advance_into(seconds, direction, word, pose)?;
        Ok(&self.pose)
    }

    /// The pose of the last call.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Its joints, then its end sites, in the world. [m]
    pub fn points(&mut self) -> &[Vec3] {
        let Pose { root, rotations } = &self.pose;
        let (world, points) = (&mut self.rotations, &mut self.points);
        place_pose(&self.skeleton, *root, rotations, world, points);
        &self.points
    }

    /// What touched the ground in the captured motion at the frame last played.
    pub fn contacts(&self) -> Contacts {
        self.controller.contacts()
    }
}
