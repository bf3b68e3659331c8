//! Inverse kinematics: closed form for two-link limbs, damped least squares for longer chains.

pub mod chain;
pub mod limb;
pub mod reach;

pub use chain::{ChainOptions, ChainReach, reach_with_chain};
pub use limb::{Limb, LimbOptions, LimbSolution, solve_limb};
pub use reach::{EndRotation, LimbGoal, LimbJoints, LimbReach, ReachError, reach_with_limb};
