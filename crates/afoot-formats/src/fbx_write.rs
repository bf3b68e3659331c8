//! Writes a clip as a binary FBX 7.4 file, which Blender, Maya, MotionBuilder and engines take.
//!
//! A file is a tree of records: a name, typed properties, records below. Joints are LimbNodes, their
//! motion linear curves of Lcl Translation and Lcl Rotation (degrees, R = Z·Y·X, unwrapped over time),
//! a key a frame. Lengths are in the options' unit (centimetres unless told otherwise), y up, which
//! the settings say. End sites are LimbNodes named `..._End`. No mesh: Blender makes an armature.

use afoot_core::{Clip, FrameId, Quat, SlidingJoint, Vec3};

use crate::error::FormatError;
use crate::euler::{Axis, three_angles, unit_quat64};
use crate::motion::{WriteOptions, Written};
use crate::scene::END_SUFFIX;
use crate::written::check_writable;

/// Ticks of FBX's clock in a second.
const TICKS: f64 = 46_186_158_000.0;
/// Numbers of objects: models, their attributes, curve nodes and curves lie apart.
const MODELS: i64 = 1_000_000;
const ATTRIBUTES: i64 = 2_000_000;
const CURVE_NODES: i64 = 3_000_000;
const CURVES: i64 = 10_000_000;
const STACK: i64 = 900_001;
const LAYER: i64 = 900_002;

/// Writes a clip as FBX.
pub fn write_fbx(clip: &Clip, options: &WriteOptions) -> Result<Written, FormatError> {
    check_writable(clip, options)?;
    let units = (1.0 / options.metres_per_unit) as f32;
    let bodies = bodies_of(clip, units);
    let tracks = tracks_of(clip, units);
    let top = [
        header(),
        settings(clip, options),
        definitions(bodies.len(), tracks.len()),
        objects(clip, &bodies, &tracks),
        connections(&bodies, &tracks),
        takes(clip),
    ];
    let mut bytes = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
    bytes.extend(7400_u32.to_le_bytes());
    top.iter().for_each(|record| record.write(&mut bytes));
    bytes.extend([0; 13]);
    bytes.extend(FOOTER);
    bytes.resize(bytes.len().next_multiple_of(16) + 4, 0);
    bytes.extend(7400_u32.to_le_bytes());
    bytes.extend([0; 120]);
    bytes.extend(END_OF_FILE);
    Ok(Written {
        bytes,
        ..Written::default()
    })
}

/// What closes every file of the format.
const FOOTER: [u8; 16] = [
    0xfa, 0xbc, 0xab, 0x09, 0xd0, 0xc8, 0xd4, 0x66, 0xb1, 0x76, 0xfb, 0x83, 0x1c, 0xf7, 0x26, 0x7e,
];
const END_OF_FILE: [u8; 16] = [
    0xf8, 0x5a, 0x8c, 0x6a, 0xde, 0xf5, 0xd9, 0x7e, 0xec, 0xe9, 0x0c, 0xe3, 0x75, 0x8f, 0x29, 0x0b,
];

/// A property of a record.
enum Value {
    Int(i32),
    Long(i64),
    Real(f64),
    Text(String),
    Longs(Vec<i64>),
    Floats(Vec<f32>),
    Ints(Vec<i32>),
}

/// A record: a name, properties, records below.
struct Record {
    name: &'static str,
    values: Vec<Value>,
    below: Vec<Record>,
}

fn record(name: &'static str, values: Vec<Value>, below: Vec<Record>) -> Record {
    Record {
        name,
        values,
        below,
    }
}

fn text(words: impl Into<String>) -> Value {
    Value::Text(words.into())
}

/// An object's name as the format has it: the name, then its class.
fn object_name(name: &str, class: &str) -> Value {
    Value::Text(format!("{name}\0\u{1}{class}"))
}

impl Record {
    fn write(&self, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend([0; 12]);
        out.push(self.name.len() as u8);
        out.extend(self.name.as_bytes());
        let values_at = out.len();
        self.values.iter().for_each(|value| value.write(out));
        let values_length = (out.len() - values_at) as u32;
        if !self.below.is_empty() {
            self.below.iter().for_each(|record| record.write(out));
            out.extend([0; 13]);
        }
        let end = out.len() as u32;
        let counts = [end, self.values.len() as u32, values_length];
        for (at, count) in counts.into_iter().enumerate() {
            out[start + 4 * at..][..4].copy_from_slice(&count.to_le_bytes());
        }
    }
}

