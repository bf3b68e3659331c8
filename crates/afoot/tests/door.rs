//! Requests as programs make them: plain data in, plain data out, one outcome, events on the way.
#![allow(clippy::unwrap_used)] // a test fails by panicking

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use afoot::{
    BuildGraph, Cancel, Crowd, Drive, Event, Failure, FailureKind, Follow, Hint, Import, Label,
    Library, List, MotionPiece, Output, Reach, Run, Wander, Wish, WriteSamples, in_threads,
};
use afoot_fixtures::Folder;
use serde_json::{Value, json};

const WALKS: [&str; 4] = ["walk", "walk_turn_left", "walk_circle_left", "walk_slalom"];

/// A library of walks with their graph.
fn walks(folder: &Folder) -> Library {
    let bvh = folder.file("bvh");
    let only = WALKS.map(String::from).to_vec();
    let samples = WriteSamples {
        folder: bvh.clone(),
        only,
    };
    assert_eq!(samples.run(&Run::quiet()).unwrap().len(), WALKS.len());
    let import = Import {
        paths: vec![bvh],
        mirror: true,
        ..Import::default()
    };
    let path = folder.file("walks.afoot");
    let (library, report) = import.run_into(path, &Run::quiet()).unwrap();
    assert_eq!(report.clips.len(), 2 * WALKS.len());
    BuildGraph::default().run(&library, &Run::quiet()).unwrap();
    library
}

fn bend() -> Follow {
    Follow {
        path: json!({"points": [[0, 0], [0, 2], [1, 4]]}).into(),
        ..Follow::default()
    }
}

#[test]
fn a_motion_is_the_same_in_memory_and_in_a_file_and_is_told_as_it_is_made() {
    let folder = Folder::new("door-follow");
    let library = walks(&folder);
    let pieces = Arc::new(Mutex::new(0));
    let (heard, frames) = (Arc::new(AtomicUsize::new(0)), Arc::clone(&pieces));
    let counter = Arc::clone(&heard);
    let run = Run::watched(move |event| match event {
        Event::Progress(progress) => {
            assert!(progress.done <= progress.total);
            counter.fetch_add(1, Ordering::Relaxed);
        }
        Event::Partial(part) => {
            *frames.lock().unwrap() += part.get::<MotionPiece>().unwrap().clip.len();
        }
        Event::Note(_) | Event::Warning(_) => {}
    });
    let made = library.make(&bend(), &run).unwrap();
    assert_eq!(*pieces.lock().unwrap(), made.clip.len());
    assert!(heard.load(Ordering::Relaxed) > 0);

    let file = folder.file("walk.bvh");
    let output = Output {
        also: vec![folder.file("walk.glb")],
        ..Output::to(&file)
    };
    let delivered = library.deliver(&bend(), &output, &run).unwrap();
    assert_eq!(delivered.quality.frames, made.clip.len());
    assert_eq!(delivered.sources, made.account.sources);
    assert!(file.exists() && folder.file("walk.glb").exists());
    let told = json!(delivered);
    for field in ["quality", "sources", "path_m", "switches"] {
        assert!(!told[field].is_null(), "{field}: {told}");
    }
}

#[test]
fn a_held_library_is_ready_until_its_file_changes() {
    let folder = Folder::new("door-held");
    let library = walks(&folder);
    let run = Run::quiet();
    let first = library.stock(&run).unwrap();
    assert!(Arc::ptr_eq(&first, &library.stock(&run).unwrap()));
    List::default().run(&library, &run).unwrap();
    assert!(Arc::ptr_eq(&first, &library.stock(&run).unwrap()));

    let label = Label {
        clip: "walk".into(),
        label: "calm".into(),
        ..Label::default()
    };
    label.run(&library, &run).unwrap();
    let second = library.stock(&run).unwrap();
    assert!(!Arc::ptr_eq(&first, &second));
    let calm = Wander {
        seconds: 2.0,
        labels: vec!["nobody".into()],
    };
    let failure = library.make(&calm, &run).unwrap_err();
    assert!(failure.message.contains("calm"), "{failure}");
}

fn check(failed: Result<impl Sized, Failure>, kind: FailureKind, hint: Option<&Hint>) {
    let failure = failed.err().unwrap();
    assert_eq!(
        (failure.kind, failure.hint.as_ref()),
        (kind, hint),
        "{failure}"
    );
    assert!(
        !failure.to_string().contains("--"),
        "an option in {failure}"
    );
    let told = serde_json::to_value(&failure).unwrap();
    assert_eq!(serde_json::from_value::<Failure>(told).unwrap(), failure);
}

