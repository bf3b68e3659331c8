//! Feet over time: exactly still while planted, rolling over heel and ball, swinging between.
//!
//! A planted heel is an ankle joint at rest, a planted ball a toe joint at rest; the foot turns
//! about the one or the other. The heel of a real foot rolls a little under its ankle; here the
//! ankle stands, so that contacts of joints are exact. For the way through the air see `swing`.

use afoot_core::Side;
use glam::{DQuat, DVec3};

use crate::balance::BodyTrack;
use crate::body::{ANKLE_HEIGHT, BALL_FORWARD, BALL_HEIGHT};
use crate::plan::{Plan, Plant};
use crate::swing::SwingTrack;

/// One foot at one time.
#[derive(Clone, Copy, Debug)]
pub struct FootPose {
    pub ankle: DVec3,
    /// Of the foot in the world.
    pub rotation: DQuat,
    /// Of the foot's flat direction about +y, unwrapped. [rad]
    pub yaw: f64,
    /// Toes bent up against the foot. [rad]
    pub toe: f64,
    pub heel_down: bool,
    pub ball_down: bool,
}

/// The ball joint in the foot's frame. [m]
pub const ANKLE_TO_BALL: DVec3 = DVec3::new(0.0, BALL_HEIGHT - ANKLE_HEIGHT, BALL_FORWARD);
/// How the heel's rise quickens: about a third of its pitch at 60 % of its time, as in walking.
pub const RISE: f64 = 2.0;
/// Toes are slightly up when the foot swings. [rad]
pub const TOE_UP: f64 = 0.10;

/// One foot's plants and the swings between them.
pub struct FootTrack<'a> {
    plan: &'a Plan,
    plants: &'a [Plant],
    swings: Vec<SwingTrack>,
}

impl<'a> FootTrack<'a> {
    pub fn new(plan: &'a Plan, side: Side, body: &BodyTrack) -> Self {
        let plants = &plan.plants[side.index()];
        let swings = plants
            .windows(2)
            .map(|pair| SwingTrack::new(plan, side, [&pair[0], &pair[1]], body))
            .collect();
        Self {
            plan,
            plants,
            swings,
        }
    }

    /// The foot at a time; before the first plant and after the last it rests there.
    pub fn at(&self, time: f64, body: &BodyTrack) -> FootPose {
        let next = self.plants.partition_point(|plant| plant.strike <= time);
        let plant = &self.plants[next.saturating_sub(1)];
        match self.swings.get(next.wrapping_sub(1)) {
            Some(swing) if time >= plant.toe_off => swing.at(self.plan, time, body),
            _ => planted(self.plan, plant, time),
        }
    }
}

/// A planted foot, also a little outside the plant's time.
pub fn planted(plan: &Plan, plant: &Plant, time: f64) -> FootPose {
    let flat = flat_rotation(plan, plant.place.yaw);
    let sole = DVec3::new(plant.place.x, plan.ground(plant.place.z), plant.place.z);
    let ankle_down = sole + flat * DVec3::new(0.0, ANKLE_HEIGHT, 0.0);
    let ball = ankle_down + flat * ANKLE_TO_BALL;
    let (pitch, on_ball) = planted_pitch(plant, time);
    let rotation = flat * DQuat::from_rotation_x(pitch);
    let rolling_in = time < plant.flat && !on_ball;
    FootPose {
        ankle: if on_ball {
            ball - rotation * ANKLE_TO_BALL
        } else {
            ankle_down
        },
        rotation,
        yaw: plant.place.yaw,
        toe: match (on_ball, rolling_in) {
            (true, _) => pitch.max(0.0),
            (false, true) => TOE_UP * pitch / plant.strike_pitch,
            (false, false) => 0.0,
        },
        heel_down: plant.touches(time) && !(on_ball && pitch > 0.0),
        ball_down: plant.touches(time) && !rolling_in,
    }
}

/// Pitch of a planted foot, and whether it turns about the ball.
fn planted_pitch(plant: &Plant, time: f64) -> (f64, bool) {
    if time < plant.flat {
        let u = ((time - plant.strike) / (plant.flat - plant.strike)).max(0.0);
        let pitch = plant.strike_pitch * (1.0 - u * u);
        return (pitch, plant.strike_pitch > 0.0);
    }
    let u = (time - plant.heel_off) / (plant.toe_off - plant.heel_off);
    match u > 0.0 {
        true => (plant.off_pitch * u.powf(RISE), true),
        false => (0.0, false),
    }
}

/// A flat foot on the plan's ground.
pub fn flat_rotation(plan: &Plan, yaw: f64) -> DQuat {
    DQuat::from_rotation_x(-plan.slope.atan()) * DQuat::from_rotation_y(yaw)
}
