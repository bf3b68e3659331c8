//! Blends of the small biped's walks.

use std::sync::Arc;

use super::*;
use crate::fixture::walk;
use afoot_core::{
    ClipFrame, ClipMismatch, Contacts, FrameId, FrameRate, LabelSpan, Locomotion, Range32, Side,
    Skeleton, yaw_of,
};
use afoot_fixtures::joined;
use glam::{Quat, Vec3};

const OPTIONS: BlendOptions = BlendOptions {
    window: 10,
    alignment: None,
};

/// Two whole clips over a blend.
fn join_clips(a: ClipFrame, b: ClipFrame, options: &BlendOptions) -> Clip {
    let blend = blend_transition(a, b, options).unwrap();
    joined(a, &blend.clip, b, blend.placement)
}

fn apart() -> (Clip, Clip) {
    (
        walk(80, 0.0, (0.0, 0.0)),
        walk(80, 120f32.to_radians(), (3.0, 0.5)),
    )
}

#[test]
fn two_walks_apart_and_turned_go_on_forward() {
    let (a, b) = apart();
    // Also at another phase of the stride.
    for resume in [50, 63, 70] {
        let joined = join_clips(a.at(FrameId(40)), b.at(FrameId(resume)), &OPTIONS);
        for (frame, pair) in joined.root.windows(2).enumerate() {
            let step = pair[1] - pair[0];
            let heading = yaw_of(joined.frame_rotations(FrameId::from(frame))[0]);
            let forward = Vec3::new(heading.sin(), 0.0, heading.cos());
            let ahead = step.dot(forward);
            assert!((ahead - 0.02).abs() < 1e-3, "frame {frame} moves {ahead} m");
        }
        joined.check().unwrap();
    }
}

#[test]
fn the_second_clip_follows_where_the_placement_says() {
    let (a, b) = apart();
    let blend = blend_transition(a.at(FrameId(40)), b.at(FrameId(55)), &OPTIONS).unwrap();
    let last = blend.placement.point3(b.root[54]);
    assert!(blend.clip.root[9].distance(last) < 1e-5);
    let rotation = blend.placement.rotate(b.frame_rotations(FrameId(54))[0]);
    assert!(rotation.angle_between(blend.clip.frame_rotations(FrameId(9))[0]) < 1e-3);
    assert_eq!(
        blend.clip.frame_rotations(FrameId(9))[1..],
        b.frame_rotations(FrameId(54))[1..]
    );
}

#[test]
fn the_root_alone_goes_the_same_way() {
    let (a, b) = apart();
    let sides = (a.at(FrameId(33)), b.at(FrameId(61)));
    let blend = blend_transition(sides.0, sides.1, &OPTIONS).unwrap();
    let root = blend_transition_root(sides.0, sides.1, &OPTIONS).unwrap();
    assert_eq!(root.placements[1], blend.placement);
    for (at, whole) in root.path.iter().zip(&blend.clip.root) {
        assert_eq!([at.x as f32, at.z as f32], [whole.x, whole.z]);
    }
}

#[test]
fn a_clip_blended_with_itself_is_itself() {
    let (_, b) = apart();
    let blend = blend_transition(b.at(FrameId(20)), b.at(FrameId(30)), &OPTIONS).unwrap();
    for frame in 0..10 {
        assert!(
            blend.clip.root[frame].distance(b.root[20 + frame]) < 1e-5,
            "frame {frame}"
        );
    }
    let placed = blend.placement.point3(Vec3::new(1.0, 0.0, 1.0));
    assert!(placed.distance(Vec3::new(1.0, 0.0, 1.0)) < 1e-4, "{placed}");
}

#[test]
fn a_known_alignment_decides_heading_and_place_and_is_spread_over_the_steps() {
    let (a, b) = apart();
    let blend = |alignment| {
        let options = BlendOptions {
            alignment,
            ..OPTIONS
        };
        blend_transition(a.at(FrameId(40)), b.at(FrameId(50)), &options).unwrap()
    };
    let by_steps = blend(None);
    for (x, z, yaw) in [(0.0, 0.0, 0.0), (0.03, -0.02, 0.1), (-0.05, 0.0, -0.2)] {
        // Moved and turned about where the second clip goes on.
        let end = by_steps.placement.point3(b.root[49]);
        let (end_x, end_z) = (f64::from(end.x), f64::from(end.z));
        let about = Planar::new(end_x + x, end_z + z, yaw)
            .then_after(Planar::new(end_x, end_z, 0.0).inverse());
        let wanted = about.then_after(by_steps.placement);
        let aligned = blend(Some(wanted));
        assert_eq!(aligned.placement, wanted);
        let (last, facing) = (
            aligned.clip.root[9],
            aligned.clip.frame_rotations(FrameId(9))[0],
        );
        assert!(last.distance(wanted.point3(b.root[49])) < 1e-4);
        let own = wanted.rotate(b.frame_rotations(FrameId(49))[0]);
        assert!(
            facing.dot(own).abs() > 1.0 - 1e-5,
            "the pose is the second clip's"
        );
        for frame in 0..10 {
            let moved = aligned.clip.root[frame] - by_steps.clip.root[frame];
            let expected = (1.0 - blend_weight(frame, 10)) * Vec3::new(x as f32, 0.0, z as f32);
            assert!(moved.distance(expected) < 0.01, "frame {frame}: {moved}");
        }
    }
}

