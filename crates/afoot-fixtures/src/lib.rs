//! What the tests and benchmarks of several crates share: a folder of their own, and captured motion
//! where it is at hand. For dev-dependencies alone.
#![allow(clippy::unwrap_used)] // a test fails by panicking

mod captured;
mod conventions;
pub mod fbx_bytes;
mod folder;
mod hero;
mod joined;

pub use captured::{Captured, captured_folder, foreign_file, note_skip};
pub use conventions::{Above, Convention, RestPose, scheme_count};
pub use folder::Folder;
pub use hero::hero_glb;
pub use joined::joined;
