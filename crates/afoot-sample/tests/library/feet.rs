//! Feet: still while they are planted, never below the ground.

use afoot_core::{Contacts, FrameId, Role, Side};
use afoot_sample::sample_skeleton;

use crate::{Sample, foot_joints, joint, library, spans};

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
