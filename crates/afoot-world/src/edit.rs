//! How far moves may be bent, and how they are (Reitsma and Pollard 2004, §5.2; 2007).
//!
//! At each frame a move's root may be off its captured place by so much per metre that it has come
//! (eq. 3), and, as in 2007, by so much per second, so that who turns in place can be bent too. The paper
//! prints a box and calls it an ellipsoid: both are here, the ellipsoid is the default, since with a box
//! a move may be shifted and turned to the limit at once. A move is bent evenly: what it is off at its
//! end it is off by the same share of the limit at every frame (§6's displacement curves). So no frame passes the
//! limit if the end does not, and the way to an end is the same whatever the limit: with a larger one all
//! ways of a smaller one are left, and coverage only grows.

use afoot_core::{Planar, wrap_angle};
use serde::{Deserialize, Serialize};

use crate::moves::Move;

/// How far moves may be bent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EditOptions {
    /// Off its place, per metre. [m/m, >= 0]
    pub shift: f64,
    /// Off its heading, per metre. [rad/m, >= 0]
    pub turn: f64,
    /// Off its place, per second. [m/s, >= 0]
    pub shift_in_time: f64,
    /// Off its heading, per second. [rad/s, >= 0]
    pub turn_in_time: f64,
    /// What of these goes together.
    pub shape: EditShape,
    /// What becomes of moves that can end in no cell's middle.
    pub connect: Connect,
    /// Moves whose transitions are far below what is allowed may be bent more, others less
    /// (Mahmudi and Kallmann 2013): the limits times a half to one and a half.
    pub by_slack: bool,
}

/// The region of places that a move may end at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EditShape {
    /// Each of x, z and yaw within its limit, whatever the others are.
    Box,
    /// The squares of their shares of the limits sum to 1 at most.
    #[default]
    Ellipsoid,
}

/// What is linked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Connect {
    /// The nearest cell too, if the region holds no cell's middle: links may break the limits.
    Always,
    /// Only what the region holds.
    #[default]
    Within,
}

impl Default for EditOptions {
    /// 25 cm and 25 degrees a metre: Reitsma and Pollard 2004, §5.2. Five of either a second.
    fn default() -> Self {
        Self {
            shift: 0.25,
            turn: 25f64.to_radians(),
            shift_in_time: 0.05,
            turn_in_time: 5f64.to_radians(),
            shape: EditShape::default(),
            connect: Connect::default(),
            by_slack: false,
        }
    }
}

/// The most that each pose of a move may be off: shift [m] and turn [rad].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// One for each pose.
    pub shift: Vec<f64>,
    /// One for each pose.
    pub turn: Vec<f64>,
}

/// Numbers this close to a limit are within it.
const SLIP: f64 = 1e-9;

impl EditOptions {
    /// The same size in cm and degrees, per metre, and none in time: the paper's editing size.
    pub fn of_size(size: f64) -> Self {
        Self {
            shift: size / 100.0,
            turn: size.to_radians(),
            shift_in_time: 0.0,
            turn_in_time: 0.0,
            ..Self::default()
        }
    }

    /// How far each pose of a move may be off.
    pub fn limits(&self, step: &Move, frame_time: f64) -> Limits {
        let scale = if self.by_slack { 0.5 + step.slack } else { 1.0 };
        let arcs = step.arcs();
        let limit = |per_metre: f64, per_second: f64| {
            let poses = arcs.iter().enumerate();
            let at = |(frame, arc): (usize, &f64)| {
                scale * (per_metre * arc + per_second * frame as f64 * frame_time)
            };
            poses.map(at).collect()
        };
        Limits {
            shift: limit(self.shift, self.shift_in_time),
            turn: limit(self.turn, self.turn_in_time),
        }
    }

    /// Whether something that far off is within limits.
    #[inline]
    pub fn is_within(&self, [x, z, yaw]: [f64; 3], shift: f64, turn: f64) -> bool {
        match self.shape {
            EditShape::Box => {
                x.abs() <= shift + SLIP && z.abs() <= shift + SLIP && yaw.abs() <= turn + SLIP
            }
            EditShape::Ellipsoid => {
                let share = |off: f64, limit: f64| {
                    if off.abs() <= SLIP {
                        0.0
                    } else {
                        (off / limit.max(1e-300)).powi(2)
                    }
                };
                share(x, shift) + share(z, shift) + share(yaw, turn) <= 1.0 + SLIP
            }
        }
    }
}

/// A move's poses, started at the origin with a heading.
pub fn turned(step: &Move, heading: f64) -> Vec<Planar> {
    let start = Planar::new(0.0, 0.0, heading);
    let place = |pose: &Planar| {
        let [x, z] = start.point([pose.x, pose.z]);
        Planar::new(x, z, heading + pose.yaw)
    };
    step.poses.iter().map(place).collect()
}

/// A move that was started at the origin with its heading ([`turned`]), bent to end at `end`: its poses.
///
/// `end` is where the root is to be, seen from the start, with the heading it has then. [m, rad]
pub fn bend(straight: &[Planar], end: Planar, limits: &Limits) -> Vec<Planar> {
    let most = straight.len() - 1;
    let own = straight[most];
    let off = [end.x - own.x, end.z - own.z, wrap_angle(end.yaw - own.yaw)];
    let part = |of: &[f64], frame: usize| match of[most] > 0.0 {
        true => of[frame] / of[most],
        false => frame as f64 / most as f64,
    };
    let bent = straight.iter().enumerate().map(|(frame, pose)| {
        let (shift, turn) = (part(&limits.shift, frame), part(&limits.turn, frame));
        Planar::new(
            pose.x + shift * off[0],
            pose.z + shift * off[1],
            pose.yaw + turn * off[2],
        )
    });
    bent.collect()
}

/// Length of a way. [m]
pub fn way_length(poses: &[Planar]) -> f64 {
    let steps = poses.windows(2);
    steps
        .map(|pair| (pair[1].x - pair[0].x).hypot(pair[1].z - pair[0].z))
        .sum()
}
