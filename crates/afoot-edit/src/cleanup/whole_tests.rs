//! Cleanup of the small biped's walk, made to skate.

use std::sync::Arc;

use super::*;
use crate::fixture::{biped, walk};
use afoot_core::{Contacts, FrameId, FrameRate, Ground, JointId, Positions, Role, Skeleton};
use afoot_core::{forward_kinematics, yaw_of};
use glam::{Quat, Vec3};

/// What counts as standing still along the floor: a third of a millimetre from frame to frame. [m/s]
const STILL: f32 = 0.01;

/// What held feet keep of the heights that they were captured at, below their rest and above, and what may be
/// left beyond (`level`). [m]
const DIP: f32 = 0.005 + 0.005;
const HOVER: f32 = 0.012 + 0.005;

/// The walk with its root a fifth too fast, so that planted feet slide at 12 cm/s, and bobbing.
fn skating(frames: usize) -> Clip {
    faster(frames, 0.2)
}

fn faster(frames: usize, share: f32) -> Clip {
    let mut clip = walk(frames, 0.4, (1.0, 2.0));
    let start = clip.root[0];
    for (frame, root) in clip.root.iter_mut().enumerate() {
        *root += (*root - start) * share + Vec3::Y * 0.01 * (frame as f32 * 0.3).sin();
    }
    clip
}

fn joint(clip: &Clip, role: Role) -> JointId {
    clip.skeleton.with_role(role).unwrap()
}

/// The largest speed of a joint along the floor over frames whose neighbours are in contact too. [m/s]
fn planted_speed(clip: &Clip, at: &Positions, joint: JointId, bit: Contacts) -> f32 {
    let down = |frame: usize| clip.contacts[frame].any(bit);
    let inner = (1..clip.len() - 1).filter(|f| down(f - 1) && down(*f) && down(f + 1));
    let speed = |f: usize| {
        let place = |frame: usize| at.joint(FrameId::from(frame), joint);
        let way = place(f + 1) - place(f - 1);
        way.x.hypot(way.z) * 15.0
    };
    inner.map(speed).fold(0.0, f32::max)
}

fn check(clip: &Clip) -> (Clip, CleanupReport) {
    let (cleaned, report) = settle_feet(clip, &SettleOptions::default()).unwrap();
    cleaned.check().unwrap();
    assert!(cleaned.rotations.iter().all(|q| q.is_normalized()));
    assert_eq!(cleaned.len(), clip.len());
    (cleaned, report)
}

#[test]
fn planted_feet_stand_still_on_the_floor() {
    let clip = skating(120);
    let (cleaned, report) = check(&clip);
    let (before, after) = (forward_kinematics(&clip), forward_kinematics(&cleaned));
    for side in Side::BOTH {
        let ball = joint(&clip, Role::Toe(side));
        let bit = Contacts::ball(side);
        assert!(planted_speed(&clip, &before, ball, bit) > 0.1);
        let speed = planted_speed(&cleaned, &after, ball, bit);
        assert!(speed < STILL, "{side:?} ball moves at {speed} m/s");
        let ankle = joint(&clip, Role::Foot(side));
        for frame in (0..120).map(FrameId) {
            let (ball, ankle) = (after.joint(frame, ball).y, after.joint(frame, ankle).y);
            assert!(
                ball > -0.005 && ankle > 0.045,
                "{side:?} at {frame:?}: {ball}, {ankle}"
            );
        }
    }
    assert!(
        report.plants >= 6 && report.largest_miss < 1e-3,
        "{report:?}"
    );
}

#[test]
fn nothing_jumps() {
    let clip = faster(120, 0.05);
    let (cleaned, _) = check(&clip);
    let worst = |clip: &Clip| {
        let at = forward_kinematics(clip);
        let joints: Vec<JointId> = Side::BOTH.map(|side| joint(clip, Role::Leg(side))).into();
        let bend = |f: usize, joint: JointId| {
            let place = |f: usize| at.joint(FrameId::from(f), joint);
            (place(f + 1) - 2.0 * place(f) + place(f - 1)).length()
        };
        let frames = 1..clip.len() - 1;
        frames
            .flat_map(|f| joints.iter().map(move |j| bend(f, *j)))
            .fold(0.0, f32::max)
    };
    let (before, after) = (worst(&clip), worst(&cleaned));
    assert!(after < 1.5 * before, "{after} m after {before} m");
}

