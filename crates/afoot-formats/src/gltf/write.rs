//! Writes clips as a binary glTF 2.0 file: for each its nodes, a skin with a generated body, the animation.
//!
//! Metres, seconds, y up, as glTF asks. Every joint and end site is a node of its own name, so the
//! hierarchy survives; end sites get the suffix `_End`. The bind pose is the skeleton's rest pose
//! standing on the ground. Rotations are written with continuous signs, one key a frame.

use std::sync::Arc;

use afoot_core::{Clip, FrameId, Quat, Skeleton, Vec3, pose_kinematics};

use super::body::{Body, generate_body};
use super::document::{
    Accessor, Animation, AnimationChannel, Asset, Attributes, Buffer, BufferView, Camera, Document,
    FLOAT, Material, Mesh, Node, Perspective, Primitive, Sampler, Scene, Skin, Surface, Target,
    UNSIGNED_INT, UNSIGNED_SHORT,
};
use crate::error::{FormatError, Problem};
use crate::scene::END_SUFFIX;

/// `asset.generator` of what is written here.
pub const GENERATOR: &str = "Afoot";

/// `bufferView.target` of vertex attributes and of indices.
const VERTICES: Option<u32> = Some(34962);
const INDICES: Option<u32> = Some(34963);

/// The clip as the bytes of a `.glb` file.
pub fn write_glb(clip: &Clip) -> Vec<u8> {
    write_glb_takes(clip, &[])
}

/// The same, with more clips on its skeleton as further animations.
pub fn write_glb_takes(clip: &Clip, more: &[Clip]) -> Vec<u8> {
    let mut writer = Writer::default();
    let (first, body) = writer.add_character("Body", &clip.name, clip);
    for clip in more.iter().filter(|clip| !clip.is_empty()) {
        writer.add_animation(&clip.name, first, clip);
    }
    writer.tops = vec![first, body];
    writer.finish()
}

/// A camera that stands still. [m]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneCamera {
    /// Where it is.
    pub eye: Vec3,
    /// What it looks at, upright.
    pub target: Vec3,
    /// How much it sees from top to bottom. [rad]
    pub field_of_view: f32,
}

/// Several who move at once, each under its name: a skeleton, a body and an animation each; and who
/// watches them.
pub fn write_glb_scene(
    characters: &[(&str, &Clip)],
    camera: Option<&SceneCamera>,
) -> Result<Vec<u8>, FormatError> {
    let size: usize = characters.iter().map(|(_, clip)| about_bytes(clip)).sum();
    if size >= u32::MAX as usize {
        let words = format!("{size} bytes of motion in one file; glTF holds 4 GB");
        return Err(FormatError::new(Problem::Unsupported(words)));
    }
    let mut writer = Writer::default();
    for (name, clip) in characters {
        let (first, body) = writer.add_character(&format!("{name}_Body"), name, clip);
        // Under a node of its own: Blender makes one armature of all skeletons that lie side by side.
        writer.document.nodes.push(Node {
            name: Some((*name).into()),
            children: vec![first],
            ..Node::default()
        });
        writer.tops.push(writer.document.nodes.len() - 1);
        writer.tops.push(body);
    }
    if let Some(camera) = camera {
        writer.add_camera(camera);
    }
    Ok(writer.finish())
}

/// More than a clip takes: a rotation a joint and frame, and a body.
fn about_bytes(clip: &Clip) -> usize {
    16 * (clip.joint_count() + 2 + clip.sliding.len()) * clip.len() + (1 << 18)
}

/// World rotations and positions of the rest pose, its lowest point at y = 0.
fn rest_on_the_ground(clip: &Clip) -> (Vec<Quat>, Vec<Vec3>) {
    let local: Vec<Quat> = clip
        .skeleton
        .joints()
        .iter()
        .map(|joint| joint.rest)
        .collect();
    let (rotations, mut points) = pose_kinematics(&clip.skeleton, Vec3::ZERO, &local);
    let lowest = points
        .iter()
        .map(|point| point.y)
        .fold(f32::INFINITY, f32::min);
    points.iter_mut().for_each(|point| point.y -= lowest);
    (rotations, points)
}

