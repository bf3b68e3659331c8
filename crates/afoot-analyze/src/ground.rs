//! The floor under a clip: a plane, level or slightly tilted, through the ball joints at rest.
//!
//! Each time a ball joint comes to rest gives one sample, weighed by how long it rested. Planes
//! through pairs of samples are tried and the one that most samples agree with is refined by
//! re-weighted least squares; nothing rests below a floor, so more than a few samples under a plane
//! rule it out (a beam walker's floor is the floor, not the beam). Slopes and the left–right difference
//! have priors, so that a direction in which the support has no extent stays level. In: a clip
//! with `Role::Foot`, better `Role::Toe` too. Out: metres. Cost: at most
//! 1,128 pairs and n planes against n samples. Without toe joints the plane is the one in which the ankles rest.
//! Weakness: a clip that never leaves a platform takes the platform for the floor.

use afoot_core::{Clip, FootRest, Ground, Positions, Side, forward_kinematics};
use glam::{DMat4, DVec3, DVec4, Vec3};
use thiserror::Error;

use crate::feet::{SoleTracks, foot_joints, sole_tracks};
use crate::series::{median_point, quantile, runs};
use crate::speed::{SPEED_WINDOW, is_frozen, paces, point_speeds, size};

/// What [`estimate_ground`] may assume.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundOptions {
    /// Fastest a resting ball joint may move while an adult walks, as in `contacts`. [m/s, > 0]
    pub rest_speed: f32,
    /// Steepest floor that is believed, 3.4°: three times the tilt of the worst captured floors.
    /// [m/m, >= 0]
    pub max_slope: f32,
    /// How tilted floors commonly are: the spread of the slopes' prior. Captured ones are tilted by
    /// 0.1 to 1.2°, mostly below 0.5°. [m/m, > 0]
    pub usual_slope: f32,
    /// How far rest heights of one floor scatter: noise of capture and posture, 4 to 8 mm. [m, > 0]
    pub scatter: f32,
}

impl Default for GroundOptions {
    fn default() -> Self {
        Self {
            rest_speed: 0.3,
            max_slope: 0.06,
            usual_slope: 0.012,
            scatter: 0.006,
        }
    }
}

/// The floor, and how well it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundEstimate {
    /// The plane and how high each foot's joints rest above it.
    pub ground: Ground,
    /// How many rests lie on the plane.
    pub on_plane: usize,
    /// How many do not: platforms, raised feet.
    pub off_plane: usize,
    /// Root mean square distance of the former from the plane. [m]
    pub residual: f32,
}

/// Why there is no estimate.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[allow(missing_docs)] // the messages say it
pub enum GroundError {
    #[error("clip {clip:?}: no joint is known as a foot; animals and machines have none")]
    NoFeet { clip: String },
    #[error("clip {clip:?}: no foot ever comes to rest in {frames} frames")]
    NoRest { clip: String, frames: usize },
}

/// Finds the floor of a clip.
pub fn estimate_ground(
    clip: &Clip,
    options: &GroundOptions,
) -> Result<GroundEstimate, GroundError> {
    let positions = forward_kinematics(clip);
    estimate_ground_at(clip, &positions, options)
}

/// [`estimate_ground`] for positions that are at hand.
pub fn estimate_ground_at(
    clip: &Clip,
    positions: &Positions,
    options: &GroundOptions,
) -> Result<GroundEstimate, GroundError> {
    let feet = Side::BOTH.map(|side| sole_tracks(clip, positions, side));
    if feet.iter().all(Option::is_none) {
        let clip = clip.name.clone();
        return Err(GroundError::NoFeet { clip });
    }
    let rests = find_rests(clip, &feet, options);
    let Some(start) = agreed_plane(&rests, options) else {
        let (clip, frames) = (clip.name.clone(), clip.len());
        return Err(GroundError::NoRest { clip, frames });
    };
    let plane = refine_plane(start, &rests, options);
    let on_plane: Vec<&Rest> = rests
        .iter()
        .filter(|rest| is_on(&plane, rest, options))
        .collect();
    let ankles = ankle_rests(clip, &feet, &plane, &on_plane);
    Ok(report(&plane, ankles, &on_plane, rests.len()))
}

