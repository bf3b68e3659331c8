//! A leg from the root to the ball of its foot: where a pose puts it, and how the pose is changed so
//! that the foot comes to stand elsewhere.
//!
//! The two-bone solver of `afoot_edit` moves the ankle, bones keep their lengths. A foot that stands on
//! its ball turns about it, so that the knee stays as it was; a centimetre more or less between hip and
//! foot bends a straight knee by ten degrees, and turns a foot by four. So too where the leg would have
//! to be straighter than it was, and than [`STRAIGHT`]. Cost: 0.3 µs to place, 0.5 µs to reach.
//! Weakness: a foot that stands on its heel alone, out of reach, is not helped and falls short.

use afoot_core::{JointId, Leg, Planar, Pose, Quat, Side, Skeleton, Vec3};
use afoot_edit::ik::{EndRotation, LimbGoal, LimbJoints, LimbOptions, reach_with_limb};

/// Share of its length to which a leg is stretched at most, unless it was longer: a knee of 174
/// degrees. Captured walkers come to 170 to 178.
pub(super) const STRAIGHT: f32 = 0.9985;
/// Share from which on it comes nearer to that ever more slowly, likewise: a knee of 160 degrees.
const EASED: f32 = 0.985;
/// Most that a foot is turned about its ball so that its leg reaches: a heel that rises by 6 cm, as
/// at toe-off. [rad]
const HELP: f32 = 0.4;
/// Share of a foot's turn against the body that the hip takes, the knee with it; an ankle gives less.
const HIP_SHARE: f32 = 0.75;
/// Most that it is turned so that its knee stays as it was: 12 degrees, a heel that rises or falls
/// by 3 cm. [rad]
const MOST_GIVE: f32 = 0.21;

/// The joints of a leg and all above them.
#[derive(Clone, Debug)]
pub(super) struct LegChain {
    /// From the root, which is left out, to the ball.
    path: Vec<(JointId, Vec3)>,
    leg: Leg,
    limb: LimbJoints,
    length: f32,
}

/// Where a pose puts a leg.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PlacedLeg {
    pub(super) hip: Vec3,
    pub(super) knee: Vec3,
    pub(super) ankle: Vec3,
    /// The ankle where the foot has no ball.
    pub(super) ball: Vec3,
    /// The foot's rotation in the world.
    pub(super) foot: Quat,
}

impl PlacedLeg {
    /// Where a part of the foot is.
    pub(super) fn point(&self, part: Part) -> Vec3 {
        match part {
            Part::Heel => self.ankle,
            Part::Ball => self.ball,
        }
    }

    /// Which way the foot points. [rad]
    pub(super) fn heading(&self) -> f32 {
        let way = self.ball - self.ankle;
        way.x.atan2(way.z)
    }

    /// The same higher up.
    pub(super) fn raised(mut self, by: f32) -> Self {
        for point in [
            &mut self.hip,
            &mut self.knee,
            &mut self.ankle,
            &mut self.ball,
        ] {
            point.y += by;
        }
        self
    }

    /// The same elsewhere.
    pub(super) fn placed(self, by: Planar) -> Self {
        Self {
            hip: by.point3(self.hip),
            knee: by.point3(self.knee),
            ankle: by.point3(self.ankle),
            ball: by.point3(self.ball),
            foot: by.rotate(self.foot),
        }
    }
}

/// What bears a foot, or will: the part that is led in a straight line between two frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Heel,
    Ball,
}

/// Where a foot is to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Footing {
    /// Of the ankle and, from it, of the ball in the foot's own frame. [m]
    ankle: Vec3,
    toe: Vec3,
    rotation: Quat,
    /// What stands still.
    part: Part,
    /// How much of what would change the knee the foot takes over, turning about its ball. [0..1]
    pub(super) give: f32,
    /// The ankle is not lowered beyond this. [m]
    pub(super) lowest: f32,
    /// How far it is turned about the vertical from where the pose has it. [rad]
    pub(super) twist: f32,
}

