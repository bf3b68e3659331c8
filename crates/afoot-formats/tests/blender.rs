//! Files that Blender wrote from a motion of ours come back as that motion.

#![allow(clippy::unwrap_used)] // a test fails by panicking

mod support;

use std::path::{Path, PathBuf};

use afoot_core::{Clip, FrameId, forward_kinematics};
use afoot_formats::{ReadOptions, read_motion};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

fn read(name: &str) -> Clip {
    read_motion(&data(name), &ReadOptions::default())
        .unwrap()
        .clip
}

/// Joints of the same name are within a millimetre on every frame.
fn check(name: &str) {
    let (ours, theirs) = (read("walk.bvh"), read(name));
    assert_eq!(
        (ours.len(), ours.rate),
        (theirs.len(), theirs.rate),
        "{name}"
    );
    let (a, b) = (forward_kinematics(&ours), forward_kinematics(&theirs));
    for (index, joint) in ours.skeleton.joints().iter().enumerate() {
        let other = theirs.skeleton.find(&joint.name);
        let other = other.unwrap_or_else(|| panic!("{name} has no joint {}", joint.name));
        for frame in (0..ours.len()).map(FrameId::from) {
            let apart = a.frame(frame)[index].distance(b.joint(frame, other));
            assert!(
                apart < 1e-3,
                "{name}: {} is {apart} m off at {frame:?}",
                joint.name
            );
        }
    }
}

#[test]
fn gltf() {
    check("blender_walk.glb");
}

#[cfg(feature = "fbx")]
#[test]
fn fbx() {
    check("blender_walk.fbx");
}

/// Bytes of a good file, changed at random: an answer, never a panic.
#[cfg(feature = "fbx")]
#[test]
fn mutated_fbx_never_panics() {
    use afoot_formats::fbx::read_fbx;
    let good = std::fs::read(data("blender_walk.fbx")).unwrap();
    let mut random = support::random::Random::new(7);
    let mut read_well = 0;
    for _ in 0..300 {
        let mut bytes = good.clone();
        for _ in 0..=random.below(8) {
            let at = random.below(bytes.len());
            bytes[at] = random.below(256) as u8;
        }
        if let Ok(motion) = read_fbx(&bytes, &ReadOptions::default()) {
            motion.clip.check().expect("what is read is whole");
            read_well += 1;
        }
    }
    assert!(read_well > 10, "most changes hit numbers only: {read_well}");
}
