//! Bends a motion's root path towards the asked path, within an edit budget.
//!
//! A shift per frame, as near to the path as a smooth curve comes: least squares against the distance
//! of every frame, with a penalty on the shift's second difference that lets the sway of walking
//! through, so that only what is slower than a stride is corrected. The body turns with its new
//! direction of travel. Shift and turn may change by at most so much per metre travelled (Reitsma and
//! Pollard 2004, eq. 3); where they would, they are held tighter there until they don't. A figure
//! that stands is not moved. Planted feet slide under the warp: clean them afterwards.

use afoot_core::{Clip, FrameRate, Quat, Vec3, wrap_angle};

use afoot_edit::warp::WarpBudget;

use crate::guide::Guide;
use crate::path::distance;

/// How far a motion may be bent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WarpOptions {
    /// Most that the root is moved per metre travelled. [m/m, ≥ 0]
    pub shift: f64,
    /// Most that it is turned per metre travelled. [rad/m, > 0]
    pub turn: f64,
    /// Only deviations slower than this are corrected; sway is faster. [Hz, > 0]
    pub cutoff: f64,
}

impl Default for WarpOptions {
    fn default() -> Self {
        let WarpBudget { shift, turn } = WarpBudget::default();
        Self {
            shift,
            turn,
            cutoff: 0.5,
        }
    }
}

/// How every frame of a motion is moved and turned. It takes roots alone, so a motion of any length
/// can be warped as a whole and played in pieces. Some 100 bytes per frame while it is worked out.
#[derive(Clone, Debug, PartialEq)]
pub struct Warp {
    shifts: Vec<[f64; 2]>,
    turns: Vec<[f64; 2]>,
}

impl Warp {
    /// Of the motion whose root takes this way on the ground [m], and which is at about these
    /// places along the guide; `None` where it would bring it no nearer to the guide there.
    pub fn new(
        trace: &[[f64; 2]],
        rate: FrameRate,
        guide: &Guide,
        about: &[f64],
        options: &WarpOptions,
    ) -> Option<Self> {
        if trace.len() < 3 || options.shift <= 0.0 {
            return None;
        }
        let travel: Vec<f64> = trace
            .windows(2)
            .map(|pair| distance(pair[0], pair[1]))
            .collect();
        let stiffness = stiffness(options.cutoff, rate.fps());
        let first = about.first().copied().unwrap_or(0.0);
        let places = progress_along(trace, guide, |frame| about.get(frame).copied(), first);
        let wanted = trace.iter().zip(&places).map(|(point, &along)| {
            let [x, z] = guide.point_at(along);
            [x - point[0], z - point[1]]
        });
        let wanted: Vec<[f64; 2]> = wanted.collect();
        // Half of the budget's square each, since eq. 3 is an ellipsoid over shift and turn.
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let shifts = within_budget(&wanted, &travel, stiffness, half * options.shift);
        drop(wanted);
        let unmoved = |_: usize| [0.0; 2];
        let before = mean_distance(trace, unmoved, guide, &places);
        if mean_distance(trace, |frame| shifts[frame], guide, &places) >= before {
            return None;
        }
        let turns = travel_turns(trace, &shifts);
        let turns = within_budget(&turns, &travel, stiffness, half * options.turn);
        Some(Self { shifts, turns })
    }

    /// One that moves each frame by its shift [m] and turns it by its turn's first number. [rad]
    pub(crate) fn of(shifts: Vec<[f64; 2]>, turns: Vec<[f64; 2]>) -> Self {
        Self { shifts, turns }
    }

    /// The same for a motion that has so many more frames before, which stay.
    pub(crate) fn delayed(self, frames: usize) -> Self {
        let later = |moves: Vec<[f64; 2]>| {
            let still = std::iter::repeat_n([0.0; 2], frames);
            still.chain(moves).collect()
        };
        Self {
            shifts: later(self.shifts),
            turns: later(self.turns),
        }
    }

    /// By how much a frame is turned. [rad]
    pub(crate) fn turn(&self, frame: usize) -> f64 {
        self.turns.get(frame).map_or(0.0, |turn| turn[0])
    }

