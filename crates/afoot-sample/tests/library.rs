//! The sample library keeps what it promises: still feet, smooth motion, labels, ground truth.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use afoot_core::{
    Clip, Contacts, FrameId, FrameRate, JointId, Locomotion, Positions, Role, Side, Vec3,
    forward_kinematics, wrap_angle, yaw_of,
};
use afoot_sample::{SampleMotion, SampleOptions, sample_library, sample_motion, sample_skeleton};

struct Sample {
    clip: Clip,
    positions: Positions,
}

/// The library at 60 fps with the positions of its joints, made once.
fn library() -> &'static [Sample] {
    static LIBRARY: OnceLock<Vec<Sample>> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let rate = FrameRate::new(60, 1).expect("a rate");
        let options = SampleOptions {
            rate,
            ..SampleOptions::default()
        };
        let clips = sample_library(&options).into_iter();
        clips
            .map(|clip| Sample {
                positions: forward_kinematics(&clip),
                clip,
            })
            .collect()
    })
}

fn joint(role: Role) -> JointId {
    sample_skeleton()
        .with_role(role)
        .expect("every role is there")
}

/// The four joints of the feet with their contact bits.
fn foot_joints() -> Vec<(JointId, Contacts, Side)> {
    let parts = |side| {
        [
            (joint(Role::Foot(side)), Contacts::heel(side), side),
            (joint(Role::Toe(side)), Contacts::ball(side), side),
        ]
    };
    Side::BOTH.into_iter().flat_map(parts).collect()
}

/// Half-open stretches of frames for which `holds`.
fn spans(count: usize, holds: impl Fn(usize) -> bool) -> Vec<[usize; 2]> {
    let mut spans: Vec<[usize; 2]> = Vec::new();
    for frame in (0..count).filter(|&f| holds(f)) {
        match spans.last_mut() {
            Some(span) if span[1] == frame => span[1] += 1,
            _ => spans.push([frame, frame + 1]),
        }
    }
    spans
}

fn find(name: &str) -> &'static Sample {
    library()
        .iter()
        .find(|s| s.clip.name == name)
        .expect("a clip of that name")
}

#[test]
fn four_minutes_of_valid_clips_on_one_skeleton() {
    let seconds: f64 = library().iter().map(|s| s.clip.seconds()).sum();
    assert!((200.0..=280.0).contains(&seconds), "{seconds} s");
    let names: BTreeSet<_> = library().iter().map(|s| &s.clip.name).collect();
    assert_eq!(names.len(), library().len(), "names are unique");
    for Sample { clip, .. } in library() {
        assert_eq!(clip.check(), Ok(()));
        assert_eq!(
            (clip.contacts.len(), clip.types.len()),
            (clip.len(), clip.len())
        );
        assert!(
            clip.skeleton.same_shape(&sample_skeleton()),
            "{}",
            clip.name
        );
        assert!(!clip.labels.is_empty(), "{} has no label", clip.name);
        let inside = |span: &afoot_core::LabelSpan| span.frames.end as usize <= clip.len();
        assert!(
            clip.labels.iter().all(inside) && clip.labels.is_sorted(),
            "{}",
            clip.name
        );
    }
}

#[test]
fn planted_feet_stand_still_on_the_ground() {
    for Sample { clip, positions } in library() {
        let ground = clip.ground.expect("every clip has its ground");
        for (joint, part, side) in foot_joints() {
            let rest = ground.rest[side.index()];
            let rest = if part == Contacts::heel(side) {
                rest.ankle
            } else {
                rest.ball
            };
            for [from, to] in spans(clip.len(), |f| clip.contacts[f].any(part)) {
                let place = positions.joint(FrameId::from(from), joint);
                for frame in from..to {
                    let here = positions.joint(FrameId::from(frame), joint);
                    let slip = (here - place).length();
                    assert!(
                        slip < 1e-4,
                        "{} {joint:?} slips {slip} at {frame}",
                        clip.name
                    );
                    let above = here.y - ground.height_at(here.x, here.z) - rest;
                    assert!(above.abs() < 1e-4, "{} {joint:?} hovers {above}", clip.name);
                }
            }
        }
    }
}

#[test]
fn feet_never_go_below_the_ground() {
    let skeleton = sample_skeleton();
    let toes = Side::BOTH.map(|side| joint(Role::Toe(side)));
    let tips = skeleton.end_sites().iter().enumerate();
    let tips = tips.filter(|(_, site)| toes.contains(&site.parent));
    let points: Vec<usize> = foot_joints()
        .iter()
        .map(|(joint, ..)| joint.index())
        .chain(tips.map(|(index, _)| skeleton.len() + index))
        .collect();
    assert_eq!(points.len(), 6);
    for Sample { clip, positions } in library() {
        let ground = clip.ground.expect("every clip has its ground");
        for frame in 0..clip.len() {
            for &point in &points {
                let p = positions.frame(FrameId::from(frame))[point];
                let above = p.y - ground.height_at(p.x, p.z);
                assert!(
                    above > -1e-4,
                    "{} point {point} {above} at {frame}",
                    clip.name
                );
            }
        }
    }
}