/// A ball joint at rest.
#[derive(Clone, Debug)]
struct Rest {
    side: Side,
    frames: std::ops::Range<usize>,
    at: Vec3,
    /// Grows with the time at rest, up to half a second, in which the figure as a whole is not
    /// frozen, and with how much of it the foot is flat; at most 1.
    weight: f64,
}

/// The plane y = height + slope·(x, z), lowered for the left and raised for the right foot by half
/// of `right_higher`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Plane {
    height: f64,
    slope: [f64; 2],
    right_higher: f64,
}

impl Plane {
    fn residual(&self, rest: &Rest) -> f64 {
        let [x, y, z] = rest.at.to_array().map(f64::from);
        let base = self.height + self.slope[0] * x + self.slope[1] * z;
        y - base - lean(rest.side) * self.right_higher
    }
}

/// −½ for the left foot, ½ for the right.
fn lean(side: Side) -> f64 {
    side.index() as f64 - 0.5
}

/// Residuals beyond this many scatters are not on the plane.
const CUT: f64 = 5.0;

/// How much weight may rest below a floor before it is not the floor: less than one good rest in a
/// short clip, a 25th of all in a long one, which faults in the capture may well come to.
fn tolerated_below(rests: &[Rest]) -> f64 {
    let total: f64 = rests.iter().map(|rest| rest.weight).sum();
    (0.04 * total).max(0.75)
}

/// Heel and ball of a foot flat on the floor are no farther apart in height: three times the scatter
/// of rest heights, as in `contacts`. [m]
const FLAT: f32 = 0.025;
/// What a rest on the toes counts, to one with the foot flat: it may as well be a foot that hangs or
/// that capture lost, and alone is no floor. Who walks on the toes throughout has only such.
const ON_TOES: f64 = 0.25;

fn find_rests(clip: &Clip, feet: &[Option<SoleTracks>; 2], options: &GroundOptions) -> Vec<Rest> {
    let paces = paces(clip);
    let shortest = clip.rate.frames_in(2.0 * SPEED_WINDOW).min(clip.len());
    let mut rests = Vec::new();
    for (side, foot) in Side::BOTH.into_iter().zip(feet) {
        let Some(foot) = foot else { continue };
        let speed = point_speeds(clip, &foot.ball);
        let flat = foot.flat_frames(FLAT * size(clip));
        let slow = |f: usize| speed[f] < options.rest_speed * paces[f];
        for frames in runs(clip.len(), slow) {
            if frames.len() < shortest {
                continue;
            }
            // a pose that is repeated, as where capture lost track, is seen only once
            let seen = 1 + frames.clone().filter(|f| !is_frozen(clip, *f)).count();
            let seconds = seen as f64 * clip.rate.frame_time();
            let ball = foot.ball[frames.clone()].iter().copied();
            let flat_frames = frames.clone().filter(|f| flat[*f]).count();
            let flat_share = flat_frames as f64 / frames.len() as f64;
            rests.extend(median_point(ball).map(|at| Rest {
                side,
                frames,
                at,
                weight: (2.0 * seconds).min(1.0) * (ON_TOES + (1.0 - ON_TOES) * flat_share),
            }));
        }
    }
    rests
}