    /// Warps a part of the motion that starts at frame `first` of it.
    pub fn apply(&self, clip: &mut Clip, first: usize) {
        let joints = clip.joint_count();
        let frames = clip
            .root
            .iter_mut()
            .zip(clip.rotations.chunks_exact_mut(joints));
        let moves = self.shifts.iter().zip(&self.turns).skip(first);
        for ((root, rotations), ([x, z], [turn, _])) in frames.zip(moves) {
            *root += Vec3::new(*x as f32, 0.0, *z as f32);
            rotations[0] = (Quat::from_rotation_y(*turn as f32) * rotations[0]).normalize();
        }
    }
}

/// Mean distance of a moved root from the guide near its place, of some frames. [m]
fn mean_distance(
    trace: &[[f64; 2]],
    shift: impl Fn(usize) -> [f64; 2],
    guide: &Guide,
    places: &[f64],
) -> f64 {
    let nearest = |frame: usize| {
        let ([x, z], [dx, dz]) = (trace[frame], shift(frame));
        let (from, to) = (places[frame] - NEAR, places[frame] + NEAR);
        guide.nearest_between([x + dx, z + dz], from, to).1.sqrt()
    };
    let frames = (0..trace.len()).step_by((trace.len() / LOOKS).max(5));
    let count = frames.len().max(1);
    frames.map(nearest).sum::<f64>() / count as f64
}

/// How far from where it should be a frame may find the guide. [m]
const NEAR: f64 = 1.5;
/// Frames that are looked at, at most twice as many.
const LOOKS: usize = 500;

/// How far along the guide every frame is: the nearest place a little before or after the last, and
/// not far from `about`. Steps back count: who goes to and fro would else be taken for far ahead. [m]
fn progress_along(
    trace: &[[f64; 2]],
    guide: &Guide,
    about: impl Fn(usize) -> Option<f64>,
    along: f64,
) -> Vec<f64> {
    let mut along = along;
    let mut last: Option<[f64; 2]> = None;
    let step = |(frame, &point): (usize, &[f64; 2])| {
        let travelled = last.map_or(0.0, |last| distance(last, point));
        last = Some(point);
        let reach = 2.0 * travelled + 0.05;
        let (mut from, mut to) = (along - reach, along + reach);
        if let Some(about) = about(frame) {
            let within = |place: f64| place.clamp(about - NEAR, about + NEAR);
            (from, to) = (within(from), within(to));
        }
        along = guide.nearest_between(point, from, to).0;
        along
    };
    trace.iter().enumerate().map(step).collect()
}

/// Times that smoothing is grown where the budget is exceeded.
const ROUNDS: usize = 30;
/// Travel in a frame below which a figure counts as standing. [m]
const STANDING: f64 = 1e-3;

/// The weight of squared second differences that halves a wave of frequency `cutoff`.
fn stiffness(cutoff: f64, fps: f64) -> f64 {
    (std::f64::consts::TAU * cutoff / fps).powi(-4)
}

/// The curve that minimises its squared distance from `wanted`, plus `stiffness` times its squared
/// second differences, plus `grip` times its squared steps.
fn smooth(wanted: &[[f64; 2]], stiffness: f64, grip: &[f64]) -> Vec<[f64; 2]> {
    let count = wanted.len();
    // The symmetric matrix's diagonal and the two beside it.
    let mut bands = vec![[1.0, 0.0, 0.0]; count];
    for middle in 1..count - 1 {
        let pattern = [1.0, -2.0, 1.0];
        for row in 0..3 {
            for column in row..3 {
                bands[middle - 1 + row][column - row] += stiffness * pattern[row] * pattern[column];
            }
        }
    }
    for (frame, &grip) in grip.iter().enumerate() {
        bands[frame][0] += grip;
        bands[frame + 1][0] += grip;
        bands[frame][1] -= grip;
    }
    solve_banded(bands, wanted)
}

