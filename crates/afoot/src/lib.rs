//! New, believable character motion out of motion that was captured before: the one door for programs.
//!
//! Ask with a request ([`Import`], [`BuildGraph`], [`Follow`], ...), say where results go, get what was
//! made. Read a folder of motion files, build their motion graph, walk along a path, write glTF:
//!
//! ```
//! use afoot::{BuildGraph, Follow, Import, Output, Run, WriteSamples};
//! # let folder = std::env::temp_dir().join(format!("afoot-door-{}", std::process::id()));
//! # let (clips, motion) = (folder.join("clips"), folder.join("walk.glb"));
//! # let only = ["walk", "walk_turn_left", "walk_circle_left"].map(String::from).to_vec();
//! # WriteSamples { only }.run(&clips, &Run::quiet())?;
//! let run = Run::quiet();
//! let import = Import { paths: vec![clips.into()], mirror: true, ..Import::default() };
//! let (library, _) = import.run_into(folder.join("walks.afoot"), &run)?;
//! BuildGraph::default().run(&library, &run)?;
//! let path = serde_json::json!({"points": [[0, 0], [0, 2], [1, 4]]});
//! let follow = Follow { path: path.into(), ..Follow::default() };
//! let walked = library.deliver(&follow, &Output::to(&motion), &run)?;
//! assert!(walked.quality.path_max_m < Some(1.0) && walked.quality.skate_cm_s < Some(5.0));
//! # assert!(motion.exists());
//! # std::fs::remove_dir_all(&folder).ok();
//! # Ok::<(), afoot::Failure>(())
//! ```
//!
//! The same from data, as a script, a page or Python asks; names that are not known are refused:
//!
//! ```
//! use afoot::{AnyFile, Request, Run, Workspace};
//! # let folder = std::env::temp_dir().join(format!("afoot-ask-{}", std::process::id()));
//! # let to = serde_json::json!({"folder": folder});
//! let asked = serde_json::json!({"ask": "write_samples", "only": ["walk"]});
//! let told = Request::read(asked)?.run(Workspace::from(&AnyFile), to, &Run::quiet())?;
//! assert_eq!(told[0], "walk");
//! let slip = Request::read(serde_json::json!({"ask": "wander", "second": 9})).unwrap_err();
//! assert!(slip.message.contains("did you mean \"seconds\"?"));
//! # std::fs::remove_dir_all(&folder).ok();
//! # Ok::<(), afoot::Failure>(())
//! ```
//!
//! A [`Run`] carries who watches ([`Event`]s: progress, pieces of motion, warnings), what stops it,
//! seed and threads. A [`Library`] keeps what requests share, so that a server asks again at once; it
//! streams motion through a [`Sink`], and says by [`Files`] which files requests may name.
//! What goes wrong is a [`Failure`] of one of four kinds, with a [`Hint`] that each surface words
//! for itself. Pictures come from [`pictures`]. All requests and reports are plain data for JSON.

mod alike;
mod clustered;
mod contact_graph;
mod delivery;
mod embedded;
mod failure;
mod files;
mod hint;
mod inputs;
mod library;
mod motion_files;
pub mod pictures;
mod ranges;
mod requests;
mod rounding;
mod selection;
mod shown;
mod staged_folder;
mod story;
mod threads;
mod workspace;

pub use afoot_analyze::judge::bar_of;
pub use afoot_analyze::{Quality, SourceStatistics, Verdict};
pub use afoot_core::{
    Clip, ClipId, Contacts, FrameRate, Joint, Locomotion, Pose, Quat, Range32, Side, Vec3,
    forward_kinematics,
};
pub use afoot_formats::{Program, WriteOptions};
pub use afoot_graph::AutoOptions;
pub use afoot_library::{
    Annotations, ArtefactEntry, ClipEntry, ClusterRecipe, GraphRecipe, ImportReport, RecipePoints,
    SkeletonEntry,
};
pub use afoot_run::{Cancel, Event, Partial, Progress, Run, Stopped};
pub use afoot_synth::{
    ControlTable, Controller, ControllerOptions, DrawingOptions, Evenness, FollowSearch, Oddity,
    Repertoire as ReadyGraph, Stand,
};
pub use afoot_world::{Connect, EditShape, Suggestion, SwitchTime};
pub use contact_graph::{ContactRecipe, ObjectiveWord};
pub use delivery::{
    Account, Aim, Delivered, Made, Measured, MotionHeader, MotionPiece, MotionRequest, OneClip,
    Outlet, PieceSource, PlaceError, PlanCost, Sink, SourceClips, SourceStretch, Streamed, Told,
};
pub use embedded::EmbedRecipe;
pub use failure::{Failure, FailureKind};
pub use files::{AnyFile, FileName, Files, FilesBelow, NoFiles, read_text};
pub use hint::Hint;
pub use inputs::Input;
pub use library::{Library, Steering};
pub use motion_files::{LengthUnit, MotionFile, Output, Up, make_folder, write_file};
pub use ranges::{Ranged, option_ranges};
pub use requests::*;
pub use selection::Selection;
pub use shown::{Body, BodyLimb, ShownFrames};
pub use story::FilterDone;
pub use threads::in_threads;
pub use workspace::Workspace;
