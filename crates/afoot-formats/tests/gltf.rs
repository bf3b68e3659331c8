//! glTF as others see it: round trips, others' hierarchies, broken files.

#![allow(clippy::unwrap_used)] // a test fails by panicking

mod support;

use std::sync::Arc;

use afoot_core::{
    Clip, EndSite, FrameId, FrameRate, Joint, JointId, Pose, Quat, Skeleton, SlidingJoint, Vec3,
    forward_kinematics,
};
use afoot_formats::{ReadOptions, read_gltf, write_glb};
use serde_json::{Value, json};

/// A root with a bent leg and a head, three end sites, moving for 20 frames at 60 fps.
fn small_clip() -> Clip {
    let joint = |name: &str, parent: Option<u16>, offset: Vec3| {
        Joint::new(name, parent.map(JointId), offset)
    };
    let joints = vec![
        joint("Hips", None, Vec3::ZERO),
        joint("LeftUpLeg", Some(0), Vec3::new(0.1, -0.05, 0.0)),
        joint("LeftLeg", Some(1), Vec3::new(0.0, -0.4, 0.0)),
        joint("Head", Some(0), Vec3::new(0.0, 0.6, 0.0)),
    ];
    let end = |parent: u16, offset: Vec3| EndSite {
        parent: JointId(parent),
        offset,
    };
    let ends = vec![
        end(2, Vec3::new(0.0, -0.4, 0.1)),
        end(3, Vec3::new(0.0, 0.2, 0.0)),
        end(3, Vec3::new(0.1, 0.1, 0.0)),
    ];
    let skeleton = Arc::new(Skeleton::new(joints, ends).unwrap());
    let mut clip = Clip::empty("walk", skeleton, FrameRate::new(60, 1).unwrap());
    for frame in 0..20 {
        let t = frame as f32 * 0.1;
        clip.push_pose(&Pose {
            root: Vec3::new(t, 0.9 + 0.1 * t.sin(), -t),
            rotations: vec![
                Quat::from_rotation_y(3.0 * t),
                Quat::from_rotation_x(t.cos()),
                Quat::from_rotation_x(0.5 - t),
                Quat::from_rotation_z(t),
            ],
        });
    }
    clip
}

fn nothing_beside(_: &str) -> Result<Vec<u8>, String> {
    Err("no such file".into())
}

fn read(bytes: &[u8]) -> Result<Clip, String> {
    let read = read_gltf(bytes, &ReadOptions::default(), &nothing_beside);
    read.map(|motion| motion.clip)
        .map_err(|error| error.to_string())
}

/// The largest distance between points of the same joints in two clips.
fn farthest(a: &Clip, b: &Clip) -> f32 {
    let (a, b) = (forward_kinematics(a), forward_kinematics(b));
    assert_eq!(
        a.as_slice().len(),
        b.as_slice().len(),
        "same joints, end sites and frames"
    );
    a.as_slice()
        .iter()
        .zip(b.as_slice())
        .map(|(a, b)| a.distance(*b))
        .fold(0.0, f32::max)
}

#[test]
fn a_clip_comes_back_as_it_was_written() {
    let clip = small_clip();
    let back = read(&write_glb(&clip)).unwrap();
    assert_eq!(
        (back.len(), back.rate, back.name.as_str()),
        (20, clip.rate, "walk")
    );
    assert!(
        back.skeleton.same_shape(&clip.skeleton),
        "{:?}",
        back.skeleton
    );
    assert!(farthest(&clip, &back) < 1e-5);
}

#[test]
fn sliding_joints_and_rest_rotations_survive() {
    let mut clip = small_clip();
    let mut joints = clip.skeleton.joints().to_vec();
    joints[1].rest = Quat::from_rotation_x(0.3);
    clip.skeleton = Arc::new(Skeleton::new(joints, clip.skeleton.end_sites().to_vec()).unwrap());
    let offsets = (0..20)
        .map(|frame| Vec3::new(0.0, -0.4, 0.01 * frame as f32))
        .collect();
    clip.sliding.push(SlidingJoint {
        joint: JointId(2),
        offsets,
    });
    let back = read(&write_glb(&clip)).unwrap();
    assert_eq!(back.sliding.len(), 1);
    let pairs = back.sliding[0].offsets.iter().zip(&clip.sliding[0].offsets);
    assert!(pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max) < 1e-6);
    assert!(
        (back.skeleton.joints()[1]
            .rest
            .dot(clip.skeleton.joints()[1].rest))
        .abs()
            > 0.999_999
    );
    assert!(farthest(&clip, &back) < 1e-5);
}

