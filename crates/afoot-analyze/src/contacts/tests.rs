//! Contacts of figures whose feet follow a script.

use super::*;
use crate::fixture::{FootAt, flat, scripted, scripted_on, shake, skeleton, walk};
use crate::ground::{GroundOptions, estimate_ground};

const GAIT: (f64, f64, f32) = (0.6, 0.4, 1.2);

fn found(clip: &mut Clip) -> ContactReport {
    let ground = estimate_ground(clip, &GroundOptions::default());
    clip.ground = ground.ok().map(|estimate| estimate.ground);
    detect_contacts(clip, &ContactOptions::default()).unwrap()
}

/// Checks one foot's plants against times in seconds, to one frame.
fn check(clip: &Clip, report: &ContactReport, side: Side, expected: &[(f64, f64)]) {
    let fps = clip.rate.fps();
    let plants: Vec<(f64, f64)> = report
        .plants
        .iter()
        .filter(|plant| plant.side == side)
        .map(|plant| (f64::from(plant.frames.start), f64::from(plant.frames.end)))
        .collect();
    // a 30th of a second is the resolution of speeds, whatever the rate
    let slack = (fps / 30.0).max(1.0) + 1e-6;
    let near = |(a, b): (&(f64, f64), &(f64, f64))| {
        (a.0 - (b.0 * fps).ceil()).abs() <= slack && (a.1 - (b.1 * fps).ceil()).abs() <= slack
    };
    let same = plants.len() == expected.len() && plants.iter().zip(expected).all(near);
    assert!(
        same,
        "{fps} fps: {plants:?} are not the frames of {expected:?}"
    );
}

const LEFT: [(f64, f64); 4] = [(0.0, 0.6), (1.0, 1.6), (2.0, 2.6), (3.0, 3.6)];

#[test]
fn a_walk_at_any_rate() {
    for fps in [30, 60, 120] {
        let mut clip = walk((4.0, fps), |_, _| 0.04, GAIT);
        let report = found(&mut clip);
        check(&clip, &report, Side::Left, &LEFT);
        let right = [(0.0, 0.1), (0.5, 1.1), (1.5, 2.1), (2.5, 3.1), (3.5, 4.0)];
        check(&clip, &report, Side::Right, &right);
    }
}

#[test]
fn the_floor_may_be_tilted_or_unknown_and_the_joints_noisy() {
    let mut tilted = walk((4.0, 30), |_, z| 0.02 * z, GAIT);
    let report = found(&mut tilted);
    check(&tilted, &report, Side::Left, &LEFT);
    let level = walk((4.0, 30), |_, _| 0.7, GAIT);
    let report = detect_contacts(&level, &ContactOptions::default()).unwrap();
    check(&level, &report, Side::Left, &LEFT);
    for size in [0.003, 0.01] {
        let mut noisy = walk((4.0, 30), |_, _| 0.04, GAIT);
        shake(&mut noisy, size);
        let report = found(&mut noisy);
        check(&noisy, &report, Side::Left, &LEFT);
    }
}

#[test]
fn plants_are_where_the_foot_stands() {
    let mut clip = walk((4.0, 30), |_, _| 0.04, GAIT);
    let report = found(&mut clip);
    let left = report
        .plants
        .iter()
        .filter(|plant| plant.side == Side::Left);
    for (index, plant) in left.enumerate() {
        let ball = Vec3::new(0.1, 0.04, 1.2 * index as f32);
        assert!(plant.ball.unwrap().distance(ball) < 0.01, "{plant:?}");
        let ankle = ball + Vec3::new(0.0, 0.05, -0.12);
        assert!(plant.ankle.unwrap().distance(ankle) < 0.01, "{plant:?}");
    }
    clip.contacts = report.contacts.clone();
    assert_eq!(plants_of(&clip), report.plants);
}

