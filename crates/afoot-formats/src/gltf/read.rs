//! Reads skeletal animation from glTF 2.0 files: any hierarchy, any key times.
//!
//! The first animation is sampled at a steady rate: the one most keys lie on, 30 fps where there is
//! none. Offsets that an animation moves become sliding joints; an animated scale is left out, with
//! a warning. A skinned mesh gives points of the body's surface (`surface`). glTF is in metres with y up; the read options' unit overrides that.

use std::collections::BTreeMap;
use std::sync::Arc;

use afoot_core::{Clip, FrameRate, Quat, Skeleton, Vec3};
use glam::Mat4;

use super::container::{Container, Fetch, open_container};
use super::curves::{Curve, Interpolation};
use super::document::{Document, Node};
use super::surface::read_surface;
use crate::error::{FormatError, Problem};
use crate::files::Format;
use crate::motion::{Motion, ReadOptions, SourceFacts, UnitOrigin};
use crate::scene::{Found, Moved, SceneNode, expected, find_skeleton, sample_motion};
use crate::up_axis::UpAxis;

/// Keys further apart than this many frames on average make an absurdly long clip.
const MOST_FRAMES_PER_KEY: usize = 100;

/// The motion in a `.glb` or `.gltf` file; `fetch` reads buffers that lie beside it.
pub fn read_gltf(bytes: &[u8], options: &ReadOptions, fetch: Fetch) -> Result<Motion, FormatError> {
    let container = open_container(bytes, fetch)?;
    let mut warnings = Vec::new();
    let curves = read_curves(&container, &mut warnings)?;
    let wanted = match container.document.skins.first() {
        Some(skin) => skin.joints.iter().copied().collect(),
        None => curves
            .rotations
            .keys()
            .chain(curves.translations.keys())
            .copied()
            .collect(),
    };
    let found = find_skeleton(&scene_of(&container.document), wanted)?;
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
    clip.skeleton = Arc::new(with_surface(&container, &found, &clip, &mut warnings));
    let animation = container.document.animations.first();
    clip.name = animation
        .and_then(|animation| animation.name.clone())
        .unwrap_or_default();
    let clip = match options.unit.metres() {
        Some(metres) => scaled(clip, metres as f32),
        None => clip,
    };
    let source = SourceFacts {
        format: Format::Gltf,
        metres_per_unit: options.unit.metres().unwrap_or(1.0),
        unit_origin: match options.unit.metres() {
            Some(_) => UnitOrigin::Given,
            None => UnitOrigin::Stated,
        },
        up: UpAxis::Y,
        frame_time: Some(rate.frame_time()),
        header_frames: None,
        first_frame: 0,
        warnings,
    };
    Ok(Motion { clip, source })
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

/// The first animation, by node.
struct Curves {
    rotations: BTreeMap<usize, Curve>,
    translations: BTreeMap<usize, Curve>,
}

fn read_curves(container: &Container, warnings: &mut Vec<String>) -> Result<Curves, FormatError> {
    let (mut rotations, mut translations) = (BTreeMap::new(), BTreeMap::new());
    let animations = &container.document.animations;
    if animations.len() > 1 {
        warnings.push(format!(
            "the first of {} animations is read",
            animations.len()
        ));
    }
    let mut scaled = false;
    for channel in animations
        .iter()
        .take(1)
        .flat_map(|animation| &animation.channels)
    {
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
                rotations.insert(node, read_curve(container, channel.sampler, 4)?);
            }
            "translation" => {
                translations.insert(node, read_curve(container, channel.sampler, 3)?);
            }
            "scale" => scaled = true,
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

fn read_curve(container: &Container, sampler: usize, width: usize) -> Result<Curve, FormatError> {
    let sampler = container.document.animations[0]
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

fn scaled(mut clip: Clip, factor: f32) -> Clip {
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
