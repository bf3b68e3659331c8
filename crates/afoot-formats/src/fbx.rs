//! Reads skeletal animation from FBX files with ufbx, as MotionBuilder, Maya and Mixamo write them.
//!
//! An animation is evaluated at the scene's frame rate from its first key to its last, whatever span
//! the take states; ufbx brings axes to y up and lengths to metres, and bones that don't take over
//! their parent's scale (InheritType 1 and 2) to ones that do. Cost: a transform per joint and frame.

use std::collections::BTreeSet;
use std::ops::Range;

use afoot_core::{Clip, FrameId, FrameRate, Quat, SlidingJoint, Vec3, cut_clip};
use ufbx::{AnimStack, InheritModeHandling, LoadOpts, Node, Scene, SpaceConversion};

use crate::error::FormatError;
use crate::files::Format;
use crate::gltf::scaled;
use crate::motion::{Motion, ReadOptions, SourceFacts, UnitOrigin};
use crate::scene::{Found, Moved, SceneNode, expected, find_skeleton, sample_motion};
use crate::units::{UnitOption, resolve_stated};
use crate::up_axis::UpAxis;

/// A clip may take this much memory, and so many times the file's size: more frames than that have
/// no keys of their own, but come from a mistake in the file's times. [bytes, bytes per byte]
const CLIP_MEMORY: (f64, f64) = (4e6, 8.0);
/// What sampling takes per frame and joint. [bytes]
const SAMPLE_BYTES: f64 = 28.0;
/// The most memory ufbx may take for a file of a given size. [bytes, bytes per byte]
const MEMORY: (usize, usize) = (64 << 20, 100);

/// The motion in the bytes of an `.fbx` file: the animation that the options name, else the first
/// that moves something.
pub fn read_fbx(bytes: &[u8], options: &ReadOptions) -> Result<Motion, FormatError> {
    let mut takes = read_fbx_takes(bytes, options)?;
    Ok(takes.swap_remove(0))
}

/// The animations that the options ask for, named after themselves; at least one.
pub fn read_fbx_takes(bytes: &[u8], options: &ReadOptions) -> Result<Vec<Motion>, FormatError> {
    let scene = ufbx::load_memory(bytes, load_options(bytes.len())).map_err(|error| {
        expected(
            "an FBX file",
            format!("{} {}", error.description, error.info())
                .trim()
                .to_owned(),
        )
    })?;
    let found = find_skeleton(&nodes_of(&scene), bones_of(&scene))?;
    let stacks = &scene.anim_stacks;
    let names: Vec<String> = stacks
        .iter()
        .map(|stack| stack.element.name.to_string())
        .collect();
    let spans: Vec<Option<Range<f64>>> = stacks.iter().map(|stack| key_span(stack)).collect();
    let moves: Vec<bool> = spans.iter().map(Option::is_some).collect();
    let chosen = options.take.choose(&names, &moves)?;
    let reader = TakeReader {
        scene: &scene,
        found: &found,
        options,
        most_frames: most_frames(bytes.len(), found.skeleton.len()),
    };
    let mut takes = Vec::with_capacity(chosen.len());
    for &number in &chosen {
        let span = spans[number].clone().unwrap_or(0.0..0.0);
        let mut take = reader.read(&stacks[number].anim, span.clone())?;
        take.clip.name.clone_from(&names[number]);
        let stated = stacks[number].time_begin..stacks[number].time_end;
        let left = leave_out_held(&mut take.clip, &span, &stated);
        take.source
            .warnings
            .extend(trimmed(&stacks[number], spans[number].is_some(), &left));
        takes.push(take);
    }
    if takes.is_empty() {
        takes.push(reader.read(&scene.anim, 0.0..0.0)?);
    }
    takes[0]
        .source
        .warnings
        .extend(options.take.passed_over(&names, &moves));
    Ok(takes)
}