#[test]
fn heel_and_ball_are_told_apart() {
    // from 1 s to 2 s on the toes, the other foot flat throughout
    let rise = |time: f64| {
        let up = ((time - 1.0).min(2.0 - time) * 4.0).clamp(0.0, 0.7) as f32;
        let left = FootAt {
            heel_up: up,
            ..flat(0.1, 0.04, 0.0)
        };
        (Vec3::Y, [left, flat(-0.1, 0.04, 0.0)])
    };
    let report = found(&mut scripted((3.0, 30), rise));
    let bits = |frame: usize| report.contacts[frame];
    assert!(bits(10).any(Contacts::heel(Side::Left)));
    assert!(!bits(45).any(Contacts::heel(Side::Left)));
    assert!((0..90).all(|frame| bits(frame).any(Contacts::ball(Side::Left))));
    assert!((0..90).all(|frame| bits(frame).any(Contacts::heel(Side::Right))));
}

#[test]
fn steps_of_stairs_are_touched_and_a_raised_foot_is_not() {
    let stairs = |_: f32, z: f32| 0.04 + 0.18 * ((z - 1.0) / 0.6).floor().clamp(0.0, 4.0);
    let mut climb = walk((4.0, 30), stairs, GAIT);
    let report = found(&mut climb);
    check(&climb, &report, Side::Left, &LEFT);
    // captured feet are not pinned
    shake(&mut climb, 0.003);
    let flat_on_step = found(&mut climb).contacts[2 * 30 + 9];
    assert!(flat_on_step.any(Contacts::heel(Side::Left)));
    assert!(flat_on_step.any(Contacts::ball(Side::Left)));
    // stands on the right foot and holds the left one up
    let hold = |time: f64| {
        let up = ((time - 1.0).min(3.0 - time)).clamp(0.0, 0.3) as f32;
        (Vec3::Y, [flat(0.1, 0.04 + up, 0.0), flat(-0.1, 0.04, 0.0)])
    };
    let mut held = scripted((4.0, 30), hold);
    let report = found(&mut held);
    check(&held, &report, Side::Left, &[(0.0, 1.0), (3.0, 4.0)]);
    check(&held, &report, Side::Right, &[(0.0, 4.0)]);
}

#[test]
fn a_foot_held_over_the_floor_does_not_raise_it() {
    // from 2 s on stands on the right foot, lifts the left one and holds it, swaying, with the heel
    // up and the sole under the ball 4 cm over the floor
    let hold = |time: f64| {
        let share = ((time - 2.0) * 2.0).clamp(0.0, 1.0) as f32;
        let up = 0.03 * share + 0.15 * (std::f32::consts::PI * share).sin();
        let sway = 0.01 * share * (12.0 * time).sin() as f32;
        let left = FootAt {
            heel_up: share,
            ..flat(0.1 + sway, 0.04 + up, 0.0)
        };
        let breath = 0.002 * time.sin() as f32;
        (
            Vec3::new(-0.1, 1.0 + breath, 0.0),
            [left, flat(-0.1, 0.04, 0.0)],
        )
    };
    let mut clip = scripted((7.0, 30), hold);
    let report = found(&mut clip);
    check(&clip, &report, Side::Left, &[(0.0, 2.0)]);
    check(&clip, &report, Side::Right, &[(0.0, 7.0)]);
}

#[test]
fn a_foot_held_up_while_the_other_hops_bears_nothing() {
    // flights of 0.2 s, during which the held foot and the hips, over the other foot, rise by 5 cm
    let hop = |time: f64| {
        let share = ((time.rem_euclid(0.6) - 0.4) / 0.2).max(0.0) as f32;
        let up = 0.2 * share * (1.0 - share);
        let feet = [flat(0.1, 0.3 + up, 0.0), flat(-0.1, 0.04 + up, 0.0)];
        (Vec3::new(-0.1, 1.0 + up, -0.05), feet)
    };
    let report = found(&mut scripted((6.0, 30), hop));
    let left = report
        .plants
        .iter()
        .filter(|plant| plant.side == Side::Left);
    assert_eq!(left.count(), 0);
}