#[test]
fn a_cartwheel_blends_without_a_spin() {
    // A roll about the direction of travel, which passes upside down twice.
    let mut a = walk(60, 0.3, (0.0, 0.0));
    for frame in 0..60 {
        let roll = Quat::from_rotation_y(0.3) * Quat::from_rotation_z(0.2 * frame as f32);
        a.frame_rotations_mut(FrameId::from(frame))[0] = roll;
    }
    for start in 5..45 {
        let resume = FrameId(start as u32 + 10);
        let blend = blend_transition(a.at(FrameId(start as u32)), a.at(resume), &OPTIONS).unwrap();
        for frame in 0..10 {
            let blended = blend.clip.frame_rotations(FrameId::from(frame))[0];
            let own = a.frame_rotations(FrameId::from(start + frame))[0];
            assert!(
                blended.angle_between(own) < 2e-3,
                "start {start} frame {frame}"
            );
        }
        assert!(blend.placement.yaw.abs() < 1e-4);
    }
}

#[test]
fn weights_are_kovars_equation_7() {
    assert!((blend_weight(4, 10) - 0.5).abs() < 1e-6);
    assert_eq!(blend_weight(9, 10), 0.0);
    assert!((blend_weight(0, 10) - (0.002 - 0.03 + 1.0)).abs() < 1e-6);
    assert_eq!(blend_weight(0, 1), 0.0);
}

#[test]
fn contacts_come_from_either_half_and_labels_from_both() {
    let (mut a, mut b) = apart();
    let left = Contacts::foot(Side::Left);
    a.contacts = vec![left; 80];
    b.contacts = vec![Contacts::NONE; 80];
    b.contacts[48] = Contacts::foot(Side::Right);
    b.contacts[49] = Contacts::foot(Side::Right);
    a.types = vec![Locomotion::Walk; 80];
    b.types = vec![Locomotion::Run; 80];
    let span = |start, end, label: &str| LabelSpan {
        frames: Range32 { start, end },
        label: label.into(),
    };
    a.labels = vec![span(0, 45, "sneak")];
    b.labels = vec![span(43, 47, "sneak"), span(47, 80, "wave")];
    let blend = blend_transition(a.at(FrameId(40)), b.at(FrameId(50)), &OPTIONS).unwrap();
    let expected: Vec<Contacts> = (0..10)
        .map(|p| match p {
            0..=4 => left,
            8.. => Contacts::foot(Side::Right),
            _ => Contacts::NONE,
        })
        .collect();
    assert_eq!(blend.clip.contacts, expected);
    assert_eq!(blend.clip.types[4], Locomotion::Walk);
    assert_eq!(blend.clip.types[5], Locomotion::Run);
    assert_eq!(
        blend.clip.labels,
        [span(0, 7, "sneak"), span(7, 10, "wave")]
    );
    let case = |plant: &plants::BlendPlant| (plant.side, plant.case);
    let cases: Vec<_> = plants::classify(&blend.clip.contacts)
        .iter()
        .map(case)
        .collect();
    assert_eq!(
        cases,
        [
            (Side::Left, plants::PlantCase::First),
            (Side::Right, plants::PlantCase::Second)
        ]
    );
}

#[test]
fn what_cannot_be_blended_is_refused_by_name() {
    let (a, b) = apart();
    let ask = |a_from, b_resume, window| {
        let options = BlendOptions { window, ..OPTIONS };
        blend_transition(a.at(FrameId(a_from)), b.at(FrameId(b_resume)), &options).unwrap_err()
    };
    assert!(matches!(
        ask(75, 50, 10),
        BlendError::OutOfRange { to: 85, .. }
    ));
    assert!(matches!(
        ask(0, 5, 10),
        BlendError::OutOfRange { from: -5, .. }
    ));
    assert_eq!(ask(0, 5, 0), BlendError::NoFrame);
    let empty = Clip {
        root: Vec::new(),
        rotations: Vec::new(),
        ..b.clone()
    };
    let error = blend_transition(a.at(FrameId(0)), empty.at(FrameId(0)), &OPTIONS).unwrap_err();
    assert!(matches!(error, BlendError::OutOfRange { frames: 0, .. }));
    let faster = Clip {
        rate: FrameRate::new(60, 1).unwrap(),
        ..b.clone()
    };
    let error = blend_transition(a.at(FrameId(0)), faster.at(FrameId(50)), &OPTIONS).unwrap_err();
    assert!(error.to_string().contains("60 fps"), "{error}");
    let scaled = Arc::new(Skeleton::clone(&b.skeleton).scaled(1.1));
    let taller = Clip {
        skeleton: scaled,
        ..b.clone()
    };
    let error = blend_transition(a.at(FrameId(0)), taller.at(FrameId(50)), &OPTIONS).unwrap_err();
    let mismatch = matches!(error, BlendError::Mismatch(ClipMismatch::Skeleton { .. }));
    assert!(mismatch, "{error}");
}

#[test]
fn a_window_of_one_frame_is_a_cut_in_place() {
    let (a, b) = apart();
    let options = BlendOptions {
        window: 1,
        ..OPTIONS
    };
    let joined = join_clips(a.at(FrameId(40)), b.at(FrameId(41)), &options);
    assert_eq!(joined.len(), 80);
    for pair in joined.root.windows(2) {
        assert!((pair[1] - pair[0]).length() < 0.04);
    }
}

#[test]
fn sliding_joints_slide_on() {
    let (mut a, b) = apart();
    let joint = afoot_core::JointId(2);
    let offsets = vec![Vec3::new(0.0, -0.5, 0.0); 80];
    a.sliding = vec![afoot_core::SlidingJoint { joint, offsets }];
    let joined = join_clips(a.at(FrameId(40)), b.at(FrameId(60)), &OPTIONS);
    joined.check().unwrap();
    let offsets = &joined.sliding[0].offsets;
    assert_eq!([offsets[39].y, offsets[55].y], [-0.5, -0.4]);
    assert!((offsets[44].y + 0.45).abs() < 1e-5, "{}", offsets[44]);
}
