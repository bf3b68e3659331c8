//! A captured walk as the model sees it: legs, floor, way, and where each foot stands (§6.2.2).

use afoot_core::{Clip, Contacts, FootRest, Ground, Side};
use glam::Vec3;

use super::StrideError;
use super::way::Way;
use crate::leg::{LegPath, LegPose, legs_of};
use crate::plants::{Plant, plants_of};

/// A captured walk.
pub(crate) struct Walk<'a> {
    pub clip: &'a Clip,
    pub legs: [LegPath; 2],
    /// The legs of every frame, left then right.
    pub poses: [Vec<LegPose>; 2],
    /// The floor, with rest heights of the feet's joints.
    pub ground: Ground,
    pub way: Way,
    /// In the order of their strikes.
    pub falls: Vec<Footfall>,
}

/// A foot on the ground, and where.
#[derive(Clone, Debug)]
pub(crate) struct Footfall {
    pub plant: Plant,
    /// The floor under the ball of the foot. [m]
    pub pivot: Vec3,
    /// How far along the way that is. [m]
    pub arc: f32,
    /// Where the toes point. [rad]
    pub yaw: f32,
    /// How far the sole goes behind the pivot and ahead of it. [m]
    pub sole: [f32; 2],
    /// A frame in which the foot lies flat.
    pub flat: usize,
}

/// A walk that goes less far does not travel. [m]
const LEAST_WAY: f32 = 0.3;
/// The heel reaches this far behind the ankle, in parts of the way from ankle to ball.
const HEEL_BEHIND: f32 = 0.3;

impl<'a> Walk<'a> {
    /// Finds legs, floor, way and footfalls of a clip.
    pub fn of(clip: &'a Clip) -> Result<Self, StrideError> {
        let name = || clip.name.clone();
        let legs = legs_of(&clip.skeleton).ok_or_else(|| StrideError::NoLegs { clip: name() })?;
        if clip.contacts.len() != clip.len() {
            return Err(StrideError::NoContacts { clip: name() });
        }
        let plants = plants_of(clip);
        let sides = Side::BOTH.map(|side| plants.iter().any(|plant| plant.side == side));
        if plants.len() < 3 || sides != [true; 2] {
            let found = plants.len();
            return Err(StrideError::TooFewPlants {
                clip: name(),
                found,
            });
        }
        let poses = [0, 1].map(|side| {
            let leg: &LegPath = &legs[side];
            (0..clip.len())
                .map(|frame| leg.of_frame(clip, frame))
                .collect()
        });
        let ground = floor_of(clip, &poses);
        let way = Way::of(&clip.root, stride_frames(&plants, clip));
        if way.length() < LEAST_WAY {
            let metres = way.length();
            return Err(StrideError::NoTravel {
                clip: name(),
                metres,
            });
        }
        let mut walk = Self {
            clip,
            legs,
            poses,
            ground,
            way,
            falls: Vec::new(),
        };
        walk.falls = plants
            .into_iter()
            .map(|plant| walk.footfall(plant))
            .collect();
        Ok(walk)
    }

    /// The own floor under a point. [m]
    pub fn floor(&self, point: Vec3) -> f32 {
        self.ground.height_at(point.x, point.z)
    }

    /// Rest heights of a foot.
    pub fn rest(&self, side: Side) -> FootRest {
        self.ground.rest[side.index()]
    }

    /// The mean length of its steps along the way. [m]
    pub fn mean_step(&self) -> f32 {
        let first = &self.falls[0];
        let last = &self.falls[self.falls.len() - 1];
        (last.arc - first.arc) / (self.falls.len() - 1) as f32
    }

    /// How high the lower of ankle and ball is over where they rest. [m]
    pub fn clearance(&self, side: Side, frame: usize) -> f32 {
        let (pose, rest) = (&self.poses[side.index()][frame], self.rest(side));
        let ankle = pose.ankle.y - self.floor(pose.ankle) - rest.ankle;
        let ball = pose.ball.y - self.floor(pose.ball) - rest.ball;
        ankle.min(ball)
    }

    fn footfall(&self, plant: Plant) -> Footfall {
        let side = plant.side;
        let poses = &self.poses[side.index()];
        let flat = flat_frame(self.clip, &plant);
        let ball_down = |frame: &usize| self.clip.contacts[*frame].any(Contacts::ball(side));
        let held: Vec<usize> = plant.frames.clone().filter(ball_down).collect();
        let pivot = match held.is_empty() {
            true => poses[flat].ball,
            false => held.iter().map(|f| poses[*f].ball).sum::<Vec3>() / held.len() as f32,
        };
        let pivot = pivot.with_y(self.floor(pivot));
        let pose = &poses[flat];
        let ahead = (pose.ball - pose.ankle).with_y(0.0);
        let tangent = self.way.tangent(flat);
        let toes = (pose.toes * self.legs[side.index()].tip).with_y(0.0);
        let along = |away: Vec3| away.dot(tangent);
        Footfall {
            pivot,
            arc: self.way.along(flat, pivot),
            yaw: ahead.x.atan2(ahead.z),
            sole: [
                along(ahead).max(0.0) * (1.0 + HEEL_BEHIND),
                along(toes).max(0.02),
            ],
            flat,
            plant,
        }
    }
}

