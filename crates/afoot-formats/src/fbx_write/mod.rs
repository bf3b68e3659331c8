//! Writes clips as a binary FBX 7.4 file, which Blender, Maya, MotionBuilder and engines take.
//!
//! A file is a tree of records: a name, typed properties, records below. Joints are LimbNodes, their
//! motion linear curves of Lcl Translation and Lcl Rotation (degrees, R = Z·Y·X, unwrapped over time),
//! a key a frame; several clips on one skeleton are several takes. Lengths are in the options' unit
//! (centimetres unless told otherwise), y up, which the settings say. End sites are LimbNodes named
//! `..._End`. No mesh: Blender makes an armature.

mod animation;
mod record;
mod scene;

use afoot_core::Clip;

use self::animation::{Take, join, take_list, takes_of};
use self::record::{Record, Value, record, text};
use self::scene::{Body, bodies_of, models, settings};
use crate::error::{FormatError, Problem};
use crate::motion::{WriteOptions, Written};
use crate::written::check_writable;

/// Numbers of objects: each kind lies apart.
const STACKS: i64 = 100_000;
const LAYERS: i64 = 200_000;
const MODELS: i64 = 1_000_000;
const ATTRIBUTES: i64 = 2_000_000;
const CURVE_NODES: i64 = 10_000_000;
const CURVES: i64 = 1_000_000_000;

/// Writes a clip as FBX.
pub fn write_fbx(clip: &Clip, options: &WriteOptions) -> Result<Written, FormatError> {
    write_fbx_takes(std::slice::from_ref(clip), options)
}

/// Writes clips on one skeleton, at least one, as the takes of one FBX file.
pub fn write_fbx_takes(clips: &[Clip], options: &WriteOptions) -> Result<Written, FormatError> {
    for clip in clips {
        check_writable(clip, options)?;
    }
    let one_skeleton = clips
        .windows(2)
        .all(|pair| pair[0].skeleton == pair[1].skeleton);
    let Some(first) = clips.first().filter(|_| one_skeleton) else {
        let words = "the takes of one file need one skeleton, and there must be one";
        return Err(FormatError::new(Problem::Unsupported(words.into())));
    };
    let units = (1.0 / options.metres_per_unit) as f32;
    let bodies = bodies_of(first, units);
    let takes = takes_of(clips, units);
    let top = [
        header(),
        settings(clips, options),
        definitions(&bodies, &takes),
        objects(&bodies, &takes),
        connections(&bodies, &takes),
        take_list(&takes),
    ];
    Ok(Written {
        bytes: file_of(&top),
        ..Written::default()
    })
}

fn file_of(records: &[Record]) -> Vec<u8> {
    let mut bytes = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
    bytes.extend(7400_u32.to_le_bytes());
    records.iter().for_each(|record| record.write(&mut bytes));
    bytes.extend([0; 13]);
    bytes.extend(FOOTER);
    bytes.resize(bytes.len().next_multiple_of(16) + 4, 0);
    bytes.extend(7400_u32.to_le_bytes());
    bytes.extend([0; 120]);
    bytes.extend(END_OF_FILE);
    bytes
}

/// What closes every file of the format.
const FOOTER: [u8; 16] = [
    0xfa, 0xbc, 0xab, 0x09, 0xd0, 0xc8, 0xd4, 0x66, 0xb1, 0x76, 0xfb, 0x83, 0x1c, 0xf7, 0x26, 0x7e,
];
const END_OF_FILE: [u8; 16] = [
    0xf8, 0x5a, 0x8c, 0x6a, 0xde, 0xf5, 0xd9, 0x7e, 0xec, 0xe9, 0x0c, 0xe3, 0x75, 0x8f, 0x29, 0x0b,
];

fn header() -> Record {
    record(
        "FBXHeaderExtension",
        vec![],
        vec![
            record("FBXHeaderVersion", vec![Value::Int(1003)], vec![]),
            record("FBXVersion", vec![Value::Int(7400)], vec![]),
            record("Creator", vec![text("Afoot")], vec![]),
        ],
    )
}

fn definitions(bodies: &[Body], takes: &[Take]) -> Record {
    let tracks = takes.iter().map(|take| take.tracks.len()).sum::<usize>();
    let kinds = [
        ("GlobalSettings", 1),
        ("Model", bodies.len()),
        ("NodeAttribute", bodies.len()),
        ("AnimationStack", takes.len()),
        ("AnimationLayer", takes.len()),
        ("AnimationCurveNode", tracks),
        ("AnimationCurve", 3 * tracks),
    ];
    let total = kinds.iter().map(|(_, count)| *count as i32).sum();
    let kind = |(name, count): &(&str, usize)| {
        let count = record("Count", vec![Value::Int(*count as i32)], vec![]);
        record("ObjectType", vec![text(*name)], vec![count])
    };
    let mut below = vec![
        record("Version", vec![Value::Int(100)], vec![]),
        record("Count", vec![Value::Int(total)], vec![]),
    ];
    below.extend(kinds.iter().map(kind));
    record("Definitions", vec![], below)
}

fn objects(bodies: &[Body], takes: &[Take]) -> Record {
    let mut below = models(bodies);
    below.extend(takes.iter().flat_map(Take::objects));
    record("Objects", vec![], below)
}

fn connections(bodies: &[Body], takes: &[Take]) -> Record {
    let mut below = Vec::new();
    for (body, id) in bodies.iter().zip(0_i64..) {
        let parent = body.parent.map_or(0, |parent| MODELS + parent as i64);
        below.push(join(MODELS + id, parent));
        below.push(join(ATTRIBUTES + id, MODELS + id));
    }
    below.extend(takes.iter().flat_map(Take::connections));
    record("Connections", vec![], below)
}
