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
