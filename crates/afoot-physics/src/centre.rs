//! Where the centre of mass goes.

use afoot_core::{Clip, FrameId, pose_kinematics};
use glam::DVec3;

use crate::model::BodyModel;

/// The centre of mass at each frame, in the world. [m]
pub fn centre_of_mass(body: &BodyModel, clip: &Clip) -> Vec<DVec3> {
    let at = |frame: usize| {
        let rotations = clip.frame_rotations(FrameId::from(frame));
        let (turns, places) = pose_kinematics(&clip.skeleton, clip.root[frame], rotations);
        let moments = body.segments.iter().enumerate().map(|(joint, segment)| {
            let centre = places[joint].as_dvec3() + turns[joint].as_dquat() * segment.centre;
            centre * segment.mass
        });
        moments.sum::<DVec3>() / body.mass
    };
    (0..clip.len()).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use afoot_sample::{SampleMotion, SampleOptions, sample_motion};

    #[test]
    fn the_centre_lies_in_the_trunk_of_who_stands() {
        let stand = SampleMotion::Stand { seconds: 1.0 };
        let stand = sample_motion("stand", stand, &SampleOptions::default());
        let body = BodyModel::of_skeleton(&stand.skeleton);
        let share = centre_of_mass(&body, &stand)[5].y / body.stature;
        assert!((0.5..0.62).contains(&share), "{share} of the stature");
    }
}