#[test]
fn feet_that_stand_are_left_alone() {
    let mut clip = walk(30, 0.0, (0.0, 0.0));
    let pose = clip.pose(FrameId(0));
    clip = Clip {
        root: Vec::new(),
        rotations: Vec::new(),
        ..clip
    };
    (0..30).for_each(|_| clip.push_pose(&pose));
    clip.contacts = vec![clip.contacts[0]; 30];
    let (cleaned, report) = check(&clip);
    let moved = forward_kinematics(&cleaned)
        .as_slice()
        .iter()
        .zip(forward_kinematics(&clip).as_slice())
        .map(|(a, b)| a.distance(*b))
        .fold(0.0, f32::max);
    assert!(moved < 1e-3, "{moved} m, {report:?}");
}

#[test]
fn free_frames_far_from_plants_keep_their_bits() {
    let mut clip = skating(120);
    clip.contacts.fill(Contacts::NONE);
    clip.root.iter_mut().for_each(|root| root.y += 0.3);
    let (cleaned, report) = check(&clip);
    assert_eq!(
        (&cleaned.root, &cleaned.rotations),
        (&clip.root, &clip.rotations)
    );
    assert_eq!(report, CleanupReport::default());
}

#[test]
fn a_foot_rolls_from_heel_to_ball_without_moving_either() {
    // Heel first for 4 frames, flat, then the ball alone for 4.
    let mut clip = skating(120);
    let side = Side::Left;
    let down = |frame: usize| clip.contacts[frame].any(Contacts::foot(side));
    let runs = afoot_core::runs_of(clip.len(), down);
    for run in runs.iter().filter(|run| run.len() > 12) {
        (run.start..run.start + 4)
            .for_each(|f| clip.contacts[f] = clip.contacts[f].without(Contacts::ball(side)));
        (run.end - 4..run.end)
            .for_each(|f| clip.contacts[f] = clip.contacts[f].without(Contacts::heel(side)));
    }
    let (cleaned, _) = check(&clip);
    let at = forward_kinematics(&cleaned);
    for (role, bit) in [
        (Role::Foot(side), Contacts::heel(side)),
        (Role::Toe(side), Contacts::ball(side)),
    ] {
        let speed = planted_speed(&cleaned, &at, joint(&clip, role), bit);
        assert!(speed < STILL, "{role:?} moves at {speed} m/s");
    }
}

#[test]
fn feet_stand_on_steps() {
    let clip = faster(160, 0.05);
    // Up 5 cm for every 0.6 m of the walk.
    let ahead = Quat::from_rotation_y(0.4) * Vec3::Z;
    let along = |x: f32, z: f32| Vec3::new(x - 1.0, 0.0, z - 2.0).dot(ahead);
    let height = |x: f32, z: f32| 0.05 * (along(x, z) / 0.6).floor();
    let mut raised = clip.clone();
    raised
        .root
        .iter_mut()
        .for_each(|root| root.y += 0.05 * along(root.x, root.z) / 0.6);
    let rest = clip.ground.unwrap().rest;
    let floor = Floor {
        height: &height,
        rest,
    };
    // The clip's own heights are none of these steps'.
    let options = SettleOptions {
        dip: 0.002,
        hover: 0.002,
        level: 0.002,
        ..Default::default()
    };
    let (cleaned, _) = settle_feet_on(&raised, &floor, &options).unwrap();
    let at = forward_kinematics(&cleaned);
    let mut heights = Vec::new();
    for side in Side::BOTH {
        let ball = joint(&clip, Role::Toe(side));
        let inner = |f: &usize| (f - 4..=f + 4).all(|f| clip.contacts[f].any(Contacts::ball(side)));
        for frame in (4..156).filter(inner) {
            let place = at.joint(FrameId::from(frame), ball);
            let off = place.y - height(place.x, place.z);
            assert!(
                off.abs() < 1e-2,
                "{side:?} frame {frame}: {off} m off the step"
            );
            heights.push((place.y / 0.05).round() as i32);
        }
    }
    heights.sort();
    heights.dedup();
    assert!(heights.len() >= 6, "stands on steps {heights:?}");
}

