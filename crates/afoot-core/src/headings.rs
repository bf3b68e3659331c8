//! Which way a root heads, without jumps by whole turns (Shanbhag 2006, §3.3.1).
//!
//! Heading is the root's twist about +y as long as the figure is nearer to upright than to upside down. Beyond
//! 90° of tilt that twist gets ill-defined and flips (cartwheels, rolls), so there the heading goes on by the
//! twist of the turn since the frame before, and comes back gradually after.

use glam::Quat;

use crate::clip::Clip;
use crate::planar::{wrap_angle, yaw_of};

/// The root's heading at each frame, without jumps by whole turns. [rad]
pub fn headings(clip: &Clip) -> Vec<f64> {
    let mut headings: Vec<f64> = Vec::with_capacity(clip.len());
    let mut before = Quat::IDENTITY;
    for rotation in root_rotations(clip) {
        let heading = match headings.last() {
            None => f64::from(yaw_of(rotation)),
            Some(last) => {
                let carried = last + f64::from(yaw_of(rotation * before.conjugate()));
                let off = wrap_angle(f64::from(yaw_of(rotation)) - carried);
                carried + uprightness(rotation) * off
            }
        };
        headings.push(heading);
        before = rotation;
    }
    headings
}

fn root_rotations(clip: &Clip) -> impl Iterator<Item = Quat> + '_ {
    clip.rotations.iter().step_by(clip.joint_count()).copied()
}

/// How far the twist can be trusted: 1 up to 90° of tilt (y² + w² = ½), 0 from 120° (¼) on.
fn uprightness(rotation: Quat) -> f64 {
    let upright = f64::from(rotation.y * rotation.y + rotation.w * rotation.w);
    (4.0 * upright - 1.0).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::swinging_clip;

    #[test]
    fn turns_add_up_over_whole_circles() {
        let mut clip = swinging_clip(140);
        let joints = clip.joint_count();
        for frame in 0..140 {
            clip.rotations[frame * joints] = Quat::from_rotation_y(0.1 * frame as f32);
        }
        for (frame, heading) in headings(&clip).into_iter().enumerate() {
            assert!(
                (heading - 0.1 * frame as f64).abs() < 1e-3,
                "frame {frame}: {heading}"
            );
        }
    }

    #[test]
    fn a_cartwheel_has_no_wild_turns() {
        let mut clip = swinging_clip(60);
        let joints = clip.joint_count();
        for frame in 0..60 {
            let roll = frame as f32 / 59.0 * std::f32::consts::TAU;
            // A lean that passes close by, but not through, the upside-down singularity.
            let lean = Quat::from_rotation_x(0.02 * roll.sin() + 0.05);
            clip.rotations[frame * joints] =
                Quat::from_rotation_y(0.5) * lean * Quat::from_rotation_z(roll);
        }
        let twists: Vec<f32> = root_rotations(&clip).map(yaw_of).collect();
        let step = |pair: &[f32]| (pair[1] - pair[0]).abs();
        assert!(
            twists.windows(2).map(step).fold(0.0, f32::max) > 1.0,
            "the test has lost its point"
        );
        let turns = headings(&clip);
        let wildest = turns.windows(2).map(|pair| (pair[1] - pair[0]).abs());
        assert!(wildest.clone().fold(0.0, f64::max) < 0.1);
    }
}
