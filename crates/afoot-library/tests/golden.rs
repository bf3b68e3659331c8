//! Libraries of every format that was ever written can be read.
#![allow(clippy::unwrap_used)] // a test may fail

mod support;

use std::sync::Arc;

use afoot_core::{Clip, JointId, Locomotion, Range32, Skeleton, SurfacePoint, Vec3};
use afoot_library::{Annotations, ClipFacts, ContentHash, Library, Verdict};
use support::{Folder, clip, largest_distance};

const FORMAT_1: &[u8] = include_bytes!("golden/format-1.golden");
const FORMAT_2: &[u8] = include_bytes!("golden/format-2.golden");
const FORMAT_3: &[u8] = include_bytes!("golden/format-3.golden");

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
    library.add_clip(&with_mesh(), &facts).unwrap();
    library
        .put_artefact("graph", "threshold=4", ContentHash::of(b"walk"), b"a graph")
        .unwrap();
    library.annotate("walk", with_denials()).unwrap();
    drop(library);
    std::fs::copy(&path, "tests/golden/format-3.golden").unwrap();
}

/// A clip whose skeleton has points of a surface, which came with format 2.
fn with_mesh() -> Clip {
    let mut clip = clip("walk", 12, 1);
    let point = |joint: u16, weight: f32| SurfacePoint {
        joint: JointId(joint),
        offset: Vec3::new(0.01 * f32::from(joint), 0.1, -0.02),
        weight,
    };
    let points = vec![point(3, 0.25), point(0, 0.5), point(10, 0.25)];
    let skeleton = Skeleton::clone(&clip.skeleton).with_surface(points);
    clip.skeleton = Arc::new(skeleton.unwrap());
    clip
}

/// Labels that frames do not carry, which came with format 3.
fn with_denials() -> Annotations {
    let mut annotations = Annotations {
        labels: clip("walk", 12, 1).labels,
        ..Annotations::default()
    };
    let (start, end) = (3, 7);
    annotations.say("sneak", Range32 { start, end }, Verdict::IsNot);
    annotations
}

#[test]
fn format_3_is_read() {
    let folder = Folder::new("golden-3");
    let path = folder.file("format-3.afoot");
    std::fs::write(&path, FORMAT_3).unwrap();
    let library = Library::open_read_only(&path).unwrap();
    assert!(library.check().unwrap().is_whole());
    let entry = library.entry("walk").unwrap();
    assert_eq!(entry.annotations, with_denials());
    assert_eq!(entry.label_names(), ["style 1"]);
}

#[test]
fn format_2_is_read() {
    let folder = Folder::new("golden-2");
    let path = folder.file("format-2.afoot");
    std::fs::write(&path, FORMAT_2).unwrap();
    let library = Library::open(&path).unwrap();
    assert!(library.check().unwrap().is_whole());
    let (stored, made) = (library.clip("walk").unwrap(), with_mesh());
    assert!(largest_distance(&stored, &made) < 1e-5);
    assert_eq!(stored.skeleton, made.skeleton);
    assert_eq!(stored.skeleton.surface().len(), 3);
    assert_ne!(stored.skeleton, clip("walk", 12, 1).skeleton);
}

#[test]
fn format_1_is_read_where_nothing_can_be_written() {
    let folder = Folder::new("golden-read-only");
    let path = folder.file("format-1.afoot");
    std::fs::write(&path, FORMAT_1).unwrap();
    let library = Library::open_read_only(&path).unwrap();
    assert_eq!(library.clip("walk").unwrap().len(), 12);
}

#[test]
fn format_1_is_read() {
    let folder = Folder::new("golden");
    let path = folder.file("format-1.afoot");
    std::fs::write(&path, FORMAT_1).unwrap();
    let library = Library::open(&path).unwrap();
    assert!(library.check().unwrap().is_whole());
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
