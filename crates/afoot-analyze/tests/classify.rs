//! Locomotion types of captured clips: the groups of the `thesis` set.
#![allow(clippy::unwrap_used)]

mod cmu;

use afoot_analyze::{
    ClassifyOptions, ContactOptions, GroundOptions, classify_clip, detect_contacts, estimate_ground,
};
use afoot_core::{Clip, Locomotion};
use cmu::Cmu;

/// The type of every frame.
fn types(clip: &mut Clip) -> Vec<Locomotion> {
    clip.ground = estimate_ground(clip, &GroundOptions::default())
        .ok()
        .map(|found| found.ground);
    clip.contacts = detect_contacts(clip, &ContactOptions::default())
        .unwrap()
        .contacts;
    classify_clip(clip, &ClassifyOptions::default()).unwrap()
}

/// The type that every frame has; other if there is none.
fn only_type(types: &[Locomotion]) -> Locomotion {
    let first = types[0];
    match types.iter().all(|found| *found == first) {
        true => first,
        false => Locomotion::Other,
    }
}

fn share(types: &[Locomotion], kind: Locomotion) -> f64 {
    let own = types.iter().filter(|found| **found == kind);
    own.count() as f64 / types.len() as f64
}

/// Clips of the groups that are not one type throughout: 16_09 walks off after its jump, 143_42
/// stands, starts, stops and turns between runs, 137_28 and 140_06 step about between stands.
const MIXED: [&str; 4] = ["16_09", "143_42", "137_28", "140_06"];

#[test]
fn the_thesis_groups_get_their_types() {
    let Some(cmu) = Cmu::find() else { return };
    let (mut homogeneous, mut named) = (0, 0);
    for (group, kind) in [
        ("walk", Locomotion::Walk),
        ("walk_turn", Locomotion::Walk),
        ("run", Locomotion::Run),
        ("jump", Locomotion::Jump),
        ("stand", Locomotion::Stand),
    ] {
        for name in cmu.sets["sets"]["thesis"]["groups"][group]
            .as_array()
            .unwrap()
        {
            let name = name.as_str().unwrap();
            let found = types(&mut cmu.clip(name));
            let only = only_type(&found);
            println!("{group} {name}: {} {:.2}", only.name(), share(&found, kind));
            if MIXED.contains(&name) {
                assert_eq!(only, Locomotion::Other, "{name}");
                continue;
            }
            assert!([kind, Locomotion::Other].contains(&only), "{name}");
            homogeneous += 1;
            named += usize::from(only == kind);
        }
    }
    println!("{named} of {homogeneous} homogeneous clips named");
    assert!(named * 10 >= homogeneous * 9);
}

/// The one type that a clip's description in the index names, if it does.
fn told_type(index: &str) -> Option<Locomotion> {
    let words = index.to_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| words.contains(part));
    if has(&[
        "stop",
        "start",
        "pick",
        "step over",
        "stairs",
        "sit",
        " and ",
    ]) {
        return None;
    }
    let named = [
        (Locomotion::Jump, ["hop", "jump"]),
        (Locomotion::Run, ["run", "jog"]),
        (Locomotion::Walk, ["walk", "sneak"]),
        (Locomotion::Stand, ["wait", "idle"]),
    ];
    let found = named.into_iter().find(|(_, parts)| has(parts));
    found.map(|(kind, _)| kind)
}

#[test]
fn no_clip_is_of_another_type_than_the_index_says() {
    let Some(cmu) = Cmu::find() else { return };
    let (mut clips, mut told) = (0, 0.0);
    for name in cmu.names() {
        let index = cmu.sets["clips"][&name]["index"].as_str().unwrap();
        let Some(kind) = told_type(index) else {
            continue;
        };
        let found = types(&mut cmu.clip(&name));
        assert!(
            [kind, Locomotion::Other].contains(&only_type(&found)),
            "{name}"
        );
        clips += 1;
        told += share(&found, kind);
    }
    let mean = told / f64::from(clips);
    println!("{clips} clips, {mean:.3} of their frames of the type told");
    assert!(mean > 0.9, "{mean}");
}
