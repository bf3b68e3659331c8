//! What a body's centre of mass and feet tell about time: falls, flights, steps.
//!
//! The proxy for the centre of mass weighs the limbs by roles (segment masses and centres after
//! Winter 2009, table 4.1); segments whose joints are unknown are left out. A fall is a window in
//! which its height is a parabola; a flight is a fall with about g while no foot rests.

use std::ops::Range;

use afoot_core::{
    Clip, FrameId, FrameRate, JointId, Positions, Range32, Role, Side, Skeleton, Vec3, yaw_of,
};

use super::rate::{Fall, GRAVITY};
use crate::series::quantile;

/// Window of the parabola fits, at the rate that the file claims. [s]
const FALL_SECONDS: f64 = 14.0 / 120.0;
/// A flight that confirms a rate is a little longer. [s]
const FLIGHT_SECONDS: f64 = 0.15;
/// A parabola through fewer frames says nothing about its fit.
const LEAST_WINDOW: usize = 7;
/// Largest root mean square distance from the parabola. [m]
const RESIDUAL: f32 = 0.004;
/// What a flight may fall with. [g]
const FLIGHT: Range<f32> = 0.75..1.3;
/// A foot that is slower rests; in a walk at twice its speed too. [m/s]
const RESTING: f32 = 0.4;
/// Share of a flight's frames in which a foot may be slow: it is at the top of a jump.
const RESTING_SHARE: f32 = 0.34;
/// How far the ankles pass each other in a step at least. [m]
const STEP: f32 = 0.12;
/// Fewer steps than this give no rate.
const LEAST_STEPS: usize = 6;
/// A step that gets on. [leg lengths]
const LONG_STEP: f32 = 0.5;
/// Fewer such steps tell nothing.
const LEAST_LONG_STEPS: usize = 2;

/// Segments from joint to joint: share of the body's mass, and where along it the mass sits.
const TRUNK: [(Role, Role, f32, f32); 3] = [
    (Role::Hips, Role::Spine, 0.142, 0.5),
    (Role::Spine, Role::Neck, 0.355, 0.5),
    (Role::Neck, Role::Head, 0.081, 1.0),
];

fn limbs(side: Side) -> [(Role, Role, f32, f32); 5] {
    [
        (Role::UpLeg(side), Role::Leg(side), 0.100, 0.433),
        (Role::Leg(side), Role::Foot(side), 0.0465, 0.433),
        (Role::Foot(side), Role::Toe(side), 0.0145, 0.5),
        (Role::Arm(side), Role::ForeArm(side), 0.028, 0.436),
        (Role::ForeArm(side), Role::Hand(side), 0.022, 0.6),
    ]
}

/// The height of the centre of mass in each frame, if at least two thirds of the mass are known.
pub(super) fn centre_heights(clip: &Clip, positions: &Positions) -> Option<Vec<f32>> {
    let segments: Vec<(JointId, JointId, f32, f32)> = TRUNK
        .into_iter()
        .chain(Side::BOTH.into_iter().flat_map(limbs))
        .filter_map(|(from, to, mass, at)| {
            let joint = |role| joint_or_next(&clip.skeleton, role);
            Some((joint(from)?, joint(to)?, mass, at))
        })
        .collect();
    let mass: f32 = segments.iter().map(|segment| segment.2).sum();
    let height = |frame: usize| -> f32 {
        let y = |joint| positions.joint(FrameId::from(frame), joint).y;
        let part =
            |&(a, b, m, at): &(JointId, JointId, f32, f32)| m * (y(a) * (1.0 - at) + y(b) * at);
        segments.iter().map(part).sum::<f32>() / mass
    };
    (mass > 0.66).then(|| (0..clip.len()).map(height).collect())
}

/// The joint of a role; short spines lack some, then the next one up ends the segment.
fn joint_or_next(skeleton: &Skeleton, role: Role) -> Option<JointId> {
    let next = match role {
        Role::Spine => Some(Role::Chest),
        Role::Neck => Some(Role::Head),
        _ => None,
    };
    let found = skeleton.with_role(role);
    found.or_else(|| next.and_then(|role| skeleton.with_role(role)))
}

/// The fastest clean fall within `kept` that touches no frame of `spoilt`.
pub(super) fn fastest_fall(
    heights: &[f32],
    kept: Range<usize>,
    rate: FrameRate,
    spoilt: &[Range32],
) -> Option<Fall> {
    windows(kept, rate.frames_in(FALL_SECONDS), spoilt)
        .map(|frames| fit_fall(heights, frames, rate))
        .filter(|fall| fall.residual < RESIDUAL)
        .max_by(|a, b| a.acceleration.total_cmp(&b.acceleration))
}