/// The plane that most rests agree with, among level planes through each rest and planes through
/// pairs of the longest rests; `None` without rests.
fn agreed_plane(rests: &[Rest], options: &GroundOptions) -> Option<Plane> {
    let mut longest: Vec<&Rest> = rests.iter().collect();
    longest.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    longest.truncate(48);
    let level = rests.iter().map(|rest| Plane {
        height: f64::from(rest.at.y),
        slope: [0.0; 2],
        right_higher: 0.0,
    });
    let pairs = longest.iter().enumerate().flat_map(|(index, a)| {
        let earlier = longest[..index].iter();
        earlier.filter_map(|b| plane_through(a, b, options))
    });
    let below = tolerated_below(rests);
    let score = |plane: Plane| (agreement(&plane, rests, below, options), plane);
    let better = |best: (f64, Plane), next: (f64, Plane)| if next.0 > best.0 { next } else { best };
    level
        .chain(pairs)
        .map(score)
        .reduce(better)
        .map(|(_, plane)| plane)
}

/// The plane through two rests that is level across them, if it is no steeper than allowed.
fn plane_through(a: &Rest, b: &Rest, options: &GroundOptions) -> Option<Plane> {
    let between = (b.at - a.at).as_dvec3();
    let (run, rise) = (between.x.hypot(between.z), between.y);
    if run < 0.3 || rise.abs() > f64::from(options.max_slope) * run {
        return None;
    }
    let slope = [between.x, between.z].map(|part| rise * part / (run * run));
    let from = a.at.as_dvec3();
    Some(Plane {
        height: from.y - slope[0] * from.x - slope[1] * from.z,
        slope,
        right_higher: 0.0,
    })
}

/// The weight of the rests on the plane, less that of the rests below it and a little for its slope.
fn agreement(plane: &Plane, rests: &[Rest], tolerated: f64, options: &GroundOptions) -> f64 {
    let cut = CUT * f64::from(options.scatter);
    let (mut on, mut below) = (0.0, 0.0);
    for rest in rests {
        let residual = plane.residual(rest);
        on += rest.weight * bisquare(residual / cut);
        below += if residual < -cut { rest.weight } else { 0.0 };
    }
    let steepness = plane.slope[0].hypot(plane.slope[1]) / f64::from(options.usual_slope);
    on - below - 1000.0 * (below - tolerated).max(0.0) - 0.05 * steepness * steepness
}

fn bisquare(part: f64) -> f64 {
    let inside = (1.0 - part * part).max(0.0);
    inside * inside
}

/// Least squares with Tukey's weights and the priors, from a first guess.
fn refine_plane(start: Plane, rests: &[Rest], options: &GroundOptions) -> Plane {
    let scatter = f64::from(options.scatter);
    let tightness = |spread: f64| (scatter / spread).powi(2);
    let slope = tightness(f64::from(options.usual_slope));
    // left and right rest heights differ by up to 3 cm in captured motion, mostly under 1 cm
    let priors = DVec4::new(0.0, slope, slope, tightness(0.01));
    let mut plane = start;
    for _ in 0..12 {
        let weights: Vec<f64> = rests
            .iter()
            .map(|rest| rest.weight * bisquare(plane.residual(rest) / (CUT * scatter)))
            .collect();
        match fit_plane(rests, &weights, priors) {
            Some(next) => plane = next,
            None => break,
        }
    }
    let steep = plane.slope[0].hypot(plane.slope[1]) > f64::from(options.max_slope);
    if steep { start } else { plane }
}

fn fit_plane(rests: &[Rest], weights: &[f64], priors: DVec4) -> Option<Plane> {
    let total: f64 = weights.iter().sum();
    if total <= 1e-9 {
        return None;
    }
    let weighted = rests.iter().zip(weights);
    let centre = weighted
        .clone()
        .map(|(r, w)| r.at.as_dvec3() * *w)
        .sum::<DVec3>()
        / total;
    let mut normal = DMat4::from_diagonal(priors);
    let mut right = DVec4::ZERO;
    for (rest, weight) in weighted {
        let from = rest.at.as_dvec3() - centre;
        let row = DVec4::new(1.0, from.x, from.z, lean(rest.side));
        normal += DMat4::from_cols(row * row.x, row * row.y, row * row.z, row * row.w) * *weight;
        right += row * (weight * from.y);
    }
    if normal.determinant().abs() < 1e-18 {
        return None;
    }
    let [height, slope_x, slope_z, right_higher] = (normal.inverse() * right).to_array();
    Some(Plane {
        height: centre.y + height - slope_x * centre.x - slope_z * centre.z,
        slope: [slope_x, slope_z],
        right_higher,
    })
}