#[derive(Default)]
struct Writer {
    document: Document,
    bytes: Vec<u8>,
    /// The nodes that have no parent.
    tops: Vec<usize>,
    /// Meshes by the skeleton they were made for.
    bodies: Vec<(Arc<Skeleton>, usize)>,
}

impl Writer {
    /// A camera looks along its own -z, with y up.
    fn add_camera(&mut self, camera: &SceneCamera) {
        let away = (camera.eye - camera.target).try_normalize();
        let back = away.unwrap_or(Vec3::Z);
        let right = Vec3::Y.cross(back).try_normalize().unwrap_or(Vec3::X);
        let axes = glam::Mat3::from_cols(right, back.cross(right), back);
        self.document.cameras.push(Camera {
            kind: "perspective",
            perspective: Perspective {
                yfov: camera.field_of_view,
                znear: 0.05,
            },
        });
        self.document.nodes.push(Node {
            name: Some("Camera".into()),
            translation: Some(camera.eye.to_array()),
            rotation: Some(Quat::from_mat3(&axes).normalize().to_array()),
            camera: Some(self.document.cameras.len() - 1),
            ..Node::default()
        });
        self.tops.push(self.document.nodes.len() - 1);
    }

    /// The nodes of its root and of its body.
    fn add_character(&mut self, body: &str, animation: &str, clip: &Clip) -> (usize, usize) {
        let rest = rest_on_the_ground(clip);
        let first = self.document.nodes.len();
        self.add_nodes(clip, rest.1[0]);
        self.add_body(body, first, clip, &rest);
        if !clip.is_empty() {
            self.add_animation(animation, first, clip);
        }
        (first, self.document.nodes.len() - 1)
    }

    /// The first node is the root, joint n comes n after it; end sites follow.
    fn add_nodes(&mut self, clip: &Clip, rest_root: Vec3) {
        let skeleton = &clip.skeleton;
        let first = self.document.nodes.len();
        for (index, joint) in skeleton.joints().iter().enumerate() {
            let translation = if index == 0 { rest_root } else { joint.offset };
            let rotated = joint.rest != Quat::IDENTITY;
            self.document.nodes.push(Node {
                name: Some(joint.name.clone()),
                translation: Some(translation.to_array()),
                rotation: rotated.then(|| joint.rest.normalize().to_array()),
                ..Node::default()
            });
            if let Some(parent) = joint.parent {
                let parent = first + parent.index();
                self.document.nodes[parent].children.push(first + index);
            }
        }
        for (index, site) in skeleton.end_sites().iter().enumerate() {
            let parent = first + site.parent.index();
            let earlier = skeleton.end_sites()[..index]
                .iter()
                .filter(|s| s.parent == site.parent);
            let number = earlier.count();
            let mut name = format!("{}{END_SUFFIX}", skeleton.joint(site.parent).name);
            if number > 0 {
                name = format!("{name}{}", number + 1);
            }
            let node = self.document.nodes.len();
            self.document.nodes[parent].children.push(node);
            let translation = Some(site.offset.to_array());
            self.document.nodes.push(Node {
                name: Some(name),
                translation,
                ..Node::default()
            });
        }
    }

