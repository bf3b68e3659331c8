//! Damage costs what is damaged and nothing else.
#![allow(clippy::unwrap_used)] // a test may fail

mod support;

use std::path::Path;

use afoot_core::Locomotion;
use afoot_library::{ClipFacts, ContentHash, Library, LibraryError};
use rusqlite::Connection;
use support::{Folder, clip};

const NAMES: [&str; 3] = ["walk", "run", "jump"];

/// A library of three clips to which something was done behind its back.
fn damaged(folder: &Folder, sql: &str) -> Library {
    let path = folder.file("lib.afoot");
    let mut library = Library::create(&path).unwrap();
    for (seed, name) in NAMES.into_iter().enumerate() {
        let clip = clip(name, 60, seed as u32);
        library.add_clip(&clip, &ClipFacts::default()).unwrap();
    }
    let sources = ContentHash::of(b"x");
    library
        .put_artefact("graph", "", sources, &[7; 30])
        .unwrap();
    drop(library);
    let connection = Connection::open(&path).unwrap();
    assert!(connection.execute(sql, []).unwrap() > 0, "{sql}");
    drop(connection);
    Library::open(&path).unwrap()
}

fn names(library: &Library) -> Vec<String> {
    let clips = library.clips().unwrap();
    clips.into_iter().map(|entry| entry.name).collect()
}

fn read(library: &Library, name: &str) -> bool {
    let seed = NAMES.iter().position(|known| *known == name).unwrap();
    match library.clip(name) {
        Ok(read) => read == clip(name, 60, seed as u32),
        Err(error) => {
            let words = error.to_string();
            assert!(matches!(error, LibraryError::DamagedClip { .. }), "{words}");
            assert!(
                words.contains(name) && words.contains("the rest is whole"),
                "{words}"
            );
            false
        }
    }
}

/// Every way in which the row, the motion or the skeleton of `run` can go wrong.
const DAMAGE: [&str; 6] = [
    "UPDATE clips SET facts = '{\"findings\":[{\"flips\":[[1,\"Hips\",1.0,null]]}]}' WHERE name = 'run'",
    "UPDATE clips SET shares = x'00' WHERE name = 'run'",
    "UPDATE clips SET frames = 'many' WHERE name = 'run'",
    "UPDATE clips SET labels = x'ffffffff' WHERE name = 'run'",
    "UPDATE motions SET motion = x'0102' WHERE clip = 2",
    "UPDATE motions SET tracks = zeroblob(9) WHERE clip = 2",
];

#[test]
fn a_row_that_cannot_be_read_costs_that_clip_alone() {
    for (number, sql) in DAMAGE.iter().enumerate() {
        let folder = Folder::new(&format!("row-{number}"));
        let mut library = damaged(&folder, sql);
        assert!(read(&library, "walk") && read(&library, "jump"), "{sql}");
        assert!(!read(&library, "run"), "{sql}");
        let health = library.check().unwrap();
        assert_eq!(
            (health.clips, health.damage.len()),
            (2, 1),
            "{sql}: {health:?}"
        );
        assert_eq!(health.damage[0].clip.as_deref(), Some("run"), "{sql}");
        library.remove("run").unwrap();
        assert_eq!(names(&library), ["walk", "jump"]);
        assert!(library.check().unwrap().is_whole(), "{sql}");
        // Its file can be imported again under its name.
        library
            .add_clip(&clip("run", 60, 1), &ClipFacts::default())
            .unwrap();
        assert!(
            library.check().unwrap().is_whole() && read(&library, "run"),
            "{sql}"
        );
    }
}

#[test]
fn repairing_removes_what_cannot_be_read_and_nothing_else() {
    for (number, sql) in DAMAGE.iter().enumerate() {
        let folder = Folder::new(&format!("repair-{number}"));
        let mut library = damaged(&folder, sql);
        let health = library.check().unwrap();
        assert!(library.repair(&health).unwrap().is_whole(), "{sql}");
        assert_eq!(names(&library), ["walk", "jump"], "{sql}");
        assert!(read(&library, "walk") && read(&library, "jump"), "{sql}");
    }
}

#[test]
fn a_skeleton_that_cannot_be_read_costs_the_clips_that_have_it() {
    let folder = Folder::new("skeleton");
    let mut library = damaged(&folder, "UPDATE skeletons SET body = x'00'");
    assert_eq!(names(&library), NAMES);
    let health = library.check().unwrap();
    assert_eq!((health.clips, health.damage.len()), (0, 3));
    assert!(library.repair(&health).unwrap().is_whole());
    assert_eq!(names(&library), [""; 0]);
}

#[test]
fn a_broken_artefact_is_named_and_dropped() {
    let folder = Folder::new("artefact");
    let mut library = damaged(&folder, "UPDATE artefacts SET body = x'00'");
    let health = library.check().unwrap();
    assert_eq!(
        health.broken_artefacts,
        [["graph".to_owned(), String::new()]]
    );
    assert!(library.repair(&health).unwrap().is_whole());
    assert_eq!(names(&library), NAMES);
}

#[test]
fn labels_are_not_put_on_tracks_of_another_clip() {
    let folder = Folder::new("other-tracks");
    let path = folder.file("lib.afoot");
    let mut library = Library::create(&path).unwrap();
    let mut still = clip("still", 60, 1);
    still.types.fill(Locomotion::Stand);
    for clip in [clip("walk", 60, 0), still] {
        library.add_clip(&clip, &ClipFacts::default()).unwrap();
    }
    drop(library);
    let swap =
        "UPDATE motions SET tracks = (SELECT tracks FROM motions WHERE clip = 1) WHERE clip = 2";
    Connection::open(&path).unwrap().execute(swap, []).unwrap();
    let mut library = Library::open(&path).unwrap();
    let still = |library: &Library| library.clips().unwrap()[1].clone();
    let before = still(&library);
    let refused = library.annotate("still", before.annotations.clone());
    assert!(matches!(refused, Err(LibraryError::DamagedClip { .. })));
    assert_eq!(still(&library).kind, Locomotion::Stand);
    library.annotate("walk", before.annotations).unwrap();
}

fn files_of(path: &Path) -> Vec<String> {
    let names = std::fs::read_dir(path.parent().unwrap()).unwrap();
    names
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn nothing_lies_beside_a_library_after_a_clean_end_also_of_reading() {
    let folder = Folder::new("beside");
    let path = folder.file("lib.afoot");
    let mut library = Library::create(&path).unwrap();
    library
        .add_clip(&clip("walk", 60, 0), &ClipFacts::default())
        .unwrap();
    drop(library);
    assert_eq!(files_of(&path), ["lib.afoot"]);
    let library = Library::open_read_only(&path).unwrap();
    assert!(read(&library, "walk"));
    drop(library);
    assert_eq!(files_of(&path), ["lib.afoot"]);
}
