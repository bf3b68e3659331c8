//! Inverse kinematics of two-link limbs, in closed form.

pub mod limb;
pub mod reach;

pub use limb::{Limb, LimbOptions, LimbSolution, solve_limb};
pub use reach::{EndRotation, LimbGoal, LimbJoints, LimbReach, ReachError, reach_with_limb};