#[test]
fn feet_off_the_floor_bear_nothing_while_a_seat_does() {
    // sits down on a stool at 1 s, holds both feet 15 cm high from 2 s to 4 s, and stands up at 5 s
    let sit = |time: f64| {
        let share =
            |from: f64, to: f64| ((time - from).min(to - time) * 4.0).clamp(0.0, 1.0) as f32;
        let (down, up) = (share(1.0, 5.25), 0.15 * share(2.0, 4.25));
        let hips = Vec3::new(0.0, 0.95 - 0.3 * down, -0.05 - 0.4 * down);
        (
            hips,
            [flat(0.1, 0.04 + up, 0.0), flat(-0.1, 0.04 + up, 0.0)],
        )
    };
    let mut clip = scripted((6.0, 30), sit);
    let report = found(&mut clip);
    for side in Side::BOTH {
        check(&clip, &report, side, &[(0.0, 2.0), (4.25, 6.0)]);
    }
    // the same feet bear a body that is over them
    let climb = |time: f64| {
        let (_, feet) = sit(time);
        (Vec3::new(0.0, 0.91 + feet[0].ball.y, -0.05), feet)
    };
    let mut clip = scripted((6.0, 30), climb);
    let report = found(&mut clip);
    let there = |frame: usize| report.contacts[frame].any(Contacts::foot(Side::Left));
    assert!((75..115).all(there), "{:?}", report.plants);
}

#[test]
fn short_gaps_and_touches_do_not_count() {
    // the foot twitches for a frame at 1 s and pauses for a frame in mid-air at 2.5 s
    let twitch = |time: f64| {
        let frame = (time * 30.0).round() as i32;
        let z = match frame {
            30 => 0.05,
            ..60 => 0.0,
            60..90 => 0.05 * (frame - 60 - i32::from(frame > 75)) as f32,
            _ => 1.45,
        };
        (Vec3::Y, [flat(0.1, 0.04, z), flat(-0.1, 0.04, 0.0)])
    };
    let mut clip = scripted((4.0, 30), twitch);
    let report = found(&mut clip);
    check(&clip, &report, Side::Left, &[(0.0, 2.0), (3.0, 4.0)]);
}

#[test]
fn a_lost_pose_at_the_start_is_no_plant() {
    let clip = walk((2.0, 30), |_, _| 0.04, GAIT);
    // cut in the middle of the left foot's swing, with the first pose repeated
    let mut moments: Vec<f64> = vec![24.0; 3];
    moments.extend((25..60).map(f64::from));
    let mut cut = afoot_core::clip_at(&clip, &moments, clip.rate);
    let report = found(&mut cut);
    assert!(!report.contacts[0].any(Contacts::foot(Side::Left)));
}

#[test]
fn a_frozen_end_pins_nothing() {
    // a noisy walk whose last pose, with the left foot down, stays for two seconds
    let mut clip = walk((3.4, 30), |_, _| 0.04, GAIT);
    shake(&mut clip, 0.003);
    let mut moments: Vec<f64> = (0..102).map(f64::from).collect();
    moments.extend([101.0; 60]);
    let mut frozen = afoot_core::clip_at(&clip, &moments, clip.rate);
    let report = found(&mut frozen);
    let left = [(0.0, 0.6), (1.0, 1.6), (2.0, 2.6), (3.0, 5.4)];
    check(&frozen, &report, Side::Left, &left);
}

#[test]
fn feet_without_toes_have_heels() {
    let stand = |_: f64| (Vec3::Y, [flat(0.1, 0.03, 0.0), flat(-0.1, 0.03, 0.0)]);
    let mut clip = scripted_on(skeleton(false), (1.0, 30), stand);
    let report = found(&mut clip);
    let heels = Contacts::heel(Side::Left).with(Contacts::heel(Side::Right));
    assert_eq!(report.contacts, vec![heels; 30]);
}

#[test]
fn tiny_clips_and_footless_figures() {
    let stand = |_: f64| (Vec3::Y, [flat(0.1, 0.03, 0.0), flat(-0.1, 0.03, 0.0)]);
    let one = found(&mut scripted((0.034, 30), stand));
    let all = Contacts::foot(Side::Left).with(Contacts::foot(Side::Right));
    assert_eq!(one.contacts, [all]);
    assert!(found(&mut scripted((0.0, 30), stand)).contacts.is_empty());
    let mut bare = scripted((1.0, 30), stand);
    bare.skeleton = std::sync::Arc::new(skeleton(true).with_roles(&[None; 5]));
    let error = detect_contacts(&bare, &ContactOptions::default());
    assert_eq!(
        error,
        Err(ContactError::NoFeet {
            clip: "scripted".into()
        })
    );
}