/// How much higher one ankle of a body rests than the other at most; captured ones differ by up to 3 cm. [m]
const TIPTOE: f32 = 0.03;

/// How high each ankle rests above the plane: the top of the lowest third of its heights over the frames in which
/// ball and ankle are both at rest on the plane. A foot that is never flat takes over the other foot's
/// height, else that of the rest pose.
fn ankle_rests(
    clip: &Clip,
    feet: &[Option<SoleTracks>; 2],
    plane: &Plane,
    on_plane: &[&Rest],
) -> [f32; 2] {
    let measured = Side::BOTH.map(|side| {
        let foot = feet[side.index()].as_ref()?;
        let speed = point_speeds(clip, &foot.ankle);
        let own = on_plane.iter().filter(|rest| rest.side == side);
        let slow = |frame: &usize| speed[*frame] < 0.15;
        let height = |frame: usize| {
            let at = foot.ankle[frame].as_dvec3();
            (at.y - plane.height - plane.slope[0] * at.x - plane.slope[1] * at.z) as f32
        };
        let mut heights: Vec<f32> = own
            .flat_map(|rest| rest.frames.clone())
            .filter(slow)
            .map(height)
            .collect();
        // A foot also stands still on its toes.
        quantile(&mut heights, 0.35)
    });
    Side::BOTH.map(|side| {
        let guess = || (lean(side) * plane.right_higher) as f32 + rest_pose_drop(clip, side);
        let [own, other] = [side, side.other()].map(|side| measured[side.index()]);
        // both feet of a body are alike: one that rests so much higher stood on its toes alone
        let flat = |own: &f32| other.is_none_or(|other| *own < other + TIPTOE);
        own.filter(flat).or(other).unwrap_or_else(guess)
    })
}

fn is_on(plane: &Plane, rest: &Rest, options: &GroundOptions) -> bool {
    plane.residual(rest).abs() < CUT * f64::from(options.scatter)
}

/// How far the ball lies below the ankle in the skeleton's rest pose. [m]
fn rest_pose_drop(clip: &Clip, side: Side) -> f32 {
    let Some(joints) = foot_joints(&clip.skeleton, side) else {
        return 0.0;
    };
    let Some(ball) = joints.ball else { return 0.0 };
    let rest: Vec<_> = clip
        .skeleton
        .joints()
        .iter()
        .map(|joint| joint.rest)
        .collect();
    let (_, points) = afoot_core::pose_kinematics(&clip.skeleton, Vec3::ZERO, &rest);
    (points[joints.ankle.index()].y - points[ball.index()].y).max(0.0)
}