impl Value {
    fn write(&self, out: &mut Vec<u8>) {
        let mut array = |kind: u8, count: usize, bytes: Vec<u8>| {
            out.push(kind);
            for number in [count as u32, 0, bytes.len() as u32] {
                out.extend(number.to_le_bytes());
            }
            out.extend(bytes);
        };
        match self {
            Self::Longs(values) => array(
                b'l',
                values.len(),
                values.iter().flat_map(|v| v.to_le_bytes()).collect(),
            ),
            Self::Floats(values) => array(
                b'f',
                values.len(),
                values.iter().flat_map(|v| v.to_le_bytes()).collect(),
            ),
            Self::Ints(values) => array(
                b'i',
                values.len(),
                values.iter().flat_map(|v| v.to_le_bytes()).collect(),
            ),
            Self::Int(value) => {
                out.push(b'I');
                out.extend(value.to_le_bytes());
            }
            Self::Long(value) => {
                out.push(b'L');
                out.extend(value.to_le_bytes());
            }
            Self::Real(value) => {
                out.push(b'D');
                out.extend(value.to_le_bytes());
            }
            Self::Text(words) => {
                out.push(b'S');
                out.extend((words.len() as u32).to_le_bytes());
                out.extend(words.as_bytes());
            }
        }
    }
}

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

/// A property of an object, by FBX's own names.
fn property(name: &str, kinds: [&str; 3], values: Vec<Value>) -> Record {
    let head = [name, kinds[0], kinds[1], kinds[2]].map(text);
    record("P", head.into_iter().chain(values).collect(), vec![])
}

fn settings(clip: &Clip, options: &WriteOptions) -> Record {
    let int = |name, value| property(name, ["int", "Integer", ""], vec![Value::Int(value)]);
    let real = |name, value| property(name, ["double", "Number", ""], vec![Value::Real(value)]);
    let time = |name, seconds: f64| {
        property(
            name,
            ["KTime", "Time", ""],
            vec![Value::Long(ticks(seconds))],
        )
    };
    let centimetres = options.metres_per_unit * 100.0;
    record(
        "GlobalSettings",
        vec![],
        vec![
            record("Version", vec![Value::Int(1000)], vec![]),
            record(
                "Properties70",
                vec![],
                vec![
                    int("UpAxis", 1),
                    int("UpAxisSign", 1),
                    int("FrontAxis", 2),
                    int("FrontAxisSign", 1),
                    int("CoordAxis", 0),
                    int("CoordAxisSign", 1),
                    int("OriginalUpAxis", 1),
                    int("OriginalUpAxisSign", 1),
                    real("UnitScaleFactor", centimetres),
                    real("OriginalUnitScaleFactor", centimetres),
                    // A rate of its own: programs that know only a few take it as it is.
                    property("TimeMode", ["enum", "", ""], vec![Value::Int(14)]),
                    property(
                        "CustomFrameRate",
                        ["double", "Number", ""],
                        vec![Value::Real(clip.rate.fps())],
                    ),
                    time("TimeSpanStart", 0.0),
                    time("TimeSpanStop", last_time(clip)),
                ],
            ),
        ],
    )
}

