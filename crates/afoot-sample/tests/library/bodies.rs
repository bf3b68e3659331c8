//! Bodies: continuous, jointed and balanced as those of people.

use afoot_core::{Contacts, FrameId, JointId, Positions, Role, Side, Vec3};

use crate::{Sample, find, foot_joints, joint, library, spans};

#[test]
fn motion_is_continuous() {
    for Sample { clip, .. } in library() {
        for frame in 1..clip.len() {
            let (before, here) = (FrameId::from(frame - 1), FrameId::from(frame));
            for index in 0..clip.joint_count() {
                let joint = JointId::from(index);
                let turn = clip
                    .rotation(before, joint)
                    .angle_between(clip.rotation(here, joint));
                let toe = matches!(clip.skeleton.joint(joint).role, Some(Role::Toe(_)));
                let most = if toe { 40.0 } else { 20.0 };
                let degrees = turn.to_degrees();
                assert!(
                    degrees < most,
                    "{} joint {index} {degrees} deg at {frame}",
                    clip.name
                );
            }
        }
        for (frame, w) in clip.root.windows(3).enumerate() {
            let acceleration = (w[2] - w[1] * 2.0 + w[0]).length() * 3600.0;
            assert!(
                acceleration < 45.0,
                "{} root {acceleration} m/s2 at {frame}",
                clip.name
            );
        }
    }
}

#[test]
fn knees_are_hinges_that_bend_backwards() {
    for Sample { clip, .. } in library() {
        for side in Side::BOTH {
            let knee = joint(Role::Leg(side));
            for frame in 0..clip.len() {
                let rotation = clip.rotation(FrameId::from(frame), knee);
                assert!(
                    rotation.y.abs().max(rotation.z.abs()) < 1e-3,
                    "{} twists",
                    clip.name
                );
                let bend = (2.0 * rotation.x.atan2(rotation.w)).to_degrees();
                assert!(
                    (10.0..140.0).contains(&bend),
                    "{} {bend} deg at {frame}",
                    clip.name
                );
            }
        }
    }
}

#[test]
fn legs_do_not_pass_through_each_other() {
    let ends = |side| {
        [
            joint(Role::Leg(side)),
            joint(Role::Foot(side)),
            joint(Role::Toe(side)),
        ]
    };
    let (left, right) = (ends(Side::Left), ends(Side::Right));
    for Sample { clip, positions } in library() {
        for frame in (0..clip.len()).map(FrameId::from) {
            for bone in 0..2 {
                let at = |j: [JointId; 3], share: f32| {
                    let (a, b) = (
                        positions.joint(frame, j[bone]),
                        positions.joint(frame, j[bone + 1]),
                    );
                    a.lerp(b, share)
                };
                let shares = || (0..=8).map(|i| i as f32 / 8.0);
                let gaps = shares().flat_map(|s| shares().map(move |t| (s, t)));
                let gap = gaps
                    .map(|(s, t)| at(left, s).distance(at(right, t)))
                    .fold(f32::MAX, f32::min);
                assert!(gap > 0.055, "{} legs {gap} m apart at {frame:?}", clip.name);
            }
        }
    }
}

#[test]
fn flights_fall_freely() {
    for Sample { clip, positions } in library() {
        for [from, to] in spans(clip.len(), |f| clip.contacts[f] == Contacts::NONE) {
            if to - from < 6 || from == 0 || to == clip.len() {
                continue;
            }
            let heights: Vec<f64> = (from..to)
                .map(|f| mass_centre(positions, f).y.into())
                .collect();
            let gravity = -curvature(&heights) * 3600.0;
            let near = (8.3..11.0).contains(&gravity);
            assert!(near, "{} falls with {gravity} m/s2 at {from}", clip.name);
        }
    }
}

/// Second derivative, per frame squared, of the parabola that fits best.
fn curvature(values: &[f64]) -> f64 {
    let middle = (values.len() - 1) as f64 / 2.0;
    let squares: Vec<f64> = (0..values.len())
        .map(|i| (i as f64 - middle).powi(2))
        .collect();
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
    let (value_mean, square_mean) = (mean(values), mean(&squares));
    let above: f64 = values
        .iter()
        .zip(&squares)
        .map(|(v, s)| (v - value_mean) * (s - square_mean))
        .sum();
    2.0 * above
        / squares
            .iter()
            .map(|s| (s - square_mean).powi(2))
            .sum::<f64>()
}

/// Centre of mass by the share of each segment (Winter 2009), at the middle of its bone.
fn mass_centre(positions: &Positions, frame: usize) -> Vec3 {
    let at = |role| positions.joint(FrameId::from(frame), joint(role));
    let bone = |a, b| (at(a) + at(b)) * 0.5;
    let mut sum =
        at(Role::Hips) * 0.142 + bone(Role::Spine, Role::Neck) * 0.355 + at(Role::Head) * 0.081;
    for side in Side::BOTH {
        sum += bone(Role::UpLeg(side), Role::Leg(side)) * 0.1
            + bone(Role::Leg(side), Role::Foot(side)) * 0.0465
            + bone(Role::Foot(side), Role::Toe(side)) * 0.0145
            + bone(Role::Arm(side), Role::ForeArm(side)) * 0.028
            + bone(Role::ForeArm(side), Role::Hand(side)) * 0.022;
    }
    sum
}

#[test]
fn slow_motion_is_balanced() {
    for name in [
        "stand",
        "wave_standing",
        "pick_up_floor",
        "pick_up_knee",
        "turn_in_place_left",
        "kick",
    ] {
        let Sample { clip, positions } = find(name);
        for frame in 0..clip.len() {
            let mass = mass_centre(positions, frame);
            let feet: Vec<Vec3> = foot_joints()
                .iter()
                .filter(|(_, part, _)| clip.contacts[frame].any(*part))
                .map(|(joint, ..)| positions.joint(FrameId::from(frame), *joint))
                .collect();
            // The box around the planted joints, widened by sole and a sway that steps catch.
            let reach = 0.09;
            let inside = |part: fn(&Vec3) -> f32| {
                let low = feet.iter().map(part).fold(f32::MAX, f32::min) - reach;
                let high = feet.iter().map(part).fold(f32::MIN, f32::max) + reach;
                (low..=high).contains(&part(&mass))
            };
            assert!(
                inside(|p| p.x) && inside(|p| p.z),
                "{name} falls over at {frame}: {mass}"
            );
        }
    }
}