/// The frame in the middle of those in which heel and ball are down; of the plant, if there are none.
fn flat_frame(clip: &Clip, plant: &Plant) -> usize {
    let both = |frame: &usize| {
        let contacts = clip.contacts[*frame];
        contacts.any(Contacts::heel(plant.side)) && contacts.any(Contacts::ball(plant.side))
    };
    let flat: Vec<usize> = plant.frames.clone().filter(both).collect();
    match flat.get(flat.len() / 2) {
        Some(frame) => *frame,
        None => plant.middle(),
    }
}

/// Frames of a stride: from a foot's strike to its next one, in the median.
fn stride_frames(plants: &[Plant], clip: &Clip) -> usize {
    let strikes = |side: Side| {
        let own = plants.iter().filter(move |plant| plant.side == side);
        let starts: Vec<usize> = own.map(|plant| plant.frames.start).collect();
        starts
            .windows(2)
            .map(|pair| pair[1] - pair[0])
            .collect::<Vec<_>>()
    };
    let mut times: Vec<usize> = Side::BOTH.into_iter().flat_map(strikes).collect();
    times.sort_unstable();
    let second = clip.rate.frames_in(1.0).max(2);
    times
        .get(times.len() / 2)
        .copied()
        .unwrap_or(second)
        .clamp(second / 2, 3 * second)
}

/// The clip's floor; a level one through its planted feet where it has none, and rest heights from them
/// where it tells none.
fn floor_of(clip: &Clip, poses: &[Vec<LegPose>; 2]) -> Ground {
    let mut ground = clip.ground.unwrap_or_else(|| Ground::level(f32::NAN));
    let told = ground.rest != [FootRest::default(); 2];
    if told && ground.height.is_finite() {
        return ground;
    }
    let median = |side: Side, part: Contacts, of: fn(&LegPose) -> Vec3, level: bool| {
        let down = (0..clip.len()).filter(|frame| clip.contacts[*frame].any(part));
        let mut heights: Vec<f32> = down
            .map(|frame| {
                let at = of(&poses[side.index()][frame]);
                let floor = if level {
                    0.0
                } else {
                    ground.height_at(at.x, at.z)
                };
                at.y - floor
            })
            .collect();
        heights.sort_by(f32::total_cmp);
        heights.get(heights.len() / 2).copied()
    };
    let level = !ground.height.is_finite();
    let rests = Side::BOTH.map(|side| {
        let ball = median(side, Contacts::ball(side), |pose| pose.ball, level);
        let ankle = median(side, Contacts::heel(side), |pose| pose.ankle, level);
        let ball = ball.or(ankle).unwrap_or(0.0);
        let ankle = ankle.unwrap_or(ball);
        FootRest { ankle, ball }
    });
    if level {
        ground = Ground::level(rests[0].ball.min(rests[1].ball));
    }
    let base = if level { ground.height } else { 0.0 };
    ground.rest = rests.map(|rest| FootRest {
        ankle: rest.ankle - base,
        ball: rest.ball - base,
    });
    ground
}

/// The points of a sole that must not pass through anything: heel, ball and tip of the toes.
pub(crate) struct Sole {
    /// From the ankle to the heel's underside, in the foot's frame. [m]
    heel: Vec3,
    tip: Vec3,
    /// How high ball and tip are over the floor while they lie on it. [m]
    low: [f32; 2],
}

impl Walk<'_> {
    /// The sole of a foot, as it lies in its plants.
    pub fn sole(&self, side: Side) -> Sole {
        let fall = self.falls.iter().find(|fall| fall.plant.side == side);
        let flat = fall.map_or(0, |fall| fall.flat);
        let (pose, rest) = (&self.poses[side.index()][flat], self.rest(side));
        let ahead = (pose.ball - pose.ankle).with_y(0.0);
        let tip = self.legs[side.index()].tip;
        let at = pose.ball + pose.toes * tip;
        Sole {
            heel: pose.foot.inverse() * (-ahead * HEEL_BEHIND - Vec3::Y * rest.ankle),
            tip,
            low: [rest.ball, at.y - self.floor(at)],
        }
    }
}

impl Sole {
    /// Its points as seen from the ankle of a captured pose, in the world. [m]
    pub fn points(&self, pose: &LegPose) -> [Vec3; 3] {
        let ball = pose.ball - pose.ankle;
        [
            pose.foot * self.heel,
            ball - Vec3::Y * self.low[0],
            ball + pose.toes * self.tip - Vec3::Y * self.low[1],
        ]
    }
}
