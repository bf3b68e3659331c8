//! Reads skeletal animation from glTF 2.0 files: any hierarchy, any key times.
//!
//! An animation is sampled at a steady rate: the one most keys lie on, 30 fps where there is none.
//! VRM files say which node is which body part. Offsets that an animation moves become sliding joints; an animated scale is left out, with
//! a warning. A skinned mesh gives points of the body's surface (`surface`). glTF is in metres with y
//! up; the read options' unit overrides that, and so do legs that are human in another unit only.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use afoot_core::{Clip, FrameRate, Quat, Skeleton, Vec3};
use glam::Mat4;

use super::container::{Container, Fetch, open_container};
use super::curves::{Curve, Interpolation};
use super::document::{Animation, Document, Node};
use super::surface::read_surface;
use crate::error::{FormatError, Problem};
use crate::files::Format;
use crate::motion::{Motion, ReadOptions, SourceFacts};
use crate::scene::{Found, Moved, SceneNode, expected, find_skeleton, sample_motion};
use crate::units;
use crate::up_axis::UpAxis;

/// Keys further apart than this many frames on average make an absurdly long clip.
const MOST_FRAMES_PER_KEY: usize = 100;

/// The motion in a `.glb` or `.gltf` file; `fetch` reads buffers that lie beside it. Of several
/// animations the one that the options name, else the first.
pub fn read_gltf(bytes: &[u8], options: &ReadOptions, fetch: Fetch) -> Result<Motion, FormatError> {
    let mut takes = read_gltf_takes(bytes, options, fetch)?;
    Ok(takes.swap_remove(0))
}

/// The animations that the options ask for, named after themselves; at least one.
pub fn read_gltf_takes(
    bytes: &[u8],
    options: &ReadOptions,
    fetch: Fetch,
) -> Result<Vec<Motion>, FormatError> {
    let container = open_container(bytes, fetch)?;
    let animations = &container.document.animations;
    let (names, moves) = (take_names(animations), animations.iter().map(moves_nodes));
    let moves: Vec<bool> = moves.collect();
    let mut chosen = options.take.choose(&names, &moves)?;
    if chosen.is_empty() {
        chosen.extend((!animations.is_empty()).then_some(0));
    }
    let scene = scene_of(&container.document);
    let mut takes = Vec::with_capacity(chosen.len());
    for &number in &chosen {
        takes.push(read_take(&container, &scene, Some(number), options)?);
    }
    if takes.is_empty() {
        takes.push(read_take(&container, &scene, None, options)?);
    }
    for (take, number) in takes.iter_mut().zip(&chosen) {
        take.clip.name.clone_from(&names[*number]);
    }
    let passed_over = options.take.passed_over(&names, &moves);
    takes[0].source.warnings.extend(passed_over);
    Ok(takes)
}

/// The skeleton of a character, as a motion of one frame at rest: its animations are not looked at.
pub fn read_character(
    bytes: &[u8],
    options: &ReadOptions,
    fetch: Fetch,
) -> Result<Motion, FormatError> {
    let container = open_container(bytes, fetch)?;
    read_take(&container, &scene_of(&container.document), None, options)
}

/// The skeleton of a character and where its joints are among the nodes.
pub(super) fn skeleton_of(container: &Container) -> Result<Found, FormatError> {
    let none = Curves {
        rotations: BTreeMap::new(),
        translations: BTreeMap::new(),
    };
    let wanted = wanted_nodes(&container.document, &none);
    find_skeleton(&scene_of(&container.document), wanted)
}

/// Each animation's name; the number stands in for one that has none.
fn take_names(animations: &[Animation]) -> Vec<String> {
    let name = |(number, animation): (usize, &Animation)| match &animation.name {
        Some(name) if !name.is_empty() => name.clone(),
        _ => format!("take_{}", number + 1),
    };
    animations.iter().enumerate().map(name).collect()
}