#[test]
fn an_empty_clip_is_a_standing_figure() {
    let mut clip = small_clip();
    clip.root.clear();
    clip.rotations.clear();
    let back = read(&write_glb(&clip)).unwrap();
    assert_eq!(back.len(), 1, "without an animation there is the rest pose");
}

/// A document as text with its one buffer in a data URI.
fn document(extra: Value, floats: &[f32]) -> Vec<u8> {
    let bytes: Vec<u8> = floats
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let number = group
            .iter()
            .fold(0u32, |sum, byte| sum << 8 | u32::from(*byte));
        let number = number << (8 * (3 - group.len()));
        for digit in 0..=group.len() {
            text.push(DIGITS[(number >> (18 - 6 * digit)) as usize & 63] as char);
        }
    }
    let mut document = json!({
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": bytes.len(), "uri": format!("data:application/octet-stream;base64,{text}")}],
        "bufferViews": [{"buffer": 0, "byteLength": bytes.len()}],
    });
    let (Value::Object(target), Value::Object(more)) = (&mut document, extra) else {
        panic!("documents are objects")
    };
    target.extend(more);
    serde_json::to_vec(&document).unwrap()
}

/// An armature turned and scaled as exporters of centimetre rigs do, uneven keys, a skin-less tree.
#[test]
fn what_lies_above_the_root_is_baked_in() {
    let times = [0.0, 0.5, 0.6, 1.0];
    let heights = [100.0, 150.0, 160.0, 200.0].map(|z| [0.0, 0.0, z]).concat();
    let floats = [times.to_vec(), heights].concat();
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let text = document(
        json!({
            "nodes": [
                {"name": "Armature", "rotation": [-half, 0, 0, half], "scale": [0.01, 0.01, 0.01], "children": [1]},
                {"name": "hips", "children": [2]},
                {"name": "thigh", "translation": [10, 0, -20]},
            ],
            "accessors": [
                {"bufferView": 0, "componentType": 5126, "count": 4, "type": "SCALAR", "max": [1], "min": [0]},
                {"bufferView": 0, "byteOffset": 16, "componentType": 5126, "count": 4, "type": "VEC3"},
            ],
            "animations": [{"samplers": [{"input": 0, "output": 1}],
                "channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}}]}],
        }),
        &floats,
    );
    let clip = read(&text).unwrap();
    assert!((clip.seconds() - 1.0).abs() < 0.5 / clip.rate.fps() + 1.0 / clip.rate.fps());
    let points = forward_kinematics(&clip);
    let first = points.frame(FrameId(0));
    assert!(
        first[0].distance(Vec3::new(0.0, 1.0, 0.0)) < 1e-5,
        "z up in cm is y up in m: {first:?}"
    );
    assert!(
        first[1].distance(Vec3::new(0.1, 0.8, 0.0)) < 1e-5,
        "{first:?}"
    );
    let middle = clip.root[(0.5 * clip.rate.fps()) as usize];
    assert!((middle.y - 1.5).abs() < 0.02, "{middle}");
}

/// A root that rises by 1 m a key, of which all heights but one are left out of the buffer's array.
fn sparse(base: Value, indices: Value, count: usize) -> Vec<u8> {
    let times = [0.0, 1.0, 2.0, 3.0];
    let rise = [1.0, 9.0, 9.0, 4.0].map(|y| [0.0, y, 0.0]).concat();
    let changes = [2.0, 3.0].map(|y| [0.0, y, 0.0]).concat();
    // Indices 1 and 2 as 16-bit numbers.
    let places = f32::from_bits(0x0002_0001);
    let floats = [times.to_vec(), rise, changes, vec![places]].concat();
    let mut output = json!({"componentType": 5126, "count": 4, "type": "VEC3",
        "sparse": {"count": count, "indices": indices, "values": {"bufferView": 0, "byteOffset": 64}}});
    output
        .as_object_mut()
        .unwrap()
        .extend(base.as_object().unwrap().clone());
    document(
        json!({
            "nodes": [{"name": "hips", "children": [1]}, {"name": "chest", "translation": [0, 1, 0]}],
            "accessors": [
                {"bufferView": 0, "componentType": 5126, "count": 4, "type": "SCALAR", "max": [3], "min": [0]},
                output,
            ],
            "animations": [{"samplers": [{"input": 0, "output": 1}],
                "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}],
        }),
        &floats,
    )
}

#[test]
fn sparse_accessors_are_filled_in() {
    let base = json!({"bufferView": 0, "byteOffset": 16});
    let shorts = json!({"bufferView": 0, "byteOffset": 88, "componentType": 5123});
    let heights = |bytes: &[u8]| -> Vec<f32> {
        let clip = read(bytes).unwrap();
        let second = clip.rate.fps() as usize;
        (0..4).map(|s| clip.root[s * second].y).collect()
    };
    assert_eq!(
        heights(&sparse(base.clone(), shorts.clone(), 2)),
        [1.0, 2.0, 3.0, 4.0]
    );
    assert_eq!(
        heights(&sparse(base.clone(), shorts.clone(), 0)),
        [1.0, 9.0, 9.0, 4.0]
    );
    // Without a buffer view all that is not said is zero.
    assert_eq!(
        heights(&sparse(json!({}), shorts.clone(), 2)),
        [0.0, 2.0, 3.0, 0.0]
    );

    let refused = |bytes: &[u8], words: &str| {
        let message = read(bytes).unwrap_err();
        assert!(
            message.contains(words),
            "{message:?} should tell of {words:?}"
        );
    };
    let bytes = json!({"bufferView": 0, "byteOffset": 22, "componentType": 5121});
    refused(
        &sparse(base.clone(), bytes, 2),
        "sparse indices below 4 in accessor 1",
    );
    refused(
        &sparse(
            base.clone(),
            json!({"bufferView": 0, "componentType": 5126}),
            2,
        ),
        "5126",
    );
    refused(
        &sparse(base.clone(), shorts.clone(), 3),
        "end of its buffer",
    );
    refused(
        &sparse(base, json!({"componentType": 5123}), 2),
        "a buffer view",
    );
    refused(
        &sparse(json!({"count": 1_u64 << 60}), shorts, 2),
        "fewer elements in accessor 1",
    );
}

#[test]
fn broken_files_give_one_clear_error_each() {
    let good = write_glb(&small_clip());
    let json_length = u32::from_le_bytes(good[12..16].try_into().unwrap()) as usize;
    let json = String::from_utf8(good[20..20 + json_length].to_vec()).unwrap();
    let with = |from: &str, to: &str| {
        let changed = json.replacen(from, to, 1);
        assert_ne!(changed, json, "{from} is in the document");
        let mut bytes = good[..12].to_vec();
        bytes.extend((changed.len() as u32).to_le_bytes());
        bytes.extend(b"JSON");
        bytes.extend(changed.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(4), b' ');
        bytes.extend(&good[20 + json_length..]);
        bytes
    };
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (b"glTF".to_vec(), "version 2 of the binary container"),
        (good[..good.len() / 2].to_vec(), "cut off"),
        (b"{}".to_vec(), "glTF version 2"),
        (b"{\"asset\": 3}".to_vec(), "glTF document"),
        (
            with("\"version\":\"2.0\"", "\"version\":\"1.0\""),
            "glTF version 2",
        ),
        (with("\"children\":[1,3]", "\"children\":[0,3]"), "cycle"),
        (
            with("\"children\":[1,3]", "\"children\":[2,3]"),
            "one parent per node",
        ),
        (
            with("\"children\":[1,3]", "\"children\":[1,99]"),
            "children that are nodes",
        ),
        (
            with("\"joints\":[0,", "\"joints\":[77,"),
            "joints that are nodes",
        ),
        (
            with(
                "\"interpolation\":\"LINEAR\"",
                "\"interpolation\":\"MAGIC\"",
            ),
            "STEP, LINEAR",
        ),
        (
            with("\"count\":20", "\"count\":99999999999"),
            "end of its buffer",
        ),
        (with("\"count\":20", "\"count\":19"), "values for 19 keys"),
    ];
    for (bytes, expected) in cases {
        let message = read(&bytes).expect_err(expected);
        assert!(
            message.contains(expected),
            "{message:?} should tell of {expected:?}"
        );
    }
}

/// Bytes of a good file, changed at random: an answer, never a panic.
#[test]
fn mutated_files_never_panic() {
    let good = write_glb(&small_clip());
    let mut random = support::random::Random::new(1);
    let mut read_well = 0;
    for _ in 0..20_000 {
        let mut bytes = good.clone();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => bytes[at] = random.below(256) as u8,
                1 => bytes.truncate(at.max(1)),
                _ => bytes[at] ^= 1 << random.below(8),
            }
        }
        if let Ok(clip) = read(&bytes) {
            clip.check().expect("what is read is whole");
            read_well += 1;
        }
    }
    assert!(
        read_well > 100,
        "most changes hit numbers only: {read_well}"
    );
}
