//! What root, legs and feet do at each frame: the values that are compared with captured motion.
//!
//! Differences are taken over steps of about 1/30 s, so that rates may differ. Out: a value a frame
//! and measure, empty where the skeleton has no such joints. Metres, seconds, radians. Cost: linear.

use afoot_core::{Clip, FrameId, Ground, JointId, Leg, Positions, Side, segment_gap};
use glam::{Quat, Vec3};

use super::terrain::Terrain;
use crate::speed::SPEED_WINDOW;

/// A motion as it is compared, a value a frame each.
#[derive(Clone, Debug, Default)]
pub(super) struct Course {
    /// The root's speed over ground. [m/s]
    pub root_speed: Vec<f32>,
    /// Its acceleration in space. [m/s²]
    pub root_acceleration: Vec<f32>,
    /// Acceleration of the angle hip, knee, ankle: the larger of both legs. [rad/s²]
    pub knee_acceleration: Vec<f32>,
    /// Angular acceleration of the foot against the shin: the larger of both. [rad/s²]
    pub ankle_acceleration: Vec<f32>,
    /// Height of the hip joints' middle over the floor. [m]
    pub hip_height: Vec<f32>,
    /// The angle hip, knee, ankle, left then right; π is straight. [rad]
    pub knees: [Vec<f32>; 2],
    /// Least distance between the lower legs, shin or foot. [m]
    pub gap: Vec<f32>,
}

/// What the height of hips is measured from.
pub(super) struct HipFloor<'a> {
    pub ground: Ground,
    pub terrain: Option<&'a Terrain>,
}

impl HipFloor<'_> {
    /// How high a point of the body is carried. [m]
    pub fn height_of(&self, at: Vec3) -> f32 {
        let terrain = self.terrain.map_or(0.0, |terrain| terrain.around(at));
        height_over(at, &self.ground) - terrain
    }
}

/// Measures a clip; hips need the floor.
pub(super) fn measure_course(
    clip: &Clip,
    positions: &Positions,
    floor: Option<&HipFloor>,
) -> Course {
    let steps = Steps::of(clip);
    let root = |frame: usize| clip.root[frame];
    let mut course = Course {
        root_speed: steps.map(
            |[from, _, to]| (root(to) - root(from)).with_y(0.0).length(),
            2.0,
        ),
        root_acceleration: steps.second(|[a, b, c]| (root(a) - 2.0 * root(b) + root(c)).length()),
        ..Course::default()
    };
    let [Some(left), Some(right)] = Side::BOTH.map(|side| clip.skeleton.leg(side)) else {
        return course;
    };
    let legs = [left, right];
    let frames = (0..clip.len()).map(FrameId::from);
    course.knees = legs.map(|leg| {
        let angle = |frame| knee_angle(positions.frame(frame), leg);
        frames.clone().map(angle).collect()
    });
    let bend = |angles: &[f32], [a, b, c]: [usize; 3]| angles[a] - 2.0 * angles[b] + angles[c];
    let knees = &course.knees;
    course.knee_acceleration =
        steps.second(|at| bend(&knees[0], at).abs().max(bend(&knees[1], at).abs()));
    course.ankle_acceleration = steps.second(|at| {
        let bends = legs.map(|leg| turn_change(clip, leg.ankle, at));
        bends[0].max(bends[1])
    });
    course.gap = frames
        .clone()
        .map(|f| leg_gap(positions.frame(f), legs))
        .collect();
    if let Some(floor) = floor {
        let height = |frame| floor.height_of(hips(positions.frame(frame), legs));
        course.hip_height = frames.map(height).collect();
    }
    course
}

/// Frames a thirtieth of a second apart.
struct Steps {
    frames: usize,
    reach: usize,
    seconds: f32,
}

impl Steps {
    fn of(clip: &Clip) -> Self {
        let reach = ((SPEED_WINDOW / clip.rate.frame_time()).round() as usize).max(1);
        Self {
            frames: clip.len(),
            reach,
            seconds: (reach as f64 * clip.rate.frame_time()) as f32,
        }
    }

    /// A length over `steps` steps around each frame, per second; 0 at the ends.
    fn map(&self, length: impl Fn([usize; 3]) -> f32, steps: f32) -> Vec<f32> {
        let around = |frame: usize| {
            let before = frame.checked_sub(self.reach)?;
            let after = frame + self.reach;
            (after < self.frames).then_some([before, frame, after])
        };
        (0..self.frames)
            .map(|frame| around(frame).map_or(0.0, &length) / (steps * self.seconds))
            .collect()
    }

    /// A second difference around each frame, per second squared; 0 at the ends.
    fn second(&self, difference: impl Fn([usize; 3]) -> f32) -> Vec<f32> {
        self.map(difference, self.seconds)
    }
}

/// The angle hip, knee, ankle. [rad]
pub(super) fn knee_angle(points: &[Vec3], leg: Leg) -> f32 {
    let knee = points[leg.knee.index()];
    let (up, down) = (
        points[leg.hip.index()] - knee,
        points[leg.ankle.index()] - knee,
    );
    // the sum of unit vectors is exact near straight, where the cosine is not
    let (up, down) = (up.normalize_or_zero(), down.normalize_or_zero());
    2.0 * (up - down).length().atan2((up + down).length())
}

/// The middle of the hip joints.
pub(super) fn hips(points: &[Vec3], [left, right]: [Leg; 2]) -> Vec3 {
    0.5 * (points[left.hip.index()] + points[right.hip.index()])
}

pub(super) fn height_over(at: Vec3, ground: &Ground) -> f32 {
    at.y - ground.height_at(at.x, at.z)
}

/// How much a joint's turn changes from one step to the next. [rad]
fn turn_change(clip: &Clip, joint: JointId, [a, b, c]: [usize; 3]) -> f32 {
    let at = |frame: usize| clip.rotation(FrameId::from(frame), joint);
    let turn = |from: Quat, to: Quat| {
        let turn = from.conjugate() * to;
        let nearer = if turn.w < 0.0 { -turn } else { turn };
        nearer.to_scaled_axis()
    };
    (turn(at(b), at(c)) - turn(at(a), at(b))).length()
}

/// Least distance between shin or foot of one leg and shin or foot of the other. [m]
fn leg_gap(points: &[Vec3], legs: [Leg; 2]) -> f32 {
    let bones = legs.map(|leg| {
        let [knee, ankle, ball] = [leg.knee, leg.ankle, leg.ball].map(|j| points[j.index()]);
        [[knee, ankle], [ankle, ball]]
    });
    let pairs = bones[0]
        .iter()
        .flat_map(|a| bones[1].iter().map(move |b| (a, b)));
    pairs
        .map(|(a, b)| segment_gap(*a, *b).length())
        .fold(f32::INFINITY, f32::min)
}
