//! The library as its users see it.
#![allow(clippy::unwrap_used)] // a test may fail

mod support;

use afoot_core::{Clip, LabelSpan, Locomotion, Range32};
use afoot_library::{
    Annotations, ClipFacts, ContentHash, GraphRecipe, Library, LibraryError, UseRule, Verdict,
};
use support::{Folder, clip};

fn facts(source: &str) -> ClipFacts {
    ClipFacts {
        source: Some(source.into()),
        source_fps: Some(120.0),
        repairs: vec!["T-pose: frame 0 left out".into()],
        ..ClipFacts::default()
    }
}

fn names(library: &Library) -> Vec<String> {
    library
        .clips()
        .unwrap()
        .into_iter()
        .map(|entry| entry.name)
        .collect()
}

#[test]
fn every_field_of_a_clip_comes_back_bit_for_bit() {
    let folder = Folder::new("roundtrip");
    let path = folder.file("lib.afoot");
    let (walk, empty) = (
        clip("walk", 100, 1),
        Clip::empty("empty", support::skeleton(0.5), walk_rate()),
    );
    let mut library = Library::create(&path).unwrap();
    library.add_clip(&walk, &facts("walk.bvh")).unwrap();
    library.add_clip(&empty, &ClipFacts::default()).unwrap();
    drop(library);
    let library = Library::open(&path).unwrap();
    assert_eq!(library.clip("walk").unwrap(), walk);
    assert_eq!(library.load_all().unwrap(), [walk.clone(), empty]);
    let entry = library.entry("walk").unwrap();
    assert_eq!(entry.facts, facts("walk.bvh"));
    assert_eq!((entry.frames, entry.kind), (100, Locomotion::Other));
    assert_eq!(entry.shares, [0.0, 0.5, 0.5, 0.0, 0.0]);
    assert_eq!(entry.label_names(), ["style 1"]);
    assert!(library.check().unwrap().is_whole());
}

fn walk_rate() -> afoot_core::FrameRate {
    afoot_core::FrameRate::new(24000, 1001).unwrap()
}

#[test]
fn clips_keep_their_order_and_share_skeletons() {
    let folder = Folder::new("order");
    let mut library = Library::create(&folder.file("lib.afoot")).unwrap();
    for (seed, name) in ["c", "a", "b"].into_iter().enumerate() {
        library
            .add_clip(&clip(name, 20, seed as u32), &facts("x"))
            .unwrap();
    }
    let skeletons = library.skeletons().unwrap();
    assert_eq!(
        (
            skeletons.len(),
            skeletons[0].clips,
            skeletons[0].name.as_str()
        ),
        (1, 3, "c")
    );
    let loaded = library.load_all().unwrap();
    assert!(std::sync::Arc::ptr_eq(
        &loaded[0].skeleton,
        &loaded[2].skeleton
    ));
    library.remove("a").unwrap();
    library.add_clip(&clip("a", 20, 9), &facts("x")).unwrap();
    assert_eq!(names(&library), ["c", "b", "a"]);
    ["c", "b", "a"]
        .into_iter()
        .for_each(|name| library.remove(name).unwrap());
    assert!(library.skeletons().unwrap().is_empty());
    assert!(library.check().unwrap().is_whole());
}

#[test]
fn names_are_unique_and_must_be_there() {
    let folder = Folder::new("names");
    let mut library = Library::create(&folder.file("lib.afoot")).unwrap();
    library.add_clip(&clip("walk", 20, 1), &facts("x")).unwrap();
    library.add_clip(&clip("run", 20, 2), &facts("x")).unwrap();
    let taken = library
        .add_clip(&clip("walk", 20, 3), &facts("x"))
        .unwrap_err();
    assert!(matches!(taken, LibraryError::NameTaken { .. }), "{taken}");
    assert!(matches!(
        library.rename("walk", "run"),
        Err(LibraryError::NameTaken { .. })
    ));
    assert!(matches!(
        library.rename("walk", "a[1]"),
        Err(LibraryError::BadName { .. })
    ));
    library.rename("walk", "walk").unwrap();
    library.rename("walk", "stroll").unwrap();
    assert_eq!(names(&library), ["stroll", "run"]);
    let missing = library.clip("rum").unwrap_err().to_string();
    assert_eq!(
        missing,
        "there is no clip \"rum\" in the library; did you mean run?"
    );
    assert!(library.remove("walk").is_err());
    assert!(library.check().unwrap().is_whole());
}

