//! Small turns of a steered figure towards the wish, about the foot that it stands on.
//!
//! The edit budget of Reitsma and Pollard 2004 (eq. 3) is 25 degrees per metre; a foot that carries
//! the body alone may twist under it more than that. Planted feet of the captured walks twist by 48
//! degrees in one of ten plants; 45 degrees per metre are some 30 per step. It holds for every metre
//! of the way: it may be spent at once, when the wish is new, and is earned back by moving on. About
//! two planted feet nothing turns, and in flight a turn neither begins nor ends. In: a frame before
//! pivots and its contacts. Out: the transform that carries it. Weakness: the captured twist of the
//! same plant is not counted.

use afoot_core::{
    Contacts, JointId, Planar, Pose, Side, Skeleton, Vec3, pose_kinematics, wrap_angle,
};

/// How a figure is turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PivotOptions {
    /// Most that the motion is turned towards the wish on any metre of its way. [rad/m, ≥ 0]
    pub per_metre: f64,
    /// Fastest turn; captured roots turn by 160 to 190 degrees a second at most. [rad/s, ≥ 0]
    pub speed: f64,
}

impl Default for PivotOptions {
    fn default() -> Self {
        Self {
            per_metre: 45f64.to_radians(),
            speed: 90f64.to_radians(),
        }
    }
}

/// Time over which a turn sets in and out. [s]
const FADE: f64 = 0.1;
/// Time in which what is left of the wish would be turned, if that were all. [s]
const RESPONSE: f64 = 0.3;
/// Time over which movement is taken, so that sway is no direction. [s]
const MOVEMENT: f64 = 0.15;
/// The budget is kept for every so much of the way, and holds for this many in a row. [m]
const CELL: f64 = 0.05;
const CELLS: usize = 21;
/// Slower than this is standing, which has no direction. [m/s]
pub(super) const STANDING: f64 = 0.1;

/// A wish further off than this lies behind. [rad]
const BEHIND: f64 = 2.0;

/// What the turns have added up to.
#[derive(Clone, Debug)]
pub(super) struct Pivots {
    options: PivotOptions,
    carried: Planar,
    /// Turn in the last frame. [rad]
    turn: f64,
    /// Turns on each cell of the last metre, and how far the figure has come in the last cell.
    spent: [f64; CELLS],
    into: f64,
    /// Movement before pivots, smoothed. [m/s]
    velocity: [f64; 2],
    before: Option<Vec3>,
    /// Left and right ball of the foot; `None` where unknown.
    feet: [Option<JointId>; 2],
}

impl Pivots {
    pub(super) fn new(skeleton: &Skeleton, options: PivotOptions) -> Self {
        Self {
            options,
            carried: Planar::IDENTITY,
            turn: 0.0,
            spent: [0.0; CELLS],
            into: 0.0,
            velocity: [0.0; 2],
            before: None,
            feet: Side::BOTH.map(|side| skeleton.leg(side).map(|leg| leg.ball)),
        }
    }

    /// Carries frames before pivots into the world.
    pub(super) fn carried(&self) -> Planar {
        self.carried
    }

    /// How far the figure can still turn at once. [rad, ≥ 0]
    fn left(&self) -> f64 {
        (self.options.per_metre - self.spent.iter().sum::<f64>()).max(0.0)
    }

    /// How far the figure's movement is off a direction in the world; `None` while it stands. [rad]
    pub(super) fn off(&self, direction: f64) -> Option<f64> {
        let [x, z] = self.velocity;
        let heading = x.atan2(z) + self.carried.yaw;
        (x.hypot(z) > STANDING).then(|| wrap_angle(direction - heading))
    }

    /// Takes the next frame, of `seconds`, and turns a little towards `direction`. `soon` is the way
    /// that the frames to come take before pivots, a yaw, if they move.
    pub(super) fn turn_towards(
        &mut self,
        (direction, soon): (f64, Option<f64>),
        (skeleton, pose, contacts): (&Skeleton, &Pose, Contacts),
        seconds: f64,
    ) {
        let moved = self.follow(pose.root, seconds);
        let stands = Side::BOTH.map(|side| contacts.any(Contacts::foot(side)));
        let wanted = match stands {
            [false, false] => self.turn,
            [true, true] => 0.0,
            _ => self.wanted_speed(direction, soon, seconds) * seconds,
        };
        let left = self.left();
        self.turn += (wanted - self.turn) * (seconds / FADE).min(1.0);
        self.turn = self.turn.clamp(-left, left);
        self.spend(moved);
        let center = self.center(skeleton, pose, stands);
        self.carried = turn_about(center, self.turn).then_after(self.carried);
    }

    /// How fast to turn; slower when little is left, so that it does not end abruptly. [rad/s]
    fn wanted_speed(&self, direction: f64, soon: Option<f64>, seconds: f64) -> f64 {
        let fastest = self.options.speed.min(self.left() / FADE.max(seconds));
        let off = self.off(direction).unwrap_or(0.0);
        let later = soon.map_or(off, |soon| wrap_angle(direction - soon - self.carried.yaw));
        // What the captured motion is about to turn by itself would only be turned back; with the
        // wish behind the figure both ways round are right.
        let needed = match off * later > 0.0 || off.abs() > BEHIND {
            true => off.signum() * off.abs().min(later.abs()),
            false => 0.0,
        };
        (needed / RESPONSE).clamp(-fastest.abs(), fastest.abs())
    }

    /// Takes note of the movement to a new root; how far it is. [m]
    fn follow(&mut self, root: Vec3, seconds: f64) -> f64 {
        let step = root - self.before.unwrap_or(root);
        self.before = Some(root);
        let share = (seconds / MOVEMENT).min(1.0);
        for (velocity, step) in self.velocity.iter_mut().zip([step.x, step.z]) {
            *velocity += (f64::from(step) / seconds - *velocity) * share;
        }
        f64::from(step.x.hypot(step.z))
    }

    fn spend(&mut self, moved: f64) {
        self.into += moved;
        for _ in 0..((self.into / CELL) as usize).min(CELLS) {
            self.spent.rotate_left(1);
            self.spent[CELLS - 1] = 0.0;
        }
        self.into %= CELL;
        self.spent[CELLS - 1] += self.turn.abs();
    }

    /// The foot that stands or, in flight, the root; in the world.
    fn center(&self, skeleton: &Skeleton, pose: &Pose, stands: [bool; 2]) -> Vec3 {
        let side = stands.iter().position(|&stands| stands);
        let point = match side.and_then(|side| self.feet[side]) {
            Some(foot) => {
                let (_, points) = pose_kinematics(skeleton, pose.root, &pose.rotations);
                points[foot.index()]
            }
            None => pose.root,
        };
        self.carried.point3(point)
    }
}

fn turn_about(center: Vec3, turn: f64) -> Planar {
    let (x, z) = (f64::from(center.x), f64::from(center.z));
    let [moved_x, moved_z] = Planar::new(0.0, 0.0, turn).point([x, z]);
    Planar::new(x - moved_x, z - moved_z, turn)
}
