//! Limbs of one clip on the body of another, and walks with other strides, lifts and ground.
//!
//! `graft` transplants independent kinematic chains between clips whose legs it correlates; `stride`
//! changes a walk by a kinematic model of its steps, whole clips or frame by frame. After Shanbhag 2006,
//! chapters 5 and 6. Pure functions from clips to clips: plants and floor come in with the clip
//! (`Clip::contacts`, `Clip::ground`), clusters of like frames as plain spans.
//!
//! ```
//! use afoot_limbs::stride::{Measure, StrideOptions, change_stride};
//! use afoot_sample::{SampleOptions, sample_library};
//!
//! let walk = &sample_library(&SampleOptions::default())[1];
//! let longer = StrideOptions { stride: Measure::Factor(1.2), ..StrideOptions::default() };
//! let made = change_stride(walk, &longer)?;
//! assert!(made.clip.root.last().unwrap().z > 1.15 * walk.root.last().unwrap().z);
//! # Ok::<(), afoot_limbs::stride::StrideError>(())
//! ```

pub mod graft;
mod leg;
pub mod plants;
mod series;
pub mod stride;
