//! Worlds, and what a motion graph can do in them (Reitsma and Pollard 2004, 2007).
//!
//! `world` is the file, with `shapes` and `rules`; `ground` and `shortest` know the free ways through it.
//! A motion graph comes as `moves`; `stencil` tabulates where each can end when it is bent (`edit`),
//! `embed` lays that over the ground and keeps what never leads to a dead end. On what comes out,
//! `coverage` says where motion passes and where it does not, `paths` finds the shortest way through it,
//! `quality` how much longer these are than they need be, and `suggest` what more motion would help.
//! Nothing here knows bodies: only where roots go.
//!
//! ```
//! use afoot_world::World;
//!
//! let room = r#"{"bounds": [[0,0],[7,8]], "obstacles": [{"circle": [2,2,0.5]}]}"#;
//! let world = World::from_json(room)?;
//! assert_eq!(world.clearance([2.0, 3.0]), 0.5); // half a metre from the pillar
//! assert!(world.clearance([2.0, 2.2]) < 0.0); // inside of it
//! # Ok::<(), afoot_world::WorldError>(())
//! ```

pub mod cell_bits;
pub mod coverage;
pub mod distance_transform;
pub mod edit;
pub mod embed;
pub mod geometry;
pub mod grid;
pub mod ground;
pub mod moves;
pub mod moving;
pub mod paths;
pub mod quality;
pub mod room;
pub mod rules;
mod scaled;
pub mod shapes;
pub mod shortest;
pub mod stencil;
pub mod suggest;
pub mod switching;
pub mod world;

pub use coverage::{Coverage, CoverageOptions, Hole, measure_coverage};
pub use edit::{Connect, EditOptions, EditShape};
pub use embed::{
    Culled, EmbedError, EmbedOptions, Embedding, Estimate, LaidMoves, StateId, embed, embed_more,
    estimate_embedding, lay_moves,
};
pub use grid::{CellId, Grid};
pub use ground::{Field, Ground, room_at};
pub use moves::{ChoiceId, Move, MoveId, Moves};
pub use moving::{MovingOptions, Others, find_among};
pub use paths::{EmbeddedPath, Ends, PathSearch};
pub use quality::{Estimated, PathQuality, QualityOptions, SampledPath, quality_of, sample_paths};
pub use rules::{Rule, RuleLabels};
pub use shapes::{Bar, Beam, Obstacle, Raised, Region, River};
pub use shortest::FreeWays;
pub use suggest::{Suggestion, Wanted, suggest};
pub use switching::{SwitchTime, switch_times};
pub use world::{World, WorldError};