#[test]
fn a_foot_in_the_air_has_no_contact_and_a_still_one_has() {
    for Sample { clip, positions } in library() {
        for (joint, part, _) in foot_joints() {
            for frame in 2..clip.len() - 2 {
                let at = |f: usize| positions.joint(FrameId::from(f), joint);
                let touches = |f: usize| clip.contacts[f].any(part);
                let around = (frame - 2..=frame + 2).map(touches);
                if around.clone().all(|t| !t) {
                    let way = (at(frame + 1) - at(frame - 1)).length();
                    let high = at(frame).y - clip.ground.expect("ground").height > 0.005;
                    assert!(
                        way > 1e-4 || high,
                        "{} rests unmarked at {frame}",
                        clip.name
                    );
                }
            }
        }
    }
}

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
fn every_label_and_type_is_there() {
    let labels: BTreeSet<&str> = library()
        .iter()
        .flat_map(|s| &s.clip.labels)
        .map(|span| span.label.as_str())
        .collect();
    for word in [
        "walk",
        "run",
        "stand",
        "sneak",
        "jump",
        "hop",
        "wave",
        "pick up",
        "sit",
        "duck",
        "crouch",
        "step over",
        "kick",
        "uphill",
        "downhill",
        "turn left",
        "turn right",
    ] {
        assert!(labels.contains(word), "no {word} among {labels:?}");
    }
    for kind in Locomotion::ALL {
        let there = library().iter().any(|s| s.clip.types.contains(&kind));
        assert!(there, "no frame is {}", kind.name());
    }
}

#[test]
fn types_follow_the_feet() {
    let share = |name: &str, kind: Locomotion| {
        let types = &find(name).clip.types;
        types.iter().filter(|&&t| t == kind).count() as f64 / types.len() as f64
    };
    for name in ["walk", "walk_sharp_left", "sneak", "step_over", "slope_up"] {
        assert_eq!(share(name, Locomotion::Walk), 1.0, "{name}");
    }
    for name in ["run", "jog", "run_turn_left"] {
        assert_eq!(share(name, Locomotion::Run), 1.0, "{name}");
    }
    for name in ["stand", "wave_standing", "pick_up_floor"] {
        assert_eq!(share(name, Locomotion::Stand), 1.0, "{name}");
    }
    assert!(share("hop", Locomotion::Jump) > 0.4);
    assert!(share("sit_and_rise", Locomotion::Other) > 0.3);
    assert!(share("walk_to_run", Locomotion::Run) > 0.3);
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

#[test]
fn turns_turn_by_their_angle() {
    for (name, degrees) in [
        ("walk_turn_left", 45.0),
        ("walk_turn_right", -45.0),
        ("walk_sharp_left", 90.0),
        ("walk_sharp_right_fast", -90.0),
        ("run_turn_left", 70.0),
        ("turn_in_place_right", -90.0),
    ] {
        let clip = &find(name).clip;
        let yaw = |f: usize| f64::from(yaw_of(clip.rotation(FrameId::from(f), JointId(0))));
        let turned = wrap_angle(yaw(clip.len() - 1) - yaw(0)).to_degrees();
        assert!((turned - degrees).abs() < 8.0, "{name} turns {turned}");
        let word = if degrees > 0.0 {
            "turn left"
        } else {
            "turn right"
        };
        assert!(
            clip.labels.iter().any(|span| span.label == word),
            "{name} is not a {word}"
        );
    }
}

#[test]
fn walks_go_as_fast_as_asked() {
    for (speed, length) in [(0.7, 4.0), (1.0, 6.0), (1.6, 8.0)] {
        let clip = sample_motion(
            "w",
            SampleMotion::Walk { speed, length },
            &SampleOptions::default(),
        );
        let way = clip.root[clip.len() - 1] - clip.root[0];
        let mean = f64::from(way.length()) / clip.seconds();
        assert!((mean / speed - 1.0).abs() < 0.06, "{mean} m/s for {speed}");
    }
}

#[test]
fn same_seed_same_bytes_other_seed_other_steps() {
    let make = |seed| {
        let options = SampleOptions {
            seed,
            ..SampleOptions::default()
        };
        sample_motion(
            "walk",
            SampleMotion::Walk {
                speed: 1.2,
                length: 4.0,
            },
            &options,
        )
    };
    assert_eq!(make(3), make(3));
    let (a, b) = (make(3), make(4));
    assert_eq!(a.len(), b.len());
    let apart = a
        .root
        .iter()
        .zip(&b.root)
        .map(|(a, b)| a.distance(*b))
        .fold(0.0, f32::max);
    assert!(apart > 1e-3 && apart < 0.1, "{apart}");
}

#[test]
fn half_the_rate_gives_every_second_frame() {
    let slow = sample_library(&SampleOptions::default());
    for (slow, fast) in slow.iter().zip(library()) {
        for (frame, root) in slow.root.iter().enumerate() {
            let gap = root.distance(fast.clip.root[2 * frame]);
            assert!(gap < 1e-3, "{} {gap} m apart at {frame}", slow.name);
        }
    }
}
