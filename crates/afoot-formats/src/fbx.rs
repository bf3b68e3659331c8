//! Reads skeletal animation from FBX files with ufbx, as MotionBuilder, Maya and Mixamo write them.
//!
//! The first animation is evaluated at the scene's frame rate; ufbx brings axes to y up and lengths
//! to metres. Reading only. Cost: one transform per joint and frame.

use std::collections::BTreeSet;
use std::ops::Range;

use afoot_core::{FrameRate, Quat, Vec3};
use ufbx::{LoadOpts, Node, Scene, SpaceConversion};

use crate::error::FormatError;
use crate::files::Format;
use crate::motion::{Motion, ReadOptions, SourceFacts, UnitOrigin};
use crate::scene::{Moved, SceneNode, expected, find_skeleton, sample_motion};
use crate::up_axis::UpAxis;

/// A clip may take this much memory, and so many times the file's size: more frames than that have
/// no keys of their own, but come from a mistake in the file's times. [bytes, bytes per byte]
const CLIP_MEMORY: (f64, f64) = (4e6, 8.0);
/// What sampling takes per frame and joint. [bytes]
const SAMPLE_BYTES: f64 = 28.0;
/// The most memory ufbx may take for a file of a given size. [bytes, bytes per byte]
const MEMORY: (usize, usize) = (64 << 20, 100);

/// The motion in the bytes of an `.fbx` file.
pub fn read_fbx(bytes: &[u8], options: &ReadOptions) -> Result<Motion, FormatError> {
    let scene = ufbx::load_memory(bytes, load_options(bytes.len())).map_err(|error| {
        expected(
            "an FBX file",
            format!("{} {}", error.description, error.info())
                .trim()
                .to_owned(),
        )
    })?;
    let found = find_skeleton(&nodes_of(&scene), bones_of(&scene))?;
    let mut warnings = found.warnings.clone();
    if scene.anim_stacks.len() > 1 {
        warnings.push(format!(
            "the first of {} animations is read",
            scene.anim_stacks.len()
        ));
    }
    let (anim, begin, end) = match scene.anim_stacks.first() {
        Some(stack) => (&stack.anim, stack.time_begin, stack.time_end),
        None => (&scene.anim, 0.0, 0.0),
    };
    let stated = FrameRate::from_fps(scene.settings.frames_per_second);
    let rate = options.rate.or(stated).unwrap_or(FrameRate::FPS_30);
    let most = most_frames(bytes.len(), found.skeleton.len());
    let times = frame_times(begin..end, rate, most)?;
    let mut clip = sample_motion(&found, rate, &times, |node, time| {
        let transform = ufbx::evaluate_transform(anim, &scene.nodes[node], time);
        let (translation, rotation) = (vector(transform.translation), turn(transform.rotation));
        Moved {
            translation: Some(translation),
            rotation: Some(rotation),
        }
    })?;
    clip.name = scene
        .anim_stacks
        .first()
        .map_or(String::new(), |s| s.element.name.to_string());
    let source = SourceFacts {
        format: Format::Fbx,
        metres_per_unit: scene.settings.original_unit_meters,
        unit_origin: UnitOrigin::Stated,
        up: UpAxis::Y,
        frame_time: Some(rate.frame_time()),
        header_frames: None,
        first_frame: 0,
        warnings,
    };
    Ok(Motion { clip, source })
}

fn nodes_of(scene: &Scene) -> Vec<SceneNode> {
    scene.nodes.iter().map(scene_node).collect()
}

/// The numbers of the nodes that are bones.
fn bones_of(scene: &Scene) -> BTreeSet<usize> {
    let bones = scene.nodes.iter().filter(|node| node.bone.is_some());
    bones.map(|node| node.element.typed_id as usize).collect()
}

/// The most frames that a file of a size can be meant to hold.
fn most_frames(size: usize, joints: usize) -> f64 {
    let memory = CLIP_MEMORY.0 + CLIP_MEMORY.1 * size as f64;
    memory / (SAMPLE_BYTES * joints as f64)
}

/// When each frame is, both ends included. [s]
fn frame_times(span: Range<f64>, rate: FrameRate, most: f64) -> Result<Vec<f64>, FormatError> {
    let frames = ((span.end - span.start) * rate.fps()).round() + 1.0;
    if !(1.0..=most).contains(&frames) {
        let words = format!("an animation of 1 to {most:.0} frames in a file of that size");
        return Err(expected(&words, format!("{frames} frames")));
    }
    let time = |frame: usize| span.start + frame as f64 * rate.frame_time();
    Ok((0..frames as usize).map(time).collect())
}

fn load_options(size: usize) -> LoadOpts<'static> {
    let mut options = LoadOpts {
        target_axes: ufbx::CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        space_conversion: SpaceConversion::AdjustTransforms,
        ignore_geometry: true,
        ignore_embedded: true,
        ..LoadOpts::default()
    };
    let limit = MEMORY.0 + MEMORY.1 * size;
    options.temp_allocator.memory_limit = limit;
    options.result_allocator.memory_limit = limit;
    options
}

fn scene_node(node: &ufbx::Ref<Node>) -> SceneNode {
    let transform = &node.local_transform;
    SceneNode {
        name: node.element.name.to_string(),
        children: node
            .children
            .iter()
            .map(|child| child.element.typed_id as usize)
            .collect(),
        translation: vector(transform.translation),
        rotation: turn(transform.rotation),
        scale: vector(transform.scale),
        drawn: node.mesh.is_some() || node.camera.is_some() || node.light.is_some(),
    }
}

fn vector(v: ufbx::Vec3) -> Vec3 {
    Vec3::new(v.x as f32, v.y as f32, v.z as f32)
}

fn turn(q: ufbx::Quat) -> Quat {
    Quat::from_xyzw(q.x as f32, q.y as f32, q.z as f32, q.w as f32)
}
