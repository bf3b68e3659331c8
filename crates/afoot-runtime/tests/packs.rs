//! Packs: what comes out is what went in, and what is damaged does not come out.
#![allow(missing_docs, clippy::unwrap_used)]

mod support;

use std::path::Path;
use std::sync::Arc;

use afoot_core::{ClipId, Planar, forward_kinematics, pose_kinematics};
use afoot_graph::NodeId;
use afoot_runtime::{BakeError, BakeOptions, Bytes, Pack, bake};
use afoot_synth::{Controller, ControllerOptions, ControllerStart};
use support::Source;

fn walks() -> Source {
    Source::of(&["walk", "walk_turn_left", "walk_turn_right"])
}

fn bytes_of(bytes: &Bytes) -> Vec<u8> {
    (**bytes).as_ref().to_vec()
}

fn open(bytes: Vec<u8>) -> Result<Pack, String> {
    Pack::open(Arc::new(bytes)).map_err(|error| error.to_string())
}

#[test]
fn every_joint_is_within_what_was_allowed_and_told() {
    let source = walks();
    let mut sizes = Vec::new();
    for allowed in [0.1, 0.5, 1.0] {
        let baked = source.baked(allowed);
        let pack = Pack::open(baked.bytes).unwrap();
        let mut most = vec![0f32; baked.errors.len()];
        for clip in 0..source.repertoire.graph().clips.len() {
            let id = ClipId::from(clip);
            let [was, is] = [&source.repertoire, pack.repertoire()].map(|own| own.clip(id));
            assert_eq!(was.contacts, is.contacts);
            assert_eq!(was.ground, is.ground);
            let [was, is] = [was, is].map(forward_kinematics);
            let pairs = was.as_slice().iter().zip(is.as_slice());
            for (index, (was, is)) in pairs.enumerate() {
                let point = index % most.len();
                most[point] = most[point].max(1000.0 * was.distance(*is));
            }
        }
        for (error, most) in baked.errors.iter().zip(&most) {
            let told = error.most_mm;
            assert!((told - most).abs() < 1e-3, "{error:?} is {most}");
            assert!(told <= allowed, "{error:?} of {allowed} mm");
        }
        let worst = most.iter().copied().fold(0.0, f32::max);
        assert!(worst > 0.7 * allowed, "{worst} of {allowed} mm are used");
        sizes.push(baked.sizes.clips);
        let rate = baked.sizes.clips_unpacked / baked.sizes.clips;
        assert!(rate >= 5, "{rate} times smaller at {allowed} mm");
    }
    assert!(sizes.is_sorted_by(|finer, coarser| finer > coarser));
}

/// What is steered for, and when. [s, rad]
const WISHES: [(f64, f64); 5] = [
    (0.0, 0.0),
    (3.0, 1.5),
    (7.0, -1.0),
    (11.0, 3.0),
    (15.0, 0.4),
];

#[test]
fn a_pack_is_steered_as_the_library_is() {
    let source = walks();
    let baked = source.baked(0.5);
    let worst = baked.errors.iter().map(|error| error.most_mm);
    let worst = worst.fold(0.0, f32::max) / 1000.0;
    let pack = Pack::open(baked.bytes).unwrap();
    for fps in [30.0, 60.0] {
        let mut drawn = Controller::new(
            Arc::clone(&source.repertoire),
            Arc::clone(&source.table),
            ControllerStart::in_the_middle(NodeId(0)),
            ControllerOptions::default(),
        )
        .unwrap();
        let mut hero = pack.character(Planar::IDENTITY, 0).unwrap();
        let (mut apart, mut drift) = (0f32, 0f32);
        for frame in 0..(20.0 * fps) as usize {
            let now = frame as f64 / fps;
            let wish = WISHES.iter().rev().find(|(from, _)| *from <= now);
            let direction = wish.unwrap().1;
            let was = drawn.advance(1.0 / fps, direction, None).unwrap();
            hero.advance(1.0 / fps, direction, None).unwrap();
            assert_eq!(drawn.contacts(), hero.contacts(), "frame {frame} at {fps}");
            let (_, points) = pose_kinematics(pack.skeleton(), was.root, &was.rotations);
            let root = hero.pose().root;
            let is = hero.points();
            for (was, is) in points.iter().zip(is) {
                drift = drift.max(was.distance(*is));
                let from_root = (*was - points[0]).distance(*is - root);
                apart = apart.max(from_root);
            }
        }
        assert!(apart < 3.0 * worst, "{apart} m from the root at {fps}");
        assert!(drift < 0.01, "{drift} m in the world at {fps}");
    }
}