fn report(plane: &Plane, ankles: [f32; 2], on: &[&Rest], rests: usize) -> GroundEstimate {
    let squares: f64 = on.iter().map(|rest| plane.residual(rest).powi(2)).sum();
    let rest = Side::BOTH.map(|side| FootRest {
        ankle: ankles[side.index()],
        ball: (lean(side) * plane.right_higher) as f32,
    });
    GroundEstimate {
        ground: Ground {
            height: plane.height as f32,
            slope_x: plane.slope[0] as f32,
            slope_z: plane.slope[1] as f32,
            rest,
        },
        on_plane: on.len(),
        off_plane: rests - on.len(),
        residual: (squares / on.len().max(1) as f64).sqrt() as f32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{FootAt, flat, scripted, scripted_on, shake, skeleton, walk};

    const GAIT: (f64, f64, f32) = (0.6, 0.4, 1.2);

    fn ground_of(clip: &Clip) -> GroundEstimate {
        estimate_ground(clip, &GroundOptions::default()).unwrap()
    }

    /// Checks the height at (0, z) and the slopes. [m, m/m]
    fn check(clip: &Clip, (z, height): (f32, f32), slope: [f32; 2]) {
        let found = ground_of(clip).ground;
        let off = (found.height_at(0.0, z) - height).abs();
        assert!(off < 0.004, "{found:?} is {off} off at {z}");
        assert!((found.slope_x - slope[0]).abs() < 0.002, "{found:?}");
        assert!((found.slope_z - slope[1]).abs() < 0.002, "{found:?}");
    }

    #[test]
    fn level_floors_at_any_rate() {
        for fps in [30, 60, 120] {
            check(&walk((4.0, fps), |_, _| 0.04, GAIT), (2.0, 0.04), [0.0; 2]);
        }
    }

    #[test]
    fn a_tilt_along_the_way_is_found_and_across_a_narrow_one_not_believed() {
        check(
            &walk((4.0, 30), |_, z| 0.03 + 0.02 * z, GAIT),
            (2.0, 0.07),
            [0.0, 0.02],
        );
        let across = ground_of(&walk((4.0, 30), |x, _| 0.03 + 0.02 * x, GAIT)).ground;
        assert!(across.slope_x.abs() < 0.005, "{across:?}");
        // the feet's rest heights take up what the slope does not
        assert!((across.rest[0].ball - across.rest[1].ball).abs() < 0.005);
    }

    #[test]
    fn noise_moves_it_by_little() {
        let mut clip = walk((4.0, 30), |_, _| 0.04, GAIT);
        shake(&mut clip, 0.01);
        let found = ground_of(&clip).ground;
        assert!(
            (found.height_at(0.0, 2.0) - 0.04).abs() < 0.006,
            "{found:?}"
        );
        assert!(found.slope_z.abs() < 0.004, "{found:?}");
    }

    #[test]
    fn a_foot_that_stands_on_its_toes_alone_rests_as_the_other_does() {
        let clip = scripted((3.0, 30), |_| {
            let toes = FootAt {
                heel_up: 0.5,
                ..flat(-0.1, 0.04, 0.0)
            };
            (Vec3::Y, [flat(0.1, 0.04, 0.0), toes])
        });
        let [left, right] = ground_of(&clip).ground.rest.map(|rest| rest.ankle);
        assert!((left - right).abs() < 0.01, "{left} and {right}");
    }

    #[test]
    fn who_expects_more_scatter_counts_more_rests_as_on_the_floor() {
        // Every other half metre lies 8 cm higher.
        let bumps = |_: f32, z: f32| 0.04 + 0.08 * (2.0 * z).floor().rem_euclid(2.0);
        let clip = walk((6.0, 30), bumps, GAIT);
        let with = |scatter: f32| {
            let options = GroundOptions {
                scatter,
                ..GroundOptions::default()
            };
            estimate_ground(&clip, &options).unwrap()
        };
        let (strict, lenient) = (with(0.006), with(0.03));
        assert!(strict.off_plane > 0, "{strict:?}");
        assert!(
            lenient.off_plane == 0 && lenient.residual > 0.01,
            "{lenient:?}"
        );
    }

    #[test]
    fn stairs_and_platforms_are_not_the_floor() {
        let stairs = |_: f32, z: f32| 0.04 + 0.18 * ((z - 2.0) / 0.6).floor().clamp(0.0, 4.0);
        check(&walk((6.0, 30), stairs, GAIT), (0.0, 0.04), [0.0; 2]);
        let beam = |_: f32, z: f32| if (1.0..12.0).contains(&z) { 0.4 } else { 0.04 };
        let clip = walk((12.0, 30), beam, GAIT);
        check(&clip, (0.0, 0.04), [0.0; 2]);
        assert!(ground_of(&clip).off_plane > ground_of(&clip).on_plane);
    }

    #[test]
    fn rest_heights_are_those_of_the_joints() {
        let left_lower = |x: f32, _: f32| if x > 0.0 { 0.03 } else { 0.05 };
        let found = ground_of(&walk((6.0, 30), left_lower, GAIT)).ground;
        for (side, ball) in [(0, 0.03), (1, 0.05)] {
            let rest = found.rest[side];
            assert!((found.height + rest.ball - ball).abs() < 0.004, "{found:?}");
            assert!((rest.ankle - rest.ball - 0.05).abs() < 0.004, "{found:?}");
        }
    }

    #[test]
    fn a_lost_end_and_a_hanging_foot_are_not_the_floor() {
        // the last pose, 8 cm too low, stays for three seconds
        let lost = |time: f64| {
            let (up, time) = (if time >= 4.0 { -0.08 } else { 0.0 }, time.min(4.0) as f32);
            let foot = |x: f32, late: f32| {
                let share = ((time + late).rem_euclid(1.0) - 0.6).max(0.0) / 0.4;
                let z = ((time + late).floor() + share) * 1.2;
                flat(x, 0.04 + up + 0.4 * share * (1.0 - share), z)
            };
            (
                Vec3::new(0.0, 1.0 + up, 1.2 * time),
                [foot(0.1, 0.0), foot(-0.1, 0.5)],
            )
        };
        check(&scripted((7.0, 30), lost), (2.0, 0.04), [0.0; 2]);
        // two of twelve rests of the left foot are on the toes, 6 cm below the floor
        let hang = |time: f64| {
            let (step, phase) = ((time.floor() as i32) % 6, time.fract() as f32);
            let turn = (4.0 * phase.min(1.0 - phase)).min(1.0);
            let low = if step == 3 { turn } else { 0.0 };
            let z = 0.3 * (time.floor() as f32 + (phase * 5.0 - 4.0).max(0.0));
            let left = FootAt {
                heel_up: 0.7 * low,
                ..flat(0.1, 0.04 - 0.06 * low, z)
            };
            (Vec3::new(0.0, 1.0, z), [left, flat(-0.1, 0.04, z)])
        };
        check(&scripted((12.0, 30), hang), (0.0, 0.04), [0.0; 2]);
    }

    #[test]
    fn ankles_stand_in_for_toes() {
        let stand = |_: f64| (Vec3::Y, [flat(0.1, 0.03, 0.0), flat(-0.1, 0.03, 0.0)]);
        let found = ground_of(&scripted_on(skeleton(false), (1.0, 30), stand)).ground;
        assert!((found.height - 0.08).abs() < 1e-3, "{found:?}");
    }

    #[test]
    fn one_frame_is_at_rest_and_flying_feet_are_not() {
        let stand = |_: f64| (Vec3::Y, [flat(0.1, 0.03, 0.0), flat(-0.1, 0.03, 0.0)]);
        check(&scripted((0.034, 30), stand), (0.0, 0.03), [0.0; 2]);
        let fly = |time: f64| {
            let z = 2.0 * time as f32;
            (Vec3::Y, [flat(0.1, 0.3, z), flat(-0.1, 0.3, z)])
        };
        let error = estimate_ground(&scripted((1.0, 30), fly), &GroundOptions::default());
        assert!(
            matches!(error, Err(GroundError::NoRest { frames: 30, .. })),
            "{error:?}"
        );
    }

    #[test]
    fn empty_clips_and_footless_figures_are_told() {
        let nowhere = |_: f64| -> (Vec3, [FootAt; 2]) { unreachable!("no frame") };
        let options = GroundOptions::default();
        let empty = estimate_ground(&scripted((0.0, 30), nowhere), &options);
        assert!(matches!(empty, Err(GroundError::NoRest { frames: 0, .. })));
        let mut clip = scripted((0.0, 30), nowhere);
        let bare = skeleton(true).with_roles(&[None; 5]);
        clip.skeleton = std::sync::Arc::new(bare);
        assert!(matches!(
            estimate_ground(&clip, &options),
            Err(GroundError::NoFeet { .. })
        ));
    }
}
