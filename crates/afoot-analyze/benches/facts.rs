//! What the facts of a clip cost: items are frames. A second of library motion has 30.

use afoot_analyze::{
    ClassifyOptions, ContactOptions, GroundOptions, JudgeOptions, SourceStatistics, classify_clip,
    detect_contacts, estimate_ground, judge_clip,
};
use afoot_core::{Clip, forward_kinematics};
use afoot_sample::{SampleOptions, sample_library};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

/// The longest clip of the sample library.
fn clip() -> Clip {
    let clips = sample_library(&SampleOptions::default());
    clips
        .into_iter()
        .max_by_key(Clip::len)
        .expect("the sample library has clips")
}

fn over_frames(bencher: Bencher, measured: impl Fn(&Clip) + Sync) {
    let clip = clip();
    bencher
        .counter(ItemsCount::new(clip.len()))
        .bench(|| measured(black_box(&clip)));
}

/// What everything else starts with, for comparison.
#[divan::bench]
fn kinematics(bencher: Bencher) {
    over_frames(bencher, |clip| {
        black_box(forward_kinematics(clip));
    });
}

#[divan::bench]
fn ground(bencher: Bencher) {
    over_frames(bencher, |clip| {
        black_box(estimate_ground(clip, &GroundOptions::default()).ok());
    });
}

#[divan::bench]
fn contacts(bencher: Bencher) {
    over_frames(bencher, |clip| {
        black_box(detect_contacts(clip, &ContactOptions::default()).ok());
    });
}

#[divan::bench]
fn types(bencher: Bencher) {
    over_frames(bencher, |clip| {
        black_box(classify_clip(clip, &ClassifyOptions::default()).ok());
    });
}

#[divan::bench]
fn judge(bencher: Bencher) {
    let clip = clip();
    let source = SourceStatistics::of_clips(&[&clip]);
    over_frames(bencher, |clip| {
        let options = JudgeOptions {
            source: source.as_ref(),
            ..JudgeOptions::default()
        };
        black_box(judge_clip(clip, &options));
    });
}
