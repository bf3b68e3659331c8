//! How long the whole sample library takes to make.

fn main() {
    divan::main();
}

#[divan::bench(sample_count = 10)]
fn sample_library() -> usize {
    let clips = afoot_sample::sample_library(&afoot_sample::SampleOptions::default());
    clips.iter().map(|clip| clip.len()).sum()
}
