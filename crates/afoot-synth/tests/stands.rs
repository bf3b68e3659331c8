//! Motion that begins and ends in a stand, and other motion for another seed, on sample motion.
#![allow(missing_docs, clippy::unwrap_used)]

mod support;

use std::collections::BTreeSet;

use afoot_core::{Clip, Vec3};
use afoot_sample::{SampleOptions, sample_library};
use afoot_synth::{FollowOptions, Followed, GroundPath, Repertoire, Section, Stand, follow_path};
use support::graph_of;

/// Walks, and how one starts and stops.
fn repertoire() -> Repertoire {
    let wanted = [
        "walk",
        "walk_slow",
        "walk_turn_left",
        "walk_turn_right",
        "walk_arc_left",
        "walk_slalom",
        "start",
        "stop",
        "stand",
    ];
    let mut clips: Vec<Clip> = sample_library(&SampleOptions::default());
    clips.retain(|clip| wanted.contains(&clip.name.as_str()));
    Repertoire::new(graph_of(&clips, 6.0), &clips).unwrap()
}

fn path() -> GroundPath {
    GroundPath::new(vec![[0.0, 0.0], [0.0, 3.0], [1.0, 5.0], [1.0, 8.0]]).unwrap()
}

fn followed(repertoire: &Repertoire, options: FollowOptions) -> Followed {
    follow_path(repertoire, &path(), &options).unwrap()
}

/// Ground speed over the first and over the last third of a second. [m/s]
fn end_speeds(clip: &Clip) -> [f32; 2] {
    let ground = |root: Vec3| Vec3::new(root.x, 0.0, root.z);
    let speed = |from: usize| ground(clip.root[from + 10] - clip.root[from]).length() * 3.0;
    [speed(0), speed(clip.len() - 11)]
}

/// How far the ends of a motion are from those of the path. [m]
fn end_errors(clip: &Clip) -> [f64; 2] {
    let points = path();
    let points = points.points();
    let off = |root: Vec3, [x, z]: [f64; 2]| (f64::from(root.x) - x).hypot(f64::from(root.z) - z);
    [
        off(clip.root[0], points[0]),
        off(clip.root[clip.len() - 1], points[points.len() - 1]),
    ]
}

#[test]
fn a_path_is_walked_from_a_stand_to_a_stand_and_ends_where_the_path_does() {
    let repertoire = repertoire();
    let options = FollowOptions {
        from_stand: Stand::Always,
        to_stand: Stand::Always,
        ..FollowOptions::default()
    };
    let made = followed(&repertoire, options);
    assert_eq!(made.found.stands, [true, true]);
    for speed in end_speeds(&made.played.clip) {
        assert!(speed < 0.3, "{speed} m/s");
    }
    for off in end_errors(&made.played.clip) {
        assert!(off < 0.15, "{off} m");
    }
    // The stands are captured ones and long enough to be seen; nothing is blended in them.
    let sources = &made.played.sources;
    let (first, last) = (sources[0], sources[sources.len() - 1]);
    for source in [first, last] {
        let frames = source.frames.end - source.frames.start;
        assert!(frames >= 9, "{frames} frames of a stand");
    }
}

#[test]
fn who_is_to_walk_and_to_stand_at_the_ends_stands_nowhere_else() {
    // All that walks, and how one starts and stops.
    let mut clips: Vec<Clip> = sample_library(&SampleOptions::default());
    clips.retain(|clip| {
        ["walk", "start", "stop", "stand"]
            .iter()
            .any(|word| clip.name.starts_with(word))
    });
    let repertoire = Repertoire::new(graph_of(&clips, 6.0), &clips).unwrap();
    let options = FollowOptions {
        from_stand: Stand::Always,
        to_stand: Stand::Always,
        ..FollowOptions::default()
    };
    let whole = Section {
        to: path().length(),
        labels: vec!["walk".into()],
    };
    let path = path().with_sections(vec![whole]).unwrap();
    let made = follow_path(&repertoire, &path, &options).unwrap();
    assert_eq!(made.found.stands, [true, true]);
    for speed in end_speeds(&made.played.clip) {
        assert!(speed < 0.3, "{speed} m/s");
    }
    // Half way along nobody stands.
    let middle = &made.played.clip.root;
    for pair in middle
        .windows(16)
        .filter(|pair| pair[0].z > 1.5 && pair[0].z < 6.0)
    {
        let way = (pair[15] - pair[0]).with_y(0.0).length();
        assert!(way > 0.2, "{way} m in half a second at {}", pair[0]);
    }
}

#[test]
fn who_does_not_want_to_stand_does_not() {
    let repertoire = repertoire();
    let options = FollowOptions {
        from_stand: Stand::Never,
        to_stand: Stand::Never,
        ..FollowOptions::default()
    };
    let made = followed(&repertoire, options);
    for speed in end_speeds(&made.played.clip) {
        assert!(speed > 0.5, "{speed} m/s");
    }
}

/// Half seconds of clips that are played.
fn played(made: &Followed) -> BTreeSet<(u32, u32)> {
    let sources = made.played.sources.iter();
    sources
        .flat_map(|source| {
            let frames = source.frames.start..source.frames.end;
            frames.map(|frame| (source.clip.0, frame / 15))
        })
        .collect()
}

#[test]
fn another_seed_gives_another_motion_of_like_quality() {
    let repertoire = repertoire();
    let path = path();
    let with = |seed: u64, variety: f64| {
        let options = FollowOptions {
            variety,
            seed,
            ..FollowOptions::default()
        };
        followed(&repertoire, options)
    };
    let mean_off = |made: &Followed| {
        let roots = made.played.clip.root.iter();
        let off = roots.map(|root| path.distance_to([f64::from(root.x), f64::from(root.z)]));
        off.sum::<f64>() / made.played.clip.len() as f64
    };
    let best = with(0, 0.0);
    let others: Vec<Followed> = (1..4).map(|seed| with(seed, 0.8)).collect();
    for (index, made) in others.iter().enumerate() {
        // Millimetres are no difference.
        assert!(mean_off(made) < 1.3 * mean_off(&best) + 0.01, "{index}");
        for other in others[..index].iter().chain([&best]) {
            let (a, b) = (played(made), played(other));
            let common = a.intersection(&b).count() as f64 / a.len().min(b.len()) as f64;
            // Nine clips, of which few go round such a bend: these share up to 0.63.
            assert!(common < 0.75, "{index}: {common} of it is the same");
        }
    }
    assert_eq!(with(2, 0.8).found, others[1].found);
}
