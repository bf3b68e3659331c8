//! Motion files in and out. Everything else in the workspace sees metres, y up and quaternions;
//! what files do differently (units, axes, Euler angles, channel orders) ends at this border.
//!
//! A reader takes bytes and gives a [`Motion`]: the clip, and what was learnt about its source. A
//! writer takes a clip and gives bytes. [`read_motion`] and [`write_motion`] choose by a file's
//! ending; `files` and `pieces` alone touch the disk.
//!
//! ```
//! use afoot_formats::{ReadOptions, WriteOptions, read_bvh, write_bvh};
//! use afoot_sample::{SampleOptions, sample_library};
//!
//! let clip = &sample_library(&SampleOptions::default())[0];
//! let file = write_bvh(clip, &WriteOptions::default())?;
//! let read = read_bvh(&file.bytes, &ReadOptions::default())?;
//! assert_eq!(read.clip.len(), clip.len());
//! assert_eq!(read.source.metres_per_unit, 0.01); // centimetres, found by the length of the legs
//! # Ok::<(), afoot_formats::FormatError>(())
//! ```

pub mod acclaim;
pub mod bvh;
mod conform;
pub mod error;
pub mod euler;
#[cfg(feature = "fbx")]
pub mod fbx;
mod fbx_write;
pub mod files;
mod fixed;
pub mod gltf;
pub mod lanes;
pub mod motion;
mod numbers;
pub mod pieces;
mod plausible;
mod program;
mod scan;
mod scene;

mod spread;
mod tokens;
pub mod units;
pub mod up_axis;
mod usda;
mod written;

pub use acclaim::{Asf, read_amc, read_asf, write_amc};
pub use bvh::{BvhWriter, read_bvh, write_bvh};
pub use error::{FormatError, Place, Problem};
pub use fbx_write::{write_fbx, write_fbx_takes};
pub use files::{
    Format, MOST_BYTES, read_amc_with, read_character, read_file, read_motion, read_skeleton,
    read_takes, write_motion,
};
pub use gltf::{SceneCamera, read_gltf, write_glb, write_glb_scene, write_glb_takes, write_onto};
pub use motion::{
    Motion, PositionChannels, ReadOptions, SourceFacts, Take, UnitOrigin, WriteOptions, Written,
};
pub use pieces::{MotionWriter, PieceLength, read_in_pieces};
pub use program::Program;
pub use units::{Unit, UnitOption};
pub use up_axis::{UpAxis, UpOption};
pub use usda::write_usda;