    fn add_body(&mut self, name: &str, first: usize, clip: &Clip, rest: &(Vec<Quat>, Vec<Vec3>)) {
        let joints = clip.skeleton.len();
        let (rotations, points) = rest;
        let inverse_bind = rotations
            .iter()
            .zip(points)
            .flat_map(|(&rotation, &point)| {
                let bind = glam::Mat4::from_rotation_translation(rotation.normalize(), point);
                let mut columns = bind.inverse().to_cols_array();
                // The last row of an affine matrix, exactly: inversion leaves rounding in it.
                (columns[3], columns[7], columns[11], columns[15]) = (0.0, 0.0, 0.0, 1.0);
                columns
            });
        let inverse_bind: Vec<f32> = inverse_bind.collect();
        let matrices = self.add_floats(&inverse_bind, "MAT4", None);
        self.document.skins.push(Skin {
            inverse_bind_matrices: Some(matrices),
            skeleton: Some(first),
            joints: (first..first + joints).collect(),
        });
        let known = self.bodies.iter();
        let mut known = known.filter(|(skeleton, _)| Arc::ptr_eq(skeleton, &clip.skeleton));
        let mesh = match known.next() {
            Some((_, mesh)) => *mesh,
            None => {
                let mesh = self.add_mesh(&generate_body(&clip.skeleton, rest));
                self.document.meshes.push(mesh);
                let mesh = self.document.meshes.len() - 1;
                self.bodies.push((Arc::clone(&clip.skeleton), mesh));
                mesh
            }
        };
        self.document.nodes.push(Node {
            name: Some(name.into()),
            mesh: Some(mesh),
            skin: Some(self.document.skins.len() - 1),
            ..Node::default()
        });
    }

    fn add_mesh(&mut self, body: &Body) -> Mesh {
        let flat = |points: &[Vec3]| {
            points
                .iter()
                .flat_map(|p| p.to_array())
                .collect::<Vec<f32>>()
        };
        let position = self.add_floats(&flat(&body.positions), "VEC3", VERTICES);
        self.bound(position, &body.positions);
        let normal = self.add_floats(&flat(&body.normals), "VEC3", VERTICES);
        let joint_quads: Vec<u16> = body.joints.iter().flat_map(|&j| [j, 0, 0, 0]).collect();
        let bytes: Vec<u8> = joint_quads.iter().flat_map(|j| j.to_le_bytes()).collect();
        let joints = self.add_bytes(&bytes, "VEC4", UNSIGNED_SHORT, body.joints.len(), VERTICES);
        let weights: Vec<f32> = body
            .joints
            .iter()
            .flat_map(|_| [1.0, 0.0, 0.0, 0.0])
            .collect();
        let weights = self.add_floats(&weights, "VEC4", VERTICES);
        let bytes: Vec<u8> = body.indices.iter().flat_map(|i| i.to_le_bytes()).collect();
        let indices = self.add_bytes(&bytes, "SCALAR", UNSIGNED_INT, body.indices.len(), INDICES);
        if self.document.materials.is_empty() {
            self.document.materials.push(Material {
                name: "Body".into(),
                pbr_metallic_roughness: Surface {
                    base_color_factor: [0.55, 0.65, 0.8, 1.0],
                    metallic_factor: 0.0,
                    roughness_factor: 0.8,
                },
            });
        }
        let attributes = Attributes {
            position: Some(position),
            normal: Some(normal),
            joints_0: Some(joints),
            weights_0: Some(weights),
        };
        let primitive = Primitive {
            attributes,
            indices: Some(indices),
            material: Some(0),
            mode: None,
        };
        Mesh {
            name: Some("Body".into()),
            primitives: vec![primitive],
        }
    }

