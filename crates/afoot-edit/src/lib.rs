//! Edits that keep a clip believable: inverse kinematics, blends, foot-skate cleanup, warps.
//!
//! Everything here is a pure function from clips to clips. Which feet are planted, and where the
//! floor is, comes in with the clip (`Clip::contacts`, `Clip::ground`): finding them is the analysis
//! crate's work.
//!
//! ```
//! use afoot_edit::cleanup::{SettleOptions, settle_feet};
//! use afoot_sample::{SampleOptions, sample_library};
//!
//! let walk = &sample_library(&SampleOptions::default())[0];
//! let (still, _) = settle_feet(walk, &SettleOptions::default())?;
//! assert_eq!(still.len(), walk.len());
//! # Ok::<(), afoot_edit::cleanup::CleanupError>(())
//! ```

pub mod blend;
pub mod cleanup;
pub mod displace;
pub mod ik;
pub mod seam;
pub mod warp;

#[cfg(test)]
mod fixture;