#[test]
fn what_is_cut_or_changed_is_refused_by_name() {
    let bytes = bytes_of(&walks().baked(1.0).bytes);
    assert!(open(bytes.clone()).is_ok());
    for length in [0, 7, 8, 40, 63, 64, 500, bytes.len() / 2, bytes.len() - 1] {
        let error = open(bytes[..length].to_vec()).unwrap_err();
        assert!(error.contains("baked character"), "{length}: {error}");
    }
    let mut seen = 0;
    for at in (0..bytes.len()).step_by(bytes.len() / 400) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x41;
        // Between the list of tables and the first of them lies nothing.
        if let Err(error) = open(changed) {
            assert!(error.contains("baked character"), "{at}: {error}");
            seen += 1;
        }
    }
    assert!(seen >= 399, "{seen} of 401");
    assert_eq!(
        open(b"BVH, or so".to_vec()).unwrap_err(),
        "this is no baked character"
    );
    let mut newer = bytes;
    newer[8] = 99;
    let error = open(newer).unwrap_err();
    assert!(error.contains("format version 99"), "{error}");
}

#[test]
fn the_same_motion_gives_the_same_bytes() {
    let bytes = [(), ()].map(|()| bytes_of(&walks().baked(0.5).bytes));
    assert!(bytes[0] == bytes[1]);
}

#[test]
fn errors_out_of_range_are_refused() {
    let source = walks();
    for error_mm in [0.0, -1.0, 1.1, f32::NAN] {
        let refused = bake(&source.repertoire, &source.table, &BakeOptions { error_mm });
        assert!(matches!(refused, Err(BakeError::BadError(_))));
    }
}

#[test]
fn errors_finer_than_numbers_are_refused_with_what_is_possible() {
    let source = walks();
    for error_mm in [6e-4, 3e-4, 1e-4, 1e-6] {
        let refused = bake(&source.repertoire, &source.table, &BakeOptions { error_mm });
        match refused.err().unwrap() {
            BakeError::TooFine {
                asked_mm,
                possible_mm,
            } => assert!(asked_mm < possible_mm && possible_mm < 0.01),
            BakeError::TooFar { error_mm: said, .. } => assert_eq!(said, error_mm),
            other => panic!("{other}"),
        }
    }
}

/// A file of version 1, as it was written first: read, or refused by its version when that rises.
/// `AFOOT_WRITE=1` writes one where there is none yet.
#[test]
fn packs_of_version_1_are_read() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/walk-1.afootpack");
    if std::env::var_os("AFOOT_WRITE").is_some() && !file.exists() {
        let baked = Source::of(&["walk"]).baked(1.0);
        std::fs::write(&file, bytes_of(&baked.bytes)).unwrap();
    }
    let pack = open(std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(pack.fps(), 30.0);
    assert!(
        pack.words().iter().any(|word| word == "walk"),
        "{:?}",
        pack.words()
    );
    assert_eq!(pack.repertoire().graph().clips[0].name, "walk");
    let mut hero = pack.character(Planar::new(1.0, 2.0, 0.0), 0).unwrap();
    let begun = hero.advance(0.0, 0.0, None).unwrap().root;
    assert!(
        (begun.x - 1.0).abs() < 0.01 && (begun.z - 2.0).abs() < 0.01,
        "{begun}"
    );
    for _ in 0..120 {
        hero.advance(1.0 / 30.0, 0.0, Some("walk")).unwrap();
    }
    let gone = hero.pose().root.z - begun.z;
    assert!(gone > 2.0, "{gone} m ahead in 4 s");
}

#[test]
fn characters_of_one_pack_go_their_own_ways() {
    let pack = Pack::open(walks().baked(0.5).bytes).unwrap();
    let mut all: Vec<_> = (0..5u32)
        .map(|one| pack.character(Planar::new(f64::from(one), 0.0, 0.0), one))
        .collect::<Result<_, _>>()
        .unwrap();
    for _ in 0..150 {
        for (one, hero) in all.iter_mut().enumerate() {
            hero.advance(1.0 / 30.0, if one % 2 == 0 { 0.0 } else { 3.1 }, None)
                .unwrap();
        }
    }
    let ahead = all.iter().map(|hero| hero.pose().root.z);
    let ahead: Vec<f32> = ahead.collect();
    assert!(
        ahead[0] > 1.0 && ahead[2] > 1.0 && ahead[4] > 1.0,
        "{ahead:?}"
    );
    assert!(ahead[1] < 0.5 && ahead[3] < 0.5, "{ahead:?}");
    assert!(all[0].advance(0.1, 0.0, Some("fly")).is_err());
}
