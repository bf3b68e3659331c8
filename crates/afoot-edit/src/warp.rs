//! Bending the way of a clip's root: to end at a given place, or to pass given places all along.
//!
//! The edit is spread by distance walked, so that a figure that stands is not slid. The way is first
//! bent by turning every step, then what is left is shifted. How much that is per metre is reported,
//! in the terms of Reitsma and Pollard 2004 (eq. 3), whose users tolerated 25 cm and 25° per metre.
//! Only the root moves: feet leave their plants, so clean them afterwards. Cost: linear.

use afoot_core::{Clip, FrameId, Planar, wrap_angle};
use glam::Quat;
use thiserror::Error;

/// Reitsma and Pollard's limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WarpBudget {
    /// Most that a way may be shifted on a metre. [m/m, >= 0]
    pub shift: f64,
    /// Most that it may be turned on a metre. [rad/m, >= 0]
    pub turn: f64,
}

impl Default for WarpBudget {
    fn default() -> Self {
        Self {
            shift: 0.25,
            turn: 25f64.to_radians(),
        }
    }
}

/// How much a way was bent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WarpReport {
    /// Largest shift of a frame. [m]
    pub largest_shift: f64,
    /// Largest turn of a frame. [rad]
    pub largest_turn: f64,
    /// Largest change of the shift on a metre of the way. [m/m]
    pub shift_rate: f64,
    /// Largest change of the turn on a metre of the way. [rad/m]
    pub turn_rate: f64,
}

/// Why a way can't be bent.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[allow(missing_docs)] // the messages say it
pub enum WarpError {
    #[error("clip {0:?} has no frames")]
    Empty(String),
    #[error("clip {clip:?} has {expected} frames, but {found} places were given")]
    WrongLength {
        clip: String,
        found: usize,
        expected: usize,
    },
    #[error("place {0} is not finite")]
    NotFinite(usize),
}

/// Bends the clip's way so that its last root stands at `goal`, its first where it stood.
///
/// A clip of one frame is moved there; one that hardly walks is slid and turned evenly over time.
pub fn warp_to(clip: &Clip, goal: Planar) -> Result<(Clip, WarpReport), WarpError> {
    let last = clip
        .len()
        .checked_sub(1)
        .ok_or_else(|| WarpError::Empty(clip.name.clone()))?;
    if ![goal.x, goal.z, goal.yaw]
        .iter()
        .all(|value| value.is_finite())
    {
        return Err(WarpError::NotFinite(last));
    }
    let shares = walked_shares(clip);
    let turn = wrap_angle(goal.yaw - clip.placement(FrameId::from(last)).yaw);
    let mut places = bent_places(clip, &shares, turn);
    let left = [goal.x - places[last].x, goal.z - places[last].z];
    for (place, share) in places.iter_mut().zip(&shares) {
        place.x += share * left[0];
        place.z += share * left[1];
    }
    Ok(placed(clip, &places))
}

/// Bends the clip's way so that its root passes the `places`, one ground point [x, z] a frame, as
/// nearly as the budget allows: the shift from the own way is smoothed over `smooth` seconds and
/// changes no faster than the budget; the figure turns with its way.
pub fn warp_along(
    clip: &Clip,
    places: &[[f64; 2]],
    budget: &WarpBudget,
    smooth: f64,
) -> Result<(Clip, WarpReport), WarpError> {
    if clip.is_empty() {
        return Err(WarpError::Empty(clip.name.clone()));
    }
    if places.len() != clip.len() {
        let (clip, found, expected) = (clip.name.clone(), places.len(), clip.len());
        return Err(WarpError::WrongLength {
            clip,
            found,
            expected,
        });
    }
    if let Some(index) = places
        .iter()
        .position(|p| !p[0].is_finite() || !p[1].is_finite())
    {
        return Err(WarpError::NotFinite(index));
    }
    let own: Vec<[f64; 2]> = clip
        .root
        .iter()
        .map(|p| [f64::from(p.x), f64::from(p.z)])
        .collect();
    let wanted: Vec<[f64; 2]> = places
        .iter()
        .zip(&own)
        .map(|(to, own)| [to[0] - own[0], to[1] - own[1]])
        .collect();
    let reach = clip.rate.frames_in(smooth);
    let steps = step_lengths(clip);
    let mut shifts = running_mean(&wanted, reach);
    limit_rate(&mut shifts, &steps, budget.shift);
    let shifts = running_mean(&shifts, reach / 2);
    let turns = turns_of(&own, &shifts, reach.max(2), &steps, budget);
    let at = |index: usize| {
        let heading = clip.placement(FrameId::from(index)).yaw;
        let ([x, z], [dx, dz]) = (own[index], shifts[index]);
        Planar::new(x + dx, z + dz, heading + turns[index])
    };
    let placements: Vec<Planar> = (0..clip.len()).map(at).collect();
    Ok(placed(clip, &placements))
}

