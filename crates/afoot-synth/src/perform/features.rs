//! What frames are compared by: positions, velocities and accelerations of every joint, as the torso
//! sees them (Arikan, Forsyth and O'Brien 2003, §3.2).
//!
//! Axes are up and the torso's heading, the origin is the ground under the hips, so heights and lean
//! show. Velocities are those over ground, so travel shows. Velocities times [`TAU`] and accelerations
//! times its square are lengths, and count as such; an acceleration, which shows a capture's noise
//! most, a quarter of that. Joints that lie where their parent lies, and fingers, which nobody captured, do not count.
//! Cost: one forward kinematics a clip.

use afoot_core::{Clip, FrameId, JointId, Planar, Skeleton, Vec3, forward_kinematics, headings};

/// What a velocity is multiplied with, and an acceleration twice, to be a length: half a usual blend. [s]
pub const TAU: f32 = 0.1;
/// Weight of an acceleration beside a position's.
const ACCELERATION: f32 = 0.25;

/// The joints that count, each where its parent is not.
pub(crate) fn compared_joints(skeleton: &Skeleton) -> Vec<JointId> {
    const FINGERS: [&str; 3] = ["finger", "thumb", "index"];
    let counts = |joint: &JointId| {
        let joint = skeleton.joint(*joint);
        let name = joint.name.to_lowercase();
        let apart = joint.parent.is_none() || joint.offset.length() > 1e-4;
        apart && !FINGERS.iter().any(|finger| name.contains(finger))
    };
    (0..skeleton.len())
        .map(JointId::from)
        .filter(counts)
        .collect()
}

/// Numbers a frame.
pub(crate) fn width(joints: &[JointId]) -> usize {
    9 * joints.len()
}

/// Appends the vectors of a clip's frames. [m]
pub(crate) fn append_frames(clip: &Clip, joints: &[JointId], rows: &mut Vec<f32>) {
    let positions = forward_kinematics(clip);
    let headings = headings(clip);
    let rate = clip.rate.fps() as f32;
    let last = clip.len().saturating_sub(1);
    for frame in 0..clip.len() {
        let (before, after) = (frame.saturating_sub(1), (frame + 1).min(last));
        let origin = clip.root[frame];
        let back = Planar::new(0.0, 0.0, -headings[frame]);
        let seen = |vector: Vec3| back.point3(vector);
        let at = |frame: usize, joint: JointId| positions.joint(FrameId::from(frame), joint);
        for &joint in joints {
            let here = at(frame, joint);
            let place = Vec3::new(here.x - origin.x, here.y, here.z - origin.z);
            let span = (after - before).max(1) as f32;
            let speed = (at(after, joint) - at(before, joint)) * (rate / span);
            let middle = frame.clamp(1.min(last), last.saturating_sub(1).max(1.min(last)));
            let bend = match last >= 2 {
                true => at(middle + 1, joint) - 2.0 * at(middle, joint) + at(middle - 1, joint),
                false => Vec3::ZERO,
            } * (rate * rate);
            for vector in [
                seen(place),
                seen(speed) * TAU,
                seen(bend) * (TAU * TAU * ACCELERATION),
            ] {
                rows.extend(vector.to_array());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use afoot_sample::{SampleOptions, sample_library};

    fn rows(clip: &Clip) -> (usize, Vec<f32>) {
        let joints = compared_joints(&clip.skeleton);
        let mut rows = Vec::new();
        append_frames(clip, &joints, &mut rows);
        (width(&joints), rows)
    }

    #[test]
    fn where_a_figure_is_and_looks_does_not_show_but_its_travel_does() {
        let mut clip = sample_library(&SampleOptions::default())[0].clone();
        let (width, here) = rows(&clip);
        assert_eq!(here.len(), width * clip.len());
        clip.place(Planar::new(3.0, -5.0, 2.0));
        let (_, there) = rows(&clip);
        let apart = here.iter().zip(&there).map(|(a, b)| (a - b).abs());
        assert!(apart.fold(0.0, f32::max) < 1e-3);
        // The hips of a walk go forwards over ground.
        let middle = clip.len() / 2 * width;
        assert!(
            here[middle + 5] > 0.5 * TAU,
            "{:?}",
            &here[middle..middle + 9]
        );
    }

    #[test]
    fn clips_of_a_frame_or_two_have_vectors_too() {
        let clip = &sample_library(&SampleOptions::default())[0];
        for frames in 1..4 {
            let short = afoot_core::cut_clip(clip, 0..frames).unwrap();
            let (width, rows) = rows(&short);
            assert_eq!(rows.len(), width * frames as usize);
            assert!(rows.iter().all(|value| value.is_finite()));
        }
    }
}