fn moves_nodes(animation: &Animation) -> bool {
    let moves = |path: &str| path == "rotation" || path == "translation";
    let channels = animation.channels.iter();
    channels
        .into_iter()
        .any(|channel| channel.target.node.is_some() && moves(&channel.target.path))
}

fn read_take(
    container: &Container,
    scene: &[SceneNode],
    number: Option<usize>,
    options: &ReadOptions,
) -> Result<Motion, FormatError> {
    let mut warnings = Vec::new();
    let animation = number.map(|number| &container.document.animations[number]);
    let curves = read_curves(container, animation, &mut warnings)?;
    let found = find_skeleton(scene, wanted_nodes(&container.document, &curves))?;
    let found = with_human_bones(&container.document, found);
    warnings.extend(found.warnings.iter().cloned());
    let rate = match options.rate {
        Some(rate) => rate,
        None => curves.rate(),
    };
    let times = frame_times(&curves, rate)?;
    let mut clip = sample_motion(&found, rate, &times, |node, time| Moved {
        translation: curves
            .translations
            .get(&node)
            .map(|curve| curve.position(time)),
        rotation: curves
            .rotations
            .get(&node)
            .map(|curve| curve.rotation(time)),
    })?;
    clip.skeleton = Arc::new(with_surface(container, &found, &clip, &mut warnings));
    let (metres_per_unit, unit_origin) =
        units::resolve_stated(&clip.skeleton, options.unit, &mut warnings);
    let clip = scaled(clip, metres_per_unit as f32);
    let source = SourceFacts {
        format: Format::Gltf,
        metres_per_unit,
        unit_origin,
        up: UpAxis::Y,
        frame_time: Some(rate.frame_time()),
        header_frames: None,
        first_frame: 0,
        warnings,
        conformed: Vec::new(),
    };
    Ok(Motion { clip, source })
}

/// The joints of the first skin, with what a VRM file calls a bone; else what is animated.
fn wanted_nodes(document: &Document, curves: &Curves) -> BTreeSet<usize> {
    match document.skins.first() {
        Some(skin) => {
            let bones = document.human_bones().into_iter().map(|(node, _)| node);
            skin.joints.iter().copied().chain(bones).collect()
        }
        None => curves
            .rotations
            .keys()
            .chain(curves.translations.keys())
            .copied()
            .collect(),
    }
}

/// Roles by the names that a VRM file gives its nodes, where it does.
fn with_human_bones(document: &Document, found: Found) -> Found {
    let bones: BTreeMap<usize, String> = document.human_bones().into_iter().collect();
    if bones.is_empty() {
        return found;
    }
    let mut joints = found.skeleton.joints().to_vec();
    for (number, (joint, node)) in joints.iter_mut().zip(&found.nodes).enumerate() {
        // A number as a name says nothing: only what the file calls a bone is one.
        joint.name = bones
            .get(node)
            .cloned()
            .unwrap_or_else(|| number.to_string());
    }
    let skeleton = match Skeleton::new(joints, Vec::new()) {
        Ok(named) => {
            let roles = afoot_core::recognise_roles(&named);
            found.skeleton.clone().with_roles(&roles)
        }
        Err(_) => found.skeleton.clone(), // two nodes for one bone: their own names count
    };
    Found { skeleton, ..found }
}

/// The clip's skeleton with points of the file's meshes; a mesh that can't be used is left out.
fn with_surface(
    container: &Container,
    found: &Found,
    clip: &Clip,
    warnings: &mut Vec<String>,
) -> Skeleton {
    let bare = Skeleton::clone(&clip.skeleton);
    let points = read_surface(container, found);
    let with_points = points.and_then(|points| {
        let skeleton = bare.clone().with_surface(points);
        skeleton.map_err(|error| FormatError::new(Problem::Skeleton(error)))
    });
    with_points.unwrap_or_else(|error| {
        warnings.push(format!("the mesh is left out: {error}"));
        bare
    })
}