/// The share of the clip's walked distance before each frame, 0 to 1; of its time if it hardly walks.
fn walked_shares(clip: &Clip) -> Vec<f64> {
    let steps = step_lengths(clip);
    let total: f64 = steps.iter().sum();
    let last = (clip.len() - 1).max(1) as f64;
    let mut walked = 0.0;
    let share = |(index, step): (usize, f64)| {
        walked += step;
        if total > 0.05 {
            walked / total
        } else {
            index as f64 / last
        }
    };
    let shares: Vec<f64> = steps.into_iter().enumerate().map(share).collect();
    if clip.len() == 1 { vec![1.0] } else { shares }
}

/// The ground distance into each frame; 0 for the first. [m]
fn step_lengths(clip: &Clip) -> Vec<f64> {
    let length = |pair: &[glam::Vec3]| {
        f64::from((pair[1] - pair[0]).x).hypot(f64::from((pair[1] - pair[0]).z))
    };
    std::iter::once(0.0)
        .chain(clip.root.windows(2).map(length))
        .collect()
}

/// The clip's way with every step turned by a growing part of `turn`.
fn bent_places(clip: &Clip, shares: &[f64], turn: f64) -> Vec<Planar> {
    let own = |index: usize| clip.placement(FrameId::from(index));
    let mut at = own(0);
    at.yaw += shares[0] * turn;
    let mut places = vec![at];
    for index in 1..clip.len() {
        let (from, to) = (own(index - 1), own(index));
        let bend = Planar::new(0.0, 0.0, 0.5 * (shares[index - 1] + shares[index]) * turn);
        let [x, z] = bend.point([to.x - from.x, to.z - from.z]);
        at = Planar::new(at.x + x, at.z + z, to.yaw + shares[index] * turn);
        places.push(at);
    }
    places
}

/// The mean over up to `reach` frames to either side, fewer near the ends, so that these stay.
fn running_mean(values: &[[f64; 2]], reach: usize) -> Vec<[f64; 2]> {
    let mut sums = vec![[0.0; 2]];
    for value in values {
        let [x, z] = sums[sums.len() - 1];
        sums.push([x + value[0], z + value[1]]);
    }
    let mean = |index: usize| {
        let reach = reach.min(index).min(values.len() - 1 - index);
        let (from, to, count) = (
            sums[index - reach],
            sums[index + reach + 1],
            (2 * reach + 1) as f64,
        );
        [(to[0] - from[0]) / count, (to[1] - from[1]) / count]
    };
    (0..values.len()).map(mean).collect()
}

/// Lets a shift change by no more than `rate` times the step, forwards, then backwards in time.
fn limit_rate(shifts: &mut [[f64; 2]], steps: &[f64], rate: f64) {
    let mut clamp = |index: usize, from: usize, step: f64| {
        let (dx, dz) = (
            shifts[index][0] - shifts[from][0],
            shifts[index][1] - shifts[from][1],
        );
        let (change, most) = (dx.hypot(dz), rate * step);
        if change > most {
            let part = most / change;
            shifts[index] = [shifts[from][0] + dx * part, shifts[from][1] + dz * part];
        }
    };
    (1..steps.len()).for_each(|index| clamp(index, index - 1, steps[index]));
    (1..steps.len())
        .rev()
        .for_each(|index| clamp(index - 1, index, steps[index]));
}