#[test]
fn there_are_four_ways_to_fail_and_hints_are_data() {
    let folder = Folder::new("door-failures");
    let library = walks(&folder);
    let run = Run::quiet();
    let swim = Follow {
        labels: vec!["swim".into()],
        ..bend()
    };
    check(library.make(&swim, &run), FailureKind::BadRequest, None);
    let output = Output::to(folder.file("walk.docx"));
    check(
        library.deliver(&bend(), &output, &run),
        FailureKind::BadRequest,
        None,
    );
    let early = Reach {
        clip: "walk[0..20]".into(),
        at: [1.0, 1.0],
        ..Reach::default()
    };
    let failed = library.make(&early, &run);
    let hint = failed
        .as_ref()
        .err()
        .and_then(|failure| failure.hint.clone());
    assert!(matches!(hint, Some(Hint::LaterPart { .. })), "{hint:?}");
    check(failed, FailureKind::NoMotion, hint.as_ref());
    let empty = Library::create(folder.file("empty.afoot")).unwrap();
    check(
        BuildGraph::default().run(&empty, &run),
        FailureKind::NoMotion,
        Some(&Hint::ImportClips),
    );
    let cancel = Cancel::default();
    cancel.stop();
    let stopped = Run::quiet().with_cancel(cancel);
    let file = folder.file("stopped.bvh");
    check(
        library.deliver(&bend(), &Output::to(&file), &stopped),
        FailureKind::Cancelled,
        None,
    );
    assert!(!file.exists());
    check(
        Library::open(folder.file("nobody.afoot")),
        FailureKind::BadRequest,
        None,
    );
}

#[test]
fn steered_and_crowding_figures_tell_where_their_frames_come_from() {
    let folder = Folder::new("door-sources");
    let library = walks(&folder);
    let run = Run::quiet();
    let drive = Drive {
        steer: [(0.0, 0.0), (2.0, 90.0), (4.0, 180.0)]
            .map(|(at, degrees)| Wish {
                at,
                degrees,
                label: None,
            })
            .to_vec(),
        seconds: 6.0,
        ..Drive::default()
    };
    let output = Output::to(folder.file("drive.bvh"));
    let driven = library.deliver(&drive, &output, &run).unwrap();
    let world = json!({"bounds": [[0, 0], [9, 9]], "radius": 0.25});
    let crowd = Crowd {
        world: world.into(),
        count: 2,
        seconds: 4.0,
        folder: folder.file("crowd"),
        ..Crowd::default()
    };
    let made = crowd.run(&library, &run).unwrap();
    let walkers = made.characters.iter();
    let all = walkers.map(|one| (&one.quality, &one.sources));
    for (quality, sources) in all.chain([(&driven.quality, &driven.sources)]) {
        let share = quality.source_share.unwrap();
        assert!(share <= 1.0, "{share}");
        // Frames are those of their sources: of others knees would be off by tens of degrees.
        let knees = quality.knee_change_deg.unwrap();
        assert!(knees < 3.0, "{knees}");
        assert!(quality.transitions.unwrap() > 0);
        let played: f64 = sources.iter().map(|source| source.to - source.from).sum();
        assert!((played - quality.seconds).abs() < 0.01, "{played}");
        let in_order = |pair: &[afoot::SourceStretch]| pair[0].at < pair[1].at;
        assert!(sources.windows(2).all(in_order));
    }
}

#[test]
fn requests_are_read_from_json_and_left_out_fields_have_their_defaults() {
    let follow: Follow =
        serde_json::from_value(json!({"path": "circle.json", "as": ["walk"]})).unwrap();
    assert_eq!(follow.labels, ["walk"]);
    assert!(!follow.closed);
    let empty = || Value::Object(serde_json::Map::new());
    assert_eq!(
        serde_json::from_value::<Import>(empty()).unwrap(),
        Import::default()
    );
    assert_eq!(
        serde_json::from_value::<BuildGraph>(empty()).unwrap(),
        BuildGraph::default()
    );
    let told = serde_json::to_value(Drive::default()).unwrap();
    assert_eq!(
        serde_json::from_value::<Drive>(told).unwrap(),
        Drive::default()
    );
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let folder = Folder::new("door-threads");
    let library = walks(&folder);
    let wander = Wander {
        seconds: 5.0,
        ..Wander::default()
    };
    let made = [1, 3].map(|threads| {
        let run = Run::quiet().with_threads(NonZeroUsize::new(threads).unwrap());
        in_threads(&run, || library.make(&wander, &run))
            .unwrap()
            .clip
    });
    assert_eq!(made[0], made[1]);
}