/// An animation, by node.
struct Curves {
    rotations: BTreeMap<usize, Curve>,
    translations: BTreeMap<usize, Curve>,
}

fn read_curves(
    container: &Container,
    animation: Option<&Animation>,
    warnings: &mut Vec<String>,
) -> Result<Curves, FormatError> {
    let (mut rotations, mut translations) = (BTreeMap::new(), BTreeMap::new());
    let mut scaled = false;
    let channels = animation
        .into_iter()
        .flat_map(|animation| &animation.channels);
    for (animation, channel) in animation.into_iter().cycle().zip(channels) {
        let Some(node) = channel.target.node else {
            continue;
        };
        if node >= container.document.nodes.len() {
            return Err(expected(
                "an animated node that exists",
                format!("number {node}"),
            ));
        }
        match channel.target.path.as_str() {
            "rotation" => {
                rotations.insert(node, read_curve(container, animation, channel.sampler, 4)?);
            }
            "translation" => {
                translations.insert(node, read_curve(container, animation, channel.sampler, 3)?);
            }
            "scale" => {
                let curve = read_curve(container, animation, channel.sampler, 3)?;
                let rest = container.document.nodes[node].scale;
                scaled |= !stays_at(&curve, rest.unwrap_or([1.0; 3]));
            }
            _ => {}
        }
    }
    if scaled {
        warnings.push("animated scales are left out".into());
    }
    Ok(Curves {
        rotations,
        translations,
    })
}

/// Whether all keys of a scale are what it is at rest: exporters write such curves for every node.
fn stays_at(curve: &Curve, rest: [f32; 3]) -> bool {
    let tangents = curve.interpolation == Interpolation::Cubic;
    let keys = curve.values.chunks_exact(3);
    let keys = keys.enumerate().filter(|(at, _)| !tangents || at % 3 == 1);
    let near = |key: &[f32]| key.iter().zip(rest).all(|(a, b)| (a - b).abs() < 1e-3);
    keys.map(|(_, key)| key).all(near)
}

fn read_curve(
    container: &Container,
    animation: &Animation,
    sampler: usize,
    width: usize,
) -> Result<Curve, FormatError> {
    let sampler = animation
        .samplers
        .get(sampler)
        .ok_or_else(|| expected("a sampler that exists", format!("number {sampler}")))?;
    let times = container.floats(sampler.input, 1)?;
    let values = container.floats(sampler.output, width)?;
    let interpolation = match sampler.interpolation.as_deref() {
        None | Some("LINEAR") => Interpolation::Linear,
        Some("STEP") => Interpolation::Step,
        Some("CUBICSPLINE") => Interpolation::Cubic,
        Some(other) => return Err(expected("STEP, LINEAR or CUBICSPLINE", other.into())),
    };
    let per_key = if interpolation == Interpolation::Cubic {
        3 * width
    } else {
        width
    };
    if times.is_empty() || values.len() != times.len() * per_key {
        let words = format!(
            "{} values for {} keys",
            times.len() * per_key,
            times.len().max(1)
        );
        return Err(expected(&words, values.len().to_string()));
    }
    if let Some(at) = times.windows(2).position(|pair| pair[0] >= pair[1]) {
        let found = format!("{} s after {} s", times[at + 1], times[at]);
        return Err(expected("key times that increase", found));
    }
    let last = times[times.len() - 1];
    let stated = container.accessor(sampler.input)?.max.first().copied();
    if stated.is_some_and(|stated| last > stated + 1e-3 + 1e-3 * stated.abs()) || times[0] < 0.0 {
        let found = format!("keys from {} s to {last} s", times[0]);
        return Err(expected(
            "key times within the stated range, from 0 s on",
            found,
        ));
    }
    Ok(Curve {
        times,
        values,
        interpolation,
    })
}

