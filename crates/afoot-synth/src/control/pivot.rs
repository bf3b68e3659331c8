//! Small turns of a steered figure towards the wish, about the foot that it stands on.
//!
//! The edit budget of Reitsma and Pollard 2004 (eq. 3) is 25 degrees per metre; a foot that carries
//! the body alone may twist under it more than that. Planted feet of the captured walks twist by 48
//! degrees in one of ten plants; 45 degrees per metre are some 30 per step. It holds for every metre
//! of the way: it may be spent at once, when the wish is new, and is earned back by moving on. About
//! two planted feet nothing turns, and in flight a turn neither begins nor ends. In: a frame before
//! pivots and its contacts. Out: the transform that carries it. Weakness: the captured twist of the
//! same plant is not counted.

use afoot_core::{Contacts, Leg, Planar, Pose, Side, Skeleton, Vec3, pose_kinematics, wrap_angle};

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

/// A frame before pivots, with what touches the ground.
pub(super) type Frame<'a> = (&'a Skeleton, &'a Pose, Contacts);

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
    /// Left and right; `None` where unknown.
    legs: [Option<Leg>; 2],
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
            legs: Side::BOTH.map(|side| skeleton.leg(side)),
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
        frame: Frame,
        seconds: f64,
    ) {
        let (_, pose, contacts) = frame;
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
        let center = self.center(frame);
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

    /// The ball, else the heel, of the foot that stands or, in flight, the root; in the world.
    fn center(&self, (skeleton, pose, contacts): Frame) -> Vec3 {
        let standing = Side::BOTH
            .into_iter()
            .zip(self.legs)
            .find_map(|(side, leg)| {
                let leg = leg.filter(|_| contacts.any(Contacts::foot(side)))?;
                Some(match contacts.any(Contacts::ball(side)) {
                    true => leg.ball,
                    false => leg.ankle,
                })
            });
        let point = standing.map_or(pose.root, |joint| {
            pose_kinematics(skeleton, pose.root, &pose.rotations).1[joint.index()]
        });
        self.carried.point3(point)
    }
}

fn turn_about(center: Vec3, turn: f64) -> Planar {
    let (x, z) = (f64::from(center.x), f64::from(center.z));
    let [moved_x, moved_z] = Planar::new(0.0, 0.0, turn).point([x, z]);
    Planar::new(x - moved_x, z - moved_z, turn)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use afoot_core::{Clip, FrameId, JointId};
    use afoot_sample::{SampleMotion, SampleOptions, sample_motion};

    use super::*;

    const SECONDS: f64 = 1.0 / 30.0;

    fn walk() -> Clip {
        let motion = SampleMotion::Walk {
            speed: 1.3,
            length: 8.0,
        };
        sample_motion("walk", motion, &SampleOptions::default())
    }

    /// The transforms that carry each frame of a straight walk while `direction` is wished.
    fn carried(clip: &Clip, direction: f64, options: PivotOptions) -> Vec<Planar> {
        let mut pivots = Pivots::new(&clip.skeleton, options);
        let frame = |frame: usize| {
            let pose = clip.pose(FrameId::from(frame));
            let shown = (&*clip.skeleton, &pose, clip.contacts[frame]);
            pivots.turn_towards((direction, None), shown, SECONDS);
            pivots.carried()
        };
        (0..clip.len()).map(frame).collect()
    }

    #[test]
    fn no_metre_takes_more_than_its_budget() {
        let (clip, options) = (walk(), PivotOptions::default());
        let carried = carried(&clip, 3.0, options);
        let turns = carried.windows(2).map(|w| (w[1].yaw - w[0].yaw).abs());
        let turns: Vec<f64> = turns.collect();
        let fastest = turns.iter().copied().fold(0.0, f64::max);
        assert!(fastest <= options.speed * SECONDS + 1e-9);
        for start in 0..turns.len() {
            let (mut length, mut turned) = (0.0, 0.0);
            for (frame, turn) in turns.iter().enumerate().skip(start) {
                turned += turn;
                let step = clip.root[frame + 1] - clip.root[frame];
                length += f64::from(step.x.hypot(step.z));
                if length > 1.0 {
                    break;
                }
            }
            assert!(turned <= options.per_metre + 1e-9, "{turned} from {start}");
        }
        let all: f64 = turns.iter().sum();
        assert!(all > 2.0 * options.per_metre, "{all} in eight metres");
    }

    #[test]
    fn the_foot_that_stands_stays() {
        let clip = walk();
        let carried = carried(&clip, -1.5, PivotOptions::default());
        let point = |frame: usize, joint: JointId| {
            let pose = clip.pose(FrameId::from(frame));
            let points = pose_kinematics(&clip.skeleton, pose.root, &pose.rotations).1;
            carried[frame].point3(points[joint.index()])
        };
        let touches = |frame: usize, part: Contacts| clip.contacts[frame].any(part);
        let mut seen = 0;
        for (side, other) in [(Side::Left, Side::Right), (Side::Right, Side::Left)] {
            let leg = clip.skeleton.leg(side).unwrap();
            let (ball, heel) = (Contacts::ball(side), Contacts::heel(side));
            for frame in 1..clip.len() {
                let (joint, part) = match touches(frame, ball) {
                    true => (leg.ball, ball),
                    false => (leg.ankle, heel),
                };
                let alone = !touches(frame, Contacts::foot(other));
                if alone && touches(frame, part) && touches(frame - 1, part) {
                    let slid = (point(frame, joint) - point(frame - 1, joint)).length();
                    assert!(slid < 2e-3, "{slid} m at frame {frame}");
                    seen += 1;
                }
            }
        }
        assert!(seen > 40, "{seen}");
    }

    #[test]
    fn a_wish_that_is_met_turns_little_and_one_that_will_be_not_at_all() {
        let clip = walk();
        let met = carried(&clip, 0.0, PivotOptions::default());
        assert!(met.iter().all(|carried| carried.yaw.abs() < 0.1));
        let mut pivots = Pivots::new(&clip.skeleton, PivotOptions::default());
        for frame in 0..clip.len() {
            let pose = clip.pose(FrameId::from(frame));
            let shown = (&*clip.skeleton, &pose, clip.contacts[frame]);
            pivots.turn_towards((1.0, Some(1.2)), shown, SECONDS);
        }
        assert_eq!(pivots.carried().yaw, 0.0);
    }
}
