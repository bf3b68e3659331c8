//! The rule by which `footplants.json` was made, after the description in its `meta`: a slow and
//! obvious reference that shares nothing with the detector, for clips that the file leaves out.
//!
//! It works at the rate of capture, on smoothed points of the sole, above a plane that is known for
//! the subject. What `meta` leaves open is chosen so that the file's own plants come out.
#![allow(clippy::unwrap_used)]

use std::f64::consts::{PI, SQRT_2};
use std::ops::Range;

use afoot_core::{Clip, FrameId, JointId, Role, Side, forward_kinematics};
use glam::{Quat, Vec3};
use serde_json::Value;

/// One foot, a frame each at the rate of capture.
pub struct Foot {
    pub planted: Vec<bool>,
    /// Not to be scored outside of "all frames".
    pub ambiguous: Vec<bool>,
}

/// Both feet by the rule, over a subject's `plane` of `sets.json`. The rule knows the floor alone;
/// `steps` are the heights above it of what else there is to stand on, to which it is put likewise.
pub fn feet_by_rule(clip: &Clip, plane: &Value, steps: &[f32]) -> [Foot; 2] {
    let fps = clip.rate.fps();
    let level = |p: &Vec3| *p * Vec3::new(1.0, 0.0, 1.0);
    let root: Vec<Vec3> = smoothed(&clip.root.iter().map(level).collect::<Vec<_>>(), fps);
    let root = speeds(&root, fps);
    Side::BOTH.map(|side| {
        let points = sole_points(clip, side);
        let points = points.map(|track| Point::new(&smoothed(&track, fps), (plane, side), fps));
        let by = |levels: &Levels| union(&points, (&root, steps), levels, fps);
        let (strict, planted, loose) = (by(&STRICT), by(&NOMINAL), by(&LOOSE));
        Foot {
            ambiguous: margins(&planted, (&strict, &loose), fps),
            planted,
        }
    })
}

/// The maximal runs of frames that are set.
pub fn runs(set: &[bool]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut frame = 0;
    while frame < set.len() {
        let differs = (frame..set.len()).find(|f| set[*f] != set[frame]);
        let end = differs.unwrap_or(set.len());
        found.extend(set[frame].then_some(frame..end));
        frame = end;
    }
    found
}

struct Levels {
    v_in: f32,
    v_out: f32,
    h_in: f32,
    h_out: f32,
}

const STRICT: Levels = Levels {
    v_in: 0.12,
    v_out: 0.25,
    h_in: 0.015,
    h_out: 0.025,
};
const NOMINAL: Levels = Levels {
    v_in: 0.25,
    v_out: 0.6,
    h_in: 0.025,
    h_out: 0.04,
};
const LOOSE: Levels = Levels {
    v_in: 0.35,
    v_out: 1.0,
    h_in: 0.04,
    h_out: 0.06,
};

/// Virtual heel, ball and toe tip, all lowered by 3 cm along the foot's own down. That is where
/// "down" points in the tenth of the frames in which ankle and ball are slowest.
fn sole_points(clip: &Clip, side: Side) -> [Vec<Vec3>; 3] {
    let skeleton = &clip.skeleton;
    let ankle = skeleton.with_role(Role::Foot(side)).unwrap();
    let ball = skeleton.with_role(Role::Toe(side)).unwrap();
    let positions = forward_kinematics(clip);
    let track = |point: usize| -> Vec<Vec3> { positions.track(point).collect() };
    let (ankles, balls) = (track(ankle.index()), track(ball.index()));
    let tips = track(skeleton.toe_tip(side).unwrap());
    let turns: Vec<Quat> = (0..clip.len()).map(|f| turn_of(clip, ankle, f)).collect();
    let fps = clip.rate.fps();
    let (slow_ankle, slow_ball) = (
        speeds(&smoothed(&ankles, fps), fps),
        speeds(&smoothed(&balls, fps), fps),
    );
    let mut slowest: Vec<usize> = (0..clip.len()).collect();
    slowest.sort_by(|a, b| {
        (slow_ankle[*a] + slow_ball[*a]).total_cmp(&(slow_ankle[*b] + slow_ball[*b]))
    });
    slowest.truncate((clip.len() / 10).max(3));
    let downs = slowest.iter().map(|f| turns[*f].inverse() * Vec3::NEG_Y);
    let down = downs.sum::<Vec3>().normalize();
    let to_ball = skeleton.joint(ball).offset;
    let drop = to_ball.dot(down);
    let behind = (to_ball - down * drop).normalize() * (-0.4 * to_ball.length());
    let heels = (0..clip.len()).map(|f| ankles[f] + turns[f] * (down * drop + behind));
    let lowered = |track: Vec<Vec3>| -> Vec<Vec3> {
        let pairs = track.iter().zip(&turns);
        pairs.map(|(p, turn)| *p + *turn * down * 0.03).collect()
    };
    [heels.collect(), balls, tips].map(lowered)
}

/// A joint's rotation in the world.
fn turn_of(clip: &Clip, joint: JointId, frame: usize) -> Quat {
    let own = clip.frame_rotations(FrameId::from(frame))[joint.index()];
    match clip.skeleton.joint(joint).parent {
        Some(parent) => turn_of(clip, parent, frame) * own,
        None => own,
    }
}

