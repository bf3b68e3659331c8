//! Where the feet of a changed walk stand: a rigid move over the ground for each footfall.
//!
//! Steps along the way are scaled (eq. 6.6), each by its own factor where they ramp, ease or make room
//! for an obstacle; stairs take one to a tread, footprints say all themselves. Lengths are measured on
//! the surface, so that a step on an incline is shorter seen from above (eq. 6.8). Step widths are kept.

use afoot_core::Planar;
use glam::Vec3;

use super::stand::eased;
use super::surface::{Lie, Obstacle, Stairs, Surface};
use super::walk::{Footfall, Walk};
use super::{Footprint, Measure, StrideError, StrideOptions};

/// Feet keep so far from the faces of obstacles. [m]
const OBSTACLE_ROOM: f32 = 0.06;
/// Footfalls over which room is made before an obstacle, and after it.
const APPROACH: usize = 4;
/// Longest step that making room for an obstacle may come to, in parts of the captured one.
const LONGEST_STEP: f32 = 1.7;
/// Between the toes before stairs and their first edge. [m]
const EDGE_ROOM: f32 = 0.04;

/// The factor of each step: from each footfall to the next.
pub(crate) fn step_factors(walk: &Walk, options: &StrideOptions) -> Result<Vec<f32>, StrideError> {
    let factor = match options.stride {
        Measure::Factor(factor) => factor,
        Measure::Metres(metres) => metres / walk.mean_step(),
    };
    let steps = walk.falls.len() - 1;
    let level = match options.surface {
        Surface::Incline(angle) => angle.cos(),
        _ => 1.0,
    };
    let own =
        |step: usize| (factor + options.ramp * step as f32) * level * eased(options, step, steps);
    let factors: Vec<f32> = (0..steps).map(own).collect();
    match factors.iter().position(|factor| *factor < 0.0) {
        Some(step) => Err(StrideError::BadValue {
            what: "ramp",
            value: options.ramp,
            expected: format!(
                "a change that leaves all steps above 0: step {} of {steps} would be {:.2} times as long",
                step + 1,
                factors[step]
            ),
        }),
        None => Ok(factors),
    }
}

/// Where each footfall comes to lie along the way. [m]
pub(crate) fn scaled_arcs(walk: &Walk, factors: &[f32]) -> Vec<f32> {
    let falls = &walk.falls;
    let mut arcs = vec![falls[0].arc * factors[0]];
    for (pair, factor) in falls.windows(2).zip(factors) {
        arcs.push(arcs[arcs.len() - 1] + factor * (pair[1].arc - pair[0].arc));
    }
    arcs
}

/// Shifts footfalls along the way until none stands on an obstacle or too near to it.
pub(crate) fn make_room(
    walk: &Walk,
    arcs: &mut [f32],
    obstacles: &[Obstacle],
) -> Result<(), StrideError> {
    for obstacle in obstacles {
        let falls = &walk.falls;
        let last = arcs.len() - 1;
        let before = |k: usize| obstacle.at - OBSTACLE_ROOM - falls[k].sole[1];
        let after = |k: usize| obstacle.at + obstacle.depth + OBSTACLE_ROOM + falls[k].sole[0];
        let middle = obstacle.at + 0.5 * obstacle.depth;
        let Some(crossing) = (0..last).find(|k| arcs[k + 1] > middle) else {
            continue;
        };
        if arcs[0] > middle {
            continue;
        }
        // Lead and trail foot both cross between their own plants, so that two steps make room. Where the step is long
        // enough it goes as a whole.
        let farthest = before(crossing) - arcs[crossing];
        let nearest = after(crossing + 1) - arcs[crossing + 1];
        let (pull, push) = match nearest <= farthest {
            true => {
                let both = 0f32.clamp(nearest, farthest);
                (both, both)
            }
            false => (farthest, nearest),
        };
        let step = arcs[crossing + 1] + push - arcs[crossing] - pull;
        let captured = falls[crossing + 1].arc - falls[crossing].arc;
        if step > LONGEST_STEP * captured.max(0.5 * walk.mean_step()) {
            return Err(StrideError::ObstacleTooDeep {
                depth: obstacle.depth,
                most: obstacle.depth - (step - LONGEST_STEP * captured),
            });
        }
        let fade = |steps: usize| 1.0 - (steps as f32 / APPROACH as f32).min(1.0);
        for (steps, arc) in arcs[..=crossing].iter_mut().rev().enumerate() {
            *arc += pull * fade(steps);
        }
        for (steps, arc) in arcs[crossing + 1..=last].iter_mut().enumerate() {
            *arc += push * fade(steps);
        }
    }
    Ok(())
}

