//! Small turns of a steered figure towards the wish, about the foot that it stands on.
//!
//! The edit budget of Reitsma and Pollard 2004 (eq. 3) is 25 degrees per metre; a foot that carries
//! the body alone may twist under it more than that. Planted feet of the captured walks twist by 48
//! degrees in one of ten plants; 45 degrees per metre are some 30 per step. It holds for every metre
//! of the way: it may be spent at once, when the wish is new, and is earned back by moving on. The foot
//! itself stays as it points (`foothold`): the body turns over it as far as the hip gives, and the next foot is
//! put down in the new direction. About two planted feet nothing turns, and in flight a turn neither begins nor
//! ends. A turn begins no faster than [`START`] and has ended when the support changes. In: a frame's root
//! before pivots, and what bears it. Out: the transform that carries it.

use afoot_core::{Planar, Vec3, wrap_angle};

use super::feet::{Bearing, Support};

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
            speed: 150f64.to_radians(),
        }
    }
}

/// Fastest change of a turn's speed; a root 0.25 m from its foot accelerates by 6 m/s² then, half of
/// what captured walkers reach. [rad/s²]
const START: f64 = 24.0;

/// What is left of the budget is spent no faster than in this time. [s]
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
    /// What was last turned about, in the world.
    center: Vec3,
}

