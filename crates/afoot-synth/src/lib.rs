//! Motion on request: follow a path, wander, reach a place, steer, fill a world with people.
//!
//! Every request is a search through a motion graph for a walk, which is then played into a clip
//! and cleaned. No files, clocks or hidden randomness: seeds, budgets and cancel flags are options.

pub mod allowed;
mod fan;
pub mod follow;
pub mod guide;
pub mod path;
pub mod repertoire;
mod rigid;
pub mod svg;
pub mod walk;

pub use allowed::{Allowed, UnknownLabel, Wanted};
pub use follow::{FollowError, FollowOptions, FoundWalk, Switch, find_walk};
pub use guide::{Guide, GuideOptions};
pub use path::{GroundPath, PathError, Section};
pub use repertoire::{Repertoire, RepertoireError};
pub use walk::{GraphWalk, Played, Source, WalkPlayer, play_walk};
