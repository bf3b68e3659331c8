//! Where the centre of mass goes, and whether it flies as a thrown thing does.

use afoot_core::{Clip, Contacts, FrameId, pose_kinematics};
use glam::DVec3;

use crate::dynamics::GRAVITY;
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

/// How far the accelerations of the centre of mass are from gravity while nothing touches the ground,
/// root mean square over the frames of flights of three frames and more; 0 where there is none. [m/s²]
pub fn flight_misfit(body: &BodyModel, clip: &Clip) -> f64 {
    let centres = centre_of_mass(body, clip);
    let step = clip.rate.frame_time();
    let ground = Contacts::foot(afoot_core::Side::Left)
        .with(Contacts::foot(afoot_core::Side::Right))
        .with(Contacts::SEAT);
    let flies = |frame: usize| clip.contacts.get(frame).is_some_and(|c| !c.any(ground));
    let inside = (1..clip.len().saturating_sub(1))
        .filter(|&frame| flies(frame - 1) && flies(frame) && flies(frame + 1));
    let squares: Vec<f64> = inside
        .map(|frame| {
            let second = centres[frame + 1] - 2.0 * centres[frame] + centres[frame - 1];
            (second / (step * step) + DVec3::Y * GRAVITY).length_squared()
        })
        .collect();
    match squares.is_empty() {
        true => 0.0,
        false => (squares.iter().sum::<f64>() / squares.len() as f64).sqrt(),
    }
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
