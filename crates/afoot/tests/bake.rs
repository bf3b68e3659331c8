//! A baked character is steered as `drive` steers the library it was baked of.
#![allow(clippy::unwrap_used)] // a test fails by panicking

use std::sync::Arc;

use afoot::{Bake, BuildGraph, Drive, FailureKind, Import, Library, Run, Wish, WriteSamples};
use afoot_core::{FrameId, Planar, forward_kinematics};
use afoot_fixtures::Folder;
use afoot_runtime::Pack;

fn walks(folder: &Folder) -> Library {
    let bvh = folder.file("bvh");
    let only = ["walk", "walk_turn_left", "walk_circle_left", "walk_slalom"].map(String::from);
    let only = only.to_vec();
    WriteSamples { only }.run(&bvh, &Run::quiet()).unwrap();
    let import = Import {
        paths: vec![bvh.into()],
        mirror: true,
        ..Import::default()
    };
    let path = folder.file("walks.afoot");
    let (library, _) = import.run_into(path, &Run::quiet()).unwrap();
    BuildGraph::default().run(&library, &Run::quiet()).unwrap();
    library
}

#[test]
fn a_baked_character_is_steered_as_drive_steers() {
    let folder = Folder::new("afoot-bake");
    let (library, run) = (walks(&folder), Run::quiet());
    let wish = |at: f64, degrees: f64| Wish {
        at,
        degrees,
        ..Wish::default()
    };
    let drive = Drive {
        steer: vec![wish(0.0, 0.0), wish(4.0, 90.0), wish(9.0, -30.0)],
        seconds: 15.0,
        ..Drive::default()
    };
    let driven = library.make(&drive, &run).unwrap().clip;
    let file = folder.file("hero.afootpack");
    let told = Bake::default().run(&library, &file, &run).unwrap();
    assert!(told.most_mm <= 0.5 && told.joints.iter().all(|joint| joint.most_mm <= 0.5));
    assert_eq!(told.bytes as u64, file.metadata().unwrap().len());

    let pack = Pack::open(Arc::new(std::fs::read(&file).unwrap())).unwrap();
    let mut hero = pack.character(Planar::IDENTITY, 0).unwrap();
    let positions = forward_kinematics(&driven);
    let (mut from_root, mut in_world) = (0f32, 0f32);
    for frame in 0..driven.len() {
        let now = frame as f64 * driven.rate.frame_time();
        let wish = drive
            .steer
            .iter()
            .rev()
            .find(|wish| wish.at <= now)
            .unwrap();
        let direction = wish.degrees.to_radians();
        let seconds = driven.rate.frame_time();
        let root = hero.advance(seconds, direction, None).unwrap().root;
        let was = positions.frame(FrameId::from(frame));
        for (was_at, is_at) in was.iter().zip(hero.points()) {
            in_world = in_world.max(was_at.distance(*is_at));
            from_root = from_root.max((*was_at - was[0]).distance(*is_at - root));
        }
    }
    // Legs that reach for held feet add what the root is off by to what they are off by themselves.
    assert!(from_root < 0.0015, "{from_root} m from the root");
    assert!(in_world < 0.01, "{in_world} m in the world");
}

#[test]
fn what_cannot_be_baked_is_told() {
    let folder = Folder::new("afoot-bake-refused");
    let library = Library::open_or_create(folder.file("empty.afoot")).unwrap();
    let file = folder.file("hero.afootpack");
    let refused = Bake { error_mm: 2.0 }.run(&library, &file, &Run::quiet());
    let refused = refused.unwrap_err();
    assert_eq!(refused.kind, FailureKind::BadRequest);
    assert_eq!(refused.field.as_deref(), Some("error_mm"), "{refused}");
    let empty = Bake::default()
        .run(&library, &file, &Run::quiet())
        .unwrap_err();
    assert_eq!(empty.kind, FailureKind::NoMotion, "{}", empty.message);
    assert!(!file.exists());
}
