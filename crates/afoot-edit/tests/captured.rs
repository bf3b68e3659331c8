//! Blends and cleanup on captured motion: the `loco` set.
#![allow(clippy::unwrap_used)]

mod cmu;

use afoot_core::{Clip, ClipFrame, FrameId, Ground, JointId, Leg, Planar, Positions, Role, Side};
use afoot_core::{forward_kinematics, yaw_of};
use afoot_edit::blend::{BlendOptions, blend_transition};
use afoot_edit::cleanup::{SettleOptions, settle_feet};
use afoot_fixtures::joined;
use glam::Vec3;

const WINDOW: usize = 10;

/// Two whole clips over a blend.
fn join_clips(a: ClipFrame, b: ClipFrame, options: &BlendOptions) -> Clip {
    let blend = blend_transition(a, b, options).unwrap();
    joined(a, &blend.clip, b, blend.placement)
}

/// Largest speed and acceleration of a joint in the root's frame, a frame each, without hands and
/// toes. [m a frame]
fn smoothness(clip: &Clip) -> (Vec<f32>, Vec<f32>) {
    let left_out = |role| matches!(role, Some(Role::Hand(_) | Role::Finger(_) | Role::Toe(_)));
    let joints = clip.skeleton.joints().iter().enumerate();
    let counted: Vec<usize> = joints
        .filter(|(_, j)| !left_out(j.role))
        .map(|(i, _)| i)
        .collect();
    let at = forward_kinematics(clip);
    let seen = |frame: usize| -> Vec<Vec3> {
        let points = at.frame(FrameId::from(frame));
        let back = clip.frame_rotations(FrameId::from(frame))[0].inverse();
        counted
            .iter()
            .map(|joint| back * (points[*joint] - points[0]))
            .collect()
    };
    let frames: Vec<Vec<Vec3>> = (0..clip.len()).map(seen).collect();
    let largest = |values: Vec<Vec3>| values.iter().map(|v| v.length()).fold(0.0, f32::max);
    let step = |w: &[Vec<Vec3>]| largest(w[0].iter().zip(&w[1]).map(|(a, b)| *b - *a).collect());
    let bend = |w: &[Vec<Vec3>]| {
        let joints = 0..w[0].len();
        largest(joints.map(|j| w[0][j] - 2.0 * w[1][j] + w[2][j]).collect())
    };
    (
        frames.windows(2).map(step).collect(),
        frames.windows(3).map(bend).collect(),
    )
}

fn quantile(mut values: Vec<f32>, share: f32) -> f32 {
    values.sort_by(f32::total_cmp);
    values[((values.len() - 1) as f32 * share).round() as usize]
}

fn largest(values: &[f32]) -> f32 {
    values.iter().copied().fold(0.0, f32::max)
}

/// The steps of the knees' angles, left then right. [rad]
fn knee_steps(clip: &Clip) -> Vec<f32> {
    let at = forward_kinematics(clip);
    let angle = |leg: Leg, frame: usize| {
        let place = |joint: JointId| at.joint(FrameId::from(frame), joint);
        (place(leg.hip) - place(leg.knee)).angle_between(place(leg.ankle) - place(leg.knee))
    };
    let steps = |side| {
        let leg = clip.skeleton.leg(side).unwrap();
        (1..clip.len()).map(move |frame| (leg, frame))
    };
    let step = |(leg, frame)| (angle(leg, frame) - angle(leg, frame - 1)).abs();
    Side::BOTH.into_iter().flat_map(steps).map(step).collect()
}

fn central_velocity(at: &Positions, joint: JointId, frame: usize) -> Vec3 {
    let (from, to) = (frame.saturating_sub(1), (frame + 1).min(at.frames() - 1));
    let place = |frame: usize| at.joint(FrameId::from(frame), joint);
    (place(to) - place(from)) * (30.0 / (to - from) as f32)
}

fn central_speed(at: &Positions, joint: JointId, frame: usize) -> f32 {
    central_velocity(at, joint, frame).length()
}

/// The same along the floor: feet dip as they were captured.
fn ground_speed(at: &Positions, joint: JointId, frame: usize) -> f32 {
    let velocity = central_velocity(at, joint, frame);
    velocity.x.hypot(velocity.z)
}

