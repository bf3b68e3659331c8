//! Walks when a walk is asked for: which of a library's motions requests take, on sample motion.
#![allow(missing_docs, clippy::unwrap_used)]

mod support;

use afoot_core::Clip;
use afoot_sample::{SampleOptions, sample_library};
use afoot_synth::{
    Facing, FollowOptions, Followed, GroundPath, Oddity, Preference, Repertoire, find_oddities,
    follow_path,
};
use support::graph_of;

/// Walks among motions that hop, sneak and duck along just as well.
fn mixed() -> Repertoire {
    let mut clips: Vec<Clip> = sample_library(&SampleOptions::default());
    let wanted = [
        "walk",
        "walk_slow",
        "walk_turn_left",
        "hop",
        "sneak",
        "duck",
    ];
    clips.retain(|clip| wanted.contains(&clip.name.as_str()));
    Repertoire::new(graph_of(&clips, 6.0), &clips).unwrap()
}

fn straight(repertoire: &Repertoire, preference: Preference) -> Followed {
    let path = GroundPath::new(vec![[0.0, 0.0], [0.0, 5.0]]).unwrap();
    let options = FollowOptions {
        preference,
        ..FollowOptions::default()
    };
    follow_path(repertoire, &path, &options).unwrap()
}

fn oddities(repertoire: &Repertoire, preference: &Preference, made: &Followed) -> Vec<Oddity> {
    let stretches = made.played.sources.iter();
    let stretches = stretches.map(|s| (s.clip, s.frames.start..s.frames.end));
    let found = find_oddities(repertoire, preference, &[], stretches);
    found.into_iter().map(|(what, _)| what).collect()
}

#[test]
fn a_straight_path_is_walked_though_hopping_sways_less() {
    let repertoire = mixed();
    let usual = Preference::default();
    let made = straight(&repertoire, usual.clone());
    for source in &made.played.sources {
        let name = &repertoire.graph().clips[source.clip.index()].name;
        assert!(name != "hop" && name != "sneak", "{name}");
    }
    // The clip that ducks walks upright before and after it.
    assert_eq!(oddities(&repertoire, &usual, &made), []);
}

#[test]
fn what_was_not_asked_for_is_told() {
    let repertoire = mixed();
    let clip = |name: &str| repertoire.clip_named(name).unwrap();
    let told = |name: &str, preference: &Preference| {
        let frames = repertoire.graph().clips[clip(name).index()].frames;
        let found = find_oddities(&repertoire, preference, &[], [(clip(name), 0..frames)]);
        found.first().map(|(what, frames)| (*what, *frames > 30))
    };
    let usual = Preference::default();
    assert_eq!(told("walk", &usual), None);
    assert_eq!(told("hop", &usual), Some((Oddity::Gait, true)));
    assert_eq!(told("duck", &usual), Some((Oddity::Posture, true)));
    let backwards = Preference {
        facing: Facing::Aside(std::f64::consts::PI),
        ..usual.clone()
    };
    assert_eq!(told("walk", &backwards), Some((Oddity::Facing, true)));
    let fast = Preference {
        speed: Some(3.0),
        ..usual
    };
    assert_eq!(told("walk", &fast), Some((Oddity::Speed, true)));
}

#[test]
fn a_speed_that_is_asked_for_is_kept_where_it_can_be() {
    let repertoire = mixed();
    let seconds = |speed: f64| {
        let preference = Preference {
            speed: Some(speed),
            ..Preference::default()
        };
        straight(&repertoire, preference).played.clip.seconds()
    };
    assert!(seconds(0.9) > 1.15 * seconds(1.3));
}