/// What was denied is kept, changes the hash, and is matched by nothing: not as a label, and a type
/// of that name no longer counts there.
#[test]
fn denied_labels_are_kept_and_never_matched() {
    let folder = Folder::new("denied");
    let path = folder.file("lib.afoot");
    let mut library = Library::create(&path).unwrap();
    library.add_clip(&clip("walk", 50, 1), &facts("x")).unwrap();
    let before = library.entry("walk").unwrap();
    let mut annotations = before.annotations.clone();
    let frames = |start, end| Range32 { start, end };
    annotations.say("style 1", frames(0, 50), Verdict::IsNot);
    annotations.say("sneak", frames(10, 20), Verdict::IsNot);
    annotations.say("walk", frames(5, 25), Verdict::IsNot);
    library.annotate("walk", annotations.clone()).unwrap();
    drop(library);

    let mut library = Library::open(&path).unwrap();
    assert!(library.check().unwrap().is_whole());
    let entry = library.entry("walk").unwrap();
    assert_eq!(entry.annotations, annotations);
    assert!(entry.label_names().is_empty());
    assert_ne!(entry.hash(), before.hash());
    assert_eq!((before.shares[1], entry.shares[1]), (0.5, 0.1));
    let read = library.clip("walk").unwrap();
    assert!(read.labels.is_empty());
    assert_eq!(read.types[4..6], [Locomotion::Walk, Locomotion::Other]);
    let only = |word: &str| GraphRecipe {
        only: vec![word.into()],
        ..GraphRecipe::default()
    };
    for word in ["sneak", "style 1"] {
        assert!(library.graph_clips(&only(word)).is_err(), "{word}");
    }

    // Forgetting it brings the found types back.
    library
        .annotate("walk", before.annotations.clone())
        .unwrap();
    assert_eq!(library.entry("walk").unwrap().hash(), before.hash());
    assert_eq!(library.entry("walk").unwrap().shares, before.shares);
}

#[test]
fn labels_and_tracks_can_be_replaced_and_change_the_hash() {
    let folder = Folder::new("labels");
    let mut library = Library::create(&folder.file("lib.afoot")).unwrap();
    let mut walk = clip("walk", 50, 1);
    library.add_clip(&walk, &facts("x")).unwrap();
    let before = library.entry("walk").unwrap();
    let span = |start, end, label: &str| LabelSpan {
        frames: Range32 { start, end },
        label: label.into(),
    };
    let annotations = Annotations {
        labels: vec![
            span(30, 90, "sneak"),
            span(60, 70, "lost"),
            span(0, 9, "run"),
        ],
        ..Annotations::default()
    };
    library.annotate("walk", annotations).unwrap();
    let labelled = library.entry("walk").unwrap();
    assert_eq!(
        labelled.annotations.labels,
        [span(0, 9, "run"), span(30, 50, "sneak")]
    );
    assert_ne!(before.hash(), labelled.hash());
    assert_eq!(before.motion_hash, labelled.motion_hash);
    walk.types.fill(Locomotion::Jump);
    library.set_tracks(&walk).unwrap();
    let typed = library.entry("walk").unwrap();
    assert_eq!(typed.kind, Locomotion::Jump);
    assert_eq!(typed.annotations, labelled.annotations);
    assert_ne!(typed.hash(), labelled.hash());
    walk.root[0].x += 1.0;
    assert!(library.set_tracks(&walk).is_err());
    assert!(library.check().unwrap().is_whole());
}

