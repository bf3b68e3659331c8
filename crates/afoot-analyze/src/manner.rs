//! How a figure moves at each frame, beside its type: how fast, which way it faces, how upright it
//! goes, and what bears it.
//!
//! What a person means by "walk there": facing the way, upright, on the floor. A sneak, a side step
//! and a walk on a beam are walks by their foot plants alone (`classify`), so requests that ask for
//! no more than a walk tell them apart by these values. Travel is taken over a step, hips and torso
//! from the joints that have the roles, so that rest poses do not matter. In: a clip with contacts,
//! on its ground. Out: a value a frame. Cost: linear, one forward kinematics. Not here: what is
//! ordinary (that is for requests to say), and types. Weakness: on stairs the bearing foot alone tells the height.

use afoot_core::{
    Clip, Contacts, FrameId, Ground, Positions, Role, Side, Vec3, forward_kinematics,
};

/// Half of the time over which travel is measured: a step of a walk takes half a second, and the
/// hips sway and twist within it. [s]
const HALF_STEP: f64 = 0.25;
/// Slower than this a figure stands, and faces nowhere in particular. [m/s]
pub const STANDING: f32 = 0.3;

/// How a figure moves at one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Manner {
    /// Over ground. [m/s]
    pub speed: f32,
    /// From the way of travel to where the hips face; 0 while it stands. [rad, -π to π]
    pub aside: f32,
    /// Hips over the ankle that bears, or the lower one, in leg lengths: 1 with straight legs. [≥ 0]
    pub height: f32,
    /// Angle of the torso from upright. [rad, 0 to π]
    pub lean: f32,
    /// Height of the foot that bears, or the lower one, over the floor that feet rest on. [m]
    pub raised: f32,
    /// How high the higher foot is lifted, its ankle and its ball both, in leg lengths: 0.1 to 0.2 in the swing of
    /// walks, 0.3 to 1 over an obstacle or on one leg.
    pub lift: f32,
}

/// The manner of every frame; `None` where the skeleton has no legs.
pub fn measure_manner(clip: &Clip) -> Option<Vec<Manner>> {
    let legs = Side::BOTH.map(|side| clip.skeleton.leg(side));
    let [Some(left), Some(right)] = legs else {
        return None;
    };
    let length = clip.skeleton.leg_length().filter(|length| *length > 0.0)?;
    let body = Body {
        hips: [left.hip.index(), right.hip.index()],
        ankles: [left.ankle.index(), right.ankle.index()],
        balls: [left.ball.index(), right.ball.index()],
        chest: clip
            .skeleton
            .with_role(Role::Neck)
            .or(clip.skeleton.with_role(Role::Chest)),
        length,
    };
    let positions = forward_kinematics(clip);
    let half = clip.rate.frames_in(HALF_STEP).max(1);
    let manner = |frame: usize| {
        let span = frame.saturating_sub(half)..(frame + half).min(clip.len() - 1);
        let seconds = span.len() as f32 * clip.rate.frame_time() as f32;
        let way = match span.is_empty() {
            true => Vec3::ZERO,
            false => (clip.root[span.end] - clip.root[span.start]) / seconds,
        };
        body.manner(clip, &positions, frame, way)
    };
    Some((0..clip.len()).map(manner).collect())
}

/// The points of the body that tell its manner.
struct Body {
    hips: [usize; 2],
    ankles: [usize; 2],
    balls: [usize; 2],
    chest: Option<afoot_core::JointId>,
    /// Of a leg. [m]
    length: f32,
}

impl Body {
    fn manner(&self, clip: &Clip, positions: &Positions, frame: usize, way: Vec3) -> Manner {
        let points = positions.frame(FrameId::from(frame));
        let [left, right] = self.hips.map(|joint| points[joint]);
        let hips = (left + right) * 0.5;
        let speed = way.x.hypot(way.z);
        let bearing = self.bearing(clip.contacts.get(frame), points);
        let ankle = points[self.ankles[bearing.index()]];
        let torso = self
            .chest
            .map_or(Vec3::Y, |chest| points[chest.index()] - hips);
        Manner {
            speed,
            aside: match speed < STANDING {
                true => 0.0,
                false => aside(right - left, way),
            },
            height: (hips.y - ankle.y) / self.length,
            lean: torso.angle_between(Vec3::Y),
            raised: clip
                .ground
                .map_or(0.0, |ground| over_rest(&ground, ankle, bearing)),
            lift: clip.ground.map_or(0.0, |ground| self.lift(&ground, points)),
        }
    }

    /// How high the higher foot is lifted. [leg lengths]
    fn lift(&self, ground: &Ground, points: &[Vec3]) -> f32 {
        let lifted = |side: Side| {
            let ball = points[self.balls[side.index()]];
            let rest = ground.rest[side.index()].ball;
            let ball = ball.y - ground.height_at(ball.x, ball.z) - rest;
            ball.min(over_rest(ground, points[self.ankles[side.index()]], side))
        };
        let [left, right] = Side::BOTH.map(lifted);
        left.max(right).max(0.0) / self.length
    }

    /// The side that bears: the lower foot, of those that touch something if any does.
    fn bearing(&self, contacts: Option<&Contacts>, points: &[Vec3]) -> Side {
        let touches = Side::BOTH.map(|side| contacts.is_some_and(|c| c.any(Contacts::foot(side))));
        match touches {
            [true, false] => Side::Left,
            [false, true] => Side::Right,
            _ => {
                let [left, right] = self.ankles.map(|joint| points[joint].y);
                if left <= right {
                    Side::Left
                } else {
                    Side::Right
                }
            }
        }
    }
}

/// How far an ankle is above where it rests on the floor. [m]
fn over_rest(ground: &Ground, ankle: Vec3, side: Side) -> f32 {
    ankle.y - ground.height_at(ankle.x, ankle.z) - ground.rest[side.index()].ankle
}

/// The angle from a way to where hips face whose right is `right` of their left. [rad, -π to π]
fn aside(across: Vec3, way: Vec3) -> f32 {
    // Facing +z, the right hip is towards -x: the way faced is (across.z, -across.x) on the ground.
    let (x, z) = (across.z, -across.x);
    (x * way.z - z * way.x).atan2(x * way.x + z * way.z)
}