/// Whether the clip flies with about g somewhere, no foot at rest.
pub(super) fn has_flight(
    heights: &[f32],
    foot_speeds: &[f32],
    kept: Range<usize>,
    rate: FrameRate,
) -> bool {
    let resting = |frames: Range32| {
        let speeds = &foot_speeds[frames.start as usize..frames.end as usize];
        let slow = speeds.iter().filter(|&&speed| speed < RESTING).count();
        slow as f32 / speeds.len() as f32
    };
    windows(kept, rate.frames_in(FLIGHT_SECONDS), &[])
        .map(|frames| fit_fall(heights, frames, rate))
        .filter(|fall| fall.residual < RESIDUAL)
        .filter(|fall| FLIGHT.contains(&(fall.acceleration / GRAVITY)))
        .any(|fall| resting(fall.frames) <= RESTING_SHARE)
}

fn windows(
    kept: Range<usize>,
    length: usize,
    spoilt: &[Range32],
) -> impl Iterator<Item = Range32> + '_ {
    let length = length.max(LEAST_WINDOW);
    let starts = kept.start..(kept.end + 1).saturating_sub(length).max(kept.start);
    let window = move |start: usize| Range32 {
        start: start as u32,
        end: (start + length) as u32,
    };
    let clean = |frames: &Range32| spoilt.iter().all(|s| s.intersect(*frames).is_empty());
    starts.map(window).filter(clean)
}

/// The parabola through the heights of a window, by least squares on orthogonal polynomials.
pub(crate) fn fit_fall(heights: &[f32], frames: Range32, rate: FrameRate) -> Fall {
    let heights = &heights[frames.start as usize..frames.end as usize];
    let count = heights.len() as f64;
    let middle = (count - 1.0) / 2.0;
    let time = |index: usize| (index as f64 - middle) * rate.frame_time();
    let mean_square = (0..heights.len()).map(|i| time(i).powi(2)).sum::<f64>() / count;
    let mean = heights.iter().map(|&h| f64::from(h)).sum::<f64>() / count;
    let (mut slope, mut bend, mut bends, mut rest) = (0.0, 0.0, 0.0, 0.0);
    for (index, &height) in heights.iter().enumerate() {
        let (t, h) = (time(index), f64::from(height) - mean);
        let curve = t * t - mean_square;
        slope += t * h;
        bend += curve * h;
        bends += curve * curve;
        rest += h * h;
    }
    let explained = slope * slope / (mean_square * count) + bend * bend / bends;
    Fall {
        frames,
        acceleration: (-2.0 * bend / bends) as f32,
        residual: ((rest - explained).max(0.0) / count).sqrt() as f32,
    }
}

/// The slower foot's speed in each frame (ball, or ankle where there is no ball). [m/s]
pub(super) fn slower_foot(clip: &Clip, positions: &Positions) -> Option<Vec<f32>> {
    let foot = |side| {
        let toe = clip.skeleton.with_role(Role::Toe(side));
        toe.or(clip.skeleton.with_role(Role::Foot(side)))
    };
    let (left, right) = (foot(Side::Left)?, foot(Side::Right)?);
    let speed = |frame: usize, joint| {
        let (from, to) = (frame.saturating_sub(1), (frame + 1).min(clip.len() - 1));
        let at = |frame| positions.joint(FrameId::from(frame), joint);
        at(from).distance(at(to)) * clip.rate.fps() as f32 / (to - from).max(1) as f32
    };
    let slower = |frame| speed(frame, left).min(speed(frame, right));
    Some((0..clip.len()).map(slower).collect())
}

/// How a clip steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steps {
    /// Steps a second, if there are enough of them. [1/s]
    pub per_second: Option<f32>,
    /// The time of a step times its length in leg lengths, of steps of at least half a leg: the
    /// median. People lengthen their steps as they hasten them, so this hardly changes with speed
    /// (the walk ratio: Sekiya et al. 1996). [s]
    pub ratio: Option<f32>,
}

/// The steps while stepping: the ankles pass each other.
pub(super) fn steps_of(clip: &Clip, positions: &Positions, kept: Range<usize>) -> Steps {
    let passings = passings(clip, positions, kept).unwrap_or_default();
    let mut ratios = clip.skeleton.leg_length().map_or(Vec::new(), |leg| {
        let ratio = |pair: &[usize]| {
            let way = (clip.root[pair[1]] - clip.root[pair[0]]) * Vec3::new(1.0, 0.0, 1.0);
            let seconds = (pair[1] - pair[0]) as f64 * clip.rate.frame_time();
            let length = way.length() / leg;
            (length > LONG_STEP).then_some(length * seconds as f32)
        };
        passings.windows(2).filter_map(ratio).collect()
    });
    let enough = ratios.len() >= LEAST_LONG_STEPS;
    Steps {
        per_second: median_step(&passings).map(|frames| (clip.rate.fps() / frames) as f32),
        ratio: quantile(&mut ratios, 0.5).filter(|_| enough),
    }
}

/// The frames in which another ankle has passed; `None` without ankles.
fn passings(clip: &Clip, positions: &Positions, kept: Range<usize>) -> Option<Vec<usize>> {
    let ankle = |side| clip.skeleton.with_role(Role::Foot(side));
    let (left, right) = (ankle(Side::Left)?, ankle(Side::Right)?);
    let mut passings: Vec<usize> = Vec::new();
    let mut ahead: Option<Side> = None;
    for index in kept {
        let frame = FrameId::from(index);
        let apart = positions.joint(frame, left) - positions.joint(frame, right);
        let apart = along_heading(clip, frame, apart);
        let now = if apart > 0.0 { Side::Left } else { Side::Right };
        if apart.abs() > STEP && ahead.replace(now).is_some_and(|before| before != now) {
            passings.push(index);
        }
    }
    Some(passings)
}

