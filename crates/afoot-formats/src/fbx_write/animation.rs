//! The motion in an FBX file: a stack and a layer a take, three curves a track.

use afoot_core::{Clip, FrameId, SlidingJoint, Vec3};

use super::record::{Record, Value, object_name, property, record, text};
use super::{CURVE_NODES, CURVES, LAYERS, MODELS, STACKS};
use crate::euler::{Axis, three_angles, unit_quat64};

/// Ticks of FBX's clock in a second.
const TICKS: f64 = 46_186_158_000.0;

/// A take: its name, its keys' times, its tracks, and how many tracks come before it in the file.
pub struct Take {
    name: String,
    /// Its place among the takes.
    number: i64,
    end: f64,
    times: Vec<i64>,
    pub tracks: Vec<Track>,
    tracks_before: i64,
}

/// The takes of clips on one skeleton.
pub fn takes_of(clips: &[Clip], units: f32) -> Vec<Take> {
    let mut before = 0;
    let mut takes = Vec::new();
    for (number, clip) in clips.iter().enumerate() {
        let time = |frame: usize| ticks(frame as f64 * clip.rate.frame_time());
        let named = (!clip.name.is_empty()).then(|| clip.name.clone());
        takes.push(Take {
            name: named.unwrap_or_else(|| format!("Take {:03}", number + 1)),
            number: number as i64,
            end: last_time(clip),
            times: (0..clip.len()).map(time).collect(),
            tracks: tracks_of(clip, units),
            tracks_before: before,
        });
        before += takes[number].tracks.len() as i64;
    }
    takes
}

/// Three curves of a joint.
pub struct Track {
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

impl Take {
    /// Stack, layer, curve nodes and curves.
    pub fn objects(&self) -> Vec<Record> {
        let time = |name, seconds| {
            let ticks = vec![Value::Long(ticks(seconds))];
            property(name, ["KTime", "Time", ""], ticks)
        };
        let span = vec![
            time("LocalStart", 0.0),
            time("LocalStop", self.end),
            time("ReferenceStart", 0.0),
            time("ReferenceStop", self.end),
        ];
        let stack = vec![
            Value::Long(STACKS + self.number),
            object_name(&self.name, "AnimStack"),
            text(""),
        ];
        let layer = vec![
            Value::Long(LAYERS + self.number),
            object_name("BaseLayer", "AnimLayer"),
            text(""),
        ];
        let mut records = vec![
            record(
                "AnimationStack",
                stack,
                vec![record("Properties70", vec![], span)],
            ),
            record("AnimationLayer", layer, vec![]),
        ];
        for (track, id) in self.tracks.iter().zip(self.tracks_before..) {
            records.push(curve_node(CURVE_NODES + id, track));
            for (axis, curve) in track.curves.iter().enumerate() {
                let id = CURVES + 3 * id + axis as i64;
                records.push(curve_record(id, &self.times, curve));
            }
        }
        records
    }

    /// What its objects belong to.
    pub fn connections(&self) -> Vec<Record> {
        let mut records = vec![join(LAYERS + self.number, STACKS + self.number)];
        for (track, id) in self.tracks.iter().zip(self.tracks_before..) {
            let node = CURVE_NODES + id;
            let name = match track.kind {
                "T" => "Lcl Translation",
                _ => "Lcl Rotation",
            };
            records.push(join(node, LAYERS + self.number));
            records.push(join_property(node, MODELS + track.joint as i64, name));
            for (axis, name) in ["d|X", "d|Y", "d|Z"].into_iter().enumerate() {
                let curve = CURVES + 3 * id + axis as i64;
                records.push(join_property(curve, node, name));
            }
        }
        records
    }
}

/// One object belongs to another.
pub fn join(from: i64, to: i64) -> Record {
    let values = vec![text("OO"), Value::Long(from), Value::Long(to)];
    record("C", values, vec![])
}

/// An object drives a property of another.
fn join_property(from: i64, to: i64, name: &str) -> Record {
    let values = vec![text("OP"), Value::Long(from), Value::Long(to), text(name)];
    record("C", values, vec![])
}

fn curve_node(id: i64, track: &Track) -> Record {
    let axis = |(axis, curve): (&str, &Vec<f32>)| {
        let start = vec![Value::Real(f64::from(curve[0]))];
        property(&format!("d|{axis}"), ["Number", "", "A"], start)
    };
    let defaults = ["X", "Y", "Z"].into_iter().zip(&track.curves).map(axis);
    let values = vec![
        Value::Long(id),
        object_name(track.kind, "AnimCurveNode"),
        text(""),
    ];
    let defaults = record("Properties70", vec![], defaults.collect());
    record("AnimationCurveNode", values, vec![defaults])
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

/// The list of takes that old readers go by.
pub fn take_list(takes: &[Take]) -> Record {
    let take = |take: &Take| {
        let span = || vec![Value::Long(0), Value::Long(ticks(take.end))];
        let below = vec![
            record("FileName", vec![text("Take.tak")], vec![]),
            record("LocalTime", span(), vec![]),
            record("ReferenceTime", span(), vec![]),
        ];
        record("Take", vec![text(&*take.name)], below)
    };
    let mut below = vec![record("Current", vec![text(&*takes[0].name)], vec![])];
    below.extend(takes.iter().map(take));
    record("Takes", vec![], below)
}

pub fn last_time(clip: &Clip) -> f64 {
    clip.len().saturating_sub(1) as f64 * clip.rate.frame_time()
}

pub fn ticks(seconds: f64) -> i64 {
    (seconds * TICKS).round() as i64
}