    fn add_animation(&mut self, name: &str, first: usize, clip: &Clip) {
        let frame_time = clip.rate.frame_time();
        let times: Vec<f32> = (0..clip.len())
            .map(|f| (f as f64 * frame_time) as f32)
            .collect();
        let input = self.add_floats(&times, "SCALAR", None);
        let accessor = &mut self.document.accessors[input];
        accessor.min = vec![times[0]];
        accessor.max = vec![times[times.len() - 1]];
        let mut animation = Animation {
            name: Some(name.into()),
            ..Animation::default()
        };
        let mut add =
            |writer: &mut Self, node: usize, path: &str, values: Vec<f32>, kind: &'static str| {
                let output = writer.add_floats(&values, kind, None);
                let sampler = animation.samplers.len();
                let interpolation = Some("LINEAR".into());
                animation.samplers.push(Sampler {
                    input,
                    interpolation,
                    output,
                });
                let target = Target {
                    node: Some(first + node),
                    path: path.into(),
                };
                animation
                    .channels
                    .push(AnimationChannel { sampler, target });
            };
        let flat = |points: &[Vec3]| {
            points
                .iter()
                .flat_map(|p| p.to_array())
                .collect::<Vec<f32>>()
        };
        add(self, 0, "translation", flat(&clip.root), "VEC3");
        for sliding in &clip.sliding {
            add(
                self,
                sliding.joint.index(),
                "translation",
                flat(&sliding.offsets),
                "VEC3",
            );
        }
        for joint in 0..clip.joint_count() {
            add(
                self,
                joint,
                "rotation",
                continuous_rotations(clip, joint),
                "VEC4",
            );
        }
        self.document.animations.push(animation);
    }

    /// Sets an accessor's bounds, which positions must have.
    fn bound(&mut self, accessor: usize, points: &[Vec3]) {
        let low = points.iter().copied().fold(Vec3::INFINITY, Vec3::min);
        let high = points.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
        let accessor = &mut self.document.accessors[accessor];
        accessor.min = low.to_array().to_vec();
        accessor.max = high.to_array().to_vec();
    }

    fn add_floats(&mut self, values: &[f32], kind: &'static str, target: Option<u32>) -> usize {
        let width = match kind {
            "SCALAR" => 1,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        self.add_bytes(&bytes, kind, FLOAT, values.len() / width, target)
    }

    fn add_bytes(
        &mut self,
        bytes: &[u8],
        kind: &str,
        component_type: u32,
        count: usize,
        target: Option<u32>,
    ) -> usize {
        let byte_offset = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let view = BufferView {
            byte_offset,
            byte_length: bytes.len(),
            target,
            ..Default::default()
        };
        self.document.buffer_views.push(view);
        self.document.accessors.push(Accessor {
            buffer_view: Some(self.document.buffer_views.len() - 1),
            component_type,
            count,
            kind: kind.into(),
            ..Accessor::default()
        });
        self.document.accessors.len() - 1
    }

    /// The file's bytes.
    fn finish(mut self) -> Vec<u8> {
        self.document.scene = Some(0);
        let nodes = std::mem::take(&mut self.tops);
        self.document.scenes.push(Scene { nodes });
        self.document.asset = Asset {
            version: "2.0".into(),
            generator: Some(GENERATOR.into()),
        };
        self.document.buffers.push(Buffer {
            byte_length: self.bytes.len(),
            uri: None,
        });
        let json = serde_json::to_vec(&self.document).expect("plain data has a JSON form");
        pack_glb(json, &self.bytes)
    }
}

/// The header, the JSON chunk padded with blanks, the binary chunk padded with zeros.
pub(super) fn pack_glb(mut json: Vec<u8>, bytes: &[u8]) -> Vec<u8> {
    json.resize(json.len().next_multiple_of(4), b' ');
    let binary = bytes.len().next_multiple_of(4);
    let total = 12 + 8 + json.len() + 8 + binary;
    let mut out = Vec::with_capacity(total);
    out.extend_from_slice(b"glTF");
    for number in [2, total as u32, json.len() as u32, 0x4E4F_534A] {
        out.extend_from_slice(&number.to_le_bytes());
    }
    out.extend_from_slice(&json);
    for number in [binary as u32, 0x004E_4942] {
        out.extend_from_slice(&number.to_le_bytes());
    }
    out.extend_from_slice(bytes);
    out.resize(total, 0);
    out
}

/// A joint's rotations over time, each in the hemisphere of the one before.
pub(super) fn continuous_rotations(clip: &Clip, joint: usize) -> Vec<f32> {
    let mut previous = Quat::IDENTITY;
    let mut values = Vec::with_capacity(4 * clip.len());
    for frame in 0..clip.len() {
        let mut rotation = clip.frame_rotations(FrameId::from(frame))[joint].normalize();
        if rotation.dot(previous) < 0.0 {
            rotation = -rotation;
        }
        values.extend_from_slice(&rotation.to_array());
        previous = rotation;
    }
    values
}
