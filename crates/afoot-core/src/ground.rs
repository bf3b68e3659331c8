//! The floor under a clip, as its feet show it.

use crate::planar::Planar;

/// The floor under a clip, seen from the joints: the plane in which ball joints come to rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Height of the plane at x = z = 0. [m]
    pub height: f32,
    /// Rise along x. [m/m]
    pub slope_x: f32,
    /// Rise along z. [m/m]
    pub slope_z: f32,
    /// Rest heights of each foot's joints above the plane, left then right.
    pub rest: [FootRest; 2],
}

/// How high a foot's joints rest above the ground plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FootRest {
    /// The ankle joint with the heel down. [m]
    pub ankle: f32,
    /// The ball (toe) joint with the ball down. [m]
    pub ball: f32,
}

impl Ground {
    /// How many numbers say it.
    pub const NUMBERS: usize = 7;

    /// A level floor whose ball joints rest at `height`.
    pub fn level(height: f32) -> Self {
        Self {
            height,
            slope_x: 0.0,
            slope_z: 0.0,
            rest: [FootRest::default(); 2],
        }
    }

    /// The same floor after everything on it was moved.
    pub fn placed(&self, by: Planar) -> Self {
        let [x, z] = by.inverse().point([0.0, 0.0]);
        let turn = Planar::new(0.0, 0.0, by.yaw);
        let [slope_x, slope_z] = turn.point([f64::from(self.slope_x), f64::from(self.slope_z)]);
        Self {
            height: self.height_at(x as f32, z as f32),
            slope_x: slope_x as f32,
            slope_z: slope_z as f32,
            rest: self.rest,
        }
    }

    /// All its numbers, as they are written: height, both slopes, ankle and ball of either foot.
    pub fn to_array(&self) -> [f32; Self::NUMBERS] {
        let [left, right] = self.rest;
        [
            self.height,
            self.slope_x,
            self.slope_z,
            left.ankle,
            left.ball,
            right.ankle,
            right.ball,
        ]
    }

    /// The floor of [`Ground::to_array`].
    pub fn from_array(numbers: [f32; Self::NUMBERS]) -> Self {
        let [height, slope_x, slope_z, rest @ ..] = numbers;
        let [left_ankle, left_ball, right_ankle, right_ball] = rest;
        let rest = |ankle, ball| FootRest { ankle, ball };
        Self {
            height,
            slope_x,
            slope_z,
            rest: [rest(left_ankle, left_ball), rest(right_ankle, right_ball)],
        }
    }

    /// Height of the plane under a point. [m]
    pub fn height_at(&self, x: f32, z: f32) -> f32 {
        self.height + self.slope_x * x + self.slope_z * z
    }
}
