//! What a game ships: one character with its motion, in one file, steered frame by frame.
//!
//! [`bake`] makes the file's bytes of a repertoire and its control table; [`Pack::open`] opens them,
//! wherever they lie (a mapped file, a buffer in a browser); [`Character`] is steered through the very
//! controller that `afoot drive` uses. Several characters share a pack. No files, clocks, threads or
//! global state; [`Character::advance`] asks for no memory.
//!
//! ```
//! use std::sync::Arc;
//! use afoot_core::Planar;
//! use afoot_graph::{GraphOptions, build_graph};
//! use afoot_run::Run;
//! use afoot_runtime::{BakeOptions, Pack, bake};
//! use afoot_sample::{SampleOptions, sample_library};
//! use afoot_synth::{ControlOptions, ControlTable, Repertoire};
//!
//! let walks = &sample_library(&SampleOptions::default())[..3];
//! let (graph, _) = build_graph(walks, &GraphOptions::default(), &Run::quiet())?;
//! let repertoire = Repertoire::new(graph, walks)?;
//! let table = ControlTable::new(&repertoire, &ControlOptions::default(), &Run::quiet())?;
//! let baked = bake(&repertoire, &table, &BakeOptions::default())?;
//!
//! let pack = Arc::new(Pack::open(baked.bytes)?);
//! let mut hero = pack.character(Planar::IDENTITY, 0)?;
//! let pose = hero.advance(1.0 / 60.0, 0.5, None)?;
//! assert_eq!(pose.rotations.len(), pack.skeleton().len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bake;
mod bits;
mod character;
mod clip_bytes;
mod pack;
mod steps;

pub use afoot_codec::{Bytes, CodecError};
pub use afoot_core::Planar;
pub use bake::{BakeError, BakeOptions, Baked, JointError, PackSizes, bake};
pub use character::Character;
pub use pack::{Pack, PackError};
