//! Captured clips for tests: 30 frames a second, with roles, floor and contacts, on a floor at 0.

use afoot_analyze::{detect_contacts, estimate_ground};
use afoot_core::Clip;
use afoot_fixtures::Captured;

/// The clips of a set that begin with `subject`; `None`, with a word about it, without the data.
pub fn load_set(set: &str, subject: &str) -> Option<Vec<Clip>> {
    let captured = Captured::find()?;
    let spikes = captured.json("spikes.json").to_string();
    let names = captured.names_of(set).into_iter();
    // Clips with flipping joints have no percentile worth the name.
    let whole =
        names.filter(|name| name.starts_with(subject) && !spikes.contains(&format!("\"{name}\"")));
    Some(
        whole
            .map(|name| on_the_floor(captured.clip(&name)))
            .collect(),
    )
}

fn on_the_floor(mut clip: Clip) -> Clip {
    clip.ground = Some(estimate_ground(&clip, &Default::default()).unwrap().ground);
    clip.contacts = detect_contacts(&clip, &Default::default())
        .unwrap()
        .contacts;
    let middle = clip.root[clip.len() / 2];
    let floor = clip.ground.unwrap().height_at(middle.x, middle.z);
    clip.raise(-floor);
    clip
}
