//! Crowds on sample and on captured motion, held against all pairs at all frames.
#![allow(missing_docs, clippy::unwrap_used)]

mod support;

use afoot_core::Clip;
use afoot_fixtures::Captured;
use afoot_run::{Run, Stopped};
use afoot_sample::{SampleOptions, sample_library};
use afoot_synth::{Crowd, CrowdError, CrowdOptions, Repertoire, World, make_crowd};
use support::{captured_walks, graph_of, mirrored};

const PLAZA: &str = include_str!("../../../examples/worlds/plaza.json");
const YARD: &str = r#"{"bounds": [[-5,-4],[5,4]],
    "obstacles": [{"circle": [0,0,0.8]}, {"polygon": [[2,1],[3,1],[3,2],[2,2]]}]}"#;

fn repertoire_of(clips: &[Clip], threshold_cm: f32) -> Repertoire {
    Repertoire::new(graph_of(clips, threshold_cm), clips).unwrap()
}

fn sample_walks() -> Repertoire {
    let mut clips = sample_library(&SampleOptions::default());
    clips.retain(|clip| clip.name.starts_with("walk"));
    let images: Vec<Clip> = clips.iter().map(mirrored).collect();
    clips.extend(images);
    repertoire_of(&clips, 6.0)
}

/// Least distance of two roots, and least room between a root and anything, by looking at all.
fn least(crowd: &Crowd, world: &World) -> (f64, f64) {
    let (mut apart, mut clear) = (f64::INFINITY, f64::INFINITY);
    for (index, one) in crowd.characters.iter().enumerate() {
        for (frame, a) in one.played.clip.root.iter().enumerate() {
            clear = clear.min(world.clearance([f64::from(a.x), f64::from(a.z)]));
            for other in &crowd.characters[..index] {
                let b = other.played.clip.root[frame];
                apart = apart.min(f64::from(a.x - b.x).hypot(f64::from(a.z - b.z)));
            }
        }
    }
    (apart, clear)
}

fn check(crowd: &Crowd, world: &World, options: &CrowdOptions) {
    assert_eq!(crowd.characters.len(), options.count);
    for character in &crowd.characters {
        let clip = &character.played.clip;
        assert_eq!(clip.len(), clip.rate.frames_in(options.seconds));
        let steps = clip.root.windows(2);
        let travel: f32 = steps
            .map(|w| (w[1].x - w[0].x).hypot(w[1].z - w[0].z))
            .sum();
        assert!(f64::from(travel) > 0.5 * options.seconds, "{travel} m");
        let [x, z] = character.start;
        let first = clip.root[0];
        let off = (f64::from(first.x) - x).hypot(f64::from(first.z) - z);
        assert!(off < 0.05, "{off} m");
    }
    let (apart, clear) = least(crowd, world);
    assert!(apart >= 2.0 * world.radius - 0.05, "{apart}");
    assert!(clear >= world.radius, "{clear}");
    assert!((apart - crowd.report.least_distance).abs() < 1e-5);
    assert!((clear - crowd.report.least_clearance).abs() < 1e-5);
}

#[test]
fn sample_characters_keep_clear_of_each_other_and_differ() {
    let (repertoire, world) = (sample_walks(), World::from_json(YARD).unwrap());
    let options = CrowdOptions {
        count: 10,
        seconds: 8.0,
        labels: vec!["walk".into()],
        ..CrowdOptions::default()
    };
    let crowd = make_crowd(&repertoire, &world, &options).unwrap();
    check(&crowd, &world, &options);
    for (index, one) in crowd.characters.iter().enumerate() {
        assert_eq!(one.label.as_deref(), Some("walk"));
        for other in &crowd.characters[..index] {
            assert_ne!(one.walk.edges, other.walk.edges);
        }
    }
    let on = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let alone = on(1)
        .unwrap()
        .install(|| make_crowd(&repertoire, &world, &options));
    let many = on(5)
        .unwrap()
        .install(|| make_crowd(&repertoire, &world, &options));
    assert!(alone.unwrap() == crowd && many.unwrap() == crowd);
    let options = CrowdOptions { seed: 2, ..options };
    let other = make_crowd(&repertoire, &world, &options).unwrap();
    assert_ne!(other.characters[0].start, crowd.characters[0].start);
}

