//! Strides of whole clips and of streams, in frames; single-threaded.
#![allow(clippy::unwrap_used, missing_docs)]

use afoot_core::Clip;
use afoot_limbs::stride::{Measure, StepWish, StrideFilter, StrideOptions, change_stride};
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

fn walk() -> Clip {
    let clips = afoot_sample::sample_library(&Default::default());
    clips.into_iter().find(|clip| clip.name == "walk").unwrap()
}

#[divan::bench]
fn stream(bencher: divan::Bencher) {
    let clip = walk();
    let frames = 3000;
    bencher
        .counter(ItemsCount::new(frames))
        .with_inputs(|| {
            let mut filter =
                StrideFilter::new(&clip.skeleton, clip.ground.unwrap(), clip.rate).unwrap();
            filter.wish(StepWish {
                stride: 1.15,
                lift: 1.5,
                incline: 0.05,
            });
            (filter, clip.rotations.clone())
        })
        .bench_local_values(|(mut filter, mut rotations)| {
            let joints = clip.joint_count();
            for frame in 0..frames {
                let at = frame % clip.len();
                let mut root = clip.root[at];
                let local = &mut rotations[at * joints..][..joints];
                filter.change(&mut root, local, clip.contacts[at]);
                divan::black_box(root);
            }
            rotations
        });
}

#[divan::bench]
fn whole_clip(bencher: divan::Bencher) {
    let clip = walk();
    let options = StrideOptions {
        stride: Measure::Factor(1.1),
        ..StrideOptions::default()
    };
    bencher
        .counter(ItemsCount::new(clip.len()))
        .bench_local(|| change_stride(&clip, &options).unwrap());
}
