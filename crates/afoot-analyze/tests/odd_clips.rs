//! Clips that are too short, too small, too far away or too odd: sensible results, no panic.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use afoot_analyze::{
    ClassifyOptions, ContactOptions, GroundOptions, JudgeOptions, Quality, SourceStatistics, Touch,
    TouchOptions, classify_clip, detect_contacts, detect_touches, estimate_ground, judge_clip,
};
use afoot_core::{
    Clip, Contacts, FrameRate, Locomotion, Role, Side, Skeleton, Vec3, cut_clip, resample_clip,
};
use afoot_sample::{SampleMotion, SampleOptions, sample_motion};

fn walk() -> Clip {
    let motion = SampleMotion::Walk {
        speed: 1.2,
        length: 4.0,
    };
    let mut clip = sample_motion("walk", motion, &SampleOptions::default());
    (clip.ground, clip.contacts, clip.types) = (None, Vec::new(), Vec::new());
    clip
}

/// All facts of a clip, in the order in which an import finds them.
fn facts(mut clip: Clip) -> (Clip, Quality) {
    let ground = estimate_ground(&clip, &GroundOptions::default());
    clip.ground = ground.ok().map(|estimate| estimate.ground);
    if let Ok(report) = detect_contacts(&clip, &ContactOptions::default()) {
        clip.contacts = report.contacts;
        clip.types = classify_clip(&clip, &ClassifyOptions::default()).unwrap();
    }
    let source = SourceStatistics::of_clips(&[&clip]);
    let options = JudgeOptions {
        source: source.as_ref(),
        path: Some(&[[0.0, 0.0], [1.0, 1.0]]),
        ..JudgeOptions::default()
    };
    let quality = judge_clip(&clip, &options);
    let touch = TouchOptions {
        hands: Some(Touch::Dwell),
        seat: Some(Touch::Dwell),
        ..TouchOptions::default()
    };
    if let Ok(report) = detect_touches(&clip, &touch) {
        assert_eq!(report.contacts.len(), clip.len());
    }
    (clip, quality)
}

fn check_finite(quality: &Quality) {
    let numbers = [
        quality.skate_cm_s,
        quality.skate_share,
        quality.slide_mm,
        quality.sink_cm,
        quality.jump_ratio,
        quality.acceleration_ratio,
        quality.path_mean_m,
        quality.path_max_m,
    ];
    assert!(
        numbers.iter().flatten().all(|number| number.is_finite()),
        "{quality:?}"
    );
}

#[test]
fn short_clips() {
    let whole = walk();
    for frames in 0..12 {
        let (clip, quality) = facts(cut_clip(&whole, 0..frames).unwrap());
        assert_eq!(clip.contacts.len(), frames as usize);
        assert_eq!(clip.types.len(), frames as usize);
        assert_eq!(quality.frames, frames as usize);
        check_finite(&quality);
    }
}

#[test]
fn slow_and_fast_rates() {
    let (reference, _) = facts(walk());
    let planted = |clip: &Clip| {
        let on = clip
            .contacts
            .iter()
            .filter(|bits| bits.any(Contacts::foot(Side::Left)));
        on.count() as f64 / clip.len() as f64
    };
    for fps in [10, 24, 240] {
        let rate = FrameRate::new(fps, 1).unwrap();
        let (clip, quality) = facts(resample_clip(&walk(), rate));
        check_finite(&quality);
        let off = (planted(&clip) - planted(&reference)).abs();
        assert!(
            off < 0.1,
            "{fps} fps: planted for {} of the time",
            planted(&clip)
        );
        let walks = clip
            .types
            .iter()
            .filter(|kind| **kind == Locomotion::Walk)
            .count();
        assert!(
            walks * 10 >= clip.len() * 9,
            "{fps} fps: {walks} of {}",
            clip.len()
        );
    }
}

#[test]
fn bones_without_length() {
    let mut clip = walk();
    clip.skeleton = Arc::new((*clip.skeleton).clone().scaled(0.0));
    let (clip, quality) = facts(clip);
    assert_eq!(clip.contacts.len(), clip.len());
    check_finite(&quality);
}

#[test]
fn giants_and_dwarfs_walk_like_anybody() {
    let (reference, _) = facts(walk());
    for size in [0.25, 4.0] {
        let mut clip = walk();
        clip.skeleton = Arc::new((*clip.skeleton).clone().scaled(size));
        clip.root.iter_mut().for_each(|at| *at *= size);
        let (clip, _) = facts(clip);
        let same = clip
            .contacts
            .iter()
            .zip(&reference.contacts)
            .filter(|(a, b)| a == b)
            .count();
        assert!(
            same * 100 >= clip.len() * 85,
            "{size}: {same} of {}",
            clip.len()
        );
        assert_eq!(clip.types, reference.types, "{size}");
    }
}

#[test]
fn far_from_the_origin() {
    let (reference, near) = facts(walk());
    let mut clip = walk();
    clip.root
        .iter_mut()
        .for_each(|at| *at += Vec3::new(1000.0, 0.0, -2000.0));
    let (clip, far) = facts(clip);
    assert_eq!(clip.types, reference.types);
    assert!((far.jump_ratio.unwrap() - near.jump_ratio.unwrap()).abs() < 1e-3);
    assert!(
        (far.skate_cm_s.unwrap() - near.skate_cm_s.unwrap()).abs() < 0.5,
        "{far:?}"
    );
}

#[test]
fn one_leg_and_no_legs() {
    let without = |gone: &[Side]| {
        let mut clip = walk();
        let skeleton: &Skeleton = &clip.skeleton;
        let of_leg = |role: &Role| match role {
            Role::UpLeg(side) | Role::Leg(side) | Role::Foot(side) | Role::Toe(side) => {
                gone.contains(side)
            }
            _ => false,
        };
        let kept = skeleton
            .joints()
            .iter()
            .map(|joint| joint.role.filter(|role| !of_leg(role)));
        let roles: Vec<Option<Role>> = kept.collect();
        clip.skeleton = Arc::new(skeleton.clone().with_roles(&roles));
        facts(clip)
    };
    let (clip, quality) = without(&[Side::Right]);
    assert!(
        clip.contacts
            .iter()
            .all(|bits| !bits.any(Contacts::foot(Side::Right)))
    );
    assert!(
        clip.contacts
            .iter()
            .any(|bits| bits.any(Contacts::foot(Side::Left)))
    );
    assert!(quality.skate_cm_s.is_some());
    let (clip, quality) = without(&Side::BOTH);
    assert!(clip.contacts.is_empty() && clip.ground.is_none());
    assert_eq!((quality.skate_cm_s, quality.sink_cm), (None, None));
    check_finite(&quality);
}
