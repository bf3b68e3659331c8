//! glTF 2.0: skeletal animation in and out.

mod accessor;
mod body;
mod container;
mod curves;
mod document;
mod read;
mod surface;
mod write;

pub use read::read_gltf;
pub use write::write_glb;
