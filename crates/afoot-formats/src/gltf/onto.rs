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
use crate::scene::expected;

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
    let names = |skeleton: &Skeleton| -> Vec<String> {
        skeleton
            .joints()
            .iter()
            .map(|joint| joint.name.clone())
            .collect()
    };
    let known = names(&found.skeleton);
    let order: Option<Vec<usize>> = names(&clip.skeleton)
        .iter()
        .map(|name| known.iter().position(|other| other == name))
        .collect();
    let Some(order) = order.filter(|order| order.first() == Some(&0)) else {
        return Err(expected(
            "motion on the character's skeleton",
            "another".into(),
        ));
    };
    let mut document = whole_json(hero)?;
    let [buffer] = &container.buffers[..] else {
        let found = format!("{} buffers", container.buffers.len());
        return Err(expected(
            "a character with its data in the file itself",
            found,
        ));
    };
    let mut bytes = buffer.clone();
    let mut sink = Sink {
        document: &mut document,
        bytes: &mut bytes,
    };
    let frame_time = clip.rate.frame_time();
    let times: Vec<f32> = (0..clip.len())
        .map(|frame| (frame as f64 * frame_time) as f32)
        .collect();
    let input = sink.add(&times, "SCALAR", 1);
    sink.document["accessors"][input]["min"] = json!([0.0]);
    sink.document["accessors"][input]["max"] = json!([times.last().copied().unwrap_or(0.0)]);
    let (mut channels, mut samplers) = (Vec::new(), Vec::new());
    let mut add = |node: usize, path: &str, output: usize| {
        channels.push(json!({"sampler": samplers.len(), "target": {"node": node, "path": path}}));
        samplers.push(json!({"input": input, "output": output, "interpolation": "LINEAR"}));
    };
    let above = &found.above;
    let into_file = above.rotation.conjugate();
    let units = 1.0 / metres_per_unit as f32;
    let root = |place: &Vec3| into_file * (*place * units - above.translation) / above.scale;
    add(
        found.nodes[0],
        "translation",
        sink.add_vectors(clip.root.iter().map(root)),
    );
    for sliding in &clip.sliding {
        let scale = found.scales[order[sliding.joint.index()]];
        let offsets = sliding.offsets.iter().map(|offset| *offset * units / scale);
        add(
            found.nodes[order[sliding.joint.index()]],
            "translation",
            sink.add_vectors(offsets),
        );
    }
    for (joint, &place) in order.iter().enumerate() {
        let values = match joint {
            0 => root_rotations(clip, into_file),
            _ => continuous_rotations(clip, joint),
        };
        add(found.nodes[place], "rotation", sink.add(&values, "VEC4", 4));
    }
    let name = clip.name.as_str();
    document["animations"] = json!([{"name": name, "channels": channels, "samplers": samplers}]);
    document["buffers"] = json!([{"byteLength": bytes.len()}]);
    let json = serde_json::to_vec(&document)
        .map_err(|error| FormatError::new(Problem::Unsupported(error.to_string())))?;
    Ok(pack_glb(json, &bytes))
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

/// A document and its one buffer, to append to.
struct Sink<'a> {
    document: &'a mut Value,
    bytes: &'a mut Vec<u8>,
}

impl Sink<'_> {
    fn add_vectors(&mut self, points: impl Iterator<Item = Vec3>) -> usize {
        let values: Vec<f32> = points.flat_map(|point| point.to_array()).collect();
        self.add(&values, "VEC3", 3)
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
