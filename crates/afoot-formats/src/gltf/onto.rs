//! Puts a clip onto the user's own character: the file stays as it is, an animation is added.
//!
//! The character's JSON is kept as it was read, with all that this crate does not know; accessors and
//! buffer views are appended, and the clip takes the place of the animations. It must be on the
//! character's skeleton (`read_character`, then retargeted).

use afoot_core::{Clip, FrameId, Quat, Skeleton, Vec3, with_file_structure};
use serde_json::{Value, json};

use super::container::{Fetch, open_container, whole_json};
use super::document::FLOAT;
use super::read::skeleton_of;
use super::write::{continuous_rotations, pack_glb};
use crate::error::{FormatError, Problem};
use crate::scene::{Found, expected};

/// The bytes of a `.glb` file: the character of `hero` with the clip as its animation.
/// `metres_per_unit` is what the character was read with.
pub fn write_onto(
    clip: &Clip,
    hero: &[u8],
    metres_per_unit: f64,
    fetch: Fetch,
) -> Result<Vec<u8>, FormatError> {
    let container = open_container(hero, fetch)?;
    let found = skeleton_of(&container)?;
    let clip = &*with_file_structure(clip);
    let order = order_in(&found.skeleton, &clip.skeleton)?;
    let [buffer] = &container.buffers[..] else {
        let found = format!("{} buffers", container.buffers.len());
        return Err(expected(
            "a character with its data in the file itself",
            found,
        ));
    };
    let mut document = whole_json(hero)?;
    let mut bytes = buffer.clone();
    let sink = Sink {
        document: &mut document,
        bytes: &mut bytes,
    };
    let onto = Onto {
        clip,
        character: &found,
        order: &order,
        units: 1.0 / metres_per_unit as f32,
    };
    let animation = onto.animation(sink);
    document["animations"] = json!([animation]);
    document["buffers"] = json!([{"byteLength": bytes.len()}]);
    let json = serde_json::to_vec(&document)
        .map_err(|error| FormatError::new(Problem::Unsupported(error.to_string())))?;
    Ok(pack_glb(json, &bytes))
}

/// For each joint of a clip which one of the character's it is, by name.
fn order_in(character: &Skeleton, own: &Skeleton) -> Result<Vec<usize>, FormatError> {
    let known = character.joints();
    let place = |name: &str| known.iter().position(|joint| joint.name == name);
    let own = own.joints().iter();
    let order: Option<Vec<usize>> = own.map(|joint| place(&joint.name)).collect();
    let order = order.filter(|order| order.first() == Some(&0));
    order.ok_or_else(|| expected("motion on the character's skeleton", "another".into()))
}

/// A clip and the character that is to move by it.
struct Onto<'a> {
    clip: &'a Clip,
    character: &'a Found,
    /// Of each joint of the clip, which one of the character's it is.
    order: &'a [usize],
    /// Of the file, in a metre.
    units: f32,
}

impl Onto<'_> {
    /// The clip as an animation, its numbers appended to the document's buffer.
    fn animation(&self, mut sink: Sink) -> Value {
        let mut curves = Curves {
            input: sink.add_times(self.clip),
            channels: Vec::new(),
            samplers: Vec::new(),
            sink,
        };
        self.add_places(&mut curves);
        self.add_rotations(&mut curves);
        let Curves {
            channels, samplers, ..
        } = curves;
        json!({"name": self.clip.name.as_str(), "channels": channels, "samplers": samplers})
    }

    /// The root's places, and the offsets of joints that slide.
    fn add_places(&self, curves: &mut Curves) {
        let above = &self.character.above;
        let into_file = above.rotation.conjugate();
        let root =
            |place: &Vec3| into_file * (*place * self.units - above.translation) / above.scale;
        curves.add_places(self.character.nodes[0], self.clip.root.iter().map(root));
        for sliding in &self.clip.sliding {
            let joint = self.order[sliding.joint.index()];
            let scale = self.character.scales[joint];
            let offsets = sliding.offsets.iter();
            curves.add_places(
                self.character.nodes[joint],
                offsets.map(|offset| *offset * self.units / scale),
            );
        }
    }

    fn add_rotations(&self, curves: &mut Curves) {
        let into_file = self.character.above.rotation.conjugate();
        for (joint, &place) in self.order.iter().enumerate() {
            let values = match joint {
                0 => root_rotations(self.clip, into_file),
                _ => continuous_rotations(self.clip, joint),
            };
            let output = curves.sink.add(&values, "VEC4", 4);
            curves.add(self.character.nodes[place], "rotation", output);
        }
    }
}

fn root_rotations(clip: &Clip, into_file: Quat) -> Vec<f32> {
    let mut before = Quat::IDENTITY;
    let mut values = Vec::with_capacity(4 * clip.len());
    for frame in 0..clip.len() {
        let turn = (into_file * clip.frame_rotations(FrameId::from(frame))[0]).normalize();
        before = if turn.dot(before) < 0.0 { -turn } else { turn };
        values.extend(before.to_array());
    }
    values
}

/// Channels and samplers of an animation as they are added.
struct Curves<'a> {
    /// The accessor of its times.
    input: usize,
    channels: Vec<Value>,
    samplers: Vec<Value>,
    sink: Sink<'a>,
}

impl Curves<'_> {
    fn add_places(&mut self, node: usize, places: impl Iterator<Item = Vec3>) {
        let values: Vec<f32> = places.flat_map(|place| place.to_array()).collect();
        let output = self.sink.add(&values, "VEC3", 3);
        self.add(node, "translation", output);
    }

    /// A channel of a node that takes its values from an accessor.
    fn add(&mut self, node: usize, path: &str, output: usize) {
        let (sampler, input) = (self.samplers.len(), self.input);
        self.channels
            .push(json!({"sampler": sampler, "target": {"node": node, "path": path}}));
        self.samplers
            .push(json!({"input": input, "output": output, "interpolation": "LINEAR"}));
    }
}

/// A document and its one buffer, to append to.
struct Sink<'a> {
    document: &'a mut Value,
    bytes: &'a mut Vec<u8>,
}

impl Sink<'_> {
    /// The clip's times as an accessor.
    fn add_times(&mut self, clip: &Clip) -> usize {
        let frame_time = clip.rate.frame_time();
        let times: Vec<f32> = (0..clip.len())
            .map(|frame| (frame as f64 * frame_time) as f32)
            .collect();
        let input = self.add(&times, "SCALAR", 1);
        let accessor = &mut self.document["accessors"][input];
        accessor["min"] = json!([0.0]);
        accessor["max"] = json!([times.last().copied().unwrap_or(0.0)]);
        input
    }

    /// Appends numbers as an accessor of its own.
    fn add(&mut self, values: &[f32], kind: &str, width: usize) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let start = self.bytes.len();
        self.bytes
            .extend(values.iter().flat_map(|value| value.to_le_bytes()));
        let length = self.bytes.len() - start;
        let view = self.push(
            "bufferViews",
            json!({"buffer": 0, "byteOffset": start, "byteLength": length}),
        );
        let count = values.len() / width;
        self.push(
            "accessors",
            json!({"bufferView": view, "componentType": FLOAT, "count": count, "type": kind}),
        )
    }

    fn push(&mut self, list: &str, item: Value) -> usize {
        if !self.document[list].is_array() {
            self.document[list] = json!([]);
        }
        match self.document[list].as_array_mut() {
            Some(items) => {
                items.push(item);
                items.len() - 1
            }
            None => 0,
        }
    }
}
