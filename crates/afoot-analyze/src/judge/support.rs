//! What bears the body at each frame, and how fast that moves.
//!
//! A foot bears if its ankle, ball or toe tip is near the height at which it rests on the floor, any
//! other part if it is near the floor: hands, knees, seat. A body that nothing bears must fall: the
//! root's path through each such stretch is a parabola that bends down. Steps and boxes are not the
//! floor: who stands on one where there is none floats. Metres, seconds. Cost: linear.
//! Weakness: a float lower than `FOOT` is not seen; the stiller foot hides that the other one glides.

use std::ops::Range;

use afoot_core::{Clip, Ground, Positions, Side};

use super::course::height_over;
use super::moments::{Worst, worst_of};
use crate::feet::foot_joints;
use crate::series::{quantile, runs};
use crate::speed::{paces, size, speeds};

/// Highest that a bearing foot's joint is above its rest height: the scatter of rest heights in
/// captured motion (to 8 mm), the wobble of toes in a stance (2 to 3 cm) and the floor's tilt where
/// the estimate has none. [m, of an adult]
const FOOT: f32 = 0.06;
/// Highest that the joint of another part is while it bears: a hip joint is 10 to 12 cm above a seat
/// on the floor, a knee 5 to 8. [m, of an adult]
const BODY: f32 = 0.15;
/// Downward acceleration that is a fall: half of gravity, since a root is not the centre of mass: legs
/// drawn up in a jump lift it against that. A walk's reaches a third of gravity, for a tenth of a
/// second, with a foot on the floor. [m/s²]
const FALL: f64 = 4.9;
/// Nobody is in the air for longer: a leap of 1.2 m. [s]
const LONGEST_FLIGHT: f64 = 1.0;
/// Over how long a glide is told from a step. [s]
const GLIDE: f64 = 0.5;

/// What bears the body, a frame each.
pub(super) struct Support {
    /// Nothing bears it, and it does not fall.
    pub unsupported: Vec<bool>,
    /// Speed of the stillest part of the feet that are down, where any is, as an adult who walks
    /// would have it: marker fits drag the feet of runners along (`paces`). [m/s]
    pub speed: Vec<Option<f32>>,
}

/// Finds what bears the body; `None` without feet.
pub(super) fn find_support(clip: &Clip, positions: &Positions, ground: &Ground) -> Option<Support> {
    let (size, paces) = (size(clip), paces(clip));
    let feet = foot_points(clip, ground);
    if feet.is_empty() {
        return None;
    }
    let mut speed = vec![None; clip.len()];
    for (point, rest) in &feet {
        let track: Vec<_> = positions.track(*point).collect();
        let moves: Vec<f32> = speeds(&track, clip.rate.frame_time())
            .into_iter()
            .zip(&paces)
            .map(|(speed, pace)| speed / pace)
            .collect();
        for (frame, at) in track.iter().enumerate() {
            if height_over(*at, ground) < rest + FOOT * size {
                let stillest: &mut Option<f32> = &mut speed[frame];
                *stillest = Some(stillest.map_or(moves[frame], |s| s.min(moves[frame])));
            }
        }
    }
    let is_foot = |joint: usize| feet.iter().any(|(point, _)| *point == joint);
    let on_others = |frame: usize| {
        let points = &positions.frame(frame.into())[..clip.joint_count()];
        let mut others = points
            .iter()
            .enumerate()
            .filter(|(joint, _)| !is_foot(*joint));
        others.any(|(_, at)| height_over(*at, ground) < BODY * size)
    };
    let mut unsupported = vec![false; clip.len()];
    for air in runs(clip.len(), |frame| {
        speed[frame].is_none() && !on_others(frame)
    }) {
        if !falls(clip, &air) {
            unsupported[air].fill(true);
        }
    }
    Some(Support { unsupported, speed })
}

/// The points of both feet and the heights at which they rest.
fn foot_points(clip: &Clip, ground: &Ground) -> Vec<(usize, f32)> {
    let points = |side: Side| {
        let joints = foot_joints(&clip.skeleton, side)?;
        let rest = ground.rest[side.index()];
        let ball = joints.ball.map(|ball| (ball.index(), rest.ball));
        let tip = joints.tip.map(|tip| (tip, rest.ball));
        let ankle = Some((joints.ankle.index(), rest.ankle));
        Some([ankle, ball, tip].into_iter().flatten())
    };
    Side::BOTH
        .into_iter()
        .filter_map(points)
        .flatten()
        .collect()
}

/// Whether the root's height over these frames, and one to either side, bends down as in a fall.
fn falls(clip: &Clip, air: &Range<usize>) -> bool {
    let frame_time = clip.rate.frame_time();
    if air.len() as f64 * frame_time > LONGEST_FLIGHT {
        return false;
    }
    let reach = clip.rate.frames_in(1.0 / 30.0).max(1);
    let around = air.start.saturating_sub(reach)..(air.end + reach).min(clip.len());
    if around.len() < 3 {
        return true; // too short to tell
    }
    let heights: Vec<f64> = clip.root[around]
        .iter()
        .map(|root| f64::from(root.y))
        .collect();
    curvature(&heights) / (frame_time * frame_time) < -FALL
}

/// Second derivative, per step squared, of the parabola through evenly spaced values: least squares.
fn curvature(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let middle = (count - 1.0) / 2.0;
    // the square less its mean is orthogonal to constants and, by symmetry, to slopes
    let mean_square = (count * count - 1.0) / 12.0;
    let squares = (0..values.len()).map(|k| (k as f64 - middle).powi(2) - mean_square);
    let (mut with, mut own) = (0.0, 0.0);
    for (value, square) in values.iter().zip(squares) {
        with += value * square;
        own += square * square;
    }
    if own > 0.0 { 2.0 * with / own } else { 0.0 }
}

/// The greatest speed that the stillest foot on the floor keeps for half a second: the lower
/// quartile over every such stretch in `counted` in which a foot is down at least half of the time, and the
/// stretch's first frame. [m/s]
pub(super) fn glide(clip: &Clip, support: &Support, counted: &Range<usize>) -> Option<Worst> {
    let length = clip.rate.frames_in(GLIDE).clamp(1, clip.len().max(1));
    let starts = counted.start..counted.end.min((clip.len() + 1).saturating_sub(length));
    let kept = |start: usize| {
        let window = &support.speed[start..start + length];
        let mut known: Vec<f32> = window.iter().flatten().copied().collect();
        (2 * known.len() >= length)
            .then(|| quantile(&mut known, 0.25))
            .flatten()
    };
    worst_of(starts.filter_map(|start| Some((start as u64, kept(start)?))))
}

#[cfg(test)]
mod tests {
    use super::curvature;

    #[test]
    fn the_parabola_is_found_again() {
        for count in 3..12 {
            let values: Vec<f64> = (0..count)
                .map(|k| 2.0 + 0.3 * f64::from(k) - 0.7 * f64::from(k * k))
                .collect();
            assert!(
                (curvature(&values) + 1.4).abs() < 1e-9,
                "{count}: {}",
                curvature(&values)
            );
        }
        assert_eq!(curvature(&[1.0]), 0.0);
    }
}
