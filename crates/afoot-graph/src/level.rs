//! Clips stood on one level floor at height 0, so that those of different capture days connect.

use afoot_core::{Clip, Ground, Quat, Vec3};

/// The clip turned and lifted as a whole so that its ground becomes the plane y = 0.
///
/// The turn is about the horizontal line in which the two planes meet; headings stay to first
/// order. A clip without a known ground, or on level ground at height 0, is returned as it is.
pub fn level_clip(clip: &Clip) -> Clip {
    let mut level = clip.clone();
    let Some(ground) = clip.ground else {
        return level;
    };
    let base = Vec3::Y * ground.height;
    let upright = upright_turn(&ground);
    let turned = ground.slope_x != 0.0 || ground.slope_z != 0.0;
    let joints = clip.joint_count();
    for (root, rotations) in level
        .root
        .iter_mut()
        .zip(level.rotations.chunks_exact_mut(joints))
    {
        *root -= base;
        if turned {
            *root = upright * *root;
            rotations[0] = (upright * rotations[0]).normalize();
        }
    }
    level.ground = Some(Ground {
        height: 0.0,
        slope_x: 0.0,
        slope_z: 0.0,
        ..ground
    });
    level
}

/// Whether a clip stands on y = 0 already, as far as it knows.
pub(crate) fn is_level(clip: &Clip) -> bool {
    let level = |ground: Ground| [ground.height, ground.slope_x, ground.slope_z] == [0.0; 3];
    clip.ground.is_none_or(level)
}

/// The shortest turn that takes the plane's normal to +y.
fn upright_turn(ground: &Ground) -> Quat {
    let normal = Vec3::new(-ground.slope_x, 1.0, -ground.slope_z).normalize();
    Quat::from_rotation_arc(normal, Vec3::Y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use afoot_core::{FrameRate, Joint, JointId, Skeleton, forward_kinematics};
    use std::sync::Arc;

    #[test]
    fn what_stood_on_the_ground_stands_at_height_0() {
        let joints = vec![
            Joint::new("hips", None, Vec3::ZERO),
            Joint::new("foot", Some(JointId(0)), Vec3::new(0.1, -0.9, 0.2)),
        ];
        let skeleton = Arc::new(Skeleton::new(joints, Vec::new()).unwrap());
        let mut clip = Clip::empty("slope", skeleton, FrameRate::new(30, 1).unwrap());
        let ground = Ground {
            slope_x: 0.03,
            slope_z: -0.02,
            ..Ground::level(0.05)
        };
        clip.ground = Some(ground);
        for frame in 0..20 {
            let foot = Vec3::new(0.2 * frame as f32, 0.0, 3.0 - 0.1 * frame as f32);
            let foot = foot + Vec3::Y * ground.height_at(foot.x, foot.z);
            clip.root.push(foot - Vec3::new(0.1, -0.9, 0.2));
            clip.rotations.extend([Quat::IDENTITY; 2]);
        }
        let level = level_clip(&clip);
        let points = forward_kinematics(&level);
        for foot in points.track(1) {
            assert!(foot.y.abs() < 1e-5, "{foot}");
        }
        assert_eq!(level_clip(&level), level);
        clip.ground = None;
        assert_eq!(level_clip(&clip), clip);
    }
}
