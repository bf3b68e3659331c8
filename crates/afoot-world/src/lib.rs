//! Worlds, and what a motion graph can do in them.

pub mod geometry;
pub mod ground;
pub mod rules;
pub mod shapes;
pub mod world;

pub use ground::{Field, Ground, room_at};
pub use rules::{Rule, RuleLabels};
pub use shapes::{Bar, Beam, Obstacle, Raised, Region, River};
pub use world::{World, WorldError};