/// How far the way's direction turns by the shifts, seen over `reach` frames, within the budget.
fn turns_of(
    own: &[[f64; 2]],
    shifts: &[[f64; 2]],
    reach: usize,
    steps: &[f64],
    budget: &WarpBudget,
) -> Vec<f64> {
    let last = own.len() - 1;
    let turn = |index: usize| {
        let (from, to) = (index.saturating_sub(reach), (index + reach).min(last));
        let old = [own[to][0] - own[from][0], own[to][1] - own[from][1]];
        let new = [
            old[0] + shifts[to][0] - shifts[from][0],
            old[1] + shifts[to][1] - shifts[from][1],
        ];
        // A step back and forth says nothing about where the figure should look.
        let walked = old[0].hypot(old[1]).min(new[0].hypot(new[1]));
        let turn = wrap_angle(new[0].atan2(new[1]) - old[0].atan2(old[1]));
        if walked < 0.1 || turn.abs() > 1.0 {
            [0.0; 2]
        } else {
            [turn, 0.0]
        }
    };
    let raw: Vec<[f64; 2]> = (0..own.len()).map(turn).collect();
    let mut turns = running_mean(&raw, reach);
    limit_rate(&mut turns, steps, budget.turn);
    turns.into_iter().map(|turn| turn[0]).collect()
}