/// Butterworth, second order, run both ways: 15 Hz at 120 fps, 12 Hz at 60 fps. Ends are continued
/// by point reflection.
fn smoothed(track: &[Vec3], fps: f64) -> Vec<Vec3> {
    const PAD: usize = 9;
    if track.len() <= PAD {
        return track.to_vec();
    }
    let (first, last) = (track[0], track[track.len() - 1]);
    let before = track[1..=PAD].iter().rev().map(|p| 2.0 * first - *p);
    let after = track[track.len() - 1 - PAD..track.len() - 1].iter().rev();
    let after = after.map(|p| 2.0 * last - *p);
    let mut padded: Vec<Vec3> = before.chain(track.iter().copied()).chain(after).collect();
    let cut = if fps > 100.0 { 15.0 } else { 12.0 };
    for _ in 0..2 {
        padded = low_pass(&padded, (PI * cut / fps).tan());
        padded.reverse();
    }
    padded[PAD..padded.len() - PAD].to_vec()
}

fn low_pass(track: &[Vec3], k: f64) -> Vec<Vec3> {
    let norm = 1.0 / (1.0 + SQRT_2 * k + k * k);
    let (b, a1) = (k * k * norm, 2.0 * (k * k - 1.0) * norm);
    let a2 = (1.0 - SQRT_2 * k + k * k) * norm;
    let first = track[0].as_dvec3();
    let (mut x, mut y) = ([first; 2], [first; 2]);
    let step = |p: &Vec3| {
        let now = p.as_dvec3();
        let out = b * (now + 2.0 * x[0] + x[1]) - a1 * y[0] - a2 * y[1];
        (x, y) = ([now, x[0]], [out, y[0]]);
        out.as_vec3()
    };
    track.iter().map(step).collect()
}

/// By central differences of one frame, one-sided at the ends.
fn speeds(track: &[Vec3], fps: f64) -> Vec<f32> {
    let last = track.len().saturating_sub(1);
    let speed = |f: usize| {
        let (from, to) = (f.saturating_sub(1), (f + 1).min(last));
        track[from].distance(track[to]) * fps as f32 / (to - from).max(1) as f32
    };
    (0..track.len()).map(speed).collect()
}

struct Point {
    speed: Vec<f32>,
    /// Above the plane, less the point's own middle height at rest in this clip.
    height: Vec<f32>,
}

impl Point {
    fn new(track: &[Vec3], (plane, side): (&Value, Side), fps: f64) -> Self {
        let known = |name: &str| plane[name].as_f64().unwrap() as f32;
        let (a, bx, bz) = (known("a"), known("bx"), known("bz"));
        let lift = if side == Side::Right {
            known("rl")
        } else {
            0.0
        };
        let over = |p: &Vec3| p.y - (a + bx * p.x + bz * p.z + lift - 0.03);
        let mut height: Vec<f32> = track.iter().map(over).collect();
        let speed = speeds(track, fps);
        let rests = |f: &usize| speed[*f] < 0.12 && height[*f].abs() < 0.1;
        let mut resting: Vec<f32> = (0..track.len()).filter(rests).map(|f| height[f]).collect();
        resting.sort_by(f32::total_cmp);
        let rest = resting.get(resting.len() / 2).copied().unwrap_or(0.0);
        height.iter_mut().for_each(|height| *height -= rest);
        Self { speed, height }
    }
}

/// Hysteresis per point, the union over them, short gaps closed, short plants dropped.
fn union(
    points: &[Point; 3],
    (root, steps): (&[f32], &[f32]),
    levels: &Levels,
    fps: f64,
) -> Vec<bool> {
    let mut planted = vec![false; root.len()];
    let on_floor = points.iter().map(|point| (point, None));
    let on_steps = points
        .iter()
        .flat_map(|point| steps.iter().map(move |step| (point, Some(*step))));
    for (Point { speed, height }, step) in on_floor.chain(on_steps) {
        let over = |f: usize| step.map_or(height[f], |step| (height[f] - step).abs());
        let within = |f: usize, (v, u): (f32, f32), h: f32| {
            speed[f] < v * (root[f] / u).max(1.0) && over(f) < h
        };
        let loose = |f: usize| within(f, (levels.v_out, 2.4), levels.h_out);
        let firm = |f: usize| within(f, (levels.v_in, 2.0), levels.h_in);
        let held: Vec<bool> = (0..root.len()).map(loose).collect();
        for run in runs(&held) {
            if run.clone().any(firm) {
                planted[run].fill(true);
            }
        }
    }
    let free: Vec<bool> = planted.iter().map(|on| !on).collect();
    for gap in runs(&free) {
        let inside = gap.start > 0 && gap.end < planted.len();
        if inside && (gap.len() as f64) < 0.06 * fps {
            planted[gap].fill(true);
        }
    }
    for plant in runs(&planted) {
        if (plant.len() as f64) < 0.05 * fps {
            planted[plant].fill(false);
        }
    }
    planted
}

/// Two frames at 30 fps about every change, widened to where the strict and the loose rule have it,
/// but by no more than 35 % of a plant into it; and whatever only the loose rule takes for a plant.
fn margins(planted: &[bool], (strict, loose): (&[bool], &[bool]), fps: f64) -> Vec<bool> {
    let least = (2.0 / 30.0 * fps).round() as usize;
    let mut out: Vec<bool> = (0..planted.len())
        .map(|f| loose[f] && !planted[f])
        .collect();
    for plant in runs(planted) {
        let most = (0.35 * plant.len() as f64) as usize;
        let inner = runs(&strict[plant.clone()]);
        let late = inner.first().map_or(most, |run| run.start);
        let early = inner.last().map_or(most, |run| plant.len() - run.end);
        if plant.start > 0 {
            let inside = late.max(least).min(most);
            out[plant.start.saturating_sub(least)..plant.start + inside].fill(true);
        }
        if plant.end < planted.len() {
            let inside = early.max(least).min(most);
            let end = (plant.end + least).min(planted.len());
            out[plant.end - inside..end].fill(true);
        }
    }
    out
}