impl Pivots {
    pub(super) fn new(options: PivotOptions) -> Self {
        Self {
            options,
            carried: Planar::IDENTITY,
            turn: 0.0,
            spent: [0.0; CELLS],
            into: 0.0,
            velocity: [0.0; 2],
            before: None,
            center: Vec3::ZERO,
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

    /// Shifts all frames from now on. [m]
    pub(super) fn shift(&mut self, by: Vec3) {
        self.carried.x += f64::from(by.x);
        self.carried.z += f64::from(by.z);
    }

    /// Takes the next frame, of `seconds`, by its root before pivots and what bears it, and turns a
    /// little towards `direction`. `soon` is the way that the frames to come take before pivots, a
    /// yaw, if they move.
    pub(super) fn turn_towards(
        &mut self,
        direction: f64,
        soon: Option<f64>,
        root: Vec3,
        bearing: Bearing,
        seconds: f64,
    ) {
        let moved = self.follow(root, seconds);
        let (wanted, center) = match bearing {
            Bearing::Flight => (self.turn, self.carried.point3(root)),
            Bearing::Both => (0.0, self.center),
            Bearing::One(Support {
                center,
                lasts,
                room: [right, left],
            }) => {
                // Never faster than it can be stopped before the support changes, or the foot must give.
                let most = START * (lasts - seconds).max(0.0);
                let stop = |room: f64| most.min(room / FADE.max(seconds));
                let speed = self.wanted_speed(direction, soon, seconds);
                (speed.clamp(-stop(right), stop(left)) * seconds, center)
            }
        };
        let step = START * seconds * seconds;
        self.turn += (wanted - self.turn).clamp(-step, step);
        let left = self.left();
        self.turn = self.turn.clamp(-left, left);
        self.spend(moved);
        self.center = center;
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
}

fn turn_about(center: Vec3, turn: f64) -> Planar {
    let (x, z) = (f64::from(center.x), f64::from(center.z));
    let [moved_x, moved_z] = Planar::new(0.0, 0.0, turn).point([x, z]);
    Planar::new(x - moved_x, z - moved_z, turn)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use afoot_core::{Clip, Contacts, FrameId, JointId, Side, pose_kinematics};
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

    fn point(clip: &Clip, frame: usize, joint: JointId) -> Vec3 {
        let pose = clip.pose(FrameId::from(frame));
        pose_kinematics(&clip.skeleton, pose.root, &pose.rotations).1[joint.index()]
    }

    /// The joint and the contact by which a foot stands: its ball if that touches, else its heel.
    fn standing(clip: &Clip, frame: usize, side: Side) -> Option<(JointId, Contacts)> {
        let leg = clip.skeleton.leg(side).unwrap();
        let parts = [
            (leg.ball, Contacts::ball(side)),
            (leg.ankle, Contacts::heel(side)),
        ];
        let touches = |part: Contacts| clip.contacts[frame].any(part);
        parts.into_iter().find(|&(_, part)| touches(part))
    }

    fn bearing(clip: &Clip, frame: usize, carried: Planar) -> Bearing {
        let stands = |frame| Side::BOTH.map(|side| standing(clip, frame, side));
        let sides = |frame| stands(frame).map(|foot| foot.is_some());
        let (joint, _) = match stands(frame) {
            [None, None] => return Bearing::Flight,
            [Some(foot), None] | [None, Some(foot)] => foot,
            _ => return Bearing::Both,
        };
        let lasts = (frame..clip.len()).take_while(|&later| sides(later) == sides(frame));
        Bearing::One(Support {
            center: carried.point3(point(clip, frame, joint)),
            lasts: lasts.count() as f64 * SECONDS,
            room: [1.0; 2],
        })
    }

    /// The transforms that carry each frame of a straight walk while `wish` is wished.
    fn carried(
        clip: &Clip,
        direction: f64,
        soon: Option<f64>,
        options: PivotOptions,
    ) -> Vec<Planar> {
        let mut pivots = Pivots::new(options);
        let frame = |frame: usize| {
            let bearing = bearing(clip, frame, pivots.carried());
            pivots.turn_towards(direction, soon, clip.root[frame], bearing, SECONDS);
            pivots.carried()
        };
        (0..clip.len()).map(frame).collect()
    }

    #[test]
    fn no_metre_takes_more_than_its_budget() {
        let (clip, options) = (walk(), PivotOptions::default());
        let carried = carried(&clip, 3.0, None, options);
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
        let carried = carried(&clip, -1.5, None, PivotOptions::default());
        let mut seen = 0;
        for (side, other) in [(Side::Left, Side::Right), (Side::Right, Side::Left)] {
            for frame in 1..clip.len() {
                let Some((joint, part)) = standing(&clip, frame, side) else {
                    continue;
                };
                let before = standing(&clip, frame - 1, side).map(|(_, part)| part);
                if before == Some(part) && standing(&clip, frame, other).is_none() {
                    let at = |frame: usize| carried[frame].point3(point(&clip, frame, joint));
                    let slid = (at(frame) - at(frame - 1)).length();
                    assert!(slid < 2e-3, "{slid} m at frame {frame}");
                    seen += 1;
                }
            }
        }
        assert!(seen > 40, "{seen}");
    }

    #[test]
    fn turns_begin_softly_and_have_ended_when_the_support_changes() {
        let clip = walk();
        let carried = carried(&clip, 1.5, None, PivotOptions::default());
        let speed = |frame: usize| (carried[frame].yaw - carried[frame - 1].yaw) / SECONDS;
        let mut fastest = 0.0f64;
        for frame in 2..clip.len() {
            let change = (speed(frame) - speed(frame - 1)).abs() / SECONDS;
            assert!(change <= START + 1e-6, "{change} rad/s² at frame {frame}");
            fastest = fastest.max(speed(frame).abs());
            let sides = |frame| Side::BOTH.map(|side| standing(&clip, frame, side).is_some());
            if sides(frame) != sides(frame - 1) {
                let left = speed(frame).abs();
                assert!(
                    left <= START * SECONDS + 1e-6,
                    "{left} rad/s at frame {frame}"
                );
            }
        }
        assert!(fastest > 0.8, "{fastest} rad/s");
    }

    #[test]
    fn a_wish_that_is_met_turns_little_and_one_that_will_be_not_at_all() {
        let clip = walk();
        let met = carried(&clip, 0.0, None, PivotOptions::default());
        assert!(met.iter().all(|carried| carried.yaw.abs() < 0.1));
        let coming = carried(&clip, 1.0, Some(1.2), PivotOptions::default());
        assert!(coming.iter().all(|carried| carried.yaw == 0.0));
    }
}