impl Curves {
    fn all(&self) -> impl Iterator<Item = &Curve> {
        self.rotations.values().chain(self.translations.values())
    }

    /// The rate that most keys lie on.
    fn rate(&self) -> FrameRate {
        let mut steps: Vec<f32> = self
            .all()
            .flat_map(|curve| curve.times.windows(2).map(|pair| pair[1] - pair[0]))
            .collect();
        if steps.is_empty() {
            return FrameRate::FPS_30;
        }
        let middle = steps.len() / 2;
        let (_, median, _) = steps.select_nth_unstable_by(middle, f32::total_cmp);
        let fps = 1.0 / f64::from(*median);
        let whole = fps.round();
        // f32 times blur the step: 1/30 s at 100 s is good to five digits only.
        let fps = if whole >= 1.0 && (fps - whole).abs() < 2e-3 * whole {
            whole
        } else {
            fps
        };
        match FrameRate::from_fps(fps) {
            Some(rate) if (5.0..=1000.0).contains(&fps) => rate,
            _ => FrameRate::FPS_30,
        }
    }

    /// First and last key. [s]
    fn span(&self) -> (f64, f64) {
        let ends = |curve: &Curve| (curve.times[0], curve.times[curve.times.len() - 1]);
        let (mut first, mut last) = (f32::INFINITY, f32::NEG_INFINITY);
        for (from, to) in self.all().map(ends) {
            (first, last) = (first.min(from), last.max(to));
        }
        if first > last {
            (0.0, 0.0)
        } else {
            (f64::from(first), f64::from(last))
        }
    }
}

/// The times of the frames, from the first to the last key.
fn frame_times(curves: &Curves, rate: FrameRate) -> Result<Vec<f64>, FormatError> {
    let (first, last) = curves.span();
    let frames = (((last - first) * rate.fps()).round() as usize).saturating_add(1);
    let keys: usize = curves.all().map(|curve| curve.times.len()).sum();
    if frames > MOST_FRAMES_PER_KEY * (keys + 1) {
        let found = format!("{keys} keys over {:.0} s", last - first);
        return Err(expected("keys dense enough for their time", found));
    }
    Ok((0..frames)
        .map(|frame| first + frame as f64 * rate.frame_time())
        .collect())
}

/// The document's nodes as a scene.
fn scene_of(document: &Document) -> Vec<SceneNode> {
    let scene_node = |node: &Node| {
        let (translation, rotation, scale) = local_transform(node);
        SceneNode {
            name: node.name.clone().unwrap_or_default(),
            children: node.children.clone(),
            translation,
            rotation,
            scale,
            drawn: node.mesh.is_some() || node.skin.is_some(),
        }
    };
    document.nodes.iter().map(scene_node).collect()
}

/// Translation, rotation and scale of a node, from its parts or its matrix.
pub(super) fn local_transform(node: &Node) -> (Vec3, Quat, Vec3) {
    if let Some(matrix) = node.matrix {
        let matrix = Mat4::from_cols_array(&matrix);
        if matrix.is_finite() && matrix.determinant().abs() > 1e-12 {
            let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
            return (translation, rotation, scale);
        }
    }
    let translation = node.translation.map_or(Vec3::ZERO, Vec3::from_array);
    let rotation = node.rotation.map_or(Quat::IDENTITY, Quat::from_array);
    let scale = node.scale.map_or(Vec3::ONE, Vec3::from_array);
    (translation, rotation, scale)
}

/// The clip in another unit.
pub(crate) fn scaled(mut clip: Clip, factor: f32) -> Clip {
    if factor == 1.0 {
        return clip;
    }
    clip.skeleton = Arc::new((*clip.skeleton).clone().scaled(factor));
    clip.root.iter_mut().for_each(|point| *point *= factor);
    for sliding in &mut clip.sliding {
        sliding
            .offsets
            .iter_mut()
            .for_each(|offset| *offset *= factor);
    }
    clip
}
