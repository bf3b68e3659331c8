//! Locomotion types of captured clips: the groups of the `thesis` set.
#![allow(clippy::unwrap_used)]

mod cmu;

use afoot_analyze::{
    ClassOptions, Classes, ContactOptions, GroundOptions, classify_clip, detect_contacts,
    estimate_ground,
};
use afoot_core::{Clip, Locomotion};
use cmu::Cmu;

fn classes(clip: &mut Clip) -> Classes {
    clip.ground = estimate_ground(clip, &GroundOptions::default())
        .ok()
        .map(|found| found.ground);
    clip.contacts = detect_contacts(clip, &ContactOptions::default())
        .unwrap()
        .contacts;
    classify_clip(clip, &ClassOptions::default()).unwrap()
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
            let found = classes(&mut cmu.clip(name));
            println!(
                "{group} {name}: {} {:.2?}",
                found.strict.name(),
                found.shares
            );
            if MIXED.contains(&name) {
                assert_eq!(found.strict, Locomotion::Other, "{name}");
                continue;
            }
            assert!([kind, Locomotion::Other].contains(&found.strict), "{name}");
            homogeneous += 1;
            named += usize::from(found.strict == kind);
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
    let (mut clips, mut share) = (0, 0.0);
    for name in cmu.names() {
        let index = cmu.sets["clips"][&name]["index"].as_str().unwrap();
        let Some(kind) = told_type(index) else {
            continue;
        };
        let found = classes(&mut cmu.clip(&name));
        assert!([kind, Locomotion::Other].contains(&found.strict), "{name}");
        clips += 1;
        share += found.share(kind);
    }
    share /= f64::from(clips);
    println!("{clips} clips, {share:.3} of their frames of the type told");
    assert!(share > 0.9, "{share}");
}