/// The moves of footfalls whose places along the way are given, with so much more turn to the left on a
/// metre of the new way. [m, rad/m]
pub(crate) fn moves_along(walk: &Walk, arcs: &[f32], turn: f32) -> Vec<Planar> {
    let old: Vec<f32> = walk.falls.iter().map(|fall| fall.arc).collect();
    let to_new = |arc: f32| stretched(&old, arcs, arc);
    let way = &walk.way;
    let last = way.len() - 1;
    let turned =
        |arc: f32, step: Vec3| Planar::new(0.0, 0.0, f64::from(turn * arc)).rotation() * step;
    let mut points = vec![way.start() + way.tangent(0) * to_new(0.0)];
    let mut olds = vec![way.start()];
    for frame in 0..last {
        let (from, to) = (to_new(way.arc(frame)), to_new(way.arc(frame + 1)));
        let length = way.arc(frame + 1) - way.arc(frame);
        let step = match length > 1e-9 {
            true => way.step(frame) * ((to - from) / length),
            false => Vec3::ZERO,
        };
        points.push(points[frame] + turned(0.5 * (from + to), step));
        olds.push(olds[frame] + way.step(frame));
    }
    let at = |track: &[Vec3], arc: f32, beyond: [Vec3; 2]| match way.frame_after(arc) {
        Some(0) => track[0] + beyond[0] * arc,
        None => track[last] + beyond[1] * (arc - way.arc(last)),
        Some(next) => {
            let (from, to) = (way.arc(next - 1), way.arc(next));
            track[next - 1].lerp(track[next], (arc - from) / (to - from))
        }
    };
    let slope = |arc: f32| (to_new(arc + 0.01) - to_new(arc - 0.01)) / 0.02;
    walk.falls
        .iter()
        .map(|fall| {
            let ends = [0, last].map(|frame| way.tangent(frame));
            let new_ends = [0, last].map(|frame| {
                let arc = way.arc(frame);
                turned(to_new(arc), way.tangent(frame)) * slope(arc)
            });
            let from = at(&olds, fall.arc, ends);
            let to = at(&points, fall.arc, new_ends);
            let yaw = f64::from(turn * to_new(fall.arc));
            carrying(from, to, yaw)
        })
        .collect()
}

/// Stairs: the footfalls before them as they would be, then one to a tread. Says where the first edge is.
pub(crate) fn moves_on_stairs(
    walk: &Walk,
    stairs: &Stairs,
    level: &[Planar],
    lie: &Lie,
) -> (Vec<Planar>, f32) {
    let falls = &walk.falls;
    let along = |k: usize| lie.along(level[k].point3(falls[k].pivot));
    let toes = |k: usize| along(k) + falls[k].sole[1];
    let last = falls.len() - 1;
    let (climbs_from, edge) = match stairs.from {
        Some(edge) => {
            let before = (0..=last).find(|k| toes(*k) > edge - EDGE_ROOM);
            (before.unwrap_or(last + 1), edge)
        }
        None => {
            let first = 2.min(last);
            let ahead = (0..first).map(toes).fold(f32::MIN, f32::max);
            (first, ahead + EDGE_ROOM)
        }
    };
    let mut moves = level.to_vec();
    for k in climbs_from..=last {
        // The middle of the sole in the middle of the tread.
        let tread = edge + stairs.tread * ((k - climbs_from) as f32 + 0.5);
        let [heel, toe] = falls[k].sole;
        let wanted = tread - 0.5 * (toe - heel);
        let shift = lie.ahead * (wanted - lie.along(falls[k].pivot));
        moves[k] = Planar::new(shift.x.into(), shift.z.into(), 0.0);
    }
    (moves, edge)
}

/// Moves that bring each footfall onto its footprint.
pub(crate) fn moves_to_prints(
    walk: &Walk,
    prints: &[Footprint],
) -> Result<Vec<Planar>, StrideError> {
    if prints.len() != walk.falls.len() {
        return Err(StrideError::WrongPrints {
            found: prints.len(),
            expected: walk.falls.iter().map(|fall| fall.plant.side).collect(),
        });
    }
    let carry = |(index, (fall, print)): (usize, (&Footfall, &Footprint))| {
        if fall.plant.side != print.side {
            return Err(StrideError::WrongFoot {
                index,
                expected: fall.plant.side,
            });
        }
        let yaw = print.yaw.map_or(0.0, |yaw| f64::from(yaw - fall.yaw));
        let to = Vec3::new(print.x, 0.0, print.z);
        Ok(carrying(fall.pivot, to, yaw))
    };
    walk.falls
        .iter()
        .zip(prints)
        .enumerate()
        .map(carry)
        .collect()
}

/// The move that takes a ground point to another and turns about it.
fn carrying(from: Vec3, to: Vec3, yaw: f64) -> Planar {
    let [from, to] = [from, to].map(|at| Planar::new(at.x.into(), at.z.into(), 0.0));
    let to = Planar { yaw, ..to };
    Planar::carrying(from, to)
}

/// What lies between known points lies in proportion between their images; beyond them as in the first
/// and the last interval.
fn stretched(from: &[f32], to: &[f32], at: f32) -> f32 {
    let last = from.len() - 1;
    let next = from.partition_point(|point| *point <= at).clamp(1, last);
    // Feet side by side are as good as one point.
    let (mut low, mut high) = (next - 1, next);
    while from[high] - from[low] < 0.02 && (low > 0 || high < last) {
        low = low.saturating_sub(1);
        high = (high + 1).min(last);
    }
    let length = from[high] - from[low];
    match length.abs() < 1e-6 {
        true => to[low] + (at - from[low]),
        false => to[low] + (at - from[low]) / length * (to[high] - to[low]),
    }
}