/// Doubts, what was learned and how frames may be used are kept; a clip shows what it carries and what
/// must not be used, and nothing else of it changes what is made of the clip.
#[test]
fn doubts_and_uses_are_kept_and_shown() {
    let folder = Folder::new("doubts");
    let path = folder.file("lib.afoot");
    let mut library = Library::create(&path).unwrap();
    let made = clip("walk", 50, 1);
    library.add_clip(&made, &facts("x")).unwrap();
    let before = library.entry("walk").unwrap();
    let span = |start, end| Range32 { start, end };
    let mut annotations = before.annotations.clone();
    annotations.say("sneak", span(0, 9), Verdict::Unsure);
    annotations.say("sneak", span(20, 30), Verdict::UnsureNot);
    annotations.set_use(span(3, 5), Some(UseRule::NoEntry));
    annotations.set_use(span(0, 50), Some(UseRule::Bias(-40)));
    library.annotate("walk", annotations.clone()).unwrap();
    let doubted = library.entry("walk").unwrap();
    assert_eq!(doubted.annotations, annotations);
    assert_eq!(doubted.hash(), before.hash());
    annotations.learn("sneak", &[span(10, 15)]);
    annotations.set_use(span(40, 60), Some(UseRule::Excluded));
    library.annotate("walk", annotations).unwrap();
    drop(library);
    let library = Library::open(&path).unwrap();
    let entry = library.entry("walk").unwrap();
    assert_ne!(entry.hash(), before.hash());
    assert_eq!(entry.measured_hash(), before.measured_hash());
    let stored = library.clip("walk").unwrap();
    assert!(
        stored
            .labels
            .iter()
            .any(|label| label.frames == span(10, 15))
    );
    assert!(stored.faults.contains(&(40..50)));
    assert!(library.check().unwrap().is_whole());
}

#[test]
fn artefacts_are_found_by_options_and_sources() {
    let folder = Folder::new("artefacts");
    let mut library = Library::create(&folder.file("lib.afoot")).unwrap();
    let (old, new) = (ContentHash::of(b"old"), ContentHash::of(b"new"));
    library
        .put_artefact("graph", "threshold=4", old, b"abc")
        .unwrap();
    library
        .put_artefact("graph", "threshold=8", old, b"def")
        .unwrap();
    assert_eq!(
        library
            .artefact("graph", "threshold=4", old)
            .unwrap()
            .unwrap(),
        b"abc"
    );
    assert_eq!(library.artefact("graph", "threshold=4", new).unwrap(), None);
    assert_eq!(
        library
            .last_artefact("graph", "threshold=4")
            .unwrap()
            .unwrap()
            .sources,
        old
    );
    library
        .put_artefact("graph", "threshold=4", new, b"abcd")
        .unwrap();
    assert_eq!(library.artefact("graph", "threshold=4", old).unwrap(), None);
    let stale = library
        .remove_stale_artefacts(|entry| entry.sources == new)
        .unwrap();
    assert_eq!(stale.len(), 1);
    let left = library.artefacts().unwrap();
    assert_eq!((left.len(), left[0].size), (1, 4));
    assert!(library.remove_artefact("graph", "threshold=4").unwrap());
    assert!(!library.remove_artefact("graph", "threshold=4").unwrap());
}

#[test]
fn a_dropped_transaction_leaves_nothing() {
    let folder = Folder::new("rollback");
    let mut library = Library::create(&folder.file("lib.afoot")).unwrap();
    library.add_clip(&clip("kept", 20, 1), &facts("x")).unwrap();
    let transaction = library.transaction().unwrap();
    transaction
        .add_clip(&clip("lost", 20, 2), &facts("x"))
        .unwrap();
    drop(transaction);
    assert_eq!(names(&library), ["kept"]);
}

#[test]
fn readers_see_whole_states_while_one_writes() {
    let folder = Folder::new("readers");
    let path = folder.file("lib.afoot");
    let mut writer = Library::create(&path).unwrap();
    writer.add_clip(&clip("first", 20, 1), &facts("x")).unwrap();
    let readers = [
        Library::open(&path).unwrap(),
        Library::open_read_only(&path).unwrap(),
    ];
    let transaction = writer.transaction().unwrap();
    transaction
        .add_clip(&clip("second", 20, 2), &facts("x"))
        .unwrap();
    readers
        .iter()
        .for_each(|reader| assert_eq!(names(reader), ["first"]));
    transaction.commit().unwrap();
    readers
        .iter()
        .for_each(|reader| assert_eq!(names(reader), ["first", "second"]));
    let mut reader = readers.into_iter().nth(1).unwrap();
    let refused = reader.remove("first").unwrap_err();
    assert!(
        matches!(refused, LibraryError::ReadOnly { .. }),
        "{refused}"
    );
}

#[test]
fn a_library_in_one_file_after_it_is_closed() {
    let folder = Folder::new("one-file");
    let path = folder.file("lib.afoot");
    let mut library = Library::create(&path).unwrap();
    library
        .add_clip(&clip("walk", 200, 1), &facts("x"))
        .unwrap();
    drop(library);
    let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(files.len(), 1, "{files:?}");
    assert!(matches!(
        Library::create(&path),
        Err(LibraryError::Exists { .. })
    ));
}
