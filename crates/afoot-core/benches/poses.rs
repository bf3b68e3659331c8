//! Poses per second on one core: sampled from two clips, blended and placed; and whole clips
//! placed.
//!
//! `cargo bench -p afoot-core --bench poses`. The bars: 600,000 poses/s for 31 joints, at least the
//! 0.50-0.59 M of ozz-animation (SIMD C++) for the same work on the same machine. The scalar ones
//! are there for the ratio in the same run.

use std::sync::Arc;

use afoot_core::{
    Clip, EndSite, FrameRate, Joint, JointId, LANES, Lanes, Moment, PlacedBatch, PoseBatch, Quat,
    Skeleton, Vec3, blend_poses, forward_kinematics, pose_kinematics, sample_pose,
};
use divan::{Bencher, black_box, counter::ItemsCount};

fn main() {
    divan::main();
}

const JOINTS: usize = 31;
const FRAMES: usize = 600;
const BATCHES: usize = 64;

/// 31 joints and 7 end sites, as CMU's skeleton has.
fn skeleton() -> Skeleton {
    let parents = [
        0, 0, 1, 2, 3, 4, 0, 6, 7, 8, 9, 0, 11, 12, 13, 14, 15, 13, 17, 18, 19, 20, 21, 20, 13, 24,
        25, 26, 27, 28, 27,
    ];
    let joint = |index: usize| {
        let parent = (index > 0).then(|| JointId(parents[index]));
        Joint::new(format!("joint{index}"), parent, Vec3::new(0.1, 0.2, 0.05))
    };
    let site = |parent| EndSite {
        parent: JointId(parent),
        offset: Vec3::Y * 0.1,
    };
    let sites = [5, 10, 16, 22, 23, 29, 30].map(site).to_vec();
    Skeleton::new((0..JOINTS).map(joint).collect(), sites).expect("parents come first")
}

fn clip(skeleton: &Arc<Skeleton>, seed: f32) -> Clip {
    let mut clip = Clip::empty("bench", skeleton.clone(), FrameRate::FPS_30);
    for frame in 0..FRAMES {
        let t = frame as f32 / 30.0;
        clip.root.push(Vec3::new(t.sin(), 1.0, t));
        clip.rotations.extend((0..JOINTS).map(|joint| {
            let angle = (2.0 * t + seed + joint as f32).sin();
            Quat::from_rotation_x(angle) * Quat::from_rotation_z(0.5 * angle * seed)
        }));
    }
    clip
}

struct Scene {
    clips: [Clip; 2],
    /// Times for each clip, and the weight of the second.
    poses: Vec<(f64, f64, f32)>,
}

/// Times between frames, spread over the clips in an order that looks random.
fn scene() -> Scene {
    let skeleton = Arc::new(skeleton());
    let seconds =
        |index: usize, step: f64| (index as f64 * step).fract() * (FRAMES - 1) as f64 / 30.0;
    let pose = |index: usize| {
        let weight = (index as f64 * 0.414_213).fract() as f32;
        (seconds(index, 0.618_034), seconds(index, 0.732_051), weight)
    };
    Scene {
        clips: [clip(&skeleton, 0.3), clip(&skeleton, 1.7)],
        poses: (0..BATCHES * LANES).map(pose).collect(),
    }
}

#[divan::bench]
fn sample_two_blend_place_in_batches(bencher: Bencher) {
    let Scene {
        clips: [a, b],
        poses,
    } = scene();
    let (mut first, mut second, mut placed) = (
        PoseBatch::default(),
        PoseBatch::default(),
        PlacedBatch::default(),
    );
    bencher
        .counter(ItemsCount::new(poses.len()))
        .bench_local(|| {
            for lanes in poses.chunks_exact(LANES) {
                let at_a: [Moment; LANES] = std::array::from_fn(|lane| Moment {
                    clip: &a,
                    seconds: lanes[lane].0,
                });
                let at_b: [Moment; LANES] = std::array::from_fn(|lane| Moment {
                    clip: &b,
                    seconds: lanes[lane].1,
                });
                first.sample(&at_a);
                second.sample(&at_b);
                first.blend(&second, Lanes(std::array::from_fn(|lane| lanes[lane].2)));
                placed.place(&a.skeleton, &first);
                black_box(&placed);
            }
        });
}

#[divan::bench]
fn sample_two_blend_place_one_by_one(bencher: Bencher) {
    let Scene {
        clips: [a, b],
        poses,
    } = scene();
    bencher
        .counter(ItemsCount::new(poses.len()))
        .bench_local(|| {
            for (at_a, at_b, weight) in &poses {
                let blended =
                    blend_poses(&sample_pose(&a, *at_a), &sample_pose(&b, *at_b), *weight);
                black_box(pose_kinematics(
                    &a.skeleton,
                    blended.root,
                    &blended.rotations,
                ));
            }
        });
}

#[divan::bench]
fn place_whole_clip(bencher: Bencher) {
    let clip = clip(&Arc::new(skeleton()), 0.3);
    bencher
        .counter(ItemsCount::new(clip.len()))
        .bench_local(|| forward_kinematics(black_box(&clip)));
}

#[divan::bench]
fn place_whole_clip_one_by_one(bencher: Bencher) {
    let clip = clip(&Arc::new(skeleton()), 0.3);
    bencher
        .counter(ItemsCount::new(clip.len()))
        .bench_local(|| {
            for (root, local) in clip.root.iter().zip(clip.rotations.chunks_exact(JOINTS)) {
                black_box(pose_kinematics(&clip.skeleton, *root, local));
            }
        });
}
