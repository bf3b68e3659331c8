//! Edits that keep a clip believable: inverse kinematics, blends, foot-skate cleanup.
//!
//! Everything here is a pure function from clips to clips. Which feet are planted, and where the
//! floor is, comes in with the clip (`Clip::contacts`, `Clip::ground`): finding them is the analysis
//! crate's work.

pub mod blend;
pub mod cleanup;
pub mod ik;

#[cfg(test)]
mod fixture;
