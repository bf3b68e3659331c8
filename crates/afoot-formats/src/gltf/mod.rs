//! glTF 2.0: skeletal animation in and out.

mod accessor;
mod body;
mod container;
mod curves;
mod document;
mod onto;
mod read;
mod surface;
mod write;

pub use onto::write_onto;
#[cfg(feature = "fbx")]
pub(crate) use read::scaled;
pub use read::{read_character, read_gltf, read_gltf_takes};
pub use write::{SceneCamera, write_glb, write_glb_scene, write_glb_takes};
