//! Loading a library against reading the same clips from BVH text and against copying their bytes,
//! in one run: ten minutes of motion at 30 frames a second.

use std::path::PathBuf;

use afoot_core::{Clip, FrameRate, Joint, JointId, Quat, Skeleton, Vec3};
use afoot_formats::{ReadOptions, WriteOptions, read_bvh, write_bvh};
use afoot_library::{ClipFacts, Library};
use divan::counter::ItemsCount;

const CLIPS: usize = 40;
const FRAMES: usize = 450;
const JOINTS: usize = 31;

fn main() {
    divan::main();
}

fn clips() -> Vec<Clip> {
    let joint = |index: usize| {
        let parent = (index > 0).then(|| JointId::from(index - 1));
        Joint::new(format!("joint{index}"), parent, Vec3::Y * 0.1)
    };
    let skeleton = Skeleton::new((0..JOINTS).map(joint).collect(), Vec::new());
    let skeleton = std::sync::Arc::new(skeleton.expect("a plain chain"));
    let make = |number: usize| {
        let mut clip = Clip::empty(
            format!("clip {number}"),
            skeleton.clone(),
            FrameRate::FPS_30,
        );
        for frame in 0..FRAMES {
            let time = frame as f32 / 30.0 + number as f32;
            clip.root.push(Vec3::new(time.sin(), 0.9, time));
            let turn = |joint: usize| Quat::from_rotation_x((time * 3.0 + joint as f32).sin());
            clip.rotations.extend((0..JOINTS).map(turn));
        }
        clip
    };
    (0..CLIPS).map(make).collect()
}

#[divan::bench]
fn copy_bytes(bencher: divan::Bencher) {
    let clips = clips();
    let counter = ItemsCount::new(CLIPS * FRAMES);
    bencher.counter(counter).bench(|| clips.clone());
}

#[divan::bench]
fn load_library(bencher: divan::Bencher) {
    let path: PathBuf =
        std::env::temp_dir().join(format!("afoot-bench-{}.afoot", std::process::id()));
    let mut library = Library::create(&path).expect("the temporary folder can be written");
    for clip in clips() {
        library
            .add_clip(&clip, &ClipFacts::default())
            .expect("names are unique");
    }
    let counter = ItemsCount::new(CLIPS * FRAMES);
    bencher.counter(counter).bench_local(|| library.load_all());
    drop(library);
    let _ = std::fs::remove_file(&path);
}

#[divan::bench]
fn read_text(bencher: divan::Bencher) {
    let write = |clip: &Clip| {
        write_bvh(clip, &WriteOptions::default())
            .expect("a plain clip")
            .bytes
    };
    let texts: Vec<Vec<u8>> = clips().iter().map(write).collect();
    let counter = ItemsCount::new(CLIPS * FRAMES);
    bencher.counter(counter).bench(|| {
        let read = |text: &Vec<u8>| read_bvh(text, &ReadOptions::default());
        texts.iter().map(read).collect::<Vec<_>>()
    });
}