/// Solves a symmetric positive system of bandwidth two (Cholesky, L·D·Lᵀ).
fn solve_banded(mut bands: Vec<[f64; 3]>, right: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let count = bands.len();
    for row in 0..count {
        let [pivot, one, two] = bands[row];
        let (near, far) = (one / pivot, two / pivot);
        if row + 1 < count {
            bands[row + 1][0] -= near * one;
            bands[row + 1][1] -= near * two;
        }
        if row + 2 < count {
            bands[row + 2][0] -= far * two;
        }
        bands[row] = [pivot, near, far];
    }
    let mut solved = right.to_vec();
    for axis in [0, 1] {
        for row in 0..count {
            let value = solved[row][axis];
            if row + 1 < count {
                solved[row + 1][axis] -= bands[row][1] * value;
            }
            if row + 2 < count {
                solved[row + 2][axis] -= bands[row][2] * value;
            }
        }
        for row in (0..count).rev() {
            let near = if row + 1 < count {
                bands[row][1] * solved[row + 1][axis]
            } else {
                0.0
            };
            let far = if row + 2 < count {
                bands[row][2] * solved[row + 2][axis]
            } else {
                0.0
            };
            solved[row][axis] = solved[row][axis] / bands[row][0] - near - far;
        }
    }
    solved
}

/// The smoothed curve whose steps stay within `budget` per metre travelled.
fn within_budget(
    wanted: &[[f64; 2]],
    travel: &[f64],
    stiffness: f64,
    budget: f64,
) -> Vec<[f64; 2]> {
    let mut grip = vec![0.0; travel.len()];
    let mut curve = smooth(wanted, stiffness, &grip);
    for _ in 0..ROUNDS {
        if !tighten(&curve, travel, budget, &mut grip) {
            break;
        }
        curve = smooth(wanted, stiffness, &grip);
    }
    curve
}

/// Grips harder where a step exceeds the budget; whether it did anywhere.
fn tighten(curve: &[[f64; 2]], travel: &[f64], budget: f64, grip: &mut [f64]) -> bool {
    let mut exceeded = false;
    for (frame, pair) in curve.windows(2).enumerate() {
        let allowed = budget * (travel[frame] - STANDING).max(STANDING / 10.0);
        let ratio = distance(pair[0], pair[1]) / allowed;
        if ratio > 1.0 {
            exceeded = true;
            grip[frame] = (grip[frame] + 1.0) * (1.5 * ratio).min(10.0);
        }
    }
    exceeded
}