#[test]
fn feet_on_unknown_boxes_stay_up_there() {
    // The whole walk happens 30 cm above the floor.
    let mut clip = skating(120);
    clip.root.iter_mut().for_each(|root| root.y += 0.3);
    let (cleaned, report) = check(&clip);
    let at = forward_kinematics(&cleaned);
    let (ball, bit) = (
        joint(&clip, Role::Toe(Side::Left)),
        Contacts::ball(Side::Left),
    );
    assert!(planted_speed(&cleaned, &at, ball, bit) < STILL);
    assert!(
        report.largest_shift < 0.15 && report.largest_sink < 0.05,
        "{report:?}"
    );
}

#[test]
fn without_a_floor_the_plants_make_one() {
    let clip = Clip {
        ground: None,
        ..skating(120)
    };
    let (cleaned, _) = check(&clip);
    let at = forward_kinematics(&cleaned);
    let heights = (0..120).filter(|f| clip.contacts[*f].any(Contacts::ball(Side::Left)));
    let ball = joint(&clip, Role::Toe(Side::Left));
    let heights: Vec<f32> = heights
        .map(|f| at.joint(FrameId::from(f), ball).y)
        .collect();
    let lowest = heights.iter().copied().fold(f32::INFINITY, f32::min);
    let highest = heights.iter().copied().fold(0.0, f32::max);
    // Where the floor is is a guess from a clip that bobs by 1 cm either way.
    assert!(
        lowest > -DIP - 0.01 && highest < HOVER + 0.01,
        "{lowest} to {highest}"
    );
}

#[test]
fn unknown_rest_heights_are_measured() {
    let known = skating(120);
    let clip = Clip {
        ground: Some(Ground::level(0.0)),
        ..known.clone()
    };
    let (cleaned, _) = check(&clip);
    let ankle = joint(&clip, Role::Foot(Side::Left));
    let at = forward_kinematics(&cleaned);
    let flat =
        |f: &usize| (f - 3..f + 4).all(|f| known.contacts[f].any(Contacts::heel(Side::Left)));
    for frame in (3..116).filter(flat) {
        // The clip bobs by 1 cm either way, of which feet keep what they may.
        let off = at.joint(FrameId::from(frame), ankle).y - 0.05;
        assert!(
            (-DIP..HOVER).contains(&off),
            "frame {frame}: {off} m from its rest"
        );
    }
}

#[test]
fn a_floor_that_is_too_low_is_reached() {
    let mut clip = skating(60);
    clip.ground = clip.ground.map(|ground| Ground {
        height: -0.05,
        ..ground
    });
    let (_, report) = check(&clip);
    assert!(
        report.largest_sink > 0.03 && report.largest_miss < 1e-3,
        "{report:?}"
    );
}

#[test]
fn legs_lengthen_only_if_asked() {
    let clip = skating(80);
    let options = SettleOptions {
        lengthen: 0.05,
        ..Default::default()
    };
    let (stretched, report) = settle_feet(&clip, &options).unwrap();
    let (plain, sunk) = check(&clip);
    assert!(plain.sliding.is_empty() && !stretched.sliding.is_empty());
    assert!(
        report.largest_sink < 0.8 * sunk.largest_sink,
        "{report:?}, {sunk:?}"
    );
    stretched.check().unwrap();
    let at = forward_kinematics(&stretched);
    let (ball, bit) = (
        joint(&clip, Role::Toe(Side::Left)),
        Contacts::ball(Side::Left),
    );
    let speed = planted_speed(&stretched, &at, ball, bit);
    assert!(speed < STILL, "{speed}");
    for sliding in &stretched.sliding {
        let own = clip.skeleton.joint(sliding.joint).offset.length();
        assert!(sliding.offsets.iter().all(|o| o.length() < 1.051 * own));
    }
}