#[test]
fn what_cannot_be_is_said() {
    let (repertoire, world) = (sample_walks(), World::from_json(YARD).unwrap());
    let say = |world: &World, options: &CrowdOptions| {
        make_crowd(&repertoire, world, options).unwrap_err()
    };
    let few = CrowdOptions {
        count: 2,
        seconds: 2.0,
        ..CrowdOptions::default()
    };
    let labels = vec!["swim".to_string()];
    let unknown = say(
        &world,
        &CrowdOptions {
            labels,
            ..few.clone()
        },
    );
    assert!(unknown.to_string().contains("\"swim\"") && unknown.is_bad_request());
    for (count, seconds) in [(0, 2.0), (2, 0.0), (2, f64::NAN), (2, -1.0)] {
        let error = say(
            &world,
            &CrowdOptions {
                count,
                seconds,
                ..few.clone()
            },
        );
        assert!(matches!(error, CrowdError::Nobody { .. }), "{error}");
    }
    for (count, seconds) in [(20, 1e6), (1, 1e300), (usize::MAX >> 8, 2.0)] {
        let large = CrowdOptions {
            count,
            seconds,
            ..few.clone()
        };
        let error = say(&world, &large);
        assert!(matches!(error, CrowdError::TooLarge { .. }), "{error}");
        assert!(error.to_string().contains("at most 8 GB"), "{error}");
    }
    let run = Run::quiet();
    run.cancel().stop();
    let stopped = say(&world, &CrowdOptions { run, ..few.clone() });
    assert_eq!(stopped, CrowdError::Stopped(Stopped));
    let filled = World::from_json(
        r#"{"bounds": [[0,0],[4,4]], "obstacles": [{"polygon": [[0,0],[4,0],[4,4],[0,4]]}]}"#,
    );
    let filled = say(&filled.unwrap(), &few);
    assert_eq!(filled, CrowdError::NoGround { radius: 0.25 });
    let closet = World::from_json(r#"{"bounds": [[0,0],[3,3]]}"#).unwrap();
    let (count, attempts) = (80, 2);
    let crammed = say(
        &closet,
        &CrowdOptions {
            count,
            attempts,
            ..few
        },
    );
    assert!(
        matches!(crammed, CrowdError::NoRoom { count: 80, .. }),
        "{crammed}"
    );
    assert!(!crammed.is_bad_request());
}

#[test]
fn regions_keep_out_who_does_not_do_what_they_ask() {
    let repertoire = sample_walks();
    let world = World::from_json(
        r#"{"bounds": [[-5,-4],[5,4]], "regions": [{"polygon": [[1,-4],[3,-4],[3,4],[1,4]], "only": ["run"]}]}"#,
    )
    .unwrap();
    let options = CrowdOptions {
        count: 4,
        seconds: 6.0,
        ..CrowdOptions::default()
    };
    let crowd = make_crowd(&repertoire, &world, &options).unwrap();
    for character in &crowd.characters {
        for root in &character.played.clip.root {
            // The cleanup moves roots by less than this.
            assert!(root.x < 1.02 || root.x > 2.98, "{}", root.x);
        }
    }
}

/// A hundred for half a minute; in builds without optimisation a part of it.
#[test]
fn captured_walkers_fill_the_plaza() {
    let Some(source) = Captured::find() else {
        return;
    };
    let (count, seconds) = if cfg!(debug_assertions) {
        (30, 10.0)
    } else {
        (100, 30.0)
    };
    let world = World::from_json(PLAZA).unwrap();
    let options = CrowdOptions {
        count,
        seconds,
        ..CrowdOptions::default()
    };
    let crowd = make_crowd(
        &repertoire_of(&captured_walks(&source), 4.0),
        &world,
        &options,
    )
    .unwrap();
    check(&crowd, &world, &options);
}