/// How far the shifts turn the direction of travel, as pairs with a zero. [rad]
fn travel_turns(trace: &[[f64; 2]], shifts: &[[f64; 2]]) -> Vec<[f64; 2]> {
    const REACH: usize = 3; // frames: shorter ones take the sway for travel
    let last = trace.len() - 1;
    let turn = |frame: usize| {
        let (a, b) = (frame.saturating_sub(REACH), (frame + REACH).min(last));
        let before = [trace[b][0] - trace[a][0], trace[b][1] - trace[a][1]];
        let change = [shifts[b][0] - shifts[a][0], shifts[b][1] - shifts[a][1]];
        let after = [before[0] + change[0], before[1] + change[1]];
        if before[0].hypot(before[1]) < STANDING * (b - a) as f64 {
            return [0.0; 2];
        }
        [
            wrap_angle(after[0].atan2(after[1]) - before[0].atan2(before[1])),
            0.0,
        ]
    };
    (0..trace.len()).map(turn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guide::GuideOptions;
    use crate::path::GroundPath;
    use afoot_core::{Joint, Skeleton, yaw_of};
    use std::sync::Arc;

    /// A root that walks along z at 1.3 m/s, swaying by 3 cm, off to the side by `off`.
    fn walker(frames: usize, off: impl Fn(f32) -> f32) -> Clip {
        let root = Joint::new("root", None, Vec3::ZERO);
        let skeleton = Arc::new(Skeleton::new(vec![root], Vec::new()).unwrap());
        let mut clip = Clip::empty("walker", skeleton, FrameRate::FPS_30);
        for frame in 0..frames {
            let z = frame as f32 * 1.3 / 30.0;
            let sway = 0.03 * (frame as f32 * std::f32::consts::TAU / 33.0).sin();
            clip.root.push(Vec3::new(off(z) + sway, 0.9, z));
            clip.rotations.push(Quat::IDENTITY);
        }
        clip
    }

    fn straight() -> Guide {
        let path = GroundPath::new(vec![[0.0, 0.0], [0.0, 40.0]]).unwrap();
        path.guide(&GuideOptions::default())
    }

    fn check_budget(before: &Clip, after: &Clip, options: &WarpOptions) {
        for frame in 1..before.len() {
            let travel = f64::from((before.root[frame] - before.root[frame - 1]).length());
            let shift = |f: usize| after.root[f] - before.root[f];
            let moved = f64::from((shift(frame) - shift(frame - 1)).length()) / options.shift;
            let yaw = |f: usize| f64::from(yaw_of(after.rotations[f]));
            let turned = wrap_angle(yaw(frame) - yaw(frame - 1)) / options.turn;
            assert!(
                moved.hypot(turned) <= travel + 1e-4,
                "frame {frame}: {moved} {turned}"
            );
        }
    }

    fn ground_point(root: &Vec3) -> [f64; 2] {
        [f64::from(root.x), f64::from(root.z)]
    }

    /// Bends the clip towards the guide.
    fn warp_to_path(clip: &mut Clip, guide: &Guide, options: &WarpOptions) {
        let trace: Vec<[f64; 2]> = clip.root.iter().map(ground_point).collect();
        let places = progress_along(&trace, guide, |_| None, 0.0);
        if let Some(warp) = Warp::new(&trace, clip.rate, guide, &places, options) {
            warp.apply(clip, 0);
        }
    }

    #[test]
    fn a_slow_deviation_goes_and_the_sway_stays() {
        let mut clip = walker(400, |z| 0.15 * (z * 0.8).sin());
        let before = clip.clone();
        let options = WarpOptions::default();
        warp_to_path(&mut clip, &straight(), &options);
        check_budget(&before, &clip, &options);
        let inner = &clip.root[60..340];
        let largest = inner.iter().map(|root| root.x.abs()).fold(0.0, f32::max);
        assert!(largest < 0.07, "{largest} m are left");
        let sway = inner
            .iter()
            .map(|root| root.x)
            .fold((0f32, 0f32), |(a, b), x| (a.min(x), b.max(x)));
        assert!(sway.1 - sway.0 > 0.03, "the sway was ironed out: {sway:?}");
    }

    #[test]
    fn a_sudden_deviation_is_met_only_as_fast_as_the_budget_allows() {
        let mut clip = walker(300, |z| if z > 6.0 { 0.8 } else { 0.0 });
        clip.root
            .iter_mut()
            .for_each(|root| root.z = root.z.min(10.0)); // then it stands
        let before = clip.clone();
        let options = WarpOptions {
            cutoff: 3.0,
            ..WarpOptions::default()
        };
        warp_to_path(&mut clip, &straight(), &options);
        check_budget(&before, &clip, &options);
        assert!(clip.root.iter().all(|root| root.is_finite()));
    }

    #[test]
    fn the_banded_solution_solves_the_dense_system() {
        let wanted: Vec<[f64; 2]> = (0..9)
            .map(|k| [f64::from(k * k % 5), f64::from(k)])
            .collect();
        let grip = [0.0, 2.0, 0.5, 0.0, 0.0, 7.0, 0.0, 1.0];
        let solved = smooth(&wanted, 3.0, &grip);
        for axis in 0..2 {
            let value = |k: usize| solved[k][axis];
            for (row, wanted) in wanted.iter().enumerate() {
                // The gradient of the quadratic form must vanish.
                let mut gradient = value(row) - wanted[axis];
                for middle in 1..8 {
                    let bend = value(middle - 1) - 2.0 * value(middle) + value(middle + 1);
                    let weight = match row.abs_diff(middle) {
                        0 => -2.0,
                        1 => 1.0,
                        _ => 0.0,
                    };
                    gradient += 3.0 * bend * weight;
                }
                for (step, grip) in grip.iter().enumerate() {
                    let change = value(step + 1) - value(step);
                    let weight = if row == step + 1 {
                        1.0
                    } else if row == step {
                        -1.0
                    } else {
                        0.0
                    };
                    gradient += grip * change * weight;
                }
                assert!(gradient.abs() < 1e-9, "row {row}: {gradient}");
            }
        }
    }
}
