//! Rigid motions of the ground plane: turn about +y, then shift in x and z.
//!
//! The way clips are placed in the world and aligned to each other; the T of Kovar et al. 2002,
//! equation 1, with θ = yaw. f64, because a graph walk multiplies thousands of them.

use glam::{Quat, Vec3};

/// A rigid transform of the ground plane.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Planar {
    /// Shift along x after the turn. [m]
    pub x: f64,
    /// Shift along z after the turn. [m]
    pub z: f64,
    /// Turn about +y; positive turns +z towards +x. [rad]
    pub yaw: f64,
}

impl Planar {
    /// Leaves everything where it is.
    pub const IDENTITY: Self = Self {
        x: 0.0,
        z: 0.0,
        yaw: 0.0,
    };

    /// A turn by `yaw` [rad], then a shift by `x`, `z` [m].
    pub const fn new(x: f64, z: f64, yaw: f64) -> Self {
        Self { x, z, yaw }
    }

    /// Where a ground point goes.
    pub fn point(self, [x, z]: [f64; 2]) -> [f64; 2] {
        let (sin, cos) = self.yaw.sin_cos();
        [x * cos + z * sin + self.x, -x * sin + z * cos + self.z]
    }

    /// Where a point goes; its height stays.
    pub fn point3(self, point: Vec3) -> Vec3 {
        let [x, z] = self.point([f64::from(point.x), f64::from(point.z)]);
        Vec3::new(x as f32, point.y, z as f32)
    }

    /// What a world rotation becomes.
    pub fn rotate(self, rotation: Quat) -> Quat {
        self.rotation() * rotation
    }

    /// The turn alone.
    pub fn rotation(self) -> Quat {
        Quat::from_rotation_y(self.yaw as f32)
    }

    /// First `inner`, then `self`.
    pub fn then_after(self, inner: Self) -> Self {
        let [x, z] = self.point([inner.x, inner.z]);
        Self {
            x,
            z,
            yaw: wrap_angle(self.yaw + inner.yaw),
        }
    }

    /// The transform that undoes this one.
    pub fn inverse(self) -> Self {
        let back = Self {
            x: 0.0,
            z: 0.0,
            yaw: -self.yaw,
        };
        let [x, z] = back.point([-self.x, -self.z]);
        Self {
            x,
            z,
            yaw: wrap_angle(-self.yaw),
        }
    }

    /// The placement of a root: its ground position and heading.
    pub fn of_root(position: Vec3, rotation: Quat) -> Self {
        Self {
            x: f64::from(position.x),
            z: f64::from(position.z),
            yaw: f64::from(yaw_of(rotation)),
        }
    }

    /// The transform that carries `from` onto `to`.
    pub fn carrying(from: Self, to: Self) -> Self {
        to.then_after(from.inverse())
    }
}

/// The turn about +y in `rotation` (its twist), in (−π, π]. Zero where none is defined: a figure
/// turned by exactly half a turn about a horizontal axis.
pub fn yaw_of(rotation: Quat) -> f32 {
    let (y, w) = (rotation.y, rotation.w);
    if y * y + w * w < 1e-12 {
        return 0.0;
    }
    wrap_angle(2.0 * f64::from(y).atan2(f64::from(w))) as f32
}

/// The turn about +y that brings the heading of `from` to that of `to`, in (−π, π]; zero where one
/// of them is upright. [rad]
pub fn yaw_between(from: Vec3, to: Vec3) -> f32 {
    let (sin, cos) = (from.z * to.x - from.x * to.z, from.x * to.x + from.z * to.z);
    if sin * sin + cos * cos < 1e-16 {
        0.0
    } else {
        sin.atan2(cos)
    }
}

/// Least and greatest corner of what holds all points; the least lies above the greatest of none.
pub fn bounds_of<'a>(points: impl IntoIterator<Item = &'a [f64; 2]>) -> [[f64; 2]; 2] {
    let none = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
    points.into_iter().fold(none, |[low, high], point| {
        [
            [low[0].min(point[0]), low[1].min(point[1])],
            [high[0].max(point[0]), high[1].max(point[1])],
        ]
    })
}

/// `angle` brought into (−π, π].
pub fn wrap_angle(angle: f64) -> f64 {
    use std::f64::consts::{PI, TAU};
    let wrapped = angle.rem_euclid(TAU);
    if wrapped > PI { wrapped - TAU } else { wrapped }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    fn check(actual: Planar, expected: Planar) {
        let near = (actual.x - expected.x).abs() < 1e-9
            && (actual.z - expected.z).abs() < 1e-9
            && wrap_angle(actual.yaw - expected.yaw).abs() < 1e-9;
        assert!(near, "{actual:?} is not {expected:?}");
    }

    #[test]
    fn a_quarter_turn_takes_z_to_x() {
        let turned = Planar::new(0.0, 0.0, FRAC_PI_2).point([0.0, 1.0]);
        assert!(
            (turned[0] - 1.0).abs() < 1e-12 && turned[1].abs() < 1e-12,
            "{turned:?}"
        );
        let by_quaternion = Planar::new(0.0, 0.0, FRAC_PI_2).rotation() * Vec3::Z;
        assert!((by_quaternion - Vec3::X).length() < 1e-6);
    }

    #[test]
    fn inverse_and_composition_are_a_group() {
        let a = Planar::new(1.5, -2.0, 0.7);
        let b = Planar::new(-0.3, 4.0, -2.9);
        check(a.then_after(a.inverse()), Planar::IDENTITY);
        check(a.inverse().then_after(a), Planar::IDENTITY);
        check(Planar::carrying(a, b).then_after(a), b);
        let [x, z] = a.then_after(b).point([0.4, 0.2]);
        let step = a.point(b.point([0.4, 0.2]));
        assert!((x - step[0]).abs() < 1e-12 && (z - step[1]).abs() < 1e-12);
    }

    #[test]
    fn the_turn_between_headings_takes_one_to_the_other() {
        let (from, to) = (Vec3::new(0.3, 5.0, 0.4), Vec3::new(-1.0, 0.0, 0.2));
        let turned = Quat::from_rotation_y(yaw_between(from, to)) * Vec3::new(0.3, 0.0, 0.4);
        assert!(turned.normalize().dot(to.normalize()) > 1.0 - 1e-6);
        assert_eq!(yaw_between(Vec3::Y, to), 0.0);
    }

    #[test]
    fn yaw_is_read_back_from_a_tilted_root() {
        let rotation = Quat::from_rotation_y(2.5) * Quat::from_rotation_x(0.4);
        assert!((yaw_of(rotation) - 2.5).abs() < 1e-5);
        assert!((yaw_of(-rotation) - 2.5).abs() < 1e-5);
    }
}
