//! BVH reading against the crate `bvh_anim`, and how it scales over files: bytes per second, all
//! in one run. On captured clips where `AFOOT_CMU` names their folder, else on a made-up clip. `bvh_anim`
//! gives floats, we give quaternions.

use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use afoot_core::{Clip, FrameRate, Joint, JointId, Quat, Skeleton, Vec3};
use afoot_formats::{ReadOptions, WriteOptions, read_bvh, write_bvh};
use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use rayon::prelude::*;

fn main() {
    divan::main();
}

static FILES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let captured = captured_files();
    if captured.is_empty() {
        made_up_files()
    } else {
        captured
    }
});

static CLIPS: LazyLock<Vec<Clip>> = LazyLock::new(|| {
    let read = |bytes: &Vec<u8>| read_bvh(bytes, &ReadOptions::default()).expect("a sound file");
    FILES
        .iter()
        .take(20)
        .map(|bytes| read(bytes).clip)
        .collect()
});

fn captured_files() -> Vec<Vec<u8>> {
    let folder = afoot_fixtures::captured_folder();
    let entries = folder.and_then(|folder| std::fs::read_dir(folder.join("bvh")).ok());
    let entries = entries.into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.sort();
    paths
        .iter()
        .filter_map(|path| std::fs::read(path).ok())
        .collect()
}

fn made_up_files() -> Vec<Vec<u8>> {
    let joint = |index: usize| {
        let parent = index.checked_sub(1).map(JointId::from);
        Joint::new(format!("joint{index}"), parent, Vec3::new(0.0, 0.1, 0.02))
    };
    let skeleton = Skeleton::new((0..31).map(joint).collect(), Vec::new()).expect("a chain");
    let mut clip = Clip::empty("made up", Arc::new(skeleton), FrameRate::FPS_30);
    for frame in 0..2000 {
        let turn = |joint: usize| (frame as f32 * 0.01 + joint as f32).sin();
        clip.root.push(Vec3::new(turn(0), 1.0, turn(1)));
        let rotation =
            |joint| Quat::from_rotation_x(turn(joint)) * Quat::from_rotation_z(turn(joint + 1));
        clip.rotations.extend((0..31).map(rotation));
    }
    let written = write_bvh(&clip, &WriteOptions::default()).expect("a sound clip");
    vec![written.bytes; 20]
}

fn total_bytes() -> BytesCount {
    BytesCount::new(FILES.iter().map(Vec::len).sum::<usize>())
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn read_afoot(bencher: Bencher) {
    let options = ReadOptions::default();
    bencher.counter(total_bytes()).bench_local(|| {
        for bytes in FILES.iter() {
            black_box(read_bvh(black_box(bytes), &options).expect("a sound file"));
        }
    });
}

/// Files as we write them, whose longer numbers take the wide way.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn read_own_files(bencher: Bencher) {
    let write = |clip: &Clip| write_bvh(clip, &WriteOptions::default()).expect("a sound clip");
    let files: Vec<Vec<u8>> = CLIPS.iter().map(|clip| write(clip).bytes).collect();
    let bytes = BytesCount::new(files.iter().map(Vec::len).sum::<usize>());
    let options = ReadOptions::default();
    bencher.counter(bytes).bench_local(|| {
        for bytes in &files {
            black_box(read_bvh(black_box(bytes), &options).expect("a sound file"));
        }
    });
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn read_bvh_anim(bencher: Bencher) {
    bencher.counter(total_bytes()).bench_local(|| {
        for bytes in FILES.iter() {
            black_box(bvh_anim::from_bytes(black_box(bytes)).expect("a sound file"));
        }
    });
}

#[divan::bench(args = [1, 2], sample_count = 5, sample_size = 1)]
fn read_many_files(bencher: Bencher, threads: usize) {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .expect("a pool");
    let options = ReadOptions::default();
    let read = |bytes: &Vec<u8>| read_bvh(bytes, &options).expect("a sound file").clip.len();
    bencher
        .counter(total_bytes())
        .bench_local(|| pool.install(|| FILES.par_iter().map(read).sum::<usize>()));
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn write_afoot(bencher: Bencher) {
    let write = |clip: &Clip| write_bvh(clip, &WriteOptions::default()).expect("a sound clip");
    let bytes = CLIPS
        .iter()
        .map(|clip| write(clip).bytes.len())
        .sum::<usize>();
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        CLIPS.iter().for_each(|clip| drop(black_box(write(clip))));
    });
}
