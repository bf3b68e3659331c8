//! The ways to search for a walk along a path, and what a walk carries, on sample motion.
#![allow(missing_docs, clippy::unwrap_used)]

mod support;

use afoot_core::{Clip, ClipId, FrameId, JointId, SlidingJoint, Vec3};
use afoot_sample::{SampleOptions, sample_library};
use afoot_synth::{
    FollowError, FollowOptions, FollowSearch, FoundWalk, GroundPath, Repertoire, find_walk,
    play_walk,
};
use support::{graph_of, mirrored};

fn sample_walks(change: impl Fn(&mut Clip)) -> Repertoire {
    let mut clips = sample_library(&SampleOptions::default());
    clips.retain(|clip| clip.name.starts_with("walk"));
    let images: Vec<Clip> = clips.iter().map(mirrored).collect();
    clips.extend(images);
    clips.iter_mut().for_each(change);
    Repertoire::new(graph_of(&clips, 6.0), &clips).unwrap()
}

fn bend(metres: f64) -> GroundPath {
    let point = |step: u32| {
        let along = metres * f64::from(step) / 20.0;
        [0.08 * along * along, along]
    };
    GroundPath::new((0..=20).map(point).collect()).unwrap()
}

fn search(repertoire: &Repertoire, path: &GroundPath, search: FollowSearch) -> FoundWalk {
    let start = repertoire.clip_named("walk");
    let options = FollowOptions {
        search,
        start: start.map(|clip| (clip, FrameId(10))),
        ..FollowOptions::default()
    };
    find_walk(repertoire, path, &options).unwrap()
}

#[test]
fn every_search_walks_to_the_end_of_the_path() {
    let repertoire = sample_walks(|_| ());
    let path = bend(6.0);
    for how in [
        FollowSearch::Beam,
        FollowSearch::Branch { budget: 30_000 },
        FollowSearch::Incremental {
            look: 3.3,
            keep: 0.9,
            budget: 3000,
        },
    ] {
        let found = search(&repertoire, &path, how);
        let clip = play_walk(&repertoire, &found.walk).clip;
        let (root, [x, z]) = (clip.root[clip.len() - 1], path.points()[20]);
        let off = f64::from(root.x - x as f32).hypot(f64::from(root.z - z as f32));
        assert!(off < 0.4, "{how:?} ends {off} m off");
        // Squared distances: a walk that leaves the path by half a metre has ten times this.
        let mean = found.error / clip.len() as f64;
        assert!(mean < 0.1, "{how:?}: {mean} m² a frame");
        assert_eq!(found, search(&repertoire, &path, how), "the same each time");
    }
}

#[test]
fn branch_and_bound_that_finishes_is_never_worse() {
    let repertoire = sample_walks(|_| ());
    let path = bend(0.9);
    let budget = 3_000_000;
    let branch = search(&repertoire, &path, FollowSearch::Branch { budget });
    assert!(branch.expanded < budget, "it has seen all that matters");
    let whole = FollowSearch::Incremental {
        look: 60.0,
        keep: 60.0,
        budget,
    };
    let whole = search(&repertoire, &path, whole);
    assert!(
        (whole.error - branch.error).abs() < 1e-9,
        "one piece is the whole"
    );
    let beam = search(&repertoire, &path, FollowSearch::Beam);
    assert!(
        branch.error <= beam.error + 1e-9,
        "{} {}",
        branch.error,
        beam.error
    );
}

#[test]
fn a_budget_that_is_too_small_is_said() {
    let repertoire = sample_walks(|_| ());
    for search in [
        FollowSearch::Branch { budget: 5 },
        FollowSearch::Incremental {
            look: 3.3,
            keep: 0.9,
            budget: 5,
        },
    ] {
        let options = FollowOptions {
            search,
            ..FollowOptions::default()
        };
        let error = find_walk(&repertoire, &bend(6.0), &options).unwrap_err();
        assert!(
            matches!(error, FollowError::OutOfBudget { expanded: 5, .. }),
            "{error:?}"
        );
        assert!(!error.is_bad_request());
    }
}

/// Where a joint slides to in a frame: a tenth of a millimetre a frame, which costs no transition.
fn slid(own: Vec3, frame: u32) -> Vec3 {
    own + Vec3::X * (1e-4 * frame as f32)
}

#[test]
fn joints_that_slide_in_captured_motion_slide_in_what_is_made_of_it() {
    let joint = JointId(3);
    // The clip that the walk starts in has a sliding joint, others keep it where it is.
    let repertoire = sample_walks(|clip| {
        if clip.name == "walk" {
            let own = clip.skeleton.joint(joint).offset;
            let offsets = (0..clip.len() as u32).map(|frame| slid(own, frame));
            let offsets = offsets.collect();
            clip.sliding = vec![SlidingJoint { joint, offsets }];
        }
    });
    let found = search(&repertoire, &bend(6.0), FollowSearch::Beam);
    let played = play_walk(&repertoire, &found.walk);
    let clip = &played.clip;
    clip.check().unwrap();
    assert_eq!(clip.sliding.len(), 1);
    let own = clip.skeleton.joint(joint).offset;
    let slides = |clip: ClipId| repertoire.clip(clip).name == "walk";
    let half = repertoire.graph().window / 2;
    let mut seen = [0, 0];
    for source in &played.sources {
        // Away from transitions, half of which lies to either side.
        let last = source.frames.end.saturating_sub(half);
        for frame in source.frames.start + half..last {
            let at = source.at as u32 + frame - source.frames.start;
            let offset = clip.sliding[0].offsets[at as usize];
            let expected = if slides(source.clip) {
                slid(own, frame)
            } else {
                own
            };
            assert_eq!(offset, expected, "{source:?} {frame}");
            seen[usize::from(slides(source.clip))] += 1;
        }
    }
    assert!(seen.iter().all(|frames| *frames > 3), "{seen:?}");
}