/// Frames from one step to the next, as a median, so that pauses do not count.
fn median_step(passings: &[usize]) -> Option<f64> {
    let mut gaps: Vec<usize> = passings.windows(2).map(|pair| pair[1] - pair[0]).collect();
    if gaps.len() < LEAST_STEPS {
        return None;
    }
    gaps.sort_unstable();
    Some(gaps[gaps.len() / 2] as f64)
}

fn along_heading(clip: &Clip, frame: FrameId, vector: Vec3) -> f32 {
    let yaw = yaw_of(clip.rotation(frame, JointId(0)));
    vector.x * yaw.sin() + vector.z * yaw.cos()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::fixture::swaying;
    use afoot_core::forward_kinematics;

    /// The same fit by the normal equations in plain powers of time.
    fn slow_fit(heights: &[f64], step: f64) -> (f64, f64) {
        let mut rows = [[0.0f64; 4]; 3];
        for (index, &height) in heights.iter().enumerate() {
            let t = index as f64 * step;
            let powers = [1.0, t, t * t];
            for i in 0..3 {
                (0..3).for_each(|j| rows[i][j] += powers[i] * powers[j]);
                rows[i][3] += powers[i] * height;
            }
        }
        for i in 0..3 {
            for k in (0..3).filter(|&k| k != i) {
                let factor = rows[k][i] / rows[i][i];
                (0..4).for_each(|j| rows[k][j] -= factor * rows[i][j]);
            }
        }
        let [a, b, c] = [0, 1, 2].map(|i| rows[i][3] / rows[i][i]);
        let error = |(index, h): (usize, &f64)| {
            let t = index as f64 * step;
            (h - a - b * t - c * t * t).powi(2)
        };
        let sum: f64 = heights.iter().enumerate().map(error).sum();
        (-2.0 * c, (sum / heights.len() as f64).sqrt())
    }

    #[test]
    fn the_fit_is_the_least_squares_parabola() {
        let rate = FrameRate::new(120, 1).unwrap();
        let height = |i: usize| 1.0 + 0.3 * (i as f32 * 0.11).sin() + 0.02 * (i as f32).cos();
        let heights: Vec<f32> = (0..60).map(height).collect();
        for (start, end) in [(0, 7), (5, 19), (20, 60)] {
            let fall = fit_fall(&heights, Range32 { start, end }, rate);
            let part = heights[start as usize..end as usize].iter();
            let part: Vec<f64> = part.map(|&h| f64::from(h)).collect();
            let (acceleration, residual) = slow_fit(&part, rate.frame_time());
            assert!(
                (f64::from(fall.acceleration) - acceleration).abs() < 1e-3 * acceleration.abs()
            );
            assert!((f64::from(fall.residual) - residual).abs() < 1e-5);
        }
    }

    #[test]
    fn steps_are_counted_per_second() {
        // Ankles that pass each other four times a second.
        let mut clip = swaying(480, 120);
        let joints = clip.joint_count();
        for (index, rotation) in clip.rotations.iter_mut().enumerate() {
            let time = (index / joints) as f32 / 120.0;
            let swing = 0.4 * (std::f32::consts::TAU * 2.0 * time).sin();
            *rotation = match index % joints {
                11 => glam::Quat::from_rotation_x(swing),
                15 => glam::Quat::from_rotation_x(-swing),
                _ => glam::Quat::IDENTITY,
            };
        }
        let steps = steps_of(&clip, &forward_kinematics(&clip), 0..clip.len());
        let rate = steps.per_second.unwrap();
        assert!((rate - 4.0).abs() < 0.1, "{rate}");
        // A metre a second is a quarter of a metre a step, on legs of 0.84 m: too short to tell.
        assert_eq!(steps.ratio, None);
        clip.root.iter_mut().for_each(|root| root.z *= 3.0);
        let steps = steps_of(&clip, &forward_kinematics(&clip), 0..clip.len());
        let ratio = steps.ratio.unwrap();
        assert!((ratio - 0.25 * 0.75 / 0.84).abs() < 0.02, "{ratio}");
    }

    #[test]
    fn a_skeleton_without_a_body_gives_nothing() {
        let clip = swaying(20, 60);
        let roles = vec![None; clip.joint_count()];
        let skeleton = (*clip.skeleton).clone().with_roles(&roles);
        let clip = Clip {
            skeleton: std::sync::Arc::new(skeleton),
            ..clip
        };
        let positions = forward_kinematics(&clip);
        assert_eq!(centre_heights(&clip, &positions), None);
        assert_eq!(slower_foot(&clip, &positions), None);
        let none = Steps {
            per_second: None,
            ratio: None,
        };
        assert_eq!(steps_of(&clip, &positions, 0..20), none);
    }
}