/// The plain detector: whether ankle or ball are lower than 5 cm and slower than 0.5 m/s.
fn is_planted(at: &Positions, leg: Leg, frame: usize, (ground, side): (&Ground, Side)) -> bool {
    let rest = ground.rest[side.index()];
    [(leg.ankle, rest.ankle), (leg.ball, rest.ball)]
        .into_iter()
        .any(|(joint, rest)| {
            let place = at.joint(FrameId::from(frame), joint);
            let height = place.y - ground.height_at(place.x, place.z) - rest;
            height < 0.05 && central_speed(at, joint, frame) < 0.5
        })
}

/// Sum of a planted foot's speeds along the floor over the frames that are planted in `raw`, and their number.
fn planted_speed(raw: &Clip, clip: &Clip) -> (f64, usize) {
    let (before, after) = (forward_kinematics(raw), forward_kinematics(clip));
    let (mut sum, mut count) = (0.0, 0);
    for side in Side::BOTH {
        let leg = raw.skeleton.leg(side).unwrap();
        for frame in 0..raw.len() {
            if is_planted(&before, leg, frame, (&raw.ground.unwrap(), side)) {
                let speed = |joint| ground_speed(&after, joint, frame);
                sum += f64::from(speed(leg.ankle).min(speed(leg.ball)));
                count += 1;
            }
        }
    }
    (sum, count)
}

/// How many frames a foot seems to be planted, ends and all, and in how many of them it moves faster
/// than 15 cm/s along the floor.
fn skating(clip: &Clip) -> (usize, usize) {
    let (at, ground) = (forward_kinematics(clip), clip.ground.unwrap());
    let (mut planted, mut fast) = (0, 0);
    for side in Side::BOTH {
        let leg = clip.skeleton.leg(side).unwrap();
        let down = (0..clip.len()).filter(|frame| is_planted(&at, leg, *frame, (&ground, side)));
        for frame in down {
            let speed = |joint| ground_speed(&at, joint, frame);
            planted += 1;
            fast += usize::from(speed(leg.ankle).min(speed(leg.ball)) > 0.15);
        }
    }
    (planted, fast)
}

/// Deepest that an ankle or a ball goes below its rest height. [m]
fn deepest(clip: &Clip) -> f32 {
    let (at, ground) = (forward_kinematics(clip), clip.ground.unwrap());
    let mut deepest = 0f32;
    for side in Side::BOTH {
        let (leg, rest) = (clip.skeleton.leg(side).unwrap(), ground.rest[side.index()]);
        for frame in (0..clip.len()).map(FrameId::from) {
            for (joint, rest) in [(leg.ankle, rest.ankle), (leg.ball, rest.ball)] {
                let place = at.joint(frame, joint);
                deepest = deepest.max(ground.height_at(place.x, place.z) + rest - place.y);
            }
        }
    }
    deepest
}

/// Where `b` fits best after `a`: the first frame blended and the frame resumed, by the joints' places
/// around the root at the start, middle and end of the window.
fn best_transition(a: &Clip, b: &Clip) -> (FrameId, FrameId, f32) {
    let around = |clip: &Clip| -> Vec<Vec<Vec3>> {
        let at = forward_kinematics(clip);
        let seen = |frame: usize| {
            let back = clip.placement(FrameId::from(frame)).inverse();
            at.frame(FrameId::from(frame))
                .iter()
                .map(|p| back.point3(*p))
                .collect()
        };
        (0..clip.len()).map(seen).collect()
    };
    let (first, second) = (around(a), around(b));
    let apart = |i: usize, j: usize| -> f32 {
        let pairs = first[i].iter().zip(&second[j]);
        pairs.map(|(p, q)| p.distance_squared(*q)).sum::<f32>() / first[i].len() as f32
    };
    let mut best = (FrameId(0), FrameId(0), f32::INFINITY);
    for i in (4..a.len() - WINDOW).step_by(2) {
        for j in (0..b.len() - WINDOW - 1).step_by(2) {
            let error: f32 = [0, WINDOW / 2, WINDOW - 1]
                .iter()
                .map(|k| apart(i + k, j + k))
                .sum();
            if error < best.2 {
                best = (FrameId::from(i), FrameId::from(j + WINDOW), error);
            }
        }
    }
    (best.0, best.1, (best.2 / 3.0).sqrt())
}