/// The frames that an animation is meant to have; `None` where nothing has two keys. [s]
///
/// Its keys count, not the span that the take states: programs write any span. But keys that only
/// hold what was reached, outside that span, are none of the motion.
fn key_span(stack: &AnimStack) -> Option<Range<f64>> {
    let (mut keys, mut moving): (Option<Range<f64>>, Option<Range<f64>>) = (None, None);
    let values = stack
        .layers
        .iter()
        .flat_map(|layer| layer.anim_values.iter());
    for curve in values.flat_map(|value| value.curves.iter().flatten()) {
        let list = &curve.keyframes;
        let (Some(first), Some(last)) = (list.first(), list.last()) else {
            continue;
        };
        if list.len() > 1 {
            widen(&mut keys, first.time..last.time);
            let steps = || {
                list.windows(2)
                    .filter(|pair| differ(pair[0].value, pair[1].value))
            };
            let (start, end) = (steps().next(), steps().next_back());
            if let (Some(start), Some(end)) = (start, end) {
                widen(&mut moving, start[0].time..end[1].time);
            }
        }
    }
    let keys = keys?;
    let stated =
        stack.time_begin.clamp(keys.start, keys.end)..stack.time_end.clamp(keys.start, keys.end);
    let Some(moving) = moving else {
        return Some(keys);
    };
    match stated.start < stated.end {
        true => Some(moving.start.min(stated.start)..moving.end.max(stated.end)),
        false => Some(moving),
    }
}

fn differ(a: f64, b: f64) -> bool {
    (a - b).abs() > 1e-4 * (1.0 + a.abs())
}

fn widen(span: &mut Option<Range<f64>>, by: Range<f64>) {
    let known = span.get_or_insert(by.clone());
    *known = known.start.min(by.start)..known.end.max(by.end);
}

/// Leaves out frames before and after the span that a take states in which no joint moves: curves of
/// what is no joint have keys there. Gives the span that is left. [s]
fn leave_out_held(clip: &mut Clip, span: &Range<f64>, stated: &Range<f64>) -> Range<f64> {
    let frame_of = |time: f64| ((time - span.start) * clip.rate.fps()).round().max(0.0) as usize;
    let last = clip.len().saturating_sub(1);
    let (begin, end) = (frame_of(stated.start), frame_of(stated.end));
    if begin >= end || begin >= last {
        return span.clone(); // the take says nothing
    }
    let moves = |frame: &usize| !same_pose(clip, *frame, *frame + 1);
    let start = (0..begin).find(moves).unwrap_or(begin);
    let stop = (end.min(last)..last).rfind(moves);
    let stop = stop.map_or(end.min(last), |frame| frame + 1);
    let time = |frame: usize| span.start + frame as f64 * clip.rate.frame_time();
    let left = time(start)..time(stop);
    if let Ok(cut) = cut_clip(clip, start as u32..stop as u32 + 1) {
        *clip = cut;
    }
    left
}

/// Whether two frames have the same pose, to what a file's rounding moves it.
fn same_pose(clip: &Clip, a: usize, b: usize) -> bool {
    let (turns, others) = (
        clip.frame_rotations(FrameId::from(a)),
        clip.frame_rotations(FrameId::from(b)),
    );
    let slides = |sliding: &SlidingJoint| sliding.offsets[a].distance(sliding.offsets[b]) > 1e-5;
    clip.root[a].distance(clip.root[b]) <= 1e-5
        && turns
            .iter()
            .zip(others)
            .all(|(a, b)| a.dot(*b).abs() > 1.0 - 1e-6)
        && !clip.sliding.iter().any(slides)
}

/// A warning where the take states another span than its keys have.
fn trimmed(stack: &AnimStack, has_keys: bool, keys: &Range<f64>) -> Option<String> {
    let (begin, end) = (stack.time_begin, stack.time_end);
    let same = (begin - keys.start).abs() < 0.05 && (end - keys.end).abs() < 0.05;
    (has_keys && !same).then(|| {
        format!(
            "the take says {begin:.2} s to {end:.2} s, its keys go from {:.2} s to {:.2} s: the keys count",
            keys.start, keys.end
        )
    })
}

struct TakeReader<'a> {
    scene: &'a Scene,
    found: &'a Found,
    options: &'a ReadOptions,
    most_frames: f64,
}