fn definitions(bodies: usize, tracks: usize) -> Record {
    let kinds = [
        ("GlobalSettings", 1),
        ("Model", bodies),
        ("NodeAttribute", bodies),
        ("AnimationStack", 1),
        ("AnimationLayer", 1),
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

/// A node of the file.
struct Body {
    name: String,
    parent: Option<usize>,
    /// In the file's unit.
    place: Vec3,
    rest: Quat,
}

/// Joints, then end sites.
fn bodies_of(clip: &Clip, units: f32) -> Vec<Body> {
    let skeleton = &clip.skeleton;
    let joint = |(index, joint): (usize, &afoot_core::Joint)| Body {
        name: joint.name.clone(),
        parent: joint.parent.map(|parent| parent.index()),
        place: units
            * match index {
                0 => clip.root.first().copied().unwrap_or(joint.offset),
                _ => joint.offset,
            },
        rest: joint.rest,
    };
    let mut bodies: Vec<Body> = skeleton.joints().iter().enumerate().map(joint).collect();
    for (index, site) in skeleton.end_sites().iter().enumerate() {
        let earlier = &skeleton.end_sites()[..index];
        let number = earlier
            .iter()
            .filter(|other| other.parent == site.parent)
            .count();
        let number = if number == 0 {
            String::new()
        } else {
            format!("{}", number + 1)
        };
        bodies.push(Body {
            name: format!("{}{END_SUFFIX}{number}", skeleton.joint(site.parent).name),
            parent: Some(site.parent.index()),
            place: units * site.offset,
            rest: Quat::IDENTITY,
        });
    }
    bodies
}

/// Three curves of a joint.
struct Track {
    joint: usize,
    /// `T` or `R`.
    kind: &'static str,
    curves: [Vec<f32>; 3],
}

fn tracks_of(clip: &Clip, units: f32) -> Vec<Track> {
    let places =
        |points: &[Vec3]| [0, 1, 2].map(|axis| points.iter().map(|p| p[axis] * units).collect());
    let mut tracks = vec![Track {
        joint: 0,
        kind: "T",
        curves: places(&clip.root),
    }];
    let sliding = |sliding: &SlidingJoint| Track {
        joint: sliding.joint.index(),
        kind: "T",
        curves: places(&sliding.offsets),
    };
    tracks.extend(clip.sliding.iter().map(sliding));
    tracks.extend((0..clip.joint_count()).map(|joint| Track {
        joint,
        kind: "R",
        curves: angle_curves(clip, joint),
    }));
    tracks.retain(|track| !track.curves[0].is_empty());
    tracks
}

/// A joint's angles about x, y and z over time. [degrees]
fn angle_curves(clip: &Clip, joint: usize) -> [Vec<f32>; 3] {
    let mut curves = [Vec::new(), Vec::new(), Vec::new()];
    let mut before = [0.0; 3];
    for frame in 0..clip.len() {
        let turn = clip.frame_rotations(FrameId::from(frame))[joint];
        before = three_angles(unit_quat64(turn), [Axis::Z, Axis::Y, Axis::X], before);
        for (curve, angle) in curves.iter_mut().zip(before.iter().rev()) {
            curve.push(angle.to_degrees() as f32);
        }
    }
    curves
}

fn objects(clip: &Clip, bodies: &[Body], tracks: &[Track]) -> Record {
    let mut below: Vec<Record> = Vec::new();
    for (index, body) in bodies.iter().enumerate() {
        below.push(record(
            "NodeAttribute",
            vec![
                Value::Long(ATTRIBUTES + index as i64),
                object_name(&body.name, "NodeAttribute"),
                text("LimbNode"),
            ],
            vec![record("TypeFlags", vec![text("Skeleton")], vec![])],
        ));
        below.push(model(index, body));
    }
    let name = if clip.name.is_empty() {
        "Take 001"
    } else {
        &clip.name
    };
    let time = |name, seconds| {
        property(
            name,
            ["KTime", "Time", ""],
            vec![Value::Long(ticks(seconds))],
        )
    };
    below.push(record(
        "AnimationStack",
        vec![Value::Long(STACK), object_name(name, "AnimStack"), text("")],
        vec![record(
            "Properties70",
            vec![],
            vec![
                time("LocalStart", 0.0),
                time("LocalStop", last_time(clip)),
                time("ReferenceStart", 0.0),
                time("ReferenceStop", last_time(clip)),
            ],
        )],
    ));
    below.push(record(
        "AnimationLayer",
        vec![
            Value::Long(LAYER),
            object_name("BaseLayer", "AnimLayer"),
            text(""),
        ],
        vec![],
    ));
    let times: Vec<i64> = (0..clip.len())
        .map(|frame| ticks(frame as f64 * clip.rate.frame_time()))
        .collect();
    for (index, track) in tracks.iter().enumerate() {
        let axis = |(axis, curve): (&str, &Vec<f32>)| {
            let start = f64::from(curve[0]);
            property(
                &format!("d|{axis}"),
                ["Number", "", "A"],
                vec![Value::Real(start)],
            )
        };
        let defaults = ["X", "Y", "Z"]
            .into_iter()
            .zip(&track.curves)
            .map(axis)
            .collect();
        below.push(record(
            "AnimationCurveNode",
            vec![
                Value::Long(CURVE_NODES + index as i64),
                object_name(track.kind, "AnimCurveNode"),
                text(""),
            ],
            vec![record("Properties70", vec![], defaults)],
        ));
        for (axis, curve) in track.curves.iter().enumerate() {
            below.push(curve_record(
                CURVES + 3 * index as i64 + axis as i64,
                &times,
                curve,
            ));
        }
    }
    record("Objects", vec![], below)
}

fn model(index: usize, body: &Body) -> Record {
    let vector = |name, v: [f64; 3]| property(name, [name, "", "A"], v.map(Value::Real).into());
    let place = body.place.to_array().map(f64::from);
    let [z, y, x] = three_angles(
        unit_quat64(body.rest),
        [Axis::Z, Axis::Y, Axis::X],
        [0.0; 3],
    );
    let below = vec![
        record("Version", vec![Value::Int(232)], vec![]),
        record(
            "Properties70",
            vec![],
            vec![
                property("InheritType", ["enum", "", ""], vec![Value::Int(1)]),
                vector("Lcl Translation", place),
                vector("Lcl Rotation", [x, y, z].map(f64::to_degrees)),
                vector("Lcl Scaling", [1.0; 3]),
            ],
        ),
    ];
    let values = vec![
        Value::Long(MODELS + index as i64),
        object_name(&body.name, "Model"),
        text("LimbNode"),
    ];
    record("Model", values, below)
}

fn curve_record(id: i64, times: &[i64], values: &[f32]) -> Record {
    let default = f64::from(values.first().copied().unwrap_or(0.0));
    record(
        "AnimationCurve",
        vec![Value::Long(id), object_name("", "AnimCurve"), text("")],
        vec![
            record("Default", vec![Value::Real(default)], vec![]),
            record("KeyVer", vec![Value::Int(4009)], vec![]),
            record("KeyTime", vec![Value::Longs(times.to_vec())], vec![]),
            record(
                "KeyValueFloat",
                vec![Value::Floats(values.to_vec())],
                vec![],
            ),
            // One set of attributes for all keys: linear.
            record("KeyAttrFlags", vec![Value::Ints(vec![4])], vec![]),
            record(
                "KeyAttrDataFloat",
                vec![Value::Floats(vec![0.0; 4])],
                vec![],
            ),
            record(
                "KeyAttrRefCount",
                vec![Value::Ints(vec![values.len() as i32])],
                vec![],
            ),
        ],
    )
}

fn connections(bodies: &[Body], tracks: &[Track]) -> Record {
    let join = |from: i64, to: i64| {
        record(
            "C",
            vec![text("OO"), Value::Long(from), Value::Long(to)],
            vec![],
        )
    };
    let property = |from: i64, to: i64, name: &str| {
        record(
            "C",
            vec![text("OP"), Value::Long(from), Value::Long(to), text(name)],
            vec![],
        )
    };
    let mut below = vec![join(LAYER, STACK)];
    for (index, body) in bodies.iter().enumerate() {
        let id = index as i64;
        below.push(join(
            MODELS + id,
            body.parent.map_or(0, |parent| MODELS + parent as i64),
        ));
        below.push(join(ATTRIBUTES + id, MODELS + id));
    }
    for (index, track) in tracks.iter().enumerate() {
        let node = CURVE_NODES + index as i64;
        let name = if track.kind == "T" {
            "Lcl Translation"
        } else {
            "Lcl Rotation"
        };
        below.push(join(node, LAYER));
        below.push(property(node, MODELS + track.joint as i64, name));
        for (axis, name) in ["d|X", "d|Y", "d|Z"].into_iter().enumerate() {
            below.push(property(
                CURVES + 3 * index as i64 + axis as i64,
                node,
                name,
            ));
        }
    }
    record("Connections", vec![], below)
}

fn takes(clip: &Clip) -> Record {
    let name = if clip.name.is_empty() {
        "Take 001"
    } else {
        &clip.name
    };
    let span = || vec![Value::Long(0), Value::Long(ticks(last_time(clip)))];
    record(
        "Takes",
        vec![],
        vec![
            record("Current", vec![text(name)], vec![]),
            record(
                "Take",
                vec![text(name)],
                vec![
                    record("FileName", vec![text("Take.tak")], vec![]),
                    record("LocalTime", span(), vec![]),
                    record("ReferenceTime", span(), vec![]),
                ],
            ),
        ],
    )
}

fn last_time(clip: &Clip) -> f64 {
    clip.len().saturating_sub(1) as f64 * clip.rate.frame_time()
}

fn ticks(seconds: f64) -> i64 {
    (seconds * TICKS).round() as i64
}