/// Raw transitions between pseudo-random pairs that fit to 10 cm.
fn transitions(clips: &[Clip], count: usize) -> Vec<Clip> {
    let mut seed = 7u64;
    let mut pick = || {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        &clips[(seed >> 33) as usize % clips.len()]
    };
    let mut found = Vec::new();
    while found.len() < count {
        let (a, b) = (pick(), pick());
        if a.name == b.name || a.len().min(b.len()) < WINDOW + 6 {
            continue;
        }
        let (from, resume, error) = best_transition(a, b);
        if error < 0.1 {
            found.push(join_clips(
                a.at(from),
                b.at(resume),
                &BlendOptions::default(),
            ));
        }
    }
    found
}

#[test]
fn walks_apart_and_turned_blend_forward_without_a_jerk() {
    let Some(clips) = cmu::load_set("loco", "16_") else {
        return;
    };
    let walk = |name: &str| clips.iter().find(|clip| clip.name == name).unwrap();
    let (a, mut b) = (walk("16_16"), walk("16_21").clone());
    b.place(Planar::new(3.0, 0.0, 120f64.to_radians()));
    let sources = smoothness(a)
        .1
        .into_iter()
        .chain(smoothness(&b).1)
        .collect();
    let limit = quantile(sources, 0.999);
    let (from, resume, _) = best_transition(a, &b);
    for shift in 0..8 {
        let resume = FrameId(resume.0 + shift);
        let options = BlendOptions {
            window: WINDOW as u32,
            alignment: None,
        };
        let joined = join_clips(a.at(from), b.at(resume), &options);
        let (start, end) = (from.index(), from.index() + WINDOW);
        for frame in start..end {
            let step = joined.root[frame + 1] - joined.root[frame];
            let heading = yaw_of(joined.frame_rotations(FrameId::from(frame))[0]);
            let ahead = step.dot(Vec3::new(heading.sin(), 0.0, heading.cos())) * 30.0;
            assert!(ahead > 0.5, "frame {frame} moves at {ahead} m/s");
        }
        let bends = smoothness(&joined).1;
        let seams = [start - 2, start - 1, start, end - 2, end - 1, end];
        let worst = largest(&seams.map(|frame| bends[frame]));
        assert!(worst <= limit, "shift {shift}: {worst} m against {limit} m");
    }
}

#[test]
fn cleaned_transitions_stand_still_and_do_not_snap() {
    let (mut before, mut after, mut frames) = (0.0, 0.0, 0);
    let (mut planted, mut fast) = (0, 0);
    for subject in ["16_", "142", "135"] {
        let Some(clips) = cmu::load_set("loco", subject) else {
            return;
        };
        let knee_limit = quantile(clips.iter().flat_map(knee_steps).collect(), 0.999);
        let source: Vec<f32> = clips.iter().flat_map(|clip| smoothness(clip).1).collect();
        let bend_limit = quantile(source, 0.999);
        let options = SettleOptions::default();
        for raw in transitions(&clips, 16) {
            let (clean, report) = settle_feet(&raw, &options).unwrap();
            let (moved, count) = planted_speed(&raw, &raw);
            (before, frames) = (before + moved, frames + count);
            after += planted_speed(&raw, &clean).0;
            let skating = skating(&clean);
            (planted, fast) = (planted + skating.0, fast + skating.1);
            assert!(
                deepest(&clean) < 0.01,
                "{}: {} m",
                raw.name,
                deepest(&clean)
            );
            let steps = knee_steps(&clean).into_iter().zip(knee_steps(&raw));
            for (step, own) in steps {
                let most = knee_limit.max(1.1 * own);
                assert!(
                    step < most,
                    "{}: a knee turns by {step} rad, was {own}",
                    raw.name
                );
            }
            let (bend, own) = (largest(&smoothness(&clean).1), largest(&smoothness(&raw).1));
            assert!(
                bend < (1.5 * bend_limit).max(1.05 * own),
                "{}: {bend} m",
                raw.name
            );
            assert!(report.largest_sink < 0.081, "{}: {report:?}", raw.name);
        }
    }
    let [before, after] = [before, after].map(|sum| sum / frames as f64);
    eprintln!("planted feet at {before:.3} m/s before, {after:.4} m/s after");
    let share = fast as f64 / planted as f64;
    eprintln!("{:.2} % of {planted} planted frames skate", 100.0 * share);
    assert!(share < 0.04, "{share}");
    assert!(
        after < 0.25 * before,
        "{before} m/s before, {after} m/s after"
    );
}
