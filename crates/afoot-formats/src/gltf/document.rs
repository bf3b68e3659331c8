//! The part of the glTF 2.0 JSON schema that a moving skeleton needs, to read and to write.
//!
//! Own structs instead of a glTF crate: reading must survive any bytes, so every index and length
//! is checked where it is used (`accessor`), and writing needs the same dozen objects only.

use serde::{Deserialize, Serialize};

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Document {
    pub asset: Asset,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scene: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scenes: Vec<Scene>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<Node>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub meshes: Vec<Mesh>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub materials: Vec<Material>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skins: Vec<Skin>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub animations: Vec<Animation>,
    #[serde(skip_serializing_if = "Vec::is_empty", skip_deserializing)]
    pub cameras: Vec<Camera>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accessors: Vec<Accessor>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub buffer_views: Vec<BufferView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub buffers: Vec<Buffer>,
    #[serde(skip_serializing)]
    pub extensions_required: Vec<String>,
    #[serde(skip_serializing)]
    pub extensions: serde_json::Value,
}

impl Document {
    /// The nodes that a VRM file (0.x, 1.0 or an animation) names as a person's bones.
    pub fn human_bones(&self) -> Vec<(usize, String)> {
        let node = |bone: &serde_json::Value| bone["node"].as_u64().map(|node| node as usize);
        let named = |extension: &str| {
            let bones = self.extensions[extension]["humanoid"]["humanBones"].as_object();
            let bones = bones.into_iter().flatten();
            bones.filter_map(move |(name, bone)| Some((node(bone)?, name.clone())))
        };
        let first_version = self.extensions["VRM"]["humanoid"]["humanBones"].as_array();
        let listed = first_version
            .into_iter()
            .flatten()
            .filter_map(|bone| Some((node(bone)?, bone["bone"].as_str()?.to_owned())));
        let bones = named("VRMC_vrm")
            .chain(named("VRMC_vrm_animation"))
            .chain(listed);
        bones.filter(|(node, _)| *node < self.nodes.len()).collect()
    }
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Asset {
    pub version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generator: Option<String>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Scene {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<usize>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Node {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translation: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matrix: Option<[f32; 16]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skin: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none", skip_deserializing)]
    pub camera: Option<usize>,
}

/// Only perspective ones are written; those that are read are passed over.
#[derive(Debug, Serialize)]
pub struct Camera {
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub perspective: Perspective,
}

#[derive(Debug, Serialize)]
pub struct Perspective {
    pub yfov: f32,
    pub znear: f32,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Mesh {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub primitives: Vec<Primitive>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Primitive {
    pub attributes: Attributes,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indices: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub material: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<u32>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE", default)]
pub struct Attributes {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normal: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joints_0: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights_0: Option<usize>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Material {
    pub name: String,
    pub pbr_metallic_roughness: Surface,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Surface {
    pub base_color_factor: [f32; 4],
    pub metallic_factor: f32,
    pub roughness_factor: f32,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Skin {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inverse_bind_matrices: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skeleton: Option<usize>,
    pub joints: Vec<usize>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Animation {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub channels: Vec<AnimationChannel>,
    pub samplers: Vec<Sampler>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AnimationChannel {
    pub sampler: usize,
    pub target: Target,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Target {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<usize>,
    pub path: String,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Sampler {
    pub input: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interpolation: Option<String>,
    pub output: usize,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Accessor {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer_view: Option<usize>,
    #[serde(skip_serializing_if = "is_zero")]
    pub byte_offset: usize,
    pub component_type: u32,
    #[serde(skip_serializing_if = "is_false")]
    pub normalized: bool,
    pub count: usize,
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub min: Vec<f32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub max: Vec<f32>,
    #[serde(skip_serializing)]
    pub sparse: Option<Sparse>,
}

/// Elements that differ from those of the buffer view, or from zero where there is none.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Sparse {
    pub count: usize,
    pub indices: SparseArray,
    pub values: SparseArray,
}

/// Where the indices or the values of such elements lie; a component type for the former alone.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SparseArray {
    pub buffer_view: Option<usize>,
    pub byte_offset: usize,
    pub component_type: u32,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct BufferView {
    pub buffer: usize,
    #[serde(skip_serializing_if = "is_zero")]
    pub byte_offset: usize,
    pub byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte_stride: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<u32>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Buffer {
    pub byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
}

fn is_zero(value: &usize) -> bool {
    *value == 0
}

fn is_false(value: &bool) -> bool {
    !value
}

/// `componentType` of 32-bit floats.
pub const FLOAT: u32 = 5126;
/// `componentType` of unsigned 16-bit numbers.
pub const UNSIGNED_SHORT: u32 = 5123;
/// `componentType` of unsigned 32-bit numbers.
pub const UNSIGNED_INT: u32 = 5125;