impl Footing {
    /// The foot of `leg` turned by `turn`, its `part` moved by `offset`.
    pub(super) fn of(leg: &PlacedLeg, offset: Vec3, turn: Quat, part: Part) -> Self {
        let rotation = (turn * leg.foot).normalize();
        let toe = leg.foot.inverse() * (leg.ball - leg.ankle);
        let ankle = match part {
            Part::Heel => leg.ankle + offset,
            Part::Ball => leg.ball + offset - rotation * toe,
        };
        Self {
            ankle,
            toe,
            rotation,
            part,
            give: 0.0,
            lowest: f32::NEG_INFINITY,
            twist: 0.0,
        }
    }

    /// Where a part of the foot is.
    pub(super) fn point(&self, part: Part) -> Vec3 {
        match part {
            Part::Heel => self.ankle,
            Part::Ball => self.ball(),
        }
    }

    fn ball(&self) -> Vec3 {
        self.ankle + self.rotation * self.toe
    }

    pub(super) fn raise(&mut self, by: f32) {
        self.ankle.y += by;
    }

    /// Turns the foot about its ball by `turn`, a rotation in the world.
    pub(super) fn turn_about_ball(&mut self, turn: Quat) {
        let ball = self.ball();
        self.rotation = (turn * self.rotation).normalize();
        self.ankle = ball - self.rotation * self.toe;
    }

    /// Turns the foot about its ball towards the hip, or away from it as far as the floor lets it.
    fn tip(&mut self, hip: Vec3, turn: f32) {
        let (ball, foot) = (self.ball(), self.ankle - self.ball());
        let Some(axis) = foot.cross(hip - ball).try_normalize() else {
            return;
        };
        let mut turn = turn;
        if turn < 0.0 {
            // How fast the ankle comes down, near enough for turns of some degrees.
            let fall = axis.cross(foot).y;
            let room = (self.ankle.y - self.lowest).max(0.0);
            if fall > 0.0 {
                turn = turn.max(-room / fall);
            }
        }
        self.turn_about_ball(Quat::from_axis_angle(axis, turn));
    }

    /// Between two frames: what stands in the later one moves in a straight line, or not at all.
    pub(super) fn between(from: &Self, to: &Self, share: f32) -> Self {
        let rotation = from.rotation.slerp(to.rotation, share).normalize();
        let toe = from.toe.lerp(to.toe, share);
        let ankle = match to.part {
            Part::Heel => from.ankle.lerp(to.ankle, share),
            Part::Ball => from.ball().lerp(to.ball(), share) - rotation * toe,
        };
        Self {
            ankle,
            toe,
            rotation,
            part: to.part,
            give: from.give + (to.give - from.give) * share,
            lowest: to.lowest,
            twist: from.twist + (to.twist - from.twist) * share,
        }
    }
}

impl LegChain {
    /// The leg of a side, if it is known.
    pub(super) fn new(skeleton: &Skeleton, side: Side) -> Option<Self> {
        let leg = skeleton.leg(side)?;
        let limb = LimbJoints::leg(skeleton, side)?;
        let mut path = Vec::new();
        let mut at = leg.ball;
        while let Some(above) = skeleton.joint(at).parent {
            path.push((at, skeleton.joint(at).offset));
            at = above;
        }
        path.reverse();
        let thigh = skeleton.path_length(leg.hip, leg.knee)?;
        let shank = skeleton.path_length(leg.knee, leg.ankle)?;
        Some(Self {
            path,
            leg,
            limb,
            length: thigh + shank,
        })
    }

    /// Where a root and local rotations put the leg.
    pub(super) fn place(&self, root: Vec3, local: &[Quat]) -> PlacedLeg {
        let mut placed = PlacedLeg::default();
        let (mut point, mut rotation) = (root, local[0]);
        for &(joint, offset) in &self.path {
            point += rotation * offset;
            rotation *= local[joint.index()];
            if joint == self.leg.hip {
                placed.hip = point;
            } else if joint == self.leg.knee {
                placed.knee = point;
            } else if joint == self.leg.ankle {
                (placed.ankle, placed.foot) = (point, rotation);
            }
        }
        placed.ball = point;
        placed
    }