impl TakeReader<'_> {
    fn read(&self, anim: &ufbx::Anim, span: Range<f64>) -> Result<Motion, FormatError> {
        let (scene, options) = (self.scene, self.options);
        let mut warnings = self.found.warnings.clone();
        let stated = FrameRate::from_fps(scene.settings.frames_per_second);
        let rate = options.rate.or(stated).unwrap_or(FrameRate::FPS_30);
        let times = frame_times(span, rate, self.most_frames)?;
        let clip = sample_motion(self.found, rate, &times, |node, time| {
            let transform = ufbx::evaluate_transform(anim, &scene.nodes[node], time);
            let (translation, rotation) = (vector(transform.translation), turn(transform.rotation));
            Moved {
                translation: Some(translation),
                rotation: Some(rotation),
            }
        })?;
        let (factor, unit_origin) = resolve_stated(&clip.skeleton, UnitOption::Auto, &mut warnings);
        let stated = scene.settings.original_unit_meters;
        let (factor, unit_origin) = match options.unit.metres() {
            Some(metres) => (metres / stated, UnitOrigin::Given),
            None => (factor, unit_origin),
        };
        let source = SourceFacts {
            format: Format::Fbx,
            metres_per_unit: stated * factor,
            unit_origin,
            up: UpAxis::Y,
            frame_time: Some(rate.frame_time()),
            header_frames: None,
            first_frame: 0,
            warnings,
            conformed: Vec::new(),
        };
        let clip = scaled(clip, factor as f32);
        Ok(Motion { clip, source })
    }
}

fn nodes_of(scene: &Scene) -> Vec<SceneNode> {
    scene.nodes.iter().map(scene_node).collect()
}

/// The numbers of the nodes that are bones, or that stand in for them.
fn bones_of(scene: &Scene) -> BTreeSet<usize> {
    let number = |node: &ufbx::Ref<Node>| node.element.typed_id as usize;
    let bones = scene.nodes.iter().filter(|node| node.bone.is_some());
    let bones: BTreeSet<usize> = bones.map(number).collect();
    if !bones.is_empty() {
        return bones;
    }
    // Skeletons of plain nodes: what is animated and not drawn.
    let props = scene
        .anim_layers
        .iter()
        .flat_map(|layer| layer.anim_props.iter());
    let moved: BTreeSet<u32> = props.map(|prop| prop.element.element_id).collect();
    let is_joint =
        |node: &&ufbx::Ref<Node>| moved.contains(&node.element.element_id) && node.mesh.is_none();
    scene.nodes.iter().filter(is_joint).map(number).collect()
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
        inherit_mode_handling: InheritModeHandling::CompensateNoFallback,
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    /// A figure that moves in frames 5 to 25 of 40, at 30 fps from 2 s on.
    fn moving() -> Clip {
        let joints = vec![afoot_core::Joint::new("Hips", None, Vec3::ZERO)];
        let skeleton = afoot_core::Skeleton::new(joints, Vec::new()).unwrap();
        let mut clip = Clip::empty("moving", Arc::new(skeleton), FrameRate::FPS_30);
        for frame in 0..40 {
            let moved = (frame as f32).clamp(5.0, 25.0);
            clip.root.push(Vec3::X * moved);
            clip.rotations.push(Quat::IDENTITY);
        }
        clip
    }

    #[test]
    fn frames_that_hold_still_outside_a_takes_span_are_left_out() {
        let frame = |number: f64| 2.0 + number / 30.0;
        let span = frame(0.0)..frame(39.0);
        // The span that is stated, and the frames that are left: all that move, and what it states.
        for (stated, left) in [
            (8..20, 5..26),
            (0..39, 0..40),
            (3..30, 3..31),
            (9..9, 0..40),
        ] {
            let mut clip = moving();
            let stated = frame(f64::from(stated.start))..frame(f64::from(stated.end));
            leave_out_held(&mut clip, &span, &stated);
            assert_eq!(clip.root, moving().root[left.clone()], "{left:?}");
        }
    }
}
