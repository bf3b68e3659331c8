//! Walks when a walk is asked for: which of a library's motions requests take, on sample motion.
#![allow(missing_docs, clippy::unwrap_used)]

mod support;

use std::sync::Arc;

use afoot_core::{Clip, Range32};
use afoot_graph::NodeId;
use afoot_run::Run;
use afoot_sample::{SampleOptions, sample_library};
use afoot_synth::{
    ControlOptions, ControlTable, Controller, ControllerOptions, ControllerStart, CrowdOptions,
    Facing, FollowOptions, Followed, GroundPath, Oddity, Preference, Repertoire, Source,
    WanderOptions, World, find_oddities, follow_path, make_crowd, measure_evenness,
    random_directions, wander, wander_words,
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

/// Frames that do what nobody asked for, of some sources.
fn odd_frames(repertoire: &Repertoire, words: &[String], sources: &[Source]) -> usize {
    let stretches = sources.iter();
    let stretches = stretches.map(|s| (s.clip, s.frames.start..s.frames.end));
    let found = find_oddities(repertoire, &Preference::default(), words, stretches);
    found.into_iter().map(|odd| odd.frames).sum()
}

#[test]
fn wandering_walks_and_sneaks_only_when_it_is_asked_to() {
    let repertoire = mixed();
    let options = WanderOptions {
        seconds: 60.0,
        ..WanderOptions::default()
    };
    let played = wander(&repertoire, &options).unwrap();
    let odd = odd_frames(&repertoire, &wander_words(&[]), &played.sources);
    assert!(
        odd * 50 < played.clip.len(),
        "{odd} of {}",
        played.clip.len()
    );
    let even = measure_evenness(&repertoire, &options, &played.sources).unwrap();
    assert!(even.seen_share > 0.6 && even.times > 1.0, "{even:?}");
    assert!(even.longest_repeat_s < 10.0, "{even:?}");
    // With no preference all of it plays.
    let anyhow = WanderOptions {
        preference: Preference {
            weight: 0.0,
            ..Preference::default()
        },
        ..options.clone()
    };
    let played = wander(&repertoire, &anyhow).unwrap();
    let odd = odd_frames(&repertoire, &wander_words(&[]), &played.sources);
    assert!(
        odd * 20 > played.clip.len(),
        "{odd} of {}",
        played.clip.len()
    );
}

#[test]
fn a_crowd_walks() {
    let repertoire = mixed();
    let world = World::from_json(r#"{"bounds": [[0,0],[10,10]], "radius": 0.25}"#).unwrap();
    let options = CrowdOptions {
        count: 3,
        seconds: 10.0,
        ..CrowdOptions::default()
    };
    let crowd = make_crowd(&repertoire, &world, &options).unwrap();
    for character in &crowd.characters {
        let odd = odd_frames(&repertoire, &[], &character.played.sources);
        assert!(odd * 10 < character.played.clip.len(), "{odd}");
    }
}

#[test]
fn who_is_steered_walks_as_fast_as_is_wished() {
    let repertoire = Arc::new(mixed());
    // Frames that nobody asked for, and the mean speed [m/s], in a minute.
    let steered = |speed: Option<f64>| {
        let options = ControlOptions {
            preference: Preference {
                speed,
                ..Preference::default()
            },
            ..ControlOptions::default()
        };
        let table = ControlTable::new(&*repertoire, &options, &Run::quiet()).unwrap();
        let mut figure = Controller::new(
            Arc::clone(&repertoire),
            Arc::new(table),
            ControllerStart::in_the_middle(NodeId(0)),
            ControllerOptions::default(),
        )
        .unwrap();
        let wishes = random_directions(60.0, 1.0..2.0, 3);
        let mut sources: Vec<Source> = Vec::new();
        let (mut travel, mut last) = (0.0, None);
        for frame in 0..1800u64 {
            let now = frame as f64 / 30.0;
            let wish = wishes.iter().rev().find(|wish| wish.at <= now);
            let direction = wish.map_or(0.0, |wish| wish.direction);
            let root = figure.advance(1.0 / 30.0, direction, None).unwrap().root;
            travel += last.map_or(0.0, |last: afoot_core::Vec3| (root - last).length());
            last = Some(root);
            let place = figure.playing().place;
            let frames = Range32 {
                start: place.frame.0,
                end: place.frame.0 + 1,
            };
            let clip = place.clip;
            sources.push(Source {
                clip,
                frames,
                at: frame,
            });
        }
        let odd = odd_frames(&repertoire, &wander_words(&[]), &sources);
        (odd, travel / 60.0)
    };
    let (usual, slow, fast) = (steered(None), steered(Some(0.8)), steered(Some(1.6)));
    assert!(usual.0 < 90, "{usual:?}");
    assert!(fast.1 > 1.1 * slow.1, "{slow:?} {fast:?}");
}

fn oddities(repertoire: &Repertoire, preference: &Preference, made: &Followed) -> Vec<Oddity> {
    let stretches = made.played.sources.iter();
    let stretches = stretches.map(|s| (s.clip, s.frames.start..s.frames.end));
    let found = find_oddities(repertoire, preference, &[], stretches);
    found.into_iter().map(|odd| odd.what).collect()
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
        found.first().map(|odd| (odd.what, odd.frames > 30))
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
