//! Libraries of every format that was ever written can be read.
#![allow(clippy::unwrap_used)] // a test may fail

mod support;

use afoot_core::Locomotion;
use afoot_library::{ClipFacts, ContentHash, Library};
use support::{Folder, clip, largest_distance};

const FORMAT_1: &[u8] = include_bytes!("golden/format-1.golden");

/// Writes the golden file of the present format; run by hand when a format is new.
#[test]
#[ignore = "makes the file that the other test reads"]
fn make() {
    let folder = Folder::new("make-golden");
    let path = folder.file("format.afoot");
    let mut library = Library::create(&path).unwrap();
    let facts = ClipFacts {
        source: Some("walk.bvh".into()),
        source_fps: Some(120.0),
        ..ClipFacts::default()
    };
    library.add_clip(&clip("walk", 12, 1), &facts).unwrap();
    library
        .put_artefact("graph", "threshold=4", ContentHash::of(b"walk"), b"a graph")
        .unwrap();
    drop(library);
    std::fs::copy(&path, "tests/golden/format-1.golden").unwrap();
}

#[test]
fn format_1_is_read() {
    let folder = Folder::new("golden");
    let path = folder.file("format-1.afoot");
    std::fs::write(&path, FORMAT_1).unwrap();
    let library = Library::open(&path).unwrap();
    library.check().unwrap();
    let (stored, made) = (library.clip("walk").unwrap(), clip("walk", 12, 1));
    // Sines differ in the last bit between machines; all else must be equal.
    assert!(largest_distance(&stored, &made) < 1e-5);
    assert_eq!(stored.skeleton, made.skeleton);
    assert_eq!(
        (&stored.contacts, &stored.types),
        (&made.contacts, &made.types)
    );
    assert_eq!((&stored.labels, stored.ground), (&made.labels, made.ground));
    assert_eq!((&stored.faults, stored.rate), (&made.faults, made.rate));
    let entry = library.entry("walk").unwrap();
    assert_eq!(entry.facts.source_fps, Some(120.0));
    assert_eq!((entry.kind, entry.shares[1]), (Locomotion::Other, 0.5));
    assert_eq!(
        entry.motion_hash.to_string(),
        "9ce1a683789c19b365302829d559433b"
    );
    let artefact = library
        .artefact("graph", "threshold=4", ContentHash::of(b"walk"))
        .unwrap();
    assert_eq!(artefact.unwrap(), b"a graph");
}
