//! A motion library in one file, and the import that fills it.
//!
//! [`Library`] keeps skeletons, clips with what is known about them, and artefacts made from them
//! (graphs, tables) under the hash of their sources. [`import_files`] reads motion files, repairs
//! what is certainly wrong with them, and adds them with floor, contacts and types.

mod annotations;
mod artefacts;
mod bytes;
mod digest;
mod entry;
mod error;
mod facts;
mod graphs;
pub mod import;
mod library;
mod names;
mod pack;
mod record;
mod rows;
mod schema;
mod skeleton_rows;

pub use annotations::{Annotations, Verdict};
pub use artefacts::{Artefact, ArtefactEntry};
pub use digest::ContentHash;
pub use entry::{ClipEntry, ClipNumber, SkeletonEntry};
pub use error::LibraryError;
pub use facts::{ClipFacts, FindingFact, RateVerdictFact};
pub use graphs::{GraphRecipe, GraphStoreError, LibraryGraph, RecipePoints};
pub use import::{ImportOptions, ImportReport, ImportedClip, find_motion_files, import_files};
pub use library::{Library, Transaction};
