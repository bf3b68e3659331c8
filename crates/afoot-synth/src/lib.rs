//! Motion on request: follow a path, wander, steer, fill a world with people.
//!
//! Every request is a search through a motion graph for a walk, which is then played into a clip
//! and cleaned. No files, clocks or hidden randomness: seeds, budgets and cancel flags are options.
//!
//! ```
//! use afoot_graph::{GraphOptions, build_graph};
//! use afoot_run::Run;
//! use afoot_sample::{SampleOptions, sample_library};
//! use afoot_synth::{Repertoire, WanderOptions, wander};
//!
//! let walks = &sample_library(&SampleOptions::default())[..3];
//! let (graph, _) = build_graph(walks, &GraphOptions::default(), &Run::quiet())?;
//! let repertoire = Repertoire::new(graph, walks)?;
//! let walked = wander(&repertoire, &WanderOptions { seconds: 4.0, ..Default::default() })?;
//! assert_eq!(walked.clip.len(), 120);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod allowed;
pub mod control;
pub mod corners;
pub mod crowd;
pub mod edges;
pub mod embed;
mod fan;
pub mod finish;
pub mod floor;
pub mod follow;
pub mod guide;
pub mod path;
pub mod perform;
pub mod pieces;
pub mod plan;
pub mod preference;
pub mod repertoire;
pub mod resequence;
mod rigid;
pub mod stand;
mod steps;
pub mod svg;
pub mod svg_world;
pub mod target;
mod untwist;
pub mod walk;
pub mod wander;
pub mod warp;

pub use afoot_world::{Obstacle, Region, World, WorldError};
pub use allowed::{Allowed, UnknownLabel, Wanted};
pub use control::{
    ControlOptions, ControlTable, Controller, ControllerError, ControllerOptions, ControllerStart,
    DirectionWish, FeetOptions, PivotOptions, Playing, Reaction, ReactionOptions, TableError,
    measure_reaction, random_directions,
};
pub use corners::{HardPlace, find_hard_places};
pub use crowd::{
    Character, Crowd, CrowdError, CrowdOptions, CrowdReport, make_crowd, make_embedded_crowd,
};
pub use edges::{Edges, Join, Layout, Trace};
pub use embed::{EditShare, PlayedPath, graph_moves, play_path};
pub use fan::FanTable;
pub use finish::FinishOptions;
pub use follow::{
    FollowError, FollowOptions, FollowSearch, Followed, FoundWalk, Switch, find_walk,
    follow_in_pieces, follow_path,
};
pub use guide::{Guide, GuideOptions};
pub use path::{DrawnPath, GroundPath, PathError, Section};
pub use perform::{
    CastError, Footage, FootageError, PerformError, PerformOptions, Performance, Performer,
    Rehearsal, Score, ScoreError, perform,
};
pub use pieces::{Finishing, play_in_pieces};
pub use preference::{
    Facing, OddFrames, Oddity, Preference, find_oddities, is_asked_to_face_ahead,
};
pub use repertoire::{Repertoire, RepertoireError};
pub use resequence::{Itinerary, play_itinerary};
pub use rigid::Rigid;
pub use stand::Stand;
pub use svg::{DrawingOptions, SvgError};
pub use svg_world::{DrawnWorldError, read_world};
pub use target::{FoundEntry, ReachError, ReachOptions, Reached, Target, find_entry, reach_clip};
pub use walk::{GraphWalk, Played, Source, WalkPlayer, play_walk};
pub use wander::{
    Evenness, WanderError, WanderOptions, find_wander, measure_evenness, wander, wander_words,
};
pub use warp::{Warp, WarpOptions};
