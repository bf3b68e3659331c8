//! Which way a figure is turned, from where its body parts are.

use glam::{Mat3, Quat, Vec3};

use crate::index::JointId;
use crate::roles::{Role, Side};
use crate::skeleton::Skeleton;

/// A figure's own directions in the world, unit length and square to each other.
#[derive(Clone, Copy, Debug)]
pub struct Stance {
    /// From the feet to the head.
    pub up: Vec3,
    /// From its right to its left.
    pub left: Vec3,
}

impl Stance {
    /// The directions of a figure whose joints are at `points`; `None` where the parts that tell are
    /// not known or in one place.
    pub fn of(skeleton: &Skeleton, points: &[Vec3]) -> Option<Self> {
        let at = |role| {
            skeleton
                .with_role(role)
                .map(|joint: JointId| points[joint.index()])
        };
        let both = |part: fn(Side) -> Role| Some([at(part(Side::Left))?, at(part(Side::Right))?]);
        let thighs = both(Role::UpLeg)?;
        let feet = both(Role::Foot).or_else(|| both(Role::Leg))?;
        let hips = (thighs[0] + thighs[1]) / 2.0;
        let top = at(Role::Head)
            .or_else(|| at(Role::Neck))
            .or_else(|| at(Role::Chest))?;
        // Legs and trunk each have their say: a kick or a bow is only one of them.
        let legs = (hips - (feet[0] + feet[1]) / 2.0).try_normalize()?;
        let trunk = (top - hips).try_normalize()?;
        let up = (legs + trunk).try_normalize()?;
        let across = |[left, right]: [Vec3; 2]| (left - right).normalize_or_zero();
        let shoulders = both(Role::Arm).map_or(Vec3::ZERO, across);
        let left = (across(thighs) + shoulders)
            .reject_from_normalized(up)
            .try_normalize()?;
        Some(Self { up, left })
    }

    /// The turn from a figure that stands upright and looks along +z.
    pub fn turn(&self) -> Quat {
        let forward = self.left.cross(self.up);
        Quat::from_mat3(&Mat3::from_cols(self.left, self.up, forward)).normalize()
    }

    /// The same with the figure upright: its heading alone; `None` where its left points up or down.
    pub fn upright(&self) -> Option<Self> {
        let left = self.left.with_y(0.0).try_normalize()?;
        Some(Self { up: Vec3::Y, left })
    }

    /// Whether the figure at `points` stands: legs down, trunk up, arms not across the body, and
    /// one side the image of the other.
    pub fn is_standing(&self, skeleton: &Skeleton, points: &[Vec3]) -> bool {
        let at = |role| {
            skeleton
                .with_role(role)
                .map(|joint: JointId| points[joint.index()])
        };
        let bone = |from, to| Some((at(to)? - at(from)?).normalize_or_zero());
        let leg_hangs = |side| {
            let thigh = bone(Role::UpLeg(side), Role::Leg(side));
            let shank = bone(Role::Leg(side), Role::Foot(side));
            let down = |bone: Option<Vec3>| bone.is_none_or(|bone| bone.dot(self.up) < -0.7);
            down(thigh) && down(shank)
        };
        let arm_is_out = |side| {
            let out = if side == Side::Left {
                self.left
            } else {
                -self.left
            };
            let arm = bone(Role::Arm(side), Role::Hand(side));
            arm.is_none_or(|arm| arm.dot(out) > -0.3)
        };
        let top = bone(Role::Hips, Role::Head).or_else(|| bone(Role::Hips, Role::Chest));
        let trunk_rises = top.is_none_or(|trunk| trunk.dot(self.up) > 0.7);
        trunk_rises
            && Side::BOTH
                .into_iter()
                .all(|side| leg_hangs(side) && arm_is_out(side))
            && self.asymmetry(skeleton, points) < ASYMMETRY
    }

    /// The farthest a part is from its partner's image, over the distance from foot to hip.
    fn asymmetry(&self, skeleton: &Skeleton, points: &[Vec3]) -> f32 {
        let at = |role| {
            skeleton
                .with_role(role)
                .map(|joint: JointId| points[joint.index()])
        };
        let Some(middle) = at(Role::Hips) else {
            return 0.0;
        };
        let image = |point: Vec3| point - 2.0 * (point - middle).dot(self.left) * self.left;
        let parts: [fn(Side) -> Role; 5] = [
            Role::Foot,
            Role::Leg,
            Role::UpLeg,
            Role::ForeArm,
            Role::Hand,
        ];
        let off = |part: fn(Side) -> Role| {
            let (left, right) = (at(part(Side::Left))?, at(part(Side::Right))?);
            Some(image(left).distance(right))
        };
        let leg = [Role::UpLeg(Side::Left), Role::Foot(Side::Left)].map(at);
        let size = match leg {
            [Some(hip), Some(foot)] => hip.distance(foot).max(1e-6),
            _ => 1.0,
        };
        parts.into_iter().filter_map(off).fold(0.0, f32::max) / size
    }
}

/// Captured skeletons are uneven by a few centimetres; a figure in mid-step by a
/// foot's length at least.
const ASYMMETRY: f32 = 0.1;

/// The nearest turn that takes axes to axes.
pub fn nearest_quarter_turn(turn: Quat) -> Quat {
    use std::f32::consts::FRAC_PI_2;
    let quarters = |axis: Vec3, count: u32| Quat::from_axis_angle(axis, FRAC_PI_2 * count as f32);
    let all = (0..64).map(|n| {
        quarters(Vec3::X, n % 4) * quarters(Vec3::Y, n / 4 % 4) * quarters(Vec3::Z, n / 16)
    });
    let nearness = |candidate: &Quat| candidate.dot(turn).abs();
    all.max_by(|a, b| nearness(a).total_cmp(&nearness(b)))
        .unwrap_or(Quat::IDENTITY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::small_figure;
    use crate::kinematics::pose_kinematics;

    #[test]
    fn a_turned_figure_tells_its_turn() {
        let figure = small_figure();
        for step in 0..20 {
            let turn =
                Quat::from_rotation_x(step as f32) * Quat::from_rotation_y(0.7 * step as f32);
            let mut pose = figure.rest_pose();
            let upright = Stance::of(
                &figure,
                &pose_kinematics(&figure, Vec3::ZERO, &pose.rotations).1,
            );
            pose.rotations[0] = turn * pose.rotations[0];
            let points = pose_kinematics(&figure, Vec3::ZERO, &pose.rotations).1;
            let stance = Stance::of(&figure, &points).unwrap();
            let expected = turn * upright.unwrap().turn();
            assert!(stance.turn().dot(expected).abs() > 1.0 - 1e-5);
        }
    }

    #[test]
    fn quarter_turns_are_found_and_kept() {
        for n in 0..24 {
            let exact = nearest_quarter_turn(
                Quat::from_rotation_x(1.6 * n as f32) * Quat::from_rotation_z(n as f32),
            );
            let near = exact * Quat::from_rotation_y(0.3) * Quat::from_rotation_x(-0.2);
            assert!(nearest_quarter_turn(near).dot(exact).abs() > 1.0 - 1e-6);
        }
    }
}
