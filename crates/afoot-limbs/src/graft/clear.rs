//! Arms that would pass into the body they were put on are held away from it.
//!
//! Where a grafted arm is deeper in trunk, head, thighs or the other arm than base and donors have it, it is
//! turned outwards at the shoulder, about the heading, by the least angle that does, and a little before
//! and after, so that nothing jerks.

use afoot_core::{Clip, FrameId, JointId, Quat, Role, Side, Vec3, forward_kinematics, yaw_of};

use super::capsules::Capsules;
use super::copy::world_rotation;
use crate::series::{averaged, largest_around};

/// Arms are held away by so much at most, tried in such steps. [rad]
const MOST: f32 = 0.45;
const STEP: f32 = 0.03;
/// Holding away begins this much before it is needed, and ends as much after. [s]
const AROUND: f64 = 0.13;

/// Holds the arms of some sides as clear as `limit` says. [m]
pub(crate) fn hold_arms_clear(clip: &mut Clip, sides: &[Side], limit: f32) {
    let capsules = Capsules::of(&clip.skeleton);
    for side in sides {
        let Some(shoulder) = clip.skeleton.with_role(Role::Arm(*side)) else {
            continue;
        };
        let points = forward_kinematics(clip);
        let needed = |frame: usize, sign: f32| {
            let at = points.frame(FrameId::from(frame));
            let axis = outward_axis(clip, frame, *side) * sign;
            let depth = |angle: f32| {
                let turn = Quat::from_axis_angle(axis, angle);
                capsules.depth(*side, at, |point| {
                    at[shoulder.index()] + turn * (point - at[shoulder.index()])
                })
            };
            let angles = (0..).map(|step| STEP * step as f32).take_while(|angle| *angle <= MOST);
            let clear = angles.into_iter().find(|angle| depth(*angle) <= limit);
            clear.unwrap_or(MOST)
        };
        // A hanging arm goes out of the way outwards, a raised one inwards or outwards.
        let ways = [1.0, -1.0].map(|sign| {
            let angles = (0..clip.len()).map(|frame| needed(frame, sign));
            (sign, angles.collect::<Vec<f32>>())
        });
        let most = |way: &(f32, Vec<f32>)| way.1.iter().copied().fold(0.0, f32::max);
        let [out, back] = ways;
        let (sign, needed) = if most(&back) < most(&out) { back } else { out };
        if needed.iter().all(|angle| *angle == 0.0) {
            continue;
        }
        let half = (clip.rate.frames_in(AROUND) / 2).max(1);
        let angles = averaged(&averaged(&largest_around(&needed, 2 * half), half), half);
        for (frame, angle) in angles.into_iter().enumerate().filter(|(_, angle)| *angle > 1e-4) {
            let turn = Quat::from_axis_angle(outward_axis(clip, frame, *side), sign * angle);
            turn_joint(clip, frame, shoulder, turn);
        }
    }
}

/// About which a hanging arm turns outwards: along the heading, left and right the other way round.
fn outward_axis(clip: &Clip, frame: usize, side: Side) -> Vec3 {
    let heading = Quat::from_rotation_y(yaw_of(clip.rotation(FrameId::from(frame), JointId(0))));
    let ahead = heading * Vec3::Z;
    match side {
        Side::Left => ahead,
        Side::Right => -ahead,
    }
}

/// Turns a joint in the world.
fn turn_joint(clip: &mut Clip, frame: usize, joint: JointId, turn: Quat) {
    let skeleton = clip.skeleton.clone();
    let local = clip.frame_rotations_mut(FrameId::from(frame));
    let world = world_rotation(&skeleton, joint, local);
    let parent = world * local[joint.index()].inverse();
    local[joint.index()] = (parent.inverse() * turn * world).normalize();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graft::capsules::self_penetration;

    #[test]
    fn an_arm_in_the_trunk_is_taken_out_and_one_beside_it_is_left() {
        let clips = afoot_sample::sample_library(&Default::default());
        let clip = clips.into_iter().find(|clip| clip.name == "walk").unwrap();
        let limit = self_penetration(&clip);
        let mut made = clip.clone();
        hold_arms_clear(&mut made, &Side::BOTH, limit);
        assert_eq!(made, clip, "what is clear stays as it is");
        for frame in 20..50 {
            turn_joint(&mut made, frame, clip.skeleton.arm(Side::Left).unwrap().shoulder, {
                let axis = outward_axis(&clip, frame, Side::Left);
                Quat::from_axis_angle(axis, -0.3)
            });
        }
        let sunk = self_penetration(&made);
        assert!(sunk > limit + 0.01, "{sunk} and {limit}");
        hold_arms_clear(&mut made, &[Side::Left], limit);
        let left = self_penetration(&made);
        assert!(left <= limit + 1e-4, "{left} and {limit}");
    }
}