#[test]
fn short_and_odd_clips() {
    let options = SettleOptions::default();
    let empty = Clip::empty("none", biped(), FrameRate::FPS_30);
    assert_eq!(settle_feet(&empty, &options).unwrap().0, empty);
    for frames in 1..5 {
        let (cleaned, _) = check(&skating(frames));
        assert_eq!(cleaned.len(), frames);
    }
    let blind = Clip {
        contacts: Vec::new(),
        ..skating(9)
    };
    let error = settle_feet(&blind, &options).unwrap_err();
    assert_eq!(
        error.to_string(),
        "clip \"walk\": 0 contacts for 9 frames; detect the contacts first"
    );
    let nameless = Arc::new(Skeleton::clone(&biped()).with_roles(&[None; 10]));
    let error = settle_feet(
        &Clip {
            skeleton: nameless,
            ..skating(9)
        },
        &options,
    )
    .unwrap_err();
    assert_eq!(
        error,
        CleanupError::NoLegs {
            clip: "walk".into()
        }
    );
    let flat = Arc::new(Skeleton::clone(&biped()).scaled(0.0));
    check(&Clip {
        skeleton: flat,
        ..skating(30)
    });
}

#[test]
fn a_foot_without_toes_is_held_at_its_ankle() {
    let mut clip = skating(120);
    let roles: Vec<Option<Role>> = biped()
        .joints()
        .iter()
        .map(|joint| joint.role.filter(|role| !matches!(role, Role::Toe(_))))
        .collect();
    clip.skeleton = Arc::new(Skeleton::clone(&biped()).with_roles(&roles));
    let (cleaned, _) = check(&clip);
    let at = forward_kinematics(&cleaned);
    let ankle = joint(&clip, Role::Foot(Side::Left));
    let speed = planted_speed(&cleaned, &at, ankle, Contacts::foot(Side::Left));
    assert!(speed < STILL, "{speed}");
}

#[test]
fn where_a_clip_lies_makes_no_difference() {
    let clip = skating(80);
    let by = afoot_core::Planar::new(3.0, -1.0, 1.1);
    let mut placed = clip.clone();
    placed.place(by);
    let (mut first, _) = check(&clip);
    let (second, _) = check(&placed);
    first.place(by);
    for (a, b) in first.root.iter().zip(&second.root) {
        assert!(a.distance(*b) < 1e-3, "{a} is not {b}");
    }
    for (a, b) in first.rotations.iter().zip(&second.rotations) {
        assert!(a.angle_between(*b) < 0.02, "{a} is not {b}, {}", yaw_of(*a));
    }
}

#[test]
fn straight_legs_above_their_floor_are_carried_to_it() {
    // Legs that end 5.8 cm above the floor they should stand on, and sway.
    let mut clip = walk(60, 0.0, (0.0, 0.0));
    clip.rotations.fill(Quat::IDENTITY);
    for (frame, root) in clip.root.iter_mut().enumerate() {
        *root = Vec3::Y + Vec3::X * 0.02 * (frame as f32 * 0.5).sin();
    }
    clip.contacts
        .fill(Contacts::foot(Side::Left).with(Contacts::foot(Side::Right)));
    let ankle = forward_kinematics(&clip).joint(FrameId(0), joint(&clip, Role::Foot(Side::Left)));
    let rest = clip.ground.unwrap().rest;
    clip.ground = Some(Ground {
        rest,
        ..Ground::level(ankle.y - rest[0].ankle - 0.058)
    });
    let (cleaned, report) = check(&clip);
    let at = forward_kinematics(&cleaned);
    for side in Side::BOTH {
        let ankle = joint(&clip, Role::Foot(side));
        let speed = planted_speed(&cleaned, &at, ankle, Contacts::foot(side));
        assert!(speed < STILL, "{side:?} moves at {speed} m/s");
        let floor = clip.ground.unwrap();
        let off = at.joint(FrameId(30), ankle).y - floor.height - rest[side.index()].ankle;
        assert!((-DIP..HOVER).contains(&off), "{side:?} {off} m off");
    }
    assert!(report.largest_sink < 0.06, "{report:?}");
}
