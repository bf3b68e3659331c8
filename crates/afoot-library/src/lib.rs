//! A motion library in one file, and the import that fills it.
//!
//! [`Library`] keeps skeletons, clips with what is known about them, and artefacts made from them
//! (graphs, tables) under the hash of their sources. [`import_files`] reads motion files, repairs
//! what is certainly wrong with them, and adds them with floor, contacts and types.
//!
//! ```
//! use afoot_library::{ClipFacts, Library};
//! use afoot_sample::{SampleOptions, sample_library};
//!
//! # let path = std::env::temp_dir().join(format!("afoot-library-{}.afoot", std::process::id()));
//! let mut library = Library::create(&path)?;
//! let walk = &sample_library(&SampleOptions::default())[0];
//! library.add_clip(walk, &ClipFacts::default())?;
//! assert_eq!(library.clip(&walk.name)?.len(), walk.len());
//! # drop(library);
//! # std::fs::remove_file(&path).ok();
//! # Ok::<(), afoot_library::LibraryError>(())
//! ```

mod annotations;
mod artefacts;
mod clusters;
mod entry;
mod error;
mod facts;
mod graph_recipe;
mod graph_tables;
mod graphs;
mod health;
pub mod import;
mod library;
mod names;
mod one_skeleton;
mod pack;
mod record;
mod rows;
mod schema;
mod skeleton_rows;

pub use afoot_codec::ContentHash;
pub use annotations::{Annotations, UseRule, UseSpan, Verdict};
pub use artefacts::{ArtefactEntry, ArtefactRow, Kept, Last, Origin};
pub use clusters::{ClusterRecipe, ComparedFrames, LibraryClusters};
pub use entry::{ClipEntry, ClipNumber, SkeletonEntry};
pub use error::LibraryError;
pub use facts::{ClipFacts, FindingFact, OriginFact, RateVerdictFact};
pub use graph_recipe::{GraphRecipe, RecipePoints};
pub use graphs::{GraphClips, GraphStoreError, LibraryGraph};
pub use health::Health;
pub use import::{
    ImportOptions, ImportReport, ImportedClip, RetargetTo, find_motion_files, import_files,
    prepare_motion, set_roles,
};
pub use library::{Library, Transaction};
pub use one_skeleton::OneBody;
pub use rows::Damage;