/// The clip with its roots at these places, and how far that is from where they were.
fn placed(clip: &Clip, places: &[Planar]) -> (Clip, WarpReport) {
    let mut warped = clip.clone();
    let mut report = WarpReport::default();
    let mut before: Option<(f64, f64, f64)> = None;
    let steps = step_lengths(clip);
    for (index, place) in places.iter().enumerate() {
        let own = clip.placement(FrameId::from(index));
        let (dx, dz, turn) = (
            place.x - own.x,
            place.z - own.z,
            wrap_angle(place.yaw - own.yaw),
        );
        let root = &mut warped.root[index];
        (root.x, root.z) = (place.x as f32, place.z as f32);
        let rotation = &mut warped.frame_rotations_mut(FrameId::from(index))[0];
        *rotation = (Quat::from_rotation_y(turn as f32) * *rotation).normalize();
        report.largest_shift = report.largest_shift.max(dx.hypot(dz));
        report.largest_turn = report.largest_turn.max(turn.abs());
        if let (Some((x, z, yaw)), true) = (before, steps[index] > 1e-3) {
            let rate = |change: f64| change / steps[index];
            report.shift_rate = report.shift_rate.max(rate((dx - x).hypot(dz - z)));
            report.turn_rate = report.turn_rate.max(rate(wrap_angle(turn - yaw).abs()));
        }
        before = Some((dx, dz, turn));
    }
    (warped, report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::walk;

    fn ends_at(clip: &Clip, goal: Planar) {
        let end = clip.placement(FrameId::from(clip.len() - 1));
        let off = (end.x - goal.x).hypot(end.z - goal.z);
        let turned = wrap_angle(end.yaw - goal.yaw).abs();
        assert!(off < 1e-4 && turned < 1e-4, "{end:?}, not {goal:?}");
    }

    #[test]
    fn the_end_goes_where_it_should_and_the_start_stays() {
        let clip = walk(120, 0.5, (1.0, 2.0));
        let end = clip.placement(FrameId(119));
        for goal in [
            Planar::new(end.x + 0.3, end.z - 0.2, end.yaw + 0.6),
            Planar::new(end.x, end.z, end.yaw),
            Planar::new(end.x - 0.5, end.z, end.yaw - 2.0),
        ] {
            let (warped, _) = warp_to(&clip, goal).unwrap();
            ends_at(&warped, goal);
            assert!(warped.root[0].distance(clip.root[0]) < 1e-6);
            let longest = warped
                .root
                .windows(2)
                .map(|w| w[1].distance(w[0]))
                .fold(0.0, f32::max);
            assert!(longest < 0.05, "{longest} m in a frame");
        }
    }

    #[test]
    fn turning_is_spread_by_distance() {
        let clip = walk(121, 0.0, (0.0, 0.0));
        let end = clip.placement(FrameId(120));
        let (warped, report) = warp_to(&clip, Planar { yaw: 0.48, ..end }).unwrap();
        let half = warped.placement(FrameId(60)).yaw;
        assert!((half - 0.24).abs() < 1e-3, "{half}");
        // 0.48 rad over 2.4 m
        assert!((report.turn_rate - 0.2).abs() < 0.01, "{report:?}");
        assert!((report.largest_turn - 0.48).abs() < 1e-4);
    }

    #[test]
    fn a_figure_that_stands_and_one_frame_are_moved_too() {
        let goal = Planar::new(0.2, 0.1, 0.3);
        ends_at(&warp_to(&walk(1, 0.0, (3.0, 3.0)), goal).unwrap().0, goal);
        let pose = walk(1, 0.0, (0.0, 0.0)).pose(FrameId(0));
        let mut stands = walk(1, 0.0, (0.0, 0.0));
        (0..20).for_each(|_| stands.push_pose(&pose));
        ends_at(&warp_to(&stands, goal).unwrap().0, goal);
        let empty = Clip {
            root: Vec::new(),
            rotations: Vec::new(),
            ..stands
        };
        assert!(matches!(warp_to(&empty, goal), Err(WarpError::Empty(_))));
        let nowhere = warp_to(&walk(5, 0.0, (0.0, 0.0)), Planar::new(f64::NAN, 0.0, 0.0));
        assert!(matches!(nowhere, Err(WarpError::NotFinite(4))));
    }

    #[test]
    fn a_way_is_followed_within_the_budget() {
        let clip = walk(240, 0.0, (0.0, 0.0));
        // A gentle curve to the side: 40 cm on 4.8 m.
        let curve = |z: f64| 0.4 * (z / 4.8).powi(2);
        let places: Vec<[f64; 2]> = clip
            .root
            .iter()
            .map(|p| [curve(p.z.into()), p.z.into()])
            .collect();
        let budget = WarpBudget::default();
        let (warped, report) = warp_along(&clip, &places, &budget, 0.5).unwrap();
        for (root, place) in warped.root.iter().zip(&places) {
            let off = (f64::from(root.x) - place[0]).hypot(f64::from(root.z) - place[1]);
            assert!(off < 0.01, "{off} m off at {place:?}");
        }
        let heading = warped.placement(FrameId(200)).yaw;
        assert!(
            (heading - (2.0 * 0.4 * 4.0 / 4.8f64.powi(2)).atan()).abs() < 0.03,
            "{heading}"
        );
        assert!(
            report.shift_rate <= budget.shift && report.turn_rate <= budget.turn,
            "{report:?}"
        );
    }

    #[test]
    fn what_the_budget_forbids_is_not_done() {
        let clip = walk(120, 0.0, (0.0, 0.0));
        let places: Vec<[f64; 2]> = clip.root.iter().map(|p| [1.0, p.z.into()]).collect();
        let budget = WarpBudget {
            shift: 0.1,
            turn: 0.1,
        };
        let (warped, report) = warp_along(&clip, &places, &budget, 0.3).unwrap();
        assert!(
            report.shift_rate < 0.101 && report.turn_rate < 0.101,
            "{report:?}"
        );
        assert_eq!(warped.root.len(), 120);
        let error = warp_along(&clip, &places[1..], &budget, 0.3).unwrap_err();
        assert!(matches!(error, WarpError::WrongLength { found: 119, .. }));
    }
}