    /// How far from its hip the ankle may be put, where the pose has it at `distance`. [m]
    pub(super) fn reach_from(&self, distance: f32) -> f32 {
        distance.max(STRAIGHT * self.length)
    }

    /// How far from its hip the ankle is put that is wanted at `distance`, where the pose has it at `captured`. [m]
    fn eased_reach(&self, distance: f32, captured: f32) -> f32 {
        let longest = self.reach_from(captured);
        let from = captured.max(EASED * self.length).min(longest);
        let (room, excess) = (longest - from, distance - from);
        match excess <= 0.0 || room < 1e-6 {
            true => distance.min(longest),
            false => from + room * (1.0 - (-excess / room).exp()),
        }
    }

    /// Changes a pose so that the foot is where it is to be, or as near as the leg can.
    pub(super) fn reach(&self, skeleton: &Skeleton, pose: &mut Pose, mut footing: Footing) {
        let leg = self.place(pose.root, &pose.rotations);
        self.swivel(pose, &leg, HIP_SHARE * footing.twist);
        let captured = leg.ankle.distance(leg.hip);
        let turn = turn_to(&footing, leg.hip, captured);
        footing.tip(
            leg.hip,
            MOST_GIVE * (turn / MOST_GIVE).tanh() * footing.give,
        );
        // A leg comes to its full length ever more slowly, so that its knee meets no stop: a foot on its ball
        // turns about that, another one falls some millimetres short.
        let distance = footing.ankle.distance(leg.hip);
        let eased = self.eased_reach(distance, captured);
        if footing.part == Part::Ball && distance > eased {
            let turn = turn_to(&footing, leg.hip, eased);
            footing.tip(leg.hip, turn.clamp(0.0, HELP));
        }
        footing.ankle = leg.hip + (footing.ankle - leg.hip).clamp_length_max(eased);
        let goal = LimbGoal {
            target: footing.ankle,
            rotation: EndRotation::Set(footing.rotation),
            options: LimbOptions {
                soft: 1.0 - STRAIGHT,
                ..LimbOptions::default()
            },
        };
        let local = (pose.root, pose.rotations.as_mut_slice());
        // A pose that is no number is returned as it is.
        let _ = reach_with_limb(skeleton, local, &self.limb, &goal);
    }
}

impl LegChain {
    /// Turns a leg about the line from its hip to its ankle: the knee goes with the foot.
    fn swivel(&self, pose: &mut Pose, leg: &PlacedLeg, by: f32) {
        let down = leg.ankle - leg.hip;
        let Some(axis) = down.try_normalize().filter(|_| by.abs() > 1e-4) else {
            return;
        };
        // About the vertical a turn is positive to the left; the leg points down.
        let turn = Quat::from_axis_angle(-axis, by);
        let above = self
            .path
            .iter()
            .take_while(|(joint, _)| *joint != self.leg.hip);
        let parent = above.fold(pose.rotations[0], |rotation, (joint, _)| {
            rotation * pose.rotations[joint.index()]
        });
        let hip = &mut pose.rotations[self.leg.hip.index()];
        *hip = (parent.inverse() * turn * parent * *hip).normalize();
    }
}

/// The turn of the foot about its ball, towards the hip, that brings the ankle to `distance` from it.
fn turn_to(footing: &Footing, hip: Vec3, distance: f32) -> f32 {
    let (to_hip, to_ankle) = (hip - footing.ball(), footing.ankle - footing.ball());
    let (far, long) = (to_hip.length(), to_ankle.length());
    if far * long < 1e-6 {
        return 0.0;
    }
    let cosine = (far * far + long * long - distance * distance) / (2.0 * far * long);
    to_ankle.angle_between(to_hip) - cosine.clamp(-1.0, 1.0).acos()
}
