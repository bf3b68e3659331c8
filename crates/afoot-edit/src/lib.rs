//! Edits that keep a clip believable: inverse kinematics, blends, foot-skate cleanup, warps.
//!
//! Everything here is a pure function from clips to clips. Which feet are planted, and where the
//! floor is, comes in with the clip (`Clip::contacts`, `Clip::ground`): finding them is the analysis
//! crate's work.

pub mod blend;
pub mod cleanup;
pub mod displace;
pub mod ik;
pub mod seam;
pub mod warp;

#[cfg(test)]
mod fixture;
